// A file of rank profiles with what belongs to it in an application: profiles in files of their own, models, constants,
// and types of query inputs.
//
//   auto found = tenrex::read_profile_files("app/schemas/shop.sd");
//   if (!found) { std::cerr << found.error().render(); return 1; }
//   auto set = tenrex::ProfileSet::parse(found->files, found->loader);
//   tenrex::ProfileOptions options;
//   options.query_inputs = found->query_inputs;
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <tenrex/export.h>
#include <tenrex/rank_profile.h>
#include <tenrex/result.h>

namespace tenrex {

// Reads a file of at most so many bytes.
using FileReader = std::function<Result<std::string>(const std::string &path, std::size_t most_bytes)>;

struct ProfileFiles {
    // The file, and behind a schema NAME.sd the files *.profile in the folder NAME and in those within it.
    std::vector<ProfileFile> files;
    // What they name is looked for beside the file. If a folder `schemas` is around it, then that is part of an
    // application package, and its root and its folder `models` come next.
    FileLoader loader;
    std::vector<ProfileInput> query_inputs;  // of the package: search/query-profiles/types/*.xml
};

// Without a reader, files are read as the system has them.
TENREX_EXPORT Result<ProfileFiles> read_profile_files(const std::string &path, FileReader read = {});

}  // namespace tenrex

// Archives of files in one, as numpy's are: ZIP, with deflated or stored entries.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenrex/result.h>

namespace tenrex::tool {

using ArchiveEntries = std::vector<std::pair<std::string, std::string>>;  // name, content

// Errors: bytes that are no such archive, a way of compressing that is not known, contents that are damaged, or of more
// than `most` bytes in all.
Result<ArchiveEntries> read_zip(std::string_view bytes, std::size_t most);
// Stored, without a date. What is written has less than 4 GB.
std::string write_zip(const ArchiveEntries &entries);

}  // namespace tenrex::tool

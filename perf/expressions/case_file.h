// Performance cases as data: what to compile, what its inputs look like, and how fast it should be.
//
// A file perf/expressions/<family>.json holds {"about": ..., "cases": [...]}. A case has
//   name, expression
//   inputs             each with name, stage (constant, query, document), type, and optionally
//     labels           dimension -> [how many, from which number]; the order is random
//     range            of the cells: [-1,1] if it is not said, all values for int8
//     whole            true: whole numbers only
//   forest             {"trees", "leaves", "features"}: a random one that the expression calls as forest(m); its
//   features
//                      are inputs, doubles of documents
//   target_ns          per document at blocks of 64; optional
//   peer_ns            what the peer needs: [best, worst]; optional
//   documents          to rotate among; if it is not said, as many as fit into the second-level cache
//   check_sizes        dimension -> size while the result is checked, where the oracle would take too long otherwise
#pragma once

#include <filesystem>
#include <vector>

#include <tenrex/result.h>

#include "perf/measure/case.h"

namespace tenrex::perf {

// The cases of all files in a directory, file by file.
Result<std::vector<Case>> read_cases(const std::filesystem::path &directory);

}  // namespace tenrex::perf

// Performance cases as data: what to compile, what its inputs look like, and how fast it should be.
//
// A file perf/expressions/<family>.json holds {"about": ..., "cases": [...]}. A case has
//   name, expression
//   inputs             each with name, stage (constant, query, document), type, and optionally
//     labels           dimension -> [how many, from which number]; the order is random
//     range            of the cells: [-1,1] if it is not said, all values for int8
//     whole            true: whole numbers only
//   target_ns          per document at blocks of 64; optional
//   peer_ns            what the peer needs: [best, worst]; optional
//   documents          to rotate among; if it is not said, as many as fit into the second-level cache
//   check_sizes        dimension -> size while the result is checked, where the oracle would take too long otherwise
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <tenrex/result.h>
#include <tenrex/schema.h>
#include <tenrex/tensor_type.h>

namespace tenrex::perf {

struct LabelRange {
    std::uint64_t count = 0;
    std::uint64_t first = 0;
};

struct InputRecipe {
    std::string name;
    Stage stage = Stage::document;
    TensorType type;
    std::map<std::string, LabelRange> labels;
    double lowest = -1;
    double highest = 1;
    bool whole = false;

    std::size_t blocks() const;
    std::size_t bytes() const;  // of one value, with its labels
};

struct Case {
    std::string name;
    std::string expression;
    std::vector<InputRecipe> inputs;
    std::optional<double> target_ns;
    std::optional<std::pair<double, double>> peer_ns;
    std::size_t documents = 0;  // 0: not said
    std::map<std::string, std::uint64_t> check_sizes;

    std::size_t document_bytes() const;
    // The same case with the sizes that it is checked with.
    Case small() const;
};

// The cases of all files in a directory, file by file.
Result<std::vector<Case>> read_cases(const std::filesystem::path &directory);

}  // namespace tenrex::perf

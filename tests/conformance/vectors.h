// Reads the conformance vectors.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tenrex::conformance {

inline constexpr const char *vectors_path = "tests/conformance/vectors.jsonl";

struct Vector {
    std::string id;
    std::string group;
    std::string expression;
    std::string core;                                         // the same in primitives; may be empty
    std::vector<std::pair<std::string, std::string>> inputs;  // name and literal
    std::optional<std::string> expect;                        // nothing: the expression must be rejected
};

// Throws if a line is not what it should be; empty if there is no such file.
std::vector<Vector> read_vectors(const char *path = vectors_path);

}  // namespace tenrex::conformance

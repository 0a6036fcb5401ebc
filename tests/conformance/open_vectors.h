// The vectors of open_vectors.jsonl: expressions over dimensions whose size comes with the value.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tenrex::conformance {

struct OpenVector {
    struct Input {
        std::string name;
        std::string type;   // as declared
        std::string value;  // a literal
    };
    std::string id;
    std::string expression;
    std::vector<Input> inputs;
    std::string type;                   // that the checker gives the expression
    std::optional<std::string> expect;  // a literal
    std::string message;                // of the error, if there is no value
};

std::vector<OpenVector> read_open_vectors(const char *path = "tests/conformance/open_vectors.jsonl");

}  // namespace tenrex::conformance

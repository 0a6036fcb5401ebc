// Reads the conformance vectors.
#pragma once

#include <cstddef>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

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
inline std::vector<Vector> read_vectors(const char *path = vectors_path) {
    std::vector<Vector> vectors;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        const nlohmann::json json = nlohmann::json::parse(line);
        Vector vector{json.at("id"), json.at("group"), json.at("expression"), json.value("core", ""), {}, {}};
        for (const auto &[name, value] : json.at("inputs").items()) {
            vector.inputs.emplace_back(name, value.get<std::string>());
        }
        if (!json.value("error", false)) {
            vector.expect = json.at("expect").get<std::string>();
        }
        vectors.push_back(std::move(vector));
    }
    return vectors;
}

}  // namespace tenrex::conformance

#include "tests/conformance/vectors.h"

#include <fstream>

#include <nlohmann/json.hpp>

namespace tenrex::conformance {

std::vector<Vector> read_vectors(const char *path) {
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

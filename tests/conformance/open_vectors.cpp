#include "tests/conformance/open_vectors.h"

#include <fstream>

#include <nlohmann/json.hpp>

namespace tenrex::conformance {

std::vector<OpenVector> read_open_vectors(const char *path) {
    std::vector<OpenVector> vectors;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        const nlohmann::json json = nlohmann::json::parse(line);
        OpenVector vector{json.at("id"), json.at("expression"), {}, json.at("type"), {}, json.value("message", "")};
        for (const auto &[name, type] : json.at("types").items()) {
            vector.inputs.push_back({name, type.get<std::string>(), json.at("inputs").at(name).get<std::string>()});
        }
        if (json.contains("expect")) {
            vector.expect = json.at("expect").get<std::string>();
        }
        vectors.push_back(std::move(vector));
    }
    return vectors;
}

}  // namespace tenrex::conformance

#include "perf/expressions/case_file.h"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "perf/expressions/random_forest.h"

namespace tenrex::perf {

using Json = nlohmann::json;

namespace {

Stage stage_of(const std::string &text) {
    for (const Stage stage : {Stage::constant, Stage::query, Stage::document}) {
        if (name(stage) == text) {
            return stage;
        }
    }
    throw std::runtime_error(fmt::format("there is no stage '{}'", text));
}

InputRecipe input_of(const Json &json) {
    Result<TensorType> type = TensorType::parse(json.at("type").get<std::string>());
    if (!type) {
        throw std::runtime_error(type.error().render());
    }
    InputRecipe input(json.at("name"), stage_of(json.at("stage")), *std::move(type));
    const Json labels = json.value("labels", Json::object());
    for (const auto &[dimension, range] : labels.items()) {
        input.labels[dimension] = {range.at(0), range.at(1)};
    }
    for (const Dimension &dimension : input.type.dimensions()) {
        if (dimension.is_mapped() != input.labels.contains(dimension.name)) {
            throw std::runtime_error(fmt::format("'{}': every mapped dimension needs labels, no other", input.name));
        }
    }
    input.whole = json.value("whole", input.whole);
    if (json.contains("range")) {
        input.lowest = json.at("range").at(0);
        input.highest = json.at("range").at(1);
    }
    return input;
}

void add_forest(const Json &json, Case &result) {
    Result<Forest> forest = random_forest({json.at("trees"), json.at("leaves"), json.at("features")});
    if (!forest) {
        throw std::runtime_error(forest.error().render());
    }
    for (const std::string &feature : forest->used_features()) {
        result.inputs.emplace_back(feature, Stage::document, TensorType());
    }
    result.forests.emplace_back("m", *std::move(forest));
}

Case case_of(const Json &json) {
    Case result;
    result.name = json.at("name");
    result.expression = json.at("expression");
    for (const Json &input : json.at("inputs")) {
        result.inputs.push_back(input_of(input));
    }
    if (json.contains("forest")) {
        add_forest(json.at("forest"), result);
    }
    if (json.contains("target_ns")) {
        result.target_ns = json.at("target_ns");
    }
    if (json.contains("peer_ns")) {
        result.peer_ns.emplace(json.at("peer_ns").at(0), json.at("peer_ns").at(1));
    }
    result.documents = json.value("documents", std::size_t{0});
    result.check_sizes = json.value("check_sizes", result.check_sizes);
    return result;
}

}  // namespace

Result<std::vector<Case>> read_cases(const std::filesystem::path &directory) {
    std::vector<std::filesystem::path> files;
    std::error_code failure;
    for (const auto &entry : std::filesystem::directory_iterator(directory, failure)) {
        if (entry.path().extension() == ".json") {
            files.push_back(entry.path());
        }
    }
    if (files.empty()) {
        return Error(fmt::format("there are no cases in '{}'", directory.string()));
    }
    std::sort(files.begin(), files.end());
    std::vector<Case> cases;
    for (const auto &file : files) {
        try {
            std::ifstream stream(file);
            const Json document = Json::parse(stream);
            for (const Json &json : document.at("cases")) {
                cases.push_back(case_of(json));
            }
        } catch (const std::exception &problem) {
            return Error(fmt::format("{}: {}", file.string(), problem.what()));
        }
    }
    return cases;
}

}  // namespace tenrex::perf

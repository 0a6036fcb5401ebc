// What stands in a model, as it is.
#include <map>
#include <new>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <tenrex/onnx.h>

#include "lib/onnx/model_bytes.h"
#include "lib/onnx/model_file.h"
#include "lib/onnx/operators.h"
#include "lib/onnx/shape_text.h"
#include "lib/onnx/tree_ensemble.h"

namespace tenrex {

namespace {

OnnxContents::Port port_of(const onnx::ValueInfo &value) {
    const std::string_view element = value.type ? onnx::info(*value.type).name : "no tensor";
    return {std::string(value.name),
            fmt::format("{}{}", element, value.has_shape ? onnx::shape_text(value.shape) : std::string())};
}

std::string_view domain_of(std::string_view domain) {
    return domain.empty() ? "ai.onnx" : domain;
}

OnnxContents contents_of(const onnx::Model &model) {
    OnnxContents contents;
    contents.producer =
        fmt::format("{}{}{}", model.producer, model.producer_version.empty() ? "" : " ", model.producer_version);
    std::set<std::string_view> defaults;
    for (const onnx::TensorData &weights : model.initializers) {
        defaults.insert(weights.name);
        contents.parameters += weights.elements();
    }
    for (const onnx::ValueInfo &input : model.inputs) {
        if (!defaults.contains(input.name)) {
            contents.inputs.push_back(port_of(input));
        }
    }
    for (const onnx::ValueInfo &output : model.outputs) {
        contents.outputs.push_back(port_of(output));
    }
    std::map<std::string_view, std::int64_t> versions;
    for (const onnx::OperatorSet &set : model.operator_sets) {
        versions.emplace(domain_of(set.domain), set.version);
    }
    std::map<std::pair<std::string_view, std::string_view>, std::size_t> nodes;
    for (const onnx::Node &node : model.nodes) {
        ++nodes[{node.op, domain_of(node.domain)}];
    }
    for (const auto &[op, count] : nodes) {
        const auto version = versions.find(op.second);
        contents.operators.push_back({std::string(op.first), std::string(op.second),
                                      version == versions.end() ? 1 : version->second, count,
                                      onnx::find_operator(op.second, op.first) != nullptr});
    }
    contents.has_trees = onnx::has_tree_ensemble(model);
    return contents;
}

}  // namespace

Result<OnnxContents> OnnxContents::load(const std::string &path) {
    const auto bytes = onnx::read_file(path);
    return bytes ? read(*bytes) : Result<OnnxContents>(bytes.error());
}

Result<OnnxContents> OnnxContents::read(std::string_view bytes) {
    try {
        const auto model = onnx::read_model(bytes);
        return model ? contents_of(*model) : Result<OnnxContents>(model.error());
    } catch (const std::bad_alloc &) {
        return Error("there is not enough memory for the model");
    }
}

}  // namespace tenrex

// What stands in a model, as it is.
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <tenrex/onnx.h>

#include "lib/onnx/import.h"
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

void add_weights(const onnx::TensorData &weights, OnnxContents &contents) {
    const std::uint64_t count = weights.elements();
    contents.parameters += count;
    const onnx::ElementTypeInfo &type = onnx::info(weights.type);
    if (type.kind != onnx::ElementKind::real) {
        for (std::uint64_t *const bytes : {&contents.float_bytes, &contents.bfloat16_bytes, &contents.int8_bytes}) {
            *bytes += count * type.bytes;
        }
        return;
    }
    constexpr std::uint64_t of_float = 4, of_bfloat16 = 2;
    const bool is_matrix = weights.dimensions.size() > 1;
    contents.float_bytes += count * of_float;
    contents.bfloat16_bytes += count * of_bfloat16;
    contents.int8_bytes +=
        is_matrix ? count + of_float * static_cast<std::uint64_t>(weights.dimensions.back()) : count * of_float;
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
        add_weights(weights, contents);
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
    contents.is_forest = onnx::is_forest(model);
    return contents;
}

OnnxContents::Packed packed_of(const onnx::PackedModel &model) {
    OnnxContents::Packed packed;
    packed.precision = model.precision;
    packed.instruction_set = model.instruction_set;
    packed.source = model.source;
    packed.matrices = model.matrices.size();
    for (const auto &[origin, matrix] : model.matrices) {
        packed.bytes += matrix.bytes.size();
    }
    return packed;
}

Result<OnnxContents> contents_of_file(const Result<std::string_view> &bytes, onnx::ModelFiles *files) {
    if (!bytes) {
        return bytes.error();
    }
    std::function<Result<std::string_view>(std::string_view)> beside;
    if (files != nullptr) {
        beside = [&](std::string_view location) { return files->beside(location); };
    }
    const auto model = onnx::read_network(*bytes, beside);
    if (!model) {
        return model.error();
    }
    OnnxContents contents = contents_of(*model);
    if (files != nullptr && files->packed() != nullptr) {
        contents.packed = packed_of(*files->packed());
    }
    return contents;
}

}  // namespace

Result<OnnxContents> OnnxContents::load(const std::string &path) {
    return onnx::unless_out_of_memory([&]() -> Result<OnnxContents> {
        auto files = onnx::ModelFiles::in(std::filesystem::path(path).parent_path());
        const auto bytes = files.open(path);
        return contents_of_file(bytes, &files);
    });
}

Result<OnnxContents> OnnxContents::read(std::string_view bytes, const std::string &folder) {
    return onnx::unless_out_of_memory([&]() -> Result<OnnxContents> {
        auto files = onnx::ModelFiles::in(folder);
        const auto model = files.open_bytes(bytes);
        return contents_of_file(model, folder.empty() && files.packed() == nullptr ? nullptr : &files);
    });
}

}  // namespace tenrex

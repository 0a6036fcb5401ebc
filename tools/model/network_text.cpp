#include "tools/model/network_text.h"

#include <algorithm>

#include <fmt/format.h>

namespace tenrex::tool {

namespace {

// "430 B", "1.52 kB", "90.3 MB"
std::string size_text(double bytes) {
    constexpr double step = 1000;
    std::string_view unit = "B";
    for (const std::string_view larger : {"kB", "MB", "GB", "TB"}) {
        if (bytes < step) {
            break;
        }
        bytes /= step;
        unit = larger;
    }
    return fmt::format("{:.3g} {}", bytes, unit);
}

// "24 for a document, 768 for each token, 32 for each pair of tokens"
std::string flops_text(const OnnxModel::Flops &flops) {
    std::string text;
    for (const auto &[count, whose] : {std::pair(flops.per_document, "a document"),
                                       {flops.per_token, "each token"},
                                       {flops.per_pair, "each pair of tokens"}}) {
        if (count > 0) {
            text += fmt::format("{}{:.0f} for {}", text.empty() ? "" : ", ", count, whose);
        }
    }
    return text.empty() ? "0" : text;
}

}  // namespace

std::string contents_text(const OnnxContents &contents, const OnnxModel *model) {
    std::string text = "format      onnx\n";
    if (!contents.producer.empty()) {
        text += fmt::format("producer    {}\n", contents.producer);
    }
    std::size_t nodes = 0;
    std::size_t width = std::string_view("operator").size();
    for (const OnnxContents::Operator &op : contents.operators) {
        nodes += op.nodes;
        width = std::max(width, op.name.size());
    }
    text += fmt::format("nodes       {}\nparameters  {}\n", nodes, contents.parameters);
    text += fmt::format(
        "memory      {} as float, {} as bfloat16, {} as int8\n", size_text(static_cast<double>(contents.float_bytes)),
        size_text(static_cast<double>(contents.bfloat16_bytes)), size_text(static_cast<double>(contents.int8_bytes)));
    if (contents.packed) {
        const OnnxContents::Packed &packed = *contents.packed;
        text += fmt::format("packed      {} of {}, {} matrices of {}\nprocessor   {}\n", name(packed.precision),
                            packed.source, packed.matrices, size_text(static_cast<double>(packed.bytes)),
                            packed.instruction_set);
    }
    if (model != nullptr) {
        text += fmt::format("flops       {}\n", flops_text(model->flops()));
    }
    for (const auto &[what, ports] : {std::pair("input", &contents.inputs), {"output", &contents.outputs}}) {
        for (const OnnxContents::Port &port : *ports) {
            text += fmt::format("{:<10}  {} {}\n", what, port.name, port.type);
        }
    }
    if (!contents.operators.empty()) {
        text += fmt::format("\n{:<{}}  {:>6}  set\n", "operator", width, "nodes");
    }
    for (const OnnxContents::Operator &op : contents.operators) {
        text += fmt::format("{:<{}}  {:>6}  {} {}{}\n", op.name, width, op.nodes, op.domain, op.version,
                            op.is_supported ? "" : "  not supported");
    }
    return text;
}

std::string definitions_text(const OnnxModel &model) {
    std::string text;
    for (const DefinitionDeclaration &definition : model.definitions()) {
        text += fmt::format("{} = {}\n", definition.name, definition.text);
    }
    return text;
}

}  // namespace tenrex::tool

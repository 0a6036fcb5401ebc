#include "tools/model/network_text.h"

#include <algorithm>

#include <fmt/format.h>

namespace tenrex::tool {

std::string contents_text(const OnnxContents &contents) {
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

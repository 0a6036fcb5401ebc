#include "lib/ir/text.h"

#include <fmt/ranges.h>

#include <tenrex/formats.h>

#include "lib/support/format.h"
#include "lib/types/quoted_text.h"

namespace tenrex::ir {

namespace {

constexpr std::size_t most_cells_shown = 8;  // larger constants are told by their type alone

std::string quoted(std::string_view name) {
    std::string text;
    append_quoted(text, name);
    return text;
}

std::string constant_text(const Attributes &attributes, TextStyle style) {
    if (!attributes.value) {
        return to_literal(Tensor(attributes.number));
    }
    if (style == TextStyle::brief && attributes.value->cell_count() > most_cells_shown) {
        return fmt::format("{} cells", attributes.value->cell_count());
    }
    return to_literal(*attributes.value);
}

std::string peek_text(const Attributes &attributes) {
    std::string text = "{";
    for (const PeekPart &part : attributes.parts) {
        text += text.size() > 1 ? "," : "";
        if (part.computed != 0) {
            text += fmt::format("{}:(operand {})", part.dimension, part.computed);
        } else if (part.label.empty()) {
            text += fmt::format("{}:{}", part.dimension, part.index);
        } else {
            text += fmt::format("{}:{}", part.dimension, quoted_label(part.label));
        }
    }
    return text + "}";
}

// [["a","b"],["c","d"]] {0:0,1:2}: the labels of each block; for each operand its block and its place there.
std::string pack_text(const Attributes &attributes, TextStyle style) {
    if (style == TextStyle::brief) {
        return fmt::format("{} cells", attributes.cells.size());
    }
    std::string text = "[";
    for (const std::vector<std::string> &labels : attributes.addresses) {
        text += text.size() > 1 ? ",[" : "[";
        for (std::size_t i = 0; i < labels.size(); ++i) {
            text += (i == 0 ? "" : ",") + quoted(labels[i]);
        }
        text += "]";
    }
    text += "] {";
    for (std::size_t i = 0; i < attributes.cells.size(); ++i) {
        text += fmt::format("{}{}:{}", i == 0 ? "" : ",", attributes.cells[i].block, attributes.cells[i].index);
    }
    return text + "}";
}

// What stands between the operation's name and its operands.
std::string attributes_text(const Graph &graph, const Node &node, TextStyle style) {
    const Attributes &attributes = *node.attributes;
    std::string dimensions = fmt::format("({})", fmt::join(attributes.dimensions, ","));
    switch (node.op) {
        case Op::constant:
            return constant_text(attributes, style);
        case Op::input:
            return quoted(graph.inputs()[attributes.input].name);
        case Op::apply:
            return std::string(info(attributes.function).name);
        case Op::user:
            return attributes.user_function->name;
        case Op::in_set:
            return fmt::format("[{}]", fmt::join(attributes.set, ","));
        case Op::reduce:
            return fmt::format("{} {}", info(attributes.aggregator).name, dimensions);
        case Op::contract:
            return fmt::format("{}{} {} {}", info(attributes.function).name,
                               attributes.after ? fmt::format(" {}", info(*attributes.after).name) : "",
                               info(attributes.aggregator).name, dimensions);
        case Op::rename:
            return fmt::format("{} ({})", dimensions, fmt::join(attributes.new_names, ","));
        case Op::concat:
        case Op::to_mapped:
        case Op::to_indexed:
            return dimensions;
        case Op::slice:
            return fmt::format("{} from {}", dimensions, attributes.begin);
        case Op::order:
            return fmt::format("{} {}", attributes.ascending ? "min" : "max", dimensions);
        case Op::unpack_bits:
            return fmt::format("{} {}", attributes.ascending ? "little" : "big", dimensions);
        case Op::peek:
            return peek_text(attributes);
        case Op::pack:
            return pack_text(attributes, style);
        case Op::select:
        case Op::branch:
            return style == TextStyle::exact ? fmt::format("{}", attributes.probability) : "";
        case Op::cast:
        case Op::join_addresses:
        case Op::merge:
        case Op::fill:
        case Op::filter:
            return {};
    }
    return {};
}

// The numbers of the nodes that the outputs reach; the others are not shown.
std::vector<std::uint32_t> numbering(const Graph &graph) {
    const std::vector<std::uint32_t> uses = graph.use_counts();
    std::vector<std::uint32_t> numbers(graph.size());
    std::uint32_t next = 0;
    for (NodeId id = 0; id < graph.size(); ++id) {
        numbers[id] = next;
        next += uses[id] != 0;
    }
    return numbers;
}

std::string quoted_for_dot(std::string_view text) {
    std::string result;
    for (char c : text) {
        if (c == '"' || c == '\\') {
            result += '\\';
        }
        result += c;
    }
    return result;
}

}  // namespace

std::string to_string(const Graph &graph, TextStyle style) {
    const std::vector<std::uint32_t> uses = graph.use_counts();
    const std::vector<std::uint32_t> numbers = numbering(graph);
    std::string text;
    auto out = std::back_inserter(text);
    for (NodeId id = 0; id < graph.size(); ++id) {
        if (uses[id] == 0) {
            continue;
        }
        const Node &node = graph[id];
        fmt::format_to(out, "%{} = {}", numbers[id], name(node.op));
        if (const std::string attributes = attributes_text(graph, node, style); !attributes.empty()) {
            fmt::format_to(out, " {}", attributes);
        }
        for (NodeId operand : node.operands) {
            fmt::format_to(out, " %{}", numbers[operand]);
        }
        fmt::format_to(out, " : {} {}\n", node.type->to_string(), name(node.stage));
    }
    for (const GraphOutput &output : graph.outputs()) {
        fmt::format_to(out, "return {}%{}\n", output.name.empty() ? "" : quoted(output.name) + " = ",
                       numbers[output.node]);
    }
    return text;
}

std::string to_dot(const Graph &graph) {
    constexpr std::string_view colors[] = {"gray90", "lightgoldenrod", "lightblue"};  // by stage
    const std::vector<std::uint32_t> uses = graph.use_counts();
    const std::vector<std::uint32_t> numbers = numbering(graph);
    std::string text = "digraph expression {\n  node [shape=box style=filled fontname=\"monospace\"]\n";
    auto out = std::back_inserter(text);
    for (NodeId id = 0; id < graph.size(); ++id) {
        if (uses[id] == 0) {
            continue;
        }
        const Node &node = graph[id];
        fmt::format_to(out, "  n{} [label=\"{} {}\\n{}\" fillcolor={}]\n", numbers[id], name(node.op),
                       quoted_for_dot(attributes_text(graph, node, TextStyle::brief)), node.type->to_string(),
                       colors[static_cast<std::size_t>(node.stage)]);
        for (NodeId operand : node.operands) {
            fmt::format_to(out, "  n{} -> n{}\n", numbers[operand], numbers[id]);
        }
    }
    return text + "}\n";
}

}  // namespace tenrex::ir

#include "lib/ir/text.h"

#include <iterator>
#include <variant>

#include <fmt/ranges.h>

#include <tenrex/formats.h>

#include "lib/ir/forest_text.h"
#include "lib/ir/gather_text.h"
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

std::string text_of(const std::vector<std::string> &names) {
    return fmt::format("({})", fmt::join(names, ","));
}

std::string text_of(const std::vector<Dimension> &dimensions) {
    std::vector<std::string_view> names;
    names.reserve(dimensions.size());
    for (const Dimension &dimension : dimensions) {
        names.push_back(dimension.name);
    }
    return fmt::format("({})", fmt::join(names, ","));
}

std::string_view text_of(CellType cell_type) {
    return name(cell_type);
}

std::string_view text_of(Aggregator aggregator) {
    return info(aggregator).name;
}

std::string text_of(const ContractionTerms &terms) {
    const auto &[function, after, aggregator] = terms;
    return fmt::format("{}{} {}", info(function).name, after ? fmt::format(" {}", info(*after).name) : "",
                       info(aggregator).name);
}

std::string on_one_line(const Graph &body, TextStyle style);

// A payload as it stands between the operation's name and its operands.
class PayloadText {
public:
    PayloadText(const Graph &graph, TextStyle style) : graph_(graph), style_(style) {}

    std::string operator()(const NoPayload &) const { return {}; }

    template <HasParts Own>
    std::string operator()(const Own &own) const {
        std::string text;
        const auto add = [&](const auto &part) { text += (text.empty() ? "" : " ") + std::string(text_of(part)); };
        std::apply([&](const auto &...parts) { (add(parts), ...); }, Own::parts(own));
        return text;
    }

    std::string operator()(const Constant &constant) const {
        if (!constant.value) {
            return to_literal(Tensor(constant.number));
        }
        if (style_ == TextStyle::brief && constant.value->cell_count() > most_cells_shown) {
            return fmt::format("{} cells", constant.value->cell_count());
        }
        return to_literal(*constant.value);
    }

    // "name", and the type as it was declared, if it has open dimensions.
    std::string operator()(const Input &input) const {
        const GraphInput &own = graph_.inputs()[input.index];
        return quoted(own.name) + (own.declared ? " of " + own.declared->to_string() : "");
    }

    std::string operator()(const Apply &apply) const { return std::string(info(apply.function).name); }

    std::string operator()(const User &user) const { return user.function->name; }

    std::string operator()(const InSet &set) const { return fmt::format("[{}]", fmt::join(set.members, ",")); }

    std::string operator()(const Choice &choice) const {
        return style_ == TextStyle::exact ? fmt::format("{}", choice.probability) : "";
    }

    std::string operator()(const Contract &contract) const {
        const bool is_linear = contract.activation == Activation::none;
        return fmt::format("{} {}{}{}{}{}", text_of(contract.terms), text_of(contract.dimensions),
                           contract.has_bias ? " bias" : "",
                           is_linear ? "" : fmt::format(" {}", name(contract.activation)),
                           contract.is_scaled ? " scaled" : "", contract.is_packed ? " packed" : "");
    }

    std::string operator()(const Concat &concat) const { return fmt::format("({})", concat.dimension); }

    std::string operator()(const Slice &slice) const {
        return fmt::format("({}) from {}", slice.dimension, slice.begin);
    }

    std::string operator()(const Reshape &reshape) const {
        return fmt::format("{} {}", text_of(reshape.dimensions), text_of(reshape.becomes));
    }

    std::string operator()(const ToIndexed &change) const { return text_of(change.dimensions); }

    std::string operator()(const SameSize &same) const {
        return fmt::format("{} {} {}", quoted(same.what), quoted(same.first), quoted(same.second));
    }

    std::string operator()(const Append &append) const { return fmt::format("({})", append.dimension); }

    std::string operator()(const Peek &peek) const {
        std::string text = "{";
        for (const PeekPart &part : peek.parts) {
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

    std::string operator()(const Order &order) const {
        return fmt::format("{} {}{}", order.ascending ? "min" : "max", text_of(order.dimensions),
                           order.by_number ? " by_number" : "");
    }

    // [["a","b"],["c","d"]] {0:0,1:2}: the labels of each block; for each operand its block and its place there.
    std::string operator()(const Pack &pack) const {
        if (style_ == TextStyle::brief) {
            return fmt::format("{} cells", pack.cells.size());
        }
        std::string text = "[";
        for (const std::vector<std::string> &labels : pack.addresses) {
            text += text.size() > 1 ? ",[" : "[";
            for (std::size_t i = 0; i < labels.size(); ++i) {
                text += (i == 0 ? "" : ",") + quoted(labels[i]);
            }
            text += "]";
        }
        text += "] {";
        for (std::size_t i = 0; i < pack.cells.size(); ++i) {
            text += fmt::format("{}{}:{}", i == 0 ? "" : ",", pack.cells[i].block, pack.cells[i].index);
        }
        return text + "}";
    }

    std::string operator()(const UnpackBits &unpack) const {
        return fmt::format("{} ({})", unpack.lowest_first ? "little" : "big", unpack.dimension);
    }

    std::string operator()(const Forest &own) const {
        if (style_ == TextStyle::brief) {
            return fmt::format("{}{} trees, {} splits", own.has_base ? "base and " : "", own.forest->trees.size(),
                               own.forest->splits.size());
        }
        return ir::text_of(own);
    }

    // - square sum (x) double min (m): by a product, if the word is there.
    std::string operator()(const RowExtreme &extreme) const {
        return fmt::format("{} {} {} {} {}{}{}{}", text_of(extreme.terms), text_of(extreme.dimensions),
                           name(extreme.cell_type), info(extreme.aggregator).name, text_of(extreme.rows),
                           extreme.by_product ? " product" : "", extreme.columns_first ? " columns_first" : "",
                           extreme.is_packed ? " packed" : "");
    }

    // (x) queries (t) keys (s) values (s) scale 0.125 stable added: what is as it mostly is is left out.
    std::string operator()(const Attention &attention) const {
        const auto scale = attention.scale == 1 ? "" : fmt::format(" scale {}", attention.scale);
        const auto masking = attention.masking == Masking::none ? "" : fmt::format(" {}", name(attention.masking));
        return fmt::format("({}) queries ({}) keys ({}) values ({}){}{}{}{}{}", attention.summed, attention.query_rows,
                           attention.key_rows, attention.value_rows, scale, attention.is_stable ? " stable" : "",
                           attention.is_rounded ? " rounded" : "", masking,
                           attention.masking == Masking::chosen ? fmt::format(" else {}", attention.otherwise) : "");
    }

    // standardize (x) divisor 768 epsilon 0.001 gain bias: what is as it mostly is is left out.
    std::string operator()(const Normalize &normalize) const {
        const Normalize usual;
        std::string text = fmt::format("{} {}", name(normalize.kind), text_of(normalize.dimensions));
        const auto add = [&](std::string_view what, double number, double as_usual) {
            text += number == as_usual ? "" : fmt::format(" {} {}", what, number);
        };
        add("scale", normalize.scale, usual.scale);
        add("divisor", normalize.divisor, usual.divisor);
        add("epsilon", normalize.epsilon, usual.epsilon);
        add("root_epsilon", normalize.root_epsilon, usual.root_epsilon);
        return text + (normalize.has_gain ? " gain" : "") + (normalize.has_bias ? " bias" : "");
    }

    std::string operator()(const Gather &gather) const { return ir::text_of(gather); }

    std::string operator()(const Top &top) const { return top.ascending ? "min" : "max"; }

    // * float sum (k), or float count (k): of the addresses alone.
    std::string operator()(const JoinReduce &reduce) const {
        return fmt::format("{}{} {} {}", reduce.function ? fmt::format("{} ", info(*reduce.function).name) : "",
                           name(reduce.cell_type), info(reduce.aggregator).name, text_of(reduce.dimensions));
    }

    std::string operator()(const Region &region) const {
        return fmt::format("{{{}}}", on_one_line(*region.body, style_));
    }

    std::string operator()(const RegionResult &result) const { return fmt::format("{}", result.index); }

private:
    const Graph &graph_;
    TextStyle style_;
};

std::string payload_text(const Graph &graph, const Node &node, TextStyle style) {
    return std::visit(PayloadText(graph, style), node.payload->variant());
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

// A node behind its number, without its type and stage.
std::string text_of(const Graph &graph, NodeId id, const std::vector<std::uint32_t> &numbers, TextStyle style) {
    const Node &node = graph[id];
    std::string text = fmt::format("%{} = {}", numbers[id], name(node.op));
    auto out = std::back_inserter(text);
    if (const std::string payload = payload_text(graph, node, style); !payload.empty()) {
        fmt::format_to(out, " {}", payload);
    }
    for (NodeId operand : node.operands) {
        fmt::format_to(out, " %{}", numbers[operand]);
    }
    return text;
}

// The body of a region. The brief style leaves out what the operands and their types say: %0 is the first operand.
std::string on_one_line(const Graph &body, TextStyle style) {
    std::string text;
    const std::vector<std::uint32_t> numbers = numbering(body);
    for (NodeId id = 0; id < body.size(); ++id) {
        if (style == TextStyle::brief && body[id].op != Op::input) {
            text += text_of(body, id, numbers, style) + "; ";
        } else if (style == TextStyle::exact) {
            text += fmt::format("{} : {} {}; ", text_of(body, id, numbers, style), body[id].type->to_string(),
                                name(body[id].stage));
        }
    }
    for (const GraphOutput &output : body.outputs()) {
        text += fmt::format("{}return %{}", &output == body.outputs().data() ? "" : "; ", numbers[output.node]);
    }
    return text;
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
        if (uses[id] != 0) {
            fmt::format_to(out, "{} : {} {}\n", text_of(graph, id, numbers, style), graph[id].type->to_string(),
                           name(graph[id].stage));
        }
    }
    for (const GraphOutput &output : graph.outputs()) {
        const std::string what = !output.size_of.empty() ? fmt::format("size ({})", output.size_of)
                                 : output.name.empty()   ? ""
                                                         : quoted(output.name);
        fmt::format_to(out, "return {}{}%{}\n", what, what.empty() ? "" : " = ", numbers[output.node]);
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
                       quoted_for_dot(payload_text(graph, node, TextStyle::brief)), node.type->to_string(),
                       colors[static_cast<std::size_t>(node.stage)]);
        for (NodeId operand : node.operands) {
            fmt::format_to(out, "  n{} -> n{}\n", numbers[operand], numbers[id]);
        }
    }
    return text + "}\n";
}

}  // namespace tenrex::ir

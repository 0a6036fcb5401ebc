#include "lib/ir/verify.h"

#include <algorithm>

#include "lib/ir/contraction.h"
#include "lib/support/format.h"

namespace tenrex::ir {

namespace {

using Problem = std::optional<std::string>;

Problem of_operands(const Graph &graph, NodeId id, const Node &node) {
    if (!is_payload_of(node.op, *node.payload)) {
        return "has the payload of another operation";
    }
    const OperandCounts counts = operand_counts(node.op);
    if (node.operands.size() < counts.least || node.operands.size() > counts.most) {
        return fmt::format("has {} operands", node.operands.size());
    }
    for (NodeId operand : node.operands) {
        if (operand >= id) {
            return fmt::format("uses node {}, which comes after it", operand);
        }
    }
    if (node.op == Op::apply && node.operands.size() != info(node.as<Apply>().function).arity) {
        return "has the wrong number of operands for its function";
    }
    if (node.op == Op::user && (!node.as<User>().function || node.operands.size() != node.as<User>().function->arity)) {
        return "has the wrong number of operands for its function";
    }
    if (node.op == Op::input && node.as<Input>().index >= graph.inputs().size()) {
        return fmt::format("there is no input {}", node.as<Input>().index);
    }
    return std::nullopt;
}

// Of a region or another result of one.
Problem of_region(const Graph &graph, const Node &node) {
    const Node &region = node.op == Op::region_result ? graph[node.operands[0]] : node;
    if (region.op != Op::region) {
        return "is no result of a region";
    }
    const Graph &body = *region.as<Region>().body;
    const std::size_t index = node.op == Op::region_result ? node.as<RegionResult>().index : 0;
    if (index >= body.outputs().size() || *body[body.outputs()[index].node].type != *node.type) {
        return "has another type than the result of the region, or there is none";
    }
    for (std::size_t i = 0; i < region.operands.size(); ++i) {
        if (body.inputs()[i].stage != graph[region.operands[i]].stage) {
            return "has operands that are known at other stages than its operations read";
        }
    }
    return node.op == Op::region ? Verifier().violation(body) : std::nullopt;
}

// Only a product reads a packed matrix, and it reads what was packed for such a product.
Problem of_packing(const Graph &graph, const Node &node) {
    const bool is_packed = (node.op == Op::contract && node.as<Contract>().is_packed) ||
                           (node.op == Op::row_extreme && node.as<RowExtreme>().is_packed);
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
        if ((graph[node.operands[i]].op == Op::pack_matrix) != (is_packed && i == 1)) {
            return is_packed ? "does not read packed columns" : "reads a packed matrix";
        }
    }
    if (!is_packed) {
        return std::nullopt;
    }
    const Contraction contraction = contraction_of(node);
    const Node &rows = graph[node.operands[0]];
    const Node &columns = graph[node.operands[1]];
    const PackMatrix &pack = columns.as<PackMatrix>();
    const auto dimensions = contraction_dimensions(*rows.type, *columns.type, contraction.dimensions);
    const bool is_product = node.op == Op::contract || node.as<RowExtreme>().by_product;
    const bool fits = dimensions && is_product && contraction.terms.is_sum_of_products() &&
                      pack.dimensions == dimensions->indexed.summed && pack.batch == dimensions->indexed.batch &&
                      pack.cell_type == contraction.cell_type &&
                      (pack.row_type == rows.type->cell_type() || rows.op == Op::unpack_bits);
    return fits ? Problem() : Problem("reads what is packed for another product");
}

Problem of_stage(const Graph &graph, const Node &node) {
    Stage latest = node.op == Op::input ? graph.inputs()[node.as<Input>().index].stage : Stage::constant;
    for (NodeId operand : node.operands) {
        latest = std::max(latest, graph[operand].stage);
    }
    return latest != node.stage ? Problem("has the wrong stage") : std::nullopt;
}

// Of what has a type before there is a node: a constant or input.
Problem of_given_type(const Node &node, const TensorType &type) {
    return *node.type == type ? std::nullopt
                              : Problem(fmt::format("has another type than its value, {}", type.to_string()));
}

std::string text_of(std::span<const DimensionView> dimensions) {
    std::string text;
    for (const DimensionView &dimension : dimensions) {
        text += text.empty() ? "" : ",";
        text += dimension.name;
        text += dimension.size == 0 ? "{}" : fmt::format("[{}]", dimension.size);
    }
    return text.empty() ? "none" : text;
}

}  // namespace

// Types are not put together to be compared: that would take memory, and this is done for every node of every plan.
Problem Verifier::of_type(const Graph &graph, const Node &node) {
    if (node.type_follows) {
        return std::nullopt;
    }
    if (node.op == Op::input) {
        return of_given_type(node, graph.inputs()[node.as<Input>().index].type);
    }
    if (node.op == Op::constant) {
        return node.is_number() ? of_given_type(node, TensorType())
                                : of_given_type(node, node.as<Constant>().value->type());
    }
    // As of numbers: there are many of these.
    const auto has_type_of_node = [&](NodeId operand) { return graph[operand].type == node.type; };
    if (!node.operands.empty() && has_trait(node.op, Trait::cell_by_cell) &&
        std::all_of(node.operands.begin(), node.operands.end(), has_type_of_node)) {
        return std::nullopt;
    }
    room_.operand_types.clear();
    for (NodeId operand : node.operands) {
        room_.operand_types.push_back(graph[operand].type);
    }
    Problem problem = infer(node.op, room_.operand_types, *node.payload, room_.inferred);
    const std::vector<Dimension> &dimensions = node.type->dimensions();
    if (!problem && !std::equal(room_.inferred.begin(), room_.inferred.end(), dimensions.begin(), dimensions.end())) {
        problem = fmt::format("its dimensions do not follow from its operands, which give {}", text_of(room_.inferred));
    }
    return problem;
}

Problem Verifier::violation(const Graph &graph, NodeId first) {
    for (NodeId id = first; id < graph.size(); ++id) {
        const Node &node = graph[id];
        Problem problem = of_operands(graph, id, node);
        if (!problem) {
            problem = of_stage(graph, node);
        }
        if (!problem) {
            problem = of_type(graph, node);
        }
        if (!problem) {
            problem = of_packing(graph, node);
        }
        if (!problem && (node.op == Op::region || node.op == Op::region_result)) {
            problem = of_region(graph, node);
        }
        if (problem) {
            return fmt::format("node {} ({} : {}): {}", id, name(node.op), node.type->to_string(), *problem);
        }
    }
    for (const GraphOutput &output : graph.outputs()) {
        if (output.node >= graph.size()) {
            return "an output is no node";
        }
        if (graph[output.node].op == Op::pack_matrix) {
            return "an output is a packed matrix";
        }
        if (!output.size_of.empty() && (&output == graph.outputs().data() || !graph[output.node].type->is_scalar())) {
            return fmt::format("the size of dimension {} is no number behind an output", output.size_of);
        }
    }
    return std::nullopt;
}

}  // namespace tenrex::ir

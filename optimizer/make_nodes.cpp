#include "optimizer/make_nodes.h"

#include <algorithm>

#include "lib/ir/infer.h"

namespace tenrex::optimizer {

bool contains(const std::vector<std::string> &names, const std::string &name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<Dimension> joined_without(const ir::Graph &graph, const std::vector<ir::NodeId> &operands,
                                      const std::vector<std::string> &without) {
    std::vector<const TensorType *> types;
    types.reserve(operands.size());
    for (const ir::NodeId operand : operands) {
        types.push_back(graph[operand].type);
    }
    std::vector<Dimension> result = ir::joined(types);
    std::erase_if(result, [&](const Dimension &dimension) { return contains(without, dimension.name); });
    return result;
}

ir::NodeId add_apply(ir::Graph &graph, ScalarFunction function, CellType cell_type, std::vector<ir::NodeId> operands,
                     Span span) {
    return graph.add(ir::Op::apply, cell_type, operands, ir::Apply{function}, span);
}

bool is_double(const ir::Graph &graph, ir::NodeId node) {
    return graph[node].type->cell_type() == CellType::f64;
}

ir::NodeId add_contraction(ir::Graph &graph, ir::NodeId a, ir::NodeId b, std::vector<std::string> summed,
                           bool in_double, Span span) {
    if (in_double && !is_double(graph, a) && !is_double(graph, b)) {
        // Kernels add in double if one operand is double: the one that is known earlier is converted.
        ir::NodeId &earlier = graph[a].stage < graph[b].stage ? a : b;
        earlier = graph.add(ir::Op::cast, CellType::f64, {&earlier, 1}, {}, span);
    }
    in_double |= is_double(graph, a) || is_double(graph, b);
    const ir::NodeId operands[] = {a, b};
    return graph.add(ir::Op::contract, in_double ? CellType::f64 : CellType::f32, operands,
                     ir::Contract{{}, std::move(summed)}, span);
}

ir::NodeId add_slice(ir::Graph &graph, ir::NodeId operand, const std::string &dimension, std::uint64_t begin,
                     std::uint64_t size, Span span) {
    return graph.add(ir::Op::slice, graph[operand].type->cell_type(), {&operand, 1}, ir::Slice{dimension, begin, size},
                     span);
}

ir::NodeId add_first_cells(ir::Graph &graph, ir::NodeId operand, const std::vector<std::string> &dimensions,
                           Span span) {
    ir::Peek peek;
    for (const std::string &name : dimensions) {
        peek.parts.emplace_back().dimension = name;
    }
    return graph.add(ir::Op::peek, graph[operand].type->cell_type(), {&operand, 1}, std::move(peek), span);
}

ir::NodeId add_rest_of_peek(ir::Graph &graph, const ir::Node &peek, std::span<const ir::NodeId> operands,
                            ir::NodeId source, std::vector<ir::PeekPart> parts) {
    std::vector<ir::NodeId> rest{source};
    for (ir::PeekPart &part : parts) {
        if (part.computed != 0) {
            rest.push_back(operands[part.computed]);
            part.computed = static_cast<std::uint32_t>(rest.size() - 1);
        }
    }
    return graph.add(ir::Op::peek, *peek.type, rest, ir::Peek{std::move(parts)}, peek.span);
}

ir::NodeId add_cast(ir::Graph &graph, ir::NodeId operand, CellType cell_type, Span span) {
    const TensorType &type = *graph[operand].type;
    return type.is_scalar() || type.cell_type() == cell_type
               ? operand
               : graph.add(ir::Op::cast, cell_type, {&operand, 1}, {}, span);
}

}  // namespace tenrex::optimizer

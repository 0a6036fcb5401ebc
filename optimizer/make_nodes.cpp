#include "optimizer/make_nodes.h"

#include <algorithm>

#include "lib/types/derived_type.h"

namespace tenrex::optimizer {

bool contains(const std::vector<std::string> &names, const std::string &name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<Dimension> joined_without(const ir::Graph &graph, const std::vector<ir::NodeId> &operands,
                                      const std::vector<std::string> &without) {
    std::vector<Dimension> result;
    for (const ir::NodeId operand : operands) {
        for (const Dimension &dimension : graph[operand].type->dimensions()) {
            if (!contains(without, dimension.name) &&
                std::find(result.begin(), result.end(), dimension) == result.end()) {
                result.push_back(dimension);
            }
        }
    }
    return result;
}

ir::NodeId add_apply(ir::Graph &graph, ScalarFunction function, CellType cell_type, std::vector<ir::NodeId> operands,
                     Span span) {
    return graph.add(ir::Op::apply, known_type(cell_type, joined_without(graph, operands, {})), operands,
                     ir::Apply{function}, span);
}

bool is_double(const ir::Graph &graph, ir::NodeId node) {
    return graph[node].type->cell_type() == CellType::f64;
}

ir::NodeId add_contraction(ir::Graph &graph, ir::NodeId a, ir::NodeId b, std::vector<std::string> summed,
                           bool in_double, Span span) {
    if (in_double && !is_double(graph, a) && !is_double(graph, b)) {
        // Kernels add in double if one operand is double: the one that is known earlier is converted.
        ir::NodeId &earlier = graph[a].stage < graph[b].stage ? a : b;
        const TensorType type = known_type(CellType::f64, graph[earlier].type->dimensions());
        earlier = graph.add(ir::Op::cast, type, {&earlier, 1}, {}, span);
    }
    in_double |= is_double(graph, a) || is_double(graph, b);
    const TensorType type =
        known_type(in_double ? CellType::f64 : CellType::f32, joined_without(graph, {a, b}, summed));
    const ir::NodeId operands[] = {a, b};
    return graph.add(ir::Op::contract, type, operands, ir::Contract{{}, std::move(summed)}, span);
}

ir::NodeId add_slice(ir::Graph &graph, ir::NodeId operand, const std::string &dimension, std::uint64_t begin,
                     std::uint64_t size, Span span) {
    std::vector<Dimension> dimensions = graph[operand].type->dimensions();
    for (Dimension &other : dimensions) {
        other.size = other.name == dimension ? size : other.size;
    }
    const TensorType type = known_type(graph[operand].type->cell_type(), std::move(dimensions));
    return graph.add(ir::Op::slice, type, {&operand, 1}, ir::Slice{dimension, begin, size}, span);
}

ir::NodeId add_first_cells(ir::Graph &graph, ir::NodeId operand, const std::vector<std::string> &dimensions,
                           Span span) {
    const TensorType type = known_type(graph[operand].type->cell_type(), joined_without(graph, {operand}, dimensions));
    ir::Peek peek;
    for (const std::string &name : dimensions) {
        peek.parts.emplace_back().dimension = name;
    }
    return graph.add(ir::Op::peek, type, {&operand, 1}, std::move(peek), span);
}

ir::NodeId add_cast(ir::Graph &graph, ir::NodeId operand, CellType cell_type, Span span) {
    const TensorType type = known_type(cell_type, graph[operand].type->dimensions());
    return *graph[operand].type == type ? operand : graph.add(ir::Op::cast, type, {&operand, 1}, {}, span);
}

}  // namespace tenrex::optimizer

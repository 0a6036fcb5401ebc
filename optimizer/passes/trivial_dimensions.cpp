// Dimensions of size 1 come and go without touching a cell: a reduction over them takes the only cell there is, and a
// factor of ones adds dimensions to the other one, after what is done cell by cell with numbers. Those that are peeked
// away again were never there. A constant with a single cell is a number to those that need none of its dimensions, as
// models in files write their scales.
#include <algorithm>

#include "optimizer/known_vectors.h"
#include "optimizer/make_nodes.h"
#include "optimizer/matcher.h"
#include "optimizer/passes/passes.h"
#include "optimizer/rewrite.h"

namespace tenrex::optimizer {

namespace {

std::optional<ir::NodeId> without_dimensions(ir::Graph &graph, const ir::Node &node, ir::NodeId operand) {
    const auto &[aggregator, reduced] = node.as<ir::Reduce>();
    const TensorType &from = *graph[operand].type;
    const bool all_trivial = std::all_of(reduced.begin(), reduced.end(), [&](const std::string &name) {
        return from.dimensions()[*from.find(name)].is_trivial();
    });
    if (!all_trivial || reduced.empty() || aggregator == Aggregator::count) {
        return std::nullopt;
    }
    const ir::NodeId cells = add_first_cells(graph, operand, reduced, node.span);
    const CellType cell_type = node.type->cell_type();
    if (aggregator == Aggregator::sum || aggregator == Aggregator::avg) {
        // A sum begins with 0, and 0 + -0 is 0.
        return add_apply(graph, ScalarFunction::add, cell_type, {cells, graph.constant(0)}, node.span);
    }
    return add_cast(graph, cells, cell_type, node.span);
}

// The only cell of a constant that has dimensions of size 1, if it is known.
std::optional<double> only_cell(const ir::Graph &graph, KnownVectors &known, ir::NodeId id) {
    const auto has_one = [&](ir::NodeId node) {
        const TensorType &type = *graph[node].type;
        return graph[node].stage == Stage::constant && !type.is_scalar() && !type.has_mapped() &&
               type.block_cells() == 1;
    };
    while (has_one(id) && graph[id].op == ir::Op::peek && graph[id].operands.size() == 1) {
        id = graph[id].operands[0];
    }
    const std::vector<double> *const cells = has_one(id) ? known.of(id) : nullptr;
    return cells != nullptr ? std::optional(cells->front()) : std::nullopt;
}

bool is_one(const ir::Graph &graph, KnownVectors &known, ir::NodeId id) {
    return only_cell(graph, known, id) == 1;
}

// An operation cell by cell on a value that has all dimensions of a single cell beside it.
std::optional<ir::NodeId> with_number(ir::Graph &graph, KnownVectors &known, const ir::Node &node,
                                      std::span<const ir::NodeId> operands) {
    for (std::size_t i = 0; operands.size() == 2 && i < 2; ++i) {
        const ir::Node &constant = graph[operands[i]];
        if (constant.stage != Stage::constant || constant.type->is_scalar()) {
            continue;
        }
        // What is added to a sum stays a row: a product of matrices takes it as its bias.
        const ir::Node &value = graph[operands[1 - i]];
        if (value.op == ir::Op::reduce && value.as<ir::Reduce>().aggregator == Aggregator::sum &&
            applies(node, ScalarFunction::add)) {
            continue;
        }
        const TensorType &other = *value.type;
        const std::vector<Dimension> &own = constant.type->dimensions();
        if (other.dimensions() != node.type->dimensions() ||
            !std::all_of(own.begin(), own.end(), [&](const Dimension &each) { return other.find(each.name); })) {
            continue;
        }
        if (const std::optional<double> cell = only_cell(graph, known, operands[i])) {
            ir::NodeId both[] = {operands[0], operands[1]};
            both[i] = graph.constant(*cell);
            return graph.add(node.op, *node.type, both, *node.payload, node.span);
        }
    }
    return std::nullopt;
}

std::optional<ir::NodeId> with_dimensions(ir::Graph &graph, KnownVectors &known, const ir::Node &node,
                                          std::span<const ir::NodeId> operands) {
    const std::size_t ones = is_one(graph, known, operands[0]) ? 0 : 1;
    if (!is_one(graph, known, operands[ones])) {
        return std::nullopt;
    }
    const ir::NodeId other = add_cast(graph, operands[1 - ones], node.type->cell_type(), node.span);
    if (*graph[other].type == *node.type) {
        return other;
    }
    const ir::NodeId both[] = {other, operands[ones]};
    return graph.add(ir::Op::join_addresses, *node.type, both, {}, node.span);
}

// A value that has got dimensions of size 1, and no labels, from what it was joined with.
bool has_joined_ones(const ir::Graph &graph, ir::NodeId id) {
    const ir::Node &node = graph[id];
    if (node.op != ir::Op::join_addresses || graph[node.operands[0]].type->is_scalar()) {
        return false;
    }
    const TensorType &ones = *graph[node.operands[1]].type;
    return !ones.has_mapped() && ones.block_cells() == 1;
}

// What is done to each cell, with numbers at most, is done before the value gets them.
std::optional<ir::NodeId> join_last(ir::Graph &graph, const ir::Node &node, std::span<const ir::NodeId> operands) {
    const auto is_number = [&](ir::NodeId operand) { return graph[operand].is_number(); };
    const auto value =
        std::find_if(operands.begin(), operands.end(), [&](ir::NodeId id) { return has_joined_ones(graph, id); });
    if (value == operands.end() || std::count_if(operands.begin(), operands.end(), is_number) + 1 !=
                                       static_cast<std::ptrdiff_t>(operands.size())) {
        return std::nullopt;
    }
    const ir::Node joined = graph[*value];
    std::vector<ir::NodeId> sources(operands.begin(), operands.end());
    sources[static_cast<std::size_t>(value - operands.begin())] = joined.operands[0];
    const ir::NodeId cells = graph.add(node.op, node.type->cell_type(), sources, *node.payload, node.span);
    const ir::NodeId both[] = {cells, joined.operands[1]};
    return graph.add(ir::Op::join_addresses, *node.type, both, {}, node.span);
}

// A peek at the only cell along dimensions that its operand has got from what it was joined with.
std::optional<ir::NodeId> without_joined(ir::Graph &graph, const ir::Node &node, ir::NodeId operand) {
    const ir::Node joined = graph[operand];
    if (!has_joined_ones(graph, operand) || node.operands.size() != 1) {
        return std::nullopt;
    }
    const TensorType &source = *graph[joined.operands[0]].type;
    const std::vector<ir::PeekPart> &parts = node.as<ir::Peek>().parts;
    const bool are_new =
        std::none_of(parts.begin(), parts.end(), [&](const ir::PeekPart &part) { return source.find(part.dimension); });
    // Nor has anything else come with them.
    return are_new && source.dimensions() == node.type->dimensions()
               ? std::optional(add_cast(graph, joined.operands[0], node.type->cell_type(), node.span))
               : std::nullopt;
}

}  // namespace

void trivial_dimensions(ir::Graph &graph, PassRun &run) {
    KnownVectors known(graph);
    rewrite(graph, run.uses, [&](ir::NodeId id, std::span<const ir::NodeId> operands) -> std::optional<ir::NodeId> {
        const ir::Node node = graph[id];
        if (node.op == ir::Op::reduce) {
            return without_dimensions(graph, node, operands[0]);
        }
        if (node.op == ir::Op::peek) {
            if (const auto cell = node.type->is_scalar() && operands.size() == 1 ? only_cell(graph, known, operands[0])
                                                                                 : std::nullopt) {
                return graph.constant(*cell);
            }
            return without_joined(graph, node, operands[0]);
        }
        if (applies(node, ScalarFunction::multiply)) {
            if (const auto same = with_dimensions(graph, known, node, operands)) {
                return same;
            }
        }
        if (node.op == ir::Op::apply) {
            if (const auto same = with_number(graph, known, node, operands)) {
                return same;
            }
        }
        return node.op == ir::Op::apply || node.op == ir::Op::cast ? join_last(graph, node, operands) : std::nullopt;
    });
}

}  // namespace tenrex::optimizer

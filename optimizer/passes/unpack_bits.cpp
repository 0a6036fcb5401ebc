// The bits of int8 cells that a generator peeks one by one are unpacked by one operation, which consumers can read in
// place: bit(v{x:(x/8)}, 7-x%8) for each index x, or with x%8.
#include <algorithm>
#include <string>

#include "lib/ir/index_vector.h"
#include "optimizer/matcher.h"
#include "optimizer/passes/passes.h"
#include "optimizer/rewrite.h"

namespace tenrex::optimizer {

namespace {

const ir::Node &without_casts_to_double(const ir::Graph &graph, ir::NodeId id) {
    const ir::Node *node = &graph[id];
    while (node->op == ir::Op::cast && node->type->cell_type() == CellType::f64) {
        node = &graph[node->operands[0]];
    }
    return *node;
}

// The dimension x of function(x, number).
std::optional<std::string> index_with(const ir::Graph &graph, const ir::Node &node, ScalarFunction function,
                                      double number) {
    if (!applies(node, function) || !is_number(graph[node.operands[1]], number)) {
        return std::nullopt;
    }
    return ir::index_dimension(graph[node.operands[0]]);
}

struct BitNumber {
    std::string dimension;
    bool lowest_first;
};
std::optional<BitNumber> bit_number(const ir::Graph &graph, const ir::Node &node) {
    if (const auto dimension = index_with(graph, node, ScalarFunction::modulo, 8)) {
        return BitNumber{*dimension, true};
    }
    if (applies(node, ScalarFunction::subtract) && is_number(graph[node.operands[0]], 7)) {
        if (const auto dimension = index_with(graph, graph[node.operands[1]], ScalarFunction::modulo, 8)) {
            return BitNumber{*dimension, false};
        }
    }
    return std::nullopt;
}

// The node as an unpacking whose dimensions have the names of the generator, before they are renamed.
std::optional<ir::NodeId> unpacked(ir::Graph &graph, const ir::Node &node, std::span<const ir::NodeId> operands) {
    if (!applies(node, ScalarFunction::bit)) {
        return std::nullopt;
    }
    const std::optional<BitNumber> number = bit_number(graph, graph[operands[1]]);
    if (!number) {
        return std::nullopt;
    }
    const ir::Node *peek = &without_casts_to_double(graph, operands[0]);
    if (peek->op == ir::Op::fill) {
        // Every block that there is has all its cells, so none is filled in if the blocks are those of the operand.
        const ir::NodeId anchor = peek->operands[1];
        peek = &graph[peek->operands[0]];
        if (peek->op != ir::Op::peek || peek->operands[0] != anchor) {
            return std::nullopt;
        }
    }
    if (peek->op != ir::Op::peek || graph[peek->operands[0]].type->cell_type() != CellType::i8) {
        return std::nullopt;
    }
    const TensorType &source = *graph[peek->operands[0]].type;
    const std::vector<ir::PeekPart> &parts = peek->as<ir::Peek>().parts;
    if (parts.size() != source.indexed_count()) {
        return std::nullopt;
    }
    // All indexed dimensions are peeked at their own index, the last one at that divided by 8.
    const Dimension *last = nullptr;
    for (const Dimension &dimension : source.dimensions()) {
        last = dimension.is_indexed() ? &dimension : last;
    }
    ir::Rename renames;
    for (const ir::PeekPart &part : parts) {
        const Dimension &dimension = source.dimensions()[*source.find(part.dimension)];
        if (part.computed == 0 || dimension.is_mapped()) {
            return std::nullopt;
        }
        const ir::Node &index = graph[peek->operands[part.computed]];
        const bool is_last = dimension == *last;
        const auto scope = is_last ? index_with(graph, index, ScalarFunction::divide, 8) : ir::index_dimension(index);
        if (!scope || (is_last && *scope != number->dimension)) {
            return std::nullopt;
        }
        const auto found = node.type->find(*scope);
        const bool diagonal =
            std::find(renames.to.begin(), renames.to.end(), *scope) != renames.to.end();  // two dimensions at one index
        if (!found || diagonal || node.type->dimensions()[*found].size != (is_last ? 8 : 1) * dimension.size) {
            return std::nullopt;
        }
        renames.from.push_back(dimension.name);
        renames.to.push_back(*scope);
    }
    const ir::NodeId operand = peek->operands[0];
    const TensorType result_type = *node.type;
    const Span span = node.span;
    const ir::NodeId unpack = graph.add(ir::Op::unpack_bits, CellType::f64, {&operand, 1},
                                        ir::UnpackBits{last->name, number->lowest_first}, span);
    return graph.add(ir::Op::rename, result_type, {&unpack, 1}, std::move(renames), span);
}

}  // namespace

void unpack_bits(ir::Graph &graph, PassRun &run) {
    rewrite(graph, run.uses, [&](ir::NodeId id, std::span<const ir::NodeId> operands) -> std::optional<ir::NodeId> {
        const ir::Node node = graph[id];
        if (node.op != ir::Op::cast) {
            return unpacked(graph, node, operands);
        }
        // Bits are 0 or 1 in every cell type: they are unpacked into that of the cast, also below a rename.
        const ir::Node operand = graph[operands[0]];
        const ir::Node unpack = operand.op == ir::Op::rename ? graph[operand.operands[0]] : operand;
        if (unpack.op != ir::Op::unpack_bits) {
            return std::nullopt;
        }
        const ir::NodeId converted =
            graph.add(ir::Op::unpack_bits, node.type->cell_type(), unpack.operands, *unpack.payload, node.span);
        return operand.op == ir::Op::rename
                   ? graph.add(ir::Op::rename, *node.type, {&converted, 1}, *operand.payload, node.span)
                   : converted;
    });
}

}  // namespace tenrex::optimizer

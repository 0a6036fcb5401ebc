#include "optimizer/passes/fuse/gather_parts.h"

#include <algorithm>
#include <utility>

#include "lib/ir/blocks.h"
#include "lib/ir/index_vector.h"
#include "optimizer/matcher.h"

namespace tenrex::optimizer {

namespace {

using ir::Gather;

Gather::Operation choice(ir::NodeId condition) {
    Gather::Operation operation;
    operation.kind = Gather::Kind::choice;
    operation.operand = condition;
    return operation;
}

GatherPart part_of_select(const ir::Node &select, Gather::Operation operation) {
    return {std::move(operation), {select.operands[1], select.operands[2]}};
}

// sum_of(operand) gives what an index is computed from.
template <class SumOf>
GatherPart part_of_peek(const ir::Node &peek, const SumOf &sum_of) {
    GatherPart part{{}, {peek.operands[0]}};
    part.operation.kind = Gather::Kind::peek;
    part.operation.operand = peek.operands[0];
    for (const ir::PeekPart &peeked : peek.as<ir::Peek>().parts) {
        Gather::Part &own = part.operation.parts.emplace_back(Gather::Part{peeked.dimension, peeked.index});
        if (peeked.computed != 0) {
            own.computed = sum_of(peek.operands[peeked.computed]);
        }
    }
    return part;
}

// A peek that computes indexes, none of them labels.
bool computes_indexes(const Patterns &patterns, const ir::Node &node) {
    if (node.op != ir::Op::peek || node.operands.size() == 1) {
        return false;
    }
    const TensorType &source = patterns.type(node.operands[0]);
    const std::vector<ir::PeekPart> &parts = node.as<ir::Peek>().parts;
    return std::all_of(parts.begin(), parts.end(), [&](const ir::PeekPart &part) {
        return source.dimensions()[*source.find(part.dimension)].is_indexed();
    });
}

bool is_known(const Patterns &patterns, ir::NodeId number, const ir::Node &reader) {
    return patterns[number].stage < reader.stage && !patterns.type(number).has_mapped();
}

bool are_indexes_known(const Patterns &patterns, const ir::Node &peek, const ir::Node &reader) {
    return std::all_of(peek.operands.begin() + 1, peek.operands.end(),
                       [&](ir::NodeId number) { return is_known(patterns, number, reader); });
}

// The peek that a node is or fills in: where no index exists a block is missing, unless it is filled in with zeros.
const ir::Node &without_fill(const Patterns &patterns, const ir::Node &node) {
    return node.op == ir::Op::fill ? patterns[node.operands[0]] : node;
}

bool may_lose_blocks(const Patterns &patterns, const ir::Node &node, const ir::Node &peek) {
    const bool is_filled = node.op == ir::Op::fill && patterns.addresses().are_same(peek.operands[0], node.operands[1]);
    return peek.type->has_mapped() && !is_filled;
}

// The index of a dimension, and numbers that are added to it one after the other, in double.
std::optional<Gather::Sum> index_sum(const Patterns &patterns, ir::NodeId id) {
    Gather::Sum sum;
    while (patterns[id].op == ir::Op::apply && sum.size() < Gather::most_terms) {
        const ir::Node &node = patterns[id];
        const bool adds = applies(node, ScalarFunction::add);
        if ((!adds && !applies(node, ScalarFunction::subtract)) || node.type->cell_type() != CellType::f64) {
            return std::nullopt;
        }
        const std::size_t number = adds && patterns.type(node.operands[0]).is_scalar() ? 0 : 1;
        if (!patterns.type(node.operands[number]).is_scalar()) {
            return std::nullopt;
        }
        sum.push_back({node.operands[number], !adds});
        id = node.operands[1 - number];
    }
    const TensorType &indexes = patterns.type(id);
    if (indexes.block_cells() == 1 || indexes.cell_type() != CellType::f64 || !ir::index_dimension(patterns[id])) {
        return std::nullopt;
    }
    std::reverse(sum.begin(), sum.end());
    return sum;
}

}  // namespace

std::optional<GatherPart> known_part(const Patterns &patterns, ir::NodeId id) {
    const ir::Node &node = patterns[id];
    if (node.op == ir::Op::select) {
        return is_known(patterns, node.operands[0], node)
                   ? std::optional(part_of_select(node, choice(node.operands[0])))
                   : std::nullopt;
    }
    const ir::Node &peek = without_fill(patterns, node);
    if (!computes_indexes(patterns, peek) || may_lose_blocks(patterns, node, peek) ||
        !are_indexes_known(patterns, peek, node)) {
        return std::nullopt;
    }
    return part_of_peek(peek, [](ir::NodeId number) { return Gather::Sum{{number, false}}; });
}

std::optional<GatherPart> split_part(const Patterns &patterns, ir::NodeId id) {
    const ir::Node &node = patterns[id];
    if (node.op == ir::Op::select) {
        const ir::Node &condition = patterns[node.operands[0]];
        if (condition.type->is_scalar()) {
            return part_of_select(node, choice(node.operands[0]));
        }
        if (!is_order(condition) || !patterns.type(condition.operands[1]).is_scalar()) {
            return std::nullopt;
        }
        std::optional<Gather::Sum> sum = index_sum(patterns, condition.operands[0]);
        if (!sum) {
            return std::nullopt;
        }
        Gather::Operation operation;
        operation.kind = Gather::Kind::comparison;
        operation.operand = condition.operands[1];
        operation.function = condition.as<ir::Apply>().function;
        operation.sum = *std::move(sum);
        return part_of_select(node, std::move(operation));
    }
    if (!computes_indexes(patterns, node) || node.operands.size() != 2) {
        return std::nullopt;
    }
    // Nothing but cells along one dimension.
    const TensorType &source = patterns.type(node.operands[0]);
    std::size_t cells = 1;
    for (const Dimension &dimension : source.dimensions()) {
        cells *= node.type->find(dimension.name) ? dimension.size : 1;
    }
    const std::optional<Gather::Sum> sum = index_sum(patterns, node.operands[1]);
    if (source.has_mapped() || cells != 1 || !sum) {
        return std::nullopt;
    }
    return part_of_peek(node, [&](ir::NodeId) { return *sum; });
}

std::string_view why_no_part(const Patterns &patterns, ir::NodeId id) {
    const ir::Node &node = patterns[id];
    if (node.op == ir::Op::select) {
        const auto peeks = [&](ir::NodeId branch) {
            return computes_indexes(patterns, without_fill(patterns, patterns[branch]));
        };
        return !is_known(patterns, node.operands[0], node) && (peeks(node.operands[1]) || peeks(node.operands[2]))
                   ? "its condition comes with the documents, and is more than the only index compared with a number"
                   : "";
    }
    const ir::Node &peek = without_fill(patterns, node);
    if (!computes_indexes(patterns, peek)) {
        return "";
    }
    if (!are_indexes_known(patterns, peek, node)) {
        return "its indexes come with the documents, and are more than the only index with numbers added";
    }
    return may_lose_blocks(patterns, node, peek) ? "blocks are missing where an index is" : "";
}

}  // namespace tenrex::optimizer

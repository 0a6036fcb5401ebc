#include "optimizer/packed_bits.h"

#include "lib/ir/contraction.h"
#include "optimizer/matcher.h"

namespace tenrex::optimizer {

// If a kernel can unpack them as it reads them.
std::optional<ir::NodeId> packed_bits(const ir::Graph &graph, ir::NodeId node) {
    const ir::Node &unpack = graph[node];
    const bool readable = unpack.op == ir::Op::unpack_bits && unpack.stage == Stage::document &&
                          unpack.type->cell_type() != CellType::f64 &&
                          graph[unpack.operands[0]].type->cell_type() == CellType::i8;
    return readable ? std::optional(unpack.operands[0]) : std::nullopt;
}

namespace {

bool reads_bits(const ir::Graph &graph, const ir::Contraction &contraction, ir::NodeId operand, ir::NodeId other) {
    const TensorType &other_type = *graph[other].type;
    // Bits are not read in place beside columns that are packed for cells of another type than they are unpacked to.
    if (graph[other].op == ir::Op::pack_matrix && graph[other].as<ir::PackMatrix>().row_type != unpacked_in_place) {
        return false;
    }
    if (!packed_bits(graph, operand) || !contraction.terms.is_sum_of_products() ||
        other_type.cell_type() == CellType::f64) {
        return false;
    }
    const auto dimensions = *ir::contraction_dimensions(*graph[operand].type, other_type, contraction.dimensions);
    const auto &[indexed, mapped] = dimensions;
    // The bits are the rows of a product, or of pairs.
    const bool whole_rows = indexed.batch.empty() && indexed.rows.empty() && mapped.summed.empty();
    const bool columns_known = graph[other].stage != Stage::document && mapped.batch.empty() && mapped.columns.empty();
    return whole_rows && (indexed.columns.empty() || columns_known);
}

}  // namespace

std::vector<bool> needed_nodes(const ir::Graph &graph) {
    std::vector<bool> needed(graph.size(), false);
    for (const ir::GraphOutput &output : graph.outputs()) {
        needed[output.node] = true;
    }
    for (auto id = static_cast<ir::NodeId>(graph.size()); id-- > 0;) {
        const ir::Node &node = graph[id];
        if (!needed[id]) {
            continue;
        }
        if (node.op != ir::Op::contract && node.op != ir::Op::row_extreme) {
            for (const ir::NodeId operand : node.operands) {
                needed[operand] = true;
            }
            continue;
        }
        const ir::Contraction contraction = ir::contraction_of(node);
        for (const auto &[operand, other] : either_order(node.operands)) {
            const bool in_place =
                reads_bits(graph, contraction, operand, other) && !reads_bits(graph, contraction, other, operand);
            needed[in_place ? *packed_bits(graph, operand) : operand] = true;
        }
        for (const ir::NodeId bias : node.operands.subspan(2)) {
            needed[bias] = true;
        }
    }
    return needed;
}

}  // namespace tenrex::optimizer

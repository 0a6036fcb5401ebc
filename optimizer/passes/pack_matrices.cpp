// The columns of a product of matrices that are known before the documents are packed by an operation of their own, in
// the order in which the kernel of the product reads them: products that read the same columns alike share it.
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "lib/ir/contraction.h"
#include "optimizer/packed_bits.h"
#include "optimizer/passes/passes.h"
#include "optimizer/products.h"
#include "optimizer/rewrite.h"

namespace tenrex::optimizer {

namespace {

// By a product of matrices, in whatever order it takes them.
bool multiplies_matrices(const ir::Graph &graph, const ir::Node &node) {
    return node.op == ir::Op::row_extreme ? node.as<ir::RowExtreme>().by_product
                                          : is_product_of_matrices(graph, node) || has_shared_columns(graph, node);
}

class Packing {
public:
    Packing(ir::Graph &graph, const Costs *costs) : graph_(graph), needed_(needed_nodes(graph)), costs_(costs) {}

    void run(std::span<const std::uint32_t> uses) {
        rewrite(graph_, uses,
                [&](ir::NodeId id, std::span<const ir::NodeId> operands) { return packed(id, operands); });
    }

private:
    std::optional<ProductOperands> product(const ir::Node &node) const {
        if (!multiplies_matrices(graph_, node)) {
            return std::nullopt;
        }
        return node.op == ir::Op::row_extreme ? ProductOperands{node.operands[0], node.operands[1]}
                                              : product_operands(graph_, node, needed_, costs_);
    }

    std::optional<ir::NodeId> packed(ir::NodeId id, std::span<const ir::NodeId> operands) {
        const ir::Node node = graph_[id];
        const std::optional<ProductOperands> found = product(node);
        // What each document brings is packed as the product is computed.
        if (!found || graph_[found->columns].stage == Stage::document) {
            return std::nullopt;
        }
        const ir::Node &rows = graph_[found->rows];
        const ir::Contraction contraction = ir::contraction_of(node);
        auto indexed =
            ir::contraction_dimensions(*rows.type, *graph_[found->columns].type, contraction.dimensions)->indexed;
        ir::PackMatrix pack{std::move(indexed.summed), std::move(indexed.batch),
                            needed_[found->rows] ? rows.type->cell_type() : unpacked_in_place, contraction.cell_type};
        std::vector<ir::NodeId> standing(operands.begin(), operands.end());
        if (found->rows != node.operands[0]) {
            std::swap(standing[0], standing[1]);
        }
        standing[1] =
            graph_.add(ir::Op::pack_matrix, *graph_[standing[1]].type, {&standing[1], 1}, std::move(pack), node.span);
        ir::Payload payload = *node.payload;
        (node.op == ir::Op::contract ? std::get<ir::Contract>(payload).is_packed
                                     : std::get<ir::RowExtreme>(payload).is_packed) = true;
        return graph_.add(node.op, *node.type, standing, std::move(payload), node.span);
    }

    ir::Graph &graph_;
    std::vector<bool> needed_;
    const Costs *costs_;
};

}  // namespace

void pack_matrices(ir::Graph &graph, PassRun &run) {
    // Few graphs have one, and the others need not be gone through.
    for (ir::NodeId id = 0; id < graph.size(); ++id) {
        if (multiplies_matrices(graph, graph[id])) {
            return Packing(graph, run.costs).run(run.uses);
        }
    }
}

}  // namespace tenrex::optimizer

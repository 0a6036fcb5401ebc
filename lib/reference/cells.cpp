// Operations that keep the addresses and change the cells.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "lib/reference/operations.h"

namespace tenrex::reference {

Value map(Workspace &workspace, const TensorType &result, const Value &operand, const UnaryFunction &function) {
    if (operand.blocks() == nullptr) {
        return function(operand.number());
    }
    const Blocks &source = *operand.blocks();
    Blocks target(workspace.budget, result);
    for (std::size_t block = 0; block < source.count(); ++block) {
        workspace.budget.take_steps(result.block_cells());
        target.append(source.address(block));
        for (std::size_t i = 0; i < result.block_cells(); ++i) {
            target.set(block, i, function(source.cells(block)[i]));
        }
    }
    return Value(std::move(target));
}

Value cell_cast(Workspace &workspace, const TensorType &result, const Value &operand) {
    return map(workspace, result, operand, [](double cell) { return cell; });
}

namespace {

// The place of each block in the order of the addresses.
std::vector<std::size_t> ranks_of_addresses(const Labels &labels, const Blocks &blocks) {
    std::vector<std::size_t> order(blocks.count());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const auto less = [&](LabelId x, LabelId y) { return labels.text(x) < labels.text(y); };
        const auto x = blocks.address(a);
        const auto y = blocks.address(b);
        return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end(), less);
    });
    std::vector<std::size_t> ranks(blocks.count());
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
        ranks[order[rank]] = rank;
    }
    return ranks;
}

}  // namespace

Value cell_order(Workspace &workspace, const TensorType &result, const Value &operand, bool ascending) {
    const BlockView source(workspace, operand);
    const std::span<const double> cells = source->cells();
    const std::size_t block_cells = result.block_cells();
    const std::vector<std::size_t> block_ranks = ranks_of_addresses(workspace.labels, *source);
    const auto place = [&](std::size_t cell) {
        return block_ranks[cell / block_cells] * block_cells + cell % block_cells;
    };

    workspace.budget.take_steps(cells.size());
    std::vector<std::size_t> order(cells.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const double x = cells[a];
        const double y = cells[b];
        if (std::isnan(x) != std::isnan(y)) {
            return std::isnan(y);
        }
        if (std::isnan(x) || x == y) {
            return place(a) < place(b);
        }
        return ascending ? x < y : x > y;
    });

    Blocks target(workspace.budget, result);
    for (std::size_t block = 0; block < source->count(); ++block) {
        target.append(source->address(block));
    }
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
        target.set(order[rank] / block_cells, order[rank] % block_cells, static_cast<double>(rank));
    }
    return Value(std::move(target));
}

}  // namespace tenrex::reference

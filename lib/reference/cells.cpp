// Operations that keep the addresses and change the cells.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "lib/reference/operations.h"

namespace tenrex::reference {

Value map(Workspace &workspace, const TensorType &result, const Value &operand, const UnaryFunction &function) {
    if (operand.blocks() == nullptr) {
        return function.of(operand.number());
    }
    const Blocks &source = *operand.blocks();
    Blocks target(workspace.budget, result);
    for (std::size_t block = 0; block < source.count(); ++block) {
        workspace.budget.take_steps(result.block_cells());
        target.append(source.address(block));
        for (std::size_t i = 0; i < result.block_cells(); ++i) {
            target.set(block, i, function.of(source.at(block, i)));
        }
    }
    if (workspace.bounds) {
        target.add_origin(origin_of_map(source.type(), source.origin(), largest_of(source.cells()), function));
    }
    return Value(std::move(target));
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

// By how much a rank may change: the number of cells that may be equal to the cell or on the other side of it.
std::vector<double> errors_of_ranks(const Blocks &blocks, const std::vector<std::size_t> &order) {
    std::vector<double> errors(order.size());
    if (blocks.count() == 0 || blocks.errors(0) == nullptr) {
        return errors;
    }
    const std::span<const double> cells = blocks.cells();
    const double *const own = blocks.errors(0);
    // Both in ascending order: where the ranges of the cells end.
    std::vector<double> lows;
    std::vector<double> highs;
    std::vector<double> exact;
    std::size_t vague = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (own[i] == undetermined) {
            ++vague;
        } else if (!std::isnan(cells[i])) {
            lows.push_back(cells[i] - own[i]);
            highs.push_back(cells[i] + own[i]);
            if (own[i] == 0.0) {
                exact.push_back(cells[i]);
            }
        }
    }
    std::sort(lows.begin(), lows.end());
    std::sort(highs.begin(), highs.end());
    std::sort(exact.begin(), exact.end());
    const auto ranks_of = [&](double low, double high) {
        const auto apart_below = std::lower_bound(highs.begin(), highs.end(), low) - highs.begin();
        const auto apart_above = lows.end() - std::upper_bound(lows.begin(), lows.end(), high);
        return static_cast<double>(static_cast<std::ptrdiff_t>(lows.size()) - apart_below - apart_above - 1);
    };
    const auto equals = [&](double cell) {
        const auto range = std::equal_range(exact.begin(), exact.end(), cell);
        return static_cast<double>(range.second - range.first - 1);
    };
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
        const double cell = cells[order[rank]];
        const double error = own[order[rank]];
        if (error == undetermined) {
            errors[rank] = static_cast<double>(order.size());
        } else if (std::isnan(cell)) {
            errors[rank] = static_cast<double>(vague);
        } else {
            // Equal cells that are exact keep the order of their addresses.
            const double near = ranks_of(cell - error, cell + error) - (error == 0.0 ? equals(cell) : 0.0);
            errors[rank] = near + static_cast<double>(vague);
        }
    }
    return errors;
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
    const std::vector<double> errors = errors_of_ranks(*source, order);
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
        target.set(order[rank] / block_cells, order[rank] % block_cells,
                   Number{static_cast<double>(rank), errors[rank]});
    }
    return Value(std::move(target));
}

}  // namespace tenrex::reference

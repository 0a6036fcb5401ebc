#include <algorithm>
#include <cmath>
#include <limits>

#include "lib/reference/operations.h"
#include "lib/reference/walk.h"

namespace tenrex::reference {

namespace {

// An accumulator takes the cells of one group; result() is asked once, after at least one cell.

struct Sum {
    double total = 0.0;
    void add(double cell) { total += cell; }
    double result() const { return total; }
};
struct Product {
    double total = 1.0;
    void add(double cell) { total *= cell; }
    double result() const { return total; }
};
struct Count {
    std::uint64_t count = 0;
    void add(double) { ++count; }
    double result() const { return static_cast<double>(count); }
};
struct Average {
    Sum sum;
    Count count;
    void add(double cell) {
        sum.add(cell);
        count.add(cell);
    }
    double result() const { return sum.result() / count.result(); }
};
struct Largest {
    double best = std::numeric_limits<double>::quiet_NaN();
    void add(double cell) {
        if (std::isnan(best) || cell > best) {
            best = cell;
        }
    }
    double result() const { return best; }
};
struct Smallest {
    double best = std::numeric_limits<double>::quiet_NaN();
    void add(double cell) {
        if (std::isnan(best) || cell < best) {
            best = cell;
        }
    }
    double result() const { return best; }
};
struct Median {
    std::vector<double> cells;
    void add(double cell) { cells.push_back(cell); }
    double result() {
        if (std::any_of(cells.begin(), cells.end(), [](double cell) { return std::isnan(cell); })) {
            return std::numeric_limits<double>::quiet_NaN();
        }
        std::sort(cells.begin(), cells.end());
        const std::size_t middle = cells.size() / 2;
        return cells.size() % 2 == 1 ? cells[middle] : (cells[middle - 1] + cells[middle]) / 2.0;
    }
};

template <class Accumulator>
Value reduce_by(Workspace &workspace, const TensorType &result, const Blocks &source) {
    const std::vector<Dimension> &dimensions = source.type().dimensions();
    std::vector<std::size_t> kept;  // mapped dimensions of the operand that stay
    for (std::size_t i = 0, mapped = 0; i < dimensions.size(); ++i) {
        if (dimensions[i].is_mapped()) {
            if (result.find(dimensions[i].name)) {
                kept.push_back(mapped);
            }
            ++mapped;
        }
    }

    workspace.budget.take_steps(source.cells().size());
    Blocks target(workspace.budget, result);
    AddressIndex groups;
    std::vector<Accumulator> accumulators;
    std::vector<LabelId> address(kept.size());
    Walk<1> walk(source.type(), {&result});
    for (std::size_t block = 0; block < source.count(); ++block) {
        for (std::size_t i = 0; i < kept.size(); ++i) {
            address[i] = source.address(block)[kept[i]];
        }
        const std::size_t group = groups.find_or_add(address);
        if (group == target.count()) {
            target.append(address);
            accumulators.resize(accumulators.size() + result.block_cells());
        }
        for (const double cell : source.cells(block)) {
            accumulators[group * result.block_cells() + walk.offset(0)].add(cell);
            walk.next();
        }
    }
    if (!result.has_mapped() && target.count() == 0) {
        target.append({});
    }
    for (std::size_t i = 0; i < accumulators.size(); ++i) {
        target.set(i / result.block_cells(), i % result.block_cells(), accumulators[i].result());
    }
    return Value(std::move(target));
}

}  // namespace

Value reduce(Workspace &workspace, const TensorType &result, const Value &operand, Aggregator aggregator) {
    const BlockView source(workspace, operand);
    switch (aggregator) {
        case Aggregator::avg:
            return reduce_by<Average>(workspace, result, *source);
        case Aggregator::count:
            return reduce_by<Count>(workspace, result, *source);
        case Aggregator::max:
            return reduce_by<Largest>(workspace, result, *source);
        case Aggregator::median:
            return reduce_by<Median>(workspace, result, *source);
        case Aggregator::min:
            return reduce_by<Smallest>(workspace, result, *source);
        case Aggregator::prod:
            return reduce_by<Product>(workspace, result, *source);
        case Aggregator::sum:
            return reduce_by<Sum>(workspace, result, *source);
    }
    __builtin_unreachable();
}

}  // namespace tenrex::reference

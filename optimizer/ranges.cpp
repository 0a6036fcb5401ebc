#include "optimizer/ranges.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "optimizer/function_ranges.h"
#include "optimizer/make_nodes.h"

namespace tenrex::optimizer {

namespace {

Range rounded(Range a, CellType to) {
    return visit_cell_type(to, [&]<class T>(T) {
        if constexpr (std::is_integral_v<T>) {
            return numbers(std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
        } else {
            return Range{to_cell<T>(a.low), to_cell<T>(a.high), a.may_be_nan};
        }
    });
}

}  // namespace

Range Ranges::of(ir::NodeId id) {
    while (ranges_.size() <= id) {
        ranges_.push_back(computed(graph_[static_cast<ir::NodeId>(ranges_.size())]));
    }
    return ranges_[id];
}

Range Ranges::of_constant(const ir::Node &node) const {
    constexpr std::size_t most_cells = 4096;  // more are not worth the time
    if (node.is_number()) {
        const double number = node.number();
        return std::isnan(number) ? Range() : numbers(number, number);
    }
    const Tensor &value = *node.as<ir::Constant>().value;
    if (value.cell_count() == 0 || value.cell_count() > most_cells) {
        return rounded({}, node.type->cell_type());
    }
    return visit_cell_type(node.type->cell_type(), [&](auto type) {
        using Cell = decltype(type);
        const auto *const cells = static_cast<const Cell *>(value.view().cells());
        double low = infinity, high = -infinity;
        bool has_nan = false, has_sign = false;
        for (std::size_t i = 0; i < value.cell_count(); ++i) {
            const auto cell = static_cast<double>(cells[i]);
            low = cell < low ? cell : low;
            high = cell > high ? cell : high;
            has_nan |= std::isnan(cell);
            has_sign |= std::signbit(cell);
        }
        return low > high ? Range() : Range{low == 0 && has_sign ? -0.0 : low, high, has_nan};
    });
}

// dimensions: those of what is aggregated.
Range Ranges::of_aggregate(const ir::Node &node, Aggregator aggregator, Range cells,
                           const std::vector<Dimension> &dimensions) const {
    // What the result lacks is reduced.
    const bool of_labels = std::any_of(dimensions.begin(), dimensions.end(), [&](const Dimension &dimension) {
        return dimension.is_mapped() && !node.type->find(dimension.name);
    });
    const bool may_be_empty = of_labels && !node.type->has_mapped();
    Range result;
    switch (aggregator) {
        case Aggregator::count:
            return numbers(0, std::numeric_limits<double>::max());
        case Aggregator::max:
        case Aggregator::min:
        case Aggregator::median:
            result = cells;
            break;
        case Aggregator::sum: {
            constexpr double most_cells = 0x1p62;  // no value has more
            const bool clash = cells.may_be(infinity) && cells.may_be(-infinity);
            result = {cells.is_never_negative() ? 0 : cells.low * most_cells, std::max(cells.high, 0.0) * most_cells,
                      cells.may_be_nan || clash};
            break;
        }
        default:
            return {};
    }
    return may_be_empty ? either(result, numbers(0, 0)) : result;
}

Range Ranges::of_contraction(const ir::Node &node) const {
    if (node.operands.size() != 2) {
        return {};
    }
    const Range a = ranges_[node.operands[0]];
    const Range b = ranges_[node.operands[1]];
    const auto &[function, after, aggregator] = node.as<ir::Contract>().terms;
    Range cells = range_of(function, a, b);
    if (node.operands[0] == node.operands[1] && function == ScalarFunction::multiply) {
        cells = range_of(ScalarFunction::square, a, b);
    }
    if (after) {
        cells = range_of(*after, cells, cells);
    }
    return of_aggregate(node, aggregator, cells, joined_without(graph_, {node.operands[0], node.operands[1]}, {}));
}

Range Ranges::computed(const ir::Node &node) const {
    const auto operand = [&](std::size_t i) { return ranges_[node.operands[i]]; };
    const CellType cell_type = node.type->cell_type();
    switch (node.op) {
        case ir::Op::constant:
            return of_constant(node);
        case ir::Op::apply: {
            const ScalarFunction function = node.as<ir::Apply>().function;
            const bool of_itself = node.operands.size() == 2 && node.operands[0] == node.operands[1] &&
                                   function == ScalarFunction::multiply;
            return rounded(of_itself ? range_of(ScalarFunction::square, operand(0), operand(0))
                                     : range_of(function, operand(0), operand(node.operands.size() - 1)),
                           cell_type);
        }
        case ir::Op::in_set:
        case ir::Op::unpack_bits:
            return numbers(0, 1);
        case ir::Op::select:
        case ir::Op::branch:
            return rounded(either(operand(1), operand(2)), cell_type);
        case ir::Op::reduce:
            return rounded(of_aggregate(node, node.as<ir::Reduce>().aggregator, operand(0),
                                        graph_[node.operands[0]].type->dimensions()),
                           cell_type);
        case ir::Op::contract:
            return rounded(of_contraction(node), cell_type);
        case ir::Op::cast:
            return rounded(operand(0), cell_type);
        case ir::Op::peek:
        case ir::Op::fill:
            return either(operand(0), numbers(0, 0));  // which a missing cell is
        default:
            return ir::has_trait(node.op, ir::Trait::keeps_cells) ? operand(0) : rounded({}, cell_type);
    }
}

}  // namespace tenrex::optimizer

#include "optimizer/ranges.h"

#include <algorithm>

#include "optimizer/make_nodes.h"

namespace tenrex::optimizer {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Range numbers(double low, double high) {
    return {low, high, false};
}

// What is one or the other.
Range either(Range a, Range b) {
    const bool signed_zero = !a.is_never_negative() || !b.is_never_negative();
    const double low = std::min(a.low, b.low);
    return {low == 0 && signed_zero ? -0.0 : low, std::max(a.high, b.high), a.may_be_nan || b.may_be_nan};
}

Range negated(Range a) {
    return {-a.high, -a.low, a.may_be_nan};
}

// infinity - infinity is the only sum that is NaN but for those of NaN.
Range sum(Range a, Range b) {
    const bool clash = (a.may_be(infinity) && b.may_be(-infinity)) || (a.may_be(-infinity) && b.may_be(infinity));
    const double low = a.low + b.low;
    const double high = a.high + b.high;
    return {std::isnan(low) ? -infinity : low, std::isnan(high) ? infinity : high,
            a.may_be_nan || b.may_be_nan || clash};
}

// The least and the largest of what the ends of both give; 0 times infinity is as good as 0 there.
template <class Combine>
Range of_ends(Range a, Range b, const Combine &combine) {
    Range result{infinity, -infinity, a.may_be_nan || b.may_be_nan};
    for (const double x : {a.low, a.high}) {
        for (const double y : {b.low, b.high}) {
            const double end = combine(x, y);
            result.low = std::min(result.low, std::isnan(end) ? 0 : end);
            result.high = std::max(result.high, std::isnan(end) ? 0 : end);
        }
    }
    const bool no_sign = a.is_never_negative() && b.is_never_negative();
    if (result.low == 0) {
        result.low = no_sign ? 0.0 : -0.0;
    }
    return result;
}

Range product(Range a, Range b) {
    Range result = of_ends(a, b, [](double x, double y) { return x * y; });
    result.may_be_nan |= (a.may_be(0) && b.may_be_infinite()) || (b.may_be(0) && a.may_be_infinite());
    return result;
}

Range quotient(Range a, Range b) {
    const bool clash = (a.may_be_infinite() && b.may_be_infinite()) || (a.may_be(0) && b.may_be(0));
    const bool nan = a.may_be_nan || b.may_be_nan || clash;
    if (!b.may_be(0)) {
        Range result = of_ends(a, b, [](double x, double y) { return x / y; });
        result.may_be_nan = nan;
        return result;
    }
    return {a.is_never_negative() && b.is_never_negative() ? 0 : -infinity, infinity, nan};
}

Range magnitude(Range a) {
    if (a.low >= 0) {
        return {std::fabs(a.low), a.high, a.may_be_nan};
    }
    return {std::max(0.0, -a.high), std::max(-a.low, a.high), a.may_be_nan};
}

// A NaN among the two gives the first.
Range extreme(Range a, Range b, bool largest) {
    Range result = either(a, b);
    result.may_be_nan = a.may_be_nan;
    if (a.may_be_nan || b.may_be_nan) {
        return result;
    }
    if (largest) {
        const double low = std::max(a.low, b.low);
        result.low = low == 0 && !(a.is_never_negative() && b.is_never_negative()) ? -0.0 : low;
    } else {
        result.high = std::min(a.high, b.high);
    }
    return result;
}

Range rounded(Range a, CellType to) {
    switch (to) {
        case CellType::f64:
            return a;
        case CellType::f32:
            return {to_cell<float>(a.low), to_cell<float>(a.high), a.may_be_nan};
        case CellType::bf16:
            return {to_cell<BFloat16>(a.low), to_cell<BFloat16>(a.high), a.may_be_nan};
        case CellType::i8:
            break;
    }
    return numbers(-128, 127);
}

}  // namespace

bool gives_truth(ScalarFunction function) noexcept {
    switch (function) {
        case ScalarFunction::equal:
        case ScalarFunction::not_equal:
        case ScalarFunction::approx_equal:
        case ScalarFunction::less:
        case ScalarFunction::less_equal:
        case ScalarFunction::greater:
        case ScalarFunction::greater_equal:
        case ScalarFunction::logical_and:
        case ScalarFunction::logical_or:
        case ScalarFunction::logical_not:
        case ScalarFunction::is_nan:
            return true;
        default:
            return false;
    }
}

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
    Range result = numbers(infinity, -infinity);
    for (std::size_t i = 0; i < value.cell_count(); ++i) {
        const double cell = value.cell(i);
        result =
            std::isnan(cell) ? Range{result.low, result.high, true} : either(result, {cell, cell, result.may_be_nan});
    }
    return result.low > result.high ? Range() : result;
}

Range Ranges::of_function(ScalarFunction function, Range a, Range b) const {
    switch (function) {
        case ScalarFunction::add:
            return sum(a, b);
        case ScalarFunction::subtract:
            return sum(a, negated(b));
        case ScalarFunction::multiply:
            return product(a, b);
        case ScalarFunction::divide:
            return quotient(a, b);
        case ScalarFunction::negate:
            return negated(a);
        case ScalarFunction::max:
            return extreme(a, b, true);
        case ScalarFunction::min:
            return extreme(a, b, false);
        case ScalarFunction::abs:
        case ScalarFunction::fabs:
            return magnitude(a);
        case ScalarFunction::square: {
            const Range size = magnitude(a);
            return {size.low * size.low, size.high * size.high, a.may_be_nan};
        }
        case ScalarFunction::sqrt:
            return {a.is_never_negative() ? std::sqrt(a.low) : -0.0, std::sqrt(std::max(a.high, 0.0)),
                    a.may_be_nan || a.low < 0};
        case ScalarFunction::relu:
            return {a.low < 0 ? -0.0 : a.low, std::max(a.high, 0.0), a.may_be_nan};
        case ScalarFunction::elu:
            return {a.is_never_negative() ? a.low : -2, std::max(a.high, 0.0), a.may_be_nan};
        case ScalarFunction::floor:
            return {std::floor(a.low), a.high, a.may_be_nan};
        case ScalarFunction::ceil:
            return {a.is_never_negative() ? a.low : std::min(a.low, -0.0), std::ceil(a.high), a.may_be_nan};
        case ScalarFunction::exp:
            return {0, infinity, a.may_be_nan};
        case ScalarFunction::sigmoid:
            return {0, 2, a.may_be_nan};
        case ScalarFunction::tanh:
        case ScalarFunction::erf:
        case ScalarFunction::atan:
            return {-2, 2, a.may_be_nan};
        case ScalarFunction::hamming:
            return numbers(0, 8);
        case ScalarFunction::bit:
            return numbers(0, 1);
        default:
            return gives_truth(function) ? numbers(0, 1) : Range();
    }
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
    Range cells = of_function(function, a, b);
    if (node.operands[0] == node.operands[1] && function == ScalarFunction::multiply) {
        cells = of_function(ScalarFunction::square, a, b);
    }
    if (after) {
        cells = of_function(*after, cells, cells);
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
            return rounded(of_itself ? of_function(ScalarFunction::square, operand(0), operand(0))
                                     : of_function(function, operand(0), operand(node.operands.size() - 1)),
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
        case ir::Op::rename:
        case ir::Op::slice:
        case ir::Op::filter:
        case ir::Op::join_addresses:
        case ir::Op::to_mapped:
            return operand(0);
        case ir::Op::peek:
        case ir::Op::fill:
            return either(operand(0), numbers(0, 0));  // which a missing cell is
        default:
            return rounded({}, cell_type);
    }
}

}  // namespace tenrex::optimizer

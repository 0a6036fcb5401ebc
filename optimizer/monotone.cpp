#include "optimizer/monotone.h"

#include <algorithm>

#include "optimizer/make_nodes.h"

namespace tenrex::optimizer {

namespace {

using std::nullopt;

bool has_one_of(const TensorType &type, const std::vector<std::string> &dimensions) {
    return std::any_of(dimensions.begin(), dimensions.end(),
                       [&](const std::string &name) { return type.find(name).has_value(); });
}

std::optional<Monotone> of_one(ScalarFunction function, Range x, bool largest) {
    switch (function) {
        case ScalarFunction::floor:
        case ScalarFunction::ceil:
        case ScalarFunction::round:
        case ScalarFunction::relu:
            return Monotone{0, true, true, false};
        case ScalarFunction::atan:
        case ScalarFunction::elu:
        case ScalarFunction::erf:
        case ScalarFunction::sinh:
        case ScalarFunction::tanh:
            return Monotone{0, true, true, true};
        case ScalarFunction::exp:
        case ScalarFunction::sigmoid:
            return Monotone{0, true, false, true};
        case ScalarFunction::negate:
            return Monotone{0, false, false, false};
        case ScalarFunction::log:
        case ScalarFunction::log10:
        case ScalarFunction::sqrt:
            // NaN below 0: what is larger is chosen first, and what is smaller only if there is none.
            return largest || x.low >= 0 ? std::optional(Monotone{0, true, function == ScalarFunction::sqrt,
                                                                  function != ScalarFunction::sqrt})
                                         : nullopt;
        case ScalarFunction::abs:
        case ScalarFunction::fabs:
        case ScalarFunction::square:
            return x.low >= 0 ? std::optional(Monotone{0, true, true, false}) : nullopt;
        default:
            return nullopt;
    }
}

bool have_clash_of_infinities(Range a, Range b) {
    return a.may_be_infinite() && b.may_be_infinite();
}

// Of x and a value c that does not vary. What is NaN because c is, is NaN for every x, before and afterwards.
std::optional<Monotone> of_sum(ScalarFunction function, bool x_first, Range x, Range c) {
    if (have_clash_of_infinities(x, c)) {
        return nullopt;
    }
    const bool rises = function == ScalarFunction::add || x_first;
    return Monotone{x_first ? std::size_t{0} : 1, rises, false, false};
}

std::optional<Monotone> of_product(bool x_first, Range x, Range c) {
    const bool zero_by_infinity = (x.may_be(0) && c.may_be_infinite()) || (x.may_be_infinite() && c.may_be(0));
    if (zero_by_infinity || (c.low < 0 && c.high > 0)) {
        return nullopt;
    }
    const bool keeps_zero = c.is_never_negative() && !c.may_be_nan && !c.may_be_infinite();
    return Monotone{x_first ? std::size_t{0} : 1, c.low >= 0, keeps_zero, false};
}

std::optional<Monotone> of_quotient(bool x_first, Range x, Range c) {
    if ((c.low <= 0 && c.high >= 0) || have_clash_of_infinities(x, c)) {
        return nullopt;
    }
    if (x_first) {
        return Monotone{0, c.low > 0, c.low > 0 && !c.may_be_nan, false};
    }
    // On one side of 0 alone; the quotient by -0 is on the other side.
    return x.is_never_negative() || x.high < 0 ? std::optional(Monotone{1, c.low < 0, false, false}) : nullopt;
}

std::optional<Monotone> of_power(bool x_first, Range x, Range c) {
    // pow(1,NaN) and pow(NaN,0) are 1.
    if (c.may_be_nan || c.may_be_infinite()) {
        return nullopt;
    }
    if (x_first) {
        const bool known = c.low > 0 ? x.low >= 0 : c.high < 0 && x.is_never_negative();
        return known ? std::optional(Monotone{0, c.low > 0, false, true}) : nullopt;
    }
    const bool known = c.low > 1 || (c.low > 0 && c.high < 1);
    return known ? std::optional(Monotone{1, c.low > 1, false, true}) : nullopt;
}

// NaN gives a number there, so it must be the last to be chosen.
std::optional<Monotone> of_comparison(ScalarFunction function, bool x_first, Range x, bool largest) {
    if (!largest && x.may_be_nan) {
        return nullopt;
    }
    const bool greater = function == ScalarFunction::greater || function == ScalarFunction::greater_equal;
    return Monotone{x_first ? std::size_t{0} : 1, greater == x_first, false, false};
}

std::optional<Monotone> of_extreme(ScalarFunction function, bool x_first, Range x, bool largest) {
    // Of NaN and a number the first is taken: c is the least that max gives, and the largest that min gives.
    const bool nan_is_last = largest == (function == ScalarFunction::max);
    if (!x_first && x.may_be_nan && !nan_is_last) {
        return nullopt;
    }
    return Monotone{x_first ? std::size_t{0} : 1, true, false, false};
}

std::optional<Monotone> of_two(ScalarFunction function, bool x_first, Range x, Range c, bool largest) {
    switch (function) {
        case ScalarFunction::add:
        case ScalarFunction::subtract:
            return of_sum(function, x_first, x, c);
        case ScalarFunction::multiply:
            return of_product(x_first, x, c);
        case ScalarFunction::divide:
            return of_quotient(x_first, x, c);
        case ScalarFunction::power:
        case ScalarFunction::pow:
            return of_power(x_first, x, c);
        case ScalarFunction::max:
        case ScalarFunction::min:
            return of_extreme(function, x_first, x, largest);
        case ScalarFunction::less:
        case ScalarFunction::less_equal:
        case ScalarFunction::greater:
        case ScalarFunction::greater_equal:
            return of_comparison(function, x_first, x, largest);
        default:
            return nullopt;
    }
}

}  // namespace

std::optional<Monotone> monotone_in(const ir::Graph &graph, Ranges &ranges, ir::NodeId id,
                                    const std::vector<std::string> &dimensions, bool largest) {
    const ir::Node &node = graph[id];
    if (node.op == ir::Op::cast) {
        // int8 wraps around; other cell types round, and never change an order.
        return node.type->cell_type() != CellType::i8 ? std::optional(Monotone{0, true, true, false}) : nullopt;
    }
    if (node.op != ir::Op::apply) {
        return nullopt;
    }
    const ScalarFunction function = node.as<ir::Apply>().function;
    const ir::NodeId first = node.operands[0];
    const ir::NodeId last = node.operands.back();
    if (node.operands.size() == 1) {
        return of_one(function, ranges.of(first), largest);
    }
    const bool x_first = has_one_of(*graph[first].type, dimensions);
    if (x_first && has_one_of(*graph[last].type, dimensions)) {
        return nullopt;
    }
    Range c = ranges.of(x_first ? last : first);
    if (node.type->cell_type() != CellType::f64) {
        // As kernels for floats take it: a tiny number is 0 there, and a huge one infinite.
        c = {to_cell<float>(c.low), to_cell<float>(c.high), c.may_be_nan};
    }
    return of_two(function, x_first, ranges.of(x_first ? first : last), c, largest);
}

}  // namespace tenrex::optimizer

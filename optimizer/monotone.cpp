#include "optimizer/monotone.h"

#include <algorithm>

#include "lib/support/function_facts.h"
#include "optimizer/make_nodes.h"

namespace tenrex::optimizer {

namespace {

using std::nullopt;

bool has_one_of(const TensorType &type, const std::vector<std::string> &dimensions) {
    return std::any_of(dimensions.begin(), dimensions.end(),
                       [&](const std::string &name) { return type.find(name).has_value(); });
}

// The operand with the dimensions, x, and one that does not vary, c; x itself for functions of one argument. Whether
// the largest or the smallest value is asked for.
struct OrderedOperands {
    Range x;
    Range c;
    bool x_first;
    bool largest;

    std::size_t place() const { return x_first ? 0 : 1; }
    bool have_clash_of_infinities() const { return x.may_be_infinite() && c.may_be_infinite(); }
};

// NaN gives a number there, so it must be the last to be chosen.
std::optional<Monotone> order_of_comparison(const OrderedOperands &of, bool greater) {
    if (!of.largest && of.x.may_be_nan) {
        return nullopt;
    }
    return Monotone{of.place(), greater == of.x_first, false, false};
}

std::optional<Monotone> order_of_extreme(const OrderedOperands &of, bool larger) {
    // Of NaN and a number the first is taken: c is the least that max gives, and the largest that min gives.
    const bool nan_is_last = of.largest == larger;
    if (!of.x_first && of.x.may_be_nan && !nan_is_last) {
        return nullopt;
    }
    return Monotone{of.place(), true, false, false};
}

// Functions that are NaN below 0: what is larger is chosen first, and what is smaller only if there is none.
bool passes_over_nan(const OrderedOperands &of) {
    return of.largest || of.x.low >= 0;
}

// The rules that functions.def names in the column `order`.
namespace order_rule {

using Result = std::optional<Monotone>;

Result never(const OrderedOperands &) {
    return nullopt;
}
Result from_zero(const OrderedOperands &) {
    return Monotone{0, true, true, false};
}
Result costly_from_zero(const OrderedOperands &) {
    return Monotone{0, true, true, true};
}
Result costly(const OrderedOperands &) {
    return Monotone{0, true, false, true};
}
Result falling(const OrderedOperands &) {
    return Monotone{0, false, false, false};
}
Result logarithm(const OrderedOperands &of) {
    return passes_over_nan(of) ? Result(Monotone{0, true, false, true}) : nullopt;
}
Result root(const OrderedOperands &of) {
    return passes_over_nan(of) ? Result(Monotone{0, true, true, false}) : nullopt;
}
Result magnitude(const OrderedOperands &of) {
    return of.x.low >= 0 ? Result(Monotone{0, true, true, false}) : nullopt;
}

// What is NaN because c is, is NaN for every x, before and afterwards.
Result sum(const OrderedOperands &of) {
    return of.have_clash_of_infinities() ? nullopt : Result(Monotone{of.place(), true, false, false});
}
Result difference(const OrderedOperands &of) {
    return of.have_clash_of_infinities() ? nullopt : Result(Monotone{of.place(), of.x_first, false, false});
}
Result product(const OrderedOperands &of) {
    const auto [x, c, x_first, largest] = of;
    const bool zero_by_infinity = (x.may_be(0) && c.may_be_infinite()) || (x.may_be_infinite() && c.may_be(0));
    if (zero_by_infinity || (c.low < 0 && c.high > 0)) {
        return nullopt;
    }
    const bool keeps_zero = c.is_never_negative() && !c.may_be_nan && !c.may_be_infinite();
    return Monotone{of.place(), c.low >= 0, keeps_zero, false};
}
Result quotient(const OrderedOperands &of) {
    const auto [x, c, x_first, largest] = of;
    if ((c.low <= 0 && c.high >= 0) || of.have_clash_of_infinities()) {
        return nullopt;
    }
    if (x_first) {
        return Monotone{0, c.low > 0, c.low > 0 && !c.may_be_nan, false};
    }
    // On one side of 0 alone; the quotient by -0 is on the other side.
    return x.is_never_negative() || x.high < 0 ? Result(Monotone{1, c.low < 0, false, false}) : nullopt;
}
Result power(const OrderedOperands &of) {
    const auto [x, c, x_first, largest] = of;
    // pow(1,NaN) and pow(NaN,0) are 1.
    if (c.may_be_nan || c.may_be_infinite()) {
        return nullopt;
    }
    if (x_first) {
        const bool known = c.low > 0 ? x.low >= 0 : c.high < 0 && x.is_never_negative();
        return known ? Result(Monotone{0, c.low > 0, false, true}) : nullopt;
    }
    const bool known = c.low > 1 || (c.low > 0 && c.high < 1);
    return known ? Result(Monotone{1, c.low > 1, false, true}) : nullopt;
}
Result less(const OrderedOperands &of) {
    return order_of_comparison(of, false);
}
Result greater(const OrderedOperands &of) {
    return order_of_comparison(of, true);
}
Result larger(const OrderedOperands &of) {
    return order_of_extreme(of, true);
}
Result smaller(const OrderedOperands &of) {
    return order_of_extreme(of, false);
}

}  // namespace order_rule

using OrderRule = std::optional<Monotone>(const OrderedOperands &);
constexpr OrderRule *order_rules[] = {
#define TENREX_FACTS(id, range, order, in_float, scalar, change, reference, floats, doubles, operations) \
    order_rule::order,
#include "lib/support/functions.def"
};

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
    OrderRule &order_of = *order_rules[static_cast<std::size_t>(node.as<ir::Apply>().function)];
    const ir::NodeId first = node.operands[0];
    const ir::NodeId last = node.operands.back();
    if (node.operands.size() == 1) {
        const Range x = ranges.of(first);
        return order_of({x, x, true, largest});
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
    return order_of({ranges.of(x_first ? first : last), c, x_first, largest});
}

}  // namespace tenrex::optimizer

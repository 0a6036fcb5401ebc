// Operators that make one element of all along some axes.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "lib/onnx/operators.h"

namespace tenrex::onnx {

namespace {

struct ReducedAxes {
    Axes axes;    // that are gone or of one index
    Axes kept;    // the others
    Shape shape;  // of the result
    bool keeps_axes = true;
};

// Which axes the node names; none named: all.
std::optional<ReducedAxes> reduced_axes(NodeContext &context, const Value &x) {
    std::optional<std::vector<std::int64_t>> list;
    if (!context.integers_of("axes", 1, list)) {
        return std::nullopt;
    }
    ReducedAxes result;
    result.keeps_axes = context.integer("keepdims", 1) != 0;
    if (!list || list->empty()) {
        if (context.integer("noop_with_empty_axes", 0) == 0) {
            result.axes.resize(x.rank());
            std::iota(result.axes.begin(), result.axes.end(), 0);
        }
    } else if (auto axes = context.axes(*list, x.rank())) {
        result.axes = *std::move(axes);
    } else {
        return std::nullopt;
    }
    for (std::size_t axis = 0; axis < x.rank(); ++axis) {
        if (std::find(result.axes.begin(), result.axes.end(), axis) == result.axes.end()) {
            result.kept.push_back(axis);
            result.shape.push_back(x.shape[axis]);
        } else if (result.keeps_axes) {
            result.shape.push_back(1);
        }
    }
    return result;
}

// A text over the kept axes, under their old names, in the shape of the result.
std::string with_result_axes(std::string_view text, const ReducedAxes &reduced) {
    if (reduced.keeps_axes) {
        std::string ones;
        for (const std::size_t axis : reduced.axes) {
            ones += fmt::format("{}d{}[1]", ones.empty() ? "" : ",", axis);
        }
        return ones.empty() ? std::string(text) : fmt::format("(tensor<int8>({})(1)*{})", ones, text);
    }
    std::vector<std::string> from;
    std::vector<std::string> to;
    for (std::size_t i = 0; i < reduced.kept.size(); ++i) {
        from.push_back(dimension_name(reduced.kept[i]));
        to.push_back(dimension_name(i));
    }
    return renamed(text, from, to);
}

std::string reduction_text(std::string_view text, std::string_view aggregator, const Axes &axes) {
    return axes.empty() ? std::string(text) : fmt::format("reduce({},{},{})", text, aggregator, dimension_list(axes));
}

// What reductions of no elements give; before any function of the result.
double of_nothing(ElementType type, std::string_view aggregator) {
    const ElementTypeInfo &element = info(type);
    const bool is_max = aggregator == "max";
    if (aggregator == "prod" || aggregator == "sum" || aggregator == "avg") {
        return aggregator == "prod" ? 1 : aggregator == "sum" ? 0 : NAN;
    }
    if (element.kind == ElementKind::boolean) {
        return is_max ? 0 : 1;
    }
    if (element.kind == ElementKind::real) {
        return is_max ? -INFINITY : INFINITY;
    }
    const double range = std::ldexp(1.0, static_cast<int>(8 * element.bytes));
    const double least = is_unsigned(type) ? 0 : -range / 2;
    return is_max ? least : least + range - 1;
}

// The node's result where its operand has no elements.
bool output_of_nothing(NodeContext &context, const ReducedAxes &reduced, double number) {
    return context.output_known(context.input(0).type, reduced.shape,
                                std::vector<double>(static_cast<std::size_t>(elements_of(reduced.shape)), number));
}

// What `reduced` says of an operand and axes, over the axes that the node names. is_identity: without axes the elements
// stay what they are.
bool import_over_axes(NodeContext &context, bool is_identity, double nothing,
                      const std::function<std::string(const std::string &x, const Axes &axes)> &reduced) {
    const Value &x = context.input(0);
    const auto found = reduced_axes(context, x);
    if (!found) {
        return false;
    }
    if (found->axes.empty() && is_identity) {
        return context.output_value(x);
    }
    if (x.text.empty()) {
        return output_of_nothing(context, *found, nothing);
    }
    return context.output(x.type, found->shape, with_result_axes(reduced(x.text, found->axes), *found));
}

// The largest or smallest; NaN if there is one.
bool import_extreme(NodeContext &context, std::string_view aggregator) {
    const double nothing = of_nothing(context.input(0).type, aggregator);
    return import_over_axes(context, true, nothing, [&](const std::string &x, const Axes &axes) {
        return fmt::format("join({},{},f(best,nan)(if(nan>0,0/0,best)))", reduction_text(x, aggregator, axes),
                           reduction_text(fmt::format("isNan({})", x), "max", axes));
    });
}

// The first or last index of the largest or smallest element along an axis.
bool import_arg(NodeContext &context, std::string_view aggregator) {
    const Value &x = context.input(0);
    const auto axis = context.axis(context.integer("axis", 0), x.rank());
    if (!axis) {
        return false;
    }
    ReducedAxes reduced{{*axis}, {}, {}, context.integer("keepdims", 1) != 0};
    for (std::size_t i = 0; i < x.rank(); ++i) {
        if (i != *axis) {
            reduced.kept.push_back(i);
        }
        if (i != *axis || reduced.keeps_axes) {
            reduced.shape.push_back(i == *axis ? 1 : x.shape[i]);
        }
    }
    const bool last = context.integer("select_last_index", 0) != 0;
    const std::string is_best = fmt::format("({0}==reduce({0},{1},d{2}))", x.text, aggregator, *axis);
    const std::string index = indexes_along(x.shape, *axis, context.open_sizes());
    const std::string other = last ? "-1" : "1/0";
    const std::string text = fmt::format("reduce(join({},{},f(best,i)(if(best,i,{}))),{},d{})", is_best, index, other,
                                         last ? "max" : "min", *axis);
    return context.output(ElementType::i64, reduced.shape, with_result_axes(text, reduced));
}

}  // namespace

bool import_reduction(NodeContext &context, const Reduction &reduction) {
    const bool is_identity = reduction.before == "{}" && reduction.after == "{}";
    const bool is_log = reduction.after.starts_with("log");
    const double nothing = is_log ? -INFINITY : of_nothing(context.input(0).type, reduction.aggregator);
    return import_over_axes(context, is_identity, nothing, [&](const std::string &x, const Axes &axes) {
        const std::string before = fmt::format(fmt::runtime(reduction.before), x);
        return fmt::format(fmt::runtime(reduction.after), reduction_text(before, reduction.aggregator, axes));
    });
}

bool import_reduce_max(NodeContext &context) {
    return import_extreme(context, "max");
}

bool import_reduce_min(NodeContext &context) {
    return import_extreme(context, "min");
}

// Without the largest, which is added again: no power overflows.
bool import_reduce_log_sum_exp(NodeContext &context) {
    return import_over_axes(context, true, -INFINITY, [](const std::string &x, const Axes &axes) {
        const std::string most = reduction_text(x, "max", axes);
        const std::string shift = fmt::format("map({},f(m)(if(m==1/0||m==-1/0,0,m)))", most);
        return fmt::format("({0}+log({1}))", shift, reduction_text(fmt::format("exp({}-{})", x, shift), "sum", axes));
    });
}

bool import_arg_max(NodeContext &context) {
    return import_arg(context, "max");
}

bool import_arg_min(NodeContext &context) {
    return import_arg(context, "min");
}

namespace {

// `form` makes one number of those before, {0} along `from`, and of a triangle of ones, {1}.
bool import_accumulation(NodeContext &context, std::string_view form) {
    const Value &x = context.input(0);
    const auto list = context.known_integers(1);
    if (!list || list->size() != 1) {
        return list && context.fail("it needs one axis");
    }
    const auto axis = context.axis(list->front(), x.rank());
    if (!axis) {
        return false;
    }
    const bool reverse = context.integer("reverse", 0) != 0;
    const bool exclusive = context.integer("exclusive", 0) != 0;
    const std::string test = fmt::format("{}{}{}", reverse ? "from>" : "from<", exclusive ? "" : "=", "to");
    const std::int64_t size = x.shape[*axis];
    const OpenSizes &sizes = context.open_sizes();
    const std::string triangle = is_open(size) ? fmt::format("join({},{},f(from,to)({}))", sizes.indexes(size, "from"),
                                                             sizes.indexes(size, "to"), test)
                                               : fmt::format("tensor(from[{0}],to[{0}])({1})", size, test);
    const std::string dimension = dimension_name(*axis);
    const std::string from = fmt::format("rename({},{},from)", x.text, dimension);
    return context.output(x.type, x.shape,
                          fmt::format("rename({},to,{})", fmt::format(fmt::runtime(form), from, triangle), dimension));
}

}  // namespace

bool import_cum_prod(NodeContext &context) {
    return import_accumulation(context, "reduce(join({0},{1},f(x,is_before)(if(is_before,x,1))),prod,from)");
}

bool import_cum_sum(NodeContext &context) {
    return import_accumulation(context, "reduce({0}*{1},sum,from)");
}

}  // namespace tenrex::onnx

// Operators that divide rows by what is made of them.
#include <numeric>

#include <fmt/format.h>

#include "lib/onnx/operators.h"

namespace tenrex::onnx {

namespace {

// The axes over which softmax and its like go: one since opset 13, all from the named one on before.
std::optional<Axes> softmax_axes(NodeContext &context, const Value &x) {
    const bool one = context.version() >= 13;
    const auto first = context.axis(context.integer("axis", one ? -1 : 1), x.rank());
    if (!first) {
        return std::nullopt;
    }
    Axes axes(one ? 1 : x.rank() - *first);
    std::iota(axes.begin(), axes.end(), *first);
    return axes;
}

Axes axes_from(std::size_t first, std::size_t rank) {
    Axes axes(rank - first);
    std::iota(axes.begin(), axes.end(), first);
    return axes;
}

// A tensor of the last axes of x, or of axis 1 alone, under the names that the axes have in x.
std::string along(const Value &value, std::size_t first) {
    Axes to(value.rank());
    std::iota(to.begin(), to.end(), first);
    return moved(value.text, to);
}

}  // namespace

std::string standardized(std::string_view x, std::string_view over, double epsilon) {
    const std::string centered = fmt::format("({0}-reduce({0},avg,{1}))", x, over);
    return fmt::format("({0}/sqrt(reduce(map({0},f(x)(x*x)),avg,{1})+{2}))", centered, over, number_text(epsilon));
}

bool import_softmax(NodeContext &context) {
    const Value &x = context.input(0);
    const auto axes = softmax_axes(context, x);
    if (!axes) {
        return false;
    }
    const std::string over = dimension_list(*axes);
    const std::string power = fmt::format("exp({0}-reduce({0},max,{1}))", x.text, over);
    return context.output(x.type, x.shape, fmt::format("({0}/reduce({0},sum,{1}))", power, over));
}

bool import_log_softmax(NodeContext &context) {
    const Value &x = context.input(0);
    const auto axes = softmax_axes(context, x);
    if (!axes) {
        return false;
    }
    const std::string over = dimension_list(*axes);
    const std::string shifted = fmt::format("({0}-reduce({0},max,{1}))", x.text, over);
    return context.output(x.type, x.shape, fmt::format("({0}-log(reduce(exp({0}),sum,{1})))", shifted, over));
}

// 1 for the first of the largest, 0 for the others.
bool import_hardmax(NodeContext &context) {
    const Value &x = context.input(0);
    const auto axes = softmax_axes(context, x);
    if (!axes) {
        return false;
    }
    // The place of an element among those that are compared, in the order of the axes.
    std::string places;
    for (const std::size_t axis : *axes) {
        const std::string along_axis = indexes_along(x.shape, axis, context.open_sizes());
        if (!places.empty() && is_open(x.shape[axis])) {
            return context.fail_open("the shape of its input", x.shape);
        }
        places = places.empty() ? along_axis : fmt::format("({}*{}+{})", places, x.shape[axis], along_axis);
    }
    const std::string over = dimension_list(*axes);
    const std::string is_best = fmt::format("({0}==reduce({0},max,{1}))", x.text, over);
    const std::string first =
        fmt::format("reduce(join({},{},f(best,i)(if(best,i,1/0))),min,{})", is_best, places, over);
    return context.output(x.type, x.shape, fmt::format("({}=={})", places, first));
}

bool import_lp_normalization(NodeContext &context) {
    const Value &x = context.input(0);
    const auto axis = context.axis(context.integer("axis", -1), x.rank());
    if (!axis) {
        return false;
    }
    const std::string norm =
        fmt::format(fmt::runtime(context.integer("p", 2) == 1 ? "reduce(fabs({0}),sum,d{1})"
                                                              : "sqrt(reduce(map({0},f(x)(x*x)),sum,d{1}))"),
                    x.text, *axis);
    return context.output(x.type, x.shape, fmt::format("join({},{},f(x,norm)(if(norm==0,0,x/norm)))", x.text, norm));
}

bool import_mean_variance_normalization(NodeContext &context) {
    const Value &x = context.input(0);
    const auto axes = context.axes(context.integers("axes").value_or(std::vector<std::int64_t>{0, 2, 3}), x.rank());
    constexpr double epsilon = 1e-9;
    return axes && context.output(x.type, x.shape, standardized(x.text, dimension_list(*axes), epsilon));
}

bool import_layer_normalization(NodeContext &context) {
    const Value &x = context.input(0);
    const auto axis = context.axis(context.integer("axis", -1), x.rank());
    if (!axis) {
        return false;
    }
    const std::string over = dimension_list(axes_from(*axis, x.rank()));
    const double epsilon = context.real("epsilon", 1e-5);
    const auto scaled = [&](std::size_t i, std::string_view text, char operation) {
        return fmt::format("({}{}{})", text, operation, aligned(context.input(i), x.shape));
    };
    std::string text = scaled(1, standardized(x.text, over, epsilon), '*');
    if (context.has_input(2)) {
        text = scaled(2, text, '+');
    }
    if (!context.output(x.type, x.shape, text)) {
        return false;
    }
    // The mean and the inverse of the deviation of each row.
    Shape rows = x.shape;
    std::string ones;
    for (std::size_t i = *axis; i < x.rank(); ++i) {
        rows[i] = 1;
        ones += fmt::format("{}d{}[1]", ones.empty() ? "" : ",", i);
    }
    const std::string mean = fmt::format("reduce({},avg,{})", x.text, over);
    const std::string inverse =
        fmt::format("(1/sqrt(reduce(map({0}-{1},f(x)(x*x)),avg,{2})+{3}))", x.text, mean, over, number_text(epsilon));
    for (const std::string &statistic : {mean, inverse}) {
        if (context.wants_output(context.results().size()) &&
            !context.output(x.type, rows, fmt::format("(tensor<int8>({})(1)*{})", ones, statistic))) {
            return false;
        }
    }
    return true;
}

bool import_rms_normalization(NodeContext &context) {
    const Value &x = context.input(0);
    const auto axis = context.axis(context.integer("axis", -1), x.rank());
    if (!axis) {
        return false;
    }
    const std::string over = dimension_list(axes_from(*axis, x.rank()));
    return context.output(x.type, x.shape,
                          fmt::format("({0}/sqrt(reduce(map({0},f(x)(x*x)),avg,{1})+{2})*{3})", x.text, over,
                                      number_text(context.real("epsilon", 1e-5)), aligned(context.input(1), x.shape)));
}

bool import_batch_normalization(NodeContext &context) {
    const Value &x = context.input(0);
    if (context.integer("training_mode", 0) != 0) {
        return context.fail("it is in training mode", "export the model for inference");
    }
    if (x.rank() < 2) {
        return context.fail("its input needs at least two axes");
    }
    return context.output(x.type, x.shape,
                          fmt::format("(({0}-{1})/sqrt({2}+{3})*{4}+{5})", x.text, along(context.input(3), 1),
                                      along(context.input(4), 1), number_text(context.real("epsilon", 1e-5)),
                                      along(context.input(1), 1), along(context.input(2), 1)));
}

bool import_instance_normalization(NodeContext &context) {
    const Value &x = context.input(0);
    if (x.rank() < 3) {
        return context.fail("its input needs at least three axes");
    }
    const std::string over = dimension_list(axes_from(2, x.rank()));
    return context.output(x.type, x.shape,
                          fmt::format("({}*{}+{})", standardized(x.text, over, context.real("epsilon", 1e-5)),
                                      along(context.input(1), 1), along(context.input(2), 1)));
}

// Channels, which are axis 1, are normalized in groups together with all that is behind them.
bool import_group_normalization(NodeContext &context) {
    const Value &x = context.input(0);
    const std::int64_t groups = context.integer("num_groups", 0);
    if (x.rank() < 2 || groups <= 0 || is_open(x.shape[1]) || x.shape[1] % groups != 0) {
        return context.fail(fmt::format("its input of shape {} has no {} groups", context.text_of(x.shape), groups));
    }
    const std::int64_t channels = x.shape[1] / groups;
    constexpr std::int64_t one_for_each_channel = 21;  // since that version; for each group before
    const bool by_group = context.version() < one_for_each_channel;
    for (const std::size_t i : {1U, 2U}) {
        if (context.input(i).shape != Shape{by_group ? groups : x.shape[1]}) {
            return context.fail(fmt::format("input {} of shape {} does not fit {}", i,
                                            context.text_of(context.input(i).shape), context.text_of(x.shape)));
        }
    }
    Shape grouped = x.shape;
    grouped[1] = groups;
    grouped.insert(grouped.begin() + 2, channels);
    const auto split = reshaped(x, grouped, context.open_sizes());
    const auto part = split ? context.part(x.type, grouped, *split) : std::nullopt;
    const auto normal = part ? context.part(x.type, grouped,
                                            standardized(part->text, dimension_list(axes_from(2, grouped.size())),
                                                         context.real("epsilon", 1e-5)))
                             : std::nullopt;
    const auto back = normal ? reshaped(*normal, x.shape, context.open_sizes()) : std::nullopt;
    if (!back) {
        return !split && context.fail_open("the shape of its input", x.shape);
    }
    const auto of_channels = [&](std::size_t i) {
        const std::string &text = context.input(i).text;
        return by_group ? fmt::format("{}{{d0:(tensor(d1[{}])(floor(d1/{})))}}", text, x.shape[1], channels)
                        : moved(text, {1});
    };
    return context.output(x.type, x.shape, fmt::format("({}*{}+{})", *back, of_channels(1), of_channels(2)));
}

}  // namespace tenrex::onnx

// Operators over windows of the last axes: convolutions and pooling.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "lib/onnx/operators.h"

namespace tenrex::onnx {

namespace {

// The windows along one axis: for each index of the result so many places of the input.
struct Window {
    std::int64_t size = 0;  // of the input
    std::int64_t kernel = 1;
    std::int64_t stride = 1;
    std::int64_t dilation = 1;
    std::int64_t before = 0;  // places that the input lacks, which a window may cover
    std::int64_t after = 0;
    std::int64_t count = 0;  // of windows

    std::int64_t reach() const noexcept { return (kernel - 1) * dilation + 1; }
};

// An attribute with a number for each axis, or so many of the usual one. Nothing: told.
std::optional<std::vector<std::int64_t>> of_each_axis(NodeContext &context, std::string_view name, std::size_t count,
                                                      std::int64_t usual) {
    constexpr std::int64_t most = 1 << 20;
    auto list = context.integers(name).value_or(std::vector<std::int64_t>(count, usual));
    const std::int64_t least = usual;
    if (list.size() != count ||
        std::any_of(list.begin(), list.end(), [&](std::int64_t number) { return number < least || number > most; })) {
        context.fail(fmt::format("its attribute {} does not have {} numbers from {} to {}", name, count, least, most));
        return std::nullopt;
    }
    return list;
}

// From the attributes of the node and the sizes of the kernel. Nothing: told.
std::optional<std::vector<Window>> windows_of(NodeContext &context, const Value &x,
                                              const std::vector<std::int64_t> &kernel) {
    const std::size_t axes = kernel.size();
    const auto strides = of_each_axis(context, "strides", axes, 1);
    const auto dilations = strides ? of_each_axis(context, "dilations", axes, 1) : std::nullopt;
    const auto pads = dilations ? of_each_axis(context, "pads", 2 * axes, 0) : std::nullopt;
    if (!pads) {
        return std::nullopt;
    }
    const std::string_view automatic = context.text("auto_pad", "NOTSET");
    const bool is_ceiling = context.integer("ceil_mode", 0) != 0;
    std::vector<Window> windows;
    for (std::size_t i = 0; i < axes; ++i) {
        Window window{x.shape[i + 2], kernel[i], (*strides)[i], (*dilations)[i], (*pads)[i], (*pads)[axes + i], 0};
        if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER") {
            window.count = (window.size + window.stride - 1) / window.stride;
            const std::int64_t lacking =
                std::max<std::int64_t>(0, (window.count - 1) * window.stride + window.reach() - window.size);
            window.before = automatic == "SAME_UPPER" ? lacking / 2 : lacking - lacking / 2;
            window.after = lacking - window.before;
        } else {
            if (automatic == "VALID") {
                window.before = window.after = 0;
            }
            const std::int64_t room = window.size + window.before + window.after - window.reach();
            window.count = room < 0 ? 0 : (room + (is_ceiling ? window.stride - 1 : 0)) / window.stride + 1;
            // One that would begin behind the input is none.
            if (is_ceiling && (window.count - 1) * window.stride >= window.size + window.before) {
                --window.count;
            }
        }
        if (window.count <= 0) {
            context.fail(
                fmt::format("a window of {} does not fit axis {} of {} indexes", window.reach(), i + 2, window.size));
            return std::nullopt;
        }
        windows.push_back(window);
    }
    return windows;
}

// "tensor(d2[7],k2[3])(d2*1+k2*1-(0))": the place in the input, by window and by place in it.
std::string places_of(const Window &window, std::size_t axis) {
    return fmt::format("tensor(d{0}[{1}],k{0}[{2}])(d{0}*{3}+k{0}*{4}-({5}))", axis, window.count, window.kernel,
                       window.stride, window.dilation, window.before);
}

// Of the input all places of all windows: axis i as d<i> and k<i>; the first two axes under other names.
std::string in_windows(const Value &x, const std::vector<Window> &windows) {
    std::vector<std::string> names{"d0", "d1"};
    std::string places;
    for (std::size_t i = 0; i < windows.size(); ++i) {
        names.push_back(fmt::format("from{}", i + 2));
        places += fmt::format("{}from{}:({})", i == 0 ? "" : ",", i + 2, places_of(windows[i], i + 2));
    }
    return fmt::format("{}{{{}}}", renamed(x.text, own_indexes(x.rank()), names), places);
}

// Whether a place of a window lies in the input, or, with padding, in what is around it.
std::string inside(const std::vector<Window> &windows, bool with_padding) {
    std::string text;
    for (std::size_t i = 0; i < windows.size(); ++i) {
        const Window &window = windows[i];
        text += fmt::format("{0}map({1},f(i)(i>={2}&&i<{3}))", i == 0 ? "" : "*", places_of(window, i + 2),
                            with_padding ? -window.before : 0, window.size + (with_padding ? window.after : 0));
    }
    return fmt::format("({})", text);
}

// The number of each place of the windows among all elements of the input.
std::string flat_places(NodeContext &context, const Value &x, const std::vector<Window> &windows) {
    const bool by_column = context.integer("storage_order", 0) != 0;
    std::int64_t area = 1;
    std::string text;
    for (std::size_t k = 0; k < windows.size(); ++k) {
        const std::size_t i = by_column ? k : windows.size() - 1 - k;
        text += fmt::format("{}*{}+", places_of(windows[i], i + 2), area);
        area *= windows[i].size;
    }
    return fmt::format("({}tensor(d0[{}],d1[{}])((d0*{}+d1)*{}))", text, x.shape[0], x.shape[1], x.shape[1], area);
}

std::string kernel_dimensions(std::size_t axes) {
    std::string list;
    for (std::size_t i = 0; i < axes; ++i) {
        list += fmt::format("{}k{}", i == 0 ? "" : ",", i + 2);
    }
    return list;
}

Shape result_shape(std::int64_t batch, std::int64_t channels, const std::vector<Window> &windows) {
    Shape shape{batch, channels};
    for (const Window &window : windows) {
        shape.push_back(window.count);
    }
    return shape;
}

// Those of a node that pools. Nothing: told.
std::optional<std::vector<Window>> pool_of(NodeContext &context) {
    const Value &x = context.input(0);
    const auto kernel = context.integers("kernel_shape");
    if (!kernel || x.rank() != kernel->size() + 2 || kernel->empty() ||
        std::any_of(kernel->begin(), kernel->end(), [](std::int64_t size) { return size <= 0 || size > 1 << 20; })) {
        context.fail("its input needs two axes and one for each number of kernel_shape");
        return std::nullopt;
    }
    return windows_of(context, x, *kernel);
}

bool import_global_pool(NodeContext &context, std::string_view aggregator) {
    const Value &x = context.input(0);
    if (x.rank() < 3) {
        return context.fail("its input needs at least three axes");
    }
    Shape shape = x.shape;
    Axes axes;
    std::string ones;
    for (std::size_t axis = 2; axis < x.rank(); ++axis) {
        axes.push_back(axis);
        shape[axis] = 1;
        ones += fmt::format("{}d{}[1]", axis == 2 ? "" : ",", axis);
    }
    return context.output(
        x.type, shape,
        fmt::format("tensor<int8>({})(1)*reduce({},{},{})", ones, x.text, aggregator, dimension_list(axes)));
}

}  // namespace

bool import_conv(NodeContext &context) {
    const Value &x = context.input(0);
    const Value &w = context.input(1);
    const std::int64_t groups = context.integer("group", 1);
    if (x.rank() < 3 || w.rank() != x.rank() || groups <= 0 || w.shape[0] % groups != 0 ||
        w.shape[1] > x.shape[1] / groups || x.shape[1] != w.shape[1] * groups) {
        return context.fail(fmt::format("shapes {} and {} do not fit {} groups", context.text_of(x.shape),
                                        context.text_of(w.shape), groups));
    }
    const auto windows = windows_of(context, x, {w.shape.begin() + 2, w.shape.end()});
    if (!windows) {
        return false;
    }
    // Channels of the input go; those of the result are the rows of the weights.
    std::vector<std::string> names{"d1", "c"};
    for (std::size_t i = 0; i < windows->size(); ++i) {
        names.push_back(fmt::format("k{}", i + 2));
    }
    std::string input = in_windows(x, *windows);
    if (groups == 1) {
        input = fmt::format("rename({},d1,c)", input);
    } else {
        input = fmt::format("rename({},d1,from1){{from1:(tensor(d1[{}],c[{}])(floor(d1/{})*{}+c))}}", input, w.shape[0],
                            w.shape[1], w.shape[0] / groups, w.shape[1]);
    }
    std::string text = fmt::format("reduce({}*{},sum,c,{})", input, renamed(w.text, own_indexes(w.rank()), names),
                                   kernel_dimensions(windows->size()));
    if (context.has_input(2)) {
        text += "+" + moved(context.input(2).text, {1});
    }
    const Shape shape = result_shape(x.shape[0], w.shape[0], *windows);
    Shape loops = shape;
    loops.insert(loops.end(), w.shape.begin() + 1, w.shape.end());
    context.count_product(loops);
    return context.output(x.type, shape, text);
}

bool import_max_pool(NodeContext &context) {
    const Value &x = context.input(0);
    const auto windows = pool_of(context);
    if (!windows) {
        return false;
    }
    const Shape shape = result_shape(x.shape[0], x.shape[1], *windows);
    const std::string over = kernel_dimensions(windows->size());
    const std::string cells =
        fmt::format("join({},{},f(x,i)(if(i,x,-1/0)))", in_windows(x, *windows), inside(*windows, false));
    if (!context.output(x.type, shape, fmt::format("reduce({},max,{})", cells, over))) {
        return false;
    }
    return !context.wants_output(1) ||
           context.output(ElementType::i64, shape,
                          fmt::format("reduce(join({0}=={1},{2},f(best,i)(if(best,i,1/0))),min,{3})", cells,
                                      context.results().front().text, flat_places(context, x, *windows), over));
}

// What lies outside counts only if it is padding that counts.
bool import_average_pool(NodeContext &context) {
    const Value &x = context.input(0);
    const auto windows = pool_of(context);
    if (!windows) {
        return false;
    }
    const std::string over = kernel_dimensions(windows->size());
    return context.output(x.type, result_shape(x.shape[0], x.shape[1], *windows),
                          fmt::format("reduce({},sum,{})/reduce({},sum,{})", in_windows(x, *windows), over,
                                      inside(*windows, context.integer("count_include_pad", 0) != 0), over));
}

bool import_global_average_pool(NodeContext &context) {
    return import_global_pool(context, "avg");
}

bool import_global_max_pool(NodeContext &context) {
    return import_global_pool(context, "max");
}

}  // namespace tenrex::onnx

// Operators that put several tensors together, or add elements.
#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "lib/onnx/operators.h"

namespace tenrex::onnx {

bool import_concat(NodeContext &context) {
    const Value &first = context.input(0);
    const auto axis = context.axis(context.integer("axis", 0), first.rank());
    if (!axis) {
        return false;
    }
    Shape shape = first.shape;
    shape[*axis] = 0;
    std::string text;
    for (std::size_t i = 0; i < context.inputs(); ++i) {
        const Value &part = context.input(i);
        Shape expected = part.shape;
        if (part.rank() == shape.size()) {
            expected[*axis] = shape[*axis];
        }
        if (expected != shape) {
            return context.fail(fmt::format("a tensor of shape {} cannot follow one of shape {} along axis {}",
                                            context.text_of(part.shape), context.text_of(first.shape), *axis));
        }
        const auto size = context.sum_of_sizes(shape[*axis], part.shape[*axis]);
        if (!size) {
            return context.fail_open(fmt::format("input '{}'", context.node().inputs[i]), part.shape);
        }
        shape[*axis] = *size;
        if (part.text.empty()) {
            continue;
        }
        text = text.empty() ? part.text : fmt::format("concat({},{},d{})", text, part.text, *axis);
    }
    return text.empty() ? context.output_known(first.type, shape, {}) : context.output(first.type, shape, text);
}

namespace {

// Where axes are open: those are copies one after the other, and indexes of others begin again.
bool output_open_tiles(NodeContext &context, const Value &x, const std::vector<std::int64_t> &repeats) {
    Value now = x;
    Axes axes(x.rank());
    std::iota(axes.begin(), axes.end(), 0);
    for (const std::size_t axis : axes) {
        const std::int64_t times = repeats[axis];
        std::int64_t &size = now.shape[axis];
        if (times == 1 || times <= 0) {
            size = times == 1 ? size : 0;
            continue;
        }
        constexpr std::int64_t most = 1 << 20;
        if (times > most) {
            return context.fail(fmt::format("it repeats axis {} {} times", axis, times));
        }
        if (!is_open(size)) {
            const std::string name = dimension_name(axis);
            const std::string places = fmt::format("tensor({0}[{1}])(fmod({0},{2}))", name, size * times, size);
            now.text = taken(now, {{axis, places}}, axes);
            size *= times;
            continue;
        }
        const std::string one = now.text;
        const std::int64_t size_of_one = size;
        for (std::int64_t i = 1; i < times; ++i) {
            const auto sum = context.sum_of_sizes(size, size_of_one);
            if (!sum) {
                return context.fail_open("the shape of its input", x.shape);
            }
            size = *sum;
            now.text = fmt::format("concat({},{},{})", now.text, one, dimension_name(axis));
        }
    }
    return context.output(x.type, now.shape, now.text);
}

}  // namespace

bool import_tile(NodeContext &context) {
    const Value &x = context.input(0);
    const auto repeats = context.known_integers(1);
    if (!repeats || repeats->size() != x.rank()) {
        return repeats && context.fail("it needs a number of repeats for each axis");
    }
    if (has_open(*repeats)) {
        return context.fail_open("a number of repeats", *repeats);
    }
    if (has_open(x.shape)) {
        return output_open_tiles(context, x, *repeats);
    }
    Shape shape;
    std::vector<std::string> indexes;
    for (std::size_t axis = 0; axis < x.rank(); ++axis) {
        shape.push_back(x.shape[axis] * std::max<std::int64_t>((*repeats)[axis], 0));
        indexes.push_back((*repeats)[axis] == 1 ? dimension_name(axis)
                                                : fmt::format("fmod(d{},{})", axis, x.shape[axis]));
    }
    return elements_of(shape) == 0 ? context.output_known(x.type, shape, {})
                                   : context.output(x.type, shape, elements_at(x, shape, indexes));
}

namespace {

// The value of what is added.
std::string padding_of(NodeContext &context) {
    if (context.version() < 11) {
        return number_text(context.real("value", 0));
    }
    if (!context.has_input(2)) {
        return "0";
    }
    const Value &given = context.input(2);
    return cell_at(given.text, std::vector<std::string>(given.rank(), "0"));
}

// Where axes are open: blocks of the value before and behind.
bool output_open_padding(NodeContext &context, const Value &x, const Axes &axes,
                         const std::vector<std::int64_t> &pads) {
    Value now = x;
    const std::string value = padding_of(context);
    const auto block = [&](std::size_t axis, std::int64_t size) {
        Shape shape = now.shape;
        shape[axis] = size;
        return fmt::format("join({},{},f(x,y)(y))", filled(1, shape, context.open_sizes()), value);
    };
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const std::size_t axis = axes[i];
        const std::int64_t before = pads[i];
        const std::int64_t behind = pads[axes.size() + i];
        if (before < 0 || behind < 0) {
            return context.fail_open("the shape of its input", x.shape);
        }
        const std::string name = dimension_name(axis);
        if (before > 0) {
            now.text = fmt::format("concat({},{},{})", block(axis, before), now.text, name);
        }
        if (behind > 0) {
            now.text = fmt::format("concat({},{},{})", now.text, block(axis, behind), name);
        }
        for (const std::int64_t more : {before, behind}) {
            const auto size = context.sum_of_sizes(now.shape[axis], more);
            if (!size) {
                return context.fail_open("the shape of its input", x.shape);
            }
            now.shape[axis] = *size;
        }
    }
    return context.output(x.type, now.shape, now.text);
}

}  // namespace

bool import_pad(NodeContext &context) {
    const Value &x = context.input(0);
    std::optional<std::vector<std::int64_t>> pads;
    if (!context.integers_of("pads", 1, pads)) {
        return false;
    }
    Axes axes(x.rank());
    std::iota(axes.begin(), axes.end(), 0);
    if (context.has_input(3)) {
        const auto list = context.known_integers(3);
        const auto named = list ? context.axes(*list, x.rank()) : std::nullopt;
        if (!named) {
            return false;
        }
        axes = *named;
    }
    if (!pads || pads->size() != 2 * axes.size()) {
        return context.fail("it needs two numbers for each axis");
    }
    const std::string_view mode = context.text("mode", "constant");
    if (has_open(*pads)) {
        return context.fail_open("what it adds", *pads);
    }
    if (has_open(x.shape)) {
        return mode == "constant" ? output_open_padding(context, x, axes, *pads)
                                  : context.fail_open("the shape of its input", x.shape);
    }
    Shape shape = x.shape;
    std::vector<std::string> indexes = own_indexes(x.rank());
    std::string inside;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const std::size_t axis = axes[i];
        const std::int64_t before = (*pads)[i];
        const std::int64_t size = x.shape[axis];
        shape[axis] += before + (*pads)[axes.size() + i];
        const std::string index = fmt::format("(d{}-({}))", axis, before);
        if (mode == "edge") {
            indexes[axis] = fmt::format("max(0,min({},{}))", index, size - 1);
        } else if (mode == "wrap") {
            indexes[axis] = fmt::format("{0}-floor({0}/{1})*{1}", index, size);
        } else if (mode == "reflect") {
            const std::int64_t period = std::max<std::int64_t>(2 * size - 2, 1);
            const std::string turn = fmt::format("(fabs({0})-floor(fabs({0})/{1})*{1})", index, period);
            indexes[axis] = fmt::format("min({0},{1}-{0})", turn, 2 * size - 2);
        } else {
            indexes[axis] = index;
            inside += fmt::format("{}{}>=0&&{}<{}", inside.empty() ? "" : "&&", index, index, size);
        }
    }
    if (elements_of(shape) == 0) {
        return context.output_known(x.type, shape, {});
    }
    if (mode != "constant") {
        return context.output(x.type, shape, elements_at(x, shape, indexes));
    }
    return context.output(
        x.type, shape,
        generator(info(x.type).cell_type, shape,
                  fmt::format("if({},{},{})", inside, cell_at(x.text, indexes), padding_of(context))));
}

bool import_trilu(NodeContext &context) {
    const Value &x = context.input(0);
    std::int64_t diagonal = 0;
    if (context.has_input(1)) {
        const auto list = context.known_integers(1);
        if (!list || list->size() != 1) {
            return list && context.fail("it needs one diagonal");
        }
        diagonal = list->front();
    }
    if (x.rank() < 2) {
        return context.fail("its input needs at least two axes");
    }
    if (x.text.empty()) {
        return context.output_value(x);
    }
    const std::string test = fmt::format("d{}-d{}{}({})", x.rank() - 1, x.rank() - 2,
                                         context.integer("upper", 1) != 0 ? ">=" : "<=", diagonal);
    if (has_open(x.shape)) {
        const std::string row = dimension_name(x.rank() - 2);
        const std::string column = dimension_name(x.rank() - 1);
        const std::string kept =
            fmt::format("join({},{},f({},{})({}))", indexes_along(x.shape, x.rank() - 2, context.open_sizes()),
                        indexes_along(x.shape, x.rank() - 1, context.open_sizes()), row, column, test);
        return context.output(x.type, x.shape, fmt::format("join({},{},f(x,kept)(if(kept,x,0)))", x.text, kept));
    }
    return context.output(x.type, x.shape,
                          generator(info(x.type).cell_type, x.shape,
                                    fmt::format("if({},{},0)", test, cell_at(x.text, own_indexes(x.rank())))));
}

}  // namespace tenrex::onnx

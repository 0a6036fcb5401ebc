// Operators that take some elements, or put several tensors together.
#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "lib/onnx/operators.h"

namespace tenrex::onnx {

namespace {

// A range of an axis: begin, begin + step, ... so many.
struct Range {
    std::int64_t begin = 0;
    std::int64_t step = 1;
    std::int64_t count = 0;
};

Range range_of(std::int64_t start, std::int64_t end, std::int64_t step, std::int64_t size) {
    const auto from_front = [&](std::int64_t index) { return index < 0 ? index + size : index; };
    Range range{0, step, 0};
    if (step > 0) {
        range.begin = std::clamp<std::int64_t>(from_front(start), 0, size);
        const std::int64_t stop = std::clamp<std::int64_t>(from_front(end), 0, size);
        range.count = stop > range.begin ? (stop - range.begin + step - 1) / step : 0;
    } else {
        range.begin = std::clamp<std::int64_t>(from_front(start), 0, size - 1);
        const std::int64_t stop = std::clamp<std::int64_t>(from_front(end), -1, size - 1);
        range.count = range.begin > stop ? (range.begin - stop - step - 1) / -step : 0;
    }
    return range;
}

// An index along axis `to` of the result for each of them.
std::string indexes_of(const Range &range, std::size_t to) {
    return fmt::format("tensor(d{}[{}])({}+{}*d{})", to, range.count, range.begin, range.step, to);
}

// The same where axes are open: they are whole, or counted from the first index on.
bool output_open_ranges(NodeContext &context, const Value &x, const Shape &shape, const std::vector<Range> &ranges) {
    std::map<std::size_t, std::string> at;
    Axes axes(x.rank());
    std::iota(axes.begin(), axes.end(), 0);
    for (const std::size_t axis : axes) {
        const Range &range = ranges[axis];
        if (is_open(range.count) && range.count != x.shape[axis]) {
            at.emplace(axis, context.open_sizes().indexes(range.count, dimension_name(axis)));
        } else if (range.begin != 0 || range.step != 1 || range.count != x.shape[axis]) {
            at.emplace(axis, indexes_of(range, axis));
        }
    }
    return context.output(x.type, shape, taken(x, at, axes));
}

bool output_ranges(NodeContext &context, const Value &x, const std::vector<Range> &ranges) {
    std::vector<std::string> indexes;
    Shape shape;
    bool all = true;
    for (std::size_t axis = 0; axis < x.rank(); ++axis) {
        const Range &range = ranges[axis];
        all = all && range.begin == 0 && range.step == 1 && range.count == x.shape[axis];
        shape.push_back(range.count);
        indexes.push_back(range.step == 1 && range.begin == 0 ? dimension_name(axis)
                          : range.step == 1                   ? fmt::format("d{}+{}", axis, range.begin)
                                            : fmt::format("{}+{}*d{}", range.begin, range.step, axis));
    }
    if (elements_of(shape) == 0) {
        return context.output_known(x.type, shape, {});
    }
    if (all) {
        return context.output_value(x);
    }
    return has_open(x.shape) || has_open(shape) ? output_open_ranges(context, x, shape, ranges)
                                                : context.output(x.type, shape, elements_at(x, shape, indexes));
}

// Of an axis whose size, or whose end, comes with the values: all of it, its first index, or so many from the first on.
// Nothing: it is another range.
std::optional<Range> open_range(std::int64_t start, std::int64_t end, std::int64_t step, std::int64_t size) {
    constexpr std::int64_t no_end = 0x7fffffff;  // what exporters write, or more
    if (start != 0 || step != 1) {
        return std::nullopt;
    }
    if (is_open(size) && (end == size || end >= no_end)) {
        return Range{0, 1, size};
    }
    if (is_open(size) ? end == 1 : is_open(end)) {
        return Range{0, 1, end};
    }
    return std::nullopt;
}

std::vector<Range> all_of(const Shape &shape) {
    std::vector<Range> ranges;
    for (const std::int64_t size : shape) {
        ranges.push_back({0, 1, size});
    }
    return ranges;
}

}  // namespace

bool import_slice(NodeContext &context) {
    const Value &x = context.input(0);
    std::optional<std::vector<std::int64_t>> starts;
    std::optional<std::vector<std::int64_t>> ends;
    std::optional<std::vector<std::int64_t>> named;
    std::optional<std::vector<std::int64_t>> steps;
    if (!context.integers_of("starts", 1, starts) || !context.integers_of("ends", 2, ends) ||
        !context.integers_of("axes", 3, named) || !context.integers_of("steps", 4, steps)) {
        return false;
    }
    for (const auto &list : {starts, named, steps}) {
        if (list && has_open(*list)) {
            return context.fail_open("a start, an axis or a step", *list);
        }
    }
    if (!starts || !ends || starts->size() != ends->size()) {
        return context.fail("it has not as many starts as ends");
    }
    Axes axes(starts->size());
    std::iota(axes.begin(), axes.end(), 0);
    if (named) {
        const auto list = context.axes(*named, x.rank());
        if (!list) {
            return false;
        }
        axes = *list;
    }
    if (axes.size() != starts->size() || axes.size() > x.rank() || (steps && steps->size() != axes.size())) {
        return context.fail("it has not as many axes and steps as starts");
    }
    std::vector<Range> ranges = all_of(x.shape);
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const std::int64_t step = steps ? (*steps)[i] : 1;
        if (step == 0) {
            return context.fail("a step is 0");
        }
        const std::int64_t size = x.shape[axes[i]];
        if (is_open(size) || is_open((*ends)[i])) {
            const auto range = open_range((*starts)[i], (*ends)[i], step, size);
            if (!range) {
                return context.fail_open(
                    fmt::format("the range from {} to {} of an axis of size {}",
                                context.open_sizes().text((*starts)[i]), context.open_sizes().text((*ends)[i]),
                                context.open_sizes().text(size)),
                    {is_open(size) ? size : (*ends)[i]});
            }
            ranges[axes[i]] = *range;
            continue;
        }
        ranges[axes[i]] = range_of((*starts)[i], (*ends)[i], step, size);
    }
    return output_ranges(context, x, ranges);
}

bool import_split(NodeContext &context) {
    const Value &x = context.input(0);
    const auto axis = context.axis(context.integer("axis", 0), x.rank());
    std::optional<std::vector<std::int64_t>> sizes;
    if (!axis || !context.integers_of("split", 1, sizes)) {
        return false;
    }
    const std::int64_t size = x.shape[*axis];
    if (is_open(size) || (sizes && has_open(*sizes))) {
        return context.fail_open("the shape of its input", is_open(size) ? Shape{size} : *sizes);
    }
    if (!sizes) {
        const auto parts = context.integer("num_outputs", static_cast<std::int64_t>(context.outputs()));
        const std::int64_t each = parts > 0 ? (size + parts - 1) / parts : 0;
        sizes.emplace();
        for (std::int64_t begin = 0; begin < size && each > 0; begin += each) {
            sizes->push_back(std::min(each, size - begin));
        }
    }
    if (std::accumulate(sizes->begin(), sizes->end(), std::int64_t{0}) != size || sizes->size() != context.outputs()) {
        return context.fail(fmt::format("{} indexes cannot be split into {} parts like that", size, sizes->size()));
    }
    std::vector<Range> ranges = all_of(x.shape);
    ranges[*axis].count = 0;
    for (const std::int64_t part : *sizes) {
        ranges[*axis] = {ranges[*axis].begin + ranges[*axis].count, 1, part};
        if (!output_ranges(context, x, ranges)) {
            return false;
        }
    }
    return true;
}

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
        if (is_open(part.shape[*axis])) {
            return context.fail_open(fmt::format("input '{}'", context.node().inputs[i]), part.shape);
        }
        shape[*axis] += part.shape[*axis];
        if (part.text.empty()) {
            continue;
        }
        text = text.empty() ? part.text : fmt::format("concat({},{},d{})", text, part.text, *axis);
    }
    return text.empty() ? context.output_known(first.type, shape, {}) : context.output(first.type, shape, text);
}

bool import_tile(NodeContext &context) {
    const Value &x = context.input(0);
    const auto repeats = context.known_integers(1);
    if (!repeats || repeats->size() != x.rank()) {
        return repeats && context.fail("it needs a number of repeats for each axis");
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
    std::string value = "0";
    if (context.version() < 11) {
        value = number_text(context.real("value", 0));
    } else if (context.has_input(2)) {
        const Value &given = context.input(2);
        value = cell_at(given.text, std::vector<std::string>(given.rank(), "0"));
    }
    return context.output(
        x.type, shape,
        generator(info(x.type).cell_type, shape, fmt::format("if({},{},{})", inside, cell_at(x.text, indexes), value)));
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

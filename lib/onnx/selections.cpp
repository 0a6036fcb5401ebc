// Operators that take some elements, or put several tensors together.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include "lib/onnx/operators.h"

namespace tenrex::onnx {

namespace {

CellType cell_type_of(const Value &value) {
    return info(value.type).cell_type;
}

// Elements at an index for each axis of the result.
bool output_at(NodeContext &context, const Value &x, const Shape &shape, const std::vector<std::string> &indexes) {
    return context.output(x.type, shape, generator(cell_type_of(x), shape, cell_at(x.text, indexes)));
}

// An index that counts from the end if it is negative.
std::string from_begin(const std::string &index, std::int64_t size) {
    return fmt::format("({0})+if(({0})<0,{1},0)", index, size);
}

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
    return all ? context.output_value(x) : output_at(context, x, shape, indexes);
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
        ranges[axes[i]] = range_of((*starts)[i], (*ends)[i], step, x.shape[axes[i]]);
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
            return context.fail(fmt::format("a tensor of shape [{}] cannot follow one of shape [{}] along axis {}",
                                            fmt::join(part.shape, ","), fmt::join(first.shape, ","), *axis));
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
    return elements_of(shape) == 0 ? context.output_known(x.type, shape, {}) : output_at(context, x, shape, indexes);
}

bool import_gather(NodeContext &context) {
    const Value &x = context.input(0);
    const Value &index = context.input(1);
    const auto axis = context.axis(context.integer("axis", 0), x.rank());
    if (!axis) {
        return false;
    }
    Shape shape(x.shape.begin(), x.shape.begin() + static_cast<std::ptrdiff_t>(*axis));
    shape.insert(shape.end(), index.shape.begin(), index.shape.end());
    shape.insert(shape.end(), x.shape.begin() + static_cast<std::ptrdiff_t>(*axis) + 1, x.shape.end());
    if (elements_of(shape) == 0) {
        return context.output_known(x.type, shape, {});
    }
    std::vector<std::string> in_index;
    for (std::size_t i = 0; i < index.rank(); ++i) {
        in_index.push_back(dimension_name(*axis + i));
    }
    std::vector<std::string> indexes;
    for (std::size_t i = 0; i < x.rank(); ++i) {
        indexes.push_back(i < *axis    ? dimension_name(i)
                          : i == *axis ? from_begin(cell_at(index.text, in_index), x.shape[*axis])
                                       : dimension_name(i + index.rank() - 1));
    }
    return output_at(context, x, shape, indexes);
}

bool import_gather_elements(NodeContext &context) {
    const Value &x = context.input(0);
    const Value &index = context.input(1);
    const auto axis = context.axis(context.integer("axis", 0), x.rank());
    if (!axis || index.rank() != x.rank()) {
        return axis && context.fail("its inputs need the same number of axes");
    }
    std::vector<std::string> indexes = own_indexes(x.rank());
    indexes[*axis] = from_begin(cell_at(index.text, own_indexes(x.rank())), x.shape[*axis]);
    return output_at(context, x, index.shape, indexes);
}

bool import_gather_nd(NodeContext &context) {
    const Value &x = context.input(0);
    const Value &index = context.input(1);
    const std::int64_t batch = context.integer("batch_dims", 0);
    if (index.rank() == 0 || batch < 0 || batch >= static_cast<std::int64_t>(std::min(x.rank(), index.rank()))) {
        return context.fail("its indexes need an axis more than the batch has");
    }
    const auto leading = static_cast<std::size_t>(batch);
    const auto depth = static_cast<std::size_t>(index.shape.back());
    if (depth == 0 || leading + depth > x.rank()) {
        return context.fail(fmt::format("indexes of {} numbers do not fit a tensor with {} axes", depth, x.rank()));
    }
    Shape shape(index.shape.begin(), index.shape.end() - 1);
    const std::size_t taken = shape.size();
    shape.insert(shape.end(), x.shape.begin() + static_cast<std::ptrdiff_t>(leading + depth), x.shape.end());
    std::vector<std::string> indexes;
    for (std::size_t i = 0; i < x.rank(); ++i) {
        if (i < leading) {
            indexes.push_back(dimension_name(i));
        } else if (i < leading + depth) {
            std::vector<std::string> in_index = own_indexes(taken);
            in_index.push_back(fmt::format("{}", i - leading));
            indexes.push_back(from_begin(cell_at(index.text, in_index), x.shape[i]));
        } else {
            indexes.push_back(dimension_name(taken + i - leading - depth));
        }
    }
    return output_at(context, x, shape, indexes);
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
        return output_at(context, x, shape, indexes);
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
        generator(cell_type_of(x), shape, fmt::format("if({},{},{})", inside, cell_at(x.text, indexes), value)));
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
    return context.output(
        x.type, x.shape,
        generator(cell_type_of(x), x.shape, fmt::format("if({},{},0)", test, cell_at(x.text, own_indexes(x.rank())))));
}

}  // namespace tenrex::onnx

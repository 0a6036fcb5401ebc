// Operators that take ranges of axes.
#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "lib/onnx/operators.h"

namespace tenrex::onnx {

namespace {

// A range of an axis: begin, begin + step, ... so many. Begin and count may be open.
struct Range {
    std::int64_t begin = 0;
    std::int64_t step = 1;
    std::int64_t count = 0;
    bool is_last = false;  // the last index of an open axis, which begin does not tell
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

// The indexes of a range over the axis of the result, where axes are open.
std::string indexes_of(const Range &range, std::size_t axis, std::int64_t size, const OpenSizes &sizes) {
    const std::string name = dimension_name(axis);
    const std::string own = is_open(range.count)
                                ? sizes.indexes(range.count, name)
                                : fmt::format("tensor({0}[{1}])({2}*{0})", name, range.count, range.step);
    const std::string begin = range.is_last ? sizes.number(size) + "-1" : sizes.number(range.begin);
    return begin == "0" ? own : fmt::format("({}+({}))", own, begin);
}

bool output_open_ranges(NodeContext &context, const Value &x, const Shape &shape, const std::vector<Range> &ranges) {
    std::map<std::size_t, std::string> at;
    Axes axes(x.rank());
    std::iota(axes.begin(), axes.end(), 0);
    for (const std::size_t axis : axes) {
        const Range &range = ranges[axis];
        if (range.is_last || range.begin != 0 || range.step != 1 || range.count != x.shape[axis]) {
            at.emplace(axis, indexes_of(range, axis, x.shape[axis], context.open_sizes()));
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
        all = all && !range.is_last && range.begin == 0 && range.step == 1 && range.count == x.shape[axis];
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

// Where a range begins or ends that is written as an index: counted from the end if it is negative. Nothing: a text may
// be shorter.
std::optional<std::int64_t> place_of(NodeContext &context, std::int64_t index, std::int64_t size) {
    constexpr std::int64_t no_end = 0x7fffffff;  // what exporters write, or more
    if (!is_open(index) && index >= no_end) {
        return size;
    }
    if (!is_open(index) && index < 0) {
        return context.difference_of_sizes(size, -index);
    }
    return index == 0 || context.difference_of_sizes(size, index) ? std::optional(index) : std::nullopt;
}

// Of an axis whose size, or whose end, comes with the values. Texts are taken to have a token, and tables to be as long
// as a text. Nothing: it is not known how many indexes the range has.
std::optional<Range> open_range(NodeContext &context, std::int64_t start, std::int64_t end, std::int64_t step,
                                std::int64_t size) {
    if (step != 1) {
        return std::nullopt;
    }
    if (start == 0 && (is_open(size) ? end == 1 : is_open(end))) {
        return Range{0, 1, end};
    }
    const auto stop = place_of(context, end, size);
    if (is_open(size) && start == -1 && stop == size) {
        return Range{0, 1, 1, true};
    }
    const auto begin = place_of(context, start, size);
    const auto count = begin && stop ? context.difference_of_sizes(*stop, *begin) : std::nullopt;
    return count ? std::optional(Range{*begin, 1, *count}) : std::nullopt;
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
    for (const auto &list : {named, steps}) {
        if (list && has_open(*list)) {
            return context.fail_open("an axis or a step", *list);
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
        if (is_open(size) || is_open((*ends)[i]) || is_open((*starts)[i])) {
            const auto range = open_range(context, (*starts)[i], (*ends)[i], step, size);
            if (!range) {
                const OpenSizes &sizes = context.open_sizes();
                return context.fail(fmt::format("how many indexes the range from {} to {} of an axis of size {} has is "
                                                "not known, for the axis may be shorter",
                                                sizes.text((*starts)[i]), sizes.text((*ends)[i]), sizes.text(size)),
                                    "import the model with a size for each axis");
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
    if (!sizes && is_open(size)) {
        return context.fail_open("the shape of its input", x.shape);
    }
    if (!sizes) {
        const auto parts = context.integer("num_outputs", static_cast<std::int64_t>(context.outputs()));
        const std::int64_t each = parts > 0 ? (size + parts - 1) / parts : 0;
        sizes.emplace();
        for (std::int64_t begin = 0; begin < size && each > 0; begin += each) {
            sizes->push_back(std::min(each, size - begin));
        }
    }
    std::vector<Range> ranges = all_of(x.shape);
    std::optional<std::int64_t> end = 0;
    for (const std::int64_t part : *sizes) {
        ranges[*axis] = {*end, 1, part};
        end = part >= 0 || is_open(part) ? context.sum_of_sizes(*end, part) : std::nullopt;
        if (!end) {
            break;
        }
        if (!output_ranges(context, x, ranges)) {
            return false;
        }
    }
    return (end == size && sizes->size() == context.outputs()) ||
           context.fail(fmt::format("{} indexes cannot be split into parts of {}", context.open_sizes().text(size),
                                    context.open_sizes().text(*sizes)));
}

}  // namespace tenrex::onnx

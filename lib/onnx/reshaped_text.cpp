// The same elements under other axes, as text.
#include <fmt/format.h>

#include "lib/onnx/expression_text.h"

namespace tenrex::onnx {

namespace {

// Axes whose products are equal, from both shapes: a group of one can be split or joined for itself.
struct AxisGroup {
    std::size_t from_begin, from_end;
    std::size_t to_begin, to_end;
};

// Nothing: an open axis is not alone.
std::optional<std::vector<AxisGroup>> groups_of(const Shape &from, const Shape &to) {
    std::vector<AxisGroup> groups;
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < from.size() && j < to.size()) {
        AxisGroup group{i, i + 1, j, j + 1};
        std::int64_t a = from[i++];
        std::int64_t b = to[j++];
        while (a != b) {
            std::int64_t &product = a < b ? a : b;
            const Shape &shape = a < b ? from : to;
            std::size_t &next = a < b ? i : j;
            if (is_open(a) || is_open(b) || next == shape.size() || is_open(shape[next])) {
                return std::nullopt;
            }
            product *= shape[next++];
        }
        group.from_end = i;
        group.to_end = j;
        groups.push_back(group);
    }
    return groups;
}

// The index along each axis of a group that leads to the same element, of the indexes of the group's axes in the
// result.
std::vector<std::string> indexes_of(const AxisGroup &group, const Shape &from, const Shape &to, const Axes &kept_to) {
    std::string linear = dimension_name(kept_to[group.to_begin]);
    for (std::size_t j = group.to_begin + 1; j < group.to_end; ++j) {
        linear = fmt::format("({})*{}+d{}", linear, to[j], kept_to[j]);
    }
    std::vector<std::string> indexes(group.from_end - group.from_begin);
    std::int64_t stride = 1;
    for (std::size_t i = group.from_end; i-- > group.from_begin;) {
        std::string &index = indexes[i - group.from_begin];
        index = stride == 1 ? linear : fmt::format("floor(({})/{})", linear, stride);
        if (i > group.from_begin) {
            index = fmt::format("fmod({},{})", index, from[i]);
        }
        stride *= from[i];
    }
    return indexes;
}

// Open axes stay what they are, and what is split or joined beside them is taken at tensors of indexes.
std::string regrouped(const Value &value, const Shape &shape, const std::vector<AxisGroup> &groups,
                      const Axes &kept_from, const Axes &kept_to) {
    Shape from;
    Shape to;
    for (const std::size_t axis : kept_from) {
        from.push_back(value.shape[axis]);
    }
    for (const std::size_t axis : kept_to) {
        to.push_back(shape[axis]);
    }
    std::map<std::size_t, std::string> at;
    for (std::size_t axis = 0; axis < value.rank(); ++axis) {
        at.emplace(axis, "0");
    }
    Axes places(value.rank());
    for (const AxisGroup &group : groups) {
        if (group.from_end - group.from_begin == 1 && group.to_end - group.to_begin == 1) {
            at.erase(kept_from[group.from_begin]);
            places[kept_from[group.from_begin]] = kept_to[group.to_begin];
            continue;
        }
        std::vector<std::string> dimensions;
        for (std::size_t j = group.to_begin; j < group.to_end; ++j) {
            dimensions.push_back(fmt::format("d{}[{}]", kept_to[j], to[j]));
        }
        const std::vector<std::string> indexes = indexes_of(group, from, to, kept_to);
        for (std::size_t i = 0; i < indexes.size(); ++i) {
            at[kept_from[group.from_begin + i]] = fmt::format("tensor({})({})", fmt::join(dimensions, ","), indexes[i]);
        }
    }
    return taken(value, at, places);
}

}  // namespace

std::optional<std::string> reshaped(const Value &value, const Shape &shape, const OpenSizes &sizes) {
    if (value.shape == shape) {
        return value.text;
    }
    // Without axes of one index, which only come and go.
    std::vector<bool> gone(value.rank());
    std::vector<std::size_t> kept_from;
    std::vector<std::size_t> kept_to;
    Shape from;
    Shape to;
    for (std::size_t axis = 0; axis < value.rank(); ++axis) {
        gone[axis] = value.shape[axis] == 1;
        if (!gone[axis]) {
            kept_from.push_back(axis);
            from.push_back(value.shape[axis]);
        }
    }
    Axes ones;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (shape[axis] == 1) {
            ones.push_back(axis);
        } else {
            kept_to.push_back(axis);
            to.push_back(shape[axis]);
        }
    }
    if (from == to) {
        std::vector<std::string> names(value.rank());
        for (std::size_t i = 0; i < kept_from.size(); ++i) {
            names[kept_from[i]] = dimension_name(kept_to[i]);
        }
        return with_ones(without_axes(value.text, value.shape, gone, names), ones, shape, sizes);
    }
    const auto groups = groups_of(from, to);
    if (!groups) {
        return std::nullopt;
    }
    if (has_open(shape)) {
        return with_ones(regrouped(value, shape, *groups, kept_from, kept_to), ones, shape, sizes);
    }
    std::vector<std::string> indexes(value.rank(), "0");
    for (const AxisGroup &group : *groups) {
        const std::vector<std::string> in_group = indexes_of(group, from, to, kept_to);
        for (std::size_t i = 0; i < in_group.size(); ++i) {
            indexes[kept_from[group.from_begin + i]] = in_group[i];
        }
    }
    return elements_at(value, shape, indexes);
}

}  // namespace tenrex::onnx

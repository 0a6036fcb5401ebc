#include "lib/onnx/expression_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tenrex::onnx {

namespace {

std::string joined(const std::vector<std::string> &parts) {
    return fmt::format("{}", fmt::join(parts, ","));
}

// Axes of one index that are taken away, the others under new names.
std::string without_axes(std::string_view text, const Shape &shape, const std::vector<bool> &gone,
                         const std::vector<std::string> &names) {
    std::vector<std::string> peeked;
    std::vector<std::string> from;
    std::vector<std::string> to;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (gone[axis]) {
            peeked.push_back(dimension_name(axis) + ":0");
        } else {
            from.push_back(dimension_name(axis));
            to.push_back(names[axis]);
        }
    }
    const std::string rest = peeked.empty() ? std::string(text) : fmt::format("{}{{{}}}", text, joined(peeked));
    return renamed(rest, from, to);
}

// Multiplied by ones along axes that the text lacks.
std::string with_ones(const std::string &text, const std::vector<std::string> &dimensions) {
    return dimensions.empty() ? text : fmt::format("(tensor<int8>({})(1)*{})", joined(dimensions), text);
}

// Axes whose products are equal, from both shapes: a group of one can be split or joined for itself.
struct AxisGroup {
    std::size_t from_begin, from_end;
    std::size_t to_begin, to_end;
};

std::vector<AxisGroup> groups_of(const Shape &from, const Shape &to) {
    std::vector<AxisGroup> groups;
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < from.size() && j < to.size()) {
        AxisGroup group{i, i + 1, j, j + 1};
        std::int64_t a = from[i++];
        std::int64_t b = to[j++];
        while (a != b) {
            if (a < b) {
                a *= from[i++];
            } else {
                b *= to[j++];
            }
        }
        group.from_end = i;
        group.to_end = j;
        groups.push_back(group);
    }
    return groups;
}

}  // namespace

std::string number_text(double number) {
    if (std::isnan(number)) {
        return "(0/0)";
    }
    if (std::isinf(number)) {
        return number < 0 ? "(-1/0)" : "(1/0)";
    }
    return number < 0 || std::signbit(number) ? fmt::format("({})", number) : fmt::format("{}", number);
}

std::string generator(CellType cell_type, const Shape &shape, std::string_view body) {
    if (shape.empty()) {
        return fmt::format("({})", body);
    }
    std::vector<std::string> dimensions;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        dimensions.push_back(fmt::format("d{}[{}]", axis, shape[axis]));
    }
    return fmt::format("tensor<{}>({})({})", name(cell_type), joined(dimensions), body);
}

std::string cell_at(std::string_view text, const std::vector<std::string> &indexes) {
    if (indexes.empty()) {
        return std::string(text);
    }
    std::vector<std::string> parts;
    for (std::size_t axis = 0; axis < indexes.size(); ++axis) {
        parts.push_back(fmt::format("d{}:({})", axis, indexes[axis]));
    }
    return fmt::format("{}{{{}}}", text, joined(parts));
}

std::vector<std::string> own_indexes(std::size_t rank) {
    std::vector<std::string> indexes;
    for (std::size_t axis = 0; axis < rank; ++axis) {
        indexes.push_back(dimension_name(axis));
    }
    return indexes;
}

std::string renamed(std::string_view text, const std::vector<std::string> &from, const std::vector<std::string> &to) {
    std::vector<std::string> changed_from;
    std::vector<std::string> changed_to;
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (from[i] != to[i]) {
            changed_from.push_back(from[i]);
            changed_to.push_back(to[i]);
        }
    }
    return changed_from.empty() ? std::string(text)
                                : fmt::format("rename({},({}),({}))", text, joined(changed_from), joined(changed_to));
}

std::string moved(std::string_view text, const Axes &to) {
    std::vector<std::string> names;
    for (const std::size_t axis : to) {
        names.push_back(dimension_name(axis));
    }
    return renamed(text, own_indexes(to.size()), names);
}

std::optional<Shape> broadcast(const Shape &a, const Shape &b) {
    Shape result(std::max(a.size(), b.size()), 1);
    for (const Shape *shape : {&a, &b}) {
        const std::size_t first = result.size() - shape->size();
        for (std::size_t axis = 0; axis < shape->size(); ++axis) {
            std::int64_t &size = result[first + axis];
            if ((*shape)[axis] != 1 && size != 1 && size != (*shape)[axis]) {
                return std::nullopt;
            }
            size = size == 1 ? (*shape)[axis] : size;
        }
    }
    return result;
}

std::string aligned(const Value &value, const Shape &result) {
    const std::size_t first = result.size() - value.rank();
    std::vector<bool> gone(value.rank());
    std::vector<std::string> names;
    for (std::size_t axis = 0; axis < value.rank(); ++axis) {
        gone[axis] = value.shape[axis] == 1 && result[first + axis] != 1;
        names.push_back(dimension_name(first + axis));
    }
    return without_axes(value.text, value.shape, gone, names);
}

std::string broadcast_to(const Value &value, const Shape &result) {
    const std::size_t first = result.size() - value.rank();
    std::vector<std::string> missing;
    for (std::size_t axis = 0; axis < result.size(); ++axis) {
        if (axis < first || (value.shape[axis - first] == 1 && result[axis] != 1)) {
            missing.push_back(fmt::format("d{}[{}]", axis, result[axis]));
        }
    }
    return with_ones(aligned(value, result), missing);
}

std::string reshaped(const Value &value, const Shape &shape) {
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
    std::vector<std::string> ones;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (shape[axis] == 1) {
            ones.push_back(fmt::format("d{}[1]", axis));
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
        return with_ones(without_axes(value.text, value.shape, gone, names), ones);
    }
    std::vector<std::string> indexes(value.rank(), "0");
    for (const AxisGroup &group : groups_of(from, to)) {
        std::string linear = dimension_name(kept_to[group.to_begin]);
        for (std::size_t j = group.to_begin + 1; j < group.to_end; ++j) {
            linear = fmt::format("({})*{}+d{}", linear, to[j], kept_to[j]);
        }
        std::int64_t stride = 1;
        for (std::size_t i = group.from_end; i-- > group.from_begin;) {
            std::string index = stride == 1 ? linear : fmt::format("floor(({})/{})", linear, stride);
            if (i > group.from_begin) {
                index = fmt::format("fmod({},{})", index, from[i]);
            }
            indexes[kept_from[i]] = index;
            stride *= from[i];
        }
    }
    return generator(info(value.type).cell_type, shape, cell_at(value.text, indexes));
}

std::string dimension_list(const Axes &axes) {
    std::vector<std::string> names;
    for (const std::size_t axis : axes) {
        names.push_back(dimension_name(axis));
    }
    return joined(names);
}

}  // namespace tenrex::onnx

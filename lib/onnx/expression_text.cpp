#include "lib/onnx/expression_text.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace tenrex::onnx {

namespace {

std::string joined(const std::vector<std::string> &parts) {
    return fmt::format("{}", fmt::join(parts, ","));
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

std::string wrapped(ElementType type, std::string_view whole) {
    const double modulus = std::ldexp(1.0, static_cast<int>(8 * info(type).bytes));
    const std::string rest = fmt::format("({0})-floor(({0})/{1})*{1}", whole, modulus);
    return is_unsigned(type) ? rest
                             : fmt::format("(({0})+{1})-floor((({0})+{1})/{2})*{2}-{1}", whole, modulus / 2, modulus);
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

std::string elements_at(const Value &value, const Shape &shape, const std::vector<std::string> &indexes) {
    return generator(info(value.type).cell_type, shape, cell_at(value.text, indexes));
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
            const bool are_open = is_open(size) && is_open((*shape)[axis]);  // they are compared when values are there
            if ((*shape)[axis] != 1 && size != 1 && size != (*shape)[axis] && !are_open) {
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

std::string broadcast_to(const Value &value, const Shape &result, const OpenSizes &sizes) {
    const std::size_t first = result.size() - value.rank();
    Axes missing;
    for (std::size_t axis = 0; axis < result.size(); ++axis) {
        if (axis < first || (value.shape[axis - first] == 1 && result[axis] != 1)) {
            missing.push_back(axis);
        }
    }
    return with_ones(aligned(value, result), missing, result, sizes);
}

std::string filled(double number, const Shape &shape, const OpenSizes &sizes) {
    Axes axes(shape.size());
    std::iota(axes.begin(), axes.end(), 0);
    return with_ones(number_text(number), axes, shape, sizes);
}

std::string taken(const Value &value, const std::map<std::size_t, std::string> &at, const Axes &to) {
    std::vector<std::string> names;
    std::vector<std::string> places;
    std::string before;  // so that names keep the order of the axes, and cells stay where they are
    for (std::size_t axis = 0; axis < value.rank(); ++axis) {
        const auto named = at.find(axis);
        if (named == at.end()) {
            before = dimension_name(to[axis]);
            names.push_back(before);
        } else {
            names.push_back(fmt::format("{}at{}", before, axis));
            places.push_back(fmt::format("{}:({})", names.back(), named->second));
        }
    }
    const std::string text = renamed(value.text, own_indexes(value.rank()), names);
    return places.empty() ? text : fmt::format("{}{{{}}}", text, joined(places));
}

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

std::string with_ones(std::string text, const Axes &missing, const Shape &shape, const OpenSizes &sizes) {
    std::vector<std::string> fixed;
    for (const std::size_t axis : missing) {
        if (is_open(shape[axis])) {
            text = fmt::format("({}*{})", sizes.ones(shape[axis], dimension_name(axis)), text);
        } else {
            fixed.push_back(fmt::format("d{}[{}]", axis, shape[axis]));
        }
    }
    return fixed.empty() ? text : fmt::format("(tensor<int8>({})(1)*{})", joined(fixed), text);
}

std::string indexes_along(const Shape &shape, std::size_t axis, const OpenSizes &sizes) {
    const std::string name = dimension_name(axis);
    return is_open(shape[axis]) ? sizes.indexes(shape[axis], name)
                                : fmt::format("tensor({0}[{1}])({0})", name, shape[axis]);
}

std::string sizes_text(const Shape &shape, const std::vector<double> &numbers, const OpenSizes &sizes) {
    std::vector<std::string> cells;
    for (const double number : numbers) {
        const std::int64_t size = size_of(number);
        cells.push_back(is_open(size) ? fmt::format("reduce({},sum,d0)", sizes.ones(size, "d0")) : number_text(number));
    }
    std::vector<std::string> dimensions;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        dimensions.insert(dimensions.begin(), fmt::format("d{}[{}]", axis, shape[axis]));
        std::vector<std::string> lists;
        const auto count = static_cast<std::size_t>(shape[axis]);
        for (std::size_t first = 0; first < cells.size(); first += count) {
            lists.push_back(
                fmt::format("[{}]", fmt::join(cells.begin() + static_cast<std::ptrdiff_t>(first),
                                              cells.begin() + static_cast<std::ptrdiff_t>(first + count), ",")));
        }
        cells = std::move(lists);
    }
    return shape.empty() ? cells.front() : fmt::format("tensor({}):{}", joined(dimensions), cells.front());
}

std::string dimension_list(const Axes &axes) {
    std::vector<std::string> names;
    for (const std::size_t axis : axes) {
        names.push_back(dimension_name(axis));
    }
    return joined(names);
}

}  // namespace tenrex::onnx

// Operators that keep the elements and their order, and name their axes anew.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "lib/onnx/operators.h"

namespace tenrex::onnx {

namespace {

bool output_reshaped(NodeContext &context, const Value &x, const Shape &shape) {
    if (x.text.empty()) {  // without elements
        return context.output_known(x.type, shape, {});
    }
    const auto text = reshaped(x, shape, context.open_sizes());
    return text ? context.output(x.type, shape, *text)
                : context.fail_open(fmt::format("what it makes of a shape {}", context.text_of(x.shape)), shape);
}

// The shape with numbers for the sizes that it copies or leaves open. Nothing: told.
std::optional<Shape> resolved(NodeContext &context, const Value &x, const Shape &wanted, bool keeps_zeros) {
    Shape shape = wanted;
    std::optional<std::size_t> rest;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (shape[axis] == 0 && !keeps_zeros && axis < x.rank()) {
            shape[axis] = x.shape[axis];
        }
        const bool is_left = shape[axis] == -1;
        if ((shape[axis] < -1 && !is_open(shape[axis])) || (is_left && rest)) {
            context.fail(fmt::format("it cannot have the shape {}", context.text_of(wanted)));
            return std::nullopt;
        }
        rest = is_left ? axis : rest;
    }
    if (rest) {
        shape[*rest] = 1;
        const bool is_empty = elements_of(x.shape) == 0;
        shape[*rest] = is_empty ? 0 : rest_of(x.shape, shape).value_or(0);
    }
    const bool fits =
        has_open(x.shape) || has_open(shape) ? rest_of(x.shape, shape) == 1 : elements_of(shape) == x.elements();
    if (!fits) {
        context.fail(
            fmt::format("a tensor of shape {} cannot have the shape {}: {}", context.text_of(x.shape),
                        context.text_of(wanted),
                        has_open(x.shape) ? "an axis whose size comes with the values is split, or joined with "
                                            "another"
                                          : "the number of elements differs"),
            "was the model exported with a fixed length?");
        return std::nullopt;
    }
    return shape;
}

}  // namespace

bool import_reshape(NodeContext &context) {
    const Value &x = context.input(0);
    std::optional<std::vector<std::int64_t>> wanted;
    if (!context.integers_of("shape", 1, wanted)) {
        return false;
    }
    if (!wanted) {
        return context.fail("it has no shape");
    }
    const auto shape = resolved(context, x, *wanted, context.integer("allowzero", 0) != 0);
    return shape && output_reshaped(context, x, *shape);
}

bool import_flatten(NodeContext &context) {
    const Value &x = context.input(0);
    const std::int64_t named = context.integer("axis", 1);
    const std::int64_t axis = named < 0 ? named + static_cast<std::int64_t>(x.rank()) : named;
    if (axis < 0 || axis > static_cast<std::int64_t>(x.rank())) {
        return context.fail(fmt::format("there is no axis {} in a tensor with {} axes", named, x.rank()));
    }
    if (has_open(x.shape)) {
        const auto rows = rest_of({x.shape.begin(), x.shape.begin() + axis}, {});
        const auto columns = rest_of({x.shape.begin() + axis, x.shape.end()}, {});
        return rows && columns ? output_reshaped(context, x, {*rows, *columns})
                               : context.fail_open("the shape of its input", x.shape);
    }
    const auto rows = static_cast<std::int64_t>(elements_of({x.shape.begin(), x.shape.begin() + axis}));
    const auto columns = static_cast<std::int64_t>(elements_of({x.shape.begin() + axis, x.shape.end()}));
    return output_reshaped(context, x, {rows, columns});
}

bool import_squeeze(NodeContext &context) {
    const Value &x = context.input(0);
    std::optional<std::vector<std::int64_t>> list;
    if (!context.integers_of("axes", 1, list)) {
        return false;
    }
    Axes axes;
    if (list) {
        const auto named = context.axes(*list, x.rank());
        if (!named) {
            return false;
        }
        axes = *named;
    }
    Shape shape;
    for (std::size_t axis = 0; axis < x.rank(); ++axis) {
        const bool is_named = std::find(axes.begin(), axes.end(), axis) != axes.end();
        if (is_named && x.shape[axis] != 1) {
            return context.fail(fmt::format("axis {} has {} indexes, so it cannot be left out", axis,
                                            context.open_sizes().text(x.shape[axis])));
        }
        if (list ? !is_named : x.shape[axis] != 1) {
            shape.push_back(x.shape[axis]);
        }
    }
    return output_reshaped(context, x, shape);
}

bool import_unsqueeze(NodeContext &context) {
    const Value &x = context.input(0);
    std::optional<std::vector<std::int64_t>> list;
    if (!context.integers_of("axes", 1, list)) {
        return false;
    }
    const std::size_t rank = x.rank() + (list ? list->size() : 0);
    const auto axes = context.axes(list.value_or(std::vector<std::int64_t>{}), rank);
    if (!axes) {
        return false;
    }
    Shape shape;
    std::size_t next = 0;
    for (std::size_t axis = 0; axis < rank; ++axis) {
        shape.push_back(std::find(axes->begin(), axes->end(), axis) == axes->end() ? x.shape[next++] : 1);
    }
    return output_reshaped(context, x, shape);
}

bool import_transpose(NodeContext &context) {
    const Value &x = context.input(0);
    Axes order(x.rank());
    std::iota(order.begin(), order.end(), 0);
    std::reverse(order.begin(), order.end());
    if (const auto list = context.integers("perm")) {
        const auto named = context.axes(*list, x.rank());
        if (!named || named->size() != x.rank()) {
            return named && context.fail("its permutation does not name each axis once");
        }
        order = *named;
    }
    Axes to(x.rank());
    Shape shape;
    for (std::size_t i = 0; i < order.size(); ++i) {
        to[order[i]] = i;
        shape.push_back(x.shape[order[i]]);
    }
    if (!context.output(x.type, shape, moved(x.text, to))) {
        return false;
    }
    Value &turned = context.results().back();
    if (x.is_constant && x.rank() == 2 && order == Axes{1, 0} && turned.text != x.text) {
        turned.turned = x.text;
    }
    return true;
}

bool import_expand(NodeContext &context) {
    const Value &x = context.input(0);
    const auto wanted = context.known_integers(1);
    if (!wanted) {
        return false;
    }
    const auto shape = broadcast(x.shape, *wanted);
    return shape ? context.output_copies(x, *shape)
                 : context.fail(fmt::format("a tensor of shape {} cannot be broadcast to {}", context.text_of(x.shape),
                                            context.text_of(*wanted)));
}

// As a reshape, a transpose and a reshape: blocks of an axis become places of two others, or the other way round.
bool import_blocks(NodeContext &context, const Shape &split, const Axes &order, const Shape &shape) {
    const Value &x = context.input(0);
    if (x.text.empty()) {
        return context.output_known(x.type, shape, {});
    }
    const auto parts = context.part(x.type, split, *reshaped(x, split, context.open_sizes()));
    if (!parts) {
        return false;
    }
    Axes to(order.size());
    Shape turned;
    for (std::size_t i = 0; i < order.size(); ++i) {
        to[order[i]] = i;
        turned.push_back(split[order[i]]);
    }
    const auto moved_parts = context.part(x.type, turned, moved(parts->text, to));
    return moved_parts && context.output(x.type, shape, *reshaped(*moved_parts, shape, context.open_sizes()));
}

bool import_depth_to_space(NodeContext &context) {
    const Shape &shape = context.input(0).shape;
    const std::int64_t size = context.integer("blocksize", 0);
    if (shape.size() != 4 || size <= 0 || shape[1] % (size * size) != 0) {
        return context.fail("its input needs four axes, the second of them divisible by the square of the block size");
    }
    const std::int64_t depth = shape[1] / (size * size);
    const Shape result{shape[0], depth, shape[2] * size, shape[3] * size};
    if (context.text("mode", "DCR") == "CRD") {
        return import_blocks(context, {shape[0], depth, size, size, shape[2], shape[3]}, {0, 1, 4, 2, 5, 3}, result);
    }
    return import_blocks(context, {shape[0], size, size, depth, shape[2], shape[3]}, {0, 3, 4, 1, 5, 2}, result);
}

bool import_space_to_depth(NodeContext &context) {
    const Shape &shape = context.input(0).shape;
    const std::int64_t size = context.integer("blocksize", 0);
    if (shape.size() != 4 || size <= 0 || shape[2] % size != 0 || shape[3] % size != 0) {
        return context.fail("its input needs four axes, the last two of them divisible by the block size");
    }
    const bool depth_first = context.text("mode", "DCR") == "CRD";
    return import_blocks(context, {shape[0], shape[1], shape[2] / size, size, shape[3] / size, size},
                         depth_first ? Axes{0, 1, 3, 5, 2, 4} : Axes{0, 3, 5, 1, 2, 4},
                         {shape[0], shape[1] * size * size, shape[2] / size, shape[3] / size});
}

}  // namespace tenrex::onnx

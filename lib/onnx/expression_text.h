// Pieces of expressions over the values of a model, as text.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/onnx/open_sizes.h"
#include "lib/onnx/value.h"

namespace tenrex::onnx {

using Axes = std::vector<std::size_t>;

// A number as the language reads it back: also infinities and NaN, as quotients.
std::string number_text(double number);
// A whole number without the part that its type cannot hold: the bits that are left.
std::string wrapped(ElementType type, std::string_view whole);
// "tensor<float>(d0[2],d1[3])(body)"; of a shape without axes "(body)".
std::string generator(CellType cell_type, const Shape &shape, std::string_view body);
// The cell at an index for each axis: "v{d0:(...),d1:(...)}".
std::string cell_at(std::string_view text, const std::vector<std::string> &indexes);
// The elements at an index for each axis, in a generator of the shape.
std::string elements_at(const Value &value, const Shape &shape, const std::vector<std::string> &indexes);
// The index of each axis of a generator itself: "d0", "d1", ...
std::vector<std::string> own_indexes(std::size_t rank);

// rename(v,(d0,d1),(to[0],to[1])); the text itself if all names stay.
std::string renamed(std::string_view text, const std::vector<std::string> &from, const std::vector<std::string> &to);
// Axis i becomes axis to[i].
std::string moved(std::string_view text, const Axes &to);
// The shape that broadcasting gives; nothing: the shapes do not fit.
std::optional<Shape> broadcast(const Shape &a, const Shape &b);
// The value with its axes named as those of the result that it is broadcast to; axes of one index that are more there
// are gone.
std::string aligned(const Value &value, const Shape &result);
// All of its cells in the result's shape.
std::string broadcast_to(const Value &value, const Shape &result, const OpenSizes &sizes);
// A number in each cell of a shape.
std::string filled(double number, const Shape &shape, const OpenSizes &sizes);
// Without the axes of one index that are gone, the others under new names.
std::string without_axes(std::string_view text, const Shape &shape, const std::vector<bool> &gone,
                         const std::vector<std::string> &names);
// Multiplied by ones along axes of the shape that the text lacks.
std::string with_ones(std::string text, const Axes &missing, const Shape &shape, const OpenSizes &sizes);
// The same elements in the same order with other axes, of the same number in all. Nothing: an open axis would be split,
// or joined with another.
std::optional<std::string> reshaped(const Value &value, const Shape &shape, const OpenSizes &sizes);
// The elements at indexes of some axes, which are numbers or tensors over axes of the result; an axis that is not named
// becomes axis to[i].
std::string taken(const Value &value, const std::map<std::size_t, std::string> &at, const Axes &to);
// The number of each index of an axis, over that axis.
std::string indexes_along(const Shape &shape, std::size_t axis, const OpenSizes &sizes);
// Whole numbers, some of which are open sizes.
std::string sizes_text(const Shape &shape, const std::vector<double> &numbers, const OpenSizes &sizes);
// (x - avg) / sqrt(var + epsilon) over some axes.
std::string standardized(std::string_view x, std::string_view over, double epsilon);
// "d1,d2"
std::string dimension_list(const Axes &axes);

}  // namespace tenrex::onnx

// A tensor of a model while it is imported: a symbol of the expressions that are made, and what is known of it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lib/onnx/tensor_data.h"

namespace tenrex::onnx {

bool has_open_elements(ElementType type, const std::vector<double> &numbers) noexcept;

struct Value {
    ElementType type = ElementType::f32;
    Shape shape;
    // A symbol for a tensor with the dimensions d0, d1, ... in the order of the axes; for a number without axes. Empty
    // if there are no elements: such a value only decides shapes.
    std::string text;
    // The elements, if they depend on no input of the model and are few. Of whole numbers some may be open sizes
    // (open_sizes.h), which the text has as numbers when values are there.
    std::shared_ptr<const std::vector<double>> known;
    // If the elements are copies along some axes: those that are copied. What computes each element of its own place
    // alone computes these, and copies its result (copies.h).
    std::shared_ptr<const Value> copied = nullptr;
    // Whether it depends on no input of the model, however many elements it has.
    bool is_constant = false;
    // Not empty: it is a matrix of weights that stands in the file with its axes in the other order, as this constant.
    std::string turned = {};
    // Not empty: why the value cannot be had. It is an error if a node uses it, and an output of the model is left out.
    std::string refusal = {};

    std::size_t rank() const noexcept { return shape.size(); }
    std::uint64_t elements() const noexcept { return elements_of(shape); }
    // Whether some of the known elements are sizes that come with the values.
    bool has_open_elements() const noexcept;
};

}  // namespace tenrex::onnx

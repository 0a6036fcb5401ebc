// Sizes that come with the values: those of axes that are open dimensions. They stand among other sizes in shapes, and
// among whole numbers where a model computes with its shapes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/onnx/tensor_data.h"

namespace tenrex::onnx {

inline constexpr std::size_t most_open_sizes = 64;

constexpr std::int64_t open_size(std::size_t number) noexcept {
    return std::numeric_limits<std::int64_t>::min() + static_cast<std::int64_t>(number);
}
constexpr bool is_open(std::int64_t size) noexcept {
    return size < open_size(most_open_sizes);
}
bool has_open(const Shape &shape) noexcept;
// As an element of a tensor of whole numbers: none but these have a fraction.
double element_of(std::int64_t size) noexcept;
// The largest and the smallest integers stand for what is beyond them.
std::int64_t size_of(double element) noexcept;
bool is_open_element(double element) noexcept;
// The size that gives, with those that are taken, as many elements as all. Nothing: there is none, or it would be a
// product of an open one with others.
std::optional<std::int64_t> rest_of(const Shape &all, const Shape &taken);

// Those of a model, by their numbers: sizes of axes of inputs, and sums of those and a number. Each has two
// definitions: a tensor of ones, and one of the numbers from 0 on.
class OpenSizes {
public:
    explicit OpenSizes(std::string_view model) : model_(model) {}

    // A new one. There are fewer than the most.
    std::int64_t add(std::string_view name);
    std::size_t count() const noexcept { return names_.size(); }
    // Of sizes that are numbers or open. One that is new, and open, has no definitions yet. Nothing: there are too
    // many.
    std::optional<std::int64_t> sum(std::int64_t a, std::int64_t b);
    // Nothing: it is not known to be a size, as the length of a text without two tokens.
    std::optional<std::int64_t> difference(std::int64_t a, std::int64_t b);
    // Ones of a sum, made of those of its parts.
    std::string ones_of_parts(std::int64_t size) const;
    // As a number when values are there.
    std::string number(std::int64_t size) const;
    // "[1,sequence,384]"
    std::string text(const Shape &shape) const;
    std::string text(std::int64_t size) const;
    // The symbols of its definitions, over the dimension d0.
    std::string ones_symbol(std::int64_t size) const;
    std::string indexes_symbol(std::int64_t size) const;
    // The same over another dimension.
    std::string ones(std::int64_t size, std::string_view dimension) const;
    std::string indexes(std::int64_t size, std::string_view dimension) const;

private:
    // Sizes of axes, by number, each as often as it is added, and what is added to them.
    struct Sum {
        std::vector<std::size_t> sizes;
        std::int64_t more = 0;
        friend bool operator==(const Sum &, const Sum &) = default;
    };
    // Nothing: it is larger than sizes are, or none of these.
    std::optional<Sum> parts_of(std::int64_t size) const;
    std::optional<std::int64_t> find_or_add(Sum sum);

    std::string_view model_;
    std::vector<std::string> names_;
    std::vector<Sum> sums_;
};

}  // namespace tenrex::onnx

// Where the cells of a value stand: what readers of addresses look up by the name of a dimension.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/tensor_type.h>

#include "lib/types/text_reader.h"

namespace tenrex {

struct DimensionLayout {
    std::string name;
    std::uint64_t size = 0;  // of an indexed dimension
    std::size_t mapped = 0;  // of a mapped dimension: its place among the mapped dimensions of the type
    std::size_t stride = 0;  // of an indexed dimension: how many cells one index counts in a block
    Dimension::Kind kind = Dimension::Kind::mapped;

    bool is_mapped() const noexcept { return kind == Dimension::Kind::mapped; }
    // "x{}" or "x[3]"
    std::string to_string() const { return Dimension{name, size, kind}.to_string(); }
};

// What is wrong with a list that has fewer elements than its dimension, or fewer cells than a block. Every form of a
// value refuses it: data that is too short was made for another type. (A literal in an expression is filled with
// zeros.)
std::string too_few_elements(std::uint64_t count, const DimensionLayout &dimension, const TensorType &type);
std::string too_few_cells(std::uint64_t count, const TensorType &type);
inline constexpr std::string_view too_few_hint = "a value has all its cells: write those that are 0, too";

// The dimensions of a type in its order.
std::vector<DimensionLayout> layout_of(const TensorType &type);

// The labels of an address that is being read. It keeps those that do not stand in the source text.
class AddressText {
public:
    explicit AddressText(std::size_t mapped_count = 0) : labels_(mapped_count), unescaped_(mapped_count) {}

    const std::vector<std::string_view> &labels() const noexcept { return labels_; }
    void set(std::size_t mapped, TextToken &token);

private:
    std::vector<std::string_view> labels_;
    std::vector<std::string> unescaped_;
};

// Reads the text of a label as an index of the dimension. False: the reader has the error.
bool read_index(TextReader &in, const TextToken &label, const DimensionLayout &dimension, std::uint64_t &index);

}  // namespace tenrex

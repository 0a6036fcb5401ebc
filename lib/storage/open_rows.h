// Values with open dimensions as rows: one after the other for each combination of their indexes, with the cells of all
// other dimensions side by side. Columns and graphs have them so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <tenrex/result.h>
#include <tenrex/tensor.h>
#include <tenrex/tensor_type.h>

namespace tenrex {

// The open dimensions become mapped: a row has the indexes as its labels.
TensorType type_of_rows(const TensorType &declared);

// How rows lie in the block of a value whose type fits a declared one without mapped dimensions.
class RowLayout {
public:
    RowLayout(const TensorType &value, const TensorType &declared);

    std::size_t rows() const noexcept { return rows_; }
    // Of each open dimension, in the order of their names; the last is the innermost.
    std::span<const std::uint64_t> sizes() const noexcept { return sizes_; }
    // Copies the block of a value to rows, and the row of one combination of indexes to where it belongs in a block.
    void copy_to_rows(const void *block, std::byte *rows) const noexcept;
    void copy_from_row(const std::byte *row, std::size_t number, void *block) const noexcept;

private:
    struct Axis {
        std::size_t size;
        std::size_t step;  // bytes in the block
    };
    static std::size_t place_of(std::span<const Axis> axes, std::size_t number) noexcept;

    std::size_t rows_ = 1;
    std::size_t parts_ = 1;       // of a row, which do not lie side by side in the block
    std::size_t part_bytes_ = 0;  // of each
    std::vector<std::uint64_t> sizes_;
    std::vector<Axis> open_, apart_;  // the innermost one last
};

// An error if one of several open dimensions has no indexes and another one has: rows do not tell how many.
Status check_sizes(const TensorType &value, const TensorType &declared);

// The value as its rows.
Tensor as_rows(const Tensor &value, const TensorType &declared);

// The type of a value with these sizes of the open dimensions, in the order of their names.
TensorType type_with_sizes(const TensorType &declared, std::span<const std::uint64_t> sizes);

// The place of a row among those of a value.
template <class Labels>
std::size_t row_number(const Labels *labels, std::span<const std::uint64_t> sizes) noexcept {
    std::size_t number = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        number = number * sizes[i] + static_cast<std::size_t>(labels[i]);
    }
    return number;
}

}  // namespace tenrex

// The type of a tensor: its cell type and its named dimensions. A tensor without dimensions is a scalar, a double.
//
//   auto type = tenrex::TensorType::parse("tensor<float>(y[2], x{})");
//   type->to_string();   // "tensor<float>(x{},y[2])": dimensions sorted, <double> left out
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenrex/cell_type.h>
#include <tenrex/export.h>
#include <tenrex/limits.h>
#include <tenrex/result.h>

namespace tenrex {

// A dimension is mapped (sparse; string labels) or indexed (dense; 0 .. size-1). An indexed dimension of a declared
// type may be open: its size comes with each value.
struct Dimension {
    enum class Kind : std::uint8_t { mapped, indexed, open };

    std::string name;
    std::uint64_t size = 0;  // number of indexes of an indexed dimension that is not open, else 0
    Kind kind = size == 0 ? Kind::mapped : Kind::indexed;

    static Dimension open(std::string name) { return {std::move(name), 0, Kind::open}; }
    // Of a value, which may have no index at all.
    static Dimension indexed(std::string name, std::uint64_t size) { return {std::move(name), size, Kind::indexed}; }

    bool is_mapped() const noexcept { return kind == Kind::mapped; }
    bool is_indexed() const noexcept { return kind != Kind::mapped; }
    bool is_open() const noexcept { return kind == Kind::open; }
    bool is_trivial() const noexcept { return size == 1; }
    // "x{}", "x[3]" or "x[]"
    std::string to_string() const;

    friend bool operator==(const Dimension &, const Dimension &) = default;
};

class TENREX_EXPORT TensorType {
public:
    // The type of a scalar: double.
    TensorType() = default;

    // Reads a type specification such as "double" or "tensor<float>(x[3],y{})". White space is free.
    static Result<TensorType> parse(std::string_view text, const Limits &limits = {});
    // Sorts the dimensions by name (bytes). Errors: a bad or repeated name, more cells or dimensions than the limits
    // allow, no dimension but a cell type other than double.
    static Result<TensorType> make(CellType cell_type, std::vector<Dimension> dimensions, const Limits &limits = {});

    CellType cell_type() const noexcept { return cell_type_; }
    // Sorted by name.
    const std::vector<Dimension> &dimensions() const noexcept { return dimensions_; }

    bool is_scalar() const noexcept { return dimensions_.empty(); }
    bool has_mapped() const noexcept { return mapped_count_ != 0; }
    bool has_indexed() const noexcept { return mapped_count_ != dimensions_.size(); }
    bool is_dense() const noexcept { return !is_scalar() && !has_mapped(); }    // only indexed dimensions
    bool is_sparse() const noexcept { return has_mapped() && !has_indexed(); }  // only mapped dimensions
    bool is_mixed() const noexcept { return has_mapped() && has_indexed(); }
    std::size_t mapped_count() const noexcept { return mapped_count_; }
    std::size_t indexed_count() const noexcept { return dimensions_.size() - mapped_count_; }
    // Whether a dimension is open; no value has such a type, but values of any sizes fit it.
    bool has_open() const noexcept { return open_count_ != 0; }
    std::size_t open_count() const noexcept { return open_count_; }
    // Whether a dimension has no index, which makes sense for values only.
    bool has_empty() const noexcept { return block_cells_ == 0; }
    // Whether a value of this type fits an input of the other: they are the same but for the sizes of open dimensions.
    bool fits(const TensorType &declared) const noexcept;
    // Cells of one dense block: the product of the sizes of the indexed dimensions that are not open; 1 if there are
    // none.
    std::size_t block_cells() const noexcept { return block_cells_; }
    // Position of the dimension of that name in dimensions(), or nothing.
    std::optional<std::size_t> find(std::string_view dimension_name) const noexcept;

    // Canonical text; TensorType::parse reads it back.
    std::string to_string() const;

    friend bool operator==(const TensorType &a, const TensorType &b) noexcept {
        return a.cell_type_ == b.cell_type_ && a.dimensions_ == b.dimensions_;
    }

private:
    std::vector<Dimension> dimensions_;
    std::size_t mapped_count_ = 0;
    std::size_t open_count_ = 0;
    std::size_t block_cells_ = 1;
    CellType cell_type_ = CellType::f64;
};

}  // namespace tenrex

// Loops over the cells of dense blocks.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenrex/tensor_type.h>

#include "lib/kernels/tile/tile_kernels.h"
#include "lib/types/block_layout.h"

namespace tenrex::program {

// Of loops over arrays whose number is known only when a plan is made.
inline constexpr std::size_t any_number = ~std::size_t{0};

// A number for each of several arrays.
template <std::size_t arrays>
using PerArray = std::conditional_t<arrays == any_number, std::vector<std::ptrdiff_t>,
                                    std::array<std::ptrdiff_t, arrays == any_number ? 0 : arrays>>;

// One loop: how many turns, and how far each of several arrays moves on with each, in cells.
template <std::size_t arrays>
struct Axis {
    std::size_t size = 1;
    PerArray<arrays> strides{};
};

// Loops inside each other. The innermost one is kept apart, so that whoever runs them can hand it to a kernel.
template <std::size_t arrays>
class LoopNest {
public:
    LoopNest() = default;
    // Over so many arrays.
    explicit LoopNest(std::size_t count) requires(arrays == any_number) { run_.strides.resize(count); }

    // Adds a loop inside those that are there.
    void add(std::size_t size, PerArray<arrays> strides) {
        if (size == 1) {
            return;
        }
        if (run_.size == 1) {
            run_ = {size, std::move(strides)};
            return;
        }
        bool continues = true;
        for (std::size_t i = 0; i < strides.size(); ++i) {
            continues &= run_.strides[i] == strides[i] * static_cast<std::ptrdiff_t>(size);
        }
        if (continues) {
            run_ = {run_.size * size, std::move(strides)};
        } else {
            outer_.push_back(std::move(run_));
            run_ = {size, std::move(strides)};
        }
    }
    const Axis<arrays> &run() const noexcept { return run_; }
    bool is_single_run() const noexcept { return outer_.empty(); }
    // The loops around the run, outermost first.
    const std::vector<Axis<arrays>> &outer() const noexcept { return outer_; }
    std::size_t runs() const noexcept {
        std::size_t product = 1;
        for (const auto &axis : outer_) {
            product *= axis.size;
        }
        return product;
    }

    // Calls visit(offsets) for each run; offsets are in cells.
    template <class Visit>
    void for_each_run(const Visit &visit) const requires(arrays != any_number) {
        PerArray<arrays> offsets{};
        if (outer_.empty()) {
            visit(offsets);
            return;
        }
        visit_level(0, offsets, visit);
    }
    // The same for any number of arrays; `offsets` has a 0 for each, before and afterwards.
    template <class Visit>
    void for_each_run(std::ptrdiff_t *offsets, const Visit &visit) const requires(arrays == any_number) {
        if (outer_.empty()) {
            visit();
            return;
        }
        visit_in_place(0, offsets, visit);
    }

private:
    template <class Visit>
    void visit_level(std::size_t level, PerArray<arrays> offsets, const Visit &visit) const {
        const Axis<arrays> &axis = outer_[level];
        for (std::size_t i = 0; i < axis.size; ++i) {
            if (level + 1 == outer_.size()) {
                visit(offsets);
            } else {
                visit_level(level + 1, offsets, visit);
            }
            for (std::size_t array = 0; array < arrays; ++array) {
                offsets[array] += axis.strides[array];
            }
        }
    }

    // Takes back what it adds: numbers that are set to 0 in one piece take long to read at once.
    template <class Visit>
    void visit_in_place(std::size_t level, std::ptrdiff_t *offsets, const Visit &visit) const {
        const Axis<arrays> &axis = outer_[level];
        for (std::size_t i = 0; i < axis.size; ++i) {
            if (level + 1 == outer_.size()) {
                visit();
            } else {
                visit_in_place(level + 1, offsets, visit);
            }
            for (std::size_t array = 0; array < axis.strides.size(); ++array) {
                offsets[array] += axis.strides[array];
            }
        }
        for (std::size_t array = 0; array < axis.strides.size(); ++array) {
            offsets[array] -= axis.strides[array] * static_cast<std::ptrdiff_t>(axis.size);
        }
    }

    std::vector<Axis<arrays>> outer_;
    Axis<arrays> run_;
};

// Copies cells of any type from one layout to another: array 0 is written, array 1 is read.
class CopyNest {
public:
    CopyNest() = default;
    CopyNest(std::size_t cell_bytes, kernels::Isa isa)
        : cell_bytes_(cell_bytes), transpose_(kernels::choose_tiles(isa).transpose(cell_bytes)) {}
    // For the cells of a block of `to`, what `from` has at the same indexes. A dimension that `from` lacks repeats.
    CopyNest(const TensorType &to, const TensorType &from, kernels::Isa isa);

    void add(std::size_t size, std::ptrdiff_t to_stride, std::ptrdiff_t from_stride) {
        nest_.add(size, {to_stride, from_stride});
        find_order();
    }
    void run(std::byte *to, const std::byte *from) const;
    // Copies a single cell from each of several blocks into several others; false if the nest is more than that.
    bool run_single(std::byte *to, std::ptrdiff_t to_step, const std::byte *from, std::ptrdiff_t from_step,
                    std::size_t count) const;
    // Nothing but one copy of so many bytes from front to back; 0 if it is more than that.
    std::size_t contiguous_bytes() const noexcept;

private:
    // Which loops a function of its own has: over the rows and the columns of a matrix that the copy transposes, as
    // along one the cells read are neighbours, along the other those written; or over rows of neighbours.
    enum class Order : std::uint8_t { any, transposed, in_rows };
    void find_order();
    // The loops but for these two.
    void find_around(const std::vector<Axis<2>> &axes, const Axis<2> *first, const Axis<2> *second);

    LoopNest<2> nest_;
    std::size_t cell_bytes_ = 1;
    kernels::TransposeFunction *transpose_ = nullptr;
    Order order_ = Order::any;
    // Of a matrix: along which cells are neighbours where they are written; where they are read. Of rows: which there
    // are; their cells.
    Axis<2> rows_, columns_;
    LoopNest<2> around_;  // the other loops
};

}  // namespace tenrex::program

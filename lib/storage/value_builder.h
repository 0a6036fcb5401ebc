// Makes a value from cells that come in any order. Of several cells with the same address the first one counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include <tenrex/limits.h>
#include <tenrex/tensor.h>

#include "lib/storage/cell_memory.h"

namespace tenrex {

class ValueBuilder {
public:
    // A dense type must keep to the limits (check_cells). may_repeat: an address may come twice.
    ValueBuilder(const TensorType &type, const Limits &limits, bool may_repeat);

    const TensorType &type() const noexcept { return builder_.type(); }
    // The number of the block with that address, one label per mapped dimension, which may be new; nothing if the value
    // would have more cells than the limits allow.
    std::optional<std::size_t> block(std::span<const std::string_view> address);
    // Sets a cell unless it was set before.
    void set(std::size_t block, std::size_t index, double value) noexcept {
        if (!may_repeat_ || mark(block * type().block_cells() + index)) {
            builder_.set(block, index, value);
        }
    }
    Tensor build() && { return std::move(builder_).build(); }

private:
    struct Release {
        void operator()(std::byte *memory) const noexcept { release_cells(memory); }
    };

    // Remembers that the cell is set; false if it was already.
    bool mark(std::size_t cell) noexcept {
        std::byte &bits = marks_.get()[cell / 8];
        const auto bit = std::byte{1} << (cell % 8);
        const bool is_new = (bits & bit) == std::byte{0};
        bits |= bit;
        return is_new;
    }
    void reserve_marks();

    TensorBuilder builder_;
    std::uint64_t most_blocks_;
    bool may_repeat_;
    std::unique_ptr<std::byte[], Release> marks_;  // one bit a cell
    std::size_t marked_blocks_ = 0;                // blocks that marks_ has room for
};

}  // namespace tenrex

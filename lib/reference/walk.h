// Walks through the cells of a dense block in order and knows where each of them lies in blocks of other layouts.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include <tenrex/tensor_type.h>

namespace tenrex::reference {

// By how many cells a step along the indexed dimension of that name moves in a block of that type; 0 if the type has
// no such indexed dimension.
inline std::size_t stride(const TensorType &type, std::string_view dimension) {
    std::size_t cells = 1;
    for (auto d = type.dimensions().rbegin(); d != type.dimensions().rend(); ++d) {
        if (d->is_indexed()) {
            if (d->name == dimension) {
                return cells;
            }
            cells *= d->size;
        }
    }
    return 0;
}

template <std::size_t layouts>
class Walk {
public:
    // Through a block of type `over`; offset(i) is the place in a block of type *targets[i].
    Walk(const TensorType &over, const std::array<const TensorType *, layouts> &targets) {
        for (const Dimension &dimension : over.dimensions()) {
            if (dimension.is_indexed()) {
                Axis axis{dimension.size, 0, {}};
                for (std::size_t i = 0; i < layouts; ++i) {
                    axis.strides[i] = stride(*targets[i], dimension.name);
                }
                axes_.push_back(axis);
            }
        }
    }

    // Replaces the stride of the indexed dimension number `axis` of `over` (counted among the indexed ones).
    void set_stride(std::size_t axis, std::size_t layout, std::size_t cells) { axes_[axis].strides[layout] = cells; }

    std::size_t offset(std::size_t layout) const noexcept { return offsets_[layout]; }
    std::size_t index(std::size_t axis) const noexcept { return axes_[axis].index; }

    // To the next cell; after the last one comes the first.
    void next() noexcept {
        for (auto axis = axes_.rbegin(); axis != axes_.rend(); ++axis) {
            if (++axis->index < axis->size) {
                for (std::size_t i = 0; i < layouts; ++i) {
                    offsets_[i] += axis->strides[i];
                }
                return;
            }
            for (std::size_t i = 0; i < layouts; ++i) {
                offsets_[i] -= axis->strides[i] * (axis->size - 1);
            }
            axis->index = 0;
        }
    }

private:
    struct Axis {
        std::size_t size;
        std::size_t index;
        std::array<std::size_t, layouts> strides;
    };
    std::vector<Axis> axes_;
    std::array<std::size_t, layouts> offsets_{};
};

}  // namespace tenrex::reference

// What kernels over rows that lie anywhere take: distances from a query to the neighbours of a node in a graph.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tenrex::kernels {

// Combines `row` with `count` of the rows that begin at `rows`, `stride` bytes apart, all of `length` cells: that with
// the number numbers[i] into out[i]. Several planes are rows of `length` cells one after the other. The cells of the
// rows are fetched before they are needed. Nothing needs to be aligned but what is pointed to by type.
struct GatheredRows {
    const void *row = nullptr;
    const void *rows = nullptr;
    std::size_t stride = 0;
    const std::uint32_t *numbers = nullptr;
    std::size_t count = 0;
    std::size_t length = 0;
    float *out = nullptr;
};

// So many bytes of rows are fetched ahead: as many lines as a core waits for at the same time. With more, those that
// are needed first arrive later.
inline constexpr std::size_t bytes_ahead = 2560;

using GatheredFunction = void(const GatheredRows &);

}  // namespace tenrex::kernels

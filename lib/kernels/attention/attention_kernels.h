// The kernels for attention as data: which exist, and which to take.
//
//   const AttentionKernel *kernel = choose_attention(width, allowed_isa());
//   call.room = scratch of attention_room(*kernel, keys, width, columns) bytes
//   kernel->function(call);
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <tenrex/cell_type.h>

#include "lib/kernels/attention/attention.h"
#include "lib/kernels/registry.h"

namespace tenrex::kernels {

struct AttentionKernel : Kernel<AttentionFunction> {
    CellType type;          // of all cells
    std::size_t lanes;      // cells of a vector
    std::size_t most_rows;  // queries that are taken at a time, at the most
};

std::span<const AttentionKernel> attention_kernels() noexcept;

// What a kernel needs beside its operands.
constexpr std::size_t attention_room(const AttentionKernel &kernel, std::size_t keys, std::size_t width,
                                     std::size_t columns) noexcept {
    const auto whole = [&](std::size_t cells) { return (cells + kernel.lanes - 1) / kernel.lanes * kernel.lanes; };
    const std::size_t scores = kernel.most_rows * (whole(keys) + kernel.lanes);
    return (whole(keys) * width + keys * whole(columns) + scores) * byte_size(kernel.type);
}

// The cheapest kernel for keys of so many cells; there always is one.
const AttentionKernel *choose_attention(std::size_t width, Isa isa) noexcept;

// The same with everything that was considered, the chosen one first.
std::vector<Candidate<AttentionKernel>> attention_candidates(std::size_t width, Isa isa);

}  // namespace tenrex::kernels

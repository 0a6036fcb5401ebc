// The kernels for attention as data: which exist, and which to take.
//
//   const AttentionKernel *kernel = choose_attention(CellType::f32, width, allowed_isa());
//   call.room = scratch of attention_room(*kernel, keys, width, columns) bytes
//   kernel->function(call);
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <tenrex/cell_type.h>

#include "lib/kernels/attention/attention.h"
#include "lib/kernels/registry.h"

namespace tenrex::kernels {

struct AttentionKernel : Kernel<AttentionFunction> {
    CellType type;          // of queries, keys, values and weights
    std::size_t lanes;      // cells of a vector
    std::size_t most_rows;  // queries that are taken at a time, at the most
};

std::span<const AttentionKernel> attention_kernels() noexcept;

// What a kernel needs beside its operands.
constexpr std::size_t attention_room(const AttentionKernel &kernel, std::size_t keys, std::size_t width,
                                     std::size_t columns) noexcept {
    const bool in_halves = kernel.type == CellType::bf16;
    if (in_halves && target_isa(kernel.target).contains(Feature::avx512_bf16)) {
        return HalvesRoom(keys, width, columns, kernel.most_rows).all() * sizeof(std::int32_t);
    }
    const auto whole = [&](std::size_t cells) { return (cells + kernel.lanes - 1) / kernel.lanes * kernel.lanes; };
    const std::size_t scores = kernel.most_rows * (whole(keys) + kernel.lanes);
    const std::size_t widened = in_halves ? kernel.most_rows * width + keys * std::max(width, columns) : 0;
    return (whole(keys) * width + keys * whole(columns) + scores + widened) * sizeof(float);
}

// The cheapest kernel of a cell type, f32 or bf16, for keys of so many cells; there always is one.
const AttentionKernel *choose_attention(CellType type, std::size_t width, Isa isa) noexcept;

// The same with everything that was considered, the chosen one first.
std::vector<Candidate<AttentionKernel>> attention_candidates(CellType type, std::size_t width, Isa isa);

}  // namespace tenrex::kernels

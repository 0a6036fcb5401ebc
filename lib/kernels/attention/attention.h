// What the kernels for attention take: rows of values, weighted by how well a query matches the keys.
//
// For each head and query
//   score[key] = query . keys[key] * scale, then the mask
//   out = sum over keys of exp(score[key] - max(score)) / sum(exp(score - max(score))) * values[key]
// Scores of all keys are there for a few queries at a time alone, in the first-level cache. Every number is rounded
// where operations one by one would round it, but that the weights are divided by their sum behind the sum over keys.
// No cell of a query depends on the queries beside it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tenrex::kernels {

enum class AttentionMask : std::uint8_t {
    none,
    added,   // to the scores
    chosen,  // a score where the mask is not zero, or else a number
};

struct Attention {
    // Strides are in cells, and may be anything.
    struct Rows {
        const void *cells = nullptr;
        std::ptrdiff_t row = 0;
        std::ptrdiff_t head = 0;
        std::ptrdiff_t cell = 1;
    };
    Rows queries, keys;  // `width` cells each
    Rows values;         // `columns` cells each
    std::size_t heads = 1;
    std::size_t query_count = 0;
    std::size_t key_count = 0;  // without one, the results are 0
    std::size_t width = 1;
    std::size_t columns = 1;
    float scale = 1;
    bool subtracts_max = true;  // or else the powers are those of the scores themselves
    AttentionMask masking = AttentionMask::none;
    float otherwise = 0;  // in the place of a score that is not chosen
    Rows mask;            // a row for each query, with a cell for each key; strides of cells are 0 or 1
    void *out = nullptr;  // overlaps nothing else; the cells of a row are contiguous
    std::ptrdiff_t out_row = 0;
    std::ptrdiff_t out_head = 0;
    void *room = nullptr;  // attention_room() bytes
};

using AttentionFunction = void(const Attention &) noexcept;

}  // namespace tenrex::kernels

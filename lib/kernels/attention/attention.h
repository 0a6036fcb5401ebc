// What the kernels for attention take: rows of values, weighted by how well a query matches the keys.
//
// For each head and query
//   score[key] = query . keys[key] * scale, then the mask
//   out = sum over keys of exp(score[key] - max(score)) / sum(exp(score - max(score))) * values[key]
// Scores of all keys are there for a few queries at a time alone, in the first-level cache. Every number is rounded
// where operations one by one would round it, but that the weights are divided by their sum behind the sum over keys.
// No cell of a query depends on the queries beside it.
//
// Kernels of bfloat16 take such queries, keys and values, whose products are added up as floats, and round weights:
//   out = sum over keys of nearest bfloat16(exp(score[key] - max(score)) / sum(exp(score - max(score)))) * values[key]
// Before they are rounded, powers and weights may be off by 2^-12 of themselves. Products and sums below 2^-125 may be
// taken for zeros.
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
    // Strides are in cells, and may be anything; that from cell to cell is 1 for bfloat16.
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

// What kernels for bfloat16 with instructions for its products need beside their operands, in words of 32 bits.
struct HalvesRoom {
    static constexpr std::size_t lanes = 16;

    constexpr HalvesRoom(std::size_t keys, std::size_t width, std::size_t own_columns, std::size_t most_rows)
        : key_words(whole((width + 1) / 2)),
          value_words(whole((keys + 1) / 2)),
          key_count(whole(keys)),
          columns(whole(own_columns)),
          rows(most_rows) {}
    static constexpr std::size_t whole(std::size_t cells) { return (cells + lanes - 1) / lanes * lanes; }

    constexpr std::size_t keys() const { return key_count * key_words; }
    constexpr std::size_t values() const { return value_words * columns; }
    constexpr std::size_t queries() const { return rows * key_words; }
    constexpr std::size_t weights() const { return rows * value_words; }
    constexpr std::size_t scores() const { return rows * key_count; }
    constexpr std::size_t results() const { return rows * columns; }
    constexpr std::size_t all() const { return keys() + values() + queries() + weights() + scores() + results(); }

    std::size_t key_words;    // of two cells of a key
    std::size_t value_words;  // of a cell of two values
    std::size_t key_count, columns, rows;
};

}  // namespace tenrex::kernels

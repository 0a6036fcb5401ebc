// Numbers of rows, as bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tenrex::retrieval {

class RowSet {
public:
    static constexpr std::size_t word_bits = 64;

    // How many rows there are, in the set or not.
    std::size_t rows() const noexcept { return rows_; }
    void add_row() {
        words_.resize(rows_ / word_bits + 1);
        ++rows_;
    }
    bool contains(std::size_t row) const noexcept { return (words_[row / word_bits] >> row % word_bits & 1) != 0; }
    void insert(std::size_t row) noexcept { words_[row / word_bits] |= std::uint64_t{1} << row % word_bits; }
    void erase(std::size_t row) noexcept { words_[row / word_bits] &= ~(std::uint64_t{1} << row % word_bits); }

    // Bits behind the last row are 0.
    std::span<const std::uint64_t> words() const noexcept { return words_; }
    // There are enough words for the rows.
    void assign(std::span<const std::uint64_t> words, std::size_t rows) {
        words_.assign(words.begin(), words.end());
        rows_ = rows;
    }

private:
    std::vector<std::uint64_t> words_;
    std::size_t rows_ = 0;
};

}  // namespace tenrex::retrieval

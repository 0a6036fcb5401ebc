// The sets of code points that a regular expression names: characters, ranges, categories.
#pragma once

#include <bitset>
#include <cstdint>
#include <vector>

#include "lib/text/code_points.h"

namespace tenrex::text {

class CharacterSet {
public:
    void add(char32_t first, char32_t last);
    // Bits of categories_of: code points that have one of them.
    void add_categories(std::uint32_t bits);
    // What has no white_space_bit, or no word_bit.
    void add_without(std::uint32_t bit);
    // All others; nothing is added afterwards.
    void negate();

    // Code points of at most two bytes are in a table.
    static constexpr char32_t table_size = 0x800;
    bool in_table(char32_t c) const noexcept { return table_[c]; }
    bool holds(char32_t c) const {
        if (c < table_size) {
            return table_[c];
        }
        return (has_one(categories_of(c)) || is_in_range(c)) != is_negated_;
    }
    bool may_hold_longer() const noexcept { return bits_ != 0 || !ranges_.empty() || is_negated_; }

    friend bool operator==(const CharacterSet &, const CharacterSet &) = default;
    // False: there is no code point in both sets.
    friend bool may_share(const CharacterSet &left, const CharacterSet &right);

private:
    struct Range {
        char32_t first;
        char32_t last;
        friend bool operator==(const Range &, const Range &) = default;
    };

    bool has_one(std::uint32_t categories) const noexcept { return ((categories ^ flipped_) & bits_) != 0; }
    bool is_in_range(char32_t c) const noexcept {
        for (const Range range : ranges_) {
            if (c >= range.first && c <= range.last) {
                return true;
            }
        }
        return false;
    }

    std::bitset<table_size> table_{};
    std::uint32_t bits_ = 0;     // of categories_of; one is enough,
    std::uint32_t flipped_ = 0;  // or the lack of one of these
    std::vector<Range> ranges_;  // that are not within the table
    bool is_negated_ = false;
};

}  // namespace tenrex::text

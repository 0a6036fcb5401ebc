#include "lib/text/pattern_set.h"

#include <cstdint>

namespace tenrex::text {

void CharacterSet::add(char32_t first, char32_t last) {
    for (char32_t c = first; c <= last && c < table_size; ++c) {
        table_[c] = true;
    }
    if (last >= table_size) {
        ranges_.push_back({first, last});
    }
}

void CharacterSet::add_categories(std::uint32_t bits) {
    for (char32_t c = 0; c < table_size; ++c) {
        table_[c] = table_[c] || (categories_of(c) & bits) != 0;
    }
    // With a bit and without it: that is all.
    bits_ |= (bits & flipped_) != 0 ? every_category : bits;
}

void CharacterSet::add_without(std::uint32_t bit) {
    for (char32_t c = 0; c < table_size; ++c) {
        table_[c] = table_[c] || (categories_of(c) & bit) == 0;
    }
    if ((bits_ & ~flipped_ & bit) != 0) {
        bits_ |= every_category;
    } else {
        bits_ |= bit;
        flipped_ |= bit;
    }
}

void CharacterSet::negate() {
    table_.flip();
    is_negated_ = !is_negated_;
}

bool may_share(const CharacterSet &left, const CharacterSet &right) {
    if ((left.table_ & right.table_).any() || !left.ranges_.empty() || !right.ranges_.empty()) {
        return true;
    }
    // All that longer code points may have, and some that none has.
    for (std::uint32_t category = 1; category < every_category; category *= 2) {
        for (const std::uint32_t others : {std::uint32_t{0}, white_space_bit, word_bit, white_space_bit | word_bit}) {
            const std::uint32_t bits = category | others;
            if (left.has_one(bits) != left.is_negated_ && right.has_one(bits) != right.is_negated_) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace tenrex::text

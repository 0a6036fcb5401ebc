// Which two tokens of BPE are put together, and in which order: a table with open addressing.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tenrex::text {

struct BpeMerge {
    static constexpr std::int32_t none = INT32_MAX;

    std::int32_t rank = none;  // the smallest is put together first
    std::uint32_t id = 0;      // of the whole
};

class BpeMerges {
public:
    explicit BpeMerges(std::size_t count = 0) : slots_(std::bit_ceil(2 * count + 1)) {}

    // At most as many as told; of equal pairs the last one counts.
    void add(std::uint32_t left, std::uint32_t right, BpeMerge merge) noexcept {
        const std::uint64_t key = key_of(left, right);
        std::size_t at = place_of(key);
        while (slots_[at].merge.rank != BpeMerge::none && slots_[at].key != key) {
            at = (at + 1) & (slots_.size() - 1);
        }
        slots_[at] = {key, merge};
    }

    // Rank `none`: the two stay apart.
    BpeMerge find(std::uint32_t left, std::uint32_t right) const noexcept {
        const std::uint64_t key = key_of(left, right);
        for (std::size_t at = place_of(key);; at = (at + 1) & (slots_.size() - 1)) {
            if (slots_[at].merge.rank == BpeMerge::none || slots_[at].key == key) {
                return slots_[at].merge;
            }
        }
    }

private:
    struct Slot {
        std::uint64_t key = 0;
        BpeMerge merge;
    };

    static std::uint64_t key_of(std::uint32_t left, std::uint32_t right) noexcept {
        return (std::uint64_t{left} << 32U) | right;
    }
    std::size_t place_of(std::uint64_t key) const noexcept {
        key *= 0x9E3779B97F4A7C15U;
        return static_cast<std::size_t>(key ^ (key >> 32U)) & (slots_.size() - 1);
    }

    std::vector<Slot> slots_;
};

}  // namespace tenrex::text

// A hash table from labels to numbers that is read without a branch.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tenrex/label.h>

#include "lib/program/growing.h"

namespace tenrex::program {

// No two labels share a place: a multiplier for which that is so is searched when the table is built. Labels that are
// looked up in it one by one cost the same whether they are found or not.
//
// The multipliers that are tried are always the same few, whatever process this is: whether the labels can be laid out
// decides how sums are added up, which nothing but the labels may decide. Those that cannot be are found in a hash
// table, so labels that were prepared for it cost a bounded time.
class LabelPlaces {
public:
    struct Slot {
        std::uint64_t label;
        std::uint64_t content;  // nothing in particular where there is no label
        bool holds(Label other) const noexcept { return label == static_cast<std::uint64_t>(other); }
    };

    // The content of each label is its number. False if there is no such multiplier: too many labels, or bad luck. Then
    // the table must not be read.
    bool build(const Label *labels, std::size_t count);

    // A copy of what finds a slot, which stays in registers in a loop that writes to memory.
    class Reader {
    public:
        Reader(const Slot *slots, std::uint64_t multiplier, unsigned shift) noexcept
            : slots_(slots), multiplier_(multiplier), shift_(shift) {}
        const Slot &of(Label label) const noexcept {
            return slots_[(static_cast<std::uint64_t>(label) * multiplier_) >> shift_];
        }

    private:
        const Slot *slots_;
        std::uint64_t multiplier_;
        unsigned shift_;
    };
    Reader reader() const noexcept { return {slots_.data(), multiplier_, shift_}; }

    // The only slot that can hold the label.
    const Slot &of(Label label) const noexcept { return slots_.data()[place(label)]; }
    Slot &of(Label label) noexcept { return slots_.data()[place(label)]; }

    std::size_t memory_bytes() const noexcept { return slots_.memory_bytes(); }

    void count_in(MemoryBudget &budget) noexcept { slots_.count_in(budget); }
    void release() noexcept { slots_.release(); }

private:
    static constexpr std::size_t most_labels = 4096;

    std::uint64_t place(Label label) const noexcept {
        return (static_cast<std::uint64_t>(label) * multiplier_) >> shift_;
    }
    bool place_all(const Label *labels, std::size_t count) noexcept;

    std::uint64_t multiplier_ = 1;
    unsigned shift_ = 63;
    Growing<Slot> slots_;
};

}  // namespace tenrex::program

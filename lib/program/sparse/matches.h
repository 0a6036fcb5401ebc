// Finds the blocks of two values that go together in a natural join.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "lib/program/value.h"

namespace tenrex::program {

// Pairs of blocks of some documents that follow each other, by the numbers of the blocks.
struct Matches {
    std::size_t documents = 0;
    const std::uint32_t *offsets = nullptr;  // those of the i-th document: [offsets[i], offsets[i+1])
    const std::uint32_t *outer = nullptr;
    const std::uint32_t *inner = nullptr;

    std::size_t count() const noexcept { return offsets[documents]; }
};

class Matcher {
public:
    struct Side {
        IndexSlot index;
        std::size_t width = 1;           // labels of an address
        std::vector<std::uint16_t> key;  // positions of those that both sides have, in the same order on both
    };
    // An index whose addresses are the pairs, and the maps to both sides; none to a side that it is itself.
    struct Joined {
        IndexSlot index;
        MapSlot outer, inner;
    };
    // inner_table: of the keys of `inner`, if the documents share it or each has a copy of what the table is of.
    Matcher(Side outer, Side inner, TableSlot inner_table)
        : outer_(std::move(outer)), inner_(std::move(inner)), inner_table_(inner_table) {}
    Matcher(Side outer, Side inner, const Joined &joined)
        : outer_(std::move(outer)), inner_(std::move(inner)), joined_(joined) {}

    // Where pairs are written to.
    struct Room {
        Growing<std::uint32_t> &outer, &inner;
    };
    // The pairs with equal labels of documents from `first` on, until there are no more documents or `enough` pairs.
    // Within a document their order depends on the two values alone. A document that has more pairs than a value may
    // have cells sets frame.too_large.
    Matches find(Frame &frame, std::size_t first, std::size_t enough, Room room) const;
    // In memory that the next call with the same frame uses again.
    Matches find(Frame &frame, std::size_t first, std::size_t enough) const {
        return find(frame, first, enough, {frame.scratch->outer_blocks, frame.scratch->inner_blocks});
    }
    static constexpr std::size_t all = ~std::size_t{0};
    // All documents share an inner value with a single address, of one label: find() would look for that alone.
    bool is_lookup(const Frame &frame) const noexcept {
        return inner_table_ && inner_.key.size() == 1 && inner_.width == 1 && outer_.width == 1 &&
               frame.index(inner_.index).shared && frame.index(inner_.index).end(0) == 1;
    }

    const Side &outer() const noexcept { return outer_; }
    const Side &inner() const noexcept { return inner_; }

private:
    // The number of the block that the table calls 0. A document that has a copy of what the table is of has its own
    // blocks in the same order.
    std::uint32_t first_in_table(const Index &inner, std::size_t document) const noexcept {
        return inner_table_ ? inner.begin(document) : 0;
    }
    Matches known(Frame &frame, std::size_t first, std::size_t enough, Room room) const;
    // Adds the pairs of a document to `count` that there are; how many there are then.
    std::size_t add_unique(Frame &frame, std::size_t document, const AddressTable &table, std::size_t count,
                           Room room) const;
    // Both have one label an address, in ascending order: the fewer ones are looked for among the others.
    std::size_t add_sorted(Frame &frame, std::size_t document, std::size_t count, Room room) const;
    std::size_t add_any(Frame &frame, std::size_t document, const AddressTable &table, std::size_t count,
                        Room room) const;

    Side outer_, inner_;
    TableSlot inner_table_;
    Joined joined_;  // if it is known
};

}  // namespace tenrex::program

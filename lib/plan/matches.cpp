#include "lib/plan/matches.h"

#include <algorithm>
#include <numeric>

#include "lib/plan/label_search.h"

namespace tenrex::plan {

Matches Matcher::find(Frame &frame, std::size_t first, std::size_t enough) const {
    if (joined_.index) {
        return known(frame, first, enough);
    }
    const Index &inner = frame.index(inner_.index);
    AddressTable &own_table = frame.scratch->table;
    const AddressTable &table = inner_table_ ? frame.table(inner_table_) : own_table;
    const bool unique = inner_.key.size() == inner_.width;
    std::uint32_t *const offsets = frame.scratch->match_offsets.room(frame.documents - first + 1);
    offsets[0] = 0;
    std::size_t count = 0;
    std::size_t documents = 0;
    while (first + documents < frame.documents && (documents == 0 || count < enough)) {
        const std::size_t document = first + documents;
        if (!inner_table_) {
            own_table.build(inner.labels, inner_.width, inner_.key, inner.begin(document), inner.end(document));
        }
        count = unique ? add_unique(frame, document, table, count) : add_any(frame, document, table, count);
        offsets[++documents] = static_cast<std::uint32_t>(count);
    }
    return {documents, offsets, frame.scratch->outer_blocks.data(), frame.scratch->inner_blocks.data()};
}

Matches Matcher::known(Frame &frame, std::size_t first, std::size_t enough) const {
    const Index &index = frame.index(joined_.index);
    const std::uint32_t begin = index.begin(first);
    std::uint32_t *const offsets = frame.scratch->match_offsets.room(frame.documents - first + 1);
    offsets[0] = 0;
    std::size_t documents = 0;
    while (first + documents < frame.documents && (documents == 0 || offsets[documents] < enough)) {
        offsets[documents + 1] = index.end(first + documents) - begin;
        ++documents;
    }
    const auto blocks = [&](MapSlot map, Growing<std::uint32_t> &own) -> const std::uint32_t * {
        if (map) {
            return frame.map(map).of.data() + begin;
        }
        std::uint32_t *const numbers = own.room(offsets[documents]);
        std::iota(numbers, numbers + offsets[documents], begin);
        return numbers;
    };
    return {documents, offsets, blocks(joined_.outer, frame.scratch->outer_blocks),
            blocks(joined_.inner, frame.scratch->inner_blocks)};
}

// The key is the whole address of an inner block: no outer block has more than one match.
std::size_t Matcher::add_unique(Frame &frame, std::size_t document, const AddressTable &table,
                                std::size_t count) const {
    const Index &outer = frame.index(outer_.index);
    const Index &inner = frame.index(inner_.index);
    const std::uint32_t begin = outer.begin(document);
    const std::uint32_t end = outer.end(document);
    // Few shared labels may be looked for in few blocks: then there are more of them. Each block is written, and the
    // next overwrites it if it has no match: no branch to guess.
    const std::size_t most =
        count + std::max(end - begin, inner.end(document) - inner.begin(document)) + std::size_t{1};
    std::uint32_t *const outer_blocks = frame.scratch->outer_blocks.grow(most, count);
    std::uint32_t *const inner_blocks = frame.scratch->inner_blocks.grow(most, count);
    constexpr std::uint32_t few = 2;
    const bool single = outer_.width == 1 && outer_.key.size() == 1;
    if (inner_table_ && single &&
        (inner.end(0) <= few || (outer.sorted && is_better_searched(inner.end(0), end - begin)))) {
        for (std::uint32_t block = 0; block < inner.end(0); ++block) {
            const std::size_t found = find_label(outer.labels + begin, end - begin, inner.labels[block], outer.sorted);
            outer_blocks[count] = begin + static_cast<std::uint32_t>(found);
            inner_blocks[count] = block;
            count += found != end - begin ? 1 : 0;
        }
    } else if (table.places() != nullptr) {
        const LabelPlaces::Reader places = table.places()->reader();
        const std::size_t width = outer_.width;
        const Label *label = outer.labels + begin * width + outer_.key[0];
        for (std::uint32_t block = begin; block < end; ++block, label += width) {
            const LabelPlaces::Slot &slot = places.of(*label);
            outer_blocks[count] = block;
            inner_blocks[count] = static_cast<std::uint32_t>(slot.content);
            count += slot.holds(*label) ? 1 : 0;
        }
    } else {
        for (std::uint32_t block = begin; block < end; ++block) {
            const std::uint32_t match = table.first(outer.labels + block * outer_.width, outer_.key);
            outer_blocks[count] = block;
            inner_blocks[count] = match;
            count += match != AddressTable::none ? 1 : 0;
        }
    }
    return count;
}

std::size_t Matcher::add_any(Frame &frame, std::size_t document, const AddressTable &table, std::size_t count) const {
    const Index &outer = frame.index(outer_.index);
    const std::size_t before = count;
    std::size_t room = count + 64;
    std::uint32_t *outer_blocks = frame.scratch->outer_blocks.grow(room, count);
    std::uint32_t *inner_blocks = frame.scratch->inner_blocks.grow(room, count);
    for (std::uint32_t block = outer.begin(document); block < outer.end(document); ++block) {
        for (std::uint32_t match = table.first(outer.labels + block * outer_.width, outer_.key);
             match != AddressTable::none; match = table.next(match)) {
            if (count == room) {
                room *= 2;
                outer_blocks = frame.scratch->outer_blocks.grow(room, count);
                inner_blocks = frame.scratch->inner_blocks.grow(room, count);
            }
            outer_blocks[count] = block;
            inner_blocks[count++] = match;
        }
        if (count - before > frame.most_cells) {
            frame.too_large = true;
            return before;
        }
    }
    return count;
}

}  // namespace tenrex::plan

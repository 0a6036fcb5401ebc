#include "lib/program/sparse/matches.h"

#include <algorithm>
#include <numeric>

#include "lib/program/sparse/label_search.h"

namespace tenrex::program {

Matches Matcher::find(Frame &frame, std::size_t first, std::size_t enough, Room room) const {
    if (joined_.index) {
        return known(frame, first, enough, room);
    }
    const Index &inner = frame.index(inner_.index);
    AddressTable &own_table = frame.scratch->table;
    const AddressTable &table = inner_table_ ? frame.table(inner_table_) : own_table;
    const bool unique = inner_.key.size() == inner_.width;
    // A table for each document would cost more than it saves.
    const bool sorted = !inner_table_ && unique && inner.sorted && frame.index(outer_.index).sorted;
    std::uint32_t *const offsets = frame.scratch->match_offsets.room(frame.documents - first + 1);
    offsets[0] = 0;
    std::size_t count = 0;
    std::size_t documents = 0;
    while (first + documents < frame.documents && (documents == 0 || count < enough)) {
        const std::size_t document = first + documents;
        if (!inner_table_ && !sorted) {
            own_table.build(inner.labels, inner_.width, inner_.key, inner.begin(document), inner.end(document));
        }
        if (!unique) {
            count = add_any(frame, document, table, count, room);
        } else if (sorted) {
            count = add_sorted(frame, document, count, room);
        } else {
            count = add_unique(frame, document, table, count, room);
        }
        offsets[++documents] = block_number(count);
    }
    return {documents, offsets, room.outer.data(), room.inner.data()};
}

Matches Matcher::known(Frame &frame, std::size_t first, std::size_t enough, Room room) const {
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
    return {documents, offsets, blocks(joined_.outer, room.outer), blocks(joined_.inner, room.inner)};
}

// The key is the whole address of an inner block: no outer block has more than one match.
std::size_t Matcher::add_unique(Frame &frame, std::size_t document, const AddressTable &table, std::size_t count,
                                Room room) const {
    const Index &outer = frame.index(outer_.index);
    const Index &inner = frame.index(inner_.index);
    const std::uint32_t begin = outer.begin(document);
    const std::uint32_t end = outer.end(document);
    const std::uint32_t own = first_in_table(inner, document);
    const std::size_t inner_count = inner.end(document) - inner.begin(document);
    // Few shared labels may be looked for in few blocks: then there are more of them. Each block is written, and the
    // next overwrites it if it has no match: no branch to guess.
    const std::size_t most = count + std::max<std::size_t>(end - begin, inner_count) + 1;
    std::uint32_t *const outer_blocks = room.outer.grow(most, count);
    std::uint32_t *const inner_blocks = room.inner.grow(most, count);
    constexpr std::uint32_t few = 2;
    const bool single = outer_.width == 1 && outer_.key.size() == 1;
    if (inner_table_ && single &&
        (inner_count <= few || (outer.sorted && is_better_searched(inner_count, end - begin)))) {
        for (std::uint32_t block = 0; block < inner_count; ++block) {
            const std::size_t found = find_label(outer.labels + begin, end - begin, inner.labels[block], outer.sorted);
            outer_blocks[count] = begin + static_cast<std::uint32_t>(found);
            inner_blocks[count] = own + block;
            count += found != end - begin ? 1 : 0;
        }
    } else if (table.places() != nullptr) {
        const LabelPlaces::Reader places = table.places()->reader();
        const std::size_t width = outer_.width;
        const std::size_t key = outer_.key[0];
        for (std::uint32_t block = begin; block < end; ++block) {
            const Label label = outer.labels[block * width + key];
            const LabelPlaces::Slot &slot = places.of(label);
            outer_blocks[count] = block;
            inner_blocks[count] = own + static_cast<std::uint32_t>(slot.content);
            count += slot.holds(label) ? 1 : 0;
        }
    } else {
        // Where an address has several labels, each of them comes again, often at equal distances. The distance is
        // taken from the first label that came again; a label that is not at that distance is looked up.
        std::uint32_t *const found = frame.scratch->found_blocks.room(end - begin);
        const std::size_t width = outer_.width;
        const Label *const labels = outer.labels + begin * width;
        const std::size_t key = outer_.key[0];
        const bool repeats = outer_.key.size() == 1 && width > 1;
        std::uint32_t period = 0;
        for (std::uint32_t i = 0; i < end - begin; ++i) {
            const Label label = labels[i * width + key];
            if (period != 0 && labels[(i - period) * width + key] == label) {
                found[i] = found[i - period];
            } else {
                found[i] = table.first(labels + i * width, outer_.key);
                period = repeats && i != 0 && label == labels[key] ? i : period;
            }
            outer_blocks[count] = begin + i;
            inner_blocks[count] = own + found[i];
            count += found[i] != AddressTable::none ? 1 : 0;
        }
    }
    return count;
}

std::size_t Matcher::add_sorted(Frame &frame, std::size_t document, std::size_t count, Room room) const {
    const Index &outer = frame.index(outer_.index);
    const Index &inner = frame.index(inner_.index);
    const bool few_inside = inner.end(document) - inner.begin(document) <= outer.end(document) - outer.begin(document);
    const Index &few = few_inside ? inner : outer;
    const Index &many = few_inside ? outer : inner;
    const std::uint32_t few_begin = few.begin(document);
    const std::uint32_t many_begin = many.begin(document);
    const std::size_t wanted = few.end(document) - few_begin;
    const std::size_t others = many.end(document) - many_begin;  // not 0 if something is wanted
    const Label *const wanted_labels = few.labels + few_begin;
    const Label *const labels = many.labels + many_begin;
    std::uint32_t *const few_blocks = (few_inside ? room.inner : room.outer).grow(count + wanted + 1, count);
    std::uint32_t *const many_blocks = (few_inside ? room.outer : room.inner).grow(count + wanted + 1, count);
    // Two values over the same labels are usual, such as two attributes of a document's paragraphs.
    if (wanted == others && std::equal(labels, labels + others, wanted_labels)) {
        std::iota(few_blocks + count, few_blocks + count + wanted, few_begin);
        std::iota(many_blocks + count, many_blocks + count + wanted, many_begin);
        return count + wanted;
    }
    const auto note = [&](std::size_t number, std::size_t found) {
        few_blocks[count] = few_begin + static_cast<std::uint32_t>(number);
        many_blocks[count] = many_begin + static_cast<std::uint32_t>(found);
        count += labels[found] == wanted_labels[number] ? 1 : 0;
    };
    constexpr std::size_t lanes = 8;
    std::size_t number = 0;
    for (; number + lanes <= wanted; number += lanes) {
        const auto found = search_sorted<lanes>(labels, others, wanted_labels + number);
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            note(number + lane, found[lane]);
        }
    }
    for (; number < wanted; ++number) {
        note(number, search_sorted<1>(labels, others, wanted_labels + number)[0]);
    }
    return count;
}

std::size_t Matcher::add_any(Frame &frame, std::size_t document, const AddressTable &table, std::size_t count,
                             Room room) const {
    const Index &outer = frame.index(outer_.index);
    const std::uint32_t own = first_in_table(frame.index(inner_.index), document);
    const std::size_t before = count;
    std::size_t most = count + 64;
    std::uint32_t *outer_blocks = room.outer.grow(most, count);
    std::uint32_t *inner_blocks = room.inner.grow(most, count);
    for (std::uint32_t block = outer.begin(document); block < outer.end(document); ++block) {
        for (std::uint32_t match = table.first(outer.labels + block * outer_.width, outer_.key);
             match != AddressTable::none; match = table.next(match)) {
            if (count == most) {
                most *= 2;
                outer_blocks = room.outer.grow(most, count);
                inner_blocks = room.inner.grow(most, count);
            }
            outer_blocks[count] = block;
            inner_blocks[count++] = own + match;
        }
        if (count - before > frame.most_cells) {
            frame.too_large = true;
            return before;
        }
    }
    return count;
}

}  // namespace tenrex::program

#include "lib/program/sparse/match_groups.h"

#include <algorithm>
#include <numeric>

#include "lib/program/sparse/label_groups.h"

namespace tenrex::program {

MatchGroups::MatchGroups(std::vector<Source> labels, bool whole_outer, OfInner of_inner)
    : labels_(std::move(labels)), own_(labels_.size()), of_inner_(of_inner), whole_outer_(whole_outer) {
    std::iota(own_.begin(), own_.end(), std::uint16_t{0});
}

const std::uint32_t *MatchGroups::add(Frame &frame, const Matcher &matcher, const Matches &matches, std::size_t begin,
                                      std::size_t end, IndexWriter &writer) const {
    std::uint32_t *const groups = frame.scratch->blocks.room(end - begin);
    if (begin == end) {
        return groups;
    }
    if (whole_outer_) {
        add_outer(frame.index(matcher.outer().index), matches.outer + begin, end - begin, writer, groups);
    } else if (of_inner_.index) {
        add_of_inner(frame, matches.inner + begin, end - begin, writer, groups);
    } else {
        add_any(frame, matcher, matches, begin, end, writer, groups);
    }
    return groups;
}

void MatchGroups::add_of_inner(Frame &frame, const std::uint32_t *inner_blocks, std::size_t count, IndexWriter &writer,
                               std::uint32_t *groups) const {
    const Index &shared = frame.index(of_inner_.index);
    const std::uint32_t *const group_of = frame.map(of_inner_.groups).of.data();
    // Between documents, and from one step to the next, no place is taken.
    Growing<std::uint32_t> &memory = frame.scratch->group_places;
    if (memory.memory_bytes() < shared.end(0) * sizeof(std::uint32_t)) {
        memory.room(shared.end(0));
        std::fill_n(memory.data(), memory.memory_bytes() / sizeof(std::uint32_t), AddressTable::none);
    }
    std::uint32_t *const places = memory.data();
    const std::uint32_t first = writer.count();
    writer.reserve(std::min<std::size_t>(count, shared.end(0)));
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t group = group_of[inner_blocks[i]];
        if (places[group] == AddressTable::none) {
            places[group] = writer.count() - first;
            std::copy_n(shared.labels + group * width(), width(), writer.add());
        }
        groups[i] = places[group];
    }
    for (std::size_t i = 0; i < count; ++i) {
        places[group_of[inner_blocks[i]]] = AddressTable::none;
    }
}

// Every outer block that has a match is an address.
void MatchGroups::add_outer(const Index &outer, const std::uint32_t *outer_blocks, std::size_t count,
                            IndexWriter &writer, std::uint32_t *groups) const {
    const std::uint32_t first = writer.count();
    writer.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        if (i == 0 || outer_blocks[i] != outer_blocks[i - 1]) {
            std::copy_n(outer.labels + outer_blocks[i] * width(), width(), writer.add());
        }
        groups[i] = writer.count() - first - 1;
    }
}

void MatchGroups::add_any(Frame &frame, const Matcher &matcher, const Matches &matches, std::size_t begin,
                          std::size_t end, IndexWriter &writer, std::uint32_t *groups) const {
    const Index &outer = frame.index(matcher.outer().index);
    const Index &inner = frame.index(matcher.inner().index);
    AddressTable &table = frame.scratch->other_table;
    if (width() == 1) {
        const bool of_inner = labels_[0].inner;
        const Label *const labels = (of_inner ? inner : outer).labels + labels_[0].position;
        const std::size_t own_width = (of_inner ? matcher.inner() : matcher.outer()).width;
        const std::uint32_t *const blocks = (of_inner ? matches.inner : matches.outer) + begin;
        group_by_label(
            end - begin, [&](std::size_t i) { return labels[blocks[i] * own_width]; }, table, writer, 0, groups);
        return;
    }
    const std::uint32_t first = writer.count();
    const auto expected = static_cast<std::uint32_t>(end - begin);
    writer.reserve(expected);
    table.clear(writer.labels(), width(), own_, first, expected);
    Label *const labels = frame.scratch->labels.room(width());
    for (std::size_t i = begin; i < end; ++i) {
        const Label *const outer_address = outer.labels + matches.outer[i] * matcher.outer().width;
        const Label *const inner_address = inner.labels + matches.inner[i] * matcher.inner().width;
        for (std::size_t k = 0; k < width(); ++k) {
            labels[k] = (labels_[k].inner ? inner_address : outer_address)[labels_[k].position];
        }
        std::uint32_t group = table.first(labels, own_);
        if (group == AddressTable::none) {
            group = writer.count();
            std::copy_n(labels, width(), writer.add());
            table.add(group);
        }
        groups[i - begin] = group - first;
    }
}

}  // namespace tenrex::program

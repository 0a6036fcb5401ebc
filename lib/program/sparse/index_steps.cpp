#include "lib/program/sparse/index_steps.h"

#include <algorithm>

#include "lib/program/sparse/label_groups.h"
#include "lib/support/format.h"

namespace tenrex::program {

void JoinIndexStep::run(Frame &frame) const {
    Index &result = frame.index(result_);
    const Matches matches = matcher_.find(frame, 0, Matcher::all, {frame.map(outer_map_).of, frame.map(inner_map_).of});
    std::copy_n(matches.offsets, frame.documents + 1, result.own_offsets.room(frame.documents + 1));
    result.offsets = result.own_offsets.data();
    result.shared = result_.stage != Stage::document;
    for (std::size_t document = 0; document < frame.documents; ++document) {
        frame.too_large |= result.offsets[document + 1] - result.offsets[document] > frame.most_cells;
    }
    const std::size_t width = labels_.size();
    Label *const labels = result.own_labels.room(matches.count() * width + 1);
    result.labels = labels;
    result.sorted = false;
    for (std::size_t k = 0; k < width && matches.count() != 0; ++k) {
        const auto [inner, position] = labels_[k];
        const Matcher::Side &side = inner ? matcher_.inner() : matcher_.outer();
        const Label *const from = frame.index(side.index).labels + position;
        const std::uint32_t *const blocks = inner ? matches.inner : matches.outer;
        for (std::size_t i = 0; i < matches.count(); ++i) {
            labels[i * width + k] = from[blocks[i] * side.width];
        }
    }
    // Mostly matches are in the order of the outer blocks.
    if (width == 1 && frame.index(matcher_.outer().index).sorted) {
        result.sorted = true;
        for (std::size_t document = 0; document < frame.documents; ++document) {
            for (std::uint32_t i = result.offsets[document] + 1; i < result.offsets[document + 1]; ++i) {
                result.sorted &= labels[i - 1] < labels[i];
            }
        }
    }
}

std::string JoinIndexStep::describe() const {
    return fmt::format("join of addresses, {} of {} labels in common", matcher_.inner().key.size(), labels_.size());
}

void BuildTableStep::run(Frame &frame) const {
    const Index &index = frame.index(index_);
    AddressTable &table = frame.table(result_);
    table.build(index.labels, width_, key_, index.begin(0), index.end(0));
    if (width_ == 1) {
        table.make_places(index.end(0));
    }
}

void ReplicateIndexStep::run(Frame &frame) const {
    const Index &shared = frame.index(shared_);
    Index &result = frame.index(result_);
    const std::uint32_t count = shared.end(0);
    block_number(frame.documents * count);
    std::uint32_t *const offsets = result.own_offsets.room(frame.documents + 1);
    Label *const labels = result.own_labels.room(frame.documents * count * width_);
    std::uint32_t *const map = frame.map(map_).of.room(frame.documents * count);
    for (std::size_t document = 0; document <= frame.documents; ++document) {
        offsets[document] = static_cast<std::uint32_t>(document * count);
    }
    for (std::size_t document = 0; document < frame.documents; ++document) {
        std::copy_n(shared.labels, count * width_, labels + document * count * width_);
        for (std::uint32_t block = 0; block < count; ++block) {
            map[document * count + block] = block;
        }
    }
    result.offsets = offsets;
    result.labels = labels;
    result.shared = false;
}

void ComposeMapsStep::run(Frame &frame) const {
    const Index &index = frame.index(index_);
    const std::size_t count = index.blocks(frame.documents);
    const std::uint32_t *const outer = frame.map(outer_).of.data();
    const std::uint32_t *const inner = frame.map(inner_).of.data();
    std::uint32_t *const result = frame.map(result_).of.room(count);
    for (std::size_t i = 0; i < count; ++i) {
        result[i] = inner[outer[i]];
    }
}

bool GroupIndexStep::is_in(const Label *group, const Label *address) const noexcept {
    for (std::size_t i = 0; i < kept_.size(); ++i) {
        if (group[i] != address[kept_[i]]) {
            return false;
        }
    }
    return true;
}

void GroupIndexStep::run(Frame &frame) const {
    const Index &index = frame.index(index_);
    IndexWriter writer(frame, result_, kept_.size());
    std::uint32_t *const groups = frame.map(groups_).of.room(index.blocks(frame.documents));
    AddressTable &table = frame.scratch->table;
    bool sorted = kept_.size() == 1;
    for (std::size_t document = 0; document < frame.documents; ++document) {
        const std::uint32_t begin = index.begin(document);
        const std::uint32_t end = index.end(document);
        if (kept_.size() == 1) {
            const auto label_of = [&](std::size_t i) { return index.labels[(begin + i) * width_ + kept_[0]]; };
            sorted &= group_by_label(end - begin, label_of, table, writer, writer.count(), groups + begin);
        } else {
            group_by_address(index, begin, end, table, writer, groups);
        }
        writer.end_document();
    }
    frame.index(result_).sorted = sorted;
}

void GroupIndexStep::group_by_address(const Index &index, std::uint32_t begin, std::uint32_t end, AddressTable &table,
                                      IndexWriter &writer, std::uint32_t *groups) const {
    writer.reserve(end - begin);
    table.clear(writer.labels(), kept_.size(), own_, writer.count(), end - begin);
    std::uint32_t group = AddressTable::none;
    for (std::uint32_t block = begin; block < end; ++block) {
        const Label *const address = index.labels + block * width_;
        // Often that of the block before.
        if (group != AddressTable::none && is_in(writer.labels() + group * kept_.size(), address)) {
            groups[block] = group;
            continue;
        }
        group = table.first(address, kept_);
        if (group == AddressTable::none) {
            group = writer.count();
            Label *const labels = writer.add();
            for (std::size_t i = 0; i < kept_.size(); ++i) {
                labels[i] = address[kept_[i]];
            }
            table.add(group);
        }
        groups[block] = group;
    }
}

void PermuteIndexStep::run(Frame &frame) const {
    const Index &index = frame.index(index_);
    Index &result = frame.index(result_);
    const std::size_t blocks = index.blocks(frame.documents);
    Label *labels = result.own_labels.room(blocks * from_.size());
    result.offsets = index.offsets;
    result.labels = labels;
    result.shared = index.shared;
    for (std::size_t block = 0; block < blocks; ++block) {
        const Label *const address = index.labels + block * from_.size();
        for (const std::uint16_t position : from_) {
            *labels++ = address[position];
        }
    }
}

}  // namespace tenrex::program

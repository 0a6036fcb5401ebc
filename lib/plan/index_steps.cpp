#include "lib/plan/index_steps.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "lib/plan/index_writer.h"

namespace tenrex::plan {

void JoinIndexStep::run(Frame &frame) const {
    const LabelPlaces *const places = inner_table_ && inner_.width == 1 ? frame.table(inner_table_).places() : nullptr;
    if (places != nullptr && outer_.key.size() == 1) {
        outer_.width == 1 ? run_unique<1>(frame, *places) : run_unique<0>(frame, *places);
    } else {
        run_any(frame);
    }
}

template <std::size_t known_width>
void JoinIndexStep::run_unique(Frame &frame, const LabelPlaces &places) const {
    const std::size_t width = known_width != 0 ? known_width : outer_.width;
    const Index &outer = frame.index(outer_.index);
    Index &result = frame.index(result_);
    const std::size_t most = outer.end(frame.documents - 1);
    std::uint32_t *const offsets = result.own_offsets.room(frame.documents + 1);
    Label *const labels = result.own_labels.room((most + 1) * width);
    std::uint32_t *const outer_of = frame.map(outer_.map).of.room(most + 1);
    std::uint32_t *const inner_of = frame.map(inner_.map).of.room(most + 1);
    std::uint32_t count = 0;
    offsets[0] = 0;
    for (std::size_t document = 0; document < frame.documents; ++document) {
        const std::uint32_t end = outer.end(document);
        const std::uint16_t key = known_width == 1 ? std::uint16_t{0} : outer_.key[0];
        for (std::uint32_t block = outer.begin(document); block < end; ++block) {
            // Each block is written, and the next overwrites it if it is in one operand only: no branch to guess.
            const Label *const address = outer.labels + block * width;
            const LabelPlaces::Slot &slot = places.of(address[key]);
            for (std::size_t i = 0; i < width; ++i) {
                labels[count * width + i] = address[i];
            }
            outer_of[count] = block;
            inner_of[count] = static_cast<std::uint32_t>(slot.content);
            count += slot.holds(address[key]) ? 1 : 0;
        }
        offsets[document + 1] = count;
    }
    result.offsets = offsets;
    result.labels = labels;
    result.shared = result_.stage != Stage::document;
    frame.too_large |= count > frame.most_cells;
}

void JoinIndexStep::run_any(Frame &frame) const {
    const Index &outer = frame.index(outer_.index);
    const Index &inner = frame.index(inner_.index);
    IndexWriter writer(frame, result_, labels_.size(), &frame.map(outer_.map));
    Growing<std::uint32_t> &inner_blocks = frame.map(inner_.map).of;
    std::size_t room = 16;
    std::uint32_t *inner_of = inner_blocks.grow(room, 0);
    AddressTable &own_table = frame.scratch->table;
    const AddressTable &table = inner_table_ ? frame.table(inner_table_) : own_table;
    for (std::size_t document = 0; document < frame.documents; ++document) {
        if (!inner_table_) {
            own_table.build(inner.labels, inner_.width, inner_.key, inner.begin(document), inner.end(document));
        }
        for (std::uint32_t block = outer.begin(document); block < outer.end(document); ++block) {
            const Label *const address = outer.labels + block * outer_.width;
            for (std::uint32_t match = table.first(address, outer_.key); match != AddressTable::none;
                 match = table.next(match)) {
                const std::uint32_t number = writer.count();
                if (number == room) {
                    room *= 2;
                    inner_of = inner_blocks.grow(room, number);
                }
                inner_of[number] = match;
                Label *const labels = writer.add(block);
                const Label *const other = inner.labels + match * inner_.width;
                for (std::size_t i = 0; i < labels_.size(); ++i) {
                    labels[i] = (labels_[i].inner ? other : address)[labels_[i].position];
                }
            }
            if (writer.is_too_large()) {
                return;
            }
        }
        writer.end_document();
    }
}

std::string JoinIndexStep::describe() const {
    return fmt::format("join of addresses, {} of {} labels in common", inner_.key.size(), labels_.size());
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
    const std::size_t blocks = index.blocks(frame.documents);
    std::uint32_t *const groups = frame.map(groups_).of.room(blocks);
    AddressTable &table = frame.scratch->table;
    for (std::size_t document = 0; document < frame.documents; ++document) {
        const std::uint32_t count = index.end(document) - index.begin(document);
        writer.reserve(count);
        table.clear(writer.labels(), kept_.size(), own_, writer.count(), count);
        std::uint32_t group = AddressTable::none;
        for (std::uint32_t block = index.begin(document); block < index.end(document); ++block) {
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
        writer.end_document();
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

}  // namespace tenrex::plan

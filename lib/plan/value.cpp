#include "lib/plan/value.h"

#include <algorithm>
#include <charconv>

#include "lib/plan/blocks.h"

namespace tenrex::plan {

std::size_t Store::memory_bytes() const noexcept {
    std::size_t bytes = planned.memory_bytes();
    for (const Cells &value : cells) {
        bytes += value.own.memory_bytes();
    }
    for (const Index &index : indexes) {
        bytes += index.own_offsets.memory_bytes() + index.own_labels.memory_bytes();
    }
    for (const BlockMap &map : maps) {
        bytes += map.of.memory_bytes();
    }
    for (const AddressTable &table : tables) {
        bytes += table.memory_bytes();
    }
    for (const Growing<std::byte> &tile : tiles) {
        bytes += tile.memory_bytes();
    }
    for (const Weights &weight : weights) {
        bytes += weight.table.memory_bytes();
    }
    return bytes;
}

Label LabelTexts::find(std::string_view text) const noexcept {
    if (const auto known = plan_->find(text)) {
        return *known;
    }
    if (query_ != nullptr) {
        if (const auto known = query_->find(text)) {
            return Label{static_cast<std::uint64_t>(*known) | query_bit};
        }
    }
    return nowhere;
}

Label LabelTexts::find(std::int64_t number) const noexcept {
    if (number >= 0) {
        return numeric_label(static_cast<std::uint64_t>(number));
    }
    char text[24];
    const auto end = std::to_chars(text, text + sizeof(text), number).ptr;
    return find(std::string_view(text, static_cast<std::size_t>(end - text)));
}

int LabelTexts::compare(Label a, Label b) const noexcept {
    const auto text_of = [&](Label label, char *room) {
        if (is_numeric(label)) {
            const auto end = std::to_chars(room, room + 24, static_cast<std::uint64_t>(label)).ptr;
            return std::string_view(room, static_cast<std::size_t>(end - room));
        }
        const auto bits = static_cast<std::uint64_t>(label);
        return (bits & query_bit) != 0 ? query_->stored_text(Label{bits & ~query_bit}) : plan_->stored_text(label);
    };
    char a_room[24], b_room[24];
    return text_of(a, a_room).compare(text_of(b, b_room));
}

std::size_t most_blocks(const Frame &frame, const Index &index) noexcept {
    std::size_t most = 0;
    for (std::size_t document = 0; document < (index.shared ? 1 : frame.documents); ++document) {
        most = std::max<std::size_t>(most, index.end(document) - index.begin(document));
    }
    return most;
}

std::size_t blocks_of(const Frame &frame, const Index &index) noexcept {
    return index.shared ? std::size_t{index.offsets[1]} * frame.documents : index.offsets[frame.documents];
}

std::byte *room_for(Frame &frame, const Target &target, std::size_t blocks) {
    Cells &cells = frame.cells(target.cells);
    cells.data = cells.own.room(std::max<std::size_t>(1, blocks * target.bytes));
    return cells.data;
}

std::byte *make_indexed_room(Frame &frame, const Target &target) {
    Cells &cells = frame.cells(target.cells);
    const std::size_t blocks = block_count(frame, target);
    const std::size_t limit = frame.most_cells * sizeof(double) / target.bytes;
    if (blocks > limit && most_blocks(frame, frame.index(target.index)) > limit) {
        frame.too_large = true;
        return nullptr;
    }
    cells.data = cells.own.room(blocks * target.bytes);
    return cells.data;
}

}  // namespace tenrex::plan

#include "lib/program/value.h"

#include <algorithm>
#include <charconv>

#include "lib/program/blocks.h"

namespace tenrex::program {

namespace {

// The arrays and tables that grow while a program runs; of a store or scratch that may be constant.
template <class AnyStore, class Visit>
void for_each_of_store(AnyStore &store, const Visit &visit) {
    for (auto &value : store.cells) {
        visit(value.own);
    }
    for (auto &buffer : store.buffers) {
        visit(buffer);
    }
    for (auto &index : store.indexes) {
        visit(index.own_offsets);
        visit(index.own_labels);
    }
    for (auto &map : store.maps) {
        visit(map.of);
    }
    for (auto &table : store.tables) {
        visit(table);
    }
    for (auto &weights : store.weights) {
        visit(weights.table);
    }
}

template <class AnyScratch, class Visit>
void for_each_of_scratch(AnyScratch &scratch, const Visit &visit) {
    visit(scratch.table);
    visit(scratch.other_table);
    visit(scratch.bytes);
    visit(scratch.more_bytes);
    for (auto &operand : scratch.gathered) {
        visit(operand);
    }
    visit(scratch.numbers);
    for (auto *numbers : {&scratch.blocks, &scratch.match_offsets, &scratch.outer_blocks, &scratch.inner_blocks,
                          &scratch.found_blocks, &scratch.group_places, &scratch.row_counts}) {
        visit(*numbers);
    }
    visit(scratch.labels);
    visit(scratch.offsets);
}

}  // namespace

std::size_t Store::memory_bytes() const noexcept {
    std::size_t bytes = planned.memory_bytes();
    for_each_of_store(*this, [&](const auto &array) { bytes += array.memory_bytes(); });
    for (const Growing<std::byte> &tile : tiles) {
        bytes += tile.memory_bytes();
    }
    return bytes;
}

void Store::count_in(MemoryBudget &budget) noexcept {
    for_each_of_store(*this, [&](auto &array) { array.count_in(budget); });
}

void Store::release() noexcept {
    for_each_of_store(*this, [](auto &array) { array.release(); });
}

std::size_t Scratch::memory_bytes() const noexcept {
    std::size_t total = 0;
    for_each_of_scratch(*this, [&](const auto &array) { total += array.memory_bytes(); });
    return total;
}

void Scratch::count_in(MemoryBudget &budget) noexcept {
    for_each_of_scratch(*this, [&](auto &array) { array.count_in(budget); });
}

void Scratch::release() noexcept {
    for_each_of_scratch(*this, [](auto &array) { array.release(); });
}

Label LabelTexts::find(std::int64_t number) const noexcept {
    if (number >= 0) {
        return numeric_label(static_cast<std::uint64_t>(number));
    }
    char text[24];
    const auto end = std::to_chars(text, text + sizeof(text), number).ptr;
    return table_->find(std::string_view(text, static_cast<std::size_t>(end - text))).value_or(nowhere);
}

int LabelTexts::compare(Label a, Label b) const noexcept {
    const auto text_of = [&](Label label, char *room) {
        if (is_numeric(label)) {
            const auto end = std::to_chars(room, room + 24, static_cast<std::uint64_t>(label)).ptr;
            return std::string_view(room, static_cast<std::size_t>(end - room));
        }
        return table_->stored_text(label);
    };
    char a_room[24], b_room[24];
    return text_of(a, a_room).compare(text_of(b, b_room));
}

const Label *number_rows(Index &index, std::size_t documents) {
    Label *const labels = index.own_labels.room(index.offsets[documents]);
    for (std::size_t document = 0; document < documents; ++document) {
        const std::uint32_t begin = index.offsets[document];
        const std::uint32_t end = index.offsets[document + 1];
        for (std::uint32_t block = begin; block < end; ++block) {
            labels[block] = numeric_label(block - begin);
        }
    }
    return labels;
}

const Label *number_rows(Index &index, std::size_t documents, std::size_t labels, const std::uint64_t *sizes) {
    Label *const all = index.own_labels.room(index.offsets[documents] * labels);
    for (std::size_t document = 0; document < documents; ++document, sizes += labels) {
        const std::uint32_t begin = index.offsets[document];
        for (std::uint32_t block = begin; block < index.offsets[document + 1]; ++block) {
            std::uint64_t rest = block - begin;
            for (std::size_t i = labels; i-- > 0; rest /= sizes[i]) {
                all[block * labels + i] = numeric_label(rest % sizes[i]);
            }
        }
    }
    return all;
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
    cells.data = cells.memory().room(std::max<std::size_t>(1, blocks * target.bytes));
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
    cells.data = cells.memory().room(blocks * target.bytes);
    return cells.data;
}

}  // namespace tenrex::program

// Groups of blocks that have a label in common.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "lib/program/sparse/address_table.h"
#include "lib/program/sparse/index_writer.h"

namespace tenrex::program {

// The numbers of a few labels, found by their hash. The labels are elsewhere, in the order of their numbers. Whichever
// they are, no more than `most` are compared.
class FewLabels {
public:
    static constexpr std::uint32_t most = 64;

    FewLabels() noexcept { slots_.fill(none); }
    // The number of a label, or `size`, that of the next one, which it has then.
    std::uint32_t find_or_add(Label label, const Label *labels, std::uint32_t size) noexcept {
        std::size_t slot = static_cast<std::uint64_t>(label) * 0x9e3779b97f4a7c15 >> (64 - bits);
        while (slots_[slot] != none) {
            if (labels[slots_[slot]] == label) {
                return slots_[slot];
            }
            slot = (slot + 1) % slots_.size();
        }
        slots_[slot] = static_cast<std::uint8_t>(size);
        return size;
    }

private:
    static constexpr unsigned bits = 7;
    static constexpr std::uint8_t none = 255;
    static_assert(most <= (std::size_t{1} << bits) / 2 && most < none);

    std::array<std::uint8_t, std::size_t{1} << bits> slots_;
};

// Adds the labels of a document to an index of one label per address, each once, in the order in which they come first:
// label_of(i) is that of block i of `count`. groups[i] becomes the number of its address, where those of the document
// begin with `first`. The table is used where there are many. Returns whether the labels ascend.
template <class LabelOf>
bool group_by_label(std::size_t count, const LabelOf &label_of, AddressTable &table, IndexWriter &writer,
                    std::uint32_t first, std::uint32_t *groups) {
    static constexpr std::uint16_t position[] = {0};
    const std::uint32_t begin = writer.count();
    writer.reserve(count);
    const Label *const known = writer.labels() + begin;
    FewLabels few;
    std::uint32_t size = 0;
    std::uint32_t in_table = 0;  // of these, the first
    // The number of a label, or `size` of one that is not known, which then is the next to be added.
    const auto search = [&](Label label) -> std::size_t {
        if (size < FewLabels::most) {
            return few.find_or_add(label, known, size);
        }
        if (in_table == 0) {
            table.clear(writer.labels(), 1, position, begin, 2 * FewLabels::most);
        }
        for (; in_table < size; ++in_table) {
            table.add(begin + in_table);
        }
        const std::uint32_t block = table.first(&label, position);
        return block == AddressTable::none ? size : block - begin;
    };
    std::size_t last = 0;
    Label highest{};
    bool ascend = true;
    for (std::size_t i = 0; i < count; ++i) {
        const Label label = label_of(i);
        // Often that of the block before, the group behind that, or a new one in ascending order.
        if (size == 0 || known[last] != label) {
            const std::size_t next = last + 1 < size ? last + 1 : 0;
            const bool is_next = size != 0 && known[next] == label;
            last = is_next ? next : size >= FewLabels::most && label > highest ? size : search(label);
        }
        groups[i] = first + static_cast<std::uint32_t>(last);
        if (last == size) {
            *writer.add() = label;
            ascend &= size == 0 || label > highest;
            highest = std::max(label, highest);
            ++size;
        }
    }
    return ascend;
}

}  // namespace tenrex::program

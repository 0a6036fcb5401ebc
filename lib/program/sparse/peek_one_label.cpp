// Peeks at one label of each document, known or computed, with no dimension left but those of its block.
#include <cstring>
#include <type_traits>

#include "lib/program/copy_bytes.h"
#include "lib/program/sparse/label_search.h"
#include "lib/program/sparse/peek_step.h"

namespace tenrex::program {

bool PeekStep::is_one_label() const noexcept {
    const bool is_one = shape_.operand_index && shape_.operand_width == 1 && shape_.key.size() == 1 &&
                        !shape_.chooser_index && !shape_.target.index && !may_repeat_ &&
                        shape_.rest.contiguous_bytes() == shape_.target.bytes;
    return is_one && shape_.choosers.size() == (shape_.key_labels[0].label == LabelTexts::nowhere ? 1 : 0);
}

void PeekStep::run_one_label(Frame &frame) const {
    if (shape_.choosers.empty()) {
        const Label label = shape_.key_labels[0].label;
        return copy_one_label(frame, [label](std::size_t) { return label; });
    }
    const Cells &numbers = frame.cells(shape_.choosers[0].cells.cells);
    copy_one_label(frame, [&](std::size_t document) {
        double number;
        std::memcpy(&number, numbers.data + static_cast<std::ptrdiff_t>(document) * numbers.stride, sizeof(number));
        const std::optional<std::int64_t> whole = truncated(number);
        return whole ? frame.labels->find(*whole) : LabelTexts::nowhere;
    });
}

// wanted(document): the label.
template <class Wanted>
void PeekStep::copy_one_label(Frame &frame, const Wanted &wanted) const {
    const Index &index = frame.index(shape_.operand_index);
    const AddressTable *const table = shape_.table ? &frame.table(shape_.table) : nullptr;
    const std::byte *const operand = frame.cells(shape_.operand).data;
    const std::size_t base = shape_.base * shape_.cell_bytes;
    std::byte *const target = frame.cells(shape_.target.cells).data;
    const auto find = [&](std::size_t document) -> std::uint32_t {
        const Label label = wanted(document);
        if (table != nullptr) {
            return table->first(&label, key_positions_);
        }
        const std::uint32_t begin = index.begin(document);
        const std::uint32_t count = index.end(document) - begin;
        const std::size_t found = find_label(index.labels + begin, count, label, index.sorted);
        return found != count ? begin + static_cast<std::uint32_t>(found) : AddressTable::none;
    };
    const auto copy = [&](auto bytes) {
        for (std::size_t document = 0; document < frame.documents; ++document) {
            const std::uint32_t block = find(document);
            if (block != AddressTable::none) {
                copy_bytes(target + document * bytes, operand + base + block * shape_.operand_bytes, bytes);
            } else {
                std::memset(target + document * bytes, 0, bytes);
            }
        }
    };
    if (shape_.target.bytes == sizeof(float)) {
        copy(std::integral_constant<std::size_t, sizeof(float)>());
    } else {
        copy(shape_.target.bytes);
    }
}

}  // namespace tenrex::program

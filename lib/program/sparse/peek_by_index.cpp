// Single cells of dense values at computed indexes.
#include <cstring>

#include "lib/program/sparse/peek_step.h"

namespace tenrex::program {

bool PeekStep::is_by_index() const noexcept {
    return !shape_.operand_index && !shape_.chooser_index && !shape_.target.index && shape_.key.empty() &&
           shape_.rest.contiguous_bytes() == shape_.cell_bytes;
}

void PeekStep::run_by_index(Frame &frame) const {
    switch (shape_.cell_bytes) {
        case 1:
            return run_cells_by_index<std::uint8_t>(frame);
        case 2:
            return run_cells_by_index<std::uint16_t>(frame);
        case 4:
            return run_cells_by_index<std::uint32_t>(frame);
        default:
            return run_cells_by_index<std::uint64_t>(frame);
    }
}

template <class Cell>
void PeekStep::run_cells_by_index(Frame &frame) const {
    constexpr auto cell_bytes = static_cast<std::ptrdiff_t>(sizeof(Cell));
    constexpr auto number_bytes = static_cast<std::ptrdiff_t>(sizeof(double));
    const Cells &operand = frame.cells(shape_.operand);
    const std::byte *const sources = operand.data + static_cast<std::ptrdiff_t>(shape_.base) * cell_bytes;
    std::byte *const targets = frame.cells(shape_.target.cells).data;
    const std::size_t count = shape_.choosers.size();
    const Blocks *const choosers = choosers_in(frame);
    // One cell of a document. It is `from` cells, and what the choosers say, behind the first one; chooser_offset(c)
    // tells which cell of a chooser to read.
    const auto peek = [&](std::size_t document, std::ptrdiff_t from, std::ptrdiff_t to, const auto &chooser_offset) {
        bool exists = true;
        for (std::size_t c = 0; c < count; ++c) {
            const Chooser &chooser = shape_.choosers[c];
            double number;
            std::memcpy(&number, choosers[c].at(document, document) + chooser_offset(c) * number_bytes, sizeof(number));
            // Truncated, what is above -1 is 0. Index 0 exists always: it is read in place of what does not.
            const bool is_inside = number > -1 && number < static_cast<double>(chooser.size);
            from += static_cast<std::ptrdiff_t>(is_inside ? number : 0) * static_cast<std::ptrdiff_t>(chooser.stride);
            exists &= is_inside;
        }
        Cell cell;
        std::memcpy(&cell, sources + static_cast<std::ptrdiff_t>(document) * operand.stride + from * cell_bytes,
                    sizeof(cell));
        cell = exists ? cell : Cell{0};
        std::memcpy(targets + document * shape_.target.bytes + to * cell_bytes, &cell, sizeof(cell));
    };
    const auto &run = shape_.nest.run();
    if (shape_.nest.runs() * run.size == 1) {
        for (std::size_t document = 0; document < frame.documents; ++document) {
            peek(document, 0, 0, [](std::size_t) { return std::ptrdiff_t{0}; });
        }
        return;
    }
    std::ptrdiff_t *const offsets = offsets_in(frame);
    for (std::size_t document = 0; document < frame.documents; ++document) {
        shape_.nest.for_each_run(offsets, [&] {
            for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(run.size); ++i) {
                peek(document, offsets[1] + i * run.strides[1], offsets[0] + i * run.strides[0],
                     [&](std::size_t c) { return offsets[2 + c] + i * run.strides[2 + c]; });
            }
        });
    }
}

}  // namespace tenrex::program

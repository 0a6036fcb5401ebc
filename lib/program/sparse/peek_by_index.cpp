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
    const auto &run = shape_.nest.run();
    const std::size_t count = shape_.choosers.size();
    const Blocks *const choosers = choosers_in(frame);
    std::ptrdiff_t *const offsets = offsets_in(frame);
    for (std::size_t document = 0; document < frame.documents; ++document) {
        const std::byte *const source = operand.data + static_cast<std::ptrdiff_t>(document) * operand.stride +
                                        static_cast<std::ptrdiff_t>(shape_.base) * cell_bytes;
        std::byte *const target = frame.cells(shape_.target.cells).data + document * shape_.target.bytes;
        shape_.nest.for_each_run(offsets, [&] {
            for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(run.size); ++i) {
                std::ptrdiff_t from = offsets[1] + i * run.strides[1];
                bool exists = true;
                for (std::size_t c = 0; c < count; ++c) {
                    const Chooser &chooser = shape_.choosers[c];
                    double number;
                    std::memcpy(
                        &number,
                        choosers[c].at(document, document) + (offsets[2 + c] + i * run.strides[2 + c]) * number_bytes,
                        sizeof(number));
                    // Truncated, what is above -1 is 0. Index 0 exists always: it is read in place of what does not.
                    const bool is_inside = number > -1 && number < static_cast<double>(chooser.size);
                    from += static_cast<std::ptrdiff_t>(is_inside ? number : 0) *
                            static_cast<std::ptrdiff_t>(chooser.stride);
                    exists &= is_inside;
                }
                Cell cell;
                std::memcpy(&cell, source + from * cell_bytes, sizeof(cell));
                cell = exists ? cell : Cell{0};
                std::memcpy(target + (offsets[0] + i * run.strides[0]) * cell_bytes, &cell, sizeof(cell));
            }
        });
    }
}

}  // namespace tenrex::program

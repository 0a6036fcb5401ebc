#include "lib/program/sparse/peek_by_index_step.h"

#include <algorithm>
#include <cstring>

#include "lib/support/format.h"

namespace tenrex::program {

namespace {

constexpr auto number_bytes = static_cast<std::ptrdiff_t>(sizeof(double));

std::ptrdiff_t *zeros(Frame &frame, std::size_t count) {
    std::ptrdiff_t *const offsets = frame.scratch->offsets.room(count);
    std::fill_n(offsets, count, 0);
    return offsets;
}

}  // namespace

void PlacesStep::run(Frame &frame) const {
    const Axis<any_number> &run = nest_.run();
    std::ptrdiff_t *const offsets = zeros(frame, run.strides.size());
    std::uint32_t *place = frame.map(result_).of.room(nest_.runs() * run.size);
    nest_.for_each_run(offsets, [&] {
        for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(run.size); ++i) {
            std::ptrdiff_t cell = static_cast<std::ptrdiff_t>(base_) + offsets[0] + i * run.strides[0];
            bool exists = true;
            for (std::size_t c = 0; c < choosers_.size(); ++c) {
                const std::byte *const numbers = frame.cells(choosers_[c].cells.cells).data;
                const std::ptrdiff_t number = offsets[1 + c] + i * run.strides[1 + c];
                exists &= choosers_[c].move(numbers + number * number_bytes, cell);
            }
            *place++ = exists ? static_cast<std::uint32_t>(cell) : nowhere;
        }
    });
}

Work PlacesStep::work() const {
    const auto cells = static_cast<double>(nest_.runs() * nest_.run().size);
    return {0, cells * static_cast<double>(choosers_.size() * sizeof(double)), cells * sizeof(std::uint32_t)};
}

void PeekByIndexStep::run(Frame &frame) const {
    switch (shape_.cell_bytes) {
        case 1:
            return run_cells<std::uint8_t>(frame);
        case 2:
            return run_cells<std::uint16_t>(frame);
        case 4:
            return run_cells<std::uint32_t>(frame);
        default:
            return run_cells<std::uint64_t>(frame);
    }
}

template <class Cell>
void PeekByIndexStep::run_cells(Frame &frame) const {
    const std::uint32_t *places = shape_.places ? frame.map(shape_.places).of.data() : &shape_.place;
    std::ptrdiff_t *const offsets = zeros(frame, shape_.nest.run().strides.size());
    shape_.nest.for_each_run(offsets, [&] {
        shape_.choosers.size() == 1 ? copy_one_chooser<Cell>(frame, places, offsets)
                                    : copy_any<Cell>(frame, places, offsets);
        places += shape_.nest.run().size;
    });
}

template <class Cell>
void PeekByIndexStep::copy_one_chooser(const Frame &frame, const std::uint32_t *places,
                                       const std::ptrdiff_t *offsets) const {
    const Cells &numbers = frame.cells(shape_.choosers[0].cells.cells);
    const std::byte *const first = numbers.data + offsets[1] * number_bytes;
    const std::ptrdiff_t document_step = numbers.stride;
    const std::ptrdiff_t step = shape_.nest.run().strides[1] * number_bytes;
    const IndexChooser chooser = shape_.choosers[0];
    copy_cells<Cell>(run_of(frame, places, offsets),
                     [=](std::ptrdiff_t document, std::ptrdiff_t i, std::ptrdiff_t &cell) {
                         return chooser.move(first + document * document_step + i * step, cell);
                     });
}

template <class Cell>
void PeekByIndexStep::copy_any(const Frame &frame, const std::uint32_t *places, const std::ptrdiff_t *offsets) const {
    copy_cells<Cell>(run_of(frame, places, offsets), [&](std::ptrdiff_t document, std::ptrdiff_t i,
                                                         std::ptrdiff_t &cell) {
        bool exists = true;
        for (std::size_t c = 0; c < shape_.choosers.size(); ++c) {
            const Cells &numbers = frame.cells(shape_.choosers[c].cells.cells);
            const std::ptrdiff_t number = offsets[1 + c] + i * shape_.nest.run().strides[1 + c];
            exists &= shape_.choosers[c].move(numbers.data + document * numbers.stride + number * number_bytes, cell);
        }
        return exists;
    });
}

PeekByIndexStep::Run PeekByIndexStep::run_of(const Frame &frame, const std::uint32_t *places,
                                             const std::ptrdiff_t *offsets) const {
    const Cells &operand = frame.cells(shape_.operand);
    const auto cell_bytes = static_cast<std::ptrdiff_t>(shape_.cell_bytes);
    return {frame.documents,
            operand.data,
            operand.stride,
            frame.cells(shape_.target.cells).data + offsets[0] * cell_bytes,
            static_cast<std::ptrdiff_t>(shape_.target.bytes),
            shape_.nest.run().strides[0] * cell_bytes,
            places,
            shape_.nest.run().size};
}

// move(document, i, cell): by all choosers, to what cell i of the run says.
template <class Cell, class Move>
void PeekByIndexStep::copy_cells(const Run run, const Move move) noexcept {
    for (std::size_t document = 0; document < run.documents; ++document) {
        const auto own = static_cast<std::ptrdiff_t>(document);
        const std::byte *const source = run.source + own * run.source_step;
        std::byte *to = run.to + own * run.to_step;
        for (std::size_t i = 0; i < run.cells; ++i) {
            const std::uint32_t place = run.places[i];
            bool exists = place != PlacesStep::nowhere;
            std::ptrdiff_t cell = place & all_or_none<std::uint32_t>(exists);
            exists &= move(own, static_cast<std::ptrdiff_t>(i), cell);
            Cell bits;
            std::memcpy(&bits, source + cell * static_cast<std::ptrdiff_t>(sizeof(Cell)), sizeof(bits));
            bits &= all_or_none<Cell>(exists);
            std::memcpy(to, &bits, sizeof(bits));
            to += run.cell_step;
        }
    }
}

std::string PeekByIndexStep::describe() const {
    return fmt::format("peek at indexes, {} of them computed", shape_.choosers.size());
}

}  // namespace tenrex::program

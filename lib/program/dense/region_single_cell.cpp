// Regions of one cell, for a document on its own: no tiles, and each input in the place where operations read it.
#include <cstring>

#include "lib/program/dense/region_step.h"

namespace tenrex::program {

std::vector<Placement> RegionStep::placements() const {
    std::vector<Placement> all;
    all.reserve(sources_.size());
    for (const Source &source : sources_) {
        if (source.is_placed) {
            all.push_back(
                {source.from.number, tiles_, single_cells_ + source.value * kernels::single_cell_bytes, source.type()});
        }
    }
    return all;
}

SingleFormula RegionStep::single_formula(Store &store) const {
    if (cells_ != 1 || index_ || outputs_.size() != 1) {
        return {};
    }
    std::byte *const cells = single_cells(store);
    const auto place_of = [&](std::uint32_t value) { return cells + value * kernels::single_cell_bytes; };
    SingleFormula formula{operations_.data(), cells, place_of(outputs_.front().value), {}};
    for (const Source &source : sources_) {
        if (source.from.stage != outputs_.front().to.stage && source.conversion == nullptr) {
            formula.earlier.push_back({source.from, place_of(source.value), source.type()});
        } else if (!source.is_placed) {
            return {};
        }
    }
    return formula;
}

std::byte *RegionStep::single_cells(Store &store) const noexcept {
    return store.tiles[tiles_].data() + single_cells_;
}

// All that a document on its own needs for a scalar formula: loops over one cell would take longer than the formula.
void RegionStep::run_single_cell(Frame &frame) const {
    std::byte *const cells = single_cells(store_of(frame));
    const auto copy = [](const std::byte *from, std::byte *to, std::size_t width) {
        width == sizeof(double) ? std::memcpy(to, from, sizeof(double)) : std::memcpy(to, from, sizeof(float));
    };
    for (const Source &source : sources_) {
        if (source.is_placed && frame.are_placed) {
            continue;
        }
        const std::byte *const from = frame.cells(source.from).data;
        std::byte *const to = cells + source.value * kernels::single_cell_bytes;
        if (source.conversion != nullptr) {
            source.conversion->function({from, 0, to, 0, 1, 1});
        } else {
            copy(from, to, source.width);
        }
    }
    kernels::compute_single_cells(operations_.data(), cells);
    for (const Output &output : outputs_) {
        copy(cells + output.value * kernels::single_cell_bytes, frame.cells(output.to).data, output.width);
    }
}

}  // namespace tenrex::program

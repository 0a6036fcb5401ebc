// The sizes of values with open dimensions that an evaluation has computed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "lib/program/plan.h"

namespace tenrex {

// Of one document, in the order of the names of the dimensions; there is room for each of them.
inline void read_sizes(const program::Frame &frame, const program::Port &output, std::size_t document,
                       std::span<std::uint64_t> sizes) noexcept {
    if (output.sizes.empty()) {
        const program::Index &rows = frame.index(output.index);
        sizes.front() = rows.end(document) - rows.begin(document);
        return;
    }
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const program::Cells &cells = frame.cells(output.sizes[i]);
        double size = 0;
        std::memcpy(&size, cells.data + static_cast<std::ptrdiff_t>(document) * cells.stride, sizeof(size));
        sizes[i] = static_cast<std::uint64_t>(size);
    }
}

}  // namespace tenrex

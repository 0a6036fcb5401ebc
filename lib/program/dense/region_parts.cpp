// How threads share a region: each has a copy of the step's memory.
#include <cstdint>
#include <cstring>

#include "lib/program/dense/region_step.h"
#include "lib/program/parts.h"

namespace tenrex::program {

RegionStep::Memory RegionStep::copy_of(const Memory &memory, std::byte *to) const noexcept {
    std::memcpy(to, memory.base, memory_bytes_);
    const Memory copy = memory_at(to);
    // What points into the memory points into the copy.
    const auto relocate = [&](auto *&cells) {
        const std::uintptr_t offset =
            reinterpret_cast<std::uintptr_t>(cells) - reinterpret_cast<std::uintptr_t>(memory.base);
        cells = offset < memory_bytes_ ? to + offset : cells;
    };
    for (std::size_t i = 0; i < places_.size(); ++i) {
        relocate(copy.whole[i].cells);
        relocate(copy.last[i].cells);
    }
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        relocate(copy.sources[i]);
    }
    return copy;
}

// The same as run_cells(), by threads if it is worth it. Whole rows are not cut.
void RegionStep::share_cells(Frame &frame, const Memory &memory, std::size_t first, std::size_t count) const {
    constexpr std::size_t enough_cells = 4096;
    if (frame.executor == nullptr || count <= enough_cells) {
        run_cells(frame, memory, first, count);
        return;
    }
    const std::size_t row = reduction_ ? reduction_->length : row_ != 0 ? row_ : kernels::tile_cells;
    const std::size_t grain = (enough_cells + row - 1) / row * row;
    const Parts parts(frame, count, nanoseconds_of_cell * static_cast<double>(operations_.size()), grain);
    if (parts.threads() == 1) {
        run_cells(frame, memory, first, count);
        return;
    }
    const std::size_t copy_bytes = whole_lines(memory_bytes_);
    std::byte *const copies = frame.scratch->bytes.room(parts.threads() * copy_bytes);
    for (std::size_t thread = 0; thread < parts.threads(); ++thread) {
        copy_of(memory, copies + thread * copy_bytes);
    }
    parts.run([&](std::size_t thread, std::size_t begin, std::size_t some) {
        const Memory own = memory_at(copies + thread * copy_bytes);
        for (const Sources &range : {whole_, converted_}) {
            for (std::size_t i = range.begin; i < range.end; ++i) {
                own.sources[i] = memory.sources[i] + begin * sources_[i].width;
            }
        }
        run_cells(frame, own, first + begin, some);
    });
}

}  // namespace tenrex::program

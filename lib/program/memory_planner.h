// Gives the cells of a program their places in one piece of memory: those that live at the same time lie side by side,
// the others may share it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace tenrex::program {

// Cells whose size is known: where they are in Store::planned.
struct PlannedCells {
    std::uint32_t number = 0;                   // among the cells of the store
    std::size_t bytes = 0;                      // of one document's block
    std::size_t first_step = 0, last_step = 0;  // of the program: when they are written first and read last
    std::size_t offset = 0;
};

// Cells whose size is known only while a program runs.
struct BufferedCells {
    std::uint32_t number = 0;                   // among the cells of the store
    std::size_t bytes = 0;                      // of a block
    std::size_t first_step = 0, last_step = 0;  // of the program: when they are written first and read last
    std::size_t buffer = 0;
};

// More bytes than can be counted.
inline constexpr std::size_t uncountable_bytes = std::numeric_limits<std::size_t>::max();

// Both choose the offsets of the cells, multiples of a line of the cache, and return the bytes needed, or
// uncountable_bytes: then the offsets mean nothing.

// One after the other, for good.
std::size_t lay_out_for_good(std::span<PlannedCells> planned);

// Cells of so many documents, from their first step to their last: the smallest gap between those that live then in
// which they fit. The time needed grows with n log n for n cells, however many of them live at a time.
std::size_t lay_out_by_lifetime(std::span<PlannedCells> planned, std::size_t documents);

// Gives each of them a buffer that no others have which live at the same time, one of those with blocks of their size
// if there is one. Returns the number of buffers, which is the least possible.
std::size_t share_buffers(std::span<BufferedCells> cells);

}  // namespace tenrex::program

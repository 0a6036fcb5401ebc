#include "lib/program/gathered_blocks.h"

#include <algorithm>
#include <cstring>

#include "lib/program/copy_bytes.h"

namespace tenrex::program {

namespace {

template <class Cell>
void repeat(const std::byte *cells, const std::uint32_t *numbers, std::size_t count, std::size_t copies,
            std::byte *room) noexcept {
    auto *to = reinterpret_cast<Cell *>(room);
    for (std::size_t i = 0; i < count; ++i, to += copies) {
        Cell cell;  // read once: the compiler cannot know that what is written is none of it
        std::memcpy(&cell, cells + (numbers != nullptr ? numbers[i] : i) * sizeof(Cell), sizeof(Cell));
        std::fill_n(to, copies, cell);
    }
}

}  // namespace

const std::byte *blocks_in_order(const std::byte *cells, std::size_t block_bytes, const std::uint32_t *numbers,
                                 std::size_t count, std::byte *room) noexcept {
    bool follow = count != 0;
    for (std::size_t i = 1; i < count; ++i) {
        follow &= numbers[i] == numbers[0] + i;
    }
    if (follow) {
        return cells + numbers[0] * block_bytes;
    }
    const auto copy = [&](auto cell) {
        for (std::size_t i = 0; i < count; ++i) {
            std::memcpy(&cell, cells + numbers[i] * sizeof(cell), sizeof(cell));
            std::memcpy(room + i * sizeof(cell), &cell, sizeof(cell));
        }
    };
    switch (block_bytes) {
        case sizeof(float):
            copy(float());
            break;
        case sizeof(double):
            copy(double());
            break;
        default:
            with_copy_of(block_bytes, [=](auto copy_block) {
                for (std::size_t i = 0; i < count; ++i) {
                    copy_block(room + i * block_bytes, cells + numbers[i] * block_bytes, block_bytes);
                }
            });
    }
    return room;
}

void repeat_cells(const std::byte *cells, std::size_t cell_bytes, const std::uint32_t *numbers, std::size_t count,
                  std::size_t copies, std::byte *room) noexcept {
    cell_bytes == sizeof(float) ? repeat<float>(cells, numbers, count, copies, room)
                                : repeat<double>(cells, numbers, count, copies, room);
}

}  // namespace tenrex::program

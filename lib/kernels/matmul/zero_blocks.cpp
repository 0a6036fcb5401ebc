#include "lib/kernels/matmul/zero_blocks.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace tenrex::kernels {

namespace {

constexpr std::size_t rows_of_block = MatmulBlocks::rows_of_block;

// What a map begins with. `first` and `rows` of its blocks follow, and then the powers of two of its panels.
struct MapHead {
    double share;
    std::uint64_t is_worth;
};

// The parts of a map.
struct MapPlan {
    MapPlan(const MatmulKernel &kernel, std::size_t k, std::size_t n)
        : panels((n + kernel.panel - 1) / kernel.panel),
          blocks_of_panel((k + rows_of_block - 1) / rows_of_block),
          first(sizeof(MapHead)),
          rows(first + (panels * blocks_of_panel + 1) * sizeof(std::uint32_t)),
          places(rows + (panels * blocks_of_panel + MatmulBlocks::fetched_ahead) * sizeof(std::uint32_t)),
          bytes((places + panels * sizeof(std::int16_t) + 7) / 8 * 8) {}

    MatmulBlocks in(const void *map) const {
        const char *const begin = static_cast<const char *>(map);
        return {reinterpret_cast<const std::uint32_t *>(begin + first),
                reinterpret_cast<const std::uint32_t *>(begin + rows),
                reinterpret_cast<const std::int16_t *>(begin + places)};
    }

    std::size_t panels, blocks_of_panel;
    std::size_t first, rows, places, bytes;  // where they begin, and how many there are
};

// Where the rows of a panel stand, which are rows of words for cells that are packed in words of 32 bits.
class Panel {
public:
    Panel(const MatmulKernel &kernel, const void *packed, std::size_t k, std::size_t n, std::size_t number)
        : steps_of_block_(rows_of_block / kernel.k_tile), steps_((k + kernel.k_tile - 1) / kernel.k_tile) {
        const std::size_t step_bytes_of_column = std::max(byte_size(kernel.type), std::size_t{4});
        const std::size_t left = number * kernel.panel;
        const std::size_t columns = std::min(kernel.panel, n - left);
        step_bytes_ =
            (columns + kernel.column_tile - 1) / kernel.column_tile * kernel.column_tile * step_bytes_of_column;
        // Panels before are whole, each as large as if it were packed alone.
        const std::size_t panel_bytes = packed_cells(kernel, k, kernel.panel) * byte_size(kernel.type);
        cells_ = static_cast<const char *>(packed) + number * panel_bytes;
        row_ = number * (panel_bytes / (kernel.panel * step_bytes_of_column));
    }
    const char *block(std::size_t number) const { return cells_ + number * steps_of_block_ * step_bytes_; }
    std::size_t block_bytes(std::size_t number) const {
        return std::min(steps_of_block_, steps_ - number * steps_of_block_) * step_bytes_;
    }
    // In rows from the first panel on.
    std::size_t block_row(std::size_t number) const { return row_ + number * steps_of_block_; }
    const char *cells() const { return cells_; }
    std::size_t bytes() const { return steps_ * step_bytes_; }

private:
    std::size_t steps_of_block_, steps_;
    const char *cells_;
    std::size_t step_bytes_, row_;
};

// What of 64 bits of cells is not zero in any cell but zeros.
std::uint64_t value_bits(CellType type) {
    switch (type) {
        case CellType::f64:
            return 0x7FFFFFFFFFFFFFFF;
        case CellType::f32:
            return 0x7FFFFFFF7FFFFFFF;
        case CellType::bf16:
            return 0x7FFF7FFF7FFF7FFF;
        default:
            return ~std::uint64_t{0};
    }
}

bool all_zero(const char *cells, std::size_t bytes, std::uint64_t bits) {
    // A line of the cache at a time: most blocks are none of zeros, and the first one shows it.
    constexpr std::size_t line = 64;
    std::size_t at = 0;
    for (; at + line <= bytes; at += line) {
        std::uint64_t words[line / sizeof(std::uint64_t)];
        std::memcpy(words, cells + at, line);
        std::uint64_t any = 0;
        for (const std::uint64_t word : words) {
            any |= word;
        }
        if ((any & bits) != 0) {
            return false;
        }
    }
    for (; at < bytes; at += sizeof(std::uint64_t)) {  // vectors have whole words
        std::uint64_t word = 0;
        std::memcpy(&word, cells + at, sizeof(word));
        if ((word & bits) != 0) {
            return false;
        }
    }
    return true;
}

// The place of the lowest bit that is set in any of some floats; 0 if all are zeros. `Bits` are of such a float.
template <class Bits, int fraction_bits>
std::int16_t least_place(const char *cells, std::size_t bytes) {
    constexpr int least =
        -std::numeric_limits<std::conditional_t<fraction_bits == 23, float, double>>::max_exponent - fraction_bits + 2;
    int place = std::numeric_limits<int>::max();
    for (std::size_t at = 0; at < bytes; at += sizeof(Bits)) {
        Bits own = 0;
        std::memcpy(&own, cells + at, sizeof(own));
        own &= static_cast<Bits>(~Bits{0}) >> 1;
        if (own == 0) {
            continue;
        }
        const Bits exponent = own >> fraction_bits;
        const Bits fraction = own & ((Bits{1} << fraction_bits) - 1);
        const Bits digits = exponent == 0 ? fraction : fraction | Bits{1} << fraction_bits;
        place = std::min(place, least + std::max(static_cast<int>(exponent), 1) - 1 + std::countr_zero(digits));
    }
    return place == std::numeric_limits<int>::max() ? std::int16_t{0} : static_cast<std::int16_t>(place);
}

std::int16_t least_place(CellType type, const char *cells, std::size_t bytes) {
    switch (type) {
        case CellType::f64:
            return least_place<std::uint64_t, 52>(cells, bytes);
        case CellType::f32:
            return least_place<std::uint32_t, 23>(cells, bytes);
        default:
            return 0;  // kernels need none
    }
}

}  // namespace

std::size_t block_map_bytes(const MatmulKernel &kernel, std::size_t k, std::size_t n) noexcept {
    return kernel.panel == 0 ? 0 : MapPlan(kernel, k, n).bytes;
}

void map_blocks(const MatmulKernel &kernel, const void *packed, std::size_t k, std::size_t n, void *map) noexcept {
    const MapPlan plan(kernel, k, n);
    std::memset(map, 0, plan.bytes);
    auto *first = reinterpret_cast<std::uint32_t *>(static_cast<char *>(map) + plan.first);
    auto *const rows = reinterpret_cast<std::uint32_t *>(static_cast<char *>(map) + plan.rows);
    auto *const places = reinterpret_cast<std::int16_t *>(static_cast<char *>(map) + plan.places);
    const std::uint64_t bits = value_bits(kernel.type);
    double zeros = 0;
    std::uint32_t count = 0;
    for (std::size_t number = 0; number < plan.panels; ++number) {
        const Panel panel(kernel, packed, k, n, number);
        const std::size_t columns = std::min(kernel.panel, n - number * kernel.panel);
        for (std::size_t i = 0; i < plan.blocks_of_panel; ++i) {
            *first++ = count;
            if (all_zero(panel.block(i), panel.block_bytes(i), bits)) {
                zeros += static_cast<double>(columns * std::min(rows_of_block, k - i * rows_of_block));
            } else {
                rows[count++] = static_cast<std::uint32_t>(panel.block_row(i));
            }
        }
    }
    *first = count;
    std::fill_n(rows + count, MatmulBlocks::fetched_ahead, count == 0 ? 0 : rows[count - 1]);
    const double share = zeros == 0 ? 0 : zeros / static_cast<double>(k * n);
    const MapHead head{share, share >= MatmulBlocks::least_share(SIZE_MAX) ? 1U : 0U};
    std::memcpy(map, &head, sizeof(head));
    for (std::size_t number = 0; head.is_worth != 0 && number < plan.panels; ++number) {
        const Panel panel(kernel, packed, k, n, number);
        places[number] = least_place(kernel.type, panel.cells(), panel.bytes());
    }
}

double share_of_zeros(const void *map) noexcept {
    MapHead head{};
    std::memcpy(&head, map, sizeof(head));
    return head.is_worth != 0 ? head.share : 0;
}

MatmulBlocks blocks_of(const MatmulKernel &kernel, const void *map, std::size_t k, std::size_t n) noexcept {
    MatmulBlocks blocks;
    if (const double share = share_of_zeros(map); share != 0) {
        blocks = MapPlan(kernel, k, n).in(map);
        blocks.share = share;
    }
    return blocks;
}

MatmulBlocks after_columns(const MatmulKernel &kernel, MatmulBlocks blocks, std::size_t k,
                           std::size_t columns) noexcept {
    if (blocks.first == nullptr || columns == 0) {
        return blocks;
    }
    const std::size_t panels = columns / kernel.panel;
    blocks.first += panels * MapPlan(kernel, k, columns).blocks_of_panel;
    blocks.least_place += panels;
    blocks.before += panels;
    return blocks;
}

}  // namespace tenrex::kernels

// Tiles in the registers made for them: 16 rows of 64 bytes. An instruction multiplies a tile of rows of a by one of b
// whose rows are words of consecutive k and adds to 16 rows by 16 columns of sums.
//
// Four tiles of sums are made at a time, or the unit would wait for its results: two by two where there are many rows,
// because then every tile that is loaded is used twice, else one by four.
#pragma once

#include <immintrin.h>

#include "lib/kernels/matmul/words-inl.h"

namespace tenrex::kernels {
namespace {

inline constexpr std::size_t tile_side = 16;
inline constexpr std::size_t tile_row_bytes = 64;

// The registers while a product is made. Other code finds them as it left them: unused.
class TileRegisters {
public:
    explicit TileRegisters(std::size_t rows_of_product) {
        const auto rows = static_cast<std::uint8_t>(smaller_of(rows_of_product, tile_side));
        Configuration configuration;
        for (std::size_t i = 0; i < 8; ++i) {
            configuration.row_bytes[i] = tile_row_bytes;
            configuration.rows[i] =
                i < 5 ? rows : tile_side;  // 5 holds rows of a if there are more than one tile of them
        }
        settle(&configuration);
        _tile_loadconfig(&configuration);
    }
    TileRegisters(const TileRegisters &) = delete;
    TileRegisters &operator=(const TileRegisters &) = delete;
    ~TileRegisters() { _tile_release(); }

    // Compilers do not all know that tiles are loaded from memory: what was written there must be there.
    static void settle(const void *memory) { __asm__ volatile("" : : "r"(memory) : "memory"); }

private:
    struct alignas(64) Configuration {
        std::uint8_t palette = 1;
        std::uint8_t start_row = 0;
        std::uint8_t reserved[14] = {};
        std::uint16_t row_bytes[16] = {};
        std::uint8_t rows[16] = {};
    };
};

// The tiles of int8 cells, four in a word, or of bfloat16 cells, two in a word. `Vector` adds sums.
template <class Vector, class RowCell, class PartOfWord>
struct AmxTiles {
    using Row = RowCell;
    using Part = PartOfWord;
    using PartOfB = PartOfWord;
    static constexpr PartOfWord raise = 0;
    static constexpr bool skips = false;
    static constexpr std::size_t lanes = tile_side;
    static constexpr std::size_t panel = 4;
    static constexpr std::size_t rows = 2 * tile_side;
    static constexpr std::size_t rows_in_block = 4 * rows;
    static constexpr std::size_t rows_copied = rows;
    // Whole tiles, but for the last rows.
    static std::size_t height_of(std::size_t left, std::size_t most) {
        const std::size_t height = smaller_of(left, most);
        return height <= rows ? height : height / tile_side * tile_side;
    }
    static constexpr std::size_t words_in_step = tile_row_bytes / sizeof(i32);
    static constexpr std::size_t words_in_chunk = 24 * words_in_step;

    // The tiles of rows are whole, or as high as those of a small product, for which the registers were set up.
    static bool in_place(std::size_t height, std::size_t of) { return height % tile_side == 0 || of < tile_side; }

    using Words = tenrex::kernels::Part<i32>;

    static void multiply(const Words &part, std::size_t height, std::size_t vectors) {
        TileRegisters::settle(part.a);
        if (part.before == nullptr) {
            multiply_to(part, part.out, height, vectors);
            return;
        }
        alignas(64) i32 sums[rows_in_block * panel * lanes];
        multiply_to(part, sums, height, vectors);
        for (std::size_t i = 0; i < height * vectors * lanes; i += lanes) {  // rows without gaps
            Vector::store(part.out + i, Vector::add(Vector::load(part.before + i), Vector::load(sums + i)));
        }
    }

private:
    // So many words of two tiles of columns stay in the first cache while rows pass by.
    static constexpr std::size_t words_of_columns = 8 * words_in_step;

    static void multiply_to(const Words &part, i32 *sums, std::size_t height, std::size_t vectors) {
        const std::size_t pairs = (height + tile_side - 1) / rows;  // of tiles of rows; the second may be lower
        if (pairs > 0) {
            std::size_t v = 0;
            for (; v + 2 <= vectors; v += 2) {
                columns<2>(part, v, pairs, vectors, sums);
            }
            if (v < vectors) {
                columns<1>(part, v, pairs, vectors, sums);
            }
        }
        if (pairs * rows < height) {
            Words rest = part;
            rest.a += static_cast<std::ptrdiff_t>(pairs * rows) * part.a_row;
            low_of(rest, sums + pairs * rows * vectors * lanes, vectors);
        }
    }

    // Some columns, from vector `first` on, of all pairs of tiles of rows.
    template <std::size_t vectors>
    static void columns(const Words &part, std::size_t first, std::size_t pairs, std::size_t all, i32 *sums) {
        const auto width = static_cast<std::ptrdiff_t>(all * tile_row_bytes);
        for (std::size_t from = 0; from < part.k; from += words_of_columns) {
            Words own = part;
            own.k = smaller_of(words_of_columns, part.k - from);
            own.a += from;
            const i32 *const b = part.b + (from * all + first) * lanes;
            for (std::size_t pair = 0; pair < pairs; ++pair) {
                high<vectors>(own, b, width, sums + (pair * rows * all + first) * lanes, from != 0);
                own.a += static_cast<std::ptrdiff_t>(rows) * part.a_row;
            }
        }
    }

    static void low_of(const Words &part, i32 *sums, std::size_t vectors) {
        switch (vectors) {
            case 1:
                return low<1>(part, sums);
            case 2:
                return low<2>(part, sums);
            case 3:
                return low<3>(part, sums);
            default:
                return low<4>(part, sums);
        }
    }

#define TENREX_MULTIPLY_TILES(sums, a, b)       \
    do {                                        \
        if constexpr (__is_same(RowCell, i8)) { \
            _tile_dpbssd(sums, a, b);           \
        } else {                                \
            _tile_dpbf16ps(sums, a, b);         \
        }                                       \
    } while (false)

    // One tile of rows by some of columns.
    template <std::size_t vectors>
    static void low(const Words &part, i32 *sums) {
        constexpr std::ptrdiff_t width = vectors * tile_row_bytes;
        const std::ptrdiff_t a_row = part.a_row * static_cast<std::ptrdiff_t>(sizeof(i32));
        _tile_zero(0);
        _tile_zero(1);
        _tile_zero(2);
        _tile_zero(3);
        for (std::size_t word = 0; word < part.k; word += words_in_step) {
            const i32 *const b = part.b + word * vectors * lanes;
            _tile_loadd(4, part.a + word, a_row);
            _tile_loadd(5, b, width);
            TENREX_MULTIPLY_TILES(0, 4, 5);
            if constexpr (vectors > 1) {
                _tile_loadd(6, b + lanes, width);
                TENREX_MULTIPLY_TILES(1, 4, 6);
            }
            if constexpr (vectors > 2) {
                _tile_loadd(7, b + 2 * lanes, width);
                TENREX_MULTIPLY_TILES(2, 4, 7);
            }
            if constexpr (vectors > 3) {
                _tile_loadd(5, b + 3 * lanes, width);
                TENREX_MULTIPLY_TILES(3, 4, 5);
            }
        }
        _tile_stored(0, sums, width);
        if constexpr (vectors > 1) {
            _tile_stored(1, sums + lanes, width);
        }
        if constexpr (vectors > 2) {
            _tile_stored(2, sums + 2 * lanes, width);
        }
        if constexpr (vectors > 3) {
            _tile_stored(3, sums + 3 * lanes, width);
        }
    }

    // Two tiles of rows by one or two of columns. What the second one holds below the last row is not used. goes_on:
    // the sums are added to.
    template <std::size_t vectors>
    static void high(const Words &part, const i32 *first_b, std::ptrdiff_t width, i32 *sums, bool goes_on) {
        const std::ptrdiff_t a_row = part.a_row * static_cast<std::ptrdiff_t>(sizeof(i32));
        const i32 *const second_a = part.a + static_cast<std::ptrdiff_t>(tile_side) * part.a_row;
        i32 *const second_sums = sums + static_cast<std::ptrdiff_t>(tile_side) * width / std::ptrdiff_t{sizeof(i32)};
        if (goes_on) {
            TileRegisters::settle(sums);
            _tile_loadd(0, sums, width);
            _tile_loadd(1, second_sums, width);
            if constexpr (vectors > 1) {
                _tile_loadd(2, sums + lanes, width);
                _tile_loadd(3, second_sums + lanes, width);
            }
        } else {
            _tile_zero(0);
            _tile_zero(1);
            _tile_zero(2);
            _tile_zero(3);
        }
        const char *b = reinterpret_cast<const char *>(first_b);
        for (std::size_t word = 0; word < part.k; word += words_in_step) {
            _tile_loadd(6, b, width);
            _tile_loadd(4, part.a + word, a_row);
            TENREX_MULTIPLY_TILES(0, 4, 6);
            _tile_loadd(5, second_a + word, a_row);
            TENREX_MULTIPLY_TILES(1, 5, 6);
            if constexpr (vectors > 1) {
                _tile_loadd(7, b + tile_row_bytes, width);
                TENREX_MULTIPLY_TILES(2, 4, 7);
                TENREX_MULTIPLY_TILES(3, 5, 7);
            }
            b += static_cast<std::ptrdiff_t>(words_in_step) * width;
        }
        _tile_stored(0, sums, width);
        _tile_stored(1, second_sums, width);
        if constexpr (vectors > 1) {
            _tile_stored(2, sums + lanes, width);
            _tile_stored(3, second_sums + lanes, width);
        }
    }
#undef TENREX_MULTIPLY_TILES
};

struct FloatSums {
    static __m512 add(__m512 x, __m512 y) { return _mm512_add_ps(x, y); }
    static __m512 load(const i32 *words) { return _mm512_loadu_ps(words); }
    static void store(i32 *words, __m512 x) { _mm512_storeu_ps(words, x); }
};

using HalfTiles = AmxTiles<FloatSums, bf16, std::uint16_t>;

}  // namespace
}  // namespace tenrex::kernels

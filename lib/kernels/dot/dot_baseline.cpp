#include "lib/kernels/dot/dot-inl.h"
#include "lib/kernels/simd/baseline-inl.h"

namespace tenrex::kernels::baseline {
namespace {

struct Float8 {
    Float4 low;
    Float4 high;
};

struct CellsAndZeros {
    Float8 cells;
    Float8 zeros;
};

// All ones in the lanes whose bit is set.
struct Choice {
    Int4 low;
    Int4 high;
};

template <bool big>
struct BitProducts {
    using Vector = Float8;
    using Sum = float;
    using Native = void;
    static constexpr std::size_t lanes = 8;
    static constexpr std::size_t rows_at_once = 1;  // two vectors for each of the four sums fill the registers
    static constexpr std::size_t block = 0;
    static constexpr bool has_aside = false;

    static Vector zero() { return Vector{}; }
    static Vector add(Vector x, Vector y) { return {x.low + y.low, x.high + y.high}; }

    static CellsAndZeros load(const f32 *cells, std::size_t = lanes) {  // rows are whole bytes
        const Float8 loaded = {Floats::load(cells), Floats::load(cells + 4)};
        return {loaded, {loaded.low * Float4{}, loaded.high * Float4{}}};
    }
    static Choice load(const EightBits<big> *bits, std::size_t = lanes) {
        constexpr Int4 low = big ? Int4{128, 64, 32, 16} : Int4{1, 2, 4, 8};
        constexpr Int4 high = big ? Int4{8, 4, 2, 1} : Int4{16, 32, 64, 128};
        const Int4 byte = Int4{} + bits->byte;
        return {(byte & low) == low, (byte & high) == high};
    }

    static Vector step(Vector sums, CellsAndZeros a, Choice choice) {
        return add(sums,
                   {choose(choice.low, a.cells.low, a.zeros.low), choose(choice.high, a.cells.high, a.zeros.high)});
    }
    static Vector step(Vector sums, Choice choice, CellsAndZeros b) { return step(sums, b, choice); }

    template <std::size_t n>
    static void sum(const Vector (&rows)[n], float *totals) {
        for (std::size_t i = 0; i < n; ++i) {
            const Float4 halves[1] = {rows[i].low + rows[i].high};
            Floats::sum(halves, totals + i);
        }
    }

private:
    static Float4 choose(Int4 choice, Float4 x, Float4 y) {
        return __builtin_bit_cast(Float4,
                                  (__builtin_bit_cast(Int4, x) & choice) | (__builtin_bit_cast(Int4, y) & ~choice));
    }
};

}  // namespace

#include "lib/kernels/dot/dot.inc"

}  // namespace tenrex::kernels::baseline

// The loops are written for the vectors that a processor has, and compiled for it whatever the rest is compiled for.
#include "perf/measure/peak_loops.h"

#include <cstdint>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace tenrex::perf {

namespace {

volatile float sink;  // what is never read could be left out

template <class Cell, std::size_t Bytes>
struct VectorOf {
    typedef Cell type __attribute__((vector_size(Bytes)));
};

// So many chains that depend on nothing but themselves: more than the units of a core have results under way.
constexpr int chains = 12;

template <class Cell, std::size_t Bytes>
inline __attribute__((always_inline)) void multiply_add(std::size_t count) {
    using Vector = typename VectorOf<Cell, Bytes>::type;
    Vector sums[chains];
    for (int i = 0; i < chains; ++i) {
        sums[i] = Vector{} + Cell(1e-3) * static_cast<Cell>(i);
    }
    const Vector factor = Vector{} + Cell(0.999);
    const Vector term = Vector{} + Cell(1e-3);
    for (std::size_t n = 0; n < count; ++n) {
        for (int i = 0; i < chains; ++i) {
            sums[i] = sums[i] * factor + term;
        }
    }
    for (int i = 1; i < chains; ++i) {
        sums[0] += sums[i];
    }
    sink = static_cast<float>(sums[0][0] + sums[0][1]);
}

// Of one count, with so many multiplications and additions in a vector.
constexpr double operations(std::size_t pairs) {
    return 2.0 * chains * static_cast<double>(pairs);
}

template <std::size_t Bytes>
inline __attribute__((always_inline)) void load(const float *cells, std::size_t bytes) {
    using Vector = typename VectorOf<float, Bytes>::type;
    constexpr std::size_t sums_of_loads = 8;
    const auto *const vectors = reinterpret_cast<const Vector *>(cells);
    Vector sums[sums_of_loads] = {};
    for (std::size_t n = 0; n + sums_of_loads <= bytes / Bytes; n += sums_of_loads) {
        for (std::size_t i = 0; i < sums_of_loads; ++i) {
            sums[i] += vectors[n + i];
        }
    }
    for (std::size_t i = 1; i < sums_of_loads; ++i) {
        sums[0] += sums[i];
    }
    sink = sums[0][0] + sums[0][1];
}

template <std::size_t Bytes>
inline __attribute__((always_inline)) void store(float *cells, std::size_t bytes) {
    using Vector = typename VectorOf<float, Bytes>::type;
    constexpr std::size_t stores = 8;
    auto *const vectors = reinterpret_cast<Vector *>(cells);
    const Vector value = Vector{} + 1.0F;
    for (std::size_t n = 0; n + stores <= bytes / Bytes; n += stores) {
        for (std::size_t i = 0; i < stores; ++i) {
            vectors[n + i] = value;
        }
        __asm__ volatile("" : : : "memory");  // each store counts
    }
}

template <class Cell>
void multiply_add_baseline(std::size_t count) {
    multiply_add<Cell, 16>(count);
}
void load_baseline(const float *cells, std::size_t bytes) {
    load<16>(cells, bytes);
}
void store_baseline(float *cells, std::size_t bytes) {
    store<16>(cells, bytes);
}

#if defined(__x86_64__)
template <class Cell>
__attribute__((target("avx2,fma"))) void multiply_add_avx2(std::size_t count) {
    multiply_add<Cell, 32>(count);
}
__attribute__((target("avx2,fma"))) void load_avx2(const float *cells, std::size_t bytes) {
    load<32>(cells, bytes);
}
__attribute__((target("avx2,fma"))) void store_avx2(float *cells, std::size_t bytes) {
    store<32>(cells, bytes);
}
template <class Cell>
__attribute__((target("avx512f"))) void multiply_add_avx512(std::size_t count) {
    multiply_add<Cell, 64>(count);
}
__attribute__((target("avx512f"))) void load_avx512(const float *cells, std::size_t bytes) {
    load<64>(cells, bytes);
}
__attribute__((target("avx512f"))) void store_avx512(float *cells, std::size_t bytes) {
    store<64>(cells, bytes);
}

// Each loop keeps its sums in registers; `step` is one instruction, or two, on a sum. The compiler does not know what
// they and the operands are.
#define TENREX_DOT_LOOP(name, features, Vector, zero, step, constraint) \
    __attribute__((target(features))) void name(std::size_t count) {    \
        Vector a = zero();                                              \
        Vector b = zero();                                              \
        __asm__ volatile("" : "+" constraint(a), "+" constraint(b));    \
        Vector sums[chains];                                            \
        _Pragma("GCC unroll 16") for (int i = 0; i < chains; ++i) {     \
            sums[i] = a;                                                \
            __asm__ volatile("" : "+" constraint(sums[i]));             \
        }                                                               \
        for (std::size_t n = 0; n < count; ++n) {                       \
            _Pragma("GCC unroll 16") for (int i = 0; i < chains; ++i) { \
                sums[i] = step;                                         \
            }                                                           \
        }                                                               \
        _Pragma("GCC unroll 16") for (int i = 1; i < chains; ++i) {     \
            sums[0] += sums[i];                                         \
        }                                                               \
        sink = static_cast<float>(sums[0][0]);                          \
    }

TENREX_DOT_LOOP(dot_i8_avx2, "avx2", __m256i, _mm256_setzero_si256,
                _mm256_add_epi32(sums[i], _mm256_madd_epi16(sums[i], b)), "x")
TENREX_DOT_LOOP(dot_i8_avxvnni, "avx2,avxvnni", __m256i, _mm256_setzero_si256, _mm256_dpbusd_avx_epi32(sums[i], a, b),
                "x")
TENREX_DOT_LOOP(dot_i8_avx512vnni, "avx512f,avx512vnni", __m512i, _mm512_setzero_si512,
                _mm512_dpbusd_epi32(sums[i], a, b), "v")
__attribute__((target("avx512f"))) inline __m512 zeros_avx512() {
    return _mm512_setzero_ps();
}
TENREX_DOT_LOOP(dot_bf16_avx512, "avx512f,avx512bf16", __m512, zeros_avx512,
                _mm512_dpbf16_ps(sums[i], reinterpret_cast<__m512bh>(a), reinterpret_cast<__m512bh>(b)), "v")
#undef TENREX_DOT_LOOP

// Eight tiles of 16 rows of 64 bytes: four sums, two operands on either side.
struct alignas(64) TileConfiguration {
    std::uint8_t palette = 1;
    std::uint8_t start_row = 0;
    std::uint8_t reserved[14] = {};
    std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
    std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
constexpr double tile_operations = 4 * 2.0 * 16 * 16;  // of a count, for each step along a row of operand a

// GCC takes the configuration for one pointer: it would leave out the rest.
inline void settle(const TileConfiguration *configuration) {
    __asm__ volatile("" : : "r"(configuration) : "memory");
}

#define TENREX_TILE_LOOP(name, features, multiply)                   \
    __attribute__((target(features))) void name(std::size_t count) { \
        const TileConfiguration configuration;                       \
        settle(&configuration);                                      \
        _tile_loadconfig(&configuration);                            \
        _tile_zero(0);                                               \
        _tile_zero(1);                                               \
        _tile_zero(2);                                               \
        _tile_zero(3);                                               \
        _tile_zero(4);                                               \
        _tile_zero(5);                                               \
        _tile_zero(6);                                               \
        _tile_zero(7);                                               \
        for (std::size_t n = 0; n < count; ++n) {                    \
            multiply(0, 4, 6);                                       \
            multiply(1, 4, 7);                                       \
            multiply(2, 5, 6);                                       \
            multiply(3, 5, 7);                                       \
        }                                                            \
        _tile_release();                                             \
    }
TENREX_TILE_LOOP(tiles_i8, "amx-tile,amx-int8", _tile_dpbssd)
TENREX_TILE_LOOP(tiles_bf16, "amx-tile,amx-bf16", _tile_dpbf16ps)
#undef TENREX_TILE_LOOP

// Linux gives tile registers only to processes that ask.
bool may_use_tiles() {
#if defined(__linux__)
    constexpr int request_permission = 0x1023;  // ARCH_REQ_XCOMP_PERM
    constexpr int tile_data = 18;
    return syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
#else
    return false;
#endif
}

// What compilers do not all know how to ask for. The library knows, but its public interface, which is all that
// programs use, does not tell.
struct SpecialUnits {
    bool avx_vnni = false, tiles_i8 = false, tiles_bf16 = false;
};

SpecialUnits special_units() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    SpecialUnits units;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) {
        return units;
    }
    const auto bit = [](unsigned word, unsigned place) { return (word >> place & 1) != 0; };
    const bool tiles = bit(d, 24) && may_use_tiles();
    units.tiles_bf16 = tiles && bit(d, 22);
    units.tiles_i8 = tiles && bit(d, 25);
    units.avx_vnni = a >= 1 && __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 && bit(a, 4);
    return units;
}
#endif

}  // namespace

std::vector<ArithmeticLoop> arithmetic_loops() {
    std::vector<ArithmeticLoop> loops;
#if defined(__x86_64__)
    const bool avx512 = __builtin_cpu_supports("avx512f") != 0;
    const bool avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
    const SpecialUnits units = special_units();
    if (units.tiles_i8) {
        loops.push_back({"int8", "tdpbssd", 64 * tile_operations, tiles_i8});
    }
    if (units.tiles_bf16) {
        loops.push_back({"bfloat16", "tdpbf16ps", 32 * tile_operations, tiles_bf16});
    }
    if (avx512) {
        loops.push_back({"float", "fma, 512 bits", operations(16), multiply_add_avx512<float>});
        loops.push_back({"double", "fma, 512 bits", operations(8), multiply_add_avx512<double>});
        if (__builtin_cpu_supports("avx512vnni") != 0) {
            loops.push_back({"int8", "vpdpbusd, 512 bits", operations(64), dot_i8_avx512vnni});
        }
        if (__builtin_cpu_supports("avx512bf16") != 0) {
            loops.push_back({"bfloat16", "vdpbf16ps, 512 bits", operations(32), dot_bf16_avx512});
        }
    }
    if (avx2) {
        if (!avx512) {
            loops.push_back({"float", "fma, 256 bits", operations(8), multiply_add_avx2<float>});
            loops.push_back({"double", "fma, 256 bits", operations(4), multiply_add_avx2<double>});
        }
        if (units.avx_vnni) {
            loops.push_back({"int8", "vpdpbusd, 256 bits", operations(32), dot_i8_avxvnni});
        }
        loops.push_back({"int8", "vpmaddwd, 256 bits", operations(16), dot_i8_avx2});
    }
    if (avx512 || avx2) {
        return loops;
    }
#endif
    loops.push_back({"float", "128 bits", operations(4), multiply_add_baseline<float>});
    loops.push_back({"double", "128 bits", operations(2), multiply_add_baseline<double>});
    return loops;
}

LoadLoop *load_loop() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") != 0) {
        return load_avx512;
    }
    if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0) {
        return load_avx2;
    }
#endif
    return load_baseline;
}

StoreLoop *store_loop() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") != 0) {
        return store_avx512;
    }
    if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0) {
        return store_avx2;
    }
#endif
    return store_baseline;
}

namespace {

constexpr std::size_t slot_count = 2 * LookupLoop::count;
constexpr std::uint64_t no_label = ~std::uint64_t{0};

std::size_t first_slot(std::uint64_t label) noexcept {
    return static_cast<std::size_t>((label * 0x9e3779b97f4a7c15) >> 54);
}
static_assert(slot_count == std::size_t{1} << (64 - 54));

}  // namespace

LookupLoop::LookupLoop() : slots_(slot_count, no_label) {
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t label = i * i * 7919 + i;  // in no order that a table keeps
        wanted_.push_back(label);
        std::size_t at = first_slot(label);
        while (slots_[at] != no_label) {
            at = (at + 1) % slot_count;
        }
        slots_[at] = label;
    }
}

void LookupLoop::run() const {
    std::size_t sum = 0;
    for (const std::uint64_t label : wanted_) {
        std::size_t at = first_slot(label);
        while (slots_[at] != label) {
            at = (at + 1) % slot_count;
        }
        sum += at;
    }
    sink = static_cast<float>(sum);
}

}  // namespace tenrex::perf

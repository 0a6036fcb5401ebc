// The loops are written for the vectors that a processor has, and compiled for it whatever the rest is compiled for.
#include "perf/measure/peaks.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

#include <unistd.h>

#include "perf/measure/measure.h"

namespace tenrex::perf {

namespace {

volatile float sink;  // what is never read could be left out

template <std::size_t Bytes>
struct VectorOf {
    typedef float type __attribute__((vector_size(Bytes)));
};

// So many chains that depend on nothing but themselves: more than the units of a core have results under way.
template <std::size_t Bytes>
inline __attribute__((always_inline)) float multiply_add(std::size_t count) {
    using Vector = typename VectorOf<Bytes>::type;
    constexpr int chains = 12;
    Vector sums[chains];
    for (int i = 0; i < chains; ++i) {
        sums[i] = Vector{} + 1e-3F * static_cast<float>(i);
    }
    const Vector factor = Vector{} + 0.999F;
    const Vector term = Vector{} + 1e-3F;
    for (std::size_t n = 0; n < count; ++n) {
        for (int i = 0; i < chains; ++i) {
            sums[i] = sums[i] * factor + term;
        }
    }
    for (int i = 1; i < chains; ++i) {
        sums[0] += sums[i];
    }
    return sums[0][0] + sums[0][1];
}

template <std::size_t Bytes>
constexpr double multiply_add_flops = 12.0 * 2 / sizeof(float) * Bytes;

template <std::size_t Bytes>
inline __attribute__((always_inline)) float load(const float *cells, std::size_t bytes) {
    using Vector = typename VectorOf<Bytes>::type;
    constexpr std::size_t chains = 8;
    const auto *const vectors = reinterpret_cast<const Vector *>(cells);
    Vector sums[chains] = {};
    for (std::size_t n = 0; n + chains <= bytes / Bytes; n += chains) {
        for (std::size_t i = 0; i < chains; ++i) {
            sums[i] += vectors[n + i];
        }
    }
    for (std::size_t i = 1; i < chains; ++i) {
        sums[0] += sums[i];
    }
    return sums[0][0] + sums[0][1];
}

struct Loops {
    float (*multiply_add)(std::size_t count);
    double flops;  // of one count
    float (*load)(const float *cells, std::size_t bytes);
};

#if defined(__x86_64__)
__attribute__((target("avx512f"))) float multiply_add_avx512(std::size_t count) {
    return multiply_add<64>(count);
}
__attribute__((target("avx512f"))) float load_avx512(const float *cells, std::size_t bytes) {
    return load<64>(cells, bytes);
}
__attribute__((target("avx2,fma"))) float multiply_add_avx2(std::size_t count) {
    return multiply_add<32>(count);
}
__attribute__((target("avx2,fma"))) float load_avx2(const float *cells, std::size_t bytes) {
    return load<32>(cells, bytes);
}
#endif
float multiply_add_baseline(std::size_t count) {
    return multiply_add<16>(count);
}
float load_baseline(const float *cells, std::size_t bytes) {
    return load<16>(cells, bytes);
}

Loops widest_loops() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") != 0) {
        return {multiply_add_avx512, multiply_add_flops<64>, load_avx512};
    }
    if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0) {
        return {multiply_add_avx2, multiply_add_flops<32>, load_avx2};
    }
#endif
    return {multiply_add_baseline, multiply_add_flops<16>, load_baseline};
}

std::size_t cache_bytes(int name, std::size_t otherwise) {
    const long bytes = sysconf(name);
    return bytes > 0 ? static_cast<std::size_t>(bytes) : otherwise;
}

struct Free {
    void operator()(void *memory) const noexcept { std::free(memory); }
};

Peaks measure_peaks() {
    const Loops loops = widest_loops();
    constexpr Effort effort = {4, 0.004};
    Peaks peaks;
    constexpr std::size_t count = 10'000;
    const Timing arithmetic = measure(count, effort, [&] { sink = loops.multiply_add(count); });
    peaks.flops_per_second = loops.flops * 1e9 / arithmetic.least;

    const std::size_t first = cache_bytes(_SC_LEVEL1_DCACHE_SIZE, 32 << 10);
    const std::size_t second = cache_bytes(_SC_LEVEL2_CACHE_SIZE, 512 << 10);
    const std::size_t third = cache_bytes(_SC_LEVEL3_CACHE_SIZE, 8 << 20);
    // Beyond a very large third level not everything is read: pages would take longer than the measurement.
    const std::size_t beyond = std::clamp<std::size_t>(2 * third, 32 << 20, 128 << 20);
    const std::unique_ptr<void, Free> memory(std::aligned_alloc(4096, beyond));
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    auto *const cells = static_cast<float *>(memory.get());
    std::fill(cells, cells + beyond / sizeof(float), 1.0F);
    const struct {
        const char *name;
        std::size_t capacity, read;
    } levels[] = {{"L1", first, first / 2},
                  {"L2", second, second / 2},
                  {"L3", third, std::min(4 * second, third)},
                  {"memory", 0, beyond}};
    for (const auto &[name, capacity, read] : levels) {
        const Timing timing = measure(read, effort, [&, bytes = read] { sink = loops.load(cells, bytes); });
        peaks.levels.push_back({name, capacity, 1e9 / timing.least});
    }
    return peaks;
}

}  // namespace

const CacheLevel &Peaks::level_of(std::size_t bytes) const {
    return *std::find_if(levels.begin(), levels.end() - 1,
                         [&](const CacheLevel &level) { return bytes <= level.bytes; });
}

double Peaks::least_seconds(double flops, double bytes, const CacheLevel &level) const {
    return std::max(flops / flops_per_second, bytes / level.load_bytes_per_second);
}

const Peaks &machine_peaks() {
    static const Peaks peaks = measure_peaks();
    return peaks;
}

}  // namespace tenrex::perf

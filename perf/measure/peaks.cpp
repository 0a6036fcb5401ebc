#include "perf/measure/peaks.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

#include <unistd.h>

#include "perf/measure/measure.h"
#include "perf/measure/peak_loops.h"

namespace tenrex::perf {

namespace {

constexpr Effort effort = {4, 0.002};

std::size_t cache_bytes(int name, std::size_t otherwise) {
    const long bytes = sysconf(name);
    return bytes > 0 ? static_cast<std::size_t>(bytes) : otherwise;
}

struct Free {
    void operator()(void *memory) const noexcept { std::free(memory); }
};

std::vector<ArithmeticPeak> measure_arithmetic() {
    constexpr std::size_t count = 10'000;
    std::vector<ArithmeticPeak> peaks;
    for (const ArithmeticLoop &loop : arithmetic_loops()) {
        const Timing timing = measure(count, effort, [&] { loop.run(count); });
        peaks.push_back({loop.cells, loop.instruction, loop.operations * 1e9 / timing.least});
    }
    return peaks;
}

std::vector<CacheLevel> measure_levels() {
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
        std::size_t capacity, most;
    } levels[] = {{"L1", first, first / 2},
                  {"L2", second, second / 2},
                  {"L3", third, std::min(4 * second, third)},
                  {"memory", 0, beyond}};
    LoadLoop *const load = load_loop();
    StoreLoop *const store = store_loop();
    std::vector<CacheLevel> peaks;
    for (const auto &[name, capacity, most] : levels) {
        CacheLevel &level = peaks.emplace_back(CacheLevel{name, capacity, 0, 0});
        // Pages that collide in a cache are fewer among fewer: the better of two sizes, both beyond the level before.
        for (std::size_t bytes = most; bytes == most || (bytes == most / 2 && capacity != 0); bytes /= 2) {
            const Timing loads = measure(bytes, effort, [&] { load(cells, bytes); });
            const Timing stores = measure(bytes, effort, [&] { store(cells, bytes); });
            level.load_bytes_per_second = std::max(level.load_bytes_per_second, 1e9 / loads.least);
            level.store_bytes_per_second = std::max(level.store_bytes_per_second, 1e9 / stores.least);
        }
    }
    return peaks;
}

double measure_lookups() {
    const LookupLoop loop;
    return measure(LookupLoop::count, effort, [&] { loop.run(); }).least / 1e9;
}

}  // namespace

double Peaks::operations_per_second(std::string_view cells) const {
    double most = 0;
    for (const ArithmeticPeak &peak : arithmetic) {
        most = std::max(most, peak.cells == cells ? peak.operations_per_second : 0);
    }
    return most != 0 ? most : operations_per_second("float");
}

double Peaks::operations_per_second_of_kernel(std::string_view kernel) const {
    const auto is = [&](std::string_view part) { return kernel.find(part) != std::string_view::npos; };
    return operations_per_second(is("_f64")                                 ? "double"
                                 : is("dot_i8_i8") || is("matmul_i8")       ? "int8"
                                 : is("dot_bf16_bf16") || is("matmul_bf16") ? "bfloat16"
                                                                            : "float");
}

const CacheLevel &Peaks::level_of(std::size_t bytes) const {
    return *std::find_if(levels.begin(), levels.end() - 1,
                         [&](const CacheLevel &level) { return bytes <= level.bytes; });
}

const Peaks &machine_peaks() {
    static const Peaks peaks = {measure_arithmetic(), measure_levels(), measure_lookups()};
    return peaks;
}

}  // namespace tenrex::perf

// Times products of matrices: every kernel of the list, and other libraries for the same shapes in the same run.
//
//   matmul_benchmark --benchmark_filter='f32/64x64x100'
//
// A name says kernel, what is done and the shape, rows by columns by k. "matmul" finds b packed, as constants are;
// "pack" packs b every time, given in rows or, as its "transpose", in columns; "max" is the largest of each column,
// as MaxSim needs it. The operands fit into the caches as far as the shape lets them. The counters are operations per
// second and "roofline", the least time that the peak for such cells allows, measured in the same run. The hints about
// OpenBLAS in kernels_benchmark.cpp hold here too.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "lib/kernels/matmul/matmul_kernels.h"
#include "perf/benchmark_main.h"
#include "perf/kernels/yardsticks.h"
#include "perf/measure/peaks.h"

namespace tenrex::kernels {
namespace {

struct Shape {
    std::size_t m;
    std::size_t n;
    std::size_t k;
};

enum class Work { multiply, pack, pack_transpose, max };

// Numbers for three operands; those of b also fill what a kernel packs.
template <class T, class Out>
struct Operands {
    explicit Operands(const Shape &shape) : a(shape.m * shape.k), b(shape.k * shape.n), out(shape.m * shape.n) {
        std::mt19937 random(1);
        std::uniform_real_distribution<float> unit(-1, 1);
        for (std::vector<T> *cells : {&a, &b}) {
            for (T &cell : *cells) {
                cell = static_cast<T>(100 * unit(random));
            }
        }
    }
    std::vector<T> a;
    std::vector<T> b;
    std::vector<Out> out;
};

template <class T, class Out = T>
void run(benchmark::State &state, CellType type, const Shape &shape, Work work, const MatmulKernel *kernel,
         MatmulFunction *other_library) {
    const auto [m, n, k] = shape;
    Operands<T, Out> operands(shape);
    const std::ptrdiff_t b_k = work == Work::pack_transpose ? 1 : static_cast<std::ptrdiff_t>(n);
    const std::ptrdiff_t b_n = work == Work::pack_transpose ? static_cast<std::ptrdiff_t>(k) : 1;
    std::vector<T> packed;
    if (kernel != nullptr) {
        packed.resize(packed_cells(*kernel, k, n) + 16);
        kernel->pack({operands.b.data(), b_k, b_n, k, n, packed.data()});
    }
    const std::ptrdiff_t a_row = static_cast<std::ptrdiff_t>(k);
    const std::ptrdiff_t out_row = static_cast<std::ptrdiff_t>(n);
    for (auto _ : state) {
        if (other_library != nullptr) {
            other_library(
                {operands.a.data(), a_row, 1, operands.b.data(), m, n, k, nullptr, operands.out.data(), out_row});
        } else if (work == Work::max) {
            kernel->reduce({MatmulReduction::max, operands.a.data(), a_row, 1, packed.data(), m, n, k,
                            operands.out.data(), false});
        } else {
            if (work != Work::multiply) {
                kernel->pack({operands.b.data(), b_k, b_n, k, n, packed.data()});
            }
            kernel->function(
                {operands.a.data(), a_row, 1, packed.data(), m, n, k, nullptr, operands.out.data(), out_row});
        }
        benchmark::DoNotOptimize(operands.out.data());
        benchmark::ClobberMemory();
    }
    const double least =
        2.0 * static_cast<double>(m * n * k) / perf::machine_peaks().operations_per_second(tenrex::name(type));
    state.counters["roofline"] = least;
    state.counters["flops"] =
        benchmark::Counter(2.0 * static_cast<double>(m * n * k), benchmark::Counter::kIsIterationInvariantRate);
}

void add(const std::string &name, CellType type, const Shape &shape, Work work, const MatmulKernel *kernel,
         MatmulFunction *other_library) {
    const std::string full =
        name + "/" + std::to_string(shape.m) + "x" + std::to_string(shape.n) + "x" + std::to_string(shape.k);
    benchmark::RegisterBenchmark(full.c_str(), [=](benchmark::State &state) {
        if (type == CellType::i8) {
            run<std::int8_t, float>(state, type, shape, work, kernel, other_library);
        } else if (type == CellType::bf16) {
            run<BFloat16, float>(state, type, shape, work, kernel, other_library);
        } else if (type == CellType::f32) {
            run<float>(state, type, shape, work, kernel, other_library);
        } else {
            run<double>(state, type, shape, work, kernel, other_library);
        }
    });
}

constexpr Shape shapes[] = {{1, 64, 100},   {64, 64, 100},   {64, 1, 64},     {64, 14, 7},   {32, 32, 64},
                            {64, 256, 768}, {128, 128, 768}, {512, 512, 512}, {128, 32, 128}};

void add_all() {
    for (const Shape &shape : shapes) {
        for (const MatmulKernel &kernel : matmul_kernels()) {
            if (detected_isa().contains(target_isa(kernel.target))) {
                const std::string type(kernel.function_name.substr(kernel.function_name.rfind('_')));
                const std::string target(name(kernel.target));
                add(full_name(kernel), kernel.type, shape, Work::multiply, &kernel, nullptr);
                add(target + "::pack" + type, kernel.type, shape, Work::pack, &kernel, nullptr);
                add(target + "::pack_transpose" + type, kernel.type, shape, Work::pack_transpose, &kernel, nullptr);
                add(target + "::max" + type, kernel.type, shape, Work::max, &kernel, nullptr);
            }
        }
#if defined(TENREX_WITH_EIGEN)
        add("eigen::matmul_f32", CellType::f32, shape, Work::multiply, nullptr, eigen_matmul_f32);
        add("eigen::matmul_f64", CellType::f64, shape, Work::multiply, nullptr, eigen_matmul_f64);
#endif
#if defined(TENREX_WITH_OPENBLAS)
        add("openblas::matmul_f32", CellType::f32, shape, Work::multiply, nullptr, openblas_matmul_f32);
        add("openblas::matmul_f64", CellType::f64, shape, Work::multiply, nullptr, openblas_matmul_f64);
#endif
    }
}

}  // namespace
}  // namespace tenrex::kernels

int main(int argc, char **argv) {
    tenrex::kernels::add_all();
    return tenrex::perf::run_benchmarks(argc, argv);
}

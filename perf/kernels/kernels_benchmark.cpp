// Times every kernel of the lists: nanoseconds per row, and bytes of rows per second.
//
//   kernels_benchmark --benchmark_filter='dot_f32_f32.*/768/64/cache'
//
// A name says kernel, which names its cell types, cells per row, rows per call, and where the rows are: "cache" rotates
// among calls over 512 KiB, "memory" over 256 MiB; "unaligned" is the cache, but all operands begin one cell beyond the
// alignment of vectors. Operand a is shared by all rows, as a query is. The counter "row" is the time of a row;
// "roofline" what the arithmetic of the processor or the loads from that place allow, measured in the same run: dots
// and distances count as two operations a cell, other functions as one. For figures worth keeping, add
// --benchmark_repetitions=9
// --benchmark_report_aggregates_only and read the medians; the yardsticks of the same run say how fast the machine was
// at the time. OpenBLAS needs OPENBLAS_NUM_THREADS=1 in the environment, and old versions of
// it OPENBLAS_CORETYPE=SkylakeX on CPUs that they do not know. update_costs.py writes the results into the kernel
// lists.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "lib/kernels/convert/convert_kernels.h"
#include "lib/kernels/elementwise/elementwise_kernels.h"
#include "lib/kernels/normalize/normalize_kernels.h"
#include "lib/kernels/reduce/reduce_kernels.h"
#include "lib/kernels/row_pairs/row_pairs_kernels.h"
#include "perf/benchmark_main.h"
#include "perf/kernels/yardsticks.h"
#include "perf/measure/peaks.h"

namespace tenrex::kernels {
namespace {

struct Place {
    const char *name;
    std::size_t bytes;
    bool aligned = true;
};
constexpr Place cache{"cache", std::size_t{512} << 10};
constexpr Place unaligned{"unaligned", std::size_t{512} << 10, false};
constexpr Place memory{"memory", std::size_t{256} << 20};

// Memory that begins at a multiple of 64 bytes, or one cell beyond it.
class Bytes {
public:
    Bytes(CellType type, std::size_t count, bool aligned) : bytes_(count * byte_size(type) + 128) {
        const std::size_t misaligned = reinterpret_cast<std::uintptr_t>(bytes_.data()) % 64;
        first_ = bytes_.data() + (64 - misaligned) % 64 + (aligned ? 0 : byte_size(type));
    }
    char *first() const { return first_; }

private:
    std::vector<char> bytes_;
    char *first_;
};

// Cells of any type, in [-1, 1] or all of int8.
class Cells {
public:
    Cells(CellType type, std::size_t count, bool aligned) : bytes_(type, count, aligned) {
        std::mt19937 random(1);
        std::uniform_real_distribution<double> unit(-1, 1);
        double some[997];
        for (double &value : some) {
            value = type == CellType::i8 ? 128 * unit(random) : unit(random);
        }
        visit_cell_type(type, [&]<class T>(T) {
            T *cells = reinterpret_cast<T *>(bytes_.first());
            for (std::size_t i = 0; i < count; ++i) {
                cells[i] = to_cell<T>(some[i % 997]);
            }
        });
    }
    const char *first() const { return bytes_.first(); }

private:
    Bytes bytes_;
};

// Rows of operand b, `rows` a call; the calls go through as many rows as the place has.
class Rows {
public:
    Rows(CellType type, std::size_t length, std::size_t rows, Place place)
        : place_bytes_(place.bytes),
          stride_(length * byte_size(type)),
          rows_(rows),
          calls_(std::max<std::size_t>(1, place.bytes / (stride_ * rows))),
          cells_(type, calls_ * rows * length, place.aligned) {}

    std::ptrdiff_t stride() const { return static_cast<std::ptrdiff_t>(stride_); }
    const char *next() {
        const char *rows = cells_.first() + call_ * rows_ * stride_;
        call_ = call_ + 1 == calls_ ? 0 : call_ + 1;
        return rows;
    }
    // Of a kernel with so many operations a row.
    void report(benchmark::State &state, std::string_view kernel, std::size_t operations) const {
        const double rows = static_cast<double>(state.iterations()) * static_cast<double>(rows_);
        const perf::Peaks &peaks = perf::machine_peaks();
        const double least =
            std::max(static_cast<double>(operations) / peaks.operations_per_second_of_kernel(kernel),
                     static_cast<double>(stride_) / peaks.level_of(place_bytes_).load_bytes_per_second);
        state.counters["roofline"] = least;
        state.counters["row"] = benchmark::Counter(rows, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
        state.SetBytesProcessed(static_cast<std::int64_t>(rows * static_cast<double>(stride_)));
    }

private:
    std::size_t place_bytes_;
    std::size_t stride_;
    std::size_t rows_;
    std::size_t calls_;
    std::size_t call_ = 0;
    Cells cells_;
};

struct RowPairCase {
    std::string name;
    CellType a;
    CellType b;
    std::size_t length;
    std::size_t cells_of_a;
    RowPairFunction *function;
};

void run_row_pairs(benchmark::State &state, const RowPairCase &which, std::size_t rows, Place place) {
    const Cells a(which.a, which.cells_of_a, place.aligned);
    Rows b(which.b, which.length, rows, place);
    std::vector<double> out(rows);
    for (auto _ : state) {
        which.function({a.first(), 0, b.next(), b.stride(), rows, which.length, out.data()});
        benchmark::DoNotOptimize(out.data());
        benchmark::ClobberMemory();
    }
    b.report(state, which.name, 2 * which.length);
}

// What is written stays in the cache: the next step reads it there.
void run_conversion(benchmark::State &state, const ConversionKernel &kernel, std::size_t length, std::size_t rows,
                    Place place) {
    const std::size_t cells = kernel.operation == ConversionOperation::convert ? length : 8 * length;
    const std::size_t out_stride = cells * byte_size(kernel.to);
    Rows in(kernel.from, length, rows, place);
    const Bytes out(kernel.to, rows * cells, place.aligned);
    for (auto _ : state) {
        kernel.function({in.next(), in.stride(), out.first(), static_cast<std::ptrdiff_t>(out_stride), rows, length});
        benchmark::DoNotOptimize(out.first());
        benchmark::ClobberMemory();
    }
    in.report(state, kernel.function_name, 0);
}

void run_reduce(benchmark::State &state, const ReduceKernel &kernel, std::size_t length, std::size_t rows,
                Place place) {
    Rows in(kernel.type, length, rows, place);
    std::vector<double> out(rows);
    for (auto _ : state) {
        kernel.function({in.next(), in.stride(), rows, length, out.data()});
        benchmark::DoNotOptimize(out.data());
        benchmark::ClobberMemory();
    }
    in.report(state, kernel.function_name, length);
}

// A call reduces all its rows to one.
void run_columns(benchmark::State &state, const ReduceKernel &kernel, std::size_t length, std::size_t rows,
                 Place place) {
    Rows in(kernel.type, length, rows, place);
    const Bytes totals(kernel.total(), length, place.aligned);
    for (auto _ : state) {
        kernel.columns({in.next(), in.stride(), rows, length, totals.first()});
        benchmark::DoNotOptimize(totals.first());
        benchmark::ClobberMemory();
    }
    in.report(state, kernel.function_name, length);
}

// A call adds up all its rows, each with a weight of its own.
void run_weighted_rows(benchmark::State &state, const WeightedRowsKernel &kernel, std::size_t length, std::size_t rows,
                       Place place) {
    Rows in(kernel.type, length, rows, place);
    const Cells weights(kernel.type, rows, place.aligned);
    const Bytes sums(kernel.type, length, place.aligned);
    std::vector<std::uint32_t> order(rows);
    std::iota(order.begin(), order.end(), 0);
    for (auto _ : state) {
        kernel.function({in.next(), order.data(), weights.first(), order.data(), rows, length, sums.first()});
        benchmark::DoNotOptimize(sums.first());
        benchmark::ClobberMemory();
    }
    in.report(state, kernel.function_name, 2 * length);
}

// A call computes one row.
void run_elementwise(benchmark::State &state, const ElementwiseKernel &kernel, std::size_t length, std::size_t rows,
                     Place place) {
    Rows a(kernel.type, length, rows, place);
    const Bytes others(kernel.type, length, place.aligned);
    visit_cell_type(kernel.type, [&]<class T>(T) {
        for (std::size_t i = 0; i < length; ++i) {
            reinterpret_cast<T *>(others.first())[i] = to_cell<T>(0.25 + static_cast<double>(i % 97) / 64);
        }
    });
    const Bytes out(kernel.type, length, place.aligned);
    for (auto _ : state) {
        const char *cells = a.next();
        for (std::size_t i = 0; i < rows; ++i, cells += a.stride()) {
            kernel.function({cells, others.first(), others.first(), out.first(), length, 0});
        }
        benchmark::DoNotOptimize(out.first());
        benchmark::ClobberMemory();
    }
    a.report(state, kernel.function_name, length);
}

void run_normalize(benchmark::State &state, const NormalizeKernel &kernel, std::size_t length, std::size_t rows,
                   Place place) {
    Rows in(kernel.type, length, rows, place);
    const Bytes out(kernel.type, rows * length, place.aligned);
    for (auto _ : state) {
        kernel.function(
            {.cells = in.next(), .stride = in.stride(), .out = out.first(), .rows = rows, .length = length});
        benchmark::DoNotOptimize(out.first());
        benchmark::ClobberMemory();
    }
    in.report(state, kernel.function_name, length);
}

template <class Run>
void add(const std::string &name, std::size_t length, const Run &run) {
    const auto add_one = [&](std::size_t rows, Place place) {
        const std::string full = name + "/" + std::to_string(length) + "/" + std::to_string(rows) + "/" + place.name;
        benchmark::RegisterBenchmark(full.c_str(), [=](benchmark::State &state) { run(state, rows, place); });
    };
    add_one(1, cache);
    add_one(64, cache);
    add_one(64, unaligned);
    add_one(64, memory);
}

void add_row_pairs(const RowPairCase &which) {
    add(which.name, which.length,
        [=](benchmark::State &state, std::size_t rows, Place place) { run_row_pairs(state, which, rows, place); });
}

// All kernels of a family that this machine can run, in all lengths.
template <class K, class Run>
void add_family(std::span<const K> kernels, std::span<const std::size_t> lengths, const Run &run,
                const std::string &part = "") {
    for (const K &kernel : kernels) {
        if (!detected_isa().contains(target_isa(kernel.target))) {
            continue;
        }
        for (std::size_t length : lengths) {
            add(full_name(kernel) + part, length,
                [&kernel, length, run](benchmark::State &state, std::size_t rows, Place place) {
                    run(state, kernel, length, rows, place);
                });
        }
    }
}

constexpr std::size_t lengths_in_cells[] = {16, 64, 100, 128, 384, 768, 1024};
constexpr std::size_t lengths_of_rows[] = {2, 7, 12, 16, 64, 100, 128, 384, 768, 1024};
constexpr std::size_t lengths_of_columns[] = {1, 16, 64, 768};
constexpr std::size_t lengths_in_bytes_of_bits[] = {16, 96, 128, 1024};

void add_kernels() {
    using enum RowPairOperation;
    for (const RowPairKernel &kernel : row_pair_kernels()) {
        if (!detected_isa().contains(target_isa(kernel.target))) {
            continue;
        }
        const bool takes_bits = kernel.operation == dot_bits_big || kernel.operation == dot_bits_little;
        const std::span<const std::size_t> lengths = takes_bits || kernel.operation == hamming
                                                         ? std::span<const std::size_t>(lengths_in_bytes_of_bits)
                                                         : std::span<const std::size_t>(lengths_in_cells);
        for (std::size_t length : lengths) {
            add_row_pairs(
                {full_name(kernel), kernel.a, kernel.b, length, takes_bits ? 8 * length : length, kernel.function});
        }
    }
    add_family(conversion_kernels(), lengths_in_cells, run_conversion);
    add_family(reduce_kernels(), lengths_in_cells, run_reduce);
    add_family(reduce_kernels(), lengths_in_cells, run_columns, "_by_columns");
    add_family(weighted_rows_kernels(), lengths_in_cells, run_weighted_rows);
    add_family(elementwise_kernels(), lengths_of_columns, run_elementwise);
    add_family(normalize_kernels(), lengths_of_rows, run_normalize);
}

void add_yardsticks() {
    struct Yardstick {
        const char *name;
        CellType type;
        RowPairFunction *function;
    };
    const std::vector<Yardstick> yardsticks = {
#if defined(TENREX_WITH_EIGEN)
        {"eigen::dot_f32", CellType::f32, eigen_dot_f32},
        {"eigen::dot_f64", CellType::f64, eigen_dot_f64},
#endif
#if defined(TENREX_WITH_OPENBLAS)
        {"openblas::dot_f32", CellType::f32, openblas_dot_f32},
        {"openblas::dot_f64", CellType::f64, openblas_dot_f64},
        {"openblas::gemv_f32", CellType::f32, openblas_gemv_f32},
        {"openblas::gemv_f64", CellType::f64, openblas_gemv_f64},
#endif
    };
    for (const Yardstick &yardstick : yardsticks) {
        for (std::size_t length : {128, 768}) {
            add_row_pairs({yardstick.name, yardstick.type, yardstick.type, length, length, yardstick.function});
        }
    }
}

}  // namespace
}  // namespace tenrex::kernels

int main(int argc, char **argv) {
    tenrex::kernels::add_kernels();
    tenrex::kernels::add_yardsticks();
    return tenrex::perf::run_benchmarks(argc, argv);
}

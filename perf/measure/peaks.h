// What this machine can do at most: the roofline that figures are compared with.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tenrex::perf {

struct CacheLevel {
    std::string name;                   // "L1", "L2", "L3", "memory"
    std::size_t bytes = 0;              // 0: without limit
    double load_bytes_per_second = 0;   // of one thread that reads forwards
    double store_bytes_per_second = 0;  // of one that writes
};

struct ArithmeticPeak {
    std::string cells;                 // "float", "double", "int8", "bfloat16": what is multiplied and summed
    std::string instruction;           // "fma, 256 bits"
    double operations_per_second = 0;  // of one thread: multiplications and additions
};

struct Peaks {
    std::vector<ArithmeticPeak> arithmetic;  // every way that the processor has
    std::vector<CacheLevel> levels;          // the fastest first
    double lookup_seconds = 0;               // to find a label in a table of the first-level cache

    // The most operations on such cells; those on floats where there is nothing faster for others.
    double operations_per_second(std::string_view cells) const;
    double flops_per_second() const { return operations_per_second("float"); }
    // The same for what a kernel does, by its name: "avx2::dot_i8_i8".
    double operations_per_second_of_kernel(std::string_view kernel) const;
    // The fastest level that holds so many bytes.
    const CacheLevel &level_of(std::size_t bytes) const;
};

// Measures for less than half a second; the first call only.
const Peaks &machine_peaks();

}  // namespace tenrex::perf

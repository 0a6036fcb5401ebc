// Loops that do nothing but what a peak is of, for the widest vectors and the special units of this processor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tenrex::perf {

struct ArithmeticLoop {
    const char *cells;        // "float", "double", "int8", "bfloat16": what is multiplied and summed
    const char *instruction;  // "fma", "vpdpbusd", "tdpbssd", ...
    double operations;        // multiplications and additions of one count
    void (*run)(std::size_t count);
};

// The fastest first among those of the same cells.
std::vector<ArithmeticLoop> arithmetic_loops();

// Reads all of that memory, whose beginning is aligned.
using LoadLoop = void(const float *cells, std::size_t bytes);
LoadLoop *load_loop();

// Writes all of that memory, whose beginning is aligned.
using StoreLoop = void(float *cells, std::size_t bytes);
StoreLoop *store_loop();

// Finds so many labels, one after the other, in a table that holds them and is half full. Both fit in the first-level
// cache. A label has one place to be, or those behind it.
class LookupLoop {
public:
    static constexpr std::size_t count = 512;

    LookupLoop();
    void run() const;

private:
    std::vector<std::uint64_t> slots_;
    std::vector<std::uint64_t> wanted_;
};

}  // namespace tenrex::perf

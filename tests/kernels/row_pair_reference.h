// What a kernel over pairs of rows must compute, for one pair, from the definition of the operation.
#pragma once

#include <cmath>
#include <cstddef>

#include "lib/kernels/row_pairs/row_pairs_kernels.h"
#include "tests/kernels/row.h"

namespace tenrex::kernels {

inline bool takes_bits(RowPairOperation operation) {
    return operation == RowPairOperation::dot_bits_big || operation == RowPairOperation::dot_bits_little;
}

inline bool takes_largest(RowPairOperation operation) {
    return operation == RowPairOperation::largest_product || operation == RowPairOperation::largest_difference ||
           operation == RowPairOperation::largest_distance;
}

inline bool takes_extreme(RowPairOperation operation) {
    return takes_largest(operation) || operation == RowPairOperation::smallest_product ||
           operation == RowPairOperation::smallest_difference || operation == RowPairOperation::smallest_distance;
}

// How many cells operand a has when b has `length`.
inline std::size_t a_length(RowPairOperation operation, std::size_t length) {
    return takes_bits(operation) ? 8 * length : length;
}

struct Expected {
    long double sum = 0;
    long double magnitude = 0;  // the sum of the magnitudes of what was added
};

inline Expected expected(RowPairOperation operation, const Row &a, const Row &b) {
    Expected result;
    for (std::size_t i = 0; i < a.length(); ++i) {
        long double term = 0;
        switch (operation) {
            case RowPairOperation::dot:
            case RowPairOperation::largest_product:
            case RowPairOperation::smallest_product:
                term = static_cast<long double>(a[i]) * b[i];
                break;
            case RowPairOperation::squared_distance:
                term = static_cast<long double>(a[i]) - b[i];
                term *= term;
                break;
            case RowPairOperation::largest_difference:
            case RowPairOperation::smallest_difference:
                term = static_cast<long double>(a[i]) - b[i];
                break;
            case RowPairOperation::count_less:
                term = a[i] < b[i] ? 1 : 0;
                break;
            case RowPairOperation::count_less_equal:
                term = a[i] <= b[i] ? 1 : 0;
                break;
            case RowPairOperation::count_equal:
                term = a[i] == b[i] ? 1 : 0;
                break;
            case RowPairOperation::absolute_distance:
            case RowPairOperation::largest_distance:
            case RowPairOperation::smallest_distance:
                term = std::fabs(static_cast<long double>(a[i]) - b[i]);
                break;
            case RowPairOperation::hamming: {
                const auto x = static_cast<unsigned char>(a.bytes[i]);
                const auto y = static_cast<unsigned char>(b.bytes[i]);
                term = __builtin_popcount(static_cast<unsigned>(x ^ y));
                break;
            }
            case RowPairOperation::dot_bits_big:
            case RowPairOperation::dot_bits_little: {
                const std::size_t bit = operation == RowPairOperation::dot_bits_big ? 7 - i % 8 : i % 8;
                const int byte = static_cast<unsigned char>(b.bytes[i / 8]);
                term = static_cast<long double>(a[i]) * (byte >> bit & 1);
                break;
            }
        }
        const bool is_better =
            i == 0 || std::isnan(result.sum) || (takes_largest(operation) ? term > result.sum : term < result.sum);
        result.sum = !takes_extreme(operation) ? result.sum + term : is_better ? term : result.sum;
        result.magnitude += std::fabs(term);
    }
    return result;
}

inline bool is_exact(const RowPairKernel &kernel) {
    return kernel.a == CellType::i8 && kernel.b == CellType::i8;
}

// How far a kernel's result may be from the expected one. Kernels have at least 64 bytes of lanes, so a cell goes
// through at most length/16 (float) or length/8 (double) additions, 6 to join the lanes and 4 roundings of its own.
inline long double error_bound(const RowPairKernel &kernel, std::size_t length, const Expected &expected) {
    if (is_exact(kernel)) {
        return 0;
    }
    // An extreme of floats is one of their products or differences, each rounded to float.
    const bool wide = kernel.out == CellType::f64 && (!takes_extreme(kernel.operation) || kernel.a == CellType::f64);
    const std::size_t cells = a_length(kernel.operation, length);
    const long double roundings = static_cast<long double>(cells / (wide ? 8 : 16) + 10);
    return roundings * (wide ? 0x1p-53L : 0x1p-24L) * expected.magnitude;
}

}  // namespace tenrex::kernels

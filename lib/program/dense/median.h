// The middle of some numbers.
#pragma once

#include <cstddef>

namespace tenrex::program {

// Of an even count the mean of the two middle ones; NaN if one of them is; 0 over nothing. Reorders the numbers.
double median(double *numbers, std::size_t count) noexcept;

}  // namespace tenrex::program

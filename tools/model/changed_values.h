// How far values of a network are from those that it gave before it was changed, for the reports that tell it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/tensor.h>

namespace tenrex::tool {

struct Cosines {
    double mean = 0;
    double worst = 1;
    std::size_t worst_place = 0;
};

// Of each value to the other one at its place.
Cosines cosines_of(const std::vector<Tensor> &values, const std::vector<Tensor> &others);
// What changes for those who rank: pairs of scores, or the nearest of the first values. Empty: too few of them. unit:
// what has a value.
std::string ranks_text(const std::vector<Tensor> &all_values, const std::vector<Tensor> &all_others,
                       std::string_view unit);
std::string megabytes(std::uint64_t bytes);

}  // namespace tenrex::tool

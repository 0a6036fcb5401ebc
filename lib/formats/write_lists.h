// The cells of a block as lists inside of lists, as literals and JSON both write them: [[1,2],[3,4]].
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>

#include <tenrex/tensor_type.h>

namespace tenrex {

// `indexed` are the dimensions of the lists, outermost first; `count` cells begin at `begin`. append(cell) appends one.
template <class Append>
void write_lists(std::string &out, std::span<const Dimension *const> indexed, std::size_t begin, std::size_t count,
                 const Append &append) {
    if (indexed.empty()) {
        append(begin);
        return;
    }
    const auto size = static_cast<std::size_t>(indexed[0]->size);
    const std::size_t step = count / std::max<std::size_t>(size, 1);
    out += '[';
    for (std::size_t i = 0; i < size; ++i) {
        out += i == 0 ? "" : ",";
        write_lists(out, indexed.subspan(1), begin + i * step, step, append);
    }
    out += ']';
}

}  // namespace tenrex

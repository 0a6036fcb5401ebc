// Limits on what the library accepts. Going beyond one gives an error that names it; nothing overflows or hangs.
#pragma once

#include <cstdint>

namespace tenrex {

struct Limits {
    std::uint64_t expression_bytes = std::uint64_t{64} << 20;  // text of one expression
    std::uint32_t nesting = 1000;                              // parentheses, calls, prefix operators inside each other
    std::uint64_t nodes = std::uint64_t{1} << 24;              // nodes of one syntax tree or typed tree
    std::uint32_t dimensions = 64;                             // dimensions of one tensor type
    std::uint64_t block_cells = std::uint64_t{1} << 30;        // cells of one dense block of a type
    std::uint64_t tensor_cells = std::uint64_t{1} << 30;       // cells of one tensor value, over all blocks
    std::uint64_t value_bytes = std::uint64_t{4} << 30;        // text or binary form of one tensor value
    std::uint64_t evaluation_cells = std::uint64_t{1} << 28;   // cells and labels that an evaluation holds at a time
    std::uint64_t evaluation_steps = std::uint64_t{1} << 34;   // cell operations of one evaluation by the oracle
    std::uint32_t issues = 100;                                // issues reported for one text
};

}  // namespace tenrex

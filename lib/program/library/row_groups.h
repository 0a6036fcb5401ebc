// Groups of rows that are taken together, such as the tokens of each chunk of a document.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "lib/program/value.h"

namespace tenrex::program {

struct RowGroups {
    IndexSlot index;  // the addresses of the groups; none: all rows of a document are one
    MapSlot map;      // from the blocks of the rows to groups; none: each block is one
};

// The rows of a document, one beside the other, and those of a group together.
struct GroupedRows {
    const std::byte *first;
    std::span<const std::uint32_t> ends;  // of each group: the number of its last row, plus one
};

// Blocks of rows, side by side.
struct RowBlocks {
    IndexSlot index;  // none: there is one
    const std::byte *first;
    std::size_t blocks;
    std::size_t rows;  // of a block
    std::size_t block_bytes;
};

// Groups the rows of a document. They stay where they are, unless the groups alternate. What is returned refers to
// memory of `frame` that the next call may change.
GroupedRows grouped(Frame &frame, const RowGroups &groups, const RowBlocks &rows, std::size_t document);

}  // namespace tenrex::program

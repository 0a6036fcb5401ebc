// The operands of steps that make one block after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "lib/program/value.h"

namespace tenrex::program {

// Which block of an operand goes with a block of the result.
enum class BlockAccess : std::uint8_t {
    dense,   // the document's only one
    same,    // that of the same number: the operand has the index of the result
    mapped,  // the one that a map names
};

struct BlockUse {
    CellsSlot cells;
    BlockAccess access = BlockAccess::dense;
    MapSlot map;
    std::size_t bytes = 0;  // of a block
};

// Cells on an index.
struct IndexedCells {
    IndexSlot index;
    CellsSlot cells;
};

// A BlockUse in a frame.
class Blocks {
public:
    Blocks() = default;
    // Blocks that follow each other.
    Blocks(const std::byte *data, std::size_t bytes) noexcept
        : data_(data), block_stride_(static_cast<std::ptrdiff_t>(bytes)) {}
    Blocks(const Frame &frame, const BlockUse &use) noexcept {
        const Cells &cells = frame.cells(use.cells);
        data_ = cells.data;
        (use.access == BlockAccess::dense ? document_stride_ : block_stride_) =
            use.access == BlockAccess::dense ? cells.stride : static_cast<std::ptrdiff_t>(use.bytes);
        map_ = use.access == BlockAccess::mapped ? frame.map(use.map).of.data() : nullptr;
    }

    const std::byte *at(std::size_t document, std::size_t block) const noexcept {
        const std::size_t own = map_ != nullptr ? map_[block] : block;
        return data_ + static_cast<std::ptrdiff_t>(document) * document_stride_ +
               static_cast<std::ptrdiff_t>(own) * block_stride_;
    }
    const std::byte *data() const noexcept { return data_; }
    std::ptrdiff_t document_stride() const noexcept { return document_stride_; }

private:
    const std::byte *data_ = nullptr;
    std::ptrdiff_t document_stride_ = 0;
    std::ptrdiff_t block_stride_ = 0;
    const std::uint32_t *map_ = nullptr;
};

// What a step makes: cells on an index, or one block per document if there is no index.
struct Target {
    IndexSlot index;
    CellsSlot cells;
    std::size_t bytes = 0;   // of a block
    bool of_shared = false;  // the index holds copies of one that the documents share
};

// The number of blocks that the target gets in this frame.
inline std::size_t block_count(const Frame &frame, const Target &target) noexcept {
    return target.index ? frame.index(target.index).blocks(frame.documents) : frame.documents;
}
// The number of blocks of the document that has the most: a document is held to the limits alone, whatever its
// neighbours are.
std::size_t most_blocks(const Frame &frame, const Index &index) noexcept;
// The blocks of all documents together.
std::size_t blocks_of(const Frame &frame, const Index &index) noexcept;
// Room for at most so many blocks, for a step that does not know yet how many there will be.
std::byte *room_for(Frame &frame, const Target &target, std::size_t blocks);
// Makes room for them on an index; null if those of a document go beyond the limit.
std::byte *make_indexed_room(Frame &frame, const Target &target);
// The same for any target. Without an index this is the memory of the first document, and the others follow without
// gaps.
inline std::byte *make_room(Frame &frame, const Target &target) {
    return target.index ? make_indexed_room(frame, target) : frame.cells(target.cells).data;
}

// Calls visit(document, block, target cells) for each block of the target, after making room.
template <class Visit>
void for_each_block(Frame &frame, const Target &target, const Visit &visit) {
    std::byte *cells = make_room(frame, target);
    if (cells == nullptr) {
        return;
    }
    if (!target.index) {
        for (std::size_t document = 0; document < frame.documents; ++document, cells += target.bytes) {
            visit(document, document, cells);
        }
        return;
    }
    const Index &index = frame.index(target.index);
    for (std::size_t document = 0; document < frame.documents; ++document) {
        for (std::uint32_t block = index.begin(document); block < index.end(document); ++block) {
            visit(document, block, cells + block * target.bytes);
        }
    }
}

}  // namespace tenrex::program

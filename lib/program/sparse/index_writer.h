// Writes an index, address by address, document by document.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "lib/program/value.h"

namespace tenrex::program {

class IndexWriter {
public:
    // `map`, if there is one, gets for each block the block that add() is told.
    IndexWriter(Frame &frame, IndexSlot slot, std::size_t width, BlockMap *map = nullptr)
        : frame_(frame), index_(frame.index(slot)), map_(map), width_(width) {
        index_.shared = slot.stage != Stage::document;
        offsets_ = index_.own_offsets.room(frame.documents + 1);
        offsets_[0] = 0;
        index_.offsets = offsets_;
        room_for(1);
    }
    // The labels of a new block, to be filled in.
    Label *add(std::uint32_t source = 0) {
        if (count_ == capacity_) {
            room_for(std::size_t{capacity_} * 2);
        }
        if (map_ != nullptr) {
            sources_[count_] = source;
        }
        return labels_ + count_++ * width_;
    }
    // Makes sure that the next `more` blocks do not move those before.
    void reserve(std::size_t more) {
        if (count_ + more > capacity_) {
            room_for(std::max<std::size_t>(count_ + more, std::size_t{capacity_} * 2));
        }
    }
    void end_document() { offsets_[++document_] = count_; }
    std::uint32_t count() const noexcept { return count_; }
    const Label *labels() const noexcept { return labels_; }
    // Whether the document has more blocks than the limit allows: then stop.
    bool is_too_large() noexcept {
        if (count_ - offsets_[document_] > frame_.most_cells) {
            frame_.too_large = true;
            return true;
        }
        return false;
    }

private:
    void room_for(std::size_t blocks) {
        const std::uint32_t capacity = block_number(blocks);
        labels_ = index_.own_labels.grow(blocks * width_, count_ * width_);
        index_.labels = labels_;
        if (map_ != nullptr) {
            sources_ = map_->of.grow(blocks, count_);
        }
        capacity_ = capacity;
    }

    Frame &frame_;
    Index &index_;
    BlockMap *map_;
    std::size_t width_;
    std::uint32_t *offsets_ = nullptr;
    Label *labels_ = nullptr;
    std::uint32_t *sources_ = nullptr;
    std::uint32_t count_ = 0;
    std::uint32_t capacity_ = 0;
    std::size_t document_ = 0;
};

}  // namespace tenrex::program

#include "lib/retrieval/storage.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace tenrex::retrieval {

namespace {

constexpr std::size_t large_page = std::size_t{2} << 20;

}  // namespace

Storage Storage::view(std::span<const std::byte> bytes) {
    Storage storage;
    storage.data_ = bytes.data();
    storage.size_ = bytes.size();
    return storage;
}

bool Storage::reserve(std::size_t bytes) {
    if (bytes <= capacity_) {
        return true;
    }
    const std::size_t unit = bytes < large_page ? cache_line : large_page;
    if (bytes > SIZE_MAX / 2 - unit) {
        return false;
    }
    const std::size_t capacity = (bytes + unit - 1) / unit * unit;
    std::unique_ptr<std::byte, Free> larger(static_cast<std::byte *>(std::aligned_alloc(unit, capacity)));
    if (!larger) {
        return false;
    }
    if (unit == large_page) {
        madvise(larger.get(), capacity, MADV_HUGEPAGE);  // a wish: without it only more of the page table is read
    }
    if (size_ != 0) {
        std::memcpy(larger.get(), data_, size_);
    }
    owned_ = std::move(larger);
    data_ = owned_.get();
    capacity_ = capacity;
    return true;
}

bool Storage::resize(std::size_t bytes) {
    if (bytes > capacity_ && !reserve(std::max(bytes, capacity_ + capacity_ / 2))) {
        return false;
    }
    if (bytes > size_) {
        std::memset(owned_.get() + size_, 0, bytes - size_);
    }
    size_ = bytes;
    return true;
}

}  // namespace tenrex::retrieval

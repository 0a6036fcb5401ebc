// Memory for rows and links: a growing block that begins at a cache line and prefers large pages, or a view of memory
// that someone else has.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>

namespace tenrex::retrieval {

inline constexpr std::size_t cache_line = 64;

class Storage {
public:
    Storage() = default;
    static Storage view(std::span<const std::byte> bytes);

    // New bytes are zero. False: there is no memory. Not for a view.
    bool reserve(std::size_t bytes);
    bool resize(std::size_t bytes);

    std::size_t size() const noexcept { return size_; }
    std::size_t owned_bytes() const noexcept { return capacity_; }
    std::span<const std::byte> bytes() const noexcept { return {data_, size_}; }

    template <class T>
    const T *as() const noexcept {
        return reinterpret_cast<const T *>(data_);
    }
    // Not for a view.
    template <class T>
    T *writable() noexcept {
        return reinterpret_cast<T *>(owned_.get());
    }

private:
    struct Free {
        void operator()(std::byte *memory) const noexcept { std::free(memory); }
    };
    std::unique_ptr<std::byte, Free> owned_;
    const std::byte *data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace tenrex::retrieval

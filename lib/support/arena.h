// Bump allocation for trees whose nodes die together. What is made here is never destroyed one by one.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tenrex {

class Arena {
public:
    Arena() = default;
    Arena(Arena &&) = default;
    Arena &operator=(Arena &&) = default;

    template <class T, class... Args>
    T *make(Args &&...args) {
        static_assert(std::is_trivially_destructible_v<T>);
        return new (allocate(sizeof(T), alignof(T))) T{static_cast<Args &&>(args)...};
    }

    // A copy of the items that lives as long as the arena.
    template <class T>
    std::span<T> copy(std::span<const T> items) {
        static_assert(std::is_trivially_copyable_v<T>);
        if (items.empty()) {
            return {};
        }
        T *target = static_cast<T *>(allocate(items.size_bytes(), alignof(T)));
        std::memcpy(static_cast<void *>(target), items.data(), items.size_bytes());
        return {target, items.size()};
    }
    template <class T>
    std::span<T> copy(const std::vector<T> &items) {
        return copy(std::span<const T>(items));
    }
    std::string_view copy(std::string_view text) {
        const std::span<char> target = copy(std::span<const char>(text.data(), text.size()));
        return {target.data(), target.size()};
    }

    std::size_t bytes() const noexcept { return bytes_; }

private:
    void *allocate(std::size_t size, std::size_t alignment) {
        std::size_t offset = (used_ + alignment - 1) & ~(alignment - 1);
        if (offset + size > capacity_) {
            grow(size);
            offset = 0;
        }
        used_ = offset + size;
        return chunks_.back().get() + offset;
    }
    void grow(std::size_t size) {
        constexpr std::size_t smallest = 512;
        constexpr std::size_t largest = std::size_t{1} << 20;
        std::size_t next = capacity_ == 0 ? smallest : (capacity_ < largest ? 2 * capacity_ : largest);
        if (next < size) {
            next = size;
        }
        chunks_.push_back(std::unique_ptr<std::byte[]>(new std::byte[next]));
        capacity_ = next;
        bytes_ += next;
    }

    std::vector<std::unique_ptr<std::byte[]>> chunks_;
    std::size_t used_ = 0;
    std::size_t capacity_ = 0;
    std::size_t bytes_ = 0;
};

}  // namespace tenrex

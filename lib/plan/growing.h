// Memory that grows and is kept: what a step writes when the size is known only while it runs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include "lib/plan/cache_line.h"

namespace tenrex::plan {

// An uninitialised, aligned array. It never shrinks, so a context that has seen its largest documents allocates no
// more.
template <class T>
class Growing {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    static constexpr std::size_t alignment = sizeof(CacheLine);

    Growing() = default;
    Growing(Growing &&other) noexcept
        : data_(std::exchange(other.data_, nullptr)), capacity_(std::exchange(other.capacity_, 0)) {}
    Growing &operator=(Growing &&other) noexcept {
        std::swap(data_, other.data_);
        std::swap(capacity_, other.capacity_);
        return *this;
    }
    ~Growing() { release(); }

    T *data() noexcept { return data_; }
    const T *data() const noexcept { return data_; }
    std::size_t memory_bytes() const noexcept { return capacity_ * sizeof(T); }

    // Room for `count` elements; what was in it is lost. Throws std::bad_alloc.
    T *room(std::size_t count) { return grow(count, 0); }
    // The same, but the first `kept` elements stay.
    T *grow(std::size_t count, std::size_t kept) {
        if (count > capacity_ || data_ == nullptr) {
            const std::size_t larger = std::max<std::size_t>(count + count / 2, alignment / sizeof(T) + 1);
            T *const fresh = static_cast<T *>(::operator new (larger * sizeof(T), std::align_val_t{alignment}));
            if (kept != 0) {
                std::memcpy(static_cast<void *>(fresh), data_, kept * sizeof(T));
            }
            release();
            data_ = fresh;
            capacity_ = larger;
        }
        return data_;
    }

private:
    void release() noexcept {
        if (data_ != nullptr) {
            ::operator delete (data_, std::align_val_t{alignment});
        }
    }

    T *data_ = nullptr;
    std::size_t capacity_ = 0;
};

}  // namespace tenrex::plan

// Memory that grows and is kept: what a step writes when the size is known only while it runs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

#include "lib/program/cache_line.h"
#include "lib/program/memory_budget.h"

namespace tenrex::program {

// An uninitialised, aligned array. It shrinks only when it is told to, so a context that has seen its largest documents
// allocates no more.
template <class T>
class Growing {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    static constexpr std::size_t alignment = sizeof(CacheLine);

    Growing() = default;
    Growing(Growing &&other) noexcept
        : data_(std::exchange(other.data_, nullptr)),
          capacity_(std::exchange(other.capacity_, 0)),
          budget_(other.budget_) {}
    Growing &operator=(Growing &&other) noexcept {
        std::swap(data_, other.data_);
        std::swap(capacity_, other.capacity_);
        std::swap(budget_, other.budget_);
        return *this;
    }
    ~Growing() { release(); }

    // What it takes from now on counts there; the budget outlives the array.
    void count_in(MemoryBudget &budget) noexcept {
        release();
        budget_ = &budget;
    }

    T *data() noexcept { return data_; }
    const T *data() const noexcept { return data_; }
    std::size_t memory_bytes() const noexcept { return capacity_ * sizeof(T); }

    // Room for `count` elements; what was in it is lost. Throws std::bad_alloc, BeyondBudget before memory is taken.
    T *room(std::size_t count) { return grow(count, 0); }
    // The same, but the first `kept` elements stay.
    T *grow(std::size_t count, std::size_t kept) {
        if (count > capacity_ || data_ == nullptr) {
            const std::size_t before = capacity_;
            if (kept == 0) {
                release();  // no two arrays at a time
            }
            replace(larger(count, before), kept);
        }
        return data_;
    }
    void release() noexcept {
        if (data_ != nullptr) {
            ::operator delete (std::exchange(data_, nullptr), std::align_val_t{alignment});
            give_back(std::exchange(capacity_, 0));
        }
    }

private:
    // The first time there are just so many, as most arrays have their size then; one that grows again gets more, if
    // there is as much.
    std::size_t larger(std::size_t count, std::size_t before) const {
        if (count > std::numeric_limits<std::size_t>::max() / (2 * sizeof(T))) {
            throw BeyondBudget();
        }
        const std::size_t least = std::max<std::size_t>(count, alignment / sizeof(T) + 1);
        const std::size_t more = std::max<std::size_t>(least, before + before / 2);
        return budget_ == nullptr || budget_->allows(more * sizeof(T)) ? more : least;
    }
    void replace(std::size_t capacity, std::size_t kept) {
        if (budget_ != nullptr) {
            budget_->take(capacity * sizeof(T));
        }
        void *const fresh = ::operator new (capacity * sizeof(T), std::align_val_t{alignment}, std::nothrow);
        if (fresh == nullptr) {
            give_back(capacity);
            throw std::bad_alloc();
        }
        if (kept != 0) {
            std::memcpy(fresh, data_, kept * sizeof(T));
        }
        release();
        data_ = static_cast<T *>(fresh);
        capacity_ = capacity;
    }
    void give_back(std::size_t capacity) noexcept {
        if (budget_ != nullptr) {
            budget_->give_back(capacity * sizeof(T));
        }
    }

    T *data_ = nullptr;
    std::size_t capacity_ = 0;
    MemoryBudget *budget_ = nullptr;
};

}  // namespace tenrex::program

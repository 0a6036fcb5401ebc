#include "perf/expressions/allocations.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> count{0};
std::atomic<std::size_t> bytes{0};

void *counted(void *memory, std::size_t size) {
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    count.fetch_add(1, std::memory_order_relaxed);
    bytes.fetch_add(size, std::memory_order_relaxed);
    return memory;
}

}  // namespace

void *operator new(std::size_t size) {
    return counted(std::malloc(size == 0 ? 1 : size), size);
}
void *operator new(std::size_t size, std::align_val_t alignment) {
    const auto align = static_cast<std::size_t>(alignment);
    return counted(std::aligned_alloc(align, (size + align - 1) / align * align), size);
}
void operator delete(void *memory) noexcept {
    std::free(memory);
}
void operator delete(void *memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void *memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete(void *memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}

namespace tenrex::perf {

Allocations allocations() noexcept {
    return {count.load(std::memory_order_relaxed), bytes.load(std::memory_order_relaxed)};
}

}  // namespace tenrex::perf

// Every call of the allocation functions of C++ is counted, and of those of C with the GNU C library.
#include "perf/expressions/allocations.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> count{0};
std::atomic<std::size_t> bytes{0};

void add(std::size_t size) noexcept {
    count.fetch_add(1, std::memory_order_relaxed);
    bytes.fetch_add(size, std::memory_order_relaxed);
}

void *checked(void *memory) {
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    return memory;
}

}  // namespace

#ifdef __GLIBC__
extern "C" {
void *__libc_malloc(std::size_t size);
void *__libc_calloc(std::size_t number, std::size_t size);
void *__libc_realloc(void *memory, std::size_t size);
void *__libc_memalign(std::size_t alignment, std::size_t size);

void *malloc(std::size_t size) {
    add(size);
    return __libc_malloc(size);
}
void *calloc(std::size_t number, std::size_t size) {
    add(number * size);
    return __libc_calloc(number, size);
}
void *realloc(void *memory, std::size_t size) {
    add(size);
    return __libc_realloc(memory, size);
}
void *aligned_alloc(std::size_t alignment, std::size_t size) {
    add(size);
    return __libc_memalign(alignment, size);
}
}
#endif

// The forms with std::nothrow and of arrays call these. They call malloc, which counts where it can.
void *operator new(std::size_t size) {
#ifndef __GLIBC__
    add(size);
#endif
    return checked(std::malloc(size == 0 ? 1 : size));
}
void *operator new(std::size_t size, std::align_val_t alignment) {
#ifndef __GLIBC__
    add(size);
#endif
    const auto align = static_cast<std::size_t>(alignment);
    return checked(std::aligned_alloc(align, (size + align - 1) / align * align));
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

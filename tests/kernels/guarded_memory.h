// Memory with inaccessible pages on both sides: a read or write beyond either end is a fault.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace tenrex::kernels {

class GuardedMemory {
public:
    explicit GuardedMemory(std::size_t capacity)
        : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))), size_((capacity + page_ - 1) / page_ * page_) {
        void *mapped = mmap(nullptr, size_ + 2 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (mapped == MAP_FAILED) {
            std::perror("mmap");
            std::abort();
        }
        begin_ = static_cast<char *>(mapped) + page_;
        if (mprotect(begin_ - page_, page_, PROT_NONE) != 0 || mprotect(begin_ + size_, page_, PROT_NONE) != 0) {
            std::perror("mprotect");
            std::abort();
        }
    }
    ~GuardedMemory() { munmap(begin_ - page_, size_ + 2 * page_); }
    GuardedMemory(const GuardedMemory &) = delete;
    GuardedMemory &operator=(const GuardedMemory &) = delete;

    // The first bytes, and the last `size` ones.
    char *front() const noexcept { return begin_; }
    char *back(std::size_t size) const noexcept { return begin_ + size_ - size; }
    std::size_t size() const noexcept { return size_; }

private:
    std::size_t page_;
    std::size_t size_;
    char *begin_ = nullptr;
};

}  // namespace tenrex::kernels

// Bytes from one place to another. A call of memcpy takes longer than to copy few of them.
#pragma once

#include <cstddef>
#include <cstring>

namespace tenrex::program {

// Copies from `count` words to twice as many: those at the beginning, and those at the end, some of which may be the
// same.
template <std::size_t word, std::size_t count>
struct CopyWords {
    void operator()(std::byte *to, const std::byte *from, std::size_t bytes) const noexcept {
        for (std::size_t i = 0; i < count; ++i) {
            std::memcpy(to + i * word, from + i * word, word);
        }
        const std::size_t rest = bytes - count * word;
        for (std::size_t i = 0; i < count; ++i) {
            std::memcpy(to + rest + i * word, from + rest + i * word, word);
        }
    }
};

// Calls use(copy) with what copies so many bytes.
template <class Use>
void with_copy_of(std::size_t bytes, const Use &use) noexcept {
    const auto copy_any = [](std::byte *to, const std::byte *from, std::size_t size) { std::memcpy(to, from, size); };
    bytes > 128 || bytes == 0 ? use(copy_any)
    : bytes > 64              ? use(CopyWords<16, 4>())
    : bytes > 32              ? use(CopyWords<16, 2>())
    : bytes >= 16             ? use(CopyWords<16, 1>())
    : bytes >= 8              ? use(CopyWords<8, 1>())
    : bytes >= 4              ? use(CopyWords<4, 1>())
    : bytes >= 2              ? use(CopyWords<2, 1>())
                              : use(CopyWords<1, 1>());
}

inline void copy_bytes(std::byte *to, const std::byte *from, std::size_t bytes) noexcept {
    with_copy_of(bytes, [&](auto copy) { copy(to, from, bytes); });
}

// The same for some rows, which follow each other at these distances.
inline void copy_rows(std::byte *to, std::ptrdiff_t to_step, const std::byte *from, std::ptrdiff_t from_step,
                      std::size_t rows, std::size_t bytes) noexcept {
    with_copy_of(bytes, [=](auto copy) {
        std::byte *target = to;  // not where the bytes that are written may lie, for all that compilers know
        const std::byte *source = from;
        for (std::size_t row = 0; row < rows; ++row, target += to_step, source += from_step) {
            copy(target, source, bytes);
        }
    });
}

}  // namespace tenrex::program

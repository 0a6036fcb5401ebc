// What a table of labels keeps its texts in: arrays that are read without a lock while they grow.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace tenrex::label_storage {

// The texts by number. They stay where they are while more come, so they are read without a lock by whoever got the
// number from a thread that saw them written.
class TextArray {
public:
    TextArray() noexcept = default;
    TextArray(const TextArray &) = delete;
    TextArray &operator=(const TextArray &) = delete;
    ~TextArray() {
        for (auto &segment : segments_) {
            delete[] segment.load(std::memory_order_relaxed);
        }
    }

    std::string_view operator[](std::uint64_t number) const noexcept {
        const std::size_t segment = segment_of(number);
        return segments_[segment].load(std::memory_order_acquire)[number - first_of(segment)];
    }
    // Makes room for a text; for one thread at a time.
    std::string_view &room(std::uint64_t number) {
        const std::size_t segment = segment_of(number);
        std::string_view *texts = segments_[segment].load(std::memory_order_relaxed);
        if (texts == nullptr) {
            texts = new std::string_view[first_size << segment];
            bytes_ += (first_size << segment) * sizeof(std::string_view);
            segments_[segment].store(texts, std::memory_order_release);
        }
        return texts[number - first_of(segment)];
    }
    std::size_t memory_bytes() const noexcept { return bytes_; }

private:
    // Each segment is twice as large as the one before, so a few are enough.
    static constexpr std::uint64_t first_size = 16;
    static std::size_t segment_of(std::uint64_t number) noexcept {
        return static_cast<std::size_t>(std::bit_width(number / first_size + 1)) - 1;
    }
    static std::uint64_t first_of(std::size_t segment) noexcept { return (first_size << segment) - first_size; }

    std::array<std::atomic<std::string_view *>, 36> segments_{};
    std::size_t bytes_ = 0;
};

// A slot of the hash table of what is interned: 0 if it is free, else the number plus 1 and, above it, what tells most
// texts apart without reading them: the upper bits of their hash.
inline constexpr unsigned number_bits = 40;
inline constexpr std::uint64_t number_mask = (std::uint64_t{1} << number_bits) - 1;

constexpr std::uint64_t slot_of(std::uint64_t number, std::uint64_t hash) noexcept {
    return (hash & ~number_mask) | (number + 1);
}
constexpr std::uint64_t number_in(std::uint64_t slot) noexcept {
    return (slot & number_mask) - 1;
}
// Whether the slot may be that of a text with the hash.
constexpr bool may_be(std::uint64_t slot, std::uint64_t hash) noexcept {
    return ((slot ^ hash) & ~number_mask) == 0;
}

// Open addressing; half of the slots stay free.
struct Slots {
    explicit Slots(std::size_t size) : mask(size - 1), of(std::make_unique<std::atomic<std::uint64_t>[]>(size)) {}
    void add(std::uint64_t slot, std::uint64_t hash) noexcept {
        std::size_t at = static_cast<std::size_t>(hash) & mask;
        while (of[at].load(std::memory_order_relaxed) != 0) {
            at = (at + 1) & mask;
        }
        of[at].store(slot, std::memory_order_release);
    }

    std::size_t mask;  // the size is a power of two
    std::unique_ptr<std::atomic<std::uint64_t>[]> of;
};

struct SeededHash {
    std::uint64_t seed;
    std::size_t operator()(std::string_view text) const noexcept;
};

}  // namespace tenrex::label_storage

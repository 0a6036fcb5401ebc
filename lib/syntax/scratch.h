// Collects the items of lists that are nested in each other, such as arguments of calls within arguments, before they
// are copied into the arena. One stack of bytes serves all lists, whatever their items are.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "lib/support/arena.h"

namespace tenrex::syntax {

// Items may be pointers: their own size is meant.
// NOLINTBEGIN(bugprone-sizeof-expression)
class Scratch {
public:
    // Where a new list begins.
    std::size_t mark() const noexcept { return bytes_.size(); }
    // Adds an item to the list begun last.
    template <class T>
    void push(const T &item) {
        static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % 8 == 0);
        const std::size_t at = bytes_.size();
        bytes_.resize(at + sizeof(T));
        std::memcpy(bytes_.data() + at, &item, sizeof(T));
    }
    // How many items the list has that begins at the mark.
    template <class T>
    std::size_t count(std::size_t mark) const noexcept {
        return (bytes_.size() - mark) / sizeof(T);
    }
    // The items of the list that begins at the mark, until the next push.
    template <class T>
    std::span<const T> view(std::size_t mark) const noexcept {
        return {reinterpret_cast<const T *>(bytes_.data() + mark), count<T>(mark)};
    }
    // Ends the list that begins at the mark: its items, in the arena.
    template <class T>
    std::span<const T> take(std::size_t mark, Arena &arena) {
        const std::span<const T> items = arena.copy(view<T>(mark));
        bytes_.resize(mark);
        return items;
    }
    void drop(std::size_t mark) noexcept { bytes_.resize(mark); }

private:
    std::vector<std::byte> bytes_;
};
// NOLINTEND(bugprone-sizeof-expression)

}  // namespace tenrex::syntax

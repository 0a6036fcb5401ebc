// Items in the order in which they came, which stay where they are. Unlike a std::deque it takes no memory while it is
// empty, and little for few items: graphs are made and moved all the time, and most have a few types and payloads.
#pragma once

#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

namespace tenrex {

template <class T>
class StableList {
public:
    template <class... Args>
    T &emplace_back(Args &&...args) {
        if (chunks_.empty() || chunks_.back().size() == room_of(chunks_.size() - 1)) {
            const std::size_t room = room_of(chunks_.size());
            chunks_.emplace_back().reserve(room);
        }
        return chunks_.back().emplace_back(std::forward<Args>(args)...);
    }

    const T &operator[](std::size_t i) const noexcept {
        const auto chunk = static_cast<std::size_t>(std::bit_width(i / smallest + 1)) - 1;
        return chunks_[chunk][i - first_of(chunk)];
    }

    std::size_t size() const noexcept {
        return chunks_.empty() ? 0 : first_of(chunks_.size() - 1) + chunks_.back().size();
    }

private:
    // The first chunk stays below the kilobyte up to which allocators keep what a thread has freed at hand.
    static constexpr std::size_t smallest = sizeof(T) < 128 ? 8 : 4;
    static constexpr std::size_t room_of(std::size_t chunk) noexcept { return smallest << chunk; }
    static constexpr std::size_t first_of(std::size_t chunk) noexcept { return room_of(chunk) - smallest; }

    std::vector<std::vector<T>> chunks_;  // each has twice the room of the one before it, and never grows
};

}  // namespace tenrex

// How much memory the values of a program may take together.
#pragma once

#include <cstddef>
#include <limits>
#include <new>

namespace tenrex::program {

// Thrown before memory is taken that goes beyond a budget.
struct BeyondBudget : std::bad_alloc {
    const char *what() const noexcept override { return "the values need more memory than the limits allow"; }
};

class MemoryBudget {
public:
    // So many bytes from now on; what is taken already stays.
    void allow(std::size_t most) noexcept { most_ = most; }
    std::size_t most() const noexcept { return most_; }
    std::size_t taken() const noexcept { return taken_; }

    bool allows(std::size_t bytes) const noexcept { return taken_ <= most_ && bytes <= most_ - taken_; }
    void take(std::size_t bytes) {
        if (!allows(bytes)) {
            throw BeyondBudget();
        }
        taken_ += bytes;
    }
    void give_back(std::size_t bytes) noexcept { taken_ -= bytes; }

private:
    std::size_t most_ = std::numeric_limits<std::size_t>::max();
    std::size_t taken_ = 0;
};

}  // namespace tenrex::program

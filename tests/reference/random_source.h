// Random choices that are the same on every machine for the same seed, and random tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenrex/tensor.h>
#include <tenrex/tensor_type.h>

namespace tenrex::random {

class Source {
public:
    explicit Source(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() noexcept {
        state_ += 0x9E3779B97F4A7C15u;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }
    std::size_t below(std::size_t end) noexcept { return static_cast<std::size_t>(next() % end); }
    bool chance(std::size_t percent) noexcept { return below(100) < percent; }
    template <class List>
    const auto &pick(const List &list) noexcept {
        return std::data(list)[below(std::size(list))];
    }
    template <class List>
    void shuffle(List &list) noexcept {
        for (std::size_t i = std::size(list); i > 1; --i) {
            std::swap(list[i - 1], list[below(i)]);
        }
    }

private:
    std::uint64_t state_;
};

// Which numbers occur, and what may be done with them.
enum class Numbers {
    any,     // also NaN and infinity, every function
    exact,   // integers below 2^24, only functions that keep them so: every correct evaluation gives the same bits
    smooth,  // small fractions, only functions without jumps: rounding cannot change a result much
};

// The whole numbers from 0 to this one are all cells of the type, and so are their negatives.
inline double most_whole_number(CellType type) {
    return visit_cell_type(type, []<class T>(T) {
        double next = 2.0;
        while (next < 0x1p24 && static_cast<double>(to_cell<T>(next)) == next &&
               static_cast<double>(to_cell<T>(next + 1.0)) == next + 1.0) {
            next *= 2.0;
        }
        return std::is_integral_v<T> ? next - 1.0 : next;
    });
}

inline double number(Source &source, Numbers numbers, CellType cell_type) {
    if (numbers == Numbers::exact || cell_type == CellType::i8) {
        return static_cast<double>(source.below(9)) - 4.0;
    }
    if (numbers == Numbers::any && source.chance(4)) {
        constexpr double odd[] = {std::numeric_limits<double>::quiet_NaN(),
                                  std::numeric_limits<double>::infinity(),
                                  -std::numeric_limits<double>::infinity(),
                                  1e30,
                                  -0.0,
                                  16777217.0};
        return source.pick(odd);
    }
    return static_cast<double>(source.below(33)) / 8.0 - 2.0;
}

inline const std::vector<std::string> &labels() {
    static const std::vector<std::string> all = {"a", "b", "7", "c d", "-3", "\xC3\xBC", "0", "1"};
    return all;
}

// Each of the first `most_labels` labels is there or not, independently; sometimes there is no block at all.
inline Tensor tensor(Source &source, const TensorType &type, Numbers numbers, std::size_t most_labels = 3) {
    TensorBuilder builder(type);
    const std::size_t mapped = type.mapped_count();
    const auto fill = [&](std::size_t block) {
        for (std::size_t i = 0; i < type.block_cells(); ++i) {
            builder.set(block, i, number(source, numbers, type.cell_type()));
        }
    };
    if (mapped == 0) {
        fill(0);
        return std::move(builder).build();
    }
    std::vector<std::size_t> at(mapped);
    std::vector<std::string_view> address(mapped);
    const bool empty = source.chance(8);
    for (bool more = !empty; more;) {
        for (std::size_t i = 0; i < mapped; ++i) {
            address[i] = labels()[at[i]];
        }
        if (source.chance(60)) {
            fill(builder.block(address));
        }
        more = false;
        for (std::size_t i = 0; i < mapped && !more; ++i) {
            at[i] = (at[i] + 1) % most_labels;
            more = at[i] != 0;
        }
    }
    return std::move(builder).build();
}

}  // namespace tenrex::random

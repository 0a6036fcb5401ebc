#include "lib/ir/reshape.h"

#include <algorithm>

namespace tenrex::ir {

std::optional<std::vector<std::uint64_t>> common_parts(const std::vector<std::uint64_t> &a,
                                                       const std::vector<std::uint64_t> &b) {
    std::vector<std::uint64_t> parts;
    std::uint64_t left_of_a = 1;
    std::uint64_t left_of_b = 1;
    auto next_a = a.begin();
    auto next_b = b.begin();
    const auto take = [](auto &next, auto end, std::uint64_t &left) {
        while (left == 1 && next != end) {
            left = *next++;
        }
    };
    for (;;) {
        take(next_a, a.end(), left_of_a);
        take(next_b, b.end(), left_of_b);
        const std::uint64_t part = std::min(left_of_a, left_of_b);
        if (part <= 1) {
            return left_of_a == left_of_b ? std::optional(parts) : std::nullopt;
        }
        if (left_of_a % part != 0 || left_of_b % part != 0) {
            return std::nullopt;
        }
        parts.push_back(part);
        left_of_a /= part;
        left_of_b /= part;
    }
}

}  // namespace tenrex::ir

// The pairs of blocks that agree on the mapped dimensions that both operands have.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "lib/reference/value.h"

namespace tenrex::reference {

class Matcher {
public:
    // What is given must outlive the matcher.
    Matcher(const TensorType &result, const Blocks &a, const Blocks &b);

    // Calls visit(address of the result, block of a, block of b) for each pair.
    template <class Visit>
    void for_each(Visit visit) const {
        std::vector<LabelId> address(sources_.size());
        for (std::size_t block_a = 0; block_a < a_.count(); ++block_a) {
            const auto group = index_.find(shared(a_.address(block_a), &Source::a));
            if (!group) {
                continue;
            }
            for (const std::size_t block_b : groups_[*group]) {
                for (std::size_t i = 0; i < sources_.size(); ++i) {
                    address[i] =
                        sources_[i].a != none ? a_.address(block_a)[sources_[i].a] : b_.address(block_b)[sources_[i].b];
                }
                visit(address, block_a, block_b);
            }
        }
    }

private:
    static constexpr std::size_t none = ~std::size_t{0};
    // Where the label of a mapped dimension of the result stands in the addresses of a and b.
    struct Source {
        std::size_t a;
        std::size_t b;
    };

    std::vector<LabelId> shared(std::span<const LabelId> address, std::size_t Source::*side) const;

    const Blocks &a_;
    const Blocks &b_;
    std::vector<Source> sources_;  // one per mapped dimension of the result
    AddressIndex index_;           // of the shared labels of b's blocks
    std::vector<std::vector<std::size_t>> groups_;
};

}  // namespace tenrex::reference

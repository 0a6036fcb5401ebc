#include "lib/storage/block_order.h"

#include <algorithm>
#include <numeric>

#include "lib/storage/address_index.h"

namespace tenrex {

std::vector<std::size_t> nested_order(const TensorView &tensor) {
    std::vector<std::size_t> order(tensor.blocks());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::size_t mapped = tensor.type().mapped_count();
    if (mapped < 2 || tensor.blocks() < 2) {
        return order;
    }
    // From the shortest prefix of the addresses to the longest: stable sorting by the first block with the same prefix
    // moves blocks only within the groups of the prefixes before.
    const Label *const addresses = tensor.address(0).data();
    std::vector<std::size_t> group(tensor.blocks());  // by block: place of the group of its prefix
    std::vector<std::size_t> place(tensor.blocks());  // by block: place in `order`
    for (std::size_t width = 1; width < mapped; ++width) {
        AddressIndex first_with_prefix(mapped);
        for (std::size_t i = 0; i < order.size(); ++i) {
            const std::size_t block = order[i];
            place[block] = i;
            const std::size_t first =
                first_with_prefix.find_or_add(tensor.address(block).first(width), addresses, block);
            group[block] = place[first];
        }
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return group[a] < group[b]; });
    }
    return order;
}

}  // namespace tenrex

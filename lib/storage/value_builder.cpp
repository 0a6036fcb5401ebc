#include "lib/storage/value_builder.h"

#include <algorithm>
#include <cstring>

namespace tenrex {

ValueBuilder::ValueBuilder(const TensorType &type, const Limits &limits, bool may_repeat)
    : builder_(type),
      most_blocks_(limits.tensor_cells / std::max<std::size_t>(type.block_cells(), 1)),
      may_repeat_(may_repeat) {
    if (may_repeat_) {
        reserve_marks();
    }
}

std::optional<std::size_t> ValueBuilder::block(std::span<const std::string_view> address) {
    if (type().has_mapped() && builder_.blocks() >= most_blocks_ && !builder_.has_block(address)) {
        return std::nullopt;
    }
    const std::size_t found = builder_.block(address);
    if (may_repeat_ && found >= marked_blocks_) {
        reserve_marks();
    }
    return found;
}

void ValueBuilder::reserve_marks() {
    const auto bytes = [&](std::size_t blocks) { return (blocks * type().block_cells() + 7) / 8; };
    const std::size_t wanted = std::max<std::size_t>(2 * marked_blocks_, builder_.blocks());
    std::unique_ptr<std::byte[], Release> larger(allocate_cells(bytes(wanted)));
    if (marks_ != nullptr) {
        std::memcpy(larger.get(), marks_.get(), bytes(marked_blocks_));
    }
    marks_ = std::move(larger);
    marked_blocks_ = wanted;
}

}  // namespace tenrex

#include <algorithm>

#include "lib/program/weight_store_content.h"
#include "lib/storage/cells_hash.h"
#include "lib/storage/derived_tensor.h"
#include "lib/support/format.h"
#include "lib/types/block_layout.h"

namespace tenrex {

std::string program::order_of(const MatrixShape &shape, const kernels::MatmulKernel &kernel) {
    return fmt::format("{} {}x{}: {} of {}x{}, {} {} {}", full_name(kernel), kernel.column_tile, kernel.k_tile,
                       shape.batch, shape.k, shape.n, shape.batch_stride, shape.k_stride, shape.n_stride);
}

void program::PackedWeights::make(std::size_t size, const std::function<void(std::byte *to)> &pack) {
    // Those who need the same wait here, others do not.
    const std::scoped_lock lock(making);
    if (!is_made) {
        pack(cells.room(std::max<std::size_t>(1, size)));
        bytes = size;
        is_made = true;
    }
}

using program::PackedWeights;
using program::WeightKey;

WeightStore::WeightStore() : content_(std::make_unique<Content>()) {}
WeightStore::~WeightStore() = default;

WeightStore::Statistics WeightStore::statistics() const {
    const std::scoped_lock lock(content_->mutex);
    Statistics now = content_->statistics;
    for (const auto &[key, entry] : content_->entries) {
        const auto held = entry.lock();
        if (held == nullptr) {
            continue;
        }
        // One that is just being packed is no plan's yet.
        const std::unique_lock made(held->making, std::try_to_lock);
        if (made && held->is_made) {
            ++now.matrices;
            now.bytes += held->cells.memory_bytes();
        }
    }
    return now;
}

std::array<std::uint64_t, 2> WeightStore::Content::hash(const Tensor &tensor) {
    DerivedCells *const derived = DerivedTensor::cells_of(tensor);
    return derived != nullptr ? derived->hash() : cells_hash(tensor.view().cells(), block_bytes(tensor.type()));
}

WeightKey WeightStore::Content::key(const Tensor &tensor, const program::MatrixShape &shape,
                                    const kernels::MatmulKernel &kernel) const {
    return {hash(tensor), shape, &kernel};
}

std::shared_ptr<const PackedWeights> WeightStore::Content::find_or_pack(
    const WeightKey &key, std::size_t bytes, const std::function<void(std::byte *to)> &pack) {
    std::shared_ptr<PackedWeights> entry;
    {
        const std::scoped_lock lock(mutex);
        std::weak_ptr<PackedWeights> &known = entries[key];
        entry = known.lock();
        ++(entry != nullptr ? statistics.found : statistics.packed);
        if (entry == nullptr) {
            entry = std::make_shared<PackedWeights>();
            known = entry;
            if (entries.size() >= look_at) {
                std::erase_if(entries, [](const auto &each) { return each.second.expired(); });
                look_at = std::max<std::size_t>(look_at, 2 * entries.size());
            }
        }
    }
    entry->make(bytes, pack);
    return entry;
}

}  // namespace tenrex

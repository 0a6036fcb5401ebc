#include "lib/runtime/packed_weights.h"

#include <mutex>

#include "lib/kernels/isa.h"
#include "lib/program/weight_store_content.h"

namespace tenrex {

std::vector<std::pair<std::string, std::string_view>> packed_of(const WeightStore &store, const Tensor &weights) {
    const auto hash = WeightStore::Content::hash(weights);
    WeightStore::Content &content = store.content();
    const std::scoped_lock lock(content.mutex);
    std::vector<std::pair<std::string, std::string_view>> packed;
    for (const auto &[key, entry] : content.entries) {
        const auto held = key.hash == hash ? entry.lock() : nullptr;
        if (held != nullptr && held->is_made) {
            packed.emplace_back(program::order_of(key.shape, *key.kernel),
                                std::string_view(reinterpret_cast<const char *>(held->cells.data()), held->bytes));
        }
    }
    return packed;
}

std::string instruction_set() {
    return to_string(kernels::allowed_isa());
}

}  // namespace tenrex

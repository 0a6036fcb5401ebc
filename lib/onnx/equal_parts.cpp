#include "lib/onnx/equal_parts.h"

#include <bit>
#include <map>
#include <utility>

namespace tenrex::onnx {

EqualParts::EqualParts(const EnsembleParts &parts, const std::vector<std::size_t> &weights_of)
    : rows_(parts.rows.size(), UINT32_MAX) {
    std::map<std::vector<std::uint64_t>, std::uint32_t> numbers;
    const auto number_of = [&](std::vector<std::uint64_t> key) {
        return numbers.emplace(std::move(key), static_cast<std::uint32_t>(numbers.size())).first->second;
    };
    constexpr std::uint64_t is_leaf = 0;
    constexpr std::uint64_t is_row = 1;
    for (std::size_t leaf = 0; leaf < parts.leaves; ++leaf) {
        std::vector<std::uint64_t> key{is_leaf};
        for (std::size_t i = weights_of[leaf]; i < weights_of[leaf + 1]; ++i) {
            key.push_back(parts.weights[i].target);
            key.push_back(std::bit_cast<std::uint64_t>(parts.weights[i].weight));
        }
        leaves_.push_back(number_of(std::move(key)));
    }
    // What a row leads to comes before the row.
    std::vector<bool> begun(rows_.size());
    std::vector<std::size_t> open;
    for (std::size_t first = 0; first < rows_.size(); ++first) {
        open.push_back(first);
        while (!open.empty()) {
            const std::size_t at = open.back();
            const SplitRow &row = parts.rows[at];
            if (!begun[at]) {
                begun[at] = true;
                for (const std::int64_t place : {row.when_true, row.when_false}) {
                    if (place >= 0 && !begun[static_cast<std::size_t>(place)]) {
                        open.push_back(static_cast<std::size_t>(place));
                    }
                }
                continue;
            }
            open.pop_back();
            if (rows_[at] == UINT32_MAX) {
                const forest::Split &split = row.split;
                const auto flags = static_cast<std::uint64_t>(split.missing_passes) |
                                   static_cast<std::uint64_t>(row.leads_when_false) << 1U |
                                   static_cast<std::uint64_t>(split.test) << 2U;
                rows_[at] = number_of({is_row, static_cast<std::uint64_t>(row.feature), flags, split.set,
                                       std::bit_cast<std::uint64_t>(split.threshold), number(row.when_true),
                                       number(row.when_false)});
            }
        }
    }
}

}  // namespace tenrex::onnx

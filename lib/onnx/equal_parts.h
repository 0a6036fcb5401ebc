// Which parts of trees are the same: converters write what hangs below a set of categories once for each category.
#pragma once

#include <cstdint>
#include <vector>

#include "lib/onnx/ensemble_parts.h"

namespace tenrex::onnx {

class EqualParts {
public:
    // The weights are sorted by leaf and target; those of leaf n begin at weights_of[n] and end at weights_of[n + 1].
    EqualParts(const EnsembleParts &parts, const std::vector<std::size_t> &weights_of);

    // The same number for two places, rows or leaves, if all that hangs below them is the same. Rows that lead in a
    // circle may have any.
    std::uint32_t number(std::int64_t place) const noexcept {
        return place < 0 ? leaves_[static_cast<std::size_t>(~place)] : rows_[static_cast<std::size_t>(place)];
    }

private:
    std::vector<std::uint32_t> rows_;
    std::vector<std::uint32_t> leaves_;
};

}  // namespace tenrex::onnx

// Puts together the dimensions that a result has: what infer.cpp says of operations is made of these. A problem is what
// is wrong with a node, if anything is.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lib/ir/infer.h"
#include "lib/support/format.h"

namespace tenrex::ir {

using Problem = std::optional<std::string>;

inline const Dimension *find(const TensorType &type, std::string_view name) {
    const auto found = type.find(name);
    return found ? &type.dimensions()[*found] : nullptr;
}

inline Problem lacks(std::string_view dimension) {
    return fmt::format("its operand has no dimension {}", dimension);
}

// The place of a dimension of that name, or where it would be.
inline DimensionViews::iterator place_of(DimensionViews &views, std::string_view name) {
    return std::find_if(views.begin(), views.end(), [&](const DimensionView &view) { return view.name >= name; });
}

// False if there is one of that name.
inline bool insert(DimensionViews &views, std::string_view name, std::uint64_t size) {
    const auto place = place_of(views, name);
    if (place != views.end() && place->name == name) {
        return false;
    }
    views.insert(place, {name, size});
    return true;
}

// Of the dimensions that do not go; those that do may differ.
template <class Goes>
Problem join_without(OperandTypes operands, const Goes &goes, DimensionViews &result) {
    result.clear();
    for (std::size_t i = 0; i < operands.size(); ++i) {
        if (i > 0 && operands[i] == operands[i - 1]) {
            continue;
        }
        for (const Dimension &dimension : operands[i]->dimensions()) {
            if (goes(dimension.name)) {
                continue;
            }
            const auto place = place_of(result, dimension.name);
            if (place == result.end() || place->name != dimension.name) {
                result.insert(place, {dimension.name, dimension.size});
            } else if (place->size != dimension.size) {
                return fmt::format("its operands disagree about dimension {}", dimension.name);
            }
        }
    }
    return std::nullopt;
}

inline Problem same_as(const TensorType &operand, DimensionViews &result) {
    result.clear();
    for (const Dimension &dimension : operand.dimensions()) {
        result.push_back({dimension.name, dimension.size});
    }
    return std::nullopt;
}

}  // namespace tenrex::ir

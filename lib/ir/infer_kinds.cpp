#include "lib/ir/infer_kinds.h"

#include "lib/ir/reshape.h"

namespace tenrex::ir {

namespace {

// A dimension of the operand becomes mapped, or indexed and of that size.
Problem change_kind(const TensorType &operand, const std::string &name, std::uint64_t size, DimensionViews &result) {
    const Dimension *const before = find(operand, name);
    if (before == nullptr) {
        return lacks(name);
    }
    if (before->is_mapped() == (size == 0)) {
        return fmt::format("does not change the kind of dimension {}", name);
    }
    place_of(result, name)->size = size;
    return std::nullopt;
}

// Takes the sizes of the dimensions that go.
Problem take_sizes(const TensorType &operand, const std::vector<std::string> &names, DimensionViews &result,
                   std::vector<std::uint64_t> &sizes) {
    for (const std::string &name : names) {
        const Dimension *const dimension = find(operand, name);
        const auto place = place_of(result, name);
        if (dimension == nullptr || place == result.end() || place->name != name) {
            return lacks(name);
        }
        if (dimension->is_mapped()) {
            return fmt::format("has no indexes along dimension {}", name);
        }
        result.erase(place);
        sizes.push_back(dimension->size);
    }
    return std::nullopt;
}

}  // namespace

Problem reshaped(const TensorType &operand, const Reshape &reshape, DimensionViews &result) {
    same_as(operand, result);
    std::vector<std::uint64_t> from;
    if (Problem problem = take_sizes(operand, reshape.dimensions, result, from)) {
        return problem;
    }
    std::vector<std::uint64_t> to;
    for (const Dimension &dimension : reshape.becomes) {
        if (dimension.is_mapped() || !insert(result, dimension.name, dimension.size)) {
            return fmt::format("has dimension {} twice, or without a size", dimension.name);
        }
        to.push_back(dimension.size);
    }
    return common_parts(from, to) ? Problem() : Problem("neither splits nor joins dimensions");
}

Problem to_mapped(const TensorType &operand, const ToMapped &change, DimensionViews &result) {
    Problem problem = same_as(operand, result);
    for (auto name = change.dimensions.begin(); !problem && name != change.dimensions.end(); ++name) {
        problem = change_kind(operand, *name, 0, result);
    }
    return problem;
}

Problem to_indexed(const TensorType &operand, const ToIndexed &change, DimensionViews &result) {
    Problem problem = same_as(operand, result);
    for (auto after = change.dimensions.begin(); !problem && after != change.dimensions.end(); ++after) {
        problem = change_kind(operand, after->name, after->size, result);
    }
    return problem;
}

}  // namespace tenrex::ir

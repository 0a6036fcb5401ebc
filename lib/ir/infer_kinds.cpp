#include "lib/ir/infer_kinds.h"

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

}  // namespace

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

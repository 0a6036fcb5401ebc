#include "lib/ir/infer.h"

#include <algorithm>
#include <cassert>

#include "lib/ir/dimension_views.h"
#include "lib/ir/graph.h"
#include "lib/ir/infer_forest.h"
#include "lib/ir/infer_gather.h"
#include "lib/ir/infer_kinds.h"
#include "lib/ir/infer_pack.h"
#include "lib/ir/infer_rows.h"
#include "lib/support/format.h"
#include "lib/types/block_layout.h"

namespace tenrex::ir {

namespace {

using Views = DimensionViews;

Problem branched(OperandTypes operands, Views &result) {
    if (!operands[0]->is_scalar()) {
        return "its condition is not a scalar";
    }
    if (operands[1]->dimensions() != operands[2]->dimensions()) {
        return "its branches have different dimensions";
    }
    return same_as(*operands[1], result);
}

Problem reduced(OperandTypes operands, const std::vector<std::string> &dimensions, Views &result) {
    if (dimensions.empty()) {
        return "reduces no dimension";
    }
    if (Problem problem = join(operands, result)) {
        return problem;
    }
    for (const std::string &name : dimensions) {
        const auto place = place_of(result, name);
        if (place == result.end() || place->name != name) {
            return lacks(name);
        }
        result.erase(place);
    }
    return std::nullopt;
}

Problem contracted(OperandTypes operands, const Contract &contract, Views &result) {
    if (operands.size() != contract.operands()) {
        return fmt::format("has {} operands", operands.size());
    }
    Problem problem = reduced(operands.first(2), contract.dimensions, result);
    if (!problem && contract.has_bias) {
        for (const Dimension &dimension : operands[2]->dimensions()) {
            const auto place = place_of(result, dimension.name);
            if (place == result.end() || !(*place == dimension)) {
                return fmt::format("has no dimension {} as its bias has", dimension.name);
            }
        }
    }
    return problem;
}

Problem extreme_of_rows(OperandTypes operands, const RowExtreme &extreme, Views &result) {
    if (extreme.rows.empty()) {
        return "has no rows";
    }
    for (const std::string &name : extreme.dimensions) {
        if (!operands[0]->find(name) || !operands[1]->find(name)) {
            return lacks(name);
        }
    }
    Problem problem = reduced(operands, extreme.dimensions, result);
    for (auto name = extreme.rows.begin(); !problem && name != extreme.rows.end(); ++name) {
        const auto place = place_of(result, *name);
        if (place == result.end() || place->name != *name || operands[1]->find(*name)) {
            return fmt::format("dimension {} is not one of its rows", *name);
        }
        result.erase(place);
    }
    return problem;
}

Problem renamed(const TensorType &operand, const Rename &rename, Views &result) {
    const auto &[from, to] = rename;
    for (const std::string &name : from) {
        if (!operand.find(name)) {
            return lacks(name);
        }
    }
    if (from.size() != to.size()) {
        return "has not one new name for each dimension";
    }
    result.clear();
    for (const Dimension &dimension : operand.dimensions()) {
        const auto found = std::find(from.begin(), from.end(), dimension.name);
        const std::string &name =
            found == from.end() ? dimension.name : to[static_cast<std::size_t>(found - from.begin())];
        if (!insert(result, name, dimension.size)) {
            return fmt::format("calls two dimensions {}", name);
        }
    }
    return std::nullopt;
}

Problem concatenated(OperandTypes operands, const std::string &along, Views &result) {
    std::uint64_t size = 0;
    for (const TensorType *const operand : operands) {
        const Dimension *const dimension = find(*operand, along);
        if (dimension != nullptr && dimension->is_mapped()) {
            return fmt::format("dimension {} has no indexes", along);
        }
        size += dimension != nullptr ? dimension->size : 1;
    }
    Problem problem = join_without(
        operands, [&](std::string_view name) { return name == along; }, result);
    insert(result, along, size);
    return problem;
}

Problem sliced(const TensorType &operand, const Slice &slice, Views &result) {
    const Dimension *const along = find(operand, slice.dimension);
    if (along == nullptr) {
        return lacks(slice.dimension);
    }
    if (slice.size == 0 || slice.begin > along->size || slice.size > along->size - slice.begin) {
        return fmt::format("takes {} indexes of dimension {} from {} on", slice.size, slice.dimension, slice.begin);
    }
    same_as(operand, result);
    place_of(result, slice.dimension)->size = slice.size;
    return std::nullopt;
}

Problem unpacked(const TensorType &operand, const UnpackBits &unpack, Views &result) {
    if (operand.cell_type() != CellType::i8) {
        return "unpacks cells that are no bits";
    }
    same_as(operand, result);
    const auto last =
        std::find_if(result.rbegin(), result.rend(), [](const DimensionView &view) { return view.size != 0; });
    if (last == result.rend() || last->name != unpack.dimension) {
        return "unpacks bits along another dimension than the last one";
    }
    last->size *= 8;
    return std::nullopt;
}

Problem peeked(OperandTypes operands, const std::vector<PeekPart> &parts, Views &result) {
    std::size_t computed = 0;
    for (auto part = parts.begin(); part != parts.end(); ++part) {
        const Dimension *const dimension = find(*operands[0], part->dimension);
        if (dimension == nullptr) {
            return lacks(part->dimension);
        }
        if (std::any_of(parts.begin(), part,
                        [&](const PeekPart &other) { return other.dimension == part->dimension; })) {
            return fmt::format("chooses along dimension {} twice", part->dimension);
        }
        if (part->computed == 0) {
            if (dimension->is_indexed() && part->index >= dimension->size) {
                return fmt::format("dimension {} has no index {}", part->dimension, part->index);
            }
        } else if (part->computed >= operands.size()) {
            return fmt::format("the label of dimension {} is no operand", part->dimension);
        }
        computed += part->computed != 0 ? 1 : 0;
    }
    if (computed + 1 != operands.size()) {
        return fmt::format("has {} operands for {} labels", operands.size() - 1, computed);
    }
    const auto goes = [&](std::string_view name) {
        return std::any_of(parts.begin(), parts.end(), [&](const PeekPart &part) { return part.dimension == name; });
    };
    return join_without(operands, goes, result);
}

Problem merged(OperandTypes operands, Views &result) {
    if (operands[0]->dimensions() != operands[1]->dimensions()) {
        return "its operands have different dimensions";
    }
    return join(operands, result);
}

Problem filtered(const TensorType &operand, const TensorType &condition, Views &result) {
    for (const Dimension &dimension : condition.dimensions()) {
        const Dimension *const own = find(operand, dimension.name);
        if (own == nullptr || *own != dimension) {
            return "is told what to keep by dimensions that its operand lacks";
        }
    }
    return same_as(operand, result);
}

// Something is done along some of its dimensions.
Problem along(const TensorType &operand, const std::vector<std::string> &dimensions, Views &result) {
    for (const std::string &name : dimensions) {
        if (!operand.find(name)) {
            return lacks(name);
        }
    }
    return same_as(operand, result);
}

// Whether another operand has a dimension that the first one has not.
Problem lacks_dimension(const TensorType &type, const TensorType &other, std::string_view what) {
    for (const Dimension &dimension : other.dimensions()) {
        const Dimension *const own = find(type, dimension.name);
        if (own == nullptr || *own != dimension) {
            return fmt::format("has no dimension {} as {}", dimension.name, what);
        }
    }
    return {};
}

Problem normalized(OperandTypes operands, const Normalize &normalize, Views &result) {
    const std::size_t factors = (normalize.has_gain ? 1 : 0) + (normalize.has_bias ? 1 : 0);
    if (operands.size() != 1 + factors) {
        return fmt::format("has {} operands beside its rows, not {}", operands.size() - 1, factors);
    }
    for (const TensorType *const factor : operands.subspan(1)) {
        if (Problem problem = lacks_dimension(*operands[0], *factor, "its gain or bias has")) {
            return problem;
        }
    }
    return along(*operands[0], normalize.dimensions, result);
}

Problem rounded(OperandTypes operands, Views &result) {
    if (operands.size() == 2) {
        return "has one number for each row, not two or none";
    }
    for (const TensorType *const numbers : operands.subspan(1)) {
        if (Problem problem = lacks_dimension(*operands[0], *numbers, "the numbers of its rows have")) {
            return problem;
        }
        if (!row_length(*operands[0], *numbers)) {
            return "has rows that are not along the last dimensions";
        }
    }
    return same_as(*operands[0], result);
}

Problem of_region(OperandTypes operands, const Region &region, Views &result) {
    if (!region.body || region.body->outputs().empty()) {
        return "has no results";
    }
    const std::vector<GraphInput> &inputs = region.body->inputs();
    const auto is_input = [](const TensorType *operand, const GraphInput &input) { return *operand == input.type; };
    if (!std::equal(operands.begin(), operands.end(), inputs.begin(), inputs.end(), is_input)) {
        return "has operands of other types than its operations read";
    }
    return same_as(*(*region.body)[region.body->outputs()[0].node].type, result);
}

Problem top(OperandTypes operands, Views &result) {
    if (operands[1]->dimensions() != operands[0]->dimensions()) {
        return "ranks other addresses than it keeps";
    }
    return operands[2]->is_scalar() ? same_as(*operands[0], result) : "keeps a number of blocks that is no number";
}

Problem joined_and_reduced(OperandTypes operands, const JoinReduce &reduce, Views &result) {
    if (reduce.aggregator == Aggregator::median) {
        return "takes the median of what is not stored";
    }
    if (reduce.function.has_value() == (reduce.aggregator == Aggregator::count)) {
        return "computes cells only to count them, or aggregates cells that it does not compute";
    }
    return reduced(operands, reduce.dimensions, result);
}

}  // namespace

Problem join(OperandTypes operands, Views &result) {
    return join_without(
        operands, [](std::string_view) { return false; }, result);
}

Problem infer(Op op, OperandTypes operands, const Payload &payload, Views &result) {
    switch (op) {
        case Op::constant: {
            const std::shared_ptr<const Tensor> &value = std::get<Constant>(payload).value;
            return value ? same_as(value->type(), result) : join({}, result);
        }
        case Op::input:
        case Op::fill:
            return same_as(*operands[0], result);
        case Op::apply:
        case Op::user:
        case Op::in_set:
        case Op::multiply_add:
        case Op::select:
        case Op::cast:
        case Op::join_addresses:
            return join(operands, result);
        case Op::branch:
            return branched(operands, result);
        case Op::reduce:
            return reduced(operands, std::get<Reduce>(payload).dimensions, result);
        case Op::contract:
            return contracted(operands, std::get<Contract>(payload), result);
        case Op::rename:
            return renamed(*operands[0], std::get<Rename>(payload), result);
        case Op::concat:
            return concatenated(operands, std::get<Concat>(payload).dimension, result);
        case Op::slice:
            return sliced(*operands[0], std::get<Slice>(payload), result);
        case Op::reshape:
            return reshaped(*operands[0], std::get<Reshape>(payload), result);
        case Op::to_mapped:
            return to_mapped(*operands[0], std::get<ToMapped>(payload), result);
        case Op::to_indexed:
            return to_indexed(*operands[0], std::get<ToIndexed>(payload), result);
        case Op::same_size:
            return sized(operands, result);
        case Op::append:
            return appended(operands, std::get<Append>(payload).dimension, result);
        case Op::peek:
            return peeked(operands, std::get<Peek>(payload).parts, result);
        case Op::merge:
            return merged(operands, result);
        case Op::filter:
            return filtered(*operands[0], *operands[1], result);
        case Op::order:
            return along(*operands[0], std::get<Order>(payload).dimensions, result);
        case Op::pack:
            return packed(operands, std::get<Pack>(payload), result);
        case Op::unpack_bits:
            return unpacked(*operands[0], std::get<UnpackBits>(payload), result);
        case Op::forest:
            return of_forest(operands, std::get<Forest>(payload), result);
        case Op::row_extreme:
            return extreme_of_rows(operands, std::get<RowExtreme>(payload), result);
        case Op::attention:
            return attended(operands, std::get<Attention>(payload), result);
        case Op::normalize:
            return normalized(operands, std::get<Normalize>(payload), result);
        case Op::round:
            return rounded(operands, result);
        case Op::gather:
            return gathered(operands, std::get<Gather>(payload), result);
        case Op::top:
            return top(operands, result);
        case Op::join_reduce:
            return joined_and_reduced(operands, std::get<JoinReduce>(payload), result);
        case Op::pack_matrix:
            return along(*operands[0], std::get<PackMatrix>(payload).dimensions, result);
        case Op::region:
            return of_region(operands, std::get<Region>(payload), result);
        case Op::region_result:
            return same_as(*operands[0], result);
    }
    __builtin_unreachable();
}

const TensorType *common_type(Op op, OperandTypes operands) noexcept {
    const auto differ = [](const TensorType *a, const TensorType *b) { return a != b; };
    const bool is_common = has_trait(op, Trait::cell_by_cell) && !operands.empty() &&
                           std::adjacent_find(operands.begin(), operands.end(), differ) == operands.end();
    return is_common ? operands.front() : nullptr;
}

std::vector<Dimension> joined(OperandTypes operands) {
    InferenceRoom room;
    [[maybe_unused]] const Problem problem = join(operands, room.inferred);
    assert(!problem);
    std::vector<Dimension> dimensions;
    for (const DimensionView &view : room.inferred) {
        dimensions.push_back({std::string(view.name), view.size});
    }
    return dimensions;
}

}  // namespace tenrex::ir

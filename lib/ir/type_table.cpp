#include "lib/ir/type_table.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/ir/hash_mix.h"
#include "lib/support/format.h"

namespace tenrex::ir {

namespace {

// Of a type with such dimensions, or views of them.
template <class Dimensions>
std::uint32_t hash_of_type(CellType cell_type, const Dimensions &dimensions) {
    auto hash = static_cast<std::size_t>(cell_type);
    for (const auto &dimension : dimensions) {
        mix(hash, std::string_view(dimension.name));
        mix(hash, dimension.size);
    }
    return folded(hash);
}

}  // namespace

const TensorType *TypeTable::intern(const TensorType &type) {
    const std::uint32_t hash = hash_of_type(type.cell_type(), type.dimensions());
    if (const auto known = index_.find(hash, [&](std::uint32_t number) { return types_[number] == type; })) {
        return &types_[*known];
    }
    index_.add(hash, static_cast<std::uint32_t>(types_.size()));
    return &types_.emplace_back(type);
}

const TensorType *TypeTable::scalar() {
    if (scalar_ == nullptr) {
        scalar_ = intern(TensorType());
    }
    return scalar_;
}

Result<const TensorType *> TypeTable::inferred(Op op, CellType cell_type,
                                               std::span<const TensorType *const> operand_types, const Payload &payload,
                                               const Limits &limits) {
    const TensorType *const common = common_type(op, operand_types);
    if (common != nullptr && (common->is_scalar() || common->cell_type() == cell_type)) {
        return common;
    }
    DimensionViews &dimensions = room_.inferred;
    if (const std::optional<std::string> problem = infer(op, operand_types, payload, dimensions)) {
        throw std::logic_error(
            fmt::format("what the compiler has put together makes no sense: {}: {}", name(op), *problem));
    }
    cell_type = dimensions.empty() ? CellType::f64 : cell_type;
    // Most types are known.
    const auto is_it = [&](std::uint32_t number) {
        const TensorType &type = types_[number];
        return type.cell_type() == cell_type &&
               std::equal(dimensions.begin(), dimensions.end(), type.dimensions().begin(), type.dimensions().end());
    };
    if (const auto known = index_.find(hash_of_type(cell_type, dimensions), is_it)) {
        return &types_[*known];
    }
    std::vector<Dimension> copies;
    for (const DimensionView &view : dimensions) {
        copies.push_back({std::string(view.name), view.size});
    }
    const Result<TensorType> type = TensorType::make(cell_type, std::move(copies), limits);
    if (!type) {
        return type.error();
    }
    return intern(*type);
}

}  // namespace tenrex::ir

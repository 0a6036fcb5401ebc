// Operations that compute cell by cell.
#include <algorithm>
#include <iterator>

#include "lib/plan/cell_steps.h"
#include "lib/plan/copy_steps.h"
#include "lib/plan/elementwise_step.h"
#include "lib/plan/float_parts.h"
#include "lib/plan/lowering.h"
#include "lib/plan/order_steps.h"
#include "lib/support/function_facts.h"
#include "optimizer/matcher.h"

namespace tenrex::plan {

namespace {

using kernels::ElementwiseOperation;

// Cells of the operand from one cell to the next along a dimension of the result.
template <std::size_t arrays, class Operand>
LoopNest<arrays> joined_nest(const TensorType &result, std::span<const Operand> operands) {
    LoopNest<arrays> nest;
    for (const Dimension &dimension : result.dimensions()) {
        if (dimension.is_mapped()) {
            continue;
        }
        std::array<std::ptrdiff_t, arrays> strides{};
        strides[0] = static_cast<std::ptrdiff_t>(stride_of(result, dimension.name));
        for (std::size_t i = 0; i < operands.size(); ++i) {
            strides[i + 1] = static_cast<std::ptrdiff_t>(stride_of(*operands[i].type, dimension.name));
        }
        nest.add(dimension.size, strides);
    }
    return nest;
}

}  // namespace

Value Lowering::elementwise(const ir::Node &node, ElementwiseOperation operation, std::span<const Operand> operands,
                            CellType cell_type) {
    const Joined joined = join(operands, node.stage);
    std::vector<BlockUse> uses;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        uses.push_back(use(operands[i], cell_type, joined.operands[i]));
    }
    LoopNest<4> nest = joined_nest<4>(*node.type, operands);
    const Target to = target(node.stage, joined.index, *node.type, cell_type);
    const kernels::ElementwiseKernel *&kernel = elementwise_kernels_[{operation, cell_type}];
    if (kernel == nullptr) {
        kernel = kernels::choose_elementwise(operation, cell_type, isa_);
    }
    add_step<ElementwiseStep>(node.stage, kernel, std::move(uses), std::move(nest), to,
                              std::string(kernels::name(operation)));
    return converted(written(to, cell_type), *node.type, node.type->cell_type());
}

// Numbers that only run time knows may have no nearest floats, which a region looks into; here all is computed in
// double.
CellType Lowering::computed_in(const ir::Node &node) const {
    return precision_.has_unknown_numbers(node) ? CellType::f64 : precision_.computed_in(node);
}

Value Lowering::apply(const ir::Node &node) {
    return elementwise(node, kernels::operation_of(node.as<ir::Apply>().function), operands(node.operands),
                       computed_in(node));
}

Value Lowering::multiply_add(const ir::Node &node) {
    const std::vector<Operand> operands = this->operands(node.operands);
    const CellType cell_type = computed_in(node);
    if (cell_type == node.type->cell_type()) {
        return elementwise(node, ElementwiseOperation::multiply_add, operands, cell_type);
    }
    // The product is a float before it is added.
    const std::span<const Operand> factors = std::span(operands).first(2);
    const Operand product{elementwise(node, ElementwiseOperation::multiply, factors, cell_type), node.type};
    return elementwise(node, ElementwiseOperation::add, std::array{product, operands[2]}, cell_type);
}

Value Lowering::select(const ir::Node &node) {
    // The kernel takes the condition last, and in the cell type of the others.
    const CellType cell_type = node.type->cell_type() == CellType::f64 ? CellType::f64 : CellType::f32;
    const std::array operands = {operand(node.operands[1]), operand(node.operands[2]), operand(node.operands[0])};
    const Value condition = values_[node.operands[0]];
    const bool narrowed = cell_type == CellType::f32 && condition.cell_type == CellType::f64;
    return elementwise(node, ElementwiseOperation::select, operands, narrowed ? CellType::f64 : cell_type);
}

Value Lowering::user(const ir::Node &node) {
    const std::vector<Operand> operands = this->operands(node.operands);
    const Joined joined = join(operands, node.stage);
    std::vector<BlockUse> uses;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        uses.push_back(use(operands[i], CellType::f64, joined.operands[i]));
    }
    auto nest = joined_nest<1 + UserStep::most_operands, Operand>(*node.type, operands);
    const Target to = target(node.stage, joined.index, *node.type, CellType::f64);
    add_step<UserStep>(node.stage, node.as<ir::User>().function, std::move(uses), std::move(nest), to);
    return converted(written(to, CellType::f64), *node.type, node.type->cell_type());
}

Value Lowering::in_set(const ir::Node &node) {
    const ir::NodeId operand = node.operands[0];
    const IndexedCells cells = in_order(operand, CellType::f64);
    const BlockUse from{cells.cells,
                        cells.index ? BlockAccess::same : BlockAccess::dense,
                        {},
                        node.type->block_cells() * sizeof(double)};
    const Target to = target(node.stage, cells.index, *node.type, CellType::f64);
    add_step<InSetStep>(node.stage, from, node.as<ir::InSet>().members, to);
    return converted(written(to, CellType::f64), *node.type, node.type->cell_type());
}

Value Lowering::join_addresses(const ir::Node &node) {
    const Joined joined = join(node.operands, node.stage);
    const ir::NodeId operand = node.operands[0];
    const CellType cell_type = node.type->cell_type();
    if (node.type->block_cells() != type(operand).block_cells()) {
        const BlockUse from = use(operand, cell_type, joined.operands[0]);
        std::vector<CopyPart> parts;
        parts.push_back({from, CopyNest(*node.type, type(operand)), 0, 0});
        const Target to = target(node.stage, joined.index, *node.type, cell_type);
        add_step<CopyStep>(node.stage, std::move(parts), to);
        return written(to, cell_type);
    }
    Value result = converted(values_[operand], type(operand), cell_type);
    if (joined.operands[0].access == BlockAccess::mapped) {
        result.index = joined.index;
        result.map = joined.operands[0].map;
        return result;
    }
    if (joined.operands[0].access == BlockAccess::same || !joined.index) {
        return result;
    }
    // A dense operand that gets addresses: each of them has a copy.
    const BlockUse from = use(operand, cell_type, joined.operands[0]);
    std::vector<CopyPart> parts;
    parts.push_back({from, CopyNest(*node.type, type(operand)), 0, 0});
    const Target to = target(node.stage, joined.index, *node.type, cell_type);
    add_step<CopyStep>(node.stage, std::move(parts), to);
    return written(to, cell_type);
}

Value Lowering::order(const ir::Node &node) {
    const ir::NodeId operand = node.operands[0];
    const IndexedCells cells = in_order(operand, CellType::f64);
    const BlockUse from{cells.cells,
                        cells.index ? BlockAccess::same : BlockAccess::dense,
                        {},
                        node.type->block_cells() * sizeof(double)};
    const std::vector<std::string> &ranked_over = node.as<ir::Order>().dimensions;
    const auto is_ranked = [&](const std::string &name) {
        return std::find(ranked_over.begin(), ranked_over.end(), name) != ranked_over.end();
    };
    LoopNest<1> inside, outside;
    std::vector<std::uint16_t> ranked, others;
    for (const Dimension &dimension : node.type->dimensions()) {
        if (dimension.is_mapped()) {
            (is_ranked(dimension.name) ? ranked : others).push_back(label_position(*node.type, dimension.name));
        } else {
            const auto stride = static_cast<std::ptrdiff_t>(stride_of(*node.type, dimension.name));
            (is_ranked(dimension.name) ? inside : outside).add(dimension.size, {stride});
        }
    }
    const std::size_t width = node.type->mapped_count();
    MapSlot groups;
    if (!others.empty()) {
        groups = grouped(cells.index, width, std::move(others)).second;
    }
    const Target to = target(node.stage, cells.index, *node.type, CellType::f64);
    add_step<OrderStep>(node.stage, from, cells.index, width, groups, std::move(ranked), std::move(outside),
                        std::move(inside), node.as<ir::Order>().ascending, to);
    return converted(written(to, CellType::f64), *node.type, node.type->cell_type());
}

}  // namespace tenrex::plan

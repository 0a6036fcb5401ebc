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
template <std::size_t arrays, class TypeOf>
LoopNest<arrays> joined_nest(const TensorType &result, std::span<const ir::NodeId> operands, const TypeOf &type_of) {
    LoopNest<arrays> nest;
    for (const Dimension &dimension : result.dimensions()) {
        if (dimension.is_mapped()) {
            continue;
        }
        std::array<std::ptrdiff_t, arrays> strides{};
        strides[0] = static_cast<std::ptrdiff_t>(stride_of(result, dimension.name));
        for (std::size_t i = 0; i < operands.size(); ++i) {
            strides[i + 1] = static_cast<std::ptrdiff_t>(stride_of(type_of(operands[i]), dimension.name));
        }
        nest.add(dimension.size, strides);
    }
    return nest;
}

}  // namespace

bool Lowering::is_float(ir::NodeId id) const {
    const auto holds_floats = [&](ir::NodeId value) {
        const ir::Node &own = graph_[value];
        return own.type->cell_type() != CellType::f64 ||
               (own.is_number() && static_cast<double>(static_cast<float>(own.number())) == own.number());
    };
    const ir::Node &node = graph_[id];
    if (holds_floats(id)) {
        return true;
    }
    if (node.op == ir::Op::gather) {
        const std::span<const ir::NodeId> sources = node.operands.first(node.as<ir::Gather>().source_count());
        return std::all_of(sources.begin(), sources.end(), holds_floats);
    }
    if (node.op == ir::Op::row_extreme) {
        return node.as<ir::RowExtreme>().cell_type != CellType::f64;
    }
    const bool takes_a_cell = node.op == ir::Op::peek || node.op == ir::Op::cast || optimizer::is_extreme(node);
    return takes_a_cell && type(node.operands[0]).cell_type() != CellType::f64;
}

CellType Lowering::computed_in(const ir::Node &node, ScalarFunction function) const {
    if (node.type->cell_type() == CellType::f64) {
        return CellType::f64;
    }
    const bool takes_nearest = facts(function).beside_floats == BesideFloats::as_nearest;
    const bool as_floats = std::all_of(node.operands.begin(), node.operands.end(), [&](ir::NodeId operand) {
        const ir::Node &source = graph_[operand];
        return is_float(operand) || (takes_nearest && (!source.is_number() || has_nearest_float(source.number())));
    });
    return as_floats ? CellType::f32 : CellType::f64;
}

std::vector<ir::NodeId> Lowering::unknown_numbers(ir::NodeId id) const {
    std::vector<ir::NodeId> numbers;
    if (graph_[id].type->cell_type() != CellType::f64) {
        const std::span<const ir::NodeId> operands = operands_of(id);
        std::copy_if(operands.begin(), operands.end(), std::back_inserter(numbers),
                     [&](ir::NodeId operand) { return !is_float(operand) && !graph_[operand].is_number(); });
    }
    return numbers;
}

bool Lowering::is_stored_number(ir::NodeId id) const {
    return values_[id].cells && !type(id).has_mapped() && type(id).block_cells() == 1;
}

Value Lowering::elementwise(const ir::Node &node, ElementwiseOperation operation, std::span<const ir::NodeId> operands,
                            CellType cell_type) {
    const Joined joined = join(operands, node.stage);
    std::vector<BlockUse> uses;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        uses.push_back(use(operands[i], cell_type, joined.operands[i]));
    }
    LoopNest<4> nest =
        joined_nest<4>(*node.type, operands, [&](ir::NodeId id) -> const TensorType & { return type(id); });
    const Target to = target(node.stage, joined.index, *node.type, cell_type);
    const kernels::ElementwiseKernel *&kernel = elementwise_kernels_[{operation, cell_type}];
    if (kernel == nullptr) {
        kernel = kernels::choose_elementwise(operation, cell_type, isa_);
    }
    add_step<ElementwiseStep>(node.stage, kernel, std::move(uses), std::move(nest), to,
                              std::string(kernels::name(operation)));
    return converted(written(to, cell_type), *node.type, node.type->cell_type());
}

// Both roundings stay: what is saved is writing the products and reading them again.
std::optional<Lowering::AddedProduct> Lowering::product_to_add(const ir::Node &node,
                                                               const std::vector<std::uint32_t> &uses) const {
    if (!optimizer::applies(node, ScalarFunction::add)) {
        return std::nullopt;
    }
    for (const ir::NodeId operand : node.operands) {
        const ir::Node &product = graph_[operand];
        if (optimizer::applies(product, ScalarFunction::multiply) && uses[operand] == 1 &&
            product.stage == node.stage && *product.type == *node.type &&
            computed_in(product, ScalarFunction::multiply) == computed_in(node, ScalarFunction::add)) {
            const ir::NodeId other = node.operands[node.operands[0] == operand ? 1 : 0];
            return AddedProduct{operand, {product.operands[0], product.operands[1], other}};
        }
    }
    return std::nullopt;
}

Value Lowering::apply(ir::NodeId id, const ir::Node &node) {
    const ScalarFunction function = node.as<ir::Apply>().function;
    const ElementwiseOperation operation =
        products_.contains(id) ? ElementwiseOperation::multiply_add : kernels::operation_of(function);
    const std::vector<ir::NodeId> numbers = unknown_numbers(id);
    const bool widens = !numbers.empty() && !can_be_widened(id);
    const CellType cell_type = widens ? CellType::f64 : computed_in(node, function);
    if (products_.contains(id) && cell_type != node.type->cell_type()) {
        // The product is a float before it is added.
        const AddedProduct &added = products_.at(id);
        values_[added.node] = elementwise(graph_[added.node], ElementwiseOperation::multiply,
                                          std::span(added.operands).first(2), cell_type);
        return elementwise(node, ElementwiseOperation::add, std::array{added.node, added.operands[2]}, cell_type);
    }
    if (cell_type == CellType::f64 || numbers.empty()) {
        return elementwise(node, operation, operands_of(id), cell_type);
    }
    std::vector<CellsSlot> slots;
    for (const ir::NodeId number : numbers) {
        slots.push_back(values_[number].cells);
        note_use(slots.back());
    }
    values_[id] = elementwise(node, operation, operands_of(id), cell_type);
    Program &program = plan_.programs[static_cast<int>(node.stage)];
    std::unique_ptr<const Step> step = std::move(program.back());
    program.pop_back();
    step = widened(std::move(step), std::move(slots), {id}, static_cast<std::uint32_t>(chains_.size()));
    program.push_back(std::move(step));
    return values_[id];
}

Value Lowering::select(const ir::Node &node) {
    // The kernel takes the condition last, and in the cell type of the others.
    const CellType cell_type = node.type->cell_type() == CellType::f64 ? CellType::f64 : CellType::f32;
    const ir::NodeId operands[] = {node.operands[1], node.operands[2], node.operands[0]};
    const Value condition = values_[node.operands[0]];
    const bool narrowed = cell_type == CellType::f32 && condition.cell_type == CellType::f64;
    return elementwise(node, ElementwiseOperation::select, operands, narrowed ? CellType::f64 : cell_type);
}

Value Lowering::user(const ir::Node &node) {
    const Joined joined = join(node.operands, node.stage);
    std::vector<BlockUse> uses;
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
        uses.push_back(use(node.operands[i], CellType::f64, joined.operands[i]));
    }
    auto nest = joined_nest<1 + UserStep::most_operands>(*node.type, node.operands,
                                                         [&](ir::NodeId id) -> const TensorType & { return type(id); });
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

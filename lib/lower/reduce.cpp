// Aggregates.
#include "lib/lower/reduce.h"

#include "lib/kernels/reduce/reduce_kernels.h"
#include "lib/lower/operations.h"
#include "lib/lower/permuted.h"
#include "lib/program/dense/column_totals.h"
#include "lib/program/dense/document_steps.h"
#include "lib/program/dense/reduce_columns_step.h"
#include "lib/program/dense/reduce_step.h"
#include "lib/types/block_layout.h"
#include "lib/types/derived_type.h"

namespace tenrex::lower {

using namespace program;

namespace {

// Floats that are added from the first to the last. The bound of docs/numerics.md allows so many.
constexpr std::size_t most_added_one_by_one = 256;

// All cells of a document to one number.
Value reduce_documents(Context &context, const ir::Node &node, const Aggregation &aggregation, Value &operand,
                       const TensorType &from) {
    const Aggregator aggregator = aggregation.aggregator;
    const bool in_float = aggregation.in_float;
    const std::optional<kernels::ReduceOperation> operation = row_operation(aggregator, in_float);
    const std::size_t length = from.block_cells();
    const kernels::ReduceKernel *const kernel =
        operation ? kernels::choose_reduce(*operation, operand.cell_type, typical_blocks * length, context.isa())
                  : nullptr;
    const IndexedCells cells =
        kernel != nullptr ? context.in_order(operand, from, kernel->type) : IndexedCells{operand.index, CellsSlot()};
    const Target to = context.target(node.stage, IndexSlot(), *node.type, CellType::f64);
    context.add_step<ReduceDocumentsStep>(node.stage, cells, length, aggregator, kernel, to.cells);
    return context.written(to, CellType::f64);
}

CellType computed_type(const TensorType &type) {
    return type.cell_type() == CellType::f64 ? CellType::f64 : CellType::f32;
}

// Cells that lie side by side, as many as the type `to` leaves out of each block. Its cell type is that of the result.
Value reduce_rows(Context &context, Stage stage, const Aggregation &aggregation, Value &operand, const TensorType &from,
                  const TensorType &to) {
    const Aggregator aggregator = aggregation.aggregator;
    const bool in_float = aggregation.in_float;
    const std::size_t length = from.block_cells() / to.block_cells();
    const kernels::ReduceKernel *const kernel =
        kernels::choose_reduce(*row_operation(aggregator, in_float), operand.cell_type, length, context.isa());
    const IndexedCells cells = context.in_order(operand, from, kernel->type);
    const BlockUse rows{cells.cells,
                        cells.index ? BlockAccess::same : BlockAccess::dense,
                        {},
                        from.block_cells() * byte_size(kernel->type)};
    const CellType result_type = computed_type(to);
    const Target target = context.target(stage, cells.index, to, result_type);
    context.add_step<ReduceRowsStep>(stage, rows, to.block_cells(), length, aggregator, kernel, result_type, target);
    return context.converted(context.written(target, result_type), to, to.cell_type());
}

// The type, with cells of double, without the dimensions behind the last one that `kept` has too.
TensorType without_last(const TensorType &type, const TensorType &kept) {
    std::vector<Dimension> dimensions = type.dimensions();
    std::size_t behind = dimensions.size();
    const auto goes_on = [&](const Dimension &dimension) {
        return dimension.is_mapped() || dimension.is_trivial() || !kept.find(dimension.name);
    };
    while (behind > 0 && goes_on(dimensions[behind - 1])) {
        --behind;
        if (dimensions[behind].is_indexed() && !kept.find(dimensions[behind].name)) {
            dimensions.erase(dimensions.begin() + static_cast<std::ptrdiff_t>(behind));
        }
    }
    return known_type(CellType::f64, std::move(dimensions));
}

// The cells of a block in the order of the dimensions that stay and behind them those that go.
Value gone_last(Context &context, Value &operand, const TensorType &from, const TensorType &kept) {
    std::vector<std::string> order;
    for (const bool stays : {true, false}) {
        for (const Dimension &dimension : from.dimensions()) {
            if (dimension.is_indexed() && kept.find(dimension.name).has_value() == stays) {
                order.push_back(dimension.name);
            }
        }
    }
    const IndexedCells cells = context.in_order(operand, from, decay(operand.cell_type));
    return permuted(context, {cells.index, cells.cells, decay(operand.cell_type), {}, cells.index}, from, order);
}

}  // namespace

Value reduce_value(Context &context, const ir::Node &node, const Aggregation &aggregation, Value &operand,
                   const TensorType &from) {
    const Aggregator aggregator = aggregation.aggregator;
    const bool in_float = aggregation.in_float;
    const CellType result_type = computed_type(*node.type);
    const bool reduces_mapped = from.mapped_count() != node.type->mapped_count();
    const bool is_median = aggregator == Aggregator::median;

    if (reduces_mapped && node.type->is_scalar()) {
        return reduce_documents(context, node, aggregation, operand, from);
    }
    if (row_operation(aggregator, in_float)) {
        if (row_length(from, *node.type)) {
            return reduce_rows(context, node.stage, aggregation, operand, from, *node.type);
        }
        if (is_median && !reduces_mapped) {
            Value rows = gone_last(context, operand, from, *node.type);
            return reduce_rows(context, node.stage, aggregation, rows, from, *node.type);
        }
        // The last dimensions first, by rows: then what is left lies side by side. An average is divided once.
        const bool is_average = aggregator == Aggregator::avg;
        const TensorType type_of_rows = without_last(from, *node.type);
        const std::size_t length = from.block_cells() / type_of_rows.block_cells();
        if (!is_median && length != 1 && (!is_average || node.type->block_cells() != 1)) {
            const Aggregation of_rows{is_average ? Aggregator::sum : aggregator, in_float};
            Value rows = reduce_rows(context, node.stage, of_rows, operand, from, type_of_rows);
            return reduce_value(context, node, {aggregator, false, length}, rows, type_of_rows);
        }
    }

    ReduceShape shape;
    for (const Dimension &dimension : from.dimensions()) {
        if (dimension.is_indexed()) {
            shape.nest.add(dimension.size, {static_cast<std::ptrdiff_t>(stride_of(*node.type, dimension.name)),
                                            static_cast<std::ptrdiff_t>(stride_of(from, dimension.name))});
        }
    }
    const bool adds_few = !reduces_mapped && from.block_cells() <= most_added_one_by_one * node.type->block_cells();
    const std::optional<kernels::ReduceOperation> operation = row_operation(aggregator, in_float && adds_few);
    const kernels::ReduceKernel *const by_columns =
        operation && !is_median && ColumnNest::fits(shape.nest)
            // A call takes all rows: what the first cell of each costs has no say.
            ? kernels::choose_reduce(*operation, operand.cell_type,
                                     (reduces_mapped ? typical_blocks : 1) * from.block_cells(), context.isa())
            : nullptr;
    shape.operand_type = by_columns != nullptr ? by_columns->type : decay(operand.cell_type);
    const IndexedCells cells = context.in_order(operand, from, shape.operand_type);
    shape.operand_index = cells.index;
    shape.operand = cells.cells;
    shape.operand_cells = from.block_cells();
    shape.target_type = result_type;
    shape.target_cells = node.type->block_cells();
    shape.cells_each = aggregation.cells_each;
    IndexSlot index = reduces_mapped ? IndexSlot() : cells.index;
    if (reduces_mapped && node.type->has_mapped()) {
        std::vector<std::uint16_t> kept;
        for (const std::string &name : mapped_names(*node.type)) {
            kept.push_back(label_position(from, name));
        }
        const auto &[group_index, groups] =
            context.addresses().grouped(cells.index, from.mapped_count(), std::move(kept));
        index = group_index;
        shape.groups = groups;
    }
    shape.target = context.target(node.stage, index, *node.type, result_type);
    const Target to = shape.target;
    if (by_columns != nullptr) {
        context.add_step<ReduceColumnsStep>(node.stage, std::move(shape), aggregator, by_columns);
    } else {
        const kernels::ReduceKernel *const median =
            is_median ? kernels::choose_reduce(kernels::ReduceOperation::median, CellType::f64, shape.operand_cells,
                                               context.isa())
                      : nullptr;
        context.add_step<ReduceStep>(node.stage, std::move(shape), aggregator, median);
    }
    return context.converted(context.written(to, result_type), *node.type, node.type->cell_type());
}

Value lower_reduce(Context &context, const ir::Node &node) {
    const ir::NodeId operand = node.operands[0];
    const bool in_float =
        context.value(operand).cell_type == CellType::f32 && context.precision().adds_in_float(operand);
    const Aggregation aggregation{node.as<ir::Reduce>().aggregator, in_float};
    return reduce_value(context, node, aggregation, context.value(operand), context.type(operand));
}

}  // namespace tenrex::lower

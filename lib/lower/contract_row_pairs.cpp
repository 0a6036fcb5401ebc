// Contractions by kernels over pairs of rows.
#include "lib/lower/contract_row_pairs.h"

#include <array>

#include "lib/ir/contraction.h"
#include "lib/kernels/row_pairs/row_pairs_kernels.h"
#include "lib/lower/context.h"
#include "lib/lower/packed_bits.h"
#include "lib/lower/permuted.h"
#include "lib/program/layout.h"
#include "lib/program/library/batched_row_pair_step.h"
#include "lib/program/library/row_pair_step.h"
#include "lib/types/block_layout.h"

namespace tenrex::lower {

using namespace program;

namespace {

using kernels::RowPairOperation;

RowPairOperation row_pair_operation(const ir::ContractionTerms &terms) {
    const auto &[function, after, aggregator] = terms;
    const bool largest = aggregator == Aggregator::max;
    if (aggregator != Aggregator::sum) {
        if (function == ScalarFunction::multiply) {
            return largest ? RowPairOperation::largest_product : RowPairOperation::smallest_product;
        }
        if (after) {
            return largest ? RowPairOperation::largest_distance : RowPairOperation::smallest_distance;
        }
        return largest ? RowPairOperation::largest_difference : RowPairOperation::smallest_difference;
    }
    switch (function) {
        case ScalarFunction::hamming:
            return RowPairOperation::hamming;
        case ScalarFunction::less:
            return RowPairOperation::count_less;
        case ScalarFunction::less_equal:
            return RowPairOperation::count_less_equal;
        case ScalarFunction::equal:
            return RowPairOperation::count_equal;
        case ScalarFunction::multiply:
            return RowPairOperation::dot;
        default:
            return after == ScalarFunction::square ? RowPairOperation::squared_distance
                                                   : RowPairOperation::absolute_distance;
    }
}

}  // namespace

Value in_rows(Context &context, const Value &value, const TensorType &type, const std::vector<std::string> &rows,
              const std::vector<std::string> &summed) {
    return permuted(context, value, type, nontrivial(type, {rows, summed}));
}

RowPairOperands row_pair_operands(Context &context, const ir::Contraction &contraction) {
    const auto &[a, b, terms, summed, out] = contraction;
    const RowPairOperation operation = row_pair_operation(terms);
    const auto dimensions = *ir::contraction_dimensions(context.type(a), context.type(b), summed);
    const std::size_t length = cells_of(context.type(a), dimensions.indexed.summed);
    RowPairOperands result{a, b, {}, {}, length, {}};
    if (operation == RowPairOperation::dot) {
        for (const bool swapped : {false, true}) {
            const ir::NodeId bits = swapped ? result.a : result.b;
            const ir::NodeId other = swapped ? result.b : result.a;
            if (const std::optional<ir::NodeId> packed = bits_read_in_place(context, bits)) {
                result.a = other;
                result.b = *packed;
                result.a_type = CellType::f32;
                result.b_type = CellType::i8;
                result.length /= 8;
                const auto bits_operation = context.graph()[bits].as<ir::UnpackBits>().lowest_first
                                                ? RowPairOperation::dot_bits_little
                                                : RowPairOperation::dot_bits_big;
                result.choice =
                    choose_row_pairs(bits_operation, CellType::f32, CellType::i8, result.length, context.isa());
                return result;
            }
        }
    }
    const auto read_as = [&](ir::NodeId node_id, ir::NodeId other) {
        const CellType own = context.value(node_id).cell_type;
        if (operation == RowPairOperation::hamming) {
            return CellType::i8;
        }
        // What the documents share is widened once.
        const bool of_bytes = own == CellType::i8 && context.value(other).cell_type == CellType::i8;
        const bool small = own != decay(own) && !of_bytes;
        return small && context.stage(node_id) != Stage::document ? CellType::f32 : own;
    };
    const auto chosen = kernels::choose_converted_row_pairs(operation, read_as(result.a, result.b),
                                                            read_as(result.b, result.a), result.length, context.isa());
    result.a_type = chosen.a;
    result.b_type = chosen.b;
    result.choice = chosen.choice;
    return result;
}

Value contract_dots(Context &context, const ir::Node &node) {
    const RowPairOperands pairs = row_pair_operands(context, ir::contraction_of(node));
    const ir::NodeId both[] = {pairs.a, pairs.b};
    const Joined joined = context.addresses().join(both, node.stage);
    const BlockUse a = context.use(pairs.a, pairs.a_type, joined.operands[0]);
    const BlockUse b = context.use(pairs.b, pairs.b_type, joined.operands[1]);
    const bool widens = !joined.index && node.type->cell_type() == CellType::f64;
    const CellType out = widens ? CellType::f64 : pairs.choice.kernel->out;
    const Target to = context.target(node.stage, joined.index, *node.type, out);
    context.add_step<RowPairStep>(node.stage, a, b, pairs.length, pairs.choice, to);
    return context.converted(context.written(to, out), *node.type, node.type->cell_type());
}

// Pairs of rows: those of a batch one by one, all others each with each.
Value contract_rows(Context &context, const ir::Node &node) {
    const RowPairOperands pairs = row_pair_operands(context, ir::contraction_of(node));
    const ir::NodeId both[] = {pairs.a, pairs.b};
    const CellType types[] = {pairs.a_type, pairs.b_type};
    const auto dimensions =
        *ir::contraction_dimensions(context.type(pairs.a), context.type(pairs.b), node.as<ir::Contract>().dimensions);
    const std::vector<std::string> &summed = dimensions.indexed.summed;
    const Joined joined = context.addresses().join(both, node.stage);
    std::vector<std::string> kept[2];  // in the order of the result's cells
    for (const Dimension &dimension : node.type->dimensions()) {
        for (std::size_t i = 0; i < 2; ++i) {
            if (dimension.is_indexed() && context.type(both[i]).find(dimension.name)) {
                kept[i].push_back(dimension.name);
            }
        }
    }
    BlockUse uses[2];
    std::size_t rest[2], row_bytes[2];
    Value rows[2];
    const bool with_itself = both[0] == both[1] && types[0] == types[1];  // as for a length
    for (std::size_t i = 0; i < 2; ++i) {
        const TensorType &own = context.type(both[i]);
        rows[i] = i == 1 && with_itself ? rows[0]
                                        : in_rows(context, context.converted(context.value(both[i]), own, types[i]),
                                                  own, kept[i], summed);
        context.note_use(rows[i].cells);
        uses[i] = {rows[i].cells, joined.operands[i].access, joined.operands[i].map,
                   own.block_cells() * byte_size(types[i])};
        row_bytes[i] = cells_of(own, summed) * byte_size(types[i]);
        rest[i] = cells_of(own, kept[i]);
    }
    LoopNest<3> nest;
    for (const Dimension &dimension : node.type->dimensions()) {
        if (dimension.is_mapped()) {
            continue;
        }
        std::array<std::ptrdiff_t, 3> strides = {static_cast<std::ptrdiff_t>(stride_of(*node.type, dimension.name))};
        for (std::size_t i = 0; i < 2; ++i) {
            if (context.type(both[i]).find(dimension.name)) {
                rest[i] /= dimension.size;
                strides[i + 1] = static_cast<std::ptrdiff_t>(rest[i]);
            }
        }
        nest.add(dimension.size, strides);
    }
    const CellType out = pairs.choice.kernel->out;
    const Target to = context.target(node.stage, joined.index, *node.type, out);
    context.add_step<BatchedRowPairStep>(node.stage, uses[0], row_bytes[0], uses[1], row_bytes[1], std::move(nest),
                                         pairs.length, pairs.choice, to);
    return context.converted(context.written(to, out), *node.type, node.type->cell_type());
}

}  // namespace tenrex::lower

// A region becomes code that goes from tile to tile.
#include <algorithm>

#include "lib/kernels/convert/convert_kernels.h"
#include "lib/kernels/elementwise/elementwise_kernels.h"
#include "lib/kernels/tile/tile_kernels.h"
#include "lib/lower/elementwise.h"
#include "lib/lower/operations.h"
#include "lib/lower/region_maker.h"
#include "lib/program/dense/float_parts.h"
#include "lib/program/dense/reduce_step.h"
#include "lib/program/dense/region_code.h"
#include "lib/program/dense/region_step.h"
#include "lib/program/dense/widening_step.h"
#include "lib/support/float_range.h"
#include "lib/support/function_facts.h"
#include "lib/types/block_layout.h"
#include "optimizer/cell_precision.h"

namespace tenrex::lower {

using namespace program;

namespace {

using kernels::ElementwiseOperation;

// Whether the cells of the only result are computed to be reduced.
bool is_reduced(const ir::Graph &body) {
    return body[body.outputs().front().node].op == ir::Op::reduce;
}

// The operation cell by cell that a result is, or is reduced from.
ir::NodeId computed_result(const ir::Graph &body, const ir::GraphOutput &output) {
    const ir::Node &node = body[output.node];
    return node.op == ir::Op::reduce ? node.operands[0] : output.node;
}

// The value of a node that another step makes, as it is stored.
std::uint32_t region_input(Context &context, RegionMaker &maker, ir::NodeId operand, CellType cell_type) {
    const ir::NodeId node = maker.outside(operand);
    if (context.type(node).has_mapped()) {
        context.in_order(node, context.value(node).cell_type);  // context.value(node) lies so from then on
        maker.code.index = context.value(node).index;
        maker.code.index_of_shared = context.addresses().is_of_shared(maker.code.index);
    }
    Value value = context.value(node);
    const bool is_earlier = value.cells.stage != maker.stage;
    RegionValue input;
    input.period = context.type(node).block_cells();
    input.nest = nest_of(maker.cells, context.type(node));
    input.kind = maker.kind_of_input(context.type(node), input.nest, is_earlier);
    input.is_of_blocks = context.type(node).has_mapped();
    const bool is_stored = value.cell_type != CellType::f32 && value.cell_type != CellType::f64;
    if (is_earlier || (is_stored && input.kind != RegionValueKind::cells)) {
        // Once, by the program that makes it.
        value = context.converted(value, context.type(node), cell_type);
    } else if (is_stored) {
        input.kind = RegionValueKind::converted;
        input.conversion = kernels::choose_conversion(kernels::ConversionOperation::convert, value.cell_type, cell_type,
                                                      maker.code.cells, context.isa());
    }
    context.note_use(value.cells);
    if (input.kind == RegionValueKind::broadcast_document && value.cell_type == CellType::f64 &&
        cell_type == CellType::f32) {
        input.part = BroadcastPart::nearest_float;
    }
    const bool changes = input.kind == RegionValueKind::converted || input.part != BroadcastPart::all;
    input.type = changes ? cell_type : value.cell_type;
    input.from = value.cells;
    input.is_placed = input.kind == RegionValueKind::cells && maker.code.cells == 1 && !maker.has_addresses() &&
                      context.is_document_input(value.cells) && context.place(value.cells);
    return maker.code.add(input);
}

CellType stored_type(const Context &context, const RegionMaker &maker, ir::NodeId node) {
    return maker.is_operand(node) ? context.value(maker.outside(node)).cell_type : maker.type(node).cell_type();
}

std::uint32_t region_operand(Context &context, RegionMaker &maker, ir::NodeId node, CellType cell_type) {
    const ir::Node &source = maker.body[node];
    if (source.is_number()) {
        return maker.constant(source.number(), cell_type);
    }
    if (const std::optional<std::uint32_t> known = maker.known(node, cell_type)) {
        return *known;
    }
    const CellType made = stored_type(context, maker, node);
    const std::optional<std::uint32_t> stored = maker.known(node, made);
    // What an earlier program widens it would keep twice, only for numbers that hardly ever come.
    const bool widens_here = maker.widens_for_numbers && made != CellType::f64;
    const std::uint32_t value =
        stored ? *stored : region_input(context, maker, node, widens_here ? CellType::f32 : cell_type);
    const std::uint32_t result = maker.in_type(value, cell_type);
    if (!stored) {
        maker.note(node, maker.code.values[value].type, value);
    }
    if (result != value) {
        maker.note(node, cell_type, result);
    }
    return result;
}

bool is_stored_number(const RegionMaker &maker, ir::NodeId node) {
    return maker.is_operand(node) && !maker.type(node).has_mapped() && maker.type(node).block_cells() == 1;
}

// The number in a sum or difference of float cells and a double.
std::optional<ir::NodeId> number_in_two_parts(const Context &context, const RegionMaker &maker, ir::NodeId id) {
    const ir::Node &node = maker.body[id];
    if (node.op != ir::Op::apply || facts(node.as<ir::Apply>().function).beside_floats != BesideFloats::as_sum ||
        maker.precision.computed_in(node) == node.type->cell_type() ||
        (maker.code.cells == 1 && !maker.has_addresses())) {
        return std::nullopt;
    }
    for (const std::size_t i : {0, 1}) {
        const ir::NodeId number = node.operands[i];
        const bool has_parts = maker.body[number].is_number()
                                   ? has_nearest_float(maker.body[number].number())
                                   : is_stored_number(maker, number) &&
                                         stored_type(context, maker, number) == CellType::f64 &&
                                         !maker.widens_for_numbers;
        if (maker.precision.is_float(node.operands[1 - i]) && has_parts) {
            return number;
        }
    }
    return std::nullopt;
}

std::uint32_t sum_in_two_parts(Context &context, RegionMaker &maker, const ir::Node &node, ir::NodeId number) {
    const bool subtracts = node.as<ir::Apply>().function == ScalarFunction::subtract;
    const bool is_subtracted = subtracts && node.operands[1] == number;
    const std::uint32_t key = 2 * number + (is_subtracted ? 1 : 0);
    std::uint32_t rest = 0;
    if (maker.body[number].is_number()) {
        const double value = maker.body[number].number();
        rest = maker.constant(rest_of(is_subtracted ? -value : value), CellType::f32);
    } else if (const std::optional<std::uint32_t> known = maker.rests.find(key)) {
        rest = *known;
    } else {
        RegionValue input;
        input.kind = RegionValueKind::broadcast_document;
        input.type = CellType::f32;
        input.from = context.value(maker.outside(number)).cells;
        input.part = is_subtracted ? BroadcastPart::negative_rest : BroadcastPart::rest;
        context.note_use(input.from);
        rest = maker.code.add(input);
        maker.rests.add(key, rest);
    }
    const auto compute = [&](ElementwiseOperation operation, std::uint32_t a, std::uint32_t b) {
        return maker.compute(RegionOperationKind::elementwise, operation, CellType::f32, {a, b});
    };
    const std::uint32_t a = region_operand(context, maker, node.operands[0], CellType::f32);
    const std::uint32_t b = region_operand(context, maker, node.operands[1], CellType::f32);
    const std::uint32_t with_nearest =
        compute(subtracts ? ElementwiseOperation::subtract : ElementwiseOperation::add, a, b);
    return compute(ElementwiseOperation::add, with_nearest, rest);
}

// Whether the doubles that only run time knows may be read as floats; if so they are looked at before the step runs.
bool read_as_floats(Context &context, RegionMaker &maker, const ir::Node &node) {
    const std::vector<ir::NodeId> numbers = maker.precision.unknown_numbers(node);
    const bool is_single_cell = maker.code.cells == 1 && !maker.has_addresses();
    const bool are_stored =
        std::all_of(numbers.begin(), numbers.end(), [&](ir::NodeId number) { return is_stored_number(maker, number); });
    if (!numbers.empty() && (is_single_cell || maker.widens_for_numbers || !are_stored)) {
        return false;
    }
    for (const ir::NodeId number : numbers) {
        maker.numbers.insert(context.value(maker.outside(number)).cells);
    }
    return true;
}

CellType computed_in(Context &context, RegionMaker &maker, const ir::Node &node) {
    const bool in_float = maker.precision.computed_in(node) == CellType::f32 && read_as_floats(context, maker, node);
    return in_float ? CellType::f32 : CellType::f64;
}

// Lists the node's operations; the value of its result.
std::uint32_t region_node(Context &context, RegionMaker &maker, ir::NodeId id) {
    const ir::Node &node = maker.body[id];
    const CellType cell_type = node.type->cell_type();
    const auto elementwise = [&](ElementwiseOperation operation, std::span<const ir::NodeId> operands, CellType in) {
        std::vector<std::uint32_t> values;
        values.reserve(operands.size());
        for (const ir::NodeId operand : operands) {
            values.push_back(region_operand(context, maker, operand, in));
        }
        return maker.compute(RegionOperationKind::elementwise, operation, in, std::move(values));
    };
    switch (node.op) {
        case ir::Op::apply: {
            maker.code.flops += facts(node.as<ir::Apply>().function).operations * static_cast<double>(maker.code.cells);
            if (const std::optional<ir::NodeId> in_two_parts = number_in_two_parts(context, maker, id)) {
                read_as_floats(context, maker, node);
                return sum_in_two_parts(context, maker, node, *in_two_parts);
            }
            return elementwise(kernels::operation_of(node.as<ir::Apply>().function), node.operands,
                               computed_in(context, maker, node));
        }
        case ir::Op::multiply_add: {
            maker.code.flops += 2 * static_cast<double>(maker.code.cells);
            const CellType computed_as = computed_in(context, maker, node);
            if (computed_as == cell_type) {
                return elementwise(ElementwiseOperation::multiply_add, node.operands, computed_as);
            }
            // The product is a float before it is added.
            const std::uint32_t product =
                elementwise(ElementwiseOperation::multiply, node.operands.first(2), computed_as);
            const std::uint32_t rounded = maker.in_type(maker.in_type(product, cell_type), computed_as);
            const std::uint32_t other = region_operand(context, maker, node.operands[2], computed_as);
            return maker.compute(RegionOperationKind::elementwise, ElementwiseOperation::add, computed_as,
                                 {rounded, other});
        }
        case ir::Op::select: {
            // The kernel takes the condition last, and in the cell type of the others.
            maker.code.flops += static_cast<double>(maker.code.cells);
            const ir::NodeId condition = node.operands[0];
            const ir::NodeId operands[] = {node.operands[1], node.operands[2], condition};
            return elementwise(ElementwiseOperation::select, operands,
                               stored_type(context, maker, condition) == CellType::f64 ? CellType::f64 : cell_type);
        }
        case ir::Op::in_set: {
            maker.code.flops += static_cast<double>(maker.code.cells * node.as<ir::InSet>().members.size());
            std::vector<std::uint32_t> values = {region_operand(context, maker, node.operands[0], CellType::f64)};
            for (const double member : node.as<ir::InSet>().members) {
                // One after the other, so not among those that are shared.
                RegionValue value;
                value.kind = RegionValueKind::constant;
                value.number = member;
                values.push_back(maker.code.add(value));
            }
            return maker.compute(RegionOperationKind::in_set, ElementwiseOperation::copy, CellType::f64,
                                 std::move(values));
        }
        default: {  // a cast
            maker.code.flops += static_cast<double>(maker.code.cells);
            return region_operand(context, maker, node.operands[0], cell_type);
        }
    }
}

void list_operations(Context &context, RegionMaker &maker) {
    const ir::Graph &body = maker.body;
    maker.code.cells = maker.cells.block_cells();
    maker.value_of.resize(body.size());
    std::vector<bool> is_result(body.size());
    for (const ir::GraphOutput &output : body.outputs()) {
        is_result[computed_result(body, output)] = true;
    }
    for (ir::NodeId id = 0; id < body.size(); ++id) {
        if (maker.is_operand(id) || body[id].op == ir::Op::constant || body[id].op == ir::Op::reduce) {
            continue;
        }
        const CellType cell_type = maker.type(id).cell_type();
        std::uint32_t result = maker.in_type(region_node(context, maker, id), cell_type);
        // A cast may have given the value of another node, which is elsewhere.
        if (is_result[id] && body[id].op == ir::Op::cast && !maker.has_just_made(result)) {
            result = maker.compute(RegionOperationKind::elementwise, ElementwiseOperation::copy, cell_type, {result});
        }
        maker.value_of[id] = result;
        maker.note(id, cell_type, result);
    }
}

RegionReduction reduction_of(Context &context, const RegionMaker &maker, const Value &result) {
    const ir::Node &node = maker.body[maker.body.outputs().front().node];
    const ir::NodeId reduced = node.operands[0];
    const Aggregator aggregator = node.as<ir::Reduce>().aggregator;
    const bool in_float = context.precision().adds_in_float(maker.region, reduced);
    const CellType type = maker.type(reduced).cell_type();
    const std::size_t length = row_length(maker.cells, *node.type).value();
    return {maker.value_of[reduced],
            length,
            aggregator,
            kernels::choose_reduce(*row_operation(aggregator, in_float), type, length, context.isa()),
            result.cells,
            result.cell_type};
}

// results: where the values of the region's results are.
std::unique_ptr<RegionStep> region_step(Context &context, RegionMaker &maker, const std::vector<Value> &results,
                                        std::size_t documents) {
    if (is_reduced(maker.body)) {
        maker.code.reduction = reduction_of(context, maker, results.front());
    } else {
        for (std::size_t i = 0; i < results.size(); ++i) {
            maker.code.values[maker.value_of[maker.body.outputs()[i].node]].to = results[i].cells;
        }
    }
    merge_choices(maker.code);
    merge_sums(maker.code);
    StoreShape &shape = context.shape(maker.stage);
    auto step = std::make_unique<RegionStep>(std::move(maker.code), kernels::choose_tiles(context.isa()), shape.tiles++,
                                             documents);
    shape.tile_bytes += step->memory_bytes();
    return step;
}

}  // namespace

Value lower_region(Context &context, const ir::Node &node) {
    const ir::Graph &body = *node.as<ir::Region>().body;
    std::vector<bool> float_inputs;
    float_inputs.reserve(node.operands.size());
    for (const ir::NodeId operand : node.operands) {
        float_inputs.push_back(context.precision().is_float(operand));
    }
    const optimizer::CellPrecision precision(body, std::move(float_inputs));
    const TensorType &cells = *body[computed_result(body, body.outputs().front())].type;
    RegionMaker maker{node, body, cells, precision, node.stage, false};
    list_operations(context, maker);
    std::vector<Value> &results = context.region_results(node);
    for (const ir::GraphOutput &output : body.outputs()) {
        const TensorType &type = *body[output.node].type;
        results.push_back(
            context.written(context.target(maker.stage, maker.code.index, type, type.cell_type()), type.cell_type()));
    }
    auto step = region_step(context, maker, results, maker.stage == Stage::document ? most_documents : 1);
    for (const Placement &placement : step->placements()) {
        context.plan().placements.push_back(placement);
    }
    std::unique_ptr<const Step> whole = std::move(step);
    if (!maker.numbers.empty()) {
        // The same in double, for documents whose numbers have no nearest floats.
        RegionMaker in_double{node, body, cells, precision, node.stage, true};
        list_operations(context, in_double);
        whole = std::make_unique<WideningStep>(std::move(whole), region_step(context, in_double, results, 1),
                                               std::vector<CellsSlot>(maker.numbers.begin(), maker.numbers.end()));
    }
    context.plan().programs[static_cast<int>(maker.stage)].push_back(std::move(whole));
    return results.front();
}

Value lower_region_result(Context &context, const ir::Node &node) {
    return context.region_results(context.graph()[node.operands[0]])[node.as<ir::RegionResult>().index];
}

}  // namespace tenrex::lower

// What is known of a region while its code is written.
#pragma once

#include <bit>
#include <iterator>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "lib/ir/graph.h"
#include "lib/program/dense/region_code.h"
#include "lib/support/id_map.h"
#include "optimizer/cell_precision.h"

namespace tenrex::lower {

// More cells are not written out over and over.
inline constexpr std::size_t most_repeated = 1024;

// What is known of a region while its operations are listed. Nodes are those of the body.
struct RegionMaker {
    const ir::Node &region;
    const ir::Graph &body;
    const TensorType &cells;  // that are computed, and perhaps reduced then
    const optimizer::CellPrecision &precision;
    Stage stage;
    bool widens_for_numbers;  // those that only run time knows
    program::RegionCode code = {};
    IdMap of_node = {};                         // values, by node and cell type
    IdMap of_constant = {};                     // values, by number
    IdMap rests = {};                           // values, by node and sign
    std::vector<std::uint32_t> value_of = {};   // by node: of the operations
    std::set<program::CellsSlot> numbers = {};  // doubles that are read as floats and that only run time knows

    const TensorType &type(ir::NodeId node) const { return *body[node].type; }
    bool has_addresses() const { return cells.has_mapped(); }
    bool is_operand(ir::NodeId node) const { return body[node].op == ir::Op::input; }
    // Of an operand: the node in the graph of the region.
    ir::NodeId outside(ir::NodeId node) const { return region.operands[body[node].as<ir::Input>().index]; }

    std::optional<std::uint32_t> known(ir::NodeId node, CellType type) const { return of_node.find(key(node, type)); }
    void note(ir::NodeId node, CellType type, std::uint32_t value) { of_node.add(key(node, type), value); }

    program::RegionValueKind kind_of_input(const TensorType &type, const program::LoopNest<1> &nest,
                                           bool is_earlier) const {
        const std::size_t own = type.block_cells();
        const bool is_short = code.cells <= program::short_block;
        if (type.has_mapped() || (own == 1 && code.cells == 1 && !has_addresses() && !is_earlier)) {
            return own == code.cells ? program::RegionValueKind::cells : program::RegionValueKind::strided;
        }
        if (own == 1) {
            return is_earlier || (!has_addresses() && !is_short) ? program::RegionValueKind::broadcast_number
                                                                 : program::RegionValueKind::broadcast_document;
        }
        const bool is_row = nest.run().strides[0] == 1 && nest.run().size == own && own <= most_repeated;
        if (is_earlier && is_row && (has_addresses() || is_short || own != code.cells)) {
            return program::RegionValueKind::broadcast_row;
        }
        return own == code.cells && !has_addresses() ? program::RegionValueKind::cells
                                                     : program::RegionValueKind::strided;
    }

    std::uint32_t compute(program::RegionOperationKind kind, kernels::ElementwiseOperation elementwise, CellType type,
                          std::vector<std::uint32_t> operands) {
        program::RegionValue value;
        value.type = type;
        value.one_for_all = kind == program::RegionOperationKind::convert && is_one_for_all(operands[0]);
        const std::uint32_t result = code.add(value);
        code.operations.push_back({kind, elementwise, {}, result, std::move(operands)});
        return result;
    }
    std::uint32_t in_type(std::uint32_t value, CellType type) {
        return code.values[value].type == type
                   ? value
                   : compute(program::RegionOperationKind::convert, kernels::ElementwiseOperation::copy, type, {value});
    }
    bool has_just_made(std::uint32_t value) const {
        return !code.operations.empty() && code.operations.back().result == value && !is_one_for_all(value);
    }
    bool is_one_for_all(std::uint32_t value) const {
        return code.values[value].kind == program::RegionValueKind::broadcast_number || code.values[value].one_for_all;
    }
    std::uint32_t constant(double number, CellType type) {
        const auto bits = std::bit_cast<std::uint64_t>(number);
        const auto is_it = [&](std::uint32_t value) {
            return std::bit_cast<std::uint64_t>(code.values[value].number) == bits && code.values[value].type == type;
        };
        if (const std::optional<std::uint32_t> known = of_constant.find(folded(bits), is_it)) {
            return *known;
        }
        program::RegionValue value;
        value.kind = program::RegionValueKind::constant;
        value.type = type;
        value.number = number;
        const std::uint32_t added = code.add(value);
        of_constant.add(folded(bits), added);
        return added;
    }

private:
    static std::uint32_t key(ir::NodeId node, CellType type) {
        return node * static_cast<std::uint32_t>(std::size(all_cell_types)) + static_cast<std::uint32_t>(type);
    }
};

}  // namespace tenrex::lower

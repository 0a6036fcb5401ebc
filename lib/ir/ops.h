// What the table of operations, ops.def, says of each.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tenrex::ir {

enum class Op : std::uint8_t {
#define TENREX_OP(id, name, least, most, payload, traits, summary) id,
#include "lib/ir/ops.def"
};
std::string_view name(Op op) noexcept;
std::optional<Op> op_from_name(std::string_view name) noexcept;

// How many operands an operation takes.
struct OperandCounts {
    std::size_t least, most;
};
OperandCounts operand_counts(Op op) noexcept;

// What passes ask of operations, whatever their operands and payloads. A trait that is missing costs an optimization, a
// wrong one gives wrong results.
enum class Trait : std::uint8_t {
    joins = 1,           // the result has the addresses and dimensions of the natural join of the operands
    cell_by_cell = 2,    // each cell is made of the cells of the operands at its place
    keeps_cells = 4,     // each cell is a cell of the first operand, in the same cell type
    keeps_blocks = 8,    // the result has a block for each block of the operand, at the same address, and no others
    ignores_names = 16,  // the same under other names of dimensions; ranks and packed cells follow the order of names
    // If all operands that have addresses have those of the result, each block is made of the blocks at its address.
    block_by_block = 32,
};
bool has_trait(Op op, Trait trait) noexcept;

// A set of operations.
using OpSet = std::uint64_t;
inline constexpr std::size_t op_count = 0
#define TENREX_OP(id, name, least, most, payload, traits, summary) +1
#include "lib/ir/ops.def"
    ;
static_assert(op_count <= 8 * sizeof(OpSet), "there are more operations than OpSet has bits");
template <std::same_as<Op>... Ops>
constexpr OpSet op_set(Ops... ops) noexcept {
    return ((OpSet{1} << static_cast<unsigned>(ops)) | ...);
}

}  // namespace tenrex::ir

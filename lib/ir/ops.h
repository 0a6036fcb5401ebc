// What the table of operations, ops.def, says of each.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tenrex::ir {

enum class Op : std::uint8_t {
#define TENREX_OP(id, name, least, most, payload, summary) id,
#include "lib/ir/ops.def"
};
std::string_view name(Op op) noexcept;
std::optional<Op> op_from_name(std::string_view name) noexcept;

// How many operands an operation takes.
struct OperandCounts {
    std::size_t least, most;
};
OperandCounts operand_counts(Op op) noexcept;

// A set of operations.
using OpSet = std::uint32_t;
inline constexpr std::size_t op_count = 0
#define TENREX_OP(id, name, least, most, payload, summary) +1
#include "lib/ir/ops.def"
    ;
static_assert(op_count <= 8 * sizeof(OpSet), "there are more operations than OpSet has bits");
template <std::same_as<Op>... Ops>
constexpr OpSet op_set(Ops... ops) noexcept {
    return ((OpSet{1} << static_cast<unsigned>(ops)) | ...);
}

}  // namespace tenrex::ir

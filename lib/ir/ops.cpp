#include "lib/ir/ops.h"

#include <algorithm>
#include <iterator>

namespace tenrex::ir {

namespace {

constexpr std::size_t any = ~std::size_t{0};

struct OpRow {
    std::string_view name;
    OperandCounts operands;
};
constexpr OpRow rows[] = {
#define TENREX_OP(id, name, least, most, payload, summary) {name, {least, most}},
#include "lib/ir/ops.def"
};

const OpRow &row(Op op) noexcept {
    return rows[static_cast<std::size_t>(op)];
}

}  // namespace

std::string_view name(Op op) noexcept {
    return row(op).name;
}

std::optional<Op> op_from_name(std::string_view name) noexcept {
    const auto *const found =
        std::find_if(std::begin(rows), std::end(rows), [&](const OpRow &entry) { return entry.name == name; });
    return found == std::end(rows) ? std::nullopt : std::optional<Op>(static_cast<Op>(found - rows));
}

OperandCounts operand_counts(Op op) noexcept {
    return row(op).operands;
}

}  // namespace tenrex::ir

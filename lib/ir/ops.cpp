#include "lib/ir/ops.h"

#include <algorithm>
#include <iterator>

namespace tenrex::ir {

namespace {

constexpr std::size_t any = ~std::size_t{0};

struct OpRow {
    std::string_view name;
    OperandCounts operands;
    unsigned traits;
};

template <std::same_as<Trait>... Traits>
constexpr unsigned set_of(Traits... traits) noexcept {
    return (0u | ... | static_cast<unsigned>(traits));
}
using enum Trait;
constexpr OpRow op_rows[] = {
#define TENREX_OP(id, name, least, most, payload, traits, summary) {name, {least, most}, set_of traits},
#include "lib/ir/ops.def"
};

const OpRow &row(Op op) noexcept {
    return op_rows[static_cast<std::size_t>(op)];
}

}  // namespace

std::string_view name(Op op) noexcept {
    return row(op).name;
}

std::optional<Op> op_from_name(std::string_view name) noexcept {
    const auto *const found =
        std::find_if(std::begin(op_rows), std::end(op_rows), [&](const OpRow &entry) { return entry.name == name; });
    return found == std::end(op_rows) ? std::nullopt : std::optional<Op>(static_cast<Op>(found - op_rows));
}

bool has_trait(Op op, Trait trait) noexcept {
    return (row(op).traits & static_cast<unsigned>(trait)) != 0;
}

OperandCounts operand_counts(Op op) noexcept {
    return row(op).operands;
}

}  // namespace tenrex::ir

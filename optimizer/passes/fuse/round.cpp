// Cells that are rounded to fewer bits, as networks in int8 or bfloat16 say it: to whole numbers around a number of
// their row, or to the nearest bfloat16. The row is read once, and nothing but the small cells is stored.
#include "lib/types/block_layout.h"
#include "optimizer/matcher.h"
#include "optimizer/passes/passes.h"

namespace tenrex::optimizer {

namespace {

// Looks for what is rounded by a cast.
class RoundingFinder {
public:
    explicit RoundingFinder(const Patterns &patterns) : patterns_(patterns) {}

    std::optional<Fused> find(ir::NodeId cast) const {
        const ir::NodeId source = patterns_[cast].operands[0];
        if (type(source).cell_type() != CellType::f32 || type(source).dimensions() != type(cast).dimensions() ||
            patterns_[source].stage != Stage::document) {
            return std::nullopt;
        }
        switch (type(cast).cell_type()) {
            case CellType::i8:
                return whole(cast, source);
            case CellType::bf16:
                return nearest(source);
            default:
                return std::nullopt;
        }
    }

private:
    const TensorType &type(ir::NodeId id) const { return patterns_.type(id); }
    bool is(ir::NodeId id, ScalarFunction function, std::uint32_t uses) const {
        return applies(patterns_[id], function) && patterns_.uses(id) == uses;
    }
    // The operand beside a number, which is the second one, or either where their order does not matter.
    std::optional<ir::NodeId> beside(ir::NodeId id, double number) const {
        const auto operands = either_order(patterns_[id].operands);
        const bool is_ordered = applies(patterns_[id], ScalarFunction::subtract);
        for (std::size_t i = 0; i < (is_ordered ? 1 : operands.size()); ++i) {
            if (is_number(patterns_[operands[i].second], number) && type(operands[i].first) == type(id)) {
                return operands[i].first;
            }
        }
        return std::nullopt;
    }

    // One number for each row, in the order of the rows.
    bool is_of_rows(ir::NodeId number, ir::NodeId cells) const {
        const TensorType &rows = type(number);
        if (rows.cell_type() != CellType::f32 || patterns_[number].stage != patterns_[cells].stage ||
            rows.mapped_count() != type(cells).mapped_count() ||
            (rows.has_mapped() && patterns_.origin(number) != patterns_.origin(cells))) {
            return false;
        }
        return row_length(type(cells), rows).has_value();
    }

    // (cells - middle) * factor, with a number added that leaves no fraction, and subtracted again.
    std::optional<Fused> whole(ir::NodeId cast, ir::NodeId source) const {
        constexpr double without_fraction = 12582912;  // 1.5 * 2^23
        if (!is(source, ScalarFunction::subtract, 1)) {
            return std::nullopt;
        }
        const std::optional<ir::NodeId> sum = beside(source, without_fraction);
        if (!sum || !is(*sum, ScalarFunction::add, 1)) {
            return std::nullopt;
        }
        const std::optional<ir::NodeId> product = beside(*sum, without_fraction);
        if (!product || !is(*product, ScalarFunction::multiply, 1)) {
            return std::nullopt;
        }
        for (const auto &[centered, factor] : either_order(patterns_[*product].operands)) {
            if (!is(centered, ScalarFunction::subtract, 1) || type(centered) != type(source)) {
                continue;
            }
            const ir::NodeId cells = patterns_[centered].operands[0];
            const ir::NodeId middle = patterns_[centered].operands[1];
            if (type(cells) == type(source) && type(middle) == type(factor) && is_of_rows(middle, cells) &&
                is_of_rows(factor, cells)) {
                return Fused{ir::Op::round, {cells, middle, factor}, ir::NoPayload{}};
            }
        }
        return patterns_.refuse(cast, "the cells are not scaled by numbers of their rows");
    }

    // x*65537 - (x*65537 - x), of which the cast cuts the lower half off.
    std::optional<Fused> nearest(ir::NodeId source) const {
        constexpr double beyond_half = 65537;  // 2^16 + 1
        if (!is(source, ScalarFunction::subtract, 1)) {
            return std::nullopt;
        }
        const ir::NodeId product = patterns_[source].operands[0];
        const ir::NodeId rest = patterns_[source].operands[1];
        if (patterns_.uses(product) != 2 || !is(rest, ScalarFunction::subtract, 1) ||
            patterns_[rest].operands[0] != product || type(product) != type(source) || type(rest) != type(source) ||
            type(patterns_[rest].operands[1]) != type(source)) {
            return std::nullopt;
        }
        const ir::NodeId cells = patterns_[rest].operands[1];
        return is_raised(product, cells, beyond_half) ? std::optional(Fused{ir::Op::round, {cells}, ir::NoPayload{}})
                                                      : std::nullopt;
    }

    // Whether the first is the product of the second and a number, maybe before both got their addresses.
    bool is_raised(ir::NodeId product, ir::NodeId cells, double number) const {
        const ir::Node &node = patterns_[product];
        if (node.op == ir::Op::join_addresses) {
            const ir::Node &joined = patterns_[cells];
            return joined.op == ir::Op::join_addresses && joined.operands[1] == node.operands[1] &&
                   is_raised(node.operands[0], joined.operands[0], number);
        }
        return applies(node, ScalarFunction::multiply) && beside(product, number) == cells;
    }

    const Patterns &patterns_;
};

}  // namespace

std::optional<Fused> fuse_round(const Patterns &patterns, ir::NodeId id) {
    return RoundingFinder(patterns).find(id);
}

}  // namespace tenrex::optimizer

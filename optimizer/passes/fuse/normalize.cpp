// Rows that are normalized: a softmax, a division by the length, a standardization, the latter two with a gain and a
// bias. What is divided by what is made of the same row is one operation, if nothing else reads what is in between.
#include <algorithm>
#include <tuple>

#include "lib/ir/contraction.h"
#include "lib/support/float_range.h"
#include "lib/types/block_layout.h"
#include "optimizer/matcher.h"
#include "optimizer/passes/passes.h"

namespace tenrex::optimizer {

namespace {

// Powers of several rows that are shorter are computed faster all in one go: a row for itself fills few vectors.
constexpr std::size_t short_row = 16;

struct Found {
    ir::NodeId rows;
    ir::Normalization operation;
    const TensorType *kept;  // of the sums, one for each row
    std::size_t length = 1;  // of a row
    double scale = 1;
    double divisor = 1;
    double epsilon = 0;
    double root_epsilon = 0;
    std::optional<ir::NodeId> gain = std::nullopt, bias = std::nullopt;
};

// Looks for normalizations that end in a node.
class NormalizationFinder {
public:
    explicit NormalizationFinder(const Patterns &patterns) : patterns_(patterns) {}

    // With a bias, or with a gain, or without.
    std::optional<Found> find(ir::NodeId id) const {
        if (is(id, ScalarFunction::add)) {
            return with_factor(id, &Found::bias, [&](ir::NodeId part) { return with_gain(part); });
        }
        return with_gain(id);
    }

private:
    bool is(ir::NodeId id, ScalarFunction function) const { return applies(patterns_[id], function); }
    // The same for a node that is so many operands.
    bool is_only(ir::NodeId id, ScalarFunction function, std::uint32_t uses) const {
        return is(id, function) && patterns_.uses(id) == uses;
    }
    bool reduces(ir::NodeId id, Aggregator aggregator, ir::NodeId operand) const {
        return is_reduction(patterns_[id], aggregator) && patterns_[id].operands[0] == operand;
    }
    bool is_only_reduction(ir::NodeId id, Aggregator aggregator, ir::NodeId operand) const {
        return patterns_.uses(id) == 1 && reduces(id, aggregator, operand);
    }
    const TensorType &type(ir::NodeId id) const { return patterns_.type(id); }
    // The operands of a node one of which is a number: the other one, and the number.
    std::optional<std::pair<ir::NodeId, double>> with_number(ir::NodeId id, bool number_first) const {
        const ir::NodeId number = patterns_[id].operands[number_first ? 0 : 1];
        const ir::Node &node = patterns_[number];
        if (!node.is_number()) {
            return std::nullopt;
        }
        return std::pair(patterns_[id].operands[number_first ? 1 : 0], node.number());
    }
    std::optional<std::pair<ir::NodeId, double>> with_number(ir::NodeId id) const {
        const auto found = with_number(id, false);
        return found ? found : with_number(id, true);
    }

    std::optional<Found> with_gain(ir::NodeId id) const {
        if (is(id, ScalarFunction::multiply)) {
            return with_factor(id, &Found::gain, [&](ir::NodeId part) { return quotient(part); });
        }
        return quotient(id);
    }

    // A normalization that is one operand, and cells of its rows that are the other one.
    template <class Find>
    std::optional<Found> with_factor(ir::NodeId id, std::optional<ir::NodeId> Found::*factor,
                                     const Find &find_part) const {
        for (const std::size_t which : {0, 1}) {
            const ir::NodeId part = patterns_[id].operands[which];
            const ir::NodeId other = patterns_[id].operands[1 - which];
            if (patterns_.uses(part) != 1 || type(part) != type(id) || patterns_[part].stage != patterns_[id].stage) {
                continue;
            }
            std::optional<Found> found = find_part(part);
            if (found && takes_factors(found->operation) &&
                (is_row_for_all(other, *found) ||
                 (type(other).dimensions() == type(id).dimensions() && is_dense(id)))) {
                (*found).*factor = other;
                return found;
            }
        }
        return std::nullopt;
    }
    static bool takes_factors(ir::Normalization operation) {
        return operation == ir::Normalization::by_length || operation == ir::Normalization::standardize;
    }
    bool is_dense(ir::NodeId id) const { return !type(id).has_mapped(); }
    bool is_row_for_all(ir::NodeId id, const Found &found) const {
        const std::vector<Dimension> &dimensions = type(id).dimensions();
        return is_dense(id) && type(id).block_cells() == found.length &&
               std::all_of(dimensions.begin(), dimensions.end(), [&](const Dimension &dimension) {
                   return dimension.is_trivial() || !found.kept->find(dimension.name);
               });
    }

    // Whether the kernel may round the numbers to float: what comes of them stays in the range of floats, and nothing
    // that they are added to is nearly cancelled.
    static bool have_floats(const Found &found) {
        const auto adds = [](double number) { return number >= 0 && has_nearest_float(number); };
        return has_nearest_float(found.scale) && found.divisor >= 0x1p-64 && found.divisor <= 0x1p64 &&
               adds(found.epsilon) && adds(found.root_epsilon);
    }

    // Without a factor.
    std::optional<Found> quotient(ir::NodeId id) const {
        const CellType cell_type = type(id).cell_type();
        if (!is(id, ScalarFunction::divide) || (cell_type != CellType::f32 && cell_type != CellType::f64) ||
            type(patterns_[id].operands[0]).dimensions() != type(id).dimensions()) {
            return std::nullopt;
        }
        std::optional<Found> found = softmax(id);
        if (!found) {
            found = by_length(id);
        }
        if (!found || (cell_type == CellType::f32 && !have_floats(*found))) {
            return std::nullopt;
        }
        // Sums of a row are doubles, or else in the cell type that everything is computed in.
        const bool one_type = found->kept->is_scalar() || found->kept->cell_type() == cell_type;
        if (!one_type || (type(found->rows).cell_type() == CellType::f64) != (cell_type == CellType::f64)) {
            return patterns_.refuse(id, "it is computed in another cell type than its rows have");
        }
        const std::optional<std::size_t> length = row_length(type(id), *found->kept);
        if (!length) {
            return patterns_.refuse(id, "its rows are not along the last dimensions");
        }
        if (found->operation == ir::Normalization::softmax && !found->kept->is_scalar() && *length < short_row) {
            return patterns_.refuse(id, "its rows are short: their powers are computed faster all in one go");
        }
        found->length = *length;
        return found;
    }

    std::optional<Found> softmax(ir::NodeId id) const {
        const ir::NodeId powers = patterns_[id].operands[0];
        const ir::NodeId sum = patterns_[id].operands[1];
        if (!is(powers, ScalarFunction::exp) || !reduces(sum, Aggregator::sum, powers)) {
            return std::nullopt;
        }
        if (patterns_.uses(powers) != 2 || patterns_.uses(sum) != 1) {
            return patterns_.refuse(id, "something else reads the powers or their sum");
        }
        Found found{patterns_[powers].operands[0], ir::Normalization::softmax, &type(sum)};
        std::uint32_t uses = 1;
        if (is_only(found.rows, ScalarFunction::subtract, 1)) {
            const ir::NodeId cells = patterns_[found.rows].operands[0];
            const ir::NodeId max = patterns_[found.rows].operands[1];
            if (is_only_reduction(max, Aggregator::max, cells) && type(max) == type(sum)) {
                found.operation = ir::Normalization::stable_softmax;
                found.rows = cells;
                uses = 2;
            }
        }
        if (is_only(found.rows, ScalarFunction::multiply, uses)) {
            if (const auto scaled = with_number(found.rows)) {
                std::tie(found.rows, found.scale) = *scaled;
            }
        }
        return found;
    }

    std::optional<Found> by_length(ir::NodeId id) const {
        const ir::NodeId dividend = patterns_[id].operands[0];
        ir::NodeId root = patterns_[id].operands[1];
        Found found{dividend, ir::Normalization::by_length, &type(root)};
        if (is_only(root, ScalarFunction::add, 1)) {
            if (const auto sum = with_number(root)) {
                std::tie(root, found.root_epsilon) = *sum;
            }
        }
        if (!is_only(root, ScalarFunction::sqrt, 1)) {
            return std::nullopt;
        }
        ir::NodeId squares = patterns_[root].operands[0];
        if (is_only(squares, ScalarFunction::add, 1)) {
            if (const auto sum = with_number(squares)) {
                std::tie(squares, found.epsilon) = *sum;
            }
        }
        if (is_only(squares, ScalarFunction::divide, 1)) {
            if (const auto mean = with_number(squares, false)) {
                std::tie(squares, found.divisor) = *mean;
            }
        }
        const ir::Node &contraction = patterns_[squares];
        if (!is_sum_of_products(contraction) || patterns_.uses(squares) != 1 || contraction.operands[0] != dividend ||
            contraction.operands[1] != dividend || type(squares) != type(root)) {
            return std::nullopt;
        }
        // The dividend, and both operands of the contraction.
        if (is_only(dividend, ScalarFunction::subtract, 3)) {
            const ir::NodeId cells = patterns_[dividend].operands[0];
            const ir::NodeId average = patterns_[dividend].operands[1];
            if (is_only_reduction(average, Aggregator::avg, cells) && type(average) == type(root)) {
                found.operation = ir::Normalization::standardize;
                found.rows = cells;
            }
        }
        return found;
    }

    const Patterns &patterns_;
};

}  // namespace

std::optional<Fused> fuse_normalize(const Patterns &patterns, ir::NodeId id) {
    const std::optional<Found> found = NormalizationFinder(patterns).find(id);
    if (!found) {
        return std::nullopt;
    }
    ir::Normalize normalize{found->operation,
                            {},
                            found->scale,
                            found->divisor,
                            found->epsilon,
                            found->root_epsilon,
                            found->gain.has_value(),
                            found->bias.has_value()};
    for (const Dimension &dimension : patterns.type(id).dimensions()) {
        if (!found->kept->find(dimension.name)) {
            normalize.dimensions.push_back(dimension.name);
        }
    }
    std::vector<ir::NodeId> operands = {found->rows};
    for (const std::optional<ir::NodeId> &factor : {found->gain, found->bias}) {
        if (factor) {
            operands.push_back(*factor);
        }
    }
    return Fused{ir::Op::normalize, std::move(operands), std::move(normalize)};
}

}  // namespace tenrex::optimizer

// Rows that are normalized. What is divided by what is made of the same row are the operations of one step, if nothing
// else reads what is in between.
#include <algorithm>
#include <tuple>

#include "lib/ir/contraction.h"
#include "lib/plan/float_parts.h"
#include "lib/plan/lowering.h"
#include "lib/plan/normalize_step.h"
#include "optimizer/matcher.h"

namespace tenrex::plan {

namespace {

using kernels::NormalizeOperation;
using optimizer::applies, optimizer::is_reduction, optimizer::is_sum_of_products;

// Powers of several rows that are shorter are computed faster all in one go: a row for itself fills few vectors.
constexpr std::size_t short_row = 16;

}  // namespace

// Looks for normalizations that end in a node.
class Lowering::NormalizationFinder {
public:
    NormalizationFinder(const ir::Graph &graph, const std::vector<std::uint32_t> &uses) : graph_(graph), uses_(uses) {}

    // With a bias, or with a gain, or without.
    std::optional<Normalization> find(ir::NodeId id) const {
        if (applies(graph_[id], ScalarFunction::add)) {
            return with_factor(id, &Normalization::bias, [&](ir::NodeId part) { return with_gain(part); });
        }
        return with_gain(id);
    }

private:
    // Of a node that is so many operands.
    bool is_only(ir::NodeId id, ScalarFunction function, std::uint32_t uses) const {
        return applies(graph_[id], function) && uses_[id] == uses;
    }
    bool is_only_reduction(ir::NodeId id, Aggregator aggregator, ir::NodeId operand) const {
        return is_reduction(graph_[id], aggregator) && uses_[id] == 1 && graph_[id].operands[0] == operand;
    }
    const TensorType &type(ir::NodeId id) const { return *graph_[id].type; }
    // The operands of a node one of which is a number: the other one, and the number.
    std::optional<std::pair<ir::NodeId, double>> with_number(ir::NodeId id, bool number_first) const {
        const ir::NodeId number = graph_[id].operands[number_first ? 0 : 1];
        const ir::Node &node = graph_[number];
        if (!node.is_number()) {
            return std::nullopt;
        }
        return std::pair(graph_[id].operands[number_first ? 1 : 0], node.number());
    }
    std::optional<std::pair<ir::NodeId, double>> with_number(ir::NodeId id) const {
        const auto found = with_number(id, false);
        return found ? found : with_number(id, true);
    }

    std::optional<Normalization> with_gain(ir::NodeId id) const {
        if (applies(graph_[id], ScalarFunction::multiply)) {
            return with_factor(id, &Normalization::gain, [&](ir::NodeId part) { return quotient(part); });
        }
        return quotient(id);
    }

    // A normalization that is one operand, and cells of its rows that are the other one.
    template <class Find>
    std::optional<Normalization> with_factor(ir::NodeId id, std::optional<ir::NodeId> Normalization::*factor,
                                             const Find &find_part) const {
        for (const std::size_t which : {0, 1}) {
            const ir::NodeId part = graph_[id].operands[which];
            const ir::NodeId other = graph_[id].operands[1 - which];
            if (uses_[part] != 1 || type(part) != type(id) || graph_[part].stage != graph_[id].stage) {
                continue;
            }
            std::optional<Normalization> found = find_part(part);
            if (found && takes_factors(found->operation) &&
                (is_row_for_all(other, *found) ||
                 (type(other).dimensions() == type(id).dimensions() && is_dense(id)))) {
                (*found).*factor = other;
                return found;
            }
        }
        return std::nullopt;
    }
    static bool takes_factors(NormalizeOperation operation) {
        return operation == NormalizeOperation::by_length || operation == NormalizeOperation::standardize;
    }
    bool is_dense(ir::NodeId id) const { return !type(id).has_mapped(); }
    bool is_row_for_all(ir::NodeId id, const Normalization &found) const {
        const std::vector<Dimension> &dimensions = type(id).dimensions();
        return is_dense(id) && type(id).block_cells() == found.length &&
               std::all_of(dimensions.begin(), dimensions.end(), [&](const Dimension &dimension) {
                   return dimension.is_trivial() || !found.kept->find(dimension.name);
               });
    }

    // Whether the kernel may round the numbers to float: what comes of them stays in the range of floats, and nothing
    // that they are added to is nearly cancelled.
    static bool have_floats(const Normalization &found) {
        const auto adds = [](double number) { return number >= 0 && has_nearest_float(number); };
        return has_nearest_float(found.scale) && found.divisor >= 0x1p-64 && found.divisor <= 0x1p64 &&
               adds(found.epsilon) && adds(found.root_epsilon);
    }

    // Without a factor.
    std::optional<Normalization> quotient(ir::NodeId id) const {
        const CellType cell_type = type(id).cell_type();
        if (!applies(graph_[id], ScalarFunction::divide) ||
            (cell_type != CellType::f32 && cell_type != CellType::f64) ||
            type(graph_[id].operands[0]).dimensions() != type(id).dimensions()) {
            return std::nullopt;
        }
        std::optional<Normalization> found = softmax(id);
        if (!found) {
            found = by_length(id);
        }
        if (!found || (cell_type == CellType::f32 && !have_floats(*found))) {
            return std::nullopt;
        }
        // Sums of a row are doubles, or else in the cell type that everything is computed in.
        const bool one_type = found->kept->is_scalar() || found->kept->cell_type() == cell_type;
        const std::optional<std::size_t> length = row_length(type(id), *found->kept);
        if (!one_type || !length || (type(found->rows).cell_type() == CellType::f64) != (cell_type == CellType::f64)) {
            return std::nullopt;
        }
        if (found->operation == NormalizeOperation::softmax && !found->kept->is_scalar() && *length < short_row) {
            return std::nullopt;
        }
        found->length = *length;
        return found;
    }

    std::optional<Normalization> softmax(ir::NodeId id) const {
        const ir::NodeId powers = graph_[id].operands[0];
        const ir::NodeId sum = graph_[id].operands[1];
        if (!is_only(powers, ScalarFunction::exp, 2) || !is_only_reduction(sum, Aggregator::sum, powers)) {
            return std::nullopt;
        }
        Normalization found{graph_[powers].operands[0], NormalizeOperation::softmax, &type(sum)};
        std::uint32_t uses = 1;
        if (is_only(found.rows, ScalarFunction::subtract, 1)) {
            const ir::NodeId cells = graph_[found.rows].operands[0];
            const ir::NodeId max = graph_[found.rows].operands[1];
            if (is_only_reduction(max, Aggregator::max, cells) && type(max) == type(sum)) {
                found.operation = NormalizeOperation::stable_softmax;
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

    std::optional<Normalization> by_length(ir::NodeId id) const {
        const ir::NodeId dividend = graph_[id].operands[0];
        ir::NodeId root = graph_[id].operands[1];
        Normalization found{dividend, NormalizeOperation::by_length, &type(root)};
        if (is_only(root, ScalarFunction::add, 1)) {
            if (const auto sum = with_number(root)) {
                std::tie(root, found.root_epsilon) = *sum;
            }
        }
        if (!is_only(root, ScalarFunction::sqrt, 1)) {
            return std::nullopt;
        }
        ir::NodeId squares = graph_[root].operands[0];
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
        const ir::Node &contraction = graph_[squares];
        if (!is_sum_of_products(contraction) || uses_[squares] != 1 || contraction.operands[0] != dividend ||
            contraction.operands[1] != dividend || type(squares) != type(root)) {
            return std::nullopt;
        }
        // The dividend, and both operands of the contraction.
        if (is_only(dividend, ScalarFunction::subtract, 3)) {
            const ir::NodeId cells = graph_[dividend].operands[0];
            const ir::NodeId average = graph_[dividend].operands[1];
            if (is_only_reduction(average, Aggregator::avg, cells) && type(average) == type(root)) {
                found.operation = NormalizeOperation::standardize;
                found.rows = cells;
            }
        }
        return found;
    }

    const ir::Graph &graph_;
    const std::vector<std::uint32_t> &uses_;
};

std::optional<Lowering::Normalization> Lowering::normalization(ir::NodeId id,
                                                               const std::vector<std::uint32_t> &uses) const {
    return graph_[id].op == ir::Op::apply ? NormalizationFinder(graph_, uses).find(id) : std::nullopt;
}

Value Lowering::normalize(const ir::Node &node, const Normalization &found) {
    const CellType cell_type = node.type->cell_type();
    const IndexedCells cells = in_order(found.rows, cell_type);
    const auto factor = [&](std::optional<ir::NodeId> id) -> std::optional<NormalizeStep::Factor> {
        if (!id) {
            return std::nullopt;
        }
        return NormalizeStep::Factor{own_use(*id, cell_type), type(*id).block_cells() != found.length};
    };
    const std::optional<NormalizeStep::Factor> gain = factor(found.gain);
    const std::optional<NormalizeStep::Factor> bias = factor(found.bias);
    const Target to = target(node.stage, cells.index, *node.type, cell_type);
    const BlockUse rows{cells.cells, cells.index ? BlockAccess::same : BlockAccess::dense, {}, to.bytes};
    kernels::RowNormalization call;
    call.length = found.length;
    call.scale = found.scale;
    call.divisor = found.divisor;
    call.epsilon = found.epsilon;
    call.root_epsilon = found.root_epsilon;
    call.rounds_sums = !found.kept->is_scalar();
    add_step<NormalizeStep>(node.stage,
                            NormalizeStep::Shape{rows, node.type->block_cells() / found.length, gain, bias, to}, call,
                            kernels::choose_normalize(found.operation, cell_type, found.length, isa_));
    return written(to, cell_type);
}

}  // namespace tenrex::plan

// Factors of sums of products are multiplied in the cheapest order: the sum over y of (the sum over x of d*W) * q
// becomes the sum over x of d * (the sum over y of W*q), whose second factor is known with the query; the sum of
// (a*b)*c, where a and b have no dimension in common, that of b times the sum of a*c. What is divided by a number is
// divided last: the sum of q*(d/n) is that of q*d, divided by n. A bias is added to the part of a split layer that is
// known first. Sums are added up in another order, so that a result that is finite either way may
// differ in its last bits; where infinities meet, one way may give NaN and the other not.
#include <algorithm>
#include <cmath>

#include "lib/ir/contraction.h"
#include "lib/support/float_range.h"
#include "optimizer/make_nodes.h"
#include "optimizer/matcher.h"
#include "optimizer/passes/passes.h"
#include "optimizer/product_order.h"
#include "optimizer/ranges.h"
#include "optimizer/rewrite.h"

namespace tenrex::optimizer {

namespace {

bool is_product(const ir::Node &node) {
    return is_sum_of_products(node) || applies(node, ScalarFunction::multiply);
}

bool is_sum(const ir::Node &node) {
    return is_reduction(node, Aggregator::sum);
}

// Of a tensor by a number.
bool is_quotient(const ir::Graph &graph, const ir::Node &node) {
    return applies(node, ScalarFunction::divide) && graph[node.operands[1]].type->is_scalar() &&
           !node.type->is_scalar();
}

std::vector<std::string> summed_by(const ir::Node &node) {
    return node.op == ir::Op::reduce     ? node.as<ir::Reduce>().dimensions
           : node.op == ir::Op::contract ? node.as<ir::Contract>().dimensions
                                         : std::vector<std::string>();
}

// Products and sums of them inside each other, as the factors of one sum.
class Regrouping {
public:
    // standing: for each node the one that stands for it now.
    Regrouping(ir::Graph &graph, Ranges &ranges, std::span<const std::uint32_t> uses,
               const std::vector<ir::NodeId> &standing, ir::NodeId root)
        : graph_(graph), ranges_(ranges), uses_(uses), standing_(standing), root_(root) {}

    // The same sum in the cheapest order, if that is another one.
    std::optional<ir::NodeId> run() {
        collect(root_, 0, false);
        if (!fits_ || factors_.size() < (divisors_.empty() ? 3 : 2)) {
            return std::nullopt;
        }
        const ir::Node root = graph_[root_];
        std::vector<Factor> factors;
        const bool may_be_empty = std::any_of(factors_.begin(), factors_.end(),
                                              [&](ir::NodeId factor) { return graph_[factor].type->has_mapped(); });
        for (const ir::NodeId factor : factors_) {
            // It matters beside sums over nothing alone, and constants are looked at cell by cell.
            const bool may_be_infinite = may_be_empty && !is_finite(factor);
            factors.push_back({*graph_[factor].type, graph_[factor].stage, may_be_infinite});
        }
        const std::vector<std::string> alone = summed_alone();
        const double rest =
            (alone.empty() ? 0 : sum_cost(joined(alone), root.stage)) +
            static_cast<double>(divisors_.size()) * product_cost(*root.type, TensorType(), {}, root.stage);
        const std::optional<std::vector<ProductStep>> steps =
            cheapest_order(factors, summed_, root.type->has_mapped(), cost_ - rest);
        if (!steps) {
            return std::nullopt;
        }
        std::vector<ir::NodeId> values;
        for (const ir::NodeId factor : factors_) {
            values.push_back(standing_[factor]);
        }
        std::vector<ir::NodeId> counts;
        for (const ProductStep &step : *steps) {
            if (step.needs_address) {
                counts.push_back(count_addresses(values[step.a], values[step.b], root.span));
            }
            values.push_back(product(values[step.a], values[step.b], step.summed, root.span));
        }
        ir::NodeId result = values.back();
        if (!alone.empty()) {
            result =
                graph_.add(ir::Op::reduce, *root.type, {&result, 1}, ir::Reduce{Aggregator::sum, alone}, root.span);
        }
        bool may_be_negative_zero = alone.empty() && steps->back().summed.empty() &&
                                    is_negative_zero_possible(values[steps->back().a], values[steps->back().b]);
        for (const ir::NodeId divisor : divisors_) {
            may_be_negative_zero |= !ranges_.of(result).is_never_negative() || !ranges_.of(divisor).is_never_negative();
            result = add_apply(graph_, ScalarFunction::divide, root.type->cell_type(), {result, standing_[divisor]},
                               root.span);
        }
        if (may_be_negative_zero) {
            result =
                add_apply(graph_, ScalarFunction::add, root.type->cell_type(), {result, graph_.constant(0)}, root.span);
        }
        for (const ir::NodeId count : counts) {
            const TensorType type = *graph_[result].type;
            const ir::NodeId choice[] = {count, result, graph_.constant(0)};
            result = graph_.add(ir::Op::select, type, choice, ir::Choice(), root.span);
        }
        return *graph_[result].type == *root.type ? std::optional(result) : std::nullopt;
    }

private:
    // Adds the factors of a node; a part that something else uses is one itself. labels_above: something on the way to
    // the root has labels, so that there may be no products.
    void collect(ir::NodeId id, std::size_t depth, bool labels_above) {
        const ir::Node &node = graph_[id];
        if (is_quotient(graph_, node) && node.stage == graph_[root_].stage && uses_[id] == 1 &&
            depth <= 2 * most_factors && !(labels_above && may_make_nan_of_zero(node.operands[1]))) {
            collect(node.operands[0], depth + 1, labels_above);
            divisors_.push_back(node.operands[1]);
            cost_ += product_cost(*node.type, *graph_[node.operands[1]].type, {}, node.stage);
            return;
        }
        const bool taken_apart = (id == root_ || uses_[id] == 1) && (is_product(node) || is_sum(node));
        if (!taken_apart || depth > 2 * most_factors) {
            factors_.push_back(id);
            // Beside other factors it may meet float cells, and make them infinities or zeros.
            fits_ &= !node.is_number() || has_nearest_float(node.number());
            return;
        }
        const std::size_t first = factors_.size();
        for (const ir::NodeId operand : node.operands) {
            collect(operand, depth + 1, labels_above || has_mapped_operand(node));
        }
        const std::vector<std::string> summed = summed_by(node);
        if (node.op == ir::Op::reduce) {
            cost_ += sum_cost(graph_[node.operands[0]].type->dimensions(), node.stage);
        } else {
            cost_ += product_cost(*graph_[node.operands[0]].type, *graph_[node.operands[1]].type, summed, node.stage);
        }
        if (node.op == ir::Op::apply) {
            return;
        }
        // A sum over nothing is 0, and multiplied with what has addresses: none of these may get lost. Multiplied with
        // an infinity it is NaN, while the sum of all products is 0.
        const bool may_be_empty = id != root_ && !node.type->has_mapped() && has_mapped_operand(node);
        fits_ &= !may_be_empty || !graph_[root_].type->has_mapped();
        for (const std::string &name : summed) {
            // Another factor may have a dimension of the same name, which is none of this sum.
            inner_.push_back({name, first, factors_.size(), may_be_empty});
            summed_.push_back(name);
        }
        if (id == root_) {
            fits_ &= std::none_of(inner_.begin(), inner_.end(), [&](const Inner &inner) {
                return is_elsewhere(inner) || (inner.may_be_empty && meets_infinities(inner));
            });
        }
    }

    // A sum over nothing is 0 and would be divided; before, there was nothing to divide.
    bool may_make_nan_of_zero(ir::NodeId divisor) {
        const Range range = ranges_.of(divisor);
        return range.may_be_nan || range.may_be(0);
    }

    // A dimension that factors [first, last) are summed over.
    struct Inner {
        std::string name;
        std::size_t first, last;
        bool may_be_empty;
    };
    bool meets_infinities(const Inner &inner) {
        for (std::size_t i = 0; i < factors_.size(); ++i) {
            if ((i < inner.first || i >= inner.last) && !is_finite(factors_[i])) {
                return true;
            }
        }
        return false;
    }
    bool is_elsewhere(const Inner &inner) const {
        for (std::size_t i = 0; i < factors_.size(); ++i) {
            if ((i < inner.first || i >= inner.last) && graph_[factors_[i]].type->find(inner.name)) {
                return true;
            }
        }
        return false;
    }

    bool has_mapped_operand(const ir::Node &node) const {
        return std::any_of(node.operands.begin(), node.operands.end(),
                           [&](ir::NodeId operand) { return graph_[operand].type->has_mapped(); });
    }

    // The dimensions that are summed and that a single factor has.
    std::vector<std::string> summed_alone() const {
        std::vector<std::string> names;
        for (const std::string &name : summed_) {
            const auto count = std::count_if(factors_.begin(), factors_.end(),
                                             [&](ir::NodeId factor) { return graph_[factor].type->find(name); });
            if (count == 1) {
                names.push_back(name);
            }
        }
        return names;
    }

    // The dimensions of the products before they are summed over these.
    std::vector<Dimension> joined(const std::vector<std::string> &alone) const {
        std::vector<std::string> gone = summed_;
        for (const std::string &name : alone) {
            gone.erase(std::find(gone.begin(), gone.end(), name));
        }
        return joined_without(graph_, factors_, gone);
    }

    // Whether no cell can be an infinity or NaN.
    bool is_finite(ir::NodeId id) {
        const Range range = ranges_.of(id);
        return !range.may_be_infinite() && !range.may_be_nan;
    }

    // Whether the product of two may be -0, which no sum is.
    bool is_negative_zero_possible(ir::NodeId a, ir::NodeId b) {
        if (ranges_.of(a).is_never_negative() && ranges_.of(b).is_never_negative()) {
            return false;
        }
        const auto only_the_sign_of = [&](ir::NodeId factor, ir::NodeId other) {
            return ranges_.of(factor).low > 0 && (is_sum_of_products(graph_[other]) || is_sum(graph_[other]));
        };
        return !only_the_sign_of(a, b) && !only_the_sign_of(b, a);
    }

    bool in_double() const {
        return std::any_of(factors_.begin(), factors_.end(), [&](ir::NodeId factor) {
            return !graph_[factor].type->is_scalar() && is_double(graph_, factor);
        });
    }

    ir::NodeId product(ir::NodeId a, ir::NodeId b, const std::vector<std::string> &summed, Span span) {
        return summed.empty() ? add_apply(graph_, ScalarFunction::multiply, in_double() ? CellType::f64 : CellType::f32,
                                          {a, b}, span)
                              : add_contraction(graph_, a, b, summed, in_double(), span);
    }

    // How many addresses the natural join of the two has.
    ir::NodeId count_addresses(ir::NodeId a, ir::NodeId b, Span span) {
        const ir::NodeId operands[] = {a, b};
        const ir::NodeId joined = graph_.add(ir::Op::join_addresses, graph_[a].type->cell_type(), operands, {}, span);
        ir::Reduce count{Aggregator::count, {}};
        for (const Dimension &dimension : graph_[joined].type->dimensions()) {
            count.dimensions.push_back(dimension.name);
        }
        return graph_.add(ir::Op::reduce, TensorType(), {&joined, 1}, std::move(count), span);
    }

    ir::Graph &graph_;
    Ranges &ranges_;
    std::span<const std::uint32_t> uses_;
    const std::vector<ir::NodeId> &standing_;
    ir::NodeId root_;
    std::vector<ir::NodeId> factors_;
    std::vector<ir::NodeId> divisors_;
    std::vector<std::string> summed_;
    std::vector<Inner> inner_;
    double cost_ = 0;
    bool fits_ = true;
};

// (p + q) + c, where p and q are sums of products of which only p needs the document, as p + (q + c).
std::optional<ir::NodeId> bias_first(ir::Graph &graph, const ir::Node &node, ir::NodeId sum, ir::NodeId c) {
    const ir::Node inner = graph[sum];
    if (!applies(inner, ScalarFunction::add) || graph[c].stage == Stage::document) {
        return std::nullopt;
    }
    for (const auto &[p, q] : either_order(inner.operands)) {
        if (graph[p].op == ir::Op::contract && graph[q].op == ir::Op::contract && graph[p].stage == Stage::document &&
            graph[q].stage != Stage::document && *graph[p].type == *node.type && *graph[q].type == *node.type &&
            !node.type->has_mapped()) {
            const CellType cell_type = node.type->cell_type();
            const ir::NodeId known = add_apply(graph, ScalarFunction::add, cell_type, {q, c}, node.span);
            return add_apply(graph, ScalarFunction::add, cell_type, {p, known}, node.span);
        }
    }
    return std::nullopt;
}

}  // namespace

void reassociate(ir::Graph &graph, PassRun &run) {
    std::vector<ir::NodeId> standing(run.uses.size());
    Ranges ranges(graph);
    rewrite(graph, run.uses, [&](ir::NodeId id, std::span<const ir::NodeId> operands) -> std::optional<ir::NodeId> {
        const ir::Node node = graph[id];
        for (std::size_t i = 0; i < operands.size(); ++i) {
            standing[node.operands[i]] = operands[i];
        }
        if (applies(node, ScalarFunction::add)) {
            const auto result = bias_first(graph, node, operands[0], operands[1]);
            return result ? result : bias_first(graph, node, operands[1], operands[0]);
        }
        // Else there are two factors at most, and nothing to divide.
        const bool has_inner = std::any_of(node.operands.begin(), node.operands.end(), [&](ir::NodeId operand) {
            return run.uses[operand] == 1 &&
                   (is_product(graph[operand]) || is_sum(graph[operand]) || is_quotient(graph, graph[operand]));
        });
        return has_inner && (is_sum_of_products(node) || is_sum(node))
                   ? Regrouping(graph, ranges, run.uses, standing, id).run()
                   : std::nullopt;
    });
}

}  // namespace tenrex::optimizer

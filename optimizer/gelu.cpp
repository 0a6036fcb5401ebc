#include "optimizer/gelu.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>
#include <vector>

#include "optimizer/matcher.h"

namespace tenrex::optimizer {

namespace {

// By powers of a variable, from the number on.
using Polynomial = std::array<double, 4>;

std::optional<Polynomial> product(const Polynomial &a, const Polynomial &b) {
    Polynomial result{};
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (std::size_t j = 0; j < b.size(); ++j) {
            const double term = a[i] * b[j];
            if (term != 0 && i + j >= result.size()) {
                return std::nullopt;
            }
            result[std::min(i + j, result.size() - 1)] += term;
        }
    }
    return result;
}

// Constants in files are rounded to float.
bool is_nearly(double x, double wanted) {
    constexpr double error = 0x1p-22;  // of the product of three
    return std::fabs(x - wanted) <= error * std::fabs(wanted);
}
bool is_nearly(const Polynomial &x, const Polynomial &wanted) {
    return std::equal(x.begin(), x.end(), wanted.begin(), [](double a, double b) { return is_nearly(a, b); });
}

// Looks for a gelu that ends in a node. Not many more operations are looked at than a gelu has.
class GeluFinder {
public:
    GeluFinder(const Patterns &patterns, ir::NodeId id) : patterns_(patterns), end_(id) {}

    std::optional<Gelu> find() const {
        Factors factors;
        if (!applies(patterns_[end_], ScalarFunction::multiply) || patterns_.type(end_).cell_type() != CellType::f32 ||
            !add_factors(end_, factors) || factors.others.size() != 2) {
            return std::nullopt;
        }
        for (const auto &[cells, sum] : either_order(factors.others)) {
            const std::optional<ir::Activation> form = form_of(cells, sum, factors.number);
            if (form && is_read_by_nothing_else(cells)) {
                return Gelu{cells, *form};
            }
        }
        return std::nullopt;
    }

private:
    static constexpr std::size_t most_operations = 16;

    struct Factors {
        double number = 1;
        std::vector<ir::NodeId> others;
    };

    bool is_cells(ir::NodeId id) const { return patterns_.type(id) == patterns_.type(end_); }

    // Whether one more operation may be looked at. A product of thousands of factors is no gelu.
    bool may_look() const { return left_ != 0 && left_-- != 0; }

    bool add_factors(ir::NodeId id, Factors &factors) const {
        if (!may_look()) {
            return false;
        }
        const ir::Node &node = patterns_[id];
        if (node.is_number()) {
            factors.number *= node.number();
            return true;
        }
        if (factors.others.size() < 2 && applies(node, ScalarFunction::multiply) && is_cells(id) &&
            (id == end_ || patterns_.uses(id) == 1)) {
            return add_factors(node.operands[0], factors) && add_factors(node.operands[1], factors);
        }
        factors.others.push_back(id);
        return is_cells(id);
    }

    std::optional<ir::Activation> form_of(ir::NodeId cells, ir::NodeId sum, double number) const {
        std::optional<ir::NodeId> function = std::nullopt;
        for (const auto &[node, reads] : operations_before(sum, cells)) {
            const bool is_function =
                applies(patterns_[node], ScalarFunction::erf) || applies(patterns_[node], ScalarFunction::tanh);
            function = is_function ? node : function;
        }
        if (!function) {
            return std::nullopt;
        }
        const std::optional<Polynomial> outer = polynomial(sum, *function);
        const std::optional<Polynomial> inner = polynomial(patterns_[*function].operands[0], cells);
        if (!outer || !inner || !is_nearly((*outer)[0] * number, 0.5) || !is_nearly((*outer)[1] * number, 0.5) ||
            (*outer)[2] != 0 || (*outer)[3] != 0) {
            return std::nullopt;
        }
        if (applies(patterns_[*function], ScalarFunction::erf)) {
            return is_nearly(*inner, {0, 1 / std::numbers::sqrt2, 0, 0}) ? std::optional(ir::Activation::gelu)
                                                                         : std::nullopt;
        }
        constexpr double cubic = 0.044715;
        const double linear = std::sqrt(2 / std::numbers::pi);
        return is_nearly(*inner, {0, linear, 0, linear * cubic}) ? std::optional(ir::Activation::gelu_tanh)
                                                                 : std::nullopt;
    }

    std::optional<Polynomial> polynomial(ir::NodeId id, ir::NodeId variable) const {
        const ir::Node &node = patterns_[id];
        if (id == variable) {
            return Polynomial{0, 1};
        }
        if (node.is_number()) {
            return Polynomial{node.number()};
        }
        if (node.op != ir::Op::apply || !may_look()) {
            return std::nullopt;
        }
        const std::optional<Polynomial> a = polynomial(node.operands[0], variable);
        if (a && applies(node, ScalarFunction::square) && is_cells(id)) {
            return product(*a, *a);
        }
        if (a && applies(node, ScalarFunction::sqrt) && patterns_[node.operands[0]].is_number()) {
            return Polynomial{std::sqrt((*a)[0])};
        }
        if (node.operands.size() != 2 || !is_cells(id)) {
            return std::nullopt;
        }
        const std::optional<Polynomial> b = a ? polynomial(node.operands[1], variable) : std::nullopt;
        if (!b) {
            return std::nullopt;
        }
        switch (node.as<ir::Apply>().function) {
            case ScalarFunction::add: {
                Polynomial sum = *a;
                std::transform(sum.begin(), sum.end(), b->begin(), sum.begin(), std::plus());
                return sum;
            }
            case ScalarFunction::multiply:
                return product(*a, *b);
            case ScalarFunction::divide:
                return is_nearly(*b, {(*b)[0]}) && (*b)[0] != 0 ? product(*a, {1 / (*b)[0]}) : std::nullopt;
            default:
                return std::nullopt;
        }
    }

    // Operations that lead from the cells to a node, and how often they read each other and the cells.
    using Reads = std::vector<std::pair<ir::NodeId, std::uint32_t>>;
    Reads operations_before(ir::NodeId id, ir::NodeId cells) const {
        Reads found = {{id, 0}};
        for (std::size_t i = 0; i < found.size() && found.size() <= most_operations; ++i) {
            const ir::NodeId next = found[i].first;
            if (next == cells || patterns_[next].op != ir::Op::apply) {
                continue;
            }
            for (const ir::NodeId operand : patterns_[next].operands) {
                const auto known =
                    std::find_if(found.begin(), found.end(), [&](const auto &own) { return own.first == operand; });
                if (known != found.end()) {
                    ++known->second;
                } else {
                    found.emplace_back(operand, 1);
                }
            }
        }
        return found;
    }

    bool is_read_by_nothing_else(ir::NodeId cells) const {
        const Reads reads = operations_before(end_, cells);
        return std::all_of(reads.begin(), reads.end(), [&](const auto &read) {
            return read.first == end_ || patterns_[read.first].stage != patterns_[end_].stage ||
                   patterns_.uses(read.first) == read.second;
        });
    }

    const Patterns &patterns_;
    ir::NodeId end_;
    mutable std::size_t left_ = 4 * most_operations;  // a value that is read twice is looked at twice
};

}  // namespace

std::optional<Gelu> find_gelu(const Patterns &patterns, ir::NodeId id) {
    return GeluFinder(patterns, id).find();
}

}  // namespace tenrex::optimizer

#include "optimizer/product_order.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "lib/ir/contraction.h"
#include "lib/ir/infer.h"
#include "lib/types/derived_type.h"
#include "optimizer/make_nodes.h"

namespace tenrex::optimizer {

namespace {

double weight(Stage stage) {
    // So many documents for a query, and queries for an expression.
    constexpr double many = 256;
    return stage == Stage::document ? 1 : stage == Stage::query ? 1 / many : 1 / (many * many);
}

struct Size {
    double blocks = 1;  // if each mapped dimension has so many labels
    double cells = 1;   // of all of them
};

void add(Size &size, const Dimension &dimension) {
    constexpr double labels = 16;
    size.blocks *= dimension.is_mapped() ? labels : 1;
    size.cells *= dimension.is_mapped() ? labels : static_cast<double>(dimension.size);
}

// Nanoseconds of a step, of a block, of a block that is looked up by its labels, of a cell that a kernel multiplies and
// adds to its neighbours, that is added to another block, and that is written and read again.
constexpr double step_cost = 8, block_cost = 1, lookup_cost = 4;
constexpr double row_cell_cost = 1.0 / 16, block_cell_cost = 1.0 / 4, stored_cell_cost = 1.0 / 2;

class Orders {
public:
    Orders(const std::vector<Factor> &factors, const std::vector<std::string> &summed, bool labels_left, double below)
        : factors_(factors),
          summed_(summed),
          labels_left_(labels_left),
          below_(below),
          parts_(std::size_t{1} << factors.size()) {
        for (std::size_t i = 0; i < factors.size(); ++i) {
            infinities_ |= factors[i].may_be_infinite ? 1u << i : 0;
        }
    }

    std::optional<std::vector<ProductStep>> run() {
        const auto all = static_cast<std::uint32_t>(parts_.size() - 1);
        for (std::uint32_t set = 1; set <= all; ++set) {
            Part &part = parts_[set];
            if (std::has_single_bit(set)) {
                const Factor &factor = factors_[static_cast<std::size_t>(std::countr_zero(set))];
                part = {factor.type, factor.stage, 0, 0};
                continue;
            }
            const std::optional<TensorType> type = type_of(set);
            if (!type) {
                continue;
            }
            part.type = *type;
            const std::uint32_t lowest = set & -set;
            part.stage = std::max(parts_[lowest].stage, parts_[set ^ lowest].stage);
            // Each division into two; the lowest factor is in the first.
            for (std::uint32_t first = (set - 1) & set; first != 0; first = (first - 1) & set) {
                if ((first & lowest) == 0) {
                    continue;
                }
                consider(set, first);
            }
        }
        if (parts_[all].cost == std::numeric_limits<double>::infinity()) {
            return std::nullopt;
        }
        std::vector<ProductStep> steps;
        add_steps(steps, all);
        return steps;
    }

private:
    // A set of factors, multiplied and summed over what no other factor has.
    struct Part {
        TensorType type;
        Stage stage = Stage::constant;
        double cost = std::numeric_limits<double>::infinity();
        std::uint32_t first = 0;  // one of the two sets that it is made of
    };

    // Nothing if it is beyond the limits.
    std::optional<TensorType> type_of(std::uint32_t set) const {
        std::vector<const TensorType *> types;
        for (std::size_t i = 0; i < factors_.size(); ++i) {
            if ((set >> i & 1) != 0) {
                types.push_back(&factors_[i].type);
            }
        }
        std::vector<Dimension> dimensions = ir::joined(types);
        std::erase_if(dimensions, [&](const Dimension &dimension) { return is_summed_in(dimension.name, set); });
        const auto type = derived_type(CellType::f32, std::move(dimensions));
        return type ? std::optional(*type) : std::nullopt;
    }

    bool is_summed_in(const std::string &name, std::uint32_t set) const {
        std::uint32_t with_it = 0;
        for (std::size_t i = 0; i < factors_.size(); ++i) {
            with_it |= factors_[i].type.find(name) ? 1u << i : 0;
        }
        return contains(summed_, name) && (with_it & ~set) == 0 && !std::has_single_bit(with_it);
    }

    std::vector<std::string> summed(const TensorType &a, const TensorType &b, const TensorType &result) const {
        std::vector<std::string> names;
        for (const Dimension &dimension : a.dimensions()) {
            if (b.find(dimension.name) && !result.find(dimension.name)) {
                names.push_back(dimension.name);
            }
        }
        return names;
    }

    // The set as the product of these two.
    void consider(std::uint32_t set, std::uint32_t first) {
        Part &part = parts_[set];
        const double before = parts_[first].cost + parts_[set ^ first].cost;
        if (before >= std::min(part.cost, below_)) {
            return;
        }
        const TensorType &a = parts_[first].type;
        const TensorType &b = parts_[set ^ first].type;
        const std::vector<std::string> names = summed(a, b, part.type);
        const double cost = before + product_cost(a, b, names, part.stage);
        if (cost >= std::min(part.cost, below_)) {
            return;
        }
        const bool allowed = names.empty() || (ir::contraction_form(a, b, names, {}).has_value() &&
                                               !(labels_left_ && loses_labels(set, first)) &&
                                               !(part.stage == Stage::document && needs_address(set, first)));
        if (allowed) {
            part.cost = cost;
            part.first = first;
        }
    }

    // Whether a sum of the products of these two may be one over nothing.
    bool loses_labels(std::uint32_t set, std::uint32_t first) const {
        return !parts_[set].type.has_mapped() &&
               (parts_[first].type.has_mapped() || parts_[set ^ first].type.has_mapped());
    }

    bool needs_address(std::uint32_t set, std::uint32_t first) const {
        return loses_labels(set, first) && (infinities_ & ~set) != 0;
    }

    // Returns the number of the set's result.
    std::uint32_t add_steps(std::vector<ProductStep> &steps, std::uint32_t set) const {
        if (std::has_single_bit(set)) {
            return static_cast<std::uint32_t>(std::countr_zero(set));
        }
        const std::uint32_t first = parts_[set].first;
        const std::uint32_t a = add_steps(steps, first);
        const std::uint32_t b = add_steps(steps, set ^ first);
        steps.push_back(
            {a, b, summed(parts_[first].type, parts_[set ^ first].type, parts_[set].type), needs_address(set, first)});
        return static_cast<std::uint32_t>(factors_.size() + steps.size() - 1);
    }

    const std::vector<Factor> &factors_;
    const std::vector<std::string> &summed_;
    bool labels_left_;
    double below_;
    std::uint32_t infinities_ = 0;  // a set of factors
    std::vector<Part> parts_;       // by set
};

}  // namespace

double product_cost(const TensorType &a, const TensorType &b, const std::vector<std::string> &summed, Stage stage) {
    Size size;
    for (const Dimension &dimension : a.dimensions()) {
        add(size, dimension);
    }
    bool common_label = false;
    bool cells_in_rows = false;
    for (const Dimension &dimension : b.dimensions()) {
        if (!a.find(dimension.name)) {
            add(size, dimension);
        } else {
            common_label |= dimension.is_mapped();
            cells_in_rows |= dimension.is_indexed() && contains(summed, dimension.name);
        }
    }
    const bool has_labels = a.has_mapped() || b.has_mapped();
    const bool outer_product = a.has_mapped() && b.has_mapped() && !common_label;
    const double cell_cost = cells_in_rows ? row_cell_cost : summed.empty() ? stored_cell_cost : block_cell_cost;
    const double cost = step_cost + size.cells * cell_cost +
                        size.blocks * (common_label ? lookup_cost
                                       : has_labels ? block_cost
                                                    : 0);
    // Every block with every other: how many these are is a guess with more than one way to be wrong.
    constexpr double unknown = 64;
    return cost * (outer_product ? unknown : 1) * weight(stage);
}

double sum_cost(const std::vector<Dimension> &dimensions, Stage stage) {
    Size size;
    bool has_labels = false;
    for (const Dimension &dimension : dimensions) {
        add(size, dimension);
        has_labels |= dimension.is_mapped();
    }
    return (step_cost + size.cells * block_cell_cost + (has_labels ? size.blocks * block_cost : 0)) * weight(stage);
}

std::optional<std::vector<ProductStep>> cheapest_order(const std::vector<Factor> &factors,
                                                       const std::vector<std::string> &summed, bool labels_left,
                                                       double below) {
    return factors.size() > most_factors ? std::nullopt : Orders(factors, summed, labels_left, below).run();
}

}  // namespace tenrex::optimizer

// What the sums of a product of whole numbers stand for: each is multiplied by a number of its row and one of its
// column, and the product of two more is added; then a row, the bias. The product does that with the cells that it has
// just computed.
#include <algorithm>

#include "lib/ir/contraction.h"
#include "lib/types/block_layout.h"
#include "optimizer/matcher.h"
#include "optimizer/passes/passes.h"

namespace tenrex::optimizer {

namespace {

// Looks for scaled products that end in a node.
class ScalingFinder {
public:
    explicit ScalingFinder(const Patterns &patterns) : patterns_(patterns) {}

    // With a bias or without.
    std::optional<Fused> find(ir::NodeId id) const {
        if (!applies(patterns_[id], ScalarFunction::add)) {
            return std::nullopt;
        }
        for (const auto &[part, bias] : either_order(patterns_[id].operands)) {
            if (patterns_.uses(part) != 1 || type(part) != type(id) || patterns_[part].stage != patterns_[id].stage) {
                continue;
            }
            std::optional<Fused> found = scaled(part);
            if (!found) {
                continue;
            }
            if (is_of_columns(bias, columns_of(*found), {})) {
                std::get<ir::Contract>(found->payload).has_bias = true;
                found->operands.insert(found->operands.begin() + 2, bias);
                return found;
            }
        }
        return scaled(id);
    }

private:
    // A name of a dimension, and what a rename makes of it.
    struct NewNames {
        std::vector<std::string> from, to;

        const std::string &of(const std::string &name) const {
            const auto found = std::find(from.begin(), from.end(), name);
            return found == from.end() ? name : to[static_cast<std::size_t>(found - from.begin())];
        }
    };

    const TensorType &type(ir::NodeId id) const { return *patterns_[id].type; }

    // Of the columns of a product.
    std::vector<std::string> columns_of(const Fused &product) const {
        const TensorType &columns = type(product.operands[1]);
        const std::vector<std::string> &summed = std::get<ir::Contract>(product.payload).dimensions;
        return nontrivial(columns,
                          {ir::contraction_dimensions(type(product.operands[0]), columns, summed)->indexed.columns});
    }

    // The names of the dimensions that have more than one index, in the order of the cells.
    static std::vector<std::string> names_of(const TensorType &type, const NewNames &names) {
        std::vector<std::string> result;
        for (const Dimension &dimension : type.dimensions()) {
            if (dimension.is_indexed() && !dimension.is_trivial()) {
                result.push_back(names.of(dimension.name));
            }
        }
        return result;
    }

    // Floats that are there before the documents, one for each column.
    bool is_of_columns(ir::NodeId id, const std::vector<std::string> &columns, const NewNames &names) const {
        return type(id).cell_type() == CellType::f32 && !type(id).has_mapped() &&
               patterns_[id].stage < Stage::document && names_of(type(id), names) == columns;
    }
    // Floats, one for each row of the product's first operand, in the order of the rows.
    bool is_of_rows(ir::NodeId id, ir::NodeId rows, const std::vector<std::string> &row_names,
                    const NewNames &names) const {
        return type(id).cell_type() == CellType::f32 && patterns_[id].stage == patterns_[rows].stage &&
               type(id).mapped_count() == type(rows).mapped_count() &&
               (!type(id).has_mapped() || patterns_.origin(id) == patterns_.origin(rows)) &&
               names_of(type(id), names) == row_names;
    }

    // The product times a number of the row and one of the column, plus the product of two such numbers.
    std::optional<Fused> scaled(ir::NodeId id) const {
        const ir::Node &sum = patterns_[id];
        if (!applies(sum, ScalarFunction::add) || sum.type->cell_type() != CellType::f32 ||
            sum.stage != Stage::document) {
            return std::nullopt;
        }
        for (const auto &[factors, offset] : either_order(sum.operands)) {
            if (!is_only_product(factors, sum) || !is_only(offset)) {
                continue;
            }
            for (const auto &[part, column_scale] : either_order(patterns_[factors].operands)) {
                if (!is_only_product(part, sum)) {
                    continue;
                }
                for (const auto &[product, row_scale] : either_order(patterns_[part].operands)) {
                    if (std::optional<Fused> found = scaled(id, product, row_scale, column_scale, offset)) {
                        return found;
                    }
                }
            }
        }
        return std::nullopt;
    }

    bool is_only(ir::NodeId id) const { return patterns_.uses(id) == 1; }
    bool is_only_product(ir::NodeId id, const ir::Node &reader) const {
        return is_only(id) && applies(patterns_[id], ScalarFunction::multiply) && type(id) == *reader.type &&
               patterns_[id].stage == reader.stage;
    }

    std::optional<Fused> scaled(ir::NodeId id, ir::NodeId product, ir::NodeId row_scale, ir::NodeId column_scale,
                                ir::NodeId offset) const {
        const ir::Node &node = patterns_[product];
        if (node.op != ir::Op::contract || node.as<ir::Contract>().has_epilogue() || type(product) != type(id) ||
            node.stage != patterns_[id].stage) {
            return std::nullopt;
        }
        if (!is_only(product)) {
            return patterns_.refuse(id, "something else reads the product without its scale");
        }
        for (const auto &[rows, columns] : either_order(node.operands)) {
            if (!is_product(node, rows, columns)) {
                continue;
            }
            const auto indexed =
                ir::contraction_dimensions(type(rows), type(columns), node.as<ir::Contract>().dimensions)->indexed;
            const std::vector<std::string> row_names = nontrivial(type(rows), {indexed.rows});
            const std::vector<std::string> column_names = nontrivial(type(columns), {indexed.columns});
            if (!is_of_rows(row_scale, rows, row_names, {}) || !is_of_columns(column_scale, column_names, {})) {
                continue;
            }
            if (const auto offsets = outer_product(offset, rows, row_names, column_names)) {
                ir::Contract contract = node.as<ir::Contract>();
                contract.is_scaled = true;
                return Fused{ir::Op::contract,
                             {rows, columns, row_scale, column_scale, offsets->first, offsets->second},
                             std::move(contract)};
            }
        }
        return patterns_.refuse(id, "the product is not scaled by numbers of its rows and columns");
    }

    // By columns that are there before the documents.
    bool is_product(const ir::Node &node, ir::NodeId rows, ir::NodeId columns) const {
        const ir::Contract &own = node.as<ir::Contract>();
        const TensorType &a = type(rows);
        const TensorType &b = type(columns);
        return !b.has_mapped() && patterns_[columns].stage < Stage::document && patterns_[rows].stage == node.stage &&
               ir::contraction_form(a, b, own.dimensions, own.terms) == ir::ContractionForm::product &&
               nontrivial(a, {ir::contraction_dimensions(a, b, own.dimensions)->indexed.batch}).empty();
    }

    // A number of the row times one of the column, maybe under other names.
    std::optional<std::pair<ir::NodeId, ir::NodeId>> outer_product(ir::NodeId id, ir::NodeId rows,
                                                                   const std::vector<std::string> &row_names,
                                                                   const std::vector<std::string> &column_names) const {
        NewNames names;
        if (patterns_[id].op == ir::Op::rename) {
            names = {patterns_[id].as<ir::Rename>().from, patterns_[id].as<ir::Rename>().to};
            id = patterns_[id].operands[0];
        }
        if (!is_only(id) || !applies(patterns_[id], ScalarFunction::multiply) ||
            type(id).cell_type() != CellType::f32) {
            return std::nullopt;
        }
        for (const auto &[row, column] : either_order(patterns_[id].operands)) {
            if (is_of_rows(row, rows, row_names, names) && is_of_columns(column, column_names, names)) {
                return std::pair(row, column);
            }
        }
        return std::nullopt;
    }

    const Patterns &patterns_;
};

}  // namespace

std::optional<Fused> fuse_scaling(const Patterns &patterns, ir::NodeId id) {
    return ScalingFinder(patterns).find(id);
}

}  // namespace tenrex::optimizer

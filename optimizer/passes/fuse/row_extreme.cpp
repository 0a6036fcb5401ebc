// The largest or smallest of the numbers that a contraction gives for the rows of one operand, or for those of each
// group of rows: MaxSim, for a document or for each of its chunks. The numbers themselves are not stored.
#include <algorithm>

#include "lib/ir/contraction.h"
#include "lib/types/block_layout.h"
#include "optimizer/matcher.h"
#include "optimizer/passes/passes.h"

namespace tenrex::optimizer {

namespace {

// Whether rows and columns give the same numbers when they change places.
bool is_symmetric(const ir::ContractionTerms &terms) {
    return terms.function == ScalarFunction::multiply || terms.function == ScalarFunction::hamming ||
           terms.function == ScalarFunction::equal ||
           (terms.function == ScalarFunction::subtract && terms.after.has_value());  // a square or a magnitude
}

// Whether these are dimensions of rows, all indexed ones among them. Labels of rows that are left make groups.
bool are_rows(const ir::ContractionDimensions &dimensions, const std::vector<std::string> &reduced) {
    const auto &[indexed, mapped] = dimensions;
    const auto is_reduced = [&](const std::string &name) {
        return std::find(reduced.begin(), reduced.end(), name) != reduced.end();
    };
    const auto reduced_labels = std::count_if(mapped.rows.begin(), mapped.rows.end(), is_reduced);
    return std::all_of(indexed.rows.begin(), indexed.rows.end(), is_reduced) &&
           indexed.rows.size() + static_cast<std::size_t>(reduced_labels) == reduced.size() && indexed.batch.empty() &&
           mapped.batch.empty() && mapped.summed.empty() && !indexed.summed.empty();
}

// Each row is multiplied with the same cells.
bool columns_are_one(const ir::ContractionDimensions &dimensions) {
    return dimensions.indexed.columns.empty() && dimensions.mapped.columns.empty();
}

}  // namespace

std::optional<Fused> fuse_row_extreme(const Patterns &patterns, ir::NodeId id) {
    const ir::Node &extreme = patterns[id];
    if (!is_extreme(extreme)) {
        return std::nullopt;
    }
    const ir::NodeId numbers = extreme.operands[0];
    const ir::Node &contraction = patterns[numbers];
    if (contraction.op != ir::Op::contract || contraction.as<ir::Contract>().has_epilogue()) {
        return std::nullopt;
    }
    const ir::Contract &own = contraction.as<ir::Contract>();
    const auto &[aggregator, reduced] = extreme.as<ir::Reduce>();
    for (const auto &[a, b] : either_order(contraction.operands)) {
        const auto dimensions = *ir::contraction_dimensions(patterns.type(a), patterns.type(b), own.dimensions);
        if (!are_rows(dimensions, reduced)) {
            continue;
        }
        const auto &[indexed, mapped] = dimensions;
        const Stage rows = patterns[a].stage;
        const Stage columns = patterns[b].stage;
        if (patterns.uses(numbers) != 1) {
            return patterns.refuse(id, "something else reads the numbers of the rows");
        }
        // Groups come first in the addresses of the results, as what is later does in a join.
        const bool by_groups = indexed.rows.size() + mapped.rows.size() != reduced.size();
        if (by_groups && !mapped.columns.empty() && rows < columns) {
            return patterns.refuse(id, "the groups of rows are known before the labels of the columns");
        }
        const bool is_product = own.terms.is_sum_of_products();
        // By a product of matrices: the columns are cells of dense blocks, or blocks known before the documents.
        const bool by_product = is_product && (mapped.columns.empty() ? !indexed.columns.empty()
                                                                      : indexed.columns.empty() && columns < rows);
        if (!by_product) {
            // What the documents share is multiplied with many of them at a time, and then reduced.
            if (is_product && (!indexed.columns.empty() || (!indexed.rows.empty() && rows != Stage::document))) {
                return patterns.refuse(id, "rows and columns are multiplied for many documents at a time");
            }
            if (is_product && columns_are_one(dimensions) && !row_length(patterns.type(a), *contraction.type)) {
                return patterns.refuse(id, "the cells of a row do not lie side by side, and rows are added up faster");
            }
            if (!mapped.columns.empty() && columns == Stage::document) {
                return patterns.refuse(id, "the columns belong to the documents");
            }
        }
        ir::RowExtreme payload{own.terms,
                               own.dimensions,
                               contraction.type->cell_type(),
                               aggregator,
                               reduced,
                               by_product,
                               a != contraction.operands[0] && !is_symmetric(own.terms)};
        return Fused{ir::Op::row_extreme, {a, b}, std::move(payload)};
    }
    return patterns.refuse(id, "it is not taken over the rows of one operand");
}

}  // namespace tenrex::optimizer

#include "lib/ir/contraction.h"

#include <algorithm>

namespace tenrex::ir {

Contraction contraction_of(const Node &node) {
    const NodeId first = node.operands[0];
    const NodeId second = node.operands[1];
    if (node.op == Op::contract) {
        const Contract &own = node.as<Contract>();
        return {first, second, own.terms, own.dimensions, node.type->cell_type()};
    }
    const RowExtreme &own = node.as<RowExtreme>();
    return {own.columns_first ? second : first, own.columns_first ? first : second, own.terms, own.dimensions,
            own.cell_type};
}

namespace {

// The dimensions of two operands by part: take(what is known of a part, dimension) for each of them. Nothing if a
// summed one is not one of both.
template <class Parts, class Take>
std::optional<Parts> by_part(const TensorType &a, const TensorType &b, const std::vector<std::string> &summed,
                             const Take &take) {
    Parts result;
    const auto is_summed = [&](const std::string &name) {
        return std::find(summed.begin(), summed.end(), name) != summed.end();
    };
    for (const Dimension &dimension : a.dimensions()) {
        auto &group = dimension.is_mapped() ? result.mapped : result.indexed;
        const bool shared = b.find(dimension.name).has_value();
        if (is_summed(dimension.name)) {
            if (!shared) {
                return std::nullopt;
            }
            take(group.summed, dimension);
        } else {
            take(shared ? group.batch : group.rows, dimension);
        }
    }
    for (const Dimension &dimension : b.dimensions()) {
        if (!a.find(dimension.name)) {
            if (is_summed(dimension.name)) {
                return std::nullopt;
            }
            take((dimension.is_mapped() ? result.mapped : result.indexed).columns, dimension);
        }
    }
    return result;
}

// How many dimensions play each part: most questions are about that, and counting takes no memory.
struct Counts {
    struct Group {
        std::size_t summed = 0, batch = 0, rows = 0, columns = 0;
    };
    Group indexed, mapped;
};

std::optional<Counts> count_dimensions(const TensorType &a, const TensorType &b,
                                       const std::vector<std::string> &summed) {
    return by_part<Counts>(a, b, summed, [](std::size_t &count, const Dimension &) { ++count; });
}

}  // namespace

std::optional<ContractionDimensions> contraction_dimensions(const TensorType &a, const TensorType &b,
                                                            const std::vector<std::string> &summed) {
    return by_part<ContractionDimensions>(
        a, b, summed, [](std::vector<std::string> &names, const Dimension &own) { names.push_back(own.name); });
}

namespace {

bool is_row_pair_function(const ContractionTerms &terms) {
    const auto &[function, after, aggregator] = terms;
    if (aggregator != Aggregator::sum && aggregator != Aggregator::max && aggregator != Aggregator::min) {
        return false;
    }
    const bool is_magnitude = after == ScalarFunction::abs || after == ScalarFunction::fabs;
    if (function == ScalarFunction::subtract) {
        return aggregator == Aggregator::sum ? is_magnitude || after == ScalarFunction::square : !after || is_magnitude;
    }
    const bool is_counted = function == ScalarFunction::hamming || function == ScalarFunction::less ||
                            function == ScalarFunction::less_equal || function == ScalarFunction::equal;
    return !after && (function == ScalarFunction::multiply || (is_counted && aggregator == Aggregator::sum));
}

// Whether no other cells lie between those of these dimensions.
bool are_innermost(const TensorType &type, const std::vector<std::string> &names) {
    bool others = false;
    for (auto dimension = type.dimensions().rbegin(); dimension != type.dimensions().rend(); ++dimension) {
        const bool named = std::find(names.begin(), names.end(), dimension->name) != names.end();
        if (named && others) {
            return false;
        }
        others |= !named && dimension->is_indexed() && !dimension->is_trivial();
    }
    return true;
}

}  // namespace

std::optional<ContractionForm> contraction_form(const TensorType &a, const TensorType &b,
                                                const std::vector<std::string> &summed, const ContractionTerms &terms) {
    const std::optional<Counts> counts = count_dimensions(a, b, summed);
    if (!counts || !is_row_pair_function(terms)) {
        return std::nullopt;
    }
    const auto &[indexed, mapped] = *counts;
    const bool only_summed_indexed = indexed.batch + indexed.rows + indexed.columns == 0;
    const bool is_product = terms.is_sum_of_products();
    if (mapped.summed != 0) {
        const bool full = mapped.batch + mapped.rows + mapped.columns == 0;
        if (!is_product) {
            return std::nullopt;
        }
        if (!full) {
            return ContractionForm::joined_sum;
        }
        if (only_summed_indexed) {
            return ContractionForm::sparse_dot;
        }
        const bool has_numbers = indexed.summed + indexed.batch == 0 && (indexed.rows == 0 || indexed.columns == 0);
        return has_numbers ? ContractionForm::weighted_sum : ContractionForm::joined_sum;
    }
    if (indexed.summed == 0) {
        return std::nullopt;
    }
    if (only_summed_indexed) {
        return ContractionForm::dots;
    }
    // The rows may have addresses; the columns of a product are the same for all of them.
    const bool one_sided = mapped.batch == 0 && (mapped.rows == 0 || mapped.columns == 0);
    const bool many_pairs = indexed.rows + indexed.columns != 0;
    if (is_product) {
        return one_sided && many_pairs ? ContractionForm::product : ContractionForm::rows;
    }
    // Cells that are not side by side are copied to where they are: not worth it for a few.
    constexpr std::size_t worth_copying = 4;
    std::size_t length = 1;
    for (const std::string &name : summed) {  // all of them are indexed
        length *= a.dimensions()[*a.find(name)].size;
    }
    const bool in_rows = are_innermost(a, summed) && are_innermost(b, summed);
    return in_rows || length >= worth_copying ? std::optional(ContractionForm::rows) : std::nullopt;
}

CellType multiplied_in(CellType a, CellType b, std::size_t k) noexcept {
    // Sums of so many products of bytes are exact in float.
    constexpr std::size_t exact_products = 1024;
    const bool bytes = a == CellType::i8 && b == CellType::i8;
    const bool in_double = a == CellType::f64 || b == CellType::f64 || (bytes && k > exact_products);
    return in_double ? CellType::f64 : CellType::f32;
}

bool is_vector_by_rows(const Graph &graph, const Node &contraction) {
    const Node &a = graph[contraction.operands[0]];
    const Node &b = graph[contraction.operands[1]];
    const auto [indexed, mapped] = *count_dimensions(*a.type, *b.type, contraction.as<Contract>().dimensions);
    return (a.stage == Stage::document && indexed.rows != 0 && indexed.columns == 0 && mapped.columns == 0) ||
           (b.stage == Stage::document && indexed.columns != 0 && indexed.rows == 0 && mapped.rows == 0);
}

}  // namespace tenrex::ir

// In which order to multiply several factors and sum the products over some of their dimensions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tenrex/schema.h>
#include <tenrex/tensor_type.h>

namespace tenrex::optimizer {

// What a product, summed over some dimensions of both or over none, costs: a guess in nanoseconds for each document,
// much less if it is computed before the documents.
double product_cost(const TensorType &a, const TensorType &b, const std::vector<std::string> &summed, Stage stage);
double sum_cost(const std::vector<Dimension> &dimensions, Stage stage);

struct Factor {
    TensorType type;
    Stage stage;
    bool may_be_infinite = false;  // or NaN, in some cell
};

// One product of two: of factors, numbered from 0, or of the results of products before, numbered after them.
struct ProductStep {
    std::uint32_t a, b;
    std::vector<std::string> summed;  // over which the products are summed: no later factor has them
    // Where the two have no address in common the sum is 0, also beside an infinity, whose product with it is not.
    bool needs_address = false;
};

// Factors that are too many to try all orders have none.
constexpr std::size_t most_factors = 6;

// The cheapest order, if it costs less than `below`. A dimension that a single factor has is not summed. labels_left:
// the sum of all has mapped dimensions, so that none of the sums before may lose all of its own: it would be 0 where an
// address is missing. Nor may one that is multiplied with what may be infinite, unless it is known before the
// documents.
std::optional<std::vector<ProductStep>> cheapest_order(const std::vector<Factor> &factors,
                                                       const std::vector<std::string> &summed, bool labels_left,
                                                       double below);

}  // namespace tenrex::optimizer

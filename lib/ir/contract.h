// The payload of contractions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/support/scalar_function.h"
#include "lib/syntax/tensor_function.h"

namespace tenrex::ir {

// What is aggregated is after(function(a, b)), or function(a, b).
struct ContractionTerms {
    ScalarFunction function = ScalarFunction::multiply;
    std::optional<ScalarFunction> after = std::nullopt;
    Aggregator aggregator = Aggregator::sum;

    bool is_sum_of_products() const noexcept {
        return function == ScalarFunction::multiply && !after && aggregator == Aggregator::sum;
    }
    friend bool operator==(const ContractionTerms &, const ContractionTerms &) = default;
};

// What becomes of the cells of a product of matrices before they are stored.
enum class Activation { none, relu, gelu, gelu_tanh };
inline constexpr Activation all_activations[] = {Activation::none, Activation::relu, Activation::gelu,
                                                 Activation::gelu_tanh};
std::string_view name(Activation activation) noexcept;

struct Contract {
    ContractionTerms terms;
    std::vector<std::string> dimensions;  // over which
    // A row, the third operand, is added to each row of a product: then the first operand has the rows.
    bool has_bias = false;
    Activation activation = Activation::none;
    // A product becomes product * a * b + c * d before the bias is added: the last operands are a row's scale, a
    // column's, and what is added for both of them. Those of rows have a number for each row of the first operand.
    bool is_scaled = false;
    // Of a product of matrices: the first operand has the rows, and the second is a pack_matrix, which has the columns.
    bool is_packed = false;

    std::size_t operands() const noexcept { return std::size_t{2} + (has_bias ? 1 : 0) + (is_scaled ? 4 : 0); }
    bool has_epilogue() const noexcept { return has_bias || is_scaled || activation != Activation::none; }

    friend bool operator==(const Contract &, const Contract &) = default;
};

}  // namespace tenrex::ir

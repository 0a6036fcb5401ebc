// The shape of a contraction: the sum of a product-like function of two operands over dimensions that both have, or the
// largest or smallest of what such a function gives.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tenrex/tensor_type.h>

#include "lib/ir/graph.h"

namespace tenrex::ir {

// What a `contract` computes before its epilogue, or a `row_extreme` before the extreme is taken.
struct Contraction {
    NodeId a, b;  // as the terms take them
    const ContractionTerms &terms;
    const std::vector<std::string> &dimensions;  // over which
    CellType cell_type;                          // of its numbers
};
Contraction contraction_of(const Node &node);

// The dimensions of two operands by the part that they play. Those of one operand alone are never summed.
struct ContractionDimensions {
    struct Group {
        std::vector<std::string> summed;   // of both, and gone in the result
        std::vector<std::string> batch;    // of both, and kept
        std::vector<std::string> rows;     // of the first alone
        std::vector<std::string> columns;  // of the second alone
    };
    Group indexed, mapped;
};

// Nothing if a summed dimension is not one of both operands.
std::optional<ContractionDimensions> contraction_dimensions(const TensorType &a, const TensorType &b,
                                                            const std::vector<std::string> &summed);

enum class ContractionForm {
    dots,          // a dot product or a distance for every pair of blocks
    rows,          // the same for pairs of rows within blocks
    sparse_dot,    // one number: the sum over the blocks that both operands have
    product,       // a product of matrices
    weighted_sum,  // the sum of the blocks of one operand, each times the number that the other has at its address
    joined_sum,    // sums of products over labels that both have: any other labels and indexes may be left
};

// How a contraction is computed; nothing: not better than computing the products and adding them up.
std::optional<ContractionForm> contraction_form(const TensorType &a, const TensorType &b,
                                                const std::vector<std::string> &summed, const ContractionTerms &terms);

// What sums of k products are computed in.
CellType multiplied_in(CellType a, CellType b, std::size_t k) noexcept;
// A vector times the rows of a matrix of each document: too little to share for a product of matrices.
bool is_vector_by_rows(const Graph &graph, const Node &contraction);

}  // namespace tenrex::ir

// When a result counts as right: the comparison rule of the conformance vectors (README.md). It also serves to compare
// two ways of evaluating the same expression.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/bounded_tensor.h>
#include <tenrex/tensor.h>

namespace tenrex::conformance {

inline constexpr double double_tolerance = 1e-9;
inline constexpr double float_tolerance = 1e-5;

// The tolerance for a double result of the expression.
double tolerance(std::string_view expression, const std::vector<Tensor> &inputs);

bool cells_agree(double a, double b, CellType cell_type, double tolerance);

// What the values differ in, empty if they agree.
std::string difference(const Tensor &actual, const Tensor &expected, double tolerance);

// The same for what is compiled, where the reference evaluator has told how far a right value may be from its own.
std::string difference(const Tensor &actual, const BoundedTensor &expected);

// The same, by another rule: whether a number is right for a cell of `expected`.
using IsRight = std::function<bool(double number, std::size_t cell)>;
std::string difference(const Tensor &actual, const Tensor &expected, const IsRight &is_right);

// Whether the numbers have the same bits, or are both NaN.
bool is_same(double a, double b);

// The number of the first cell that is not the same; `count` if all are.
std::size_t first_different_cell(CellType type, const void *a, const void *b, std::size_t count);

// Same type, same blocks in the same order, same bytes of cells. Two NaN may differ: docs/numerics.md.
bool same_bits(const Tensor &a, const Tensor &b);

}  // namespace tenrex::conformance

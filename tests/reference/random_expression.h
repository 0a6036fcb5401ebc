// Random typed expressions with inputs: every operation, cell type and layout, for tests that compare two ways of
// evaluating. The same seed and options give the same expression on every machine.
//
//   const RandomExpression random = random_expression(17, {.numbers = Numbers::exact});
//   auto expression = Expression::parse(random.text(), random.schema());
//   auto value = expression->evaluate_reference(random.values());
//   EXPECT_EQ(...) << random.reproducer();
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <tenrex/expression.h>
#include <tenrex/schema.h>
#include <tenrex/tensor.h>

#include "tests/reference/random_source.h"

namespace tenrex::random {

struct RandomOptions {
    Numbers numbers = Numbers::any;
    std::size_t depth = 4;              // operations inside each other, lambdas aside
    std::size_t most_block_cells = 64;  // of a dense block
    std::size_t most_dimensions = 4;
    bool surface = true;  // also softmax, matmul, ...: what the checker expands
};

// Part of an expression: text with parts in between. Its type is known without asking the checker.
struct Piece {
    std::vector<std::string> text;  // one more than parts
    std::vector<Piece> parts;
    TensorType type;
    std::set<std::string> free;  // parameters of lambdas and generators around it that it refers to
    double bound = 0.0;          // no cell is larger, unless Numbers::any

    std::string to_string() const;
};

struct RandomInput {
    std::string name;
    Stage stage;
    Tensor value;
};

struct RandomExpression {
    std::uint64_t seed = 0;
    Piece root;
    std::vector<RandomInput> inputs;

    std::string text() const { return root.to_string(); }
    const TensorType &type() const noexcept { return root.type; }
    Schema schema() const;
    std::vector<NamedTensor> values() const;
    // The expression and its inputs as a test that can be pasted; the expected value is that of the oracle.
    std::string reproducer() const;
};

RandomExpression random_expression(std::uint64_t seed, const RandomOptions &options = {});

// A smaller expression for which fails() holds as it does for the given one: parts become the whole expression, or
// inputs that have the value which the oracle gives them.
RandomExpression shrink(RandomExpression expression, const std::function<bool(const RandomExpression &)> &fails);

// Each operation of the expression by itself: its operands are inputs that have the values which the oracle gives them.
std::vector<RandomExpression> operations(const RandomExpression &expression);

}  // namespace tenrex::random

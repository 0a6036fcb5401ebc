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
#include <set>
#include <string>
#include <vector>

#include <tenrex/expression.h>
#include <tenrex/schema.h>
#include <tenrex/tensor.h>

#include "tests/reference/random_sizes.h"
#include "tests/reference/random_source.h"

namespace tenrex::random {

struct RandomOptions {
    Numbers numbers = Numbers::any;
    std::size_t depth = 4;              // operations inside each other, lambdas aside
    std::size_t most_block_cells = 64;  // of a dense block
    std::size_t most_dimensions = 4;
    bool surface = true;  // also softmax, matmul, ...: what the checker expands
    Sizes sizes = Sizes::small;
    std::size_t documents = 1;  // that have values of their own
    std::size_t sharing = 0;    // percent of the parts that are one which was there before, if its type fits
    bool functions = false;     // also those of the user
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
    std::vector<Tensor> others = {};  // of further documents; as many for each input, or none if they are the same

    const Tensor &of_document(std::size_t document) const {
        return document == 0 || others.empty() ? value : others[(document - 1) % others.size()];
    }
};

struct RandomExpression {
    std::uint64_t seed = 0;
    Piece root;
    std::vector<RandomInput> inputs;

    std::string text() const { return root.to_string(); }
    const TensorType &type() const noexcept { return root.type; }
    Schema schema() const;
    std::vector<NamedTensor> values(std::size_t document = 0) const;
    std::size_t documents() const;  // that have values of their own
    // The expression and its inputs as a test that can be pasted; the expected value is that of the oracle.
    std::string reproducer() const;
};

RandomExpression random_expression(std::uint64_t seed, const RandomOptions &options = {});

// Declares the functions that random expressions call: user_twice(a), user_less(a,b), user_choose(a,b,c).
void declare_user_functions(Schema &schema);

}  // namespace tenrex::random

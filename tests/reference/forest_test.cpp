// Forests in the reference evaluator: values and bounds.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include <tenrex/formats.h>

#include "lib/reference/evaluate.h"
#include "lib/sema/typed_builder.h"
#include "lib/sema/typed_printer.h"
#include "tests/forest/small_forest.h"

namespace tenrex::reference {
namespace {

// The forest of the inputs a and b, which a function is applied to beforehand.
sema::TypedExpression forest_of_inputs(forest::Forest forest, ScalarFunction before = ScalarFunction::abs) {
    sema::TypedBuilder builder;
    std::vector<sema::Expr *> features;
    for (const std::string &name : forest.feature_names) {
        const std::uint32_t input = builder.add_input({name, TensorType(), Stage::document, nullptr, {}});
        sema::Expr *value = builder.input(input, builder.scalar_type(), {});
        features.push_back(
            before == ScalarFunction::abs ? value : builder.call(before, value, nullptr, builder.scalar_type(), {}));
    }
    const auto shared = std::make_shared<const forest::Forest>(std::move(forest));
    return builder.finish(builder.forest(shared, features, {}), {});
}

TEST(ReferenceForest, GivesTheSum) {
    const sema::TypedExpression expression = forest_of_inputs(forest::small_forest());
    EXPECT_EQ("double", expression.type().to_string());
    EXPECT_EQ("forest<2 trees>(a,b)", to_string(expression));
    const Tensor inputs[] = {Tensor(1.0), Tensor(2.0)};
    EXPECT_EQ(13.25, evaluate(expression, inputs)->as_double());
}

TEST(ReferenceForest, OfSeveralOutputsIsATensor) {
    forest::Forest forest = forest::small_forest();
    forest.outputs = 3;
    forest.initial = {1, 2, 3};
    forest.trees[1].output = 2;
    const sema::TypedExpression expression = forest_of_inputs(std::move(forest));
    EXPECT_EQ("tensor(class[3])", expression.type().to_string());
    const Tensor inputs[] = {Tensor(1.0), Tensor(2.0)};
    EXPECT_EQ("tensor(class[3]):[11,2,5.25]", to_literal(*evaluate(expression, inputs)));
}

TEST(ReferenceForest, OfExactFeaturesIsExact) {
    const sema::TypedExpression expression = forest_of_inputs(forest::small_forest());
    const Tensor inputs[] = {Tensor(1.0), Tensor(2.0)};
    EXPECT_EQ(0, evaluate_bounded(expression, inputs)->bound.as_double());
}

TEST(ReferenceForest, OfInexactFeaturesHasTheBoundOfTheLeavesWithinReach) {
    // exp(0) is 1 within some units: the first split of the first tree may go either way.
    forest::Forest forest = forest::small_forest();
    forest.trees.pop_back();
    const sema::TypedExpression expression = forest_of_inputs(forest, ScalarFunction::exp);
    const Tensor near[] = {Tensor(0.0), Tensor(3.0)};
    const auto either = evaluate_bounded(expression, near);
    EXPECT_EQ(21, either->value.as_double());
    EXPECT_NEAR(10, either->bound.as_double(), 1e-12) << "30 instead of 20";
    const Tensor far[] = {Tensor(1.0), Tensor(3.0)};
    EXPECT_EQ(0, evaluate_bounded(expression, far)->bound.as_double());
}

}  // namespace
}  // namespace tenrex::reference

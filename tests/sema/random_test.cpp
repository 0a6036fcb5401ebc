#include "lib/sema/random.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/sema/checking.h"

namespace tenrex::sema {
namespace {

Tensor random(std::string_view type, std::uint64_t seed = 0, std::uint64_t occurrence = 0) {
    return random_tensor(*TensorType::parse(type), seed, occurrence);
}

TEST(Random, IsUniformFromZeroToBelowOne) {
    for (const char *type : {"tensor(x[100000])", "tensor<float>(x[100000])", "tensor<bfloat16>(x[100000])"}) {
        const Tensor tensor = random(type);
        double sum = 0;
        std::size_t low = 0;
        for (std::size_t i = 0; i < tensor.cell_count(); ++i) {
            ASSERT_GE(tensor.cell(i), 0.0);
            ASSERT_LT(tensor.cell(i), 1.0);
            sum += tensor.cell(i);
            low += tensor.cell(i) < 0.25;
        }
        EXPECT_NEAR(sum / 100000, 0.5, 0.01) << type;
        EXPECT_NEAR(static_cast<double>(low) / 100000, 0.25, 0.01) << type;
    }
}

TEST(Random, DependsOnSeedAndOccurrenceAlone) {
    EXPECT_EQ(random("tensor(x[50])", 1, 2), random("tensor(x[50])", 1, 2));
    EXPECT_FALSE(random("tensor(x[50])", 1, 2) == random("tensor(x[50])", 1, 3));
    EXPECT_FALSE(random("tensor(x[50])", 1, 2) == random("tensor(x[50])", 2, 2));
    EXPECT_FALSE(random("tensor(x[50])", 1, 2) == random("tensor(x[50])", 2, 1));
    std::set<double> first;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        for (std::uint64_t occurrence = 0; occurrence < 100; ++occurrence) {
            first.insert(random("tensor(x[1])", seed, occurrence).cell(0));
        }
    }
    EXPECT_EQ(first.size(), 10000u);
}

TEST(Random, StaysTheSameFromReleaseToRelease) {
    EXPECT_EQ(random("tensor(x[2])").cell(0), 0.708897907181577);
    EXPECT_EQ(random("tensor(x[2])").cell(1), 0.9567415605156739);
    EXPECT_EQ(random("tensor<float>(x[2])", 1, 2).cell(1), 0.0042424798011779785);
}

TEST(Random, CallsOfOneExpressionDiffer) {
    const auto value = [](const TypedExpression &expression, bool second) {
        const auto &sum = as<CallExpr>(expression.root());
        return *as<ConstantExpr>(second ? *sum.b : *sum.a).value;
    };
    CheckOptions options;
    options.seed = 7;
    const auto one = check_text("random(x[5])+random(x[5])", Dialect::core, options);
    const auto again = check_text("random(x[5])+random(x[5])", Dialect::core, options);
    options.seed = 8;
    const auto other = check_text("random(x[5])+random(x[5])", Dialect::core, options);
    ASSERT_TRUE(one && again && other);
    EXPECT_FALSE(value(*one, false) == value(*one, true));
    EXPECT_EQ(value(*one, false), value(*again, false));
    EXPECT_EQ(value(*one, true), value(*again, true));
    EXPECT_FALSE(value(*one, false) == value(*other, false));
    EXPECT_EQ(value(*one, false).type().to_string(), "tensor(x[5])");
}

TEST(Random, WithoutDimensionsIsANumber) {
    EXPECT_EQ(type_of("random()"), "double");
    EXPECT_EQ(type_of("s*random()"), "double");
}

}  // namespace
}  // namespace tenrex::sema

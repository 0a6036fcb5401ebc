// Random expressions parse, check, evaluate and print; and the generator behind them keeps its promises.
#include "tests/reference/random_expression.h"
#include "tests/reference/random_shrink.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tenrex/formats.h>

#include "lib/support/scalar_function.h"
#include "lib/syntax/tensor_function.h"

namespace tenrex::random {
namespace {

// TENREX_RANDOM_SEEDS asks for a longer run than usual.
std::uint64_t seeds(std::uint64_t usual) {
    const char *wanted = std::getenv("TENREX_RANDOM_SEEDS");
    return wanted == nullptr ? usual : std::strtoull(wanted, nullptr, 10);
}

Sizes sizes(std::uint64_t seed) {
    return seed % 3 == 0 ? Sizes::wide : Sizes::small;
}

class RandomExpressions : public testing::TestWithParam<Numbers> {};

TEST_P(RandomExpressions, EvaluateToTheirTypeAndSurvivePrinting) {
    for (std::uint64_t seed = 0; seed < seeds(500); ++seed) {
        const RandomExpression random = random_expression(
            seed, {.numbers = GetParam(), .depth = 2 + static_cast<std::size_t>(seed % 4), .sizes = sizes(seed)});
        const Schema schema = random.schema();
        const auto expression = Expression::parse(random.text(), schema);
        ASSERT_TRUE(expression) << expression.error().render() << random.reproducer();
        ASSERT_EQ(expression->type(), random.type()) << random.reproducer();
        const auto value = expression->evaluate_reference(random.values());
        ASSERT_TRUE(value) << value.error().render() << random.reproducer();
        ASSERT_EQ(value->type(), random.type()) << random.reproducer();

        const std::string printed = expression->to_string();
        const auto again = Expression::parse(printed, schema);
        ASSERT_TRUE(again) << printed << "\n" << again.error().render() << random.reproducer();
        ASSERT_EQ(again->to_string(), printed) << random.reproducer();
        const auto same = again->evaluate_reference(random.values());
        ASSERT_TRUE(same) << same.error().render();
        ASSERT_EQ(*same, *value) << printed << "\n" << random.reproducer();
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, RandomExpressions, testing::Values(Numbers::any, Numbers::exact, Numbers::smooth), [](const auto &test) {
        return std::string(test.param == Numbers::any ? "any" : test.param == Numbers::exact ? "exact" : "smooth");
    });

TEST(RandomExpression, ExactNumbersAreSmallIntegers) {
    for (std::uint64_t seed = 0; seed < seeds(200); ++seed) {
        const RandomExpression random = random_expression(seed, {.numbers = Numbers::exact, .sizes = sizes(seed)});
        const auto value = Expression::parse(random.text(), random.schema())->evaluate_reference(random.values());
        for (std::size_t i = 0; i < value->cell_count(); ++i) {
            const double cell = value->cell(i);
            ASSERT_EQ(cell, std::trunc(cell)) << random.reproducer();
            ASSERT_LE(std::fabs(cell), 1 << 24) << random.reproducer();
        }
    }
}

TEST(RandomExpression, SmoothNumbersStaySmall) {
    for (std::uint64_t seed = 0; seed < seeds(200); ++seed) {
        const RandomExpression random = random_expression(seed, {.numbers = Numbers::smooth, .sizes = sizes(seed)});
        const auto value = Expression::parse(random.text(), random.schema())->evaluate_reference(random.values());
        for (std::size_t i = 0; i < value->cell_count(); ++i) {
            ASSERT_LE(std::fabs(value->cell(i)), 64.0) << random.reproducer();
        }
    }
}

TEST(RandomExpression, TheSameSeedGivesTheSame) {
    const RandomExpression a = random_expression(7);
    const RandomExpression b = random_expression(7);
    EXPECT_EQ(a.text(), b.text());
    EXPECT_EQ(a.reproducer(), b.reproducer());
    EXPECT_NE(a.text(), random_expression(8).text());
}

TEST(RandomExpression, EverythingOccurs) {
    std::string all;
    std::set<CellType> cell_types;
    std::set<Stage> stages;
    std::set<std::string> layouts;
    for (std::uint64_t seed = 0; seed < 1500; ++seed) {
        const RandomExpression random = random_expression(seed);
        all += random.text() + "\n";
        cell_types.insert(random.type().cell_type());
        for (const RandomInput &input : random.inputs) {
            const TensorType &type = input.value.type();
            stages.insert(input.stage);
            layouts.insert(type.is_scalar()   ? "scalar"
                           : type.is_dense()  ? "dense"
                           : type.is_sparse() ? "sparse"
                                              : "mixed");
            layouts.insert(input.value.blocks() == 0 ? "empty" : "full");
        }
    }
    EXPECT_EQ(cell_types.size(), std::size(all_cell_types));
    EXPECT_EQ(stages.size(), 3u);
    EXPECT_EQ(layouts.size(), 6u);
    for (const ScalarFunctionInfo &entry : scalar_function_table) {
        const std::string text = std::string(entry.name) + (entry.is_operator ? "" : "(");
        EXPECT_NE(all.find(text), all.npos) << entry.name;
    }
    for (const AggregatorInfo &entry : aggregator_table) {
        EXPECT_NE(all.find("," + std::string(entry.name)), all.npos) << entry.name;
    }
    for (const TensorFunctionInfo &entry : tensor_function_table) {
        if (entry.form == TensorFunctionForm::primitive) {
            EXPECT_NE(all.find(std::string(entry.name) + "("), all.npos) << entry.name;
        }
    }
    for (const char *other :
         {"if(", "switch(", " in [", "softmax(", "matmul(", "argmax(", "expand(", "}:", "])(", ":("}) {
        EXPECT_NE(all.find(other), all.npos) << other;
    }
}

// Wide expressions: every function of the language, all sizes, and values in several places.
TEST(RandomExpression, EverythingOccursInWideOnes) {
    const auto has = [](const std::string &text, const std::string &part) { return text.find(part) != text.npos; };
    std::map<std::string, std::size_t> counts;
    constexpr std::uint64_t usual = 2500;
    const std::uint64_t all = std::max(seeds(usual), usual);  // in fewer not everything occurs
    for (std::uint64_t seed = 0; seed < all; ++seed) {
        const RandomExpression random = random_expression(seed, {.sizes = Sizes::wide,
                                                                 .documents = 3,
                                                                 .sharing = 10 * static_cast<std::size_t>(seed % 5),
                                                                 .functions = seed % 3 == 0});
        const std::string text = random.text();
        for (const ScalarFunctionInfo &entry : scalar_function_table) {
            const std::string name = std::string(entry.name) + (entry.is_operator ? "" : "(");
            counts["function " + name] += has(text, name);
        }
        for (const TensorFunctionInfo &entry : tensor_function_table) {
            const std::string name(entry.name);
            counts["function " + name] += has(text, name + "(") || has(text, name + "<");
        }
        for (const AggregatorInfo &entry : aggregator_table) {
            counts["aggregator " + std::string(entry.name)] += has(text, "," + std::string(entry.name));
        }
        for (const char *part : {"if(", "switch(", " in [", "])(", "user_twice(", "user_less(", "user_choose("}) {
            counts[std::string("form ") + part] += has(text, part);
        }
        for (const RandomInput &input : random.inputs) {
            const TensorType &type = input.value.type();
            const std::string what = type.is_scalar()   ? "scalar"
                                     : type.is_dense()  ? "dense"
                                     : type.is_sparse() ? "sparse"
                                                        : "mixed";
            ++counts[fmt::format("input {} {} {}", name(input.stage), name(type.cell_type()), what)];
            counts["documents of their own"] += !input.others.empty();
            counts["dimensions: 9 and more"] += type.dimensions().size() >= 9;
            for (std::size_t document = 0; document < random.documents(); ++document) {
                const Tensor &value = input.of_document(document);
                for (const std::size_t most : {16, 64, 128, 256, 512, 1024, 4096}) {
                    const auto near = [&](std::size_t size) { return size + 1 >= most && size <= most + 1; };
                    counts[fmt::format("labels: about {}", most)] += type.has_mapped() && near(value.blocks());
                    counts[fmt::format("cells: about {}", most)] += type.is_dense() && near(value.cell_count());
                }
                counts["labels: none"] += value.blocks() == 0;
                for (std::size_t cell = 0; cell < value.cell_count(); ++cell) {
                    counts["cell: NaN"] += std::isnan(value.cell(cell));
                    counts["cell: infinite"] += std::isinf(value.cell(cell));
                    counts["cell: beyond float"] += std::fabs(value.cell(cell)) > 3.5e38;
                    counts["cell: -0"] += value.cell(cell) == 0 && std::signbit(value.cell(cell));
                }
            }
        }
    }
    for (const auto &[what, count] : counts) {
        EXPECT_GT(count, 0u) << what;
    }
}

TEST(RandomExpression, ShrinksToWhatMatters) {
    // Pretend that every cell_order is computed wrongly.
    const auto fails = [](const RandomExpression &random) {
        const auto expression = Expression::parse(random.text(), random.schema());
        return expression && expression->evaluate_reference(random.values()) &&
               random.text().find("cell_order(") != std::string::npos;
    };
    int shrunk = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const RandomExpression random = random_expression(seed, {.depth = 5});
        if (!fails(random)) {
            continue;
        }
        ++shrunk;
        const RandomExpression small = shrink(random, fails);
        EXPECT_TRUE(fails(small)) << small.reproducer();
        EXPECT_LE(small.text().size(), random.text().size()) << small.reproducer();
        EXPECT_LE(small.inputs.size(), random.inputs.size() + 1) << small.reproducer();
    }
    EXPECT_GT(shrunk, 10);
}

TEST(RandomExpression, ReproducerIsATest) {
    RandomExpression random;
    random.seed = 5;
    random.root.text = {"sum(t)+1"};
    random.inputs = {{"t", Stage::query, *from_literal("tensor(x[2]):[1,2]")}};
    EXPECT_EQ(random.reproducer(),
              "// seed 5\n"
              "EXPECT_TRUE(gives(R\"~(sum(t)+1)~\",\n"
              "                  {{R\"~(t)~\", R\"~(tensor(x[2]):[1,2])~\"},  // query\n"
              "                   },\n"
              "                  R\"~(4)~\"));\n");
}

}  // namespace
}  // namespace tenrex::random

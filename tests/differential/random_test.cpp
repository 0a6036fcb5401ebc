// Random expressions: what is compiled gives what the reference evaluator gives. scripts/differential runs many more
// seeds than this program does by itself.
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tenrex/formats.h>

#include "tests/conformance/comparison.h"
#include "tests/differential/case.h"

namespace tenrex::differential {
namespace {

using random::Numbers;
using random::RandomExpression;
using random::Source;

// What a seed decides besides the expression.
struct Arrangement {
    Settings settings;
    std::size_t block = 1;
    std::size_t documents = 1;  // that differ
};

constexpr std::size_t most_documents = 4;

Arrangement arrangement_of(std::uint64_t seed) {
    constexpr const char *isas[] = {"baseline", "avx2", "avx512", "native", ""};
    constexpr std::size_t blocks[] = {1, 1, 3, 3, 3, 64, 1025};
    Source source(seed ^ 0x5EED);
    Arrangement arrangement;
    arrangement.settings.isa = source.pick(isas);
    arrangement.settings.shared_labels = source.chance(30);
    if (const std::vector<std::string_view> passes = optimization_names(); !passes.empty() && source.chance(50)) {
        arrangement.settings.disabled_pass = source.pick(passes);
    }
    arrangement.block = source.pick(blocks);
    arrangement.documents = std::min(arrangement.block, most_documents);
    return arrangement;
}

RandomExpression expression_of(std::uint64_t seed, Numbers numbers) {
    RandomExpression expression = random::random_expression(
        seed, {.numbers = numbers, .depth = 2 + static_cast<std::size_t>(seed % 4), .surface = seed % 5 != 0});
    Source source(seed ^ 0x57A6E);
    if (source.chance(50)) {
        reassign_stages(expression, source);
    }
    return expression;
}

std::string difference(const Tensor &actual, const BoundedTensor &expected, Numbers numbers) {
    if (numbers == Numbers::exact) {
        return actual == expected.value ? "" : conformance::difference(actual, expected.value, 0.0) + " (exactly)";
    }
    return conformance::difference(actual, expected);
}

constexpr const char *no_value = "the reference evaluator gives no value";

// What is wrong with the compiled expression, or nothing.
std::string problem(const RandomExpression &random, Numbers numbers, const Arrangement &arrangement) {
    const Case described = make_case(random, numbers, arrangement.documents);
    const auto reference = Expression::parse(described.text, described.schema);
    if (!reference) {
        return no_value;
    }
    std::vector<BoundedTensor> expected;
    for (const std::vector<NamedTensor> &values : described.documents) {
        auto value = reference->evaluate_reference_bounded(values);
        if (!value) {
            return no_value;
        }
        expected.push_back(*std::move(value));
    }
    const auto compiled = Compiled::make(described, arrangement.settings);
    if (!compiled) {
        return compiled.error().message();
    }
    std::vector<std::size_t> order;
    Source source(random.seed ^ 0x0DE5);
    for (std::size_t i = 0; i < arrangement.block; ++i) {
        order.push_back(source.below(arrangement.documents));
    }
    Context context(compiled->plan());
    const auto found = evaluate(*compiled, described, order, context);
    if (!found) {
        return found.error().message();
    }
    for (std::size_t i = 0; i < arrangement.block; ++i) {
        const std::string wrong = difference((*found)[i], expected[order[i]], numbers);
        if (!wrong.empty()) {
            return fmt::format("document {} of {}: {}\n{}", i, arrangement.block, wrong, compiled->plan().explain());
        }
    }
    return {};
}

class RandomPrograms : public testing::TestWithParam<Numbers> {};

TEST_P(RandomPrograms, GiveWhatTheReferenceGives) {
    const Numbers numbers = GetParam();
    std::size_t failures = 0;
    const std::uint64_t first = first_seed();
    const std::uint64_t count = seed_count(300);
    for (std::uint64_t seed = first; seed < first + count && failures < 5; ++seed) {
        const Arrangement arrangement = arrangement_of(seed);
        const RandomExpression random = expression_of(seed, numbers);
        if (problem(random, numbers, arrangement).empty()) {
            continue;
        }
        ++failures;
        const RandomExpression small = shrink(random, [&](const RandomExpression &smaller) {
            const std::string found = problem(smaller, numbers, arrangement);
            return !found.empty() && found != no_value;
        });
        ADD_FAILURE() << arrangement.settings.to_string() << ", block of " << arrangement.block << "\n"
                      << problem(small, numbers, arrangement) << "\n"
                      << small.reproducer();
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, RandomPrograms, testing::Values(Numbers::any, Numbers::exact, Numbers::smooth), [](const auto &test) {
        return std::string(test.param == Numbers::any ? "any" : test.param == Numbers::exact ? "exact" : "smooth");
    });

// What the comparison is worth: in how many values a cell could be wrong by a thousandth without being found.
TEST_P(RandomPrograms, HaveBoundsThatFindWrongCells) {
    std::size_t values = 0;
    std::size_t vague = 0;
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        const RandomExpression random = expression_of(seed, GetParam());
        const auto expression = Expression::parse(random.text(), random.schema());
        const auto value = expression ? expression->evaluate_reference_bounded(random.values())
                                      : Result<BoundedTensor>(expression.error());
        if (!value) {
            continue;
        }
        bool is_vague = !value->addresses_known;
        for (std::size_t i = 0; i < value->value.cell_count(); ++i) {
            const double cell = value->value.cell(i);
            is_vague |= std::isfinite(cell) && cell != 0.0 && value->bound.cell(i) > 1e-3 * std::fabs(cell);
        }
        ++values;
        vague += is_vague;
    }
    EXPECT_GT(values, 2000u);
    EXPECT_LT(vague, values / 30) << "of " << values;
}

}  // namespace
}  // namespace tenrex::differential

// Random expressions: what is compiled gives what the reference evaluator gives. scripts/differential runs many more
// seeds than this program does by itself.
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tenrex/formats.h>

#include "tests/conformance/comparison.h"
#include "tests/differential/case.h"
#include "tests/differential/rounding.h"

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
    constexpr std::size_t blocks[] = {1, 1, 3, 3, 3, 64, 257};
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

// What is wrong with a value, or nothing.
using Compare = std::function<std::string(const Tensor &actual, const Tensor &expected)>;

std::string difference(const Tensor &actual, const Tensor &expected, Numbers numbers, const RandomExpression &random) {
    if (numbers == Numbers::exact) {
        return actual == expected ? "" : conformance::difference(actual, expected, 0.0) + " (exactly)";
    }
    std::vector<Tensor> inputs;
    for (const random::RandomInput &input : random.inputs) {
        inputs.push_back(input.value);
    }
    return conformance::difference(actual, expected, conformance::tolerance(random.text(), inputs));
}

constexpr const char *no_value = "the reference evaluator gives no value";

// What is wrong with the compiled expression, or nothing.
std::string problem(const RandomExpression &random, Numbers numbers, const Arrangement &arrangement,
                    const Compare &compare) {
    const Case described = make_case(random, numbers, arrangement.documents);
    const auto reference = Expression::parse(described.text, described.schema);
    if (!reference) {
        return no_value;
    }
    std::vector<Tensor> expected;
    for (const std::vector<NamedTensor> &values : described.documents) {
        auto value = reference->evaluate_reference(values);
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
        const std::string wrong = compare((*found)[i], expected[order[i]]);
        if (!wrong.empty()) {
            return fmt::format("document {} of {}: {}\n{}", i, arrangement.block, wrong, compiled->plan().explain());
        }
    }
    return {};
}

std::string problem(const RandomExpression &random, Numbers numbers, const Arrangement &arrangement) {
    return problem(random, numbers, arrangement, [&](const Tensor &actual, const Tensor &expected) {
        return difference(actual, expected, numbers, random);
    });
}

// What is wrong with one operation that rounding does not explain.
std::string problem_of_operation(const RandomExpression &operation, const Settings &settings) {
    const Arrangement alone = {settings, 1, 1};
    std::string wrong = problem(operation, Numbers::any, alone);
    if (!wrong.empty()) {
        const Rounding rounding(operation);
        wrong = problem(operation, Numbers::any, alone, [&](const Tensor &actual, const Tensor &expected) {
            return rounding.difference(actual, expected);
        });
    }
    return wrong;
}

// With any numbers, an operation may turn the last bit of its operand into a quite different result: cos(cosh(x)), or a
// comparison. Such a difference is excused if every operation of the expression, given the operands that the reference
// evaluator computes, is right by itself, but for what last bits in it change. With exact numbers nothing is excused,
// and with smooth ones nothing needs to be.
bool is_rounding(const RandomExpression &random, const Arrangement &arrangement) {
    const Case described = make_case(random, Numbers::any, arrangement.documents);
    for (const std::vector<NamedTensor> &values : described.documents) {
        RandomExpression of_document = random;
        for (random::RandomInput &input : of_document.inputs) {
            for (const auto &[name, value] : values) {
                input.value = name == input.name ? value : input.value;
            }
        }
        for (const RandomExpression &operation : operations(of_document)) {
            if (!problem_of_operation(operation, arrangement.settings).empty()) {
                return false;
            }
        }
    }
    return true;
}

class RandomPrograms : public testing::TestWithParam<Numbers> {};

TEST_P(RandomPrograms, GiveWhatTheReferenceGives) {
    const Numbers numbers = GetParam();
    std::size_t failures = 0;
    std::size_t excused = 0;
    const std::uint64_t first = first_seed();
    const std::uint64_t count = seed_count(300);
    for (std::uint64_t seed = first; seed < first + count && failures < 5; ++seed) {
        const Arrangement arrangement = arrangement_of(seed);
        const RandomExpression random = expression_of(seed, numbers);
        if (problem(random, numbers, arrangement).empty()) {
            continue;
        }
        if (numbers == Numbers::any && is_rounding(random, arrangement)) {
            ++excused;
            continue;
        }
        ++failures;
        const RandomExpression small = shrink(random, [&](const RandomExpression &smaller) {
            const std::string found = problem(smaller, numbers, arrangement);
            return !found.empty() && found != no_value &&
                   (numbers != Numbers::any || !is_rounding(smaller, arrangement));
        });
        ADD_FAILURE() << arrangement.settings.to_string() << ", block of " << arrangement.block << "\n"
                      << problem(small, numbers, arrangement) << "\n"
                      << small.reproducer();
    }
    // Rare enough that nobody can hide behind it.
    EXPECT_LE(excused, 2 + count / 2000);
}

INSTANTIATE_TEST_SUITE_P(
    All, RandomPrograms, testing::Values(Numbers::any, Numbers::exact, Numbers::smooth), [](const auto &test) {
        return std::string(test.param == Numbers::any ? "any" : test.param == Numbers::exact ? "exact" : "smooth");
    });

}  // namespace
}  // namespace tenrex::differential

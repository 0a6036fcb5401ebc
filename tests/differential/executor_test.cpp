// Values have the same bits for any number of parts that a step is shared in.
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tenrex/formats.h>

#include "tests/conformance/comparison.h"
#include "tests/conformance/few_cases.h"
#include "tests/conformance/isas.h"
#include "tests/differential/case.h"
#include "tests/differential/executors.h"
#include "tests/differential/long_steps.h"
#include "tests/differential/vector_case.h"
#include "tests/differential/wide_case.h"

namespace tenrex::differential {
namespace {

using random::Numbers;

constexpr std::size_t numbers_of_threads[] = {1, 2, 3, 7};

// What differs from the values without an executor, or nothing; the calls of those that share are counted.
std::string difference(const Case &described, const Settings &settings, std::size_t block, std::size_t &calls) {
    const auto compiled = Compiled::make(described, settings);
    if (!compiled) {
        return compiled.error().message();
    }
    const std::vector<std::size_t> order = some_documents(described, block);
    Context alone(compiled->plan());
    const auto expected = evaluate(*compiled, described, order, alone);
    for (const std::size_t threads :
         few_cases() ? std::vector<std::size_t>{3, 7} : std::vector<std::size_t>{1, 2, 3, 7}) {
        PartsInTurn executor(threads);
        Context context(compiled->plan(), executor);
        for (int round = 0; round < 2; ++round) {
            const auto values = evaluate(*compiled, described, order, context);
            if (!values || !expected) {
                if (values || expected || values.error().message() != expected.error().message()) {
                    return "one of them fails";
                }
                continue;
            }
            for (std::size_t i = 0; i < values->size(); ++i) {
                if (!conformance::same_bits((*values)[i], (*expected)[i])) {
                    return "value " + std::to_string(i) + " for " + std::to_string(threads) + " threads\n" +
                           compiled->plan().explain();
                }
            }
        }
        calls += executor.calls();
    }
    return {};
}

TEST(SharedSteps, HaveTheSameBitsForAnyNumberOfParts) {
    for (const LongStep &step : long_steps()) {
        std::size_t calls = 0;
        for (const char *isa : distinct_isas({"baseline", "avx2", "native"})) {
            Settings settings;
            settings.isa = isa;
            for (const std::size_t block : {std::size_t{1}, step.described.documents.size()}) {
                EXPECT_EQ(difference(step.described, settings, block, calls), "")
                    << step.what << " with " << isa << " in blocks of " << block;
            }
        }
        EXPECT_NE(calls, 0U) << step.what;
    }
}

TEST(SharedSteps, HaveTheSameBitsInTheConformanceVectors) {
    std::size_t calls = 0;
    for (const VectorCase &vector : vector_cases(4, Stage::document, full_run() ? 1 : 40)) {
        EXPECT_EQ(difference(vector.described, {}, 5, calls), "") << vector.id << ": " << vector.described.text;
    }
}

TEST(SharedSteps, HaveTheSameBitsInRandomPrograms) {
    const std::uint64_t first = first_seed();
    for (std::uint64_t seed = first; seed < first + seed_count(30); ++seed) {
        const random::RandomExpression random = wide_expression(seed, Numbers::any);
        const Case described = make_case(random, Numbers::any, 4);
        std::size_t calls = 0;
        if (Compiled::make(described, {})) {  // it may be beyond the limits
            ASSERT_EQ(difference(described, {}, 5, calls), "") << random.reproducer();
        }
    }
}

}  // namespace
}  // namespace tenrex::differential

// Threads share a plan and a query, each with its own context, or the steps of one evaluation. The thread sanitizer
// watches (scripts/check tsan).
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <tenrex/formats.h>

#include "tests/conformance/comparison.h"
#include "tests/conformance/isas.h"
#include "tests/differential/case.h"
#include "tests/differential/executors.h"
#include "tests/differential/long_steps.h"
#include "tests/differential/vector_case.h"

namespace tenrex::differential {
namespace {

using random::Numbers;

constexpr std::size_t thread_count = 8;
constexpr std::size_t documents = 4;

// Evaluates in all threads at once, several times each; returns what the first wrong one found.
std::string disagreement(const Case &described) {
    const auto compiled = Compiled::make(described, {});
    if (!compiled) {
        return compiled.error().message();
    }
    const std::vector<std::size_t> order = some_documents(described, 9);
    const auto buffers = compiled->columns(described, order);
    const std::vector<Column> columns = describe(*buffers);
    Context context(compiled->plan());
    const auto expected = compiled->query().evaluate_tensors({order.size(), columns}, context);
    if (!expected) {
        return expected.error().message();
    }
    std::vector<std::string> problems(thread_count);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < thread_count; ++t) {
        threads.emplace_back([&, t] {
            Context own(compiled->plan());
            for (int round = 0; round < 3; ++round) {
                const auto found = compiled->query().evaluate_tensors({order.size(), columns}, own);
                if (!found) {
                    problems[t] = found.error().message();
                } else if (*found != *expected) {
                    problems[t] = "thread " + std::to_string(t) + " has other values";
                }
            }
        });
    }
    std::string first;
    for (std::size_t t = 0; t < thread_count; ++t) {
        threads[t].join();
        if (first.empty()) {
            first = problems[t];
        }
    }
    return first;
}

// What differs from the values without an executor, or nothing; the steps that were shared are counted.
std::string difference_with_threads(const Case &described, const char *isa, std::size_t block, std::size_t &calls) {
    Settings settings;
    settings.isa = isa;
    const auto compiled = Compiled::make(described, settings);
    if (!compiled) {
        return compiled.error().message();
    }
    const auto buffers = compiled->columns(described, some_documents(described, block));
    const std::vector<Column> columns = describe(*buffers);
    Context alone(compiled->plan());
    const auto expected = compiled->query().evaluate_tensors({block, columns}, alone);
    for (const std::size_t threads : {2, 3, 7}) {
        ThreadsForParts executor(threads);
        Context context(compiled->plan(), executor);
        const auto values = compiled->query().evaluate_tensors({block, columns}, context);
        if (!values || !expected) {
            return (values ? expected : values).error().message();
        }
        calls += executor.calls();
        for (std::size_t i = 0; i < values->size(); ++i) {
            if (!conformance::same_bits((*values)[i], (*expected)[i])) {
                return "value " + std::to_string(i) + " for " + std::to_string(threads) + " threads\n" +
                       compiled->plan().explain();
            }
        }
    }
    return {};
}

TEST(Threads, ShareSteps) {
    for (const LongStep &step : long_steps()) {
        std::size_t calls = 0;
        for (const char *isa : distinct_isas({"baseline", "avx2", "native"})) {
            for (const std::size_t block : {std::size_t{1}, step.described.documents.size()}) {
                EXPECT_EQ(difference_with_threads(step.described, isa, block, calls), "")
                    << step.what << " with " << isa << " in blocks of " << block;
            }
        }
        EXPECT_NE(calls, 0U) << step.what;
    }
}

TEST(Threads, ShareThePlansOfRandomPrograms) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const random::RandomExpression random = random::random_expression(seed, {.numbers = Numbers::any});
        EXPECT_EQ(disagreement(make_case(random, Numbers::any, documents)), "") << random.reproducer();
    }
}

TEST(Threads, ShareThePlansOfTheConformanceVectors) {
    for (const Stage stage : {Stage::query, Stage::document}) {
        for (const VectorCase &vector : vector_cases(documents, stage, 40)) {
            EXPECT_EQ(disagreement(vector.described), "") << vector.id << ": " << vector.described.text;
        }
    }
}

TEST(Threads, BindQueriesOfOnePlan) {
    Schema schema;
    schema.query("q", *TensorType::parse("tensor(x{})")).document("d", *TensorType::parse("tensor(x{})"));
    const auto plan = compile("sum(q*d)", schema);
    ASSERT_TRUE(plan) << plan.error().message();
    ColumnBuffer buffer(plan->document_inputs().front().type, plan->labels());
    ASSERT_TRUE(buffer.append(*from_literal("tensor(x{}):{a:1,b:2,c:3}")));
    const Column columns[] = {buffer.column()};
    std::vector<double> scores(thread_count);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < thread_count; ++t) {
        threads.emplace_back([&, t] {
            const std::string text = "tensor(x{}):{b:" + std::to_string(t) + ",only" + std::to_string(t) + ":1}";
            const auto query = plan->bind({{"q", *from_literal(text)}});
            Context context(*plan);
            if (!query || !query->evaluate({1, columns}, context, std::span(&scores[t], 1))) {
                scores[t] = -1;
            }
        });
    }
    for (std::size_t t = 0; t < thread_count; ++t) {
        threads[t].join();
        EXPECT_EQ(scores[t], 2.0 * static_cast<double>(t));
    }
}

}  // namespace
}  // namespace tenrex::differential

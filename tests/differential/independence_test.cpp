// A document's value has the same bits whatever the size of the block, its place in it, its neighbours, the context's
// past and the thread.
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/conformance/comparison.h"
#include "tests/differential/case.h"
#include "tests/differential/vector_case.h"

namespace tenrex::differential {
namespace {

using random::Numbers;
using random::RandomExpression;
using random::Source;

constexpr std::size_t documents = 5;

// What differs from the values of each document alone, or nothing.
std::string dependence(const Case &described, const Settings &settings, Source &source) {
    const auto compiled = Compiled::make(described, settings);
    if (!compiled) {
        return compiled.error().message();
    }
    std::vector<Tensor> alone;
    for (std::size_t document = 0; document < described.documents.size(); ++document) {
        Context fresh(compiled->plan());
        const std::size_t order[] = {document};
        const auto values = evaluate(*compiled, described, order, fresh);
        if (!values) {
            return values.error().message();
        }
        alone.push_back(values->front());
    }
    Context context(compiled->plan());
    const std::size_t several_pieces = source.chance(20) ? 577 : 65;
    for (const std::size_t block : {std::size_t{3}, 1 + source.below(20), several_pieces, std::size_t{1}}) {
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < block; ++i) {
            order.push_back(source.below(described.documents.size()));
        }
        const auto values = evaluate(*compiled, described, order, context);
        if (!values) {
            return values.error().message();
        }
        for (std::size_t i = 0; i < block; ++i) {
            if (!conformance::same_bits((*values)[i], alone[order[i]])) {
                return "document " + std::to_string(i) + " of " + std::to_string(block) + "\n" +
                       compiled->plan().explain();
            }
        }
    }
    return {};
}

class IndependenceOfDocuments : public testing::TestWithParam<Numbers> {};

TEST_P(IndependenceOfDocuments, OfRandomPrograms) {
    const std::uint64_t first = first_seed();
    for (std::uint64_t seed = first; seed < first + seed_count(150); ++seed) {
        const RandomExpression random =
            random::random_expression(seed, {.numbers = GetParam(), .depth = 2 + static_cast<std::size_t>(seed % 4)});
        const auto found = [&](const RandomExpression &expression) {
            Source source(seed);
            return dependence(make_case(expression, GetParam(), documents), {}, source);
        };
        if (!found(random).empty()) {
            const RandomExpression small = shrink(random, [&](const RandomExpression &smaller) {
                return Compiled::make(make_case(smaller, GetParam(), documents), {}) && !found(smaller).empty();
            });
            FAIL() << found(small) << small.reproducer();
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, IndependenceOfDocuments, testing::Values(Numbers::any, Numbers::smooth),
                         [](const auto &test) { return std::string(test.param == Numbers::any ? "any" : "smooth"); });

TEST(IndependenceOfDocuments, OfTheConformanceVectors) {
    Source source(1);
    std::size_t failures = 0;
    for (const VectorCase &vector : vector_cases(documents, Stage::document, full_run() ? 1 : 4)) {
        const std::string found = dependence(vector.described, {}, source);
        if (!found.empty() && ++failures <= 10) {
            ADD_FAILURE() << vector.id << ": " << vector.described.text << "\n" << found;
        }
    }
}

TEST(IndependenceOfDocuments, OfTheNumberOfThreads) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const RandomExpression random = random::random_expression(seed, {.numbers = Numbers::smooth});
        const Case described = make_case(random, Numbers::smooth, documents);
        const auto compiled = Compiled::make(described, {});
        ASSERT_TRUE(compiled) << compiled.error().message();
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < 60; ++i) {
            order.push_back(i * 7 % documents);
        }
        Context context(compiled->plan());
        const auto whole = evaluate(*compiled, described, order, context);
        ASSERT_TRUE(whole) << whole.error().message();
        for (const std::size_t count : {std::size_t{2}, std::size_t{5}}) {
            std::vector<std::vector<Tensor>> parts(count);
            std::vector<std::thread> threads;
            for (std::size_t t = 0; t < count; ++t) {
                // The columns' labels have ids already: appending changes nothing that the threads share.
                threads.emplace_back([&, t, buffers = compiled->columns(described, order)] {
                    const std::size_t begin = t * order.size() / count;
                    const std::size_t end = (t + 1) * order.size() / count;
                    std::vector<Column> columns;
                    for (const ColumnBuffer &buffer : *buffers) {
                        columns.push_back(buffer.column(begin));
                    }
                    Context own(compiled->plan());
                    parts[t] = *compiled->query().evaluate_tensors({end - begin, columns}, own);
                });
            }
            std::vector<Tensor> joined;
            for (std::size_t t = 0; t < count; ++t) {
                threads[t].join();
                joined.insert(joined.end(), parts[t].begin(), parts[t].end());
            }
            ASSERT_EQ(joined.size(), whole->size());
            for (std::size_t i = 0; i < joined.size(); ++i) {
                EXPECT_TRUE(conformance::same_bits(joined[i], (*whole)[i])) << random.reproducer();
            }
        }
    }
}

}  // namespace
}  // namespace tenrex::differential

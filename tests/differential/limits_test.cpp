// With small limits an expression has the values that it has without, or an error that names the limit.
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/conformance/comparison.h"
#include "tests/differential/case.h"
#include "tests/differential/vector_case.h"

namespace tenrex::differential {
namespace {

constexpr std::size_t documents = 3;

// The values of some documents, or the error.
Result<std::vector<Tensor>> values(const Case &described, std::uint64_t evaluation_cells) {
    Settings settings;
    settings.evaluation_cells = evaluation_cells;
    const auto compiled = Compiled::make(described, settings);
    if (!compiled) {
        return compiled.error();
    }
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < 70; ++i) {
        order.push_back(i % described.documents.size());
    }
    const auto buffers = compiled->columns(described, order);
    if (!buffers) {
        return buffers.error();
    }
    const std::vector<Column> columns = describe(*buffers);
    Context context(compiled->plan());
    return compiled->query().evaluate_tensors({order.size(), columns}, context);
}

std::string wrong_with_small_limits(const Case &described) {
    const auto expected = values(described, 0);
    if (!expected) {
        return "";
    }
    for (const std::uint64_t cells : {1, 3, 10, 30, 100, 1000, 10000}) {
        const auto found = values(described, cells);
        if (!found) {
            if (found.error().message().find("evaluation_cells") == std::string::npos) {
                return std::to_string(cells) + " cells: " + found.error().message();
            }
            continue;
        }
        for (std::size_t i = 0; i < expected->size(); ++i) {
            if (!conformance::same_bits((*found)[i], (*expected)[i])) {
                return std::to_string(cells) + " cells: value " + std::to_string(i) + " differs";
            }
        }
    }
    return "";
}

TEST(SmallLimits, RefuseOrChangeNothingOfTheVectors) {
    std::size_t failures = 0;
    for (const Stage stage : {Stage::constant, Stage::query, Stage::document}) {
        for (const VectorCase &vector : vector_cases(documents, stage, full_run() ? 1 : 5)) {
            const std::string found = wrong_with_small_limits(vector.described);
            if (!found.empty() && ++failures <= 10) {
                ADD_FAILURE() << vector.id << ": " << vector.described.text << "\n" << found;
            }
        }
    }
    EXPECT_EQ(failures, 0u);
}

TEST(SmallLimits, RefuseOrChangeNothingOfRandomPrograms) {
    const std::uint64_t first = first_seed();
    for (std::uint64_t seed = first; seed < first + seed_count(200); ++seed) {
        const random::RandomExpression random = random::random_expression(seed);
        const std::string found = wrong_with_small_limits(make_case(random, random::Numbers::any, documents));
        ASSERT_EQ(found, "") << random.reproducer();
    }
}

}  // namespace
}  // namespace tenrex::differential

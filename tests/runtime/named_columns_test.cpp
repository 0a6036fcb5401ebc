// Columns by the names of inputs: what is computed, and what is refused.
#include <array>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tenrex/columns.h>
#include <tenrex/version.h>

namespace tenrex::named_columns_test {
namespace {

using testing::ElementsAre;

Schema schema() {
    Schema schema;
    schema.document("price").document("vector", "tensor<float>(x[2])").document("bits", "tensor<int8>(b[2])");
    schema.document("tags", "tensor<float>(k{})").document("lang", "string").document("bm25(title)");
    return schema;
}

Plan compiled(std::string_view text) {
    auto plan = compile(text, schema());
    EXPECT_TRUE(plan) << plan.error().message();
    return *std::move(plan);
}

std::vector<double> scores(const Plan &plan, const Columns &columns, std::size_t documents, std::size_t first = 0) {
    const auto block = columns.block(documents, first);
    EXPECT_TRUE(block) << block.error().render();
    const auto query = plan.bind({});
    Context context(plan);
    std::vector<double> result(documents);
    EXPECT_TRUE(query->evaluate(*block, context, result));
    return result;
}

std::string problem(const Status &status) {
    return status ? "" : status.error().message();
}

const double prices[] = {1, 2, 3};
const float vectors[] = {1, 10, 2, 20, 3, 30};

TEST(NamedColumns, DoNotDependOnTheOrderOfInputs) {
    for (const char *text : {"price + 100*sum(vector)", "100*sum(vector) + price"}) {
        const Plan plan = compiled(text);
        Columns columns(plan);
        EXPECT_TRUE(columns.set("vector", std::span<const float>(vectors)));
        EXPECT_TRUE(columns.set(" price", std::span<const double>(prices)));
        EXPECT_THAT(scores(plan, columns, 3), ElementsAre(1101, 2202, 3303));
        EXPECT_THAT(scores(plan, columns, 1, 2), ElementsAre(3303));
    }
}

TEST(NamedColumns, AreFieldsOfStructs) {
    struct Item {
        double price;
        std::array<std::int8_t, 2> bits;
        float vector[2];
    };
    const Item items[] = {{1, {1, 2}, {10, 20}}, {2, {3, 4}, {30, 40}}};
    const Plan plan = compiled("price + 10*sum(bits) + 1000*sum(vector)");
    Columns columns(plan);
    EXPECT_TRUE(columns.set("price", std::span<const Item>(items), &Item::price));
    EXPECT_TRUE(columns.set("bits", std::span<const Item>(items), &Item::bits));
    EXPECT_TRUE(columns.set("vector", std::span<const Item>(items), &Item::vector));
    EXPECT_THAT(scores(plan, columns, 2), ElementsAre(30031, 70072));
}

TEST(NamedColumns, AreTextsAndColumnsOfAnyKind) {
    const Plan plan = compiled("if(lang == \"de\", 1, 2) + sum(tags) + bm25(title)");
    Columns columns(plan);
    const std::string_view langs[] = {"de", "at"};
    EXPECT_TRUE(columns.set("lang", std::span<const std::string_view>(langs)));
    const std::uint64_t offsets[] = {0, 1, 3};
    const Label labels[] = {numeric_label(1), numeric_label(1), numeric_label(2)};
    const float weights[] = {10, 20, 30};
    EXPECT_TRUE(columns.set("tags", Column::sparse(offsets, labels, weights)));
    const double same = 100;
    EXPECT_TRUE(columns.set("bm25(title)", Column::dense(&same, 0)));
    EXPECT_THAT(scores(plan, columns, 2), ElementsAre(111, 152));
}

TEST(NamedColumns, RefuseOtherTypesAndSizes) {
    const Plan plan = compiled("price + sum(vector) + sum(tags) + (lang == \"de\")");
    Columns columns(plan);
    EXPECT_EQ(problem(columns.set("price", std::span<const float>(vectors))),
              "the column for 'price' has cells of type float, but its type is double");
    EXPECT_EQ(problem(columns.set("vector", std::span<const float>(vectors, 5))),
              "the column for 'vector' has 5 cells, but a document has 2: its type is tensor<float>(x[2])");
    EXPECT_EQ(problem(columns.set("tags", std::span<const float>(vectors))),
              "the column for 'tags' does not fit its type tensor<float>(k{}): it has no addresses (give it as "
              "Column::sparse(...))");
    struct Row {
        float vector[3];
    };
    const Row rows[1] = {};
    EXPECT_EQ(problem(columns.set("vector", std::span<const Row>(rows), &Row::vector)),
              "the column for 'vector' has 3 cells for a document, but its type is tensor<float>(x[2])");
    const std::string_view texts[] = {"a"};
    EXPECT_EQ(problem(columns.set("price", std::span<const std::string_view>(texts))),
              "the column for 'price' has texts, but its type is double (declare the input with the type \"string\")");
}

TEST(NamedColumns, TellWhichAreMissingOrTooShort) {
    const Plan plan = compiled("price + bm25(title)");
    Columns columns(plan);
    EXPECT_TRUE(columns.set("bm25(titel)", std::span<const double>(prices))) << "documents may have more";
    EXPECT_TRUE(columns.set("price", std::span<const double>(prices)));
    const auto missing = columns.block(3);
    ASSERT_FALSE(missing);
    EXPECT_EQ(
        missing.error().message(),
        "there is no column for 'bm25(title)' of type double (there is one for 'bm25(titel)', which the plan does "
        "not use)");
    EXPECT_TRUE(columns.set("bm25(title)", std::span<const double>(prices)));
    EXPECT_TRUE(columns.block(3));
    EXPECT_TRUE(columns.block(0, 3));
    EXPECT_EQ(columns.block(2, 2).error().issues().size(), 2U);
    EXPECT_THAT(columns.block(4).error().message(),
                testing::HasSubstr("has 3 documents, 4 from number 0 on are asked for"));
}

TEST(Version, IsThatOfTheHeader) {
    EXPECT_EQ(version(), std::to_string(TENREX_VERSION_MAJOR) + "." + std::to_string(TENREX_VERSION_MINOR) + "." +
                             std::to_string(TENREX_VERSION_PATCH));
    EXPECT_EQ(TENREX_VERSION_NUMBER, TENREX_VERSION_MAJOR * 10000 + TENREX_VERSION_MINOR * 100 + TENREX_VERSION_PATCH);
}

}  // namespace
}  // namespace tenrex::named_columns_test

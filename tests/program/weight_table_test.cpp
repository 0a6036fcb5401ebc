// Sums of products over the labels that a table has.
#include "lib/program/sparse/weight_table.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace tenrex::program {
namespace {

template <class Cell>
std::vector<std::byte> misaligned(const std::vector<Cell> &cells) {
    std::vector<std::byte> bytes(cells.size() * sizeof(Cell) + 1);
    if (!cells.empty()) {
        std::memcpy(bytes.data() + 1, cells.data(), cells.size() * sizeof(Cell));
    }
    return bytes;
}

template <class Cell>
class WeightTableOf : public testing::Test {};
using CellTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(WeightTableOf, CellTypes);

TYPED_TEST(WeightTableOf, SumsOverTheLabelsThatItHas) {
    std::mt19937_64 random(4);
    for (const std::size_t count : {0, 1, 3, 16, 300, 1000}) {
        std::vector<Label> labels;
        std::vector<TypeParam> weights;
        for (std::size_t i = 0; i < count; ++i) {
            labels.push_back(Label{(std::uint64_t{1} << 63) + 3 * i});
            weights.push_back(static_cast<TypeParam>(1 + random() % 8));
        }
        WeightTable table;
        ASSERT_TRUE(table.template build<TypeParam>(labels.data(), misaligned(weights).data() + 1, count)) << count;
        for (const std::size_t length : {0, 1, 2, 5, 64, 333}) {
            std::vector<Label> others;
            std::vector<TypeParam> cells;
            double expected = 0;
            for (std::size_t i = 0; i < length; ++i) {
                others.push_back(Label{(std::uint64_t{1} << 63) + 2 * i});
                cells.push_back(static_cast<TypeParam>(random() % 8));
                const bool shared = 2 * i % 3 == 0 && 2 * i / 3 < count;
                expected += shared ? static_cast<double>(weights[2 * i / 3]) * static_cast<double>(cells[i]) : 0;
            }
            EXPECT_EQ(table.template dot<TypeParam>(others.data(), misaligned(cells).data() + 1, length), expected);
        }
    }
}

TYPED_TEST(WeightTableOf, CellsOfOtherLabelsDoNotCount) {
    constexpr auto infinity = std::numeric_limits<TypeParam>::infinity();
    const std::vector<Label> labels = {Label{1}, Label{2}};
    const std::vector<TypeParam> weights = {2, 3};
    WeightTable table;
    ASSERT_TRUE(table.template build<TypeParam>(labels.data(), misaligned(weights).data() + 1, 2));
    std::vector<Label> others;
    std::vector<TypeParam> cells;
    for (std::uint64_t i = 2; i < 100; ++i) {
        others.push_back(Label{i});
        cells.push_back(i == 2 ? TypeParam{5} : i % 2 == 0 ? infinity : std::numeric_limits<TypeParam>::quiet_NaN());
    }
    const auto dot = [&] {
        return table.template dot<TypeParam>(others.data(), misaligned(cells).data() + 1, cells.size());
    };
    EXPECT_EQ(dot(), 15);
    cells[0] = infinity;
    EXPECT_EQ(dot(), std::numeric_limits<double>::infinity());
    ASSERT_TRUE(table.template build<TypeParam>(labels.data(), misaligned<TypeParam>({2, 0}).data() + 1, 2));
    EXPECT_TRUE(std::isnan(dot()));
}

TEST(WeightTable, LabelsThatCannotBeLaidOutAreRefused) {
    std::vector<Label> labels;
    std::vector<float> weights(5000, 1.0f);
    std::mt19937_64 random(5);
    for (std::size_t i = 0; i < 5000; ++i) {
        labels.push_back(Label{random() >> 1});
    }
    WeightTable table;
    EXPECT_FALSE(table.build<float>(labels.data(), misaligned(weights).data() + 1, 5000));
    EXPECT_FALSE(table.build<float>(labels.data(), misaligned(weights).data() + 1, 3000));
    // It may be built again with others.
    ASSERT_TRUE(table.build<float>(labels.data(), misaligned(weights).data() + 1, 20));
    EXPECT_EQ(table.dot<float>(labels.data(), misaligned(weights).data() + 1, 5000), 20);
}

}  // namespace
}  // namespace tenrex::program

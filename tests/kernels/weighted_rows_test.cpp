// Sums of rows with weights.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "lib/kernels/reduce/reduce_kernels.h"
#include "tests/kernels/guarded_memory.h"
#include "tests/kernels/row.h"

namespace tenrex::kernels {
namespace {

class WeightedRowsOf : public testing::TestWithParam<const WeightedRowsKernel *> {
protected:
    void SetUp() override {
        if (const Isa absent = target_isa(kernel().target) - detected_isa(); !absent.empty()) {
            GTEST_SKIP() << "this CPU lacks " << to_string(absent);
        }
    }
    static const WeightedRowsKernel &kernel() { return *GetParam(); }
};

std::vector<const WeightedRowsKernel *> all_kernels() {
    std::vector<const WeightedRowsKernel *> all;
    for (const WeightedRowsKernel &kernel : weighted_rows_kernels()) {
        all.push_back(&kernel);
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(Kernels, WeightedRowsOf, testing::ValuesIn(all_kernels()), [](const auto &parameter) {
    return std::string(parameter.param->function_name) + "_" + std::string(name(parameter.param->target));
});

// The rows lie between pages that can not be read, and so do the sums.
TEST_P(WeightedRowsOf, any_number_of_columns_and_pairs) {
    constexpr std::size_t most_columns = 200;
    constexpr std::size_t rows = 9;
    const std::vector<std::uint32_t> row_of = {8, 0, 3, 3, 7, 1, 0, 5};
    const std::vector<std::uint32_t> weight_of = {2, 1, 0, 3, 3, 4, 4, 2};
    std::mt19937 random(1);
    const GuardedMemory memory(rows * most_columns * sizeof(double));
    const GuardedMemory results(most_columns * sizeof(double));
    const Row weights = random_row(kernel().type, 5, random);
    for (std::size_t columns = 1; columns <= most_columns; columns = columns < 80 ? columns + 1 : columns + 23) {
        const Row cells = random_row(kernel().type, rows * columns, random);
        char *const first =
            columns % 2 == 0 ? memory.back(cells.bytes.size()) : memory.front() + columns % 3;  // at any place
        std::copy(cells.bytes.begin(), cells.bytes.end(), first);
        for (std::size_t pairs = 0; pairs <= row_of.size(); ++pairs) {
            Row sums = make_row(kernel().type, columns);
            char *const place = results.back(sums.bytes.size());
            kernel().function({first, row_of.data(), weights.bytes.data(), weight_of.data(), pairs, columns, place});
            std::copy(place, place + sums.bytes.size(), sums.bytes.begin());
            for (std::size_t i = 0; i < columns; ++i) {
                long double wanted = 0;
                long double magnitudes = 0;
                for (std::size_t k = 0; k < pairs; ++k) {
                    const long double product =
                        static_cast<long double>(cells[row_of[k] * columns + i]) * weights[weight_of[k]];
                    wanted += product;
                    magnitudes += std::fabs(product);
                }
                // Of floats all is exact enough but for the last rounding.
                const long double tolerance =
                    magnitudes * (kernel().type == CellType::f32 ? 0x1p-24L : 16 * 0x1p-53L) + 0x1p-140L;
                ASSERT_LE(std::fabs(sums[i] - wanted), tolerance) << "column " << i << " of " << columns;
            }
        }
    }
}

// Sums of floats are formed in double: what cancels out leaves what was small.
TEST_P(WeightedRowsOf, what_cancels_out) {
    Row cells = make_row(kernel().type, 3);
    Row weights = make_row(kernel().type, 3);
    cells.set(0, 0x1p23);
    cells.set(1, 1 + 0x1p-20);
    cells.set(2, -0x1p23);
    for (std::size_t i = 0; i < 3; ++i) {
        weights.set(i, 3);
    }
    const std::uint32_t order[] = {0, 1, 2};
    Row sum = make_row(kernel().type, 1);
    kernel().function({cells.bytes.data(), order, weights.bytes.data(), order, 3, 1, sum.bytes.data()});
    EXPECT_EQ(sum[0], 3 * (1 + 0x1p-20));
}

}  // namespace
}  // namespace tenrex::kernels

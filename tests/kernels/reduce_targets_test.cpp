// The kernels of avx512wide add and multiply in the order of those of avx512, so processors that differ in nothing but
// how fast they convert give the same bits.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "lib/kernels/reduce/reduce_kernels.h"

namespace tenrex::kernels {
namespace {

std::vector<float> random_cells(std::size_t count) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> uniform(-1.5F, 1.5F);
    std::vector<float> cells(count);
    for (float &cell : cells) {
        cell = uniform(random);
    }
    return cells;
}

const ReduceKernel *kernel_of(ReduceOperation operation, Target target) {
    for (const ReduceKernel &kernel : reduce_kernels()) {
        if (kernel.operation == operation && kernel.type == CellType::f32 && kernel.target == target) {
            return &kernel;
        }
    }
    return nullptr;
}

class WideConversions : public testing::TestWithParam<ReduceOperation> {
protected:
    void SetUp() override {
        if (!detected_isa().contains(target_isa(Target::avx512))) {
            GTEST_SKIP() << "this CPU lacks avx512";
        }
        halves_ = kernel_of(GetParam(), Target::avx512);
        wide_ = kernel_of(GetParam(), Target::avx512wide);
        ASSERT_TRUE(halves_ != nullptr && wide_ != nullptr);
    }

    const ReduceKernel *halves_ = nullptr;
    const ReduceKernel *wide_ = nullptr;
};

TEST_P(WideConversions, change_no_bit_of_a_row) {
    const std::vector<float> cells = random_cells(1100);
    for (std::size_t length = 1; length <= 1099; length += length < 100 ? 1 : 37) {
        double halves = 0;
        double wide = 0;
        halves_->function({cells.data() + 1, 0, 1, length, &halves});
        wide_->function({cells.data() + 1, 0, 1, length, &wide});
        ASSERT_EQ(std::bit_cast<std::uint64_t>(wide), std::bit_cast<std::uint64_t>(halves)) << length;
    }
}

TEST_P(WideConversions, change_no_bit_of_columns) {
    constexpr std::size_t rows = 9;
    for (std::size_t columns = 1; columns <= 150; ++columns) {
        const std::vector<float> cells = random_cells(rows * columns);
        const double neutral = GetParam() == ReduceOperation::prod ? 1 : 0;
        std::vector<double> halves(columns, neutral);
        std::vector<double> wide(columns, neutral);
        const auto stride = static_cast<std::ptrdiff_t>(columns * sizeof(float));
        halves_->columns({cells.data(), stride, rows, columns, halves.data()});
        wide_->columns({cells.data(), stride, rows, columns, wide.data()});
        ASSERT_EQ(wide, halves) << columns;
    }
}

INSTANTIATE_TEST_SUITE_P(Sums, WideConversions, testing::Values(ReduceOperation::sum, ReduceOperation::prod),
                         [](const auto &tested) { return std::string(name(tested.param)); });

}  // namespace
}  // namespace tenrex::kernels

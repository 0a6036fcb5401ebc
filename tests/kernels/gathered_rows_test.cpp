#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "lib/kernels/gathered/gathered_kernels.h"
#include "tests/kernels/guarded_memory.h"
#include "tests/kernels/row.h"

namespace tenrex::kernels {
namespace {

// Every kernel of the list, one test each; those that this machine cannot run are skipped and say why.
class GatheredRows : public testing::TestWithParam<const GatheredKernel *> {
protected:
    static constexpr std::uint32_t stored = 23;

    void SetUp() override {
        const Isa absent = target_isa(kernel().target) - detected_isa();
        if (!absent.empty()) {
            GTEST_SKIP() << "this CPU lacks " << to_string(absent);
        }
    }
    static const GatheredKernel &kernel() { return *GetParam(); }

    // What a kernel over pairs of rows gives, for each plane.
    static float of_pair(const Row &a, const char *b) {
        const std::size_t length = a.length() / kernel().planes;
        float sum = 0;
        for (std::size_t plane = 0; plane < kernel().planes; ++plane) {
            sum += std::ldexp(of_plane(a.bytes.data() + plane * length * byte_size(a.type), b, length),
                              static_cast<int>(plane));
        }
        return sum;
    }
    static float of_plane(const char *a, const char *b, std::size_t length) {
        for (const RowPairKernel &pairs : row_pair_kernels()) {
            if (pairs.target == kernel().target && pairs.operation == kernel().operation && pairs.a == kernel().a &&
                pairs.b == kernel().b) {
                float narrow = 0;
                double wide = 0;
                const bool is_wide = pairs.out == CellType::f64;
                void *out = is_wide ? static_cast<void *>(&wide) : static_cast<void *>(&narrow);
                pairs.function({a, 0, b, 0, 1, length, out});
                return is_wide ? static_cast<float>(wide) : narrow;
            }
        }
        ADD_FAILURE() << "there is no kernel over pairs of rows";
        return 0;
    }
};

std::vector<const GatheredKernel *> all_kernels() {
    std::vector<const GatheredKernel *> kernels;
    for (const GatheredKernel &kernel : gathered_kernels()) {
        kernels.push_back(&kernel);
    }
    return kernels;
}

std::string test_name(const testing::TestParamInfo<const GatheredKernel *> &parameter) {
    return std::string(parameter.param->function_name) + "_" + std::string(name(parameter.param->target));
}

INSTANTIATE_TEST_SUITE_P(Kernels, GatheredRows, testing::ValuesIn(all_kernels()), test_name);

TEST_P(GatheredRows, have_the_bits_of_pairs_of_rows_in_any_company_and_read_nothing_else) {
    std::mt19937 random(1);
    const std::size_t cell = byte_size(kernel().b);
    const GuardedMemory memory(stored * (1600 * cell + 64));
    for (const std::size_t length : {1, 3, 8, 15, 16, 17, 31, 48, 63, 64, 65, 100, 127, 128, 384, 1000, 1536}) {
        const Row a = random_row(kernel().a, kernel().planes * length, random);
        const std::size_t stride = length * cell + 7;
        char *const rows = memory.back((stored - 1) * stride + length * cell);
        float expected[stored];
        for (std::uint32_t i = 0; i < stored; ++i) {
            const Row row = random_row(kernel().b, length, random);
            std::copy(row.bytes.begin(), row.bytes.end(), rows + i * stride);
            expected[i] = of_pair(a, rows + i * stride);
        }
        for (const std::size_t count : {0, 1, 2, 3, 4, 5, 8, 11, 17}) {
            std::uint32_t numbers[17];
            std::generate(numbers, numbers + count, [&] { return static_cast<std::uint32_t>(random() % stored); });
            float out[18];
            std::fill(std::begin(out), std::end(out), 77.0F);
            kernel().function({a.bytes.data(), rows, stride, numbers, count, length, out});
            for (std::size_t i = 0; i < count; ++i) {
                ASSERT_EQ(out[i], expected[numbers[i]]) << "row " << i << " of " << count << ", " << length << " cells";
            }
            ASSERT_EQ(out[count], 77.0F);
        }
    }
}

TEST(GatheredKernels, are_chosen_for_all_operations_of_indexes) {
    for (const Isa isa : {Isa{}, detected_isa()}) {
        for (const RowPairOperation operation : {RowPairOperation::dot, RowPairOperation::squared_distance}) {
            EXPECT_NE(choose_gathered(operation, CellType::f32, CellType::f32, 1, 384, isa), nullptr);
            EXPECT_NE(choose_gathered(operation, CellType::f32, CellType::bf16, 1, 384, isa), nullptr);
        }
        EXPECT_NE(choose_gathered(RowPairOperation::dot, CellType::i8, CellType::i8, 1, 384, isa), nullptr);
        for (const std::size_t planes : {1, 4}) {
            EXPECT_NE(choose_gathered(RowPairOperation::hamming, CellType::i8, CellType::i8, planes, 48, isa), nullptr);
        }
    }
    EXPECT_EQ(choose_gathered(RowPairOperation::dot, CellType::f64, CellType::f64, 1, 384, detected_isa()), nullptr);
}

}  // namespace
}  // namespace tenrex::kernels

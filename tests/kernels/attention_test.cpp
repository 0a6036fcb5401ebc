// Kernels for attention, against the definition in double. Those of bfloat16 are given such cells; what they are off by
// is what the rounding of weights and the errors that attention.h allows come to.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "lib/kernels/attention/attention_kernels.h"
#include "tests/kernels/guarded_memory.h"

namespace tenrex::kernels {
namespace {

struct Shape {
    std::size_t heads, queries, keys, width, columns;
};

struct Mask {
    AttentionMask masking = AttentionMask::none;
    bool by_query = false, by_key = true, by_head = false;
};

class AttentionTest : public testing::TestWithParam<const AttentionKernel *> {
protected:
    void SetUp() override {
        const Isa absent = target_isa(kernel().target) - detected_isa();
        if (!absent.empty()) {
            GTEST_SKIP() << "this CPU lacks " << to_string(absent);
        }
    }
    static const AttentionKernel &kernel() { return *GetParam(); }

    static bool in_halves() { return kernel().type == CellType::bf16; }
    static std::vector<float> random(std::size_t count) {
        static std::mt19937 engine(1);
        std::vector<float> cells(count);
        std::generate(cells.begin(), cells.end(), [] { return std::uniform_real_distribution<float>(-2, 2)(engine); });
        if (in_halves()) {
            std::transform(cells.begin(), cells.end(), cells.begin(), upper_half);
        }
        return cells;
    }
    static std::uint16_t half_of(float cell) {
        return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(cell) >> 16);
    }
    static float upper_half(float cell) { return std::bit_cast<float>(std::uint32_t{half_of(cell)} << 16); }

    // Cells of rows by heads, row by row, or head by head.
    struct Operand {
        std::vector<float> cells;
        std::ptrdiff_t row, head;
        const float *at(std::size_t of_head, std::size_t of_row) const {
            return cells.data() + static_cast<std::ptrdiff_t>(of_head) * head +
                   static_cast<std::ptrdiff_t>(of_row) * row;
        }
        Attention::Rows rows() const { return {cells.data(), row, head, 1}; }
        // The same cells in the kernel's type, which `halves` keeps.
        Attention::Rows rows(std::vector<std::uint16_t> &halves) const {
            if (!in_halves()) {
                return rows();
            }
            halves.resize(cells.size());
            std::transform(cells.begin(), cells.end(), halves.begin(), half_of);
            return {halves.data(), row, head, 1};
        }
    };
    static Operand operand(std::size_t heads, std::size_t rows, std::size_t width, bool by_head) {
        const auto cells = static_cast<std::ptrdiff_t>(width);
        return {random(heads * rows * width), by_head ? cells : cells * static_cast<std::ptrdiff_t>(heads),
                by_head ? cells * static_cast<std::ptrdiff_t>(rows) : cells};
    }

    struct Problem {
        Shape shape;
        Operand queries, keys, values, mask;
        Mask masked;
        double scale = 0.25, otherwise = -1e4;
        bool subtracts_max = true;
    };
    static Problem problem(const Shape &shape, const Mask &masked, bool by_head) {
        Problem made{shape,
                     operand(shape.heads, shape.queries, shape.width, by_head),
                     operand(shape.heads, shape.keys, shape.width, by_head),
                     operand(shape.heads, shape.keys, shape.columns, by_head),
                     operand(shape.heads, shape.queries, shape.keys, false),
                     masked};
        if (masked.masking == AttentionMask::chosen) {
            for (float &cell : made.mask.cells) {
                cell = cell > 0 ? 1.0F : 0.0F;
            }
        }
        made.mask.row = masked.by_query ? made.mask.row : 0;
        made.mask.head = masked.by_head ? made.mask.head : 0;
        return made;
    }

    static std::vector<float> computed(const Problem &made) {
        const Shape &shape = made.shape;
        Attention call;
        std::vector<std::uint16_t> halves[3];
        call.queries = made.queries.rows(halves[0]);
        call.keys = made.keys.rows(halves[1]);
        call.values = made.values.rows(halves[2]);
        call.heads = shape.heads;
        call.query_count = shape.queries;
        call.key_count = shape.keys;
        call.width = shape.width;
        call.columns = shape.columns;
        call.scale = static_cast<float>(made.scale);
        call.subtracts_max = made.subtracts_max;
        call.masking = made.masked.masking;
        call.otherwise = static_cast<float>(made.otherwise);
        call.mask = made.mask.rows();
        call.mask.cell = made.masked.by_key ? 1 : 0;
        static const GuardedMemory out(1 << 20), room(1 << 22);
        const std::size_t cells = shape.heads * shape.queries * shape.columns;
        call.out = out.back(cells * sizeof(float));
        call.out_row = static_cast<std::ptrdiff_t>(shape.heads * shape.columns);
        call.out_head = static_cast<std::ptrdiff_t>(shape.columns);
        call.room = room.back(attention_room(kernel(), shape.keys, shape.width, shape.columns));
        kernel().function(call);
        std::vector<float> result(cells);
        if (cells != 0) {
            std::memcpy(result.data(), call.out, cells * sizeof(float));
        }
        return result;
    }

    static double masked_score(const Problem &made, std::size_t head, std::size_t query, std::size_t key,
                               double score) {
        const double mask = static_cast<double>(made.mask.at(head, query)[made.masked.by_key ? key : 0]);
        switch (made.masked.masking) {
            case AttentionMask::none:
                return score;
            case AttentionMask::added:
                return score + mask;
            case AttentionMask::chosen:
                return mask != 0 ? score : made.otherwise;
        }
        return score;
    }
    // The cells, and what each may be off by.
    struct Expected {
        std::vector<double> cells, bounds;
    };
    // What a weight may be off by, as a part of itself: half a unit in the last of its 8 bits, and what it is off by
    // before it is rounded.
    static constexpr double of_half = 0x1p-8 + 0x1p-12 + 0x1p-20;
    static Expected expected(const Problem &made) {
        const Shape &shape = made.shape;
        Expected result;
        result.cells.resize(shape.heads * shape.queries * shape.columns);
        result.bounds.resize(result.cells.size(), 1e-5);
        for (std::size_t head = 0; head < shape.heads; ++head) {
            for (std::size_t query = 0; query < shape.queries; ++query) {
                std::vector<double> scores(shape.keys);
                for (std::size_t key = 0; key < shape.keys; ++key) {
                    double score = 0;
                    for (std::size_t i = 0; i < shape.width; ++i) {
                        score += static_cast<double>(made.queries.at(head, query)[i]) *
                                 static_cast<double>(made.keys.at(head, key)[i]);
                    }
                    scores[key] = masked_score(made, head, query, key, score * made.scale);
                }
                const double largest = shape.keys == 0 ? 0 : *std::max_element(scores.begin(), scores.end());
                double sum = 0;
                for (double &score : scores) {
                    sum += score = std::exp(score - largest);
                }
                for (std::size_t column = 0; column < shape.columns; ++column) {
                    const std::size_t place = (query * shape.heads + head) * shape.columns + column;
                    for (std::size_t key = 0; key < shape.keys; ++key) {
                        const double term = scores[key] / sum * static_cast<double>(made.values.at(head, key)[column]);
                        result.cells[place] += term;
                        result.bounds[place] += in_halves() ? std::abs(term) * of_half : 0;
                    }
                }
            }
        }
        return result;
    }

    static void check(const Problem &made) {
        const std::vector<float> found = computed(made);
        const auto [wanted, bounds] = expected(made);
        const Shape &shape = made.shape;
        for (std::size_t i = 0; i < found.size(); ++i) {
            const double cell = static_cast<double>(found[i]);
            ASSERT_TRUE(std::isnan(wanted[i]) ? std::isnan(cell) : std::abs(cell - wanted[i]) <= bounds[i])
                << "cell " << i << " is " << cell << ", not " << wanted[i] << ": " << shape.queries << " queries, "
                << shape.keys << " keys of " << shape.width << ", values of " << shape.columns;
        }
    }
};

// The kernels of these types.
std::vector<const AttentionKernel *> kernels_of(std::initializer_list<CellType> types) {
    std::vector<const AttentionKernel *> all;
    for (const AttentionKernel &kernel : attention_kernels()) {
        if (std::find(types.begin(), types.end(), kernel.type) != types.end()) {
            all.push_back(&kernel);
        }
    }
    return all;
}

std::string name_of(const testing::TestParamInfo<const AttentionKernel *> &tested) {
    return std::string(tested.param->function_name) + "_" + std::string(name(tested.param->target));
}

class RoundedAttentionTest : public AttentionTest {};

INSTANTIATE_TEST_SUITE_P(Kernels, AttentionTest, testing::ValuesIn(kernels_of({CellType::f32, CellType::bf16})),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Kernels, RoundedAttentionTest, testing::ValuesIn(kernels_of({CellType::bf16})), name_of);

TEST_P(AttentionTest, OfAllSizes) {
    for (const std::size_t count : {0, 1, 2, 3, 5, 13, 14, 15, 16, 17, 29, 31, 33, 64, 127}) {
        check(problem({2, count, count, 32, 32}, {}, false));
        check(problem({3, 5, count, 7, 9}, {}, true));
    }
    for (const std::size_t width : {1, 3, 8, 15, 16, 17, 31, 32, 33, 48, 64, 80}) {
        check(problem({2, 17, 19, width, width}, {}, false));
        check(problem({1, 15, 16, 32, width}, {}, true));
    }
    for (const std::size_t keys : {255, 256, 257, 300, 511, 512}) {
        check(problem({1, 3, keys, 32, 32}, {}, false));
    }
}

TEST_P(AttentionTest, Masks) {
    for (const AttentionMask masking : {AttentionMask::added, AttentionMask::chosen}) {
        for (const bool by_query : {false, true}) {
            for (const bool by_key : {false, true}) {
                for (const bool by_head : {false, true}) {
                    check(problem({2, 17, 21, 16, 16}, {masking, by_query, by_key, by_head}, false));
                }
            }
        }
    }
}

// Each query attends to as many keys as there are: none of them is better. Where all scores are minus infinity, nothing
// is known.
TEST_P(AttentionTest, MaskedRows) {
    Problem made = problem({1, 16, 18, 16, 16}, {AttentionMask::added, true}, false);
    for (std::size_t key = 0; key < made.shape.keys; ++key) {
        made.mask.cells[key] = -std::numeric_limits<float>::max();
    }
    for (std::size_t key = 5; key < made.shape.keys; ++key) {
        made.mask.cells[made.shape.keys + key] = -std::numeric_limits<float>::infinity();
    }
    const std::vector<float> found = computed(made);
    double mean = 0;
    for (std::size_t key = 0; key < made.shape.keys; ++key) {
        mean += static_cast<double>(made.values.at(0, key)[0]) / static_cast<double>(made.shape.keys);
    }
    // All weights are 1/18, rounded or not.
    const double share = 1.0 / 18;
    const double weight = in_halves() ? 0.0556640625 : share;
    ASSERT_LE(std::abs(weight / share - 1), 0x1p-8);
    EXPECT_NEAR(static_cast<double>(found[0]), mean * (weight / share), 1e-6);
    EXPECT_FALSE(std::isnan(found[16]));
    std::fill_n(made.mask.cells.begin(), made.shape.keys, -std::numeric_limits<float>::infinity());
    check([&] {
        Problem others = made;
        std::fill_n(others.mask.cells.begin(), made.shape.keys, 0.0F);
        return others;
    }());
    const std::vector<float> unknown = computed(made);
    EXPECT_TRUE(std::isnan(unknown[0]));
    EXPECT_FALSE(std::isnan(unknown[16]));
}

// Without the maximum, powers may be too large, as they are where they are written so.
TEST_P(AttentionTest, WithoutTheMaximum) {
    Problem made = problem({1, 6, 9, 16, 16}, {}, false);
    made.subtracts_max = false;
    check(made);
    made.scale = 1e4;
    const std::vector<float> found = computed(made);
    EXPECT_TRUE(std::any_of(found.begin(), found.end(), [](float cell) { return std::isnan(cell); }));
}

// A query's cells are the same bits whatever other queries there are.
TEST_P(AttentionTest, QueriesDoNotDependOnEachOther) {
    Problem made = problem({1, 40, 37, 32, 32}, {AttentionMask::added}, false);
    const std::vector<float> all = computed(made);
    for (std::size_t count = 1; count < 40; ++count) {
        made.shape.queries = count;
        const std::vector<float> some = computed(made);
        ASSERT_EQ(std::memcmp(some.data(), all.data(), some.size() * sizeof(float)), 0) << count;
    }
}

TEST_P(RoundedAttentionTest, WeightsAreRoundedToTheNearest) {
    // With the scores 0 and x the weights are 1/(1+e^x) and 1/(1+e^-x).
    for (int i = -400; i <= 400; ++i) {
        const float score = upper_half(static_cast<float>(i) / 64);
        Problem made = problem({1, 1, 2, 1, 1}, {}, false);
        made.queries.cells = {1};
        made.keys.cells = {0, score};
        made.values.cells = {1, 0};
        made.scale = 1;
        const double weight = 1 / (1 + std::exp(static_cast<double>(score)));
        const double unit = std::ldexp(1, std::ilogb(weight) - 7);
        const double found = static_cast<double>(computed(made)[0]);
        EXPECT_EQ(found / unit, std::rint(found / unit)) << score;
        EXPECT_LE(std::abs(found - weight), unit / 2 + weight * 0x1p-12) << score;
    }
}

TEST(AttentionKernels, EachInstructionSetHasOne) {
    for (const CellType type : {CellType::f32, CellType::bf16}) {
        EXPECT_EQ(choose_attention(type, 32, Isa{})->target, Target::baseline);
        EXPECT_EQ(choose_attention(type, 32, Isa{})->type, type);
        EXPECT_FALSE(attention_candidates(type, 32, allowed_isa()).empty());
    }
#if defined(__x86_64__)
    const Isa everything = *isa_level("native");
    EXPECT_EQ(choose_attention(CellType::bf16, 32, everything)->target, Target::amx);
    EXPECT_EQ(choose_attention(CellType::bf16, 32, target_isa(Target::avx512bf16))->target, Target::avx512bf16);
    EXPECT_EQ(choose_attention(CellType::bf16, 32, target_isa(Target::avx512))->target, Target::avx512);
    EXPECT_EQ(choose_attention(CellType::f32, 32, everything)->target, Target::avx512);
#endif
}

}  // namespace
}  // namespace tenrex::kernels

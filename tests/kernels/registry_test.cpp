#include "lib/kernels/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "lib/kernels/convert/convert_kernels.h"
#include "lib/kernels/elementwise/elementwise_kernels.h"
#include "lib/kernels/matmul/matmul_kernels.h"
#include "lib/kernels/normalize/normalize_kernels.h"
#include "lib/kernels/reduce/reduce_kernels.h"
#include "lib/kernels/row_pairs/row_pairs_kernels.h"

namespace tenrex::kernels {
namespace {

using testing::ElementsAre;

using Function = void();
void nothing() {}

// Kernels for every target that an x86-64 CPU might have, with costs that cross: wide vectors pay from 50 cells on.
constexpr Kernel<Function> made_up[] = {
    {"sum", Target::baseline, {1, 1}, nothing},      {"sum", Target::avx2, {2, 0.5}, nothing},
    {"sum_long", Target::avx2, {27, 0.1}, nothing},  {"other", Target::baseline, {0, 0}, nothing},
    {"sum", Target::avx512vnni, {1, 0.05}, nothing},
};

constexpr std::span<const Kernel<Function>> kernels_of_all_targets = made_up;

bool is_sum(const Kernel<Function> &kernel) {
    return kernel.function_name != "other";
}

std::string chosen(std::size_t length, Isa isa) {
    const Kernel<Function> *kernel = cheapest(kernels_of_all_targets, is_sum, length, isa);
    return kernel == nullptr ? "" : full_name(*kernel);
}

TEST(Registry, takes_the_cheapest_for_the_length) {
    EXPECT_EQ(chosen(1, Feature::avx2), "baseline::sum");
    EXPECT_EQ(chosen(2, Feature::avx2), "baseline::sum") << "the first of equals";
    EXPECT_EQ(chosen(3, Feature::avx2), "avx2::sum");
    EXPECT_EQ(chosen(62, Feature::avx2), "avx2::sum");
    EXPECT_EQ(chosen(63, Feature::avx2), "avx2::sum_long");
}

TEST(Registry, stays_below_the_isa) {
    EXPECT_EQ(chosen(1000, Isa{}), "baseline::sum");
    EXPECT_EQ(chosen(1000, Feature::avx512_vnni), "baseline::sum") << "it is not enough to have one of the features";
    EXPECT_EQ(chosen(1000, Feature::avx512_vnni | Feature::avx2), "avx2::sum_long");
    EXPECT_EQ(chosen(1000, target_isa(Target::avx512vnni)), "avx512vnni::sum");
}

TEST(Registry, finds_nothing_where_nothing_matches) {
    const auto matches = [](const Kernel<Function> &) { return false; };
    EXPECT_EQ(cheapest(kernels_of_all_targets, matches, 1, detected_isa()), nullptr);
    EXPECT_TRUE(candidates(kernels_of_all_targets, matches, 1, detected_isa()).empty());
}

TEST(Registry, lists_all_candidates_with_reasons) {
    std::vector<std::string> lines;
    for (const auto &candidate : candidates(kernels_of_all_targets, is_sum, 100, Isa{})) {
        lines.push_back(full_name(*candidate.kernel) + ": " + explain(candidate));
    }
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_EQ(lines[0], "baseline::sum: estimated 101.0 ns per row");
    // What this CPU has is excluded by the cap, the rest would not run in any case.
    for (const auto &candidate : candidates(kernels_of_all_targets, is_sum, 100, Isa{})) {
        const Isa needed = target_isa(candidate.kernel->target);
        const Isa absent = needed - detected_isa();
        if (needed.empty()) {
            EXPECT_EQ(candidate.verdict, Verdict::chosen);
        } else if (absent.empty()) {
            EXPECT_EQ(candidate.verdict, Verdict::not_allowed);
            EXPECT_EQ(explain(candidate), "needs " + to_string(needed) + ", which the cap excludes");
        } else {
            EXPECT_EQ(candidate.verdict, Verdict::not_present);
            EXPECT_EQ(explain(candidate), "needs " + to_string(absent) + ", which this CPU lacks");
        }
    }
}

TEST(Registry, sorts_candidates_by_verdict_and_cost) {
    if (!detected_isa().contains(Feature::avx2)) {
        GTEST_SKIP() << "this CPU lacks avx2";
    }
    std::vector<std::string> names;
    std::vector<Verdict> verdicts;
    for (const auto &candidate : candidates(kernels_of_all_targets, is_sum, 10, Feature::avx2)) {
        names.push_back(full_name(*candidate.kernel));
        verdicts.push_back(candidate.verdict);
    }
    EXPECT_THAT(names, ElementsAre("avx2::sum", "baseline::sum", "avx2::sum_long", "avx512vnni::sum"));
    EXPECT_THAT(std::vector(verdicts.begin(), verdicts.begin() + 3),
                ElementsAre(Verdict::chosen, Verdict::dearer, Verdict::dearer));
    EXPECT_GT(verdicts[3], Verdict::dearer);
}

TEST(Registry, needs_every_kernel_for_the_baseline) {
    for (const RowPairKernel &kernel : row_pair_kernels()) {
        const RowPairChoice choice = choose_row_pairs(kernel.operation, kernel.a, kernel.b, 100, Isa{});
        ASSERT_NE(choice.kernel, nullptr) << full_name(kernel);
        EXPECT_EQ(choice.kernel->target, Target::baseline);
        EXPECT_EQ(choice.kernel->out, kernel.out) << full_name(kernel) << " must not change the result's type";
    }
    for (const ConversionKernel &kernel : conversion_kernels()) {
        const ConversionKernel *choice = choose_conversion(kernel.operation, kernel.from, kernel.to, 100, Isa{});
        ASSERT_NE(choice, nullptr) << full_name(kernel);
        EXPECT_EQ(choice->target, Target::baseline);
    }
    for (const NormalizeKernel &kernel : normalize_kernels()) {
        const NormalizeKernel *choice = choose_normalize(kernel.operation, kernel.type, 100, Isa{});
        ASSERT_NE(choice, nullptr) << full_name(kernel);
        EXPECT_EQ(choice->target, Target::baseline);
    }
}

TEST(Registry, has_dot_and_squared_distance_of_types_with_vectors_in_both_orders) {
    constexpr CellType with_vectors[] = {CellType::f64, CellType::f32, CellType::bf16, CellType::i8};
    for (RowPairOperation operation : {RowPairOperation::dot, RowPairOperation::squared_distance}) {
        for (CellType a : with_vectors) {
            for (CellType b : with_vectors) {
                const RowPairChoice choice = choose_row_pairs(operation, a, b, 100, allowed_isa());
                ASSERT_NE(choice.kernel, nullptr)
                    << name(operation) << " " << tenrex::name(a) << " " << tenrex::name(b);
                EXPECT_EQ(choice.swapped ? choice.kernel->b : choice.kernel->a, a);
                EXPECT_EQ(choice.swapped ? choice.kernel->a : choice.kernel->b, b);
                EXPECT_EQ(row_pair_candidates(operation, a, b, 100, allowed_isa()).front().kernel, choice.kernel);
                const bool wide = a == CellType::f64 || b == CellType::f64 || (a == CellType::i8 && b == CellType::i8);
                EXPECT_EQ(choice.kernel->out, wide ? CellType::f64 : CellType::f32);
            }
        }
    }
}

TEST(Registry, has_row_pairs_of_all_types_after_a_conversion) {
    for (RowPairOperation operation :
         {RowPairOperation::dot, RowPairOperation::squared_distance, RowPairOperation::absolute_distance,
          RowPairOperation::largest_product, RowPairOperation::smallest_product, RowPairOperation::largest_difference,
          RowPairOperation::smallest_difference, RowPairOperation::largest_distance,
          RowPairOperation::smallest_distance, RowPairOperation::count_less, RowPairOperation::count_less_equal,
          RowPairOperation::count_equal}) {
        for (CellType a : all_cell_types) {
            for (CellType b : all_cell_types) {
                const ConvertedRowPairs pairs = choose_converted_row_pairs(operation, a, b, 100, allowed_isa());
                const RowPairChoice own = choose_row_pairs(operation, a, b, 100, allowed_isa());
                const RowPairChoice read = choose_row_pairs(operation, pairs.a, pairs.b, 100, allowed_isa());
                ASSERT_NE(pairs.choice.kernel, nullptr)
                    << name(operation) << " " << tenrex::name(a) << " " << tenrex::name(b);
                EXPECT_EQ(pairs.choice.kernel, own.kernel != nullptr ? own.kernel : read.kernel);
                EXPECT_EQ(pairs.choice.swapped, read.swapped);
                const bool in_double = a == CellType::f64 || b == CellType::f64;
                const CellType both = in_double ? CellType::f64 : CellType::f32;
                EXPECT_EQ(pairs.a, own.kernel != nullptr ? a : both);
                EXPECT_EQ(pairs.b, own.kernel != nullptr ? b : both);
            }
        }
    }
}

TEST(Registry, has_every_conversion) {
    for (CellType from : all_cell_types) {
        for (CellType to : all_cell_types) {
            EXPECT_EQ(choose_conversion(ConversionOperation::convert, from, to, 100, allowed_isa()) != nullptr,
                      from != to);
        }
    }
}

TEST(Registry, knows_what_it_lacks) {
    EXPECT_EQ(choose_row_pairs(RowPairOperation::hamming, CellType::f32, CellType::f32, 8, allowed_isa()).kernel,
              nullptr);
    EXPECT_EQ(choose_row_pairs(RowPairOperation::dot_bits_big, CellType::i8, CellType::f32, 8, allowed_isa()).kernel,
              nullptr)
        << "the operands of this one are not alike";
    EXPECT_TRUE(row_pair_candidates(RowPairOperation::hamming, CellType::f32, CellType::f32, 8, allowed_isa()).empty());
    EXPECT_EQ(choose_conversion(ConversionOperation::unpack_bits_big, CellType::f32, CellType::f32, 8, allowed_isa()),
              nullptr);
}

TEST(Registry, runs_a_choice_with_its_operands_in_order) {
    const float floats[] = {1, 2, 3};
    const std::int8_t bytes[] = {10, 20, 30, 40, 50, 60};
    float out[2] = {};
    choose_row_pairs(RowPairOperation::dot, CellType::f32, CellType::i8, 3, allowed_isa())
        .run({floats, 0, bytes, 3, 2, 3, out});
    EXPECT_THAT(out, ElementsAre(140, 320));
    choose_row_pairs(RowPairOperation::dot, CellType::i8, CellType::f32, 3, allowed_isa())
        .run({bytes, 3, floats, 0, 2, 3, out});
    EXPECT_THAT(out, ElementsAre(140, 320));
}

TEST(Registry, lists_each_kernel_once) {
    std::set<std::string> names;
    const auto check = [&names](const auto &kernels) {
        for (const auto &kernel : kernels) {
            EXPECT_TRUE(names.insert(full_name(kernel)).second) << full_name(kernel);
            EXPECT_GT(kernel.cost.per_row, 0) << full_name(kernel);
            EXPECT_GT(kernel.cost.per_cell, 0) << full_name(kernel);
        }
    };
    check(row_pair_kernels());
    check(conversion_kernels());
    check(reduce_kernels());
    check(weighted_rows_kernels());
    check(elementwise_kernels());
    check(matmul_kernels());
}

TEST(Registry, names_operations) {
    EXPECT_EQ(name(RowPairOperation::dot), "dot");
    EXPECT_EQ(name(RowPairOperation::squared_distance), "squared_distance");
    EXPECT_EQ(name(RowPairOperation::absolute_distance), "absolute_distance");
    EXPECT_EQ(name(RowPairOperation::hamming), "hamming");
    EXPECT_EQ(name(RowPairOperation::dot_bits_big), "dot_bits_big");
    EXPECT_EQ(name(RowPairOperation::dot_bits_little), "dot_bits_little");
    EXPECT_EQ(name(RowPairOperation::largest_product), "largest_product");
    EXPECT_EQ(name(RowPairOperation::smallest_difference), "smallest_difference");
    EXPECT_EQ(name(RowPairOperation::count_less_equal), "count_less_equal");
    EXPECT_EQ(name(ConversionOperation::convert), "convert");
    EXPECT_EQ(name(ConversionOperation::unpack_bits_big), "unpack_bits_big");
    EXPECT_EQ(name(ConversionOperation::unpack_bits_little), "unpack_bits_little");
}

}  // namespace
}  // namespace tenrex::kernels

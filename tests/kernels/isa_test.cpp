#include "lib/kernels/isa.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <set>

#include "lib/kernels/row_pairs/row_pairs_kernels.h"

namespace tenrex::kernels {
namespace {

using enum Feature;

TEST(Isa, is_a_set) {
    constexpr Isa isa = avx2 | avx512;
    static_assert(isa.contains(avx2) && isa.contains(Isa{}) && isa.contains(isa));
    static_assert(!isa.contains(avx512_vnni) && !isa.contains(avx2 | avx512_vnni) && !Isa{}.contains(avx2));
    static_assert((isa & (avx512 | neon)) == Isa(avx512));
    static_assert((isa - avx2) == Isa(avx512) && (isa - neon) == isa && (isa - isa).empty());
}

TEST(Isa, prints_its_features) {
    EXPECT_EQ(to_string(Isa{}), "baseline");
    EXPECT_EQ(to_string(avx512_vnni | avx2 | avx512), "avx2 avx512 avx512_vnni");
    EXPECT_EQ(to_string(amx_tile | amx_int8 | amx_bf16), "amx_tile amx_int8 amx_bf16");
    EXPECT_EQ(to_string(neon | neon_dotprod), "neon neon_dotprod");
    EXPECT_EQ(to_string(avx_vnni | avx512_bf16 | avx512_popcnt), "avx_vnni avx512_bf16 avx512_popcnt");
}

TEST(Isa, levels_are_upper_bounds) {
    EXPECT_EQ(isa_level("baseline"), Isa{});
    EXPECT_EQ(isa_level("avx2"), Isa(avx2));
    EXPECT_EQ(isa_level("avx512"), avx2 | avx512);
    ASSERT_TRUE(isa_level("native"));
    for (Target target : all_targets) {
        EXPECT_TRUE(isa_level("native")->contains(target_isa(target))) << name(target);
    }
    for (const char *other : {"", "AVX2", "avx", "sse2", "avx2 ", "avx512vnni"}) {
        EXPECT_EQ(isa_level(other), std::nullopt) << other;
    }
}

TEST(Isa, targets_have_names_and_features) {
    EXPECT_EQ(name(Target::baseline), "baseline");
    EXPECT_TRUE(target_isa(Target::baseline).empty());
    EXPECT_EQ(name(Target::avx512vnni), "avx512vnni");
    EXPECT_EQ(target_isa(Target::avx512vnni), avx2 | avx512 | avx512_vnni);
}

TEST(Isa, detection_is_consistent) {
    const Isa isa = detected_isa();
    EXPECT_EQ(isa, detected_isa());
    std::cout << "features: " << to_string(isa) << '\n';  // scripts/emulate-x86 looks for them
    for (Feature feature : {avx_vnni, avx512}) {
        EXPECT_TRUE(!isa.contains(feature) || isa.contains(avx2)) << to_string(isa);
    }
    for (Feature feature : {avx512_vnni, avx512_bf16, avx512_popcnt, wide_conversions, amx_tile}) {
        EXPECT_TRUE(!isa.contains(feature) || isa.contains(avx512)) << to_string(isa);
    }
#if defined(__x86_64__)
    // The compiler's run-time support looks at the same registers by itself.
    EXPECT_EQ(isa.contains(avx2), __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"));
    EXPECT_EQ(isa.contains(avx512), __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"));
    EXPECT_EQ(isa.contains(avx512_vnni), __builtin_cpu_supports("avx512vnni") != 0);
    EXPECT_EQ(isa.contains(avx512_popcnt),
              __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512bitalg"));
    EXPECT_EQ(isa.contains(wide_conversions), isa.contains(avx512) && __builtin_cpu_is("intel") != 0);
    EXPECT_FALSE(isa.contains(neon));
#elif defined(__aarch64__)
    EXPECT_TRUE(isa.contains(neon));
    EXPECT_FALSE(isa.contains(avx2));
#endif
}

// Run once more for each level and for a word that is none, by CMakeLists.txt.
TEST(Isa, environment_caps_what_is_allowed) {
    const char *text = std::getenv("TENREX_MAX_ISA");
    const EnvironmentLevel &level = environment_level();
    EXPECT_EQ(&level, &environment_level());
    if (text == nullptr || *text == '\0') {
        EXPECT_TRUE(level.recognised);
        EXPECT_EQ(level.text, "");
        EXPECT_EQ(allowed_isa(), detected_isa());
        return;
    }
    EXPECT_EQ(level.text, text);
    EXPECT_EQ(level.recognised, isa_level(text).has_value());
    EXPECT_EQ(allowed_isa(), detected_isa() & isa_level(text).value_or(*isa_level("native")));
    // Nothing that is chosen goes beyond.
    for (const RowPairKernel &kernel : row_pair_kernels()) {
        const RowPairChoice choice = choose_row_pairs(kernel.operation, kernel.a, kernel.b, 768, allowed_isa());
        ASSERT_NE(choice.kernel, nullptr) << full_name(kernel);
        EXPECT_TRUE(level.max.contains(target_isa(choice.kernel->target))) << full_name(*choice.kernel);
    }
}

}  // namespace
}  // namespace tenrex::kernels

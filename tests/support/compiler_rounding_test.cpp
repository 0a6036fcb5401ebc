// Numbers are rounded where the source says so, also in optimized code: GCC 12 leaves out the rounding of two doubles
// beside each other that become floats and doubles again, unless the library's options forbid what leads to it. Like
// the library in a release this source is compiled with optimization and these options in every build.
#include <gtest/gtest.h>

namespace tenrex {
namespace {

struct Range {
    double low, high;
};

[[gnu::noinline]] Range rounded(Range range) {
    return {static_cast<double>(static_cast<float>(range.low)), static_cast<double>(static_cast<float>(range.high))};
}

[[gnu::noinline]] void round(const double *from, double *to) {
    for (int i = 0; i < 4; ++i) {
        to[i] = static_cast<double>(static_cast<float>(from[i]));
    }
}

TEST(CompilerRounding, OfNeighboursIsKept) {
    const Range range = rounded({0.1, 0.2});
    EXPECT_EQ(range.low, 0x1.99999ap-4);
    EXPECT_EQ(range.high, 0x1.99999ap-3);
    const double numbers[] = {0.1, 0.2, 0.4, 0.8};
    double results[4];
    round(numbers, results);
    for (int i = 0; i < 4; ++i) {
        EXPECT_EQ(results[i], 0x1.99999ap-4 * (1 << i));
    }
}

}  // namespace
}  // namespace tenrex

#include <tenrex/tensor.h>

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <string_view>

namespace tenrex {
namespace {

TEST(StringNumber, GivesTheMeasuredNumbers) {
    EXPECT_EQ(string_number("hello world"), -1.0122434307651122e+98);
    EXPECT_EQ(string_number("abcdefgh"), 1.0259437650779489e+228);
    EXPECT_EQ(string_number("tab\t"), -4.447902603440186e-58);
    EXPECT_EQ(string_number("q\"t"), -2.8992340076531848e-185);
}

TEST(StringNumber, ReadsAllBytes) {
    using namespace std::string_view_literals;
    EXPECT_NE(string_number("a\0b"sv), string_number("a\0c"sv));
    EXPECT_NE(string_number("a\0"sv), string_number("a"sv));
    EXPECT_EQ(string_number(std::string(500, 'z')), string_number(std::string(500, 'z')));
    EXPECT_NE(string_number(std::string(500, 'z')), string_number(std::string(501, 'z')));
}

TEST(StringNumber, IsFiniteAndDiffersForDifferentStrings) {
    // One string in 2048 has all exponent bits set before they are mended.
    double previous = string_number("none");
    for (int i = 0; i < 20000; ++i) {
        const double value = string_number(std::to_string(i));
        ASSERT_TRUE(std::isfinite(value)) << i;
        ASSERT_NE(value, previous) << i;
        previous = value;
    }
}

}  // namespace
}  // namespace tenrex

#include "lib/sema/string_value.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <string_view>

namespace tenrex::sema {
namespace {

TEST(StringValue, GivesTheMeasuredNumbers) {
    EXPECT_EQ(string_value("hello world"), -1.0122434307651122e+98);
    EXPECT_EQ(string_value("abcdefgh"), 1.0259437650779489e+228);
    EXPECT_EQ(string_value("tab\t"), -4.447902603440186e-58);
    EXPECT_EQ(string_value("q\"t"), -2.8992340076531848e-185);
}

TEST(StringValue, ReadsAllBytes) {
    using namespace std::string_view_literals;
    EXPECT_NE(string_value("a\0b"sv), string_value("a\0c"sv));
    EXPECT_NE(string_value("a\0"sv), string_value("a"sv));
    EXPECT_EQ(string_value(std::string(500, 'z')), string_value(std::string(500, 'z')));
    EXPECT_NE(string_value(std::string(500, 'z')), string_value(std::string(501, 'z')));
}

TEST(StringValue, IsFiniteAndDiffersForDifferentStrings) {
    // One string in 2048 has all exponent bits set before they are mended.
    double previous = string_value("none");
    for (int i = 0; i < 20000; ++i) {
        const double value = string_value(std::to_string(i));
        ASSERT_TRUE(std::isfinite(value)) << i;
        ASSERT_NE(value, previous) << i;
        previous = value;
    }
}

}  // namespace
}  // namespace tenrex::sema

#include <tenrex/cell_type.h>

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace tenrex {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(CellType, HasANameASizeAndAStorageType) {
    EXPECT_EQ(name(CellType::f64), "double");
    EXPECT_EQ(name(CellType::f32), "float");
    EXPECT_EQ(name(CellType::bf16), "bfloat16");
    EXPECT_EQ(name(CellType::i8), "int8");
    const std::size_t sizes[] = {8, 4, 2, 1};
    for (CellType type : all_cell_types) {
        EXPECT_EQ(cell_type_from_name(name(type)), type);
        EXPECT_EQ(byte_size(type), sizes[static_cast<std::size_t>(type)]);
        EXPECT_EQ(visit_cell_type(type, [](auto zero) { return sizeof(zero); }), byte_size(type));
    }
    EXPECT_EQ(cell_type_from_name("Double"), std::nullopt);
    EXPECT_EQ(cell_type_from_name("int"), std::nullopt);
    EXPECT_EQ(cell_type_from_name(""), std::nullopt);
}

TEST(CellType, DecaysToFloatUnlessItIsDouble) {
    EXPECT_EQ(decay(CellType::f64), CellType::f64);
    EXPECT_EQ(decay(CellType::f32), CellType::f32);
    EXPECT_EQ(decay(CellType::bf16), CellType::f32);
    EXPECT_EQ(decay(CellType::i8), CellType::f32);
}

TEST(BFloat16, KeepsTheUpperHalfOfAFloatWithoutRounding) {
    EXPECT_EQ(BFloat16(1.0F).bits, 0x3f80);
    EXPECT_EQ(BFloat16(-2.5F).bits, 0xc020);
    EXPECT_EQ(static_cast<float>(BFloat16(0.1F)), 0.099609375F);
    EXPECT_EQ(static_cast<float>(BFloat16(-0.1F)), -0.099609375F);
    EXPECT_EQ(static_cast<float>(BFloat16(std::bit_cast<float>(0x3f80ffffU))), 1.0F);  // nearly the next one
    EXPECT_EQ(static_cast<float>(BFloat16(256.0F)), 256.0F);
    EXPECT_EQ(static_cast<float>(BFloat16(257.0F)), 256.0F);
    EXPECT_EQ(BFloat16(-0.0F).bits, 0x8000);
}

TEST(BFloat16, KeepsInfinitiesAndNaN) {
    EXPECT_EQ(static_cast<float>(BFloat16(std::numeric_limits<float>::infinity())),
              std::numeric_limits<float>::infinity());
    EXPECT_TRUE(std::isnan(static_cast<float>(BFloat16(std::numeric_limits<float>::quiet_NaN()))));
    // A NaN with its payload in the half that is dropped must not become an infinity.
    EXPECT_TRUE(std::isnan(static_cast<float>(BFloat16(std::bit_cast<float>(0x7f800001U)))));
    // The largest float is cut down, not rounded up to infinity.
    EXPECT_EQ(BFloat16(std::numeric_limits<float>::max()).bits, 0x7f7f);
}

TEST(ToCell, RoundsToFloatAndCutsToBFloat16) {
    EXPECT_EQ(to_cell<float>(0.1), 0.1F);
    EXPECT_EQ(to_cell<float>(16777217.0), 16777216.0F);
    EXPECT_EQ(to_cell<float>(1e39), std::numeric_limits<float>::infinity());
    EXPECT_EQ(to_cell<BFloat16>(0.1).bits, BFloat16(0.1F).bits);
    EXPECT_EQ(to_cell<double>(0.1), 0.1);
}

TEST(ToCell, TruncatesAndWrapsToInt8) {
    const struct {
        double from;
        int to;
    } cases[] = {{0.0, 0},    {127.0, 127},   {127.9, 127},       {-128.0, -128},     {-128.9, -128},
                 {1.9, 1},    {-1.9, -1},     {-0.5, 0},          {128.0, -128},      {255.0, -1},
                 {256.0, 0},  {300.0, 44},    {-129.0, 127},      {2147483647.0, -1}, {2147483648.0, -1},
                 {1e300, -1}, {infinity, -1}, {-2147483648.0, 0}, {-2147483649.0, 0}, {-infinity, 0},
                 {nan, 0},    {65535.5, -1},  {-1e300, 0}};
    for (const auto &c : cases) {
        EXPECT_EQ(to_cell<std::int8_t>(c.from), c.to) << c.from;
    }
}

}  // namespace
}  // namespace tenrex

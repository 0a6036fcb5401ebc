#include <tenrex/formats.h>

#include <gtest/gtest.h>

namespace tenrex {
namespace {

std::string outcome(std::string_view type, std::string_view hex, const Limits &limits = {}) {
    const auto value = from_hex(hex, *TensorType::parse(type), limits);
    return value ? to_literal(*value) : value.error().message();
}

TEST(Hex, IsBigEndian) {
    const auto hex = [](std::string_view literal) { return to_hex(from_literal(literal)->view()); };
    EXPECT_EQ(hex("tensor<int8>(x[4]):[1,-1,127,-128]"), "01ff7f80");
    EXPECT_EQ(hex("tensor<bfloat16>(x[2]):[1,-2.5]"), "3f80c020");
    EXPECT_EQ(hex("tensor<float>(x[2]):[1,-2.5]"), "3f800000c0200000");
    EXPECT_EQ(hex("tensor(x[2]):[1,-2.5]"), "3ff0000000000000c004000000000000");
    EXPECT_EQ(hex("1"), "3ff0000000000000");
    // Blocks one after the other.
    EXPECT_EQ(hex("tensor<int8>(k{},x[2]):{a:[1,2],b:[3,4]}"), "01020304");
}

TEST(Hex, TellsItsCellTypeByItsLength) {
    EXPECT_EQ(outcome("tensor<int8>(x[2])", "05a1"), "tensor<int8>(x[2]):[5,-95]");
    EXPECT_EQ(outcome("tensor<int8>(x[2])", "05A1"), "tensor<int8>(x[2]):[5,-95]");
    for (const std::string_view cell_type : {"", "<float>", "<bfloat16>"}) {
        const std::string type = "tensor" + std::string(cell_type) + "(x[2])";
        EXPECT_EQ(outcome(type, "05a1"), type + ":[5,-95]");
        EXPECT_EQ(outcome(type, "3f80c020"), type + ":[1,-2.5]");
        EXPECT_EQ(outcome(type, "3f800000c0200000"), type + ":[1,-2.5]");
        EXPECT_EQ(outcome(type, "3ff0000000000000c004000000000000"), type + ":[1,-2.5]");
    }
    EXPECT_EQ(outcome("tensor<float>(x[1])", "3fb999999999999a"), "tensor<float>(x[1]):[0.1]");
    EXPECT_EQ(outcome("tensor<bfloat16>(x[1])", "3dcccccd"), "tensor<bfloat16>(x[1]):[0.1]");
    EXPECT_EQ(outcome("tensor(x[2],y[2])", "01020304"), "tensor(x[2],y[2]):[[1,2],[3,4]]");
    EXPECT_EQ(outcome("double", "3ff0000000000000"), "1");
    EXPECT_EQ(outcome("tensor<float>(x[3])", "7f800000ff8000007fc00000"), "tensor<float>(x[3]):[inf,-inf,nan]");
}

TEST(Hex, RefusesWiderCellsForInt8) {
    EXPECT_EQ(
        outcome("tensor<int8>(x[2])", "3f803f80"),
        "1:1: 4 digits a cell are those of bfloat16 cells; int8 cells are not read from them (4 digits are needed, 2 "
        "for each cell)");
    EXPECT_EQ(
        outcome("tensor<int8>(x[1])", "3ff0000000000000"),
        "1:1: 16 digits a cell are those of double cells; int8 cells are not read from them (2 digits are needed, 2 "
        "for each cell)");
}

TEST(Hex, RefusesBadDigits) {
    EXPECT_EQ(outcome("tensor<float>(x[2])", "3f80 000"), "1:5: ' ' is no hexadecimal digit");
    EXPECT_EQ(outcome("tensor<float>(x[2])", "3f80000g"), "1:8: 'g' is no hexadecimal digit");
    EXPECT_EQ(outcome("tensor<float>(x[2])", "0x3f"), "1:2: 'x' is no hexadecimal digit");
    EXPECT_EQ(outcome("tensor<float>(x[2])", "3f\n"), "1:3: '\\x0a' is no hexadecimal digit");
    for (const std::string_view digits : {"3", "3f8", "3f800", "3f800000c0", "3f800000c02000000"}) {
        EXPECT_EQ(outcome("tensor<float>(x[2])", digits),
                  "1:1: " + std::to_string(digits.size()) +
                      " hexadecimal digits do not make the 2 cells of tensor<float>(x[2]) (16 digits are needed, 8 for "
                      "each cell)");
    }
    EXPECT_EQ(outcome("tensor(k{})", "00"),
              "hexadecimal digits cannot tell the labels of a tensor(k{}) (only values "
              "without mapped dimensions are read from digits alone)");
}

TEST(Hex, KeepsToTheLimits) {
    Limits limits;
    limits.tensor_cells = 2;
    EXPECT_EQ(outcome("tensor<int8>(x[2])", "0101", limits), "tensor<int8>(x[2]):[1,1]");
    EXPECT_EQ(outcome("tensor<int8>(x[3])", "010101", limits),
              "the value has more than 2 cells (the limit is called tensor_cells)");
    limits.value_bytes = 3;
    EXPECT_EQ(outcome("tensor<int8>(x[2])", "0101", limits),
              "the value takes 4 bytes; at most 3 are read (the limit is called value_bytes)");
}

}  // namespace
}  // namespace tenrex

#include <tenrex/formats.h>

#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lib/types/characters.h"
#include "tests/formats/random_tensor.h"

namespace tenrex {
namespace {

// Bytes from hexadecimal digits; spaces are for the reader.
std::vector<std::byte> bytes_of(std::string_view digits) {
    std::vector<std::byte> bytes;
    int high = -1;
    for (char c : digits) {
        if (c == ' ') {
            continue;
        }
        if (high < 0) {
            high = hex_digit(c);
        } else {
            bytes.push_back(static_cast<std::byte>(16 * high + hex_digit(c)));
            high = -1;
        }
    }
    return bytes;
}

std::string outcome(std::string_view digits, const Limits &limits = {}) {
    const auto value = from_binary(bytes_of(digits), limits);
    return value ? to_literal(*value) : value.error().message();
}

// Written out by hand from the definition of the format.
TEST(Binary, HasTheseBytes) {
    const struct {
        std::string_view literal, digits;
    } cases[] = {
        // kind 2: dense part; no dimensions; one double
        {"1.5", "02 00 3ff8000000000000"},
        {"nan", "02 00 7ff8000000000000"},
        // kind 2: one indexed dimension "x" of size 2
        {"tensor(x[2]):[1,-2.5]", "02 01 0178 02 3ff0000000000000 c004000000000000"},
        // kind 6: dense part and cell type
        {"tensor<float>(x[2]):[1,-2.5]", "06 01 01 0178 02 3f800000 c0200000"},
        {"tensor<bfloat16>(x[2]):[1,-2.5]", "06 02 01 0178 02 3f80 c020"},
        {"tensor<int8>(x[3]):[1,-1,-128]", "06 03 01 0178 03 01 ff 80"},
        // The last dimension runs fastest.
        {"tensor<int8>(x[2],yy[2]):[[1,2],[3,4]]", "06 03 02 0178 02 027979 02 01 02 03 04"},
        // kind 1: sparse part; one mapped dimension "k"; two blocks
        {"tensor(k{}):{a:1,bc:2}", "01 01 016b 02 0161 3ff0000000000000 026263 4000000000000000"},
        {"tensor(k{}):{}", "01 01 016b 00"},
        {"tensor<int8>(k{}):{7:5}", "05 03 01 016b 01 0137 05"},
        {"tensor<int8>(k{},l{}):{a:{b:1}}", "05 03 02 016b 016c 01 0161 0162 01"},
        // kind 3 and 7: both parts
        {"tensor(k{},x[1]):{a:[1]}", "03 01 016b 01 0178 01 01 0161 3ff0000000000000"},
        {"tensor<int8>(k{},x[2]):{ab:[1,-1]}", "07 03 01 016b 01 0178 02 01 026162 01 ff"},
        {"tensor<int8>(a[2],k{}):[{p:1},{p:2}]", "07 03 01 016b 01 0161 02 01 0170 01 02"},
    };
    for (const auto &c : cases) {
        const Tensor value = *from_literal(c.literal);
        EXPECT_EQ(to_binary(value.view()), bytes_of(c.digits)) << c.literal;
        const auto back = from_binary(bytes_of(c.digits));
        ASSERT_TRUE(back) << c.literal << ": " << back.error().message();
        EXPECT_EQ(*back, value) << c.literal;
    }
}

TEST(Binary, WritesCountsAbove127InFourBytes) {
    const std::string label_127(127, 'a');
    const std::string label_128(128, 'b');
    std::string zeros;
    for (int i = 0; i < 127; ++i) {
        zeros += ",0";
    }
    const Tensor value = *from_literal("tensor<int8>(k{},x[128]):{" + label_127 + ":[1" + zeros + "]," + label_128 +
                                       ":[2" + zeros + "]}");
    const std::vector<std::byte> bytes = to_binary(value.view());
    const std::vector<std::byte> head = bytes_of("07 03 01 016b 01 0178 80000080 02 7f61");
    EXPECT_EQ(std::vector<std::byte>(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(head.size())), head);
    EXPECT_EQ(bytes.size(), head.size() + 126 + 128 + 4 + 128 + 128);
    EXPECT_EQ(*from_binary(bytes), value);
}

TEST(Binary, ReadsWhatOtherWritersMayWrite) {
    // double as an explicit cell type
    EXPECT_EQ(outcome("06 00 01 0178 01 3ff0000000000000"), "tensor(x[1]):[1]");
    EXPECT_EQ(outcome("06 00 00 3ff0000000000000"), "1");
    // a scalar as a sparse value: with a number of cells
    EXPECT_EQ(outcome("01 00 01 3ff0000000000000"), "1");
    EXPECT_EQ(outcome("01 00 00"), "0");
    // both parts, one of them empty
    EXPECT_EQ(outcome("03 00 00 3ff0000000000000"), "1");
    EXPECT_EQ(outcome("03 00 01 0178 01 3ff0000000000000"), "tensor(x[1]):[1]");
    EXPECT_EQ(outcome("03 01 016b 00 01 0161 3ff0000000000000"), "tensor(k{}):{a:1}");
    // counts of four bytes that would do with one
    EXPECT_EQ(outcome("80000002 80000001 80000001 78 80000001 3ff0000000000000"), "tensor(x[1]):[1]");
}

TEST(Binary, RefusesBadBytes) {
    const struct {
        std::string_view digits, expected;
    } cases[] = {
        {"",
         "at byte 0 of the binary value: the value ends within its first byte (it has been cut off, or is not in this "
         "format)"},
        {"00",
         "at byte 0 of the binary value: the kind of value is 0, not 1, 2, 3, 5, 6 or 7 (these bytes are not in the "
         "typed binary format)"},
        {"04 00",
         "at byte 0 of the binary value: the kind of value is 4, not 1, 2, 3, 5, 6 or 7 (these bytes are not in the "
         "typed binary format)"},
        {"08",
         "at byte 0 of the binary value: the kind of value is 8, not 1, 2, 3, 5, 6 or 7 (these bytes are not in the "
         "typed binary format)"},
        {"7b22",
         "at byte 0 of the binary value: the kind of value is 123, not 1, 2, 3, 5, 6 or 7 (these bytes are not in the "
         "typed binary format)"},
        {"80 00",
         "at byte 0 of the binary value: the value ends within its first byte (it has been cut off, or is not in "
         "this format)"},
        {"06",
         "at byte 1 of the binary value: the value ends within the cell type (it has been cut off, or is not in this "
         "format)"},
        {"06 04 00",
         "at byte 2 of the binary value: 4 stands for no cell type (0 is double, 1 is float, 2 is bfloat16, 3 is "
         "int8)"},
        {"06 01 00 3f800000",
         "at byte 3 of the binary value: a type without dimensions cannot have float cells (a number "
         "without dimensions is always a double)"},
        {"02",
         "at byte 1 of the binary value: the value ends within the number of dimensions (it has been cut off, or is "
         "not in this format)"},
        {"02 41",
         "at byte 2 of the binary value: the type has 65 dimensions; at most 64 are read (the limit is called "
         "dimensions)"},
        {"02 01 05 78",
         "at byte 3 of the binary value: the value ends within the name of a dimension (it has been cut off, "
         "or is not in this format)"},
        {"02 01 ffffffff 78",
         "at byte 6 of the binary value: the value ends within the name of a dimension (it has been cut "
         "off, or is not in this format)"},
        {"02 01 0178",
         "at byte 4 of the binary value: the value ends within the size of a dimension (it has been cut off, "
         "or is not in this format)"},
        {"02 01 0131 01",
         "at byte 5 of the binary value: '1' is no name for a dimension (a name consists of letters, digits "
         "and '_' and does not begin with a digit)"},
        {"02 01 00 01",
         "at byte 4 of the binary value: '' is no name for a dimension (a name consists of letters, digits and "
         "'_' and does not begin with a digit)"},
        {"02 02 0179 01 0178 01",
         "at byte 8 of the binary value: dimension 'x' stands behind 'y' (the names must be sorted)"},
        {"02 02 0178 01 0178 01",
         "at byte 8 of the binary value: dimension 'x' is named twice (give each dimension a name of "
         "its own)"},
        {"03 01 0178 01 0178 01 00",
         "at byte 8 of the binary value: dimension 'x' is named twice (give each dimension a name "
         "of its own)"},
        {"02 01 0178 ffffffff",
         "at byte 8 of the binary value: with dimension 'x' a dense block has more than 1073741824 "
         "cells (the limit is called block_cells)"},
        {"02 01 0178 c0000000",
         "at byte 8 of the binary value: a block of 8589934592 bytes or more cannot fit in the 0 bytes "
         "left (the value has been cut off, or is not in this format)"},
        {"02 00 3ff00000000000",
         "at byte 2 of the binary value: a block of 8 bytes or more cannot fit in the 7 bytes left "
         "(the value has been cut off, or is not in this format)"},
        {"02 00 3ff000000000000000", "at byte 10 of the binary value: 1 more byte stands behind the value"},
        {"02 00 3ff00000000000000000", "at byte 10 of the binary value: 2 more bytes stand behind the value"},
        {"01 01 016b",
         "at byte 4 of the binary value: the value ends within the number of blocks (it has been cut off, or "
         "is not in this format)"},
        {"01 01 016b 02 0161 3ff0000000000000",
         "at byte 5 of the binary value: 2 blocks of 9 bytes or more cannot fit in the 10 bytes left (the value has "
         "been cut "
         "off, or is not in this format)"},
        {"01 01 016b ffffffff 0161",
         "at byte 8 of the binary value: the value has more than 1073741824 cells (the limit is "
         "called tensor_cells)"},
        {"01 01 016b bfffffff 0161",
         "at byte 8 of the binary value: 1073741823 blocks of 9 bytes or more cannot fit in the 2 "
         "bytes left (the value has been cut off, or is not in this format)"},
        {"05 03 01 016b 01 00 05", "at byte 7 of the binary value: a label is empty"},
        {"05 03 01 016b 01 05 61",
         "at byte 7 of the binary value: the value ends within a label (it has been cut off, or is "
         "not in this format)"},
        {"05 03 01 016b 01 0261 62",
         "at byte 9 of the binary value: the value ends within the cells of a block (it has been "
         "cut off, or is not in this format)"},
        {"05 03 01 016b 02 0161 01 0161 02",
         "at byte 11 of the binary value: block 1 has the same address as block 0 (every "
         "block has an address of its own)"},
        {"01 00 02 3ff0000000000000 3ff0000000000000",
         "at byte 3 of the binary value: a value without mapped dimensions has one block, not 2"},
    };
    for (const auto &c : cases) {
        EXPECT_EQ(outcome(c.digits), c.expected) << c.digits;
    }
}

TEST(Binary, KeepsToTheLimits) {
    Limits limits;
    limits.tensor_cells = 2;
    EXPECT_EQ(outcome("06 03 01 0178 02 01 02", limits), "tensor<int8>(x[2]):[1,2]");
    EXPECT_EQ(outcome("06 03 01 0178 03 01 02 03", limits),
              "at byte 6 of the binary value: the value has more than 2 cells (the limit is called tensor_cells)");
    limits.value_bytes = 6;
    EXPECT_EQ(outcome("06 03 01 0178 02 01 02", limits),
              "the value takes 8 bytes; at most 6 are read (the limit is called value_bytes)");
}

TEST(Binary, RefusesEveryCutValue) {
    testing::RandomTensors random(11);
    for (int i = 0; i < 100; ++i) {
        const std::vector<std::byte> bytes = to_binary(random.tensor(random.type()).view());
        for (std::size_t size = 0; size < bytes.size(); ++size) {
            ASSERT_FALSE(from_binary(std::span(bytes).first(size)));
        }
    }
}

// Whatever the bytes: a value that can be written and read again, or an error.
TEST(Binary, SurvivesFlippedBits) {
    testing::RandomTensors random(12);
    Limits limits;
    limits.tensor_cells = 1000000;
    std::size_t values = 0;
    for (int i = 0; i < 4000; ++i) {
        std::vector<std::byte> bytes = to_binary(random.tensor(random.type(), 3).view());
        for (std::size_t flips = 1 + random.below(3); flips > 0; --flips) {
            bytes[random.below(bytes.size())] ^= static_cast<std::byte>(1U << random.below(8));
        }
        const auto value = from_binary(bytes, limits);
        if (value) {
            ++values;
            const auto again = from_binary(to_binary(value->view()));
            ASSERT_TRUE(again);
            ASSERT_EQ(*again, *value);
        } else {
            ASSERT_FALSE(value.error().message().empty());
        }
    }
    EXPECT_GT(values, 200U);
    EXPECT_LT(values, 3800U);
}

}  // namespace
}  // namespace tenrex

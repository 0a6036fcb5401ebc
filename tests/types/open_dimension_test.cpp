// Types with open dimensions, values that fit them, and dimensions of size 0.
#include <string>

#include <gtest/gtest.h>

#include <tenrex/formats.h>
#include <tenrex/schema.h>

namespace tenrex {
namespace {

TensorType type_of(const char *text) {
    const auto type = TensorType::parse(text);
    EXPECT_TRUE(type) << text;
    return type ? *type : TensorType();
}

TEST(OpenDimension, IsPartOfTheCanonicalText) {
    EXPECT_EQ(type_of("tensor<float>( t [ ] , h[384] )").to_string(), "tensor<float>(h[384],t[])");
    EXPECT_EQ(type_of("tensor(t[0])").to_string(), "tensor(t[0])");
}

TEST(OpenDimension, IsIndexedAndCountsNoCells) {
    const TensorType type = type_of("tensor<float>(k{},t[],h[384])");
    EXPECT_TRUE(type.has_open());
    EXPECT_EQ(type.open_count(), 1u);
    EXPECT_EQ(type.mapped_count(), 1u);
    EXPECT_EQ(type.indexed_count(), 2u);
    EXPECT_EQ(type.block_cells(), 384u);
    EXPECT_FALSE(type.has_empty());
    EXPECT_TRUE(type_of("tensor(t[0],h[3])").has_empty());
}

TEST(OpenDimension, TakesValuesOfAnySize) {
    const TensorType declared = type_of("tensor<float>(h[2],t[])");
    EXPECT_TRUE(type_of("tensor<float>(h[2],t[7])").fits(declared));
    EXPECT_TRUE(type_of("tensor<float>(h[2],t[0])").fits(declared));
    EXPECT_FALSE(type_of("tensor<float>(h[3],t[7])").fits(declared));
    EXPECT_FALSE(type_of("tensor<float>(h[2],t{})").fits(declared));
    EXPECT_FALSE(type_of("tensor(h[2],t[7])").fits(declared));
    EXPECT_FALSE(type_of("tensor<float>(h[2])").fits(declared));
    EXPECT_FALSE(type_of("tensor<float>(h[2],t[7])").fits(type_of("tensor<float>(h[2],t[6])")));
}

// A size of 0 lets no other dimension be larger than the limit, wherever it stands: the canonical text is read again.
TEST(EmptyDimension, LimitsTheOthersInAnyOrder) {
    for (const char *text : {"tensor(x[0],b[999999999999999])", "tensor(b[999999999999999],x[0])"}) {
        const auto type = TensorType::parse(text);
        ASSERT_FALSE(type) << text;
        EXPECT_NE(type.error().message().find("with dimension 'b' a dense block has more than 1073741824 cells"),
                  std::string::npos)
            << text;
    }
    EXPECT_EQ(type_of("tensor(x[0],b[1000],a[1000])").block_cells(), 0u);
}

struct Read {
    const char *type, *text, *expected;
};

TEST(OpenDimension, LiteralsAndJsonTellTheSize) {
    for (const Read &read : std::initializer_list<Read>{
             {"tensor(t[])", "[1,2,3]", "tensor(t[3]):[1,2,3]"},
             {"tensor(t[])", " [ ] ", "tensor(t[0]):[]"},
             {"tensor(t[],h[2])", "[[1,2],[3,4],[5,6]]", "tensor(h[2],t[3]):[[1,3,5],[2,4,6]]"},
         }) {
        const std::string typed = std::string(read.type) + ":" + read.text;
        for (const auto &value : {from_literal(typed), from_literal(typed, type_of(read.type))}) {
            ASSERT_TRUE(value) << read.text << ": " << value.error().message();
            EXPECT_EQ(to_literal(*value), read.expected);
        }
    }
    for (const Read &read : std::initializer_list<Read>{
             {"tensor(t[])", "tensor(t[2]):[1,2]", "tensor(t[2]):[1,2]"},
             {"tensor(t[])", "tensor(t[2]):{{t:1}:5}", "tensor(t[2]):[0,5]"},
             {"tensor(s[],t[])", "[[1,2,3],[4,5,6]]", "tensor(s[2],t[3]):[[1,2,3],[4,5,6]]"},
             {"tensor(s[],t[])", "[[],[]]", "tensor(s[2],t[0]):[[],[]]"},
             {"tensor(s[],t[])", "[]", "tensor(s[0],t[0]):[]"},
             {"tensor(s[2],t[])", "[1,2,3,4]", "tensor(s[2],t[2]):[[1,2],[3,4]]"},
             {"tensor<int8>(t[],x[2])", "[[1,2]]", "tensor<int8>(t[1],x[2]):[[1,2]]"},
             {"tensor<int8>(t[],x[2])", "01020304", "tensor<int8>(t[2],x[2]):[[1,2],[3,4]]"},
         }) {
        const auto value = from_literal(read.text, type_of(read.type));
        ASSERT_TRUE(value) << read.text << ": " << value.error().message();
        EXPECT_EQ(to_literal(*value), read.expected) << read.text;
    }
    for (const Read &read : std::initializer_list<Read>{
             {"tensor(t[])", "[1,2,3]", "tensor(t[3]):[1,2,3]"},
             {"tensor(t[])", R"json({"values":[1,2]})json", "tensor(t[2]):[1,2]"},
             {"tensor(t[])", R"json({"values":[1,2],"type":"tensor(t[2])"})json", "tensor(t[2]):[1,2]"},
             {"tensor(t[])", R"json({"type":"tensor(t[])","values":[]})json", "tensor(t[0]):[]"},
             {"tensor(t[],x[2])", "[[1,2],[3,4]]", "tensor(t[2],x[2]):[[1,2],[3,4]]"},
             {"tensor(t[],x[2])", "[1,2,3,4]", "tensor(t[2],x[2]):[[1,2],[3,4]]"},
             {"tensor<int8>(t[],x[2])", R"("01020304")", "tensor<int8>(t[2],x[2]):[[1,2],[3,4]]"},
             {"tensor<int8>(t[])", R"("")", "tensor<int8>(t[0]):[]"},
         }) {
        const auto value = from_json(read.text, type_of(read.type));
        ASSERT_TRUE(value) << read.text << ": " << value.error().message();
        EXPECT_EQ(to_literal(*value), read.expected) << read.text;
    }
}

TEST(OpenDimension, WhatDoesNotTellTheSizeIsRefused) {
    const auto literal = [](const char *type, const char *text) {
        const auto value = from_literal(text, type_of(type));
        return value ? to_literal(*value) : value.error().message();
    };
    EXPECT_EQ(literal("tensor(t[])", "{{t:1}:5}"),
              "1:1: the sizes of a tensor(t[]) cannot be told from this (write them in the type of the value, as in "
              "tensor(t[3]):[1,2,3])");
    EXPECT_EQ(literal("tensor(t[],x[2])", "[1,2,3]"),
              "1:1: 3 cells do not fill a tensor(t[],x[2]) (there are 2 for each index of the open dimension)");
    EXPECT_EQ(literal("tensor(s[],t[])", "[1,2,3]"),
              "1:1: the sizes of a tensor(s[],t[]) cannot be told from this (write them in the type of the value, as "
              "in tensor(t[3]):[1,2,3])");
    EXPECT_EQ(literal("tensor(s[],t[])", "[[1,2],[3]]"),
              "1:8: the list has 1 of the 2 elements of dimension t[2] of a tensor(s[2],t[2]) (a value has all its "
              "cells: write those that are 0, too)");
    EXPECT_EQ(literal("tensor(t[],x[2])", "[[1,2],[3]]"),
              "1:8: the list has 1 of the 2 elements of dimension x[2] of a tensor(t[2],x[2]) (a value has all its "
              "cells: write those that are 0, too)");
    EXPECT_EQ(literal("tensor(k{},t[])", "{a:[1]}"),
              "1:1: the sizes of a tensor(k{},t[]) cannot be told from this (write them in the type of the value, as "
              "in tensor(t[3]):[1,2,3])");
    EXPECT_EQ(literal("tensor(t[])", "tensor(u[2]):[1,2]"),
              "1:1: the value is a tensor(u[2]), but a tensor(t[]) is expected");
    // Each dimension alone would fit into the text.
    const std::string long_list = "[[1" + std::string(2000, ',') + "1],[1],[1],[1]]";
    EXPECT_FALSE(from_literal(long_list, type_of("tensor(s[],t[])")));
    EXPECT_FALSE(from_literal("[[[1]]]", type_of("tensor(t[])")));
    EXPECT_FALSE(from_literal("[", type_of("tensor(t[])")));
    EXPECT_FALSE(from_json("[", type_of("tensor(t[])")));
    EXPECT_FALSE(from_json("{}", type_of("tensor(t[])")));
    EXPECT_FALSE(from_hex("010", type_of("tensor<int8>(t[])")));
}

TEST(OpenDimension, AllFormatsCarryASizeOfZero) {
    for (const char *text : {"tensor(t[0]):[]", "tensor<float>(t[0],x[2]):[]", "tensor<int8>(s[2],t[0]):[[],[]]",
                             "tensor(k{},t[0]):{}", "tensor(k{},t[3]):{a:[1,2,3]}"}) {
        const auto value = from_literal(text);
        ASSERT_TRUE(value) << text << ": " << value.error().message();
        EXPECT_EQ(to_literal(*value), text);
        const auto from_cells = from_literal(to_literal(*value, LiteralStyle::verbose));
        ASSERT_TRUE(from_cells) << text;
        EXPECT_EQ(*from_cells, *value);
        const auto json = from_json(to_json(*value));
        ASSERT_TRUE(json) << to_json(*value) << ": " << json.error().message();
        EXPECT_EQ(*json, *value);
        const auto binary = from_binary(to_binary(value->view()));
        ASSERT_TRUE(binary) << text << ": " << binary.error().message();
        EXPECT_EQ(*binary, *value);
        if (!value->type().has_mapped()) {
            const auto hex = from_hex(to_hex(value->view()), value->type());
            ASSERT_TRUE(hex) << text;
            EXPECT_EQ(*hex, *value);
        }
    }
    EXPECT_EQ(from_hex("01020304", type_of("tensor<int8>(t[])"))->type().to_string(), "tensor<int8>(t[4])");
    EXPECT_EQ(from_hex("", type_of("tensor<int8>(t[])"))->type().to_string(), "tensor<int8>(t[0])");
}

TEST(OpenDimension, ABlockWithoutCellsIsNotThere) {
    EXPECT_EQ(to_literal(*from_literal("tensor(k{},t[0]):{a:[],b:[]}")), "tensor(k{},t[0]):{}");
    EXPECT_EQ(from_json(R"json({"type":"tensor(k{},t[0])","blocks":{"a":[]}})json")->blocks(), 0u);
}

TEST(OpenDimension, OnlyValuesHaveSizeZero) {
    Schema schema;
    schema.document("d", "tensor(t[0])");
    ASSERT_TRUE(schema.error());
    EXPECT_EQ(
        schema.error()->message(),
        "type of input 'd': tensor(t[0]) has a dimension of size 0 (an indexed dimension of an input has at least "
        "one index; one whose size comes with each value is written x[])");
    Schema open;
    open.document("d", "tensor(t[])").query("q", "tensor<float>(s[],x[2])");
    EXPECT_FALSE(open.error());
}

}  // namespace
}  // namespace tenrex

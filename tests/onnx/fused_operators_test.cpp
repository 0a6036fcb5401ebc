// Operators of runtimes against the operators that they stand for.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tenrex/onnx.h>
#include <tenrex/tenrex.h>

#include "tests/onnx/model_writer.h"

namespace tenrex::onnx {
namespace {

using testing::HasSubstr;

constexpr std::string_view runtime = "com.microsoft";

// Cells -1, -0.75, ... that come again.
std::vector<float> cells(std::size_t count, std::size_t start) {
    std::vector<float> result;
    for (std::size_t i = 0; i < count; ++i) {
        result.push_back(static_cast<float>((i * 7 + start) % 9) / 4 - 1);
    }
    return result;
}

std::string bytes_tensor(std::string_view name, const std::vector<std::int64_t> &shape, std::size_t count,
                         std::uint64_t type) {
    std::string bytes;
    std::string raw;
    for (const std::int64_t size : shape) {
        bytes += number_field(1, static_cast<std::uint64_t>(size));
    }
    for (std::size_t i = 0; i < count; ++i) {
        raw += static_cast<char>(i * 37 % 101);
    }
    return bytes + number_field(2, type) + bytes_field(8, name) + bytes_field(9, raw);
}

// What is there for all models: x[batch,n,4], tokens and segments [batch,n], and weights.
std::vector<std::string> weights() {
    std::vector<float> causal(36);
    std::vector<float> first_two(36);
    std::vector<float> second_part(36);
    for (std::size_t to = 0; to < 6; ++to) {
        for (std::size_t from = 0; from < 6; ++from) {
            causal[to * 6 + from] = from <= to ? 0 : -10000;
            first_two[to * 6 + from] = from < 2 ? 0 : -10000;
            second_part[to * 6 + from] = from > to ? -3e38F : from < 3 ? -10000 : 0;
        }
    }
    std::vector<std::int64_t> places(6);
    for (std::size_t i = 0; i < places.size(); ++i) {
        places[i] = static_cast<std::int64_t>(i);
    }
    return {float_tensor("w", {4, 4}, cells(16, 1)),
            float_tensor("qkv", {4, 12}, cells(48, 2)),
            float_tensor("b", {4}, cells(4, 3)),
            float_tensor("c", {4}, cells(4, 5)),
            float_tensor("b12", {12}, cells(12, 4)),
            float_tensor("words", {5, 4}, cells(20, 3)),
            float_tensor("positions", {6, 4}, cells(24, 7)),
            float_tensor("segment table", {2, 4}, cells(8, 6)),
            float_tensor("causal", {1, 1, 6, 6}, causal),
            float_tensor("first two", {1, 1, 6, 6}, first_two),
            float_tensor("second part", {1, 1, 6, 6}, second_part),
            float_tensor("by columns", {12}, {0.5F, 0.25F, 1, 2, 0.5F, 1, 0.25F, 2, 1, 1, 0.5F, 0.25F}),
            bytes_tensor("zeros i8", {4}, 4, 3),
            bytes_tensor("zeros of columns", {12}, 12, 3),
            float_tensor("half", {}, {0.5F}),
            float_tensor("tenth", {}, {0.125F}),
            float_tensor("by column", {4}, {0.5F, 0.25F, 1, 2}),
            float_tensor("steep", {}, {1.702F}),
            bytes_tensor("w8", {4, 4}, 16, 3),
            bytes_tensor("qkv8", {4, 12}, 48, 3),
            bytes_tensor("zero u8", {}, 1, 2),
            bytes_tensor("zero i8", {}, 1, 3),
            integer_tensor("places", places),
            integer_tensor("two", {2}),
            integer_tensor("one", {1})};
}

Tensor value_of(const std::vector<std::string> &nodes, bool is_fixed) {
    const ModelParts parts{
        nodes,
        weights(),
        {port("x", {"batch", "n", "4"}), port("tokens", {"batch", "n"}, 7), port("segments", {"batch", "n"}, 7)},
        {port("out", {"batch"})},
        20};
    OnnxOptions options{.name = "m"};
    if (is_fixed) {
        options.sizes = {{"n", 6}};
    }
    const auto model = OnnxModel::read(onnx::model(parts), options);
    if (!model) {
        ADD_FAILURE() << model.error().render();
        return Tensor(0);
    }
    Schema schema;
    for (const OnnxModel::Port &input : model->inputs()) {
        schema.document(input.symbol, input.type);
    }
    model->add_to(schema);
    const auto expression = Expression::parse("onnx(m)", schema);
    if (!expression) {
        ADD_FAILURE() << expression.error().render();
        return Tensor(0);
    }
    const auto value = expression->evaluate_reference(
        {{"x", *from_literal("tensor<float>(d0[1],d1[6],d2[4]):[[[1,2,3,4],[-1,0,1,2],[0.5,0.5,0,-2],[3,1,0,0],[1,1,"
                             "2,2],[0,-3,1,0]]]")},
         {"tokens", *from_literal("tensor(d0[1],d1[6]):[[4,1,0,0,2,3]]")},
         {"segments", *from_literal("tensor(d0[1],d1[6]):[[0,0,0,1,1,1]]")}});
    if (!value) {
        ADD_FAILURE() << value.error().render();
        return Tensor(0);
    }
    return *value;
}

// The single operator, imported for any length and for the one that there is, gives what the others give.
void expect_equal(const std::string &fused, const std::vector<std::string> &others) {
    const Tensor expected = value_of(others, true);
    ASSERT_GT(expected.cell_count(), 1U);
    for (const bool is_fixed : {true, false}) {
        const Tensor value = value_of({fused}, is_fixed);
        ASSERT_EQ(value.type().to_string(), expected.type().to_string());
        for (std::size_t i = 0; i < expected.cell_count(); ++i) {
            ASSERT_NEAR(value.cell(i), expected.cell(i), 1e-5 * (1 + std::abs(expected.cell(i)))) << "cell " << i;
        }
    }
}

TEST(FusedOperators, Activations) {
    expect_equal(node("BiasGelu", {"x", "b"}, {"out"}, {}, runtime),
                 {node("Add", {"x", "b"}, {"sum"}), node("Gelu", {"sum"}, {"out"})});
    expect_equal(
        node("FastGelu", {"x", "b"}, {"out"}, {}, runtime),
        {node("Add", {"x", "b"}, {"sum"}), node("Gelu", {"sum"}, {"out"}, {text_attribute("approximate", "tanh")})});
    expect_equal(node("FastGelu", {"x"}, {"out"}, {}, runtime),
                 {node("Gelu", {"x"}, {"out"}, {text_attribute("approximate", "tanh")})});
    expect_equal(node("Gelu", {"x"}, {"out"}, {}, runtime), {node("Gelu", {"x"}, {"out"})});
    expect_equal(node("QuickGelu", {"x"}, {"out"}, {}, runtime),
                 {node("Mul", {"x", "steep"}, {"y"}), node("Sigmoid", {"y"}, {"s"}), node("Mul", {"x", "s"}, {"out"})});
}

TEST(FusedOperators, Normalizations) {
    const std::string epsilon = real_attribute("epsilon", 1e-5F);
    expect_equal(node("SkipLayerNormalization", {"x", "x", "b", "c"}, {"out"}, {epsilon}, runtime),
                 {node("Add", {"x", "x"}, {"sum"}), node("LayerNormalization", {"sum", "b", "c"}, {"out"}, {epsilon})});
    expect_equal(node("SkipLayerNormalization", {"x", "x", "b", "", "c"}, {"norm", "", "", "out"}, {epsilon}, runtime),
                 {node("Add", {"x", "x"}, {"sum"}), node("Add", {"sum", "c"}, {"out"})});
    const std::vector<std::string> sum{node("Gather", {"words", "tokens"}, {"e"}),
                                       node("Gather", {"positions", "places"}, {"p"}), node("Add", {"e", "p"}, {"ep"})};
    std::vector<std::string> without_segments = sum;
    without_segments.push_back(node("LayerNormalization", {"ep", "b", "c"}, {"out"}, {epsilon}));
    expect_equal(node("EmbedLayerNormalization", {"tokens", "", "words", "positions", "", "b", "c"}, {"out", "count"},
                      {epsilon}, runtime),
                 without_segments);
    std::vector<std::string> with_segments = sum;
    with_segments.push_back(node("Gather", {"segment table", "segments"}, {"s"}));
    with_segments.push_back(node("Add", {"ep", "s"}, {"eps"}));
    with_segments.push_back(node("LayerNormalization", {"eps", "b", "c"}, {"out"}, {epsilon}));
    expect_equal(
        node("EmbedLayerNormalization", {"tokens", "segments", "words", "positions", "segment table", "b", "c"},
             {"out"}, {epsilon}, runtime),
        with_segments);
}

TEST(FusedOperators, Products) {
    expect_equal(
        node("FusedMatMul", {"x", "w"}, {"out"}, {integer_attribute("transB", 1), real_attribute("alpha", 0.5F)},
             runtime),
        {node("Transpose", {"w"}, {"t"}), node("MatMul", {"x", "t"}, {"y"}), node("Mul", {"y", "half"}, {"out"})});
    const std::vector<std::string> quantized{node("QuantizeLinear", {"x", "tenth", "zero u8"}, {"q"})};
    expect_equal(node("DynamicQuantizeMatMul", {"x", "w8", "by column", "", "b"}, {"out"}, {}, runtime),
                 {node("DynamicQuantizeLinear", {"x"}, {"q", "scale", "zero"}),
                  node("DequantizeLinear", {"q", "scale", "zero"}, {"y"}),
                  node("Cast", {"w8"}, {"f"}, {integer_attribute("to", 1)}), node("Mul", {"f", "by column"}, {"g"}),
                  node("MatMul", {"y", "g"}, {"p"}), node("Add", {"p", "b"}, {"out"})});
}

TEST(FusedOperators, AttentionWithMasks) {
    const std::vector<std::string> heads{integer_attribute("num_heads", 2)};
    std::vector<std::string> one_way = heads;
    one_way.push_back(integer_attribute("unidirectional", 1));
    // Known in size, for the matrices that are added are.
    const auto expect_same = [](const std::string &node_of, const std::string &other) {
        const Tensor a = value_of({node_of}, true);
        const Tensor b = value_of({other}, true);
        ASSERT_EQ(a.cell_count(), 24U);
        for (std::size_t i = 0; i < a.cell_count(); ++i) {
            ASSERT_NEAR(a.cell(i), b.cell(i), 1e-6) << "cell " << i;
        }
        EXPECT_EQ(value_of({node_of}, false), a);
    };
    expect_same(node("Attention", {"x", "qkv", "b12"}, {"out"}, one_way, runtime),
                node("Attention", {"x", "qkv", "b12", "", "", "causal"}, {"out"}, heads, runtime));
    // Rather a token that is masked than one that is yet to come.
    expect_same(node("Attention", {"x", "qkv", "b12", "segments"}, {"out"}, one_way, runtime),
                node("Attention", {"x", "qkv", "b12", "", "", "second part"}, {"out"}, heads, runtime));
    expect_same(node("Attention", {"x", "qkv", "b12", "two"}, {"out"}, heads, runtime),
                node("Attention", {"x", "qkv", "b12", "", "", "first two"}, {"out"}, heads, runtime));
}

// Imported for any length, whole numbers give what the numbers give that they stand for.
void expect_same(const std::vector<std::string> &nodes, const std::vector<std::string> &others) {
    const Tensor a = value_of(nodes, false);
    const Tensor b = value_of(others, true);
    ASSERT_EQ(a.cell_count(), 24U);
    for (std::size_t i = 0; i < a.cell_count(); ++i) {
        ASSERT_NEAR(a.cell(i), b.cell(i), 1e-5 * (1 + std::abs(b.cell(i)))) << "cell " << i;
    }
}

TEST(FusedOperators, QuantizedOnes) {
    const std::string quantized = node("QuantizeLinear", {"x", "tenth", "zero u8"}, {"q"});
    const std::string back = node("DequantizeLinear", {"q", "tenth", "zero u8"}, {"y"});
    expect_same({quantized, node("MatMulIntegerToFloat", {"q", "w8", "tenth", "half", "zero u8", "zero i8", "b"},
                                 {"out"}, {}, runtime)},
                {quantized, back, node("DequantizeLinear", {"w8", "half", "zero i8"}, {"v"}),
                 node("MatMul", {"y", "v"}, {"p"}), node("Add", {"p", "b"}, {"out"})});
    expect_same({quantized, node("QAttention", {"q", "qkv8", "b12", "tenth", "half", "", "zero u8", "zero i8"}, {"out"},
                                 {integer_attribute("num_heads", 2)}, runtime)},
                {quantized, back, node("DequantizeLinear", {"qkv8", "half", "zero i8"}, {"v"}),
                 node("Attention", {"y", "v", "b12"}, {"out"}, {integer_attribute("num_heads", 2)}, runtime)});
}

TEST(FusedOperators, QuantizedOnesByColumns) {
    const std::string quantized = node("QuantizeLinear", {"x", "tenth", "zero u8"}, {"q"});
    const std::string back = node("DequantizeLinear", {"q", "tenth", "zero u8"}, {"y"});
    const std::string axis = integer_attribute("axis", 1);
    expect_same({quantized, node("QLinearMatMul",
                                 {"q", "tenth", "zero u8", "w8", "by column", "zeros i8", "half", "zero u8"}, {"out"})},
                {quantized, back, node("DequantizeLinear", {"w8", "by column", "zeros i8"}, {"v"}, {axis}),
                 node("MatMul", {"y", "v"}, {"p"}), node("QuantizeLinear", {"p", "half", "zero u8"}, {"out"})});
    expect_same(
        {quantized, node("QAttention", {"q", "qkv8", "b12", "tenth", "by columns", "", "zero u8", "zeros of columns"},
                         {"out"}, {integer_attribute("num_heads", 2)}, runtime)},
        {quantized, back, node("DequantizeLinear", {"qkv8", "by columns", "zeros of columns"}, {"v"}, {axis}),
         node("Attention", {"y", "v", "b12"}, {"out"}, {integer_attribute("num_heads", 2)}, runtime)});
}

TEST(FusedOperators, WhatDoesNotFitIsRefused) {
    const auto failure = [](const std::string &each) {
        const ModelParts parts{{each}, weights(), {port("x", {"batch", "n", "4"})}, {port("out", {"batch"})}, 20};
        const auto model = OnnxModel::read(onnx::model(parts));
        return model ? std::string() : model.error().render();
    };
    EXPECT_THAT(failure(node("Attention", {"x", "qkv", "b12"}, {"out"}, {integer_attribute("num_heads", 5)}, runtime)),
                HasSubstr("operator Attention of com.microsoft opset 1: shapes [1,n,4] and [4,12] do not fit 5 heads"));
    EXPECT_THAT(failure(node("SkipLayerNormalization", {"x", "x", "b12"}, {"out"}, {}, runtime)),
                HasSubstr("input 2 of shape [12] does not fit [1,n,4]"));
    EXPECT_THAT(failure(node("BiasGelu", {"x", "b12"}, {"out"}, {}, runtime)),
                HasSubstr("a bias of shape [12] does not fit [1,n,4]"));
    EXPECT_THAT(failure(node("Scan", {"x"}, {"out"})), HasSubstr("the operator is not supported"));
}

}  // namespace
}  // namespace tenrex::onnx

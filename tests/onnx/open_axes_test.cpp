// Axes whose size comes with the values: one plan for all lengths.
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tenrex/onnx.h>
#include <tenrex/tenrex.h>

#include "tests/onnx/encoder.h"
#include "tests/onnx/evaluated.h"
#include "tests/onnx/model_writer.h"
#include "tests/onnx/open_cases.h"

namespace tenrex::onnx::open_axes_test {
namespace {

using testing::HasSubstr;

struct Text {
    std::vector<int> tokens, mask;
};

// With some tokens at the end that are only there to fill it up.
Text text_of(std::size_t length) {
    Text text;
    for (std::size_t i = 0; i < length; ++i) {
        text.tokens.push_back(static_cast<int>((i * i + 3 * length) % Encoder::words));
        text.mask.push_back(i == 0 || i + length / 4 < length ? 1 : 0);
    }
    return text;
}

std::vector<NamedTensor> values_of(const Text &text) {
    std::vector<NamedTensor> values;
    const TensorType type = *TensorType::parse("tensor(d0[1],d1[])");
    for (const auto &[name, numbers] :
         {std::pair("input_ids", &text.tokens), std::pair("attention_mask", &text.mask)}) {
        const std::string literal =
            fmt::format("tensor(d0[1],d1[{}]):[[{}]]", numbers->size(), fmt::join(*numbers, ","));
        values.emplace_back(name, *from_literal(literal, type));
    }
    return values;
}

void expect_near(const Tensor &tensor, const std::vector<double> &expected, double tolerance) {
    ASSERT_EQ(tensor.cell_count(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_NEAR(tensor.cell(i), expected[i], tolerance) << "cell " << i;
    }
}

class Encoders : public testing::TestWithParam<Exporter> {};

TEST_P(Encoders, AreImportedForAnyLength) {
    const auto model = OnnxModel::read(Encoder().model(GetParam()), {.name = "m"});
    ASSERT_TRUE(model) << model.error().render();
    EXPECT_EQ(model->inputs()[0].type.to_string(), "tensor(d0[1],d1[])");
    EXPECT_EQ(model->outputs()[0].type.to_string(), "tensor<float>(d0[1],d1[],d2[8])");
    EXPECT_EQ(model->outputs()[1].type.to_string(), "tensor<float>(d0[1],d1[8])");
}

// Of a token 4·8·8 products with weights and 2·8·12 behind, of a pair 8 for the score and 8 for the sum, in each of two
// layers; each is a multiplication and an addition.
TEST_P(Encoders, HaveTheSameWork) {
    const auto model = OnnxModel::read(Encoder().model(GetParam()), {.name = "m"});
    ASSERT_TRUE(model);
    EXPECT_EQ(model->flops().per_document, 0);
    EXPECT_EQ(model->flops().per_token, 2 * 2 * (4 * 8 * 8 + 2 * 8 * 12));
    EXPECT_EQ(model->flops().per_pair, 2 * 2 * 2 * 8);
    const auto fixed = OnnxModel::read(Encoder().model(GetParam()), {.name = "m", .sizes = {{"sequence", 3}}});
    ASSERT_TRUE(fixed);
    EXPECT_EQ(fixed->flops().per_document, 3 * model->flops().per_token + 9 * model->flops().per_pair);
}

// The reference evaluator, for any length and for one that is known, against loops.
TEST_P(Encoders, GiveWhatLoopsGive) {
    const Encoder encoder;
    const std::string bytes = encoder.model(GetParam());
    const auto open = OnnxModel::read(bytes, {.name = "m"});
    ASSERT_TRUE(open) << open.error().render();
    for (const std::size_t length : {1, 2, 5, 9}) {
        const Text text = text_of(length);
        const auto fixed =
            OnnxModel::read(bytes, {.name = "m", .sizes = {{"sequence", static_cast<std::int64_t>(length)}}});
        ASSERT_TRUE(fixed) << fixed.error().render();
        for (const OnnxModel &model : {*open, *fixed}) {
            const Schema schema = schema_with(model);
            for (const bool of_tokens : {true, false}) {
                const auto expression = Expression::parse(of_tokens ? "onnx(m).hidden" : "onnx(m).embedding", schema);
                ASSERT_TRUE(expression) << expression.error().render();
                const auto value = expression->evaluate_reference(values_of(text));
                ASSERT_TRUE(value) << value.error().render();
                expect_near(
                    *value,
                    of_tokens ? encoder.hidden(text.tokens, text.mask) : encoder.embedding(text.tokens, text.mask),
                    2e-5);
            }
        }
    }
}

// Blocks of documents of different lengths: each has the bits that it has alone.
TEST_P(Encoders, HaveTheSameBitsInAnyBlock) {
    const Encoder encoder;
    const auto model = OnnxModel::read(encoder.model(GetParam()), {.name = "m"});
    ASSERT_TRUE(model) << model.error().render();
    const std::vector<std::size_t> lengths{3, 1, 17, 8, 2, 33, 5};
    for (const std::string_view output : {"onnx(m).embedding", "onnx(m).hidden"}) {
        const auto plan = compile(output, schema_with(*model));
        ASSERT_TRUE(plan) << plan.error().render();
        std::vector<Tensor> alone;
        for (const std::size_t block : {1, 7, 64}) {
            for (std::size_t first = 0; first < 64; first += block) {
                std::vector<std::vector<NamedTensor>> documents;
                for (std::size_t i = first; i < first + block; ++i) {
                    documents.push_back(values_of(text_of(lengths[i % lengths.size()])));
                }
                const auto results = evaluated(*plan, documents);
                ASSERT_TRUE(results) << results.error().render();
                for (std::size_t i = 0; i < block; ++i) {
                    const std::size_t which = (first + i) % lengths.size();
                    if (alone.size() <= which) {
                        const Text text = text_of(lengths[which]);
                        alone.push_back((*results)[i]);
                        expect_near(alone.back(),
                                    output == "onnx(m).hidden" ? encoder.hidden(text.tokens, text.mask)
                                                               : encoder.embedding(text.tokens, text.mask),
                                    2e-5);
                    }
                    ASSERT_EQ((*results)[i], alone[which]) << "block of " << block << ", document " << first + i;
                }
            }
        }
    }
}

TEST_P(Encoders, NeedNoOptimization) {
    const Encoder encoder;
    const auto model = OnnxModel::read(encoder.model(GetParam()), {.name = "m"});
    ASSERT_TRUE(model);
    const Text text = text_of(9);
    std::vector<std::vector<std::string>> disabled{{}};
    for (const std::string_view name : optimization_names()) {
        disabled.push_back({std::string(name)});
        disabled.front().emplace_back(name);
    }
    for (const std::vector<std::string> &passes : disabled) {
        CompileOptions options;
        options.disabled_passes = passes;
        const auto plan = compile("onnx(m).hidden", schema_with(*model), options);
        ASSERT_TRUE(plan) << passes.front() << plan.error().render();
        const auto results = evaluated(*plan, {values_of(text_of(2)), values_of(text)});
        ASSERT_TRUE(results) << passes.front() << results.error().render();
        expect_near(results->back(), encoder.hidden(text.tokens, text.mask), 2e-5);
    }
}

INSTANTIATE_TEST_SUITE_P(Exporters, Encoders,
                         testing::Values(Exporter::decomposed, Exporter::single_operators, Exporter::runtime,
                                         Exporter::pairs));

TEST(OpenAxes, TwoInputsOfOtherLengthsAreAnError) {
    const auto model = OnnxModel::read(Encoder().model(Exporter::decomposed), {.name = "m"});
    ASSERT_TRUE(model);
    const auto expression = Expression::parse("onnx(m).embedding", schema_with(*model));
    ASSERT_TRUE(expression);
    std::vector<NamedTensor> values = values_of(text_of(4));
    values[1] = values_of(text_of(3))[1];
    const auto value = expression->evaluate_reference(values);
    ASSERT_FALSE(value);
    EXPECT_THAT(value.error().message(), HasSubstr("dimension"));
    EXPECT_THAT(value.error().message(), HasSubstr("has size"));
}

// A model of one node over x[batch,sequence,4] and what it says.
std::string of_node(const std::string &node, const std::vector<std::string> &initializers = {},
                    const OnnxOptions &options = {}) {
    const ModelParts parts{{node}, initializers, {port("x", {"batch", "sequence", "4"})}, {port("out", {"batch"})}};
    const auto model = OnnxModel::read(onnx::model(parts), options);
    return model ? model->outputs()[0].type.to_string() : model.error().render();
}

TEST(OpenAxes, TheFirstAxisIsABatchOfOne) {
    EXPECT_EQ(of_node(node("Relu", {"x"}, {"out"})), "tensor<float>(d0[1],d1[],d2[4])");
    EXPECT_EQ(of_node(node("Relu", {"x"}, {"out"}), {}, {.sizes = {{"batch", 2}, {"sequence", 3}}}),
              "tensor<float>(d0[2],d1[3],d2[4])");
    EXPECT_EQ(of_node(node("Relu", {"x"}, {"out"}), {}, {.sizes = {{"batch", -1}, {"sequence", 3}}}),
              "tensor<float>(d0[],d1[3],d2[4])");
    const auto type_of = [](std::string_view) {
        return std::optional(*TensorType::parse("tensor<float>(d0[1],d1[],d2[4])"));
    };
    EXPECT_EQ(of_node(node("Relu", {"x"}, {"out"}), {}, {.type_of = type_of}), "tensor<float>(d0[1],d1[],d2[4])");
}

TEST(OpenAxes, OperatorsThatNeedASizeSayWhichAxis) {
    EXPECT_THAT(of_node(node("MaxPool", {"x"}, {"out"}, {integers_attribute("kernel_shape", {2})})),
                HasSubstr("node 0 'the_MaxPool', operator MaxPool of ai.onnx opset 17: the shape of input 'x' is "
                          "[1,sequence,4], but the operator needs a known size for 'sequence', which comes with the "
                          "values\n  hint: import the model with a size for 'sequence', or for an input of a type that "
                          "has one"));
    EXPECT_EQ(of_node(node("ArgMax", {"x"}, {"out"}, {integer_attribute("axis", 1)})), "tensor(d0[1],d1[1],d2[4])");
    EXPECT_EQ(of_node(node("ArgMax", {"x"}, {"out"}, {integer_attribute("axis", 2)})), "tensor(d0[1],d1[],d2[1])");
    EXPECT_THAT(of_node(node("Split", {"x"}, {"out"}, {integer_attribute("axis", 1)})), HasSubstr("for 'sequence'"));
}

TEST(OpenAxes, ABakedLengthNamesTheNode) {
    EXPECT_THAT(
        of_node(node("Add", {"x", "w"}, {"out"}), {float_tensor("w", {2, 4}, {1, 2, 3, 4, 5, 6, 7, 8})}),
        HasSubstr("node 0 'the_Add', operator Add of ai.onnx opset 17: the shapes of its inputs, [1,sequence,4] "
                  "and [2,4], cannot be broadcast to each other\n  hint: was the model exported with a fixed "
                  "length?"));
    EXPECT_THAT(of_node(node("Reshape", {"x", "s"}, {"out"}), {integer_tensor("s", {1, 8})}),
                HasSubstr("a tensor of shape [1,sequence,4] cannot have the shape [1,8]: an axis whose size comes with "
                          "the values is split, or joined with another"));
    EXPECT_THAT(of_node(node("Reshape", {"x", "s"}, {"out"}), {integer_tensor("s", {1, -1})}),
                HasSubstr("cannot have the shape [1,-1]"));
    EXPECT_EQ(of_node(node("Reshape", {"x", "s"}, {"out"}), {integer_tensor("s", {-1, 2, 2})}),
              "tensor<float>(d0[],d1[2],d2[2])");
}

TEST(OpenAxes, OperatorsTakeThem) {
    const std::vector<Case> cases{
        {"reduce",
         {node("ReduceMax", {"x"}, {"out"}, {integers_attribute("axes", {1})})},
         {},
         "tensor<float>(d0[1],d1[1],d2[2]):[[[4,5]]]"},
        {"running sums",
         {node("CumSum", {"x", "axis"}, {"out"})},
         {integer_tensor("axis", {1})},
         "tensor<float>(d0[1],d1[3],d2[2]):[[[0,1],[2,4],[6,9]]]"},
        {"running sums from the end",
         {node("CumSum", {"x", "axis"}, {"out"}, {integer_attribute("reverse", 1), integer_attribute("exclusive", 1)})},
         {integer_tensor("axis", {1})},
         "tensor<float>(d0[1],d1[3],d2[2]):[[[6,8],[4,5],[0,0]]]"},
        {"the first token",
         {node("Gather", {"x", "first"}, {"out"}, {integer_attribute("axis", 1)})},
         {shaped_integer_tensor("first", {}, {0})},
         "tensor<float>(d0[1],d1[2]):[[0,1]]"},
        {"the first token by a slice",
         {node("Slice", {"x", "zero", "one", "one"}, {"out"})},
         {integer_tensor("zero", {0}), integer_tensor("one", {1})},
         "tensor<float>(d0[1],d1[1],d2[2]):[[[0,1]]]"},
        {"a column",
         {node("Slice", {"x", "one", "two", "two"}, {"out"})},
         {integer_tensor("one", {1}), integer_tensor("two", {2})},
         "tensor<float>(d0[1],d1[3],d2[1]):[[[1],[3],[5]]]"},
        {"all by a slice",
         {node("Slice", {"x", "zero", "end", "one"}, {"out"})},
         {integer_tensor("zero", {0}), integer_tensor("end", {0x7fffffffffffffff}), integer_tensor("one", {1})},
         "tensor<float>(d0[1],d1[3],d2[2]):[[[0,1],[2,3],[4,5]]]"},
        {"columns",
         {node("Gather", {"x", "turned"}, {"out"}, {integer_attribute("axis", 2)})},
         {integer_tensor("turned", {-1, 0})},
         "tensor<float>(d0[1],d1[3],d2[2]):[[[1,0],[3,2],[5,4]]]"},
        {"transposed",
         {node("Transpose", {"x"}, {"out"}, {integers_attribute("perm", {2, 1, 0})})},
         {},
         "tensor<float>(d0[2],d1[3],d2[1]):[[[0],[2],[4]],[[1],[3],[5]]]"},
        {"the last token, counted from the end",
         {node("Gather", {"x", "last"}, {"out"}, {integer_attribute("axis", 1)})},
         {shaped_integer_tensor("last", {}, {-1})},
         "tensor<float>(d0[1],d1[2]):[[4,5]]"},
        {"the token that a value names",
         {node("ReduceSum", {"x", ""}, {"total"}, {integer_attribute("keepdims", 0)}),
          node("Greater", {"total", "large"}, {"is_large"}),
          node("Cast", {"is_large"}, {"zero_or_one"}, {integer_attribute("to", 7)}),
          node("Sub", {"zero_or_one", "two"}, {"index"}),
          node("Gather", {"x", "index"}, {"out"}, {integer_attribute("axis", 1)})},
         {float_tensor("large", {}, {100}), shaped_integer_tensor("two", {}, {2})},
         "tensor<float>(d0[1],d1[2]):[[2,3]]"},
        {"the best token of each column",
         {node("Neg", {"x"}, {"less"}), node("ArgMax", {"less"}, {"first"}, {integer_attribute("axis", 1)}),
          node("ArgMax", {"x"}, {"last"}, {integer_attribute("axis", 1), integer_attribute("select_last_index", 1)}),
          node("Add", {"first", "last"}, {"out"})},
         {},
         "tensor(d0[1],d1[1],d2[2]):[[[2,2]]]"},
        {"the best token of each column marked",
         {node("Hardmax", {"x"}, {"out"}, {integer_attribute("axis", 1)})},
         {},
         "tensor<float>(d0[1],d1[3],d2[2]):[[[0,0],[0,0],[1,1]]]"},
        {"tokens at pairs of indexes",
         {node("Shape", {"x"}, {"s"}), node("Gather", {"s", "at"}, {"n"}), node("Range", {"none", "n", "at"}, {"t"}),
          node("Unsqueeze", {"t", "minus"}, {"column"}), node("Mul", {"column", "none"}, {"zeros"}),
          node("Concat", {"zeros", "column"}, {"pairs"}, {integer_attribute("axis", -1)}),
          node("GatherND", {"x", "pairs"}, {"out"})},
         {shaped_integer_tensor("at", {}, {1}), shaped_integer_tensor("none", {}, {0}), integer_tensor("minus", {-1})},
         "tensor<float>(d0[3],d1[2]):[[0,1],[2,3],[4,5]]"},
        {"one of two columns of each token",
         {node("ReduceSum", {"x", "minus"}, {"sums"}), node("Cast", {"sums"}, {"whole"}, {integer_attribute("to", 7)}),
          node("Mod", {"whole", "two"}, {"odd"}), node("Sub", {"odd", "two"}, {"index"}),
          node("GatherElements", {"x", "index"}, {"out"}, {integer_attribute("axis", 2)})},
         {integer_tensor("minus", {-1}), integer_tensor("two", {2})},
         // Sums 1, 5, 9 are odd: the second column, counted from the end.
         "tensor<float>(d0[1],d1[3],d2[1]):[[[1],[3],[5]]]"},
        {"without the batch",
         {node("Squeeze", {"x", "zero"}, {"out"})},
         {integer_tensor("zero", {0})},
         "tensor<float>(d0[3],d1[2]):[[0,1],[2,3],[4,5]]"},
        {"twice as long rows",
         {node("Concat", {"x", "x"}, {"out"}, {integer_attribute("axis", -1)})},
         {},
         "tensor<float>(d0[1],d1[3],d2[4]):[[[0,1,0,1],[2,3,2,3],[4,5,4,5]]]"},
        {"the length",
         {node("Shape", {"x"}, {"s"}), node("Gather", {"s", "one"}, {"n"}),
          node("Cast", {"n"}, {"r"}, {integer_attribute("to", 1)}), node("Expand", {"r", "one"}, {"out"})},
         {integer_tensor("one", {1})},
         "tensor<float>(d0[1]):[3]"},
        {"the mean by the length",
         {node("ReduceSum", {"x", "one"}, {"sum"}, {integer_attribute("keepdims", 0)}), node("Shape", {"x"}, {"s"}),
          node("Gather", {"s", "one"}, {"n"}), node("Cast", {"n"}, {"r"}, {integer_attribute("to", 1)}),
          node("Div", {"sum", "r"}, {"out"})},
         {integer_tensor("one", {1})},
         "tensor<float>(d0[1],d1[2]):[[2,3]]"},
        {"the shape", {node("Shape", {"x"}, {"out"})}, {}, "tensor(d0[3]):[1,3,2]"},
        {"arithmetic with the length that gives no size",
         {node("Shape", {"x"}, {"s"}), node("Mul", {"s", "s"}, {"squares"}), node("Add", {"squares", "one"}, {"more"}),
          node("Cast", {"more"}, {"r"}, {integer_attribute("to", 1)}), node("Sqrt", {"r"}, {"out"})},
         {integer_tensor("one", {-1, 0, 0})},
         "tensor<float>(d0[3]):[0,3,2]"},
        {"sizes chosen by values",
         {node("ReduceMax", {"x"}, {"most"}, {integers_attribute("axes", {0, 1, 2}), integer_attribute("keepdims", 0)}),
          node("Greater", {"most", "limits"}, {"c"}), node("Shape", {"x"}, {"s"}),
          node("Where", {"c", "s", "minus"}, {"out"})},
         {integer_tensor("minus", {-1}), float_tensor("limits", {3}, {9, 4, 9})},
         "tensor(d0[3]):[-1,3,-1]"},
        {"ones",
         {node("Shape", {"x"}, {"s"}), node("ConstantOfShape", {"s"}, {"zeros"}), node("Exp", {"zeros"}, {"out"})},
         {},
         "tensor<float>(d0[1],d1[3],d2[2]):[[[1,1],[1,1],[1,1]]]"},
        {"a triangle",
         {node("Squeeze", {"x", "zero"}, {"rows"}), node("Transpose", {"rows"}, {"columns"}),
          node("MatMul", {"rows", "columns"}, {"square"}), node("Trilu", {"square"}, {"upper"}),
          node("ReduceSum", {"upper", "zero"}, {"out"}, {integer_attribute("keepdims", 0)})},
         {integer_tensor("zero", {0})},
         // Products 0·0+1·1 = 1, 3, 5; 13, 23; 41 above the diagonal.
         "tensor<float>(d0[3]):[1,16,69]"},
        {"a layer",
         {node("Squeeze", {"x", "zero"}, {"rows"}), node("Gemm", {"rows", "w", "b"}, {"out"})},
         {integer_tensor("zero", {0}), float_tensor("w", {2, 1}, {10, 1}), float_tensor("b", {1}, {0.5F})},
         "tensor<float>(d0[3],d1[1]):[[1.5],[23.5],[45.5]]"},
    };
    for (const Case &one : cases) {
        for (const bool compiled : {false, true}) {
            EXPECT_EQ(value_of(one, 3, compiled), one.expected) << one.name << (compiled ? ", compiled" : "");
            // No token is no error.
            EXPECT_THAT(value_of(one, 0, compiled), HasSubstr("(d0[")) << one.name;
        }
    }
}

}  // namespace
}  // namespace tenrex::onnx::open_axes_test

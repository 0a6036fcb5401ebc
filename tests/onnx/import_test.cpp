#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tenrex/onnx.h>
#include <tenrex/tenrex.h>

#include "tests/onnx/evaluated.h"
#include "tests/onnx/model_writer.h"

namespace tenrex::onnx::import_test {
namespace {

using testing::HasSubstr;

std::string failure(const std::string &bytes, const OnnxOptions &options = {}) {
    const auto model = OnnxModel::read(bytes, options);
    return model ? "none" : model.error().render();
}

// x[1,2] times a matrix of two columns, plus a bias, relu.
ModelParts layer() {
    return {{node("MatMul", {"x", "w"}, {"product"}), node("Add", {"product", "b"}, {"sum"}),
             node("Relu", {"sum"}, {"out"})},
            {float_tensor("w", {2, 2}, {1, -2, 3, 4}), float_tensor("b", {2}, {0.5F, -20})},
            {value_info("x", {0, 2})},
            {value_info("out", {0, 2})}};
}

TEST(ImportOnnx, ALayerIsAnExpression) {
    const auto model = OnnxModel::read(bytes_field(2, "test") + onnx::model(layer()), {.name = "m"});
    ASSERT_TRUE(model) << model.error().render();
    ASSERT_EQ(model->inputs().size(), 1U);
    EXPECT_EQ(model->inputs()[0].type.to_string(), "tensor<float>(d0[1],d1[2])");
    EXPECT_EQ(model->outputs()[0].symbol, "onnx(m).out");
    EXPECT_EQ(model->parameters(), 6U);
    Schema schema;
    schema.document("x", "tensor<float>(d0[1],d1[2])");
    model->add_to(schema);
    const auto expression = Expression::parse("onnx(m).out{d0:0,d1:0} + 10*onnx(m){d0:0,d1:1}", schema);
    ASSERT_TRUE(expression) << expression.error().render();
    // (2,1): 2+3+0.5 = 5.5 and -4+4-20 < 0.
    const auto x = from_literal("tensor<float>(d0[1],d1[2]):[[2,1]]");
    const auto value = expression->evaluate_reference({{"x", *x}});
    ASSERT_TRUE(value) << value.error().render();
    EXPECT_EQ(value->as_double(), 5.5);
    const auto plan = compile(*expression);
    ASSERT_TRUE(plan) << plan.error().render();
    EXPECT_THAT(plan->graph(), HasSubstr("relu"));
}

TEST(ImportOnnx, SeveralRowsComeFromAnAxisWithAName) {
    const auto model = OnnxModel::read(onnx::model(layer()), {.sizes = {{"n", 3}}});
    ASSERT_TRUE(model) << model.error().render();
    EXPECT_EQ(model->outputs()[0].type.to_string(), "tensor<float>(d0[3],d1[2])");
}

// What type_of says of every input.
ModelInputType always(std::string_view type) {
    return [type = *TensorType::parse(type)](std::string_view) { return type; };
}

TEST(ImportOnnx, AnAxisWithANameHasTheSizeOfTheInput) {
    const auto model = OnnxModel::read(onnx::model(layer()), {.type_of = always("tensor<float>(d0[3],d1[2])")});
    ASSERT_TRUE(model) << model.error().render();
    EXPECT_EQ(model->outputs()[0].type.to_string(), "tensor<float>(d0[3],d1[2])");
    // What `sizes` says comes first.
    EXPECT_THAT(failure(onnx::model(layer()), {.sizes = {{"n", 2}}, .type_of = always("tensor<float>(d0[3],d1[2])")}),
                HasSubstr("input 'x' of the model has the shape [n,2], but what it is given is "
                          "tensor<float>(d0[3],d1[2])"));
}

TEST(ImportOnnx, AnAxisHasOneSizeInAllInputs) {
    const ModelParts parts{
        {node("Add", {"x", "y"}, {"out"})}, {}, {value_info("x", {0}), value_info("y", {0})}, {value_info("out", {0})}};
    const auto type_of = [](std::string_view input) {
        return std::optional(*TensorType::parse(input == "x" ? "tensor<float>(d0[3])" : "tensor<float>(d0[2])"));
    };
    EXPECT_THAT(failure(onnx::model(parts), {.type_of = type_of}),
                HasSubstr("input 'y' of the model has the shape [n], but what it is given is tensor<float>(d0[2])\n"
                          "  hint: axis i is dimension d<i>: tensor<float>(d0[3])"));
}

TEST(ImportOnnx, WhatDoesNotFitTheModelIsRefused) {
    for (const std::string_view type :
         {"tensor<float>(d0[1],d1[3])", "tensor<float>(x[2])", "double", "tensor<float>(d0[1])",
          "tensor<float>(d0{},d1[2])", "tensor<float>(d0[],d1[])"}) {
        EXPECT_THAT(failure(onnx::model(layer()), {.type_of = always(type)}), HasSubstr("but what it is given is"))
            << type;
    }
}

TEST(ImportOnnx, OtherCellsBecomeThoseOfTheModel) {
    const auto model = OnnxModel::read(onnx::model(layer()), {.type_of = always("tensor(d0[1],d1[2])")});
    ASSERT_TRUE(model) << model.error().render();
    Schema schema;
    schema.document("x", "tensor(d0[1],d1[2])");
    model->add_to(schema);
    const auto expression = Expression::parse("onnx(model)", schema);
    ASSERT_TRUE(expression) << expression.error().render();
    // 2.1 as a float, times 1 and plus 3.5 and so on: all in float.
    const auto value = expression->evaluate_reference({{"x", *from_literal("tensor(d0[1],d1[2]):[[2.1,1]]")}});
    ASSERT_TRUE(value) << value.error().render();
    EXPECT_EQ(value->cell(0), static_cast<double>(2.1F + 3.0F + 0.5F));
}

TEST(ImportOnnx, AReaderLeavesTheInputsToItsCaller) {
    const auto model = read_onnx_model(onnx::model(layer()), {"m"});
    ASSERT_TRUE(model) << model.error().render();
    ASSERT_EQ(model->inputs.size(), 1U);
    EXPECT_EQ(model->inputs[0].name, "x");
    EXPECT_EQ(model->inputs[0].symbol, "onnx_input(m,2)");
    EXPECT_EQ(model->inputs[0].type.to_string(), "tensor<float>(d0[1],d1[2])");
    ASSERT_EQ(model->outputs.size(), 1U);
    EXPECT_EQ(model->outputs[0].symbol, "onnx(m).out");
    EXPECT_EQ(model->constants.size(), 2U);
    for (const DefinitionDeclaration &definition : model->definitions) {
        EXPECT_NE(definition.name, "onnx_input(m,2)");
    }
    const auto refused = read_onnx_model("\xff", {"m"});
    EXPECT_FALSE(refused);
}

TEST(ImportOnnx, WeightsMayBeInFilesBesideTheModel) {
    ModelParts parts = layer();
    const auto entry = [](std::string_view key, std::string_view value) {
        return bytes_field(13, bytes_field(1, key) + bytes_field(2, value));
    };
    const auto weights_in = [&](std::string_view location) {
        parts.initializers[1] = number_field(1, 2) + number_field(2, 1) + bytes_field(8, "b") +
                                entry("location", location) + entry("offset", "4") + number_field(14, 1);
        return onnx::model(parts);
    };
    std::string asked;
    ModelRequest request{"m"};
    request.beside = [&](std::string_view location) {
        asked = location;
        const float cells[] = {7, 0.5F, -20};
        return Result<std::string>(std::string(reinterpret_cast<const char *>(cells), sizeof(cells)));
    };
    const auto model = read_onnx_model(weights_in("weights.bin"), request);
    ASSERT_TRUE(model) << model.error().render();
    EXPECT_EQ(asked, "weights.bin");
    EXPECT_EQ(model->constants.back().second.cell(1), -20);
    for (const std::string_view outside : {"../weights.bin", "/etc/passwd", "a/../../b"}) {
        asked.clear();
        const auto refused = read_onnx_model(weights_in(outside), request);
        ASSERT_FALSE(refused);
        EXPECT_THAT(refused.error().render(), HasSubstr("is not in the folder of the model"));
        EXPECT_EQ(asked, "");
    }
    EXPECT_THAT(failure(weights_in("weights.bin")), HasSubstr("load the model from its file"));
    asked.clear();
    const auto in_memory = OnnxModel::read(weights_in("weights.bin"), {.name = "m", .beside = request.beside});
    ASSERT_TRUE(in_memory) << in_memory.error().render();
    EXPECT_EQ(asked, "weights.bin");
    EXPECT_EQ(in_memory->parameters(), model->constants.front().second.cell_count() + 2);
}

TEST(ImportOnnx, WeightsStayInTheFile) {
    std::vector<float> cells(std::size_t{100} * 200);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        cells[i] = static_cast<float>(i % 29) - 14;
    }
    TensorBuilder builder(*TensorType::parse("tensor<float>(d0[3],d1[100])"));
    for (std::size_t i = 0; i < 300; ++i) {
        builder.set(0, i, static_cast<double>(i % 7) - 3);
    }
    const Tensor rows = std::move(builder).build();
    const auto path = std::filesystem::path(testing::TempDir()) / "import_test.onnx";
    // Names of several lengths, so that cells stand at any address.
    for (const std::string name : {"w", "ww", "www", "wwww"}) {
        const std::string bytes = onnx::model({{node("MatMul", {"x", name}, {"out"})},
                                               {float_tensor(name, {100, 200}, cells)},
                                               {value_info("x", {3, 100})},
                                               {value_info("out", {3, 200})}});
        std::ofstream(path, std::ios::binary) << bytes;
        const auto value = [&](const OnnxModel &model, bool compiled) {
            const Schema schema = schema_with(model);
            const std::vector<NamedTensor> inputs{{"x", rows}};
            return compiled ? evaluated(*compile("onnx(model)", schema), {inputs})->front()
                            : *Expression::parse("onnx(model)", schema)->evaluate_reference(inputs);
        };
        const auto copied = OnnxModel::read(bytes);
        auto mapped = OnnxModel::load(path.string());
        ASSERT_TRUE(copied && mapped);
        // Another file may take its name.
        std::filesystem::remove(path);
        std::ofstream(path) << "another";
        const Tensor expected = value(*copied, false);
        EXPECT_EQ(value(*copied, true), expected);
        EXPECT_EQ(value(*mapped, true), expected);
        EXPECT_EQ(value(*mapped, false), expected);
        const auto weights_of = [](const OnnxModel &model) {
            const Schema schema = schema_with(model);
            const auto is_weights = [](const InputDeclaration &input) { return input.value.has_value(); };
            return std::find_if(schema.inputs().begin(), schema.inputs().end(), is_weights)->value->memory_bytes();
        };
        EXPECT_EQ(weights_of(*copied), cells.size() * sizeof(float));
        EXPECT_LT(weights_of(*mapped), 1000U);
    }
    std::filesystem::remove(path);
}

TEST(ImportOnnx, NoThreadIsStarted) {
    const auto threads = [] {
        const std::filesystem::directory_iterator all("/proc/self/task");
        return std::distance(begin(all), end(all));
    };
    const auto before = threads();
    const auto model = OnnxModel::read(onnx::model(layer()));
    ASSERT_TRUE(model) << model.error().render();
    const Schema schema = schema_with(*model);
    const auto plan = compile("onnx(model)", schema);
    ASSERT_TRUE(plan) << plan.error().render();
    ASSERT_TRUE(evaluated(*plan, {{{"x", *from_literal("tensor<float>(d0[1],d1[2]):[[2,1]]")}}}));
    EXPECT_EQ(threads(), before);
}

TEST(ImportOnnx, ContentsAreToldOfAnyModel) {
    ModelParts parts = layer();
    parts.nodes[1] = node("Scan", {"product"}, {"sum"});
    parts.nodes.push_back(node("MatMul", {"out", "w"}, {"more"}, {}, "com.example"));
    const auto contents = OnnxContents::read(bytes_field(2, "writer") + onnx::model(parts));
    ASSERT_TRUE(contents) << contents.error().render();
    EXPECT_EQ(contents->producer, "writer");
    EXPECT_EQ(contents->parameters, 6U);
    EXPECT_EQ(contents->float_bytes, 24U);
    EXPECT_EQ(contents->bfloat16_bytes, 12U);
    EXPECT_EQ(contents->int8_bytes, 4U + 2 * 4 + 2 * 4);  // the matrix, its scales, the vector
    ASSERT_EQ(contents->inputs.size(), 1U);
    EXPECT_EQ(contents->inputs[0].name, "x");
    EXPECT_EQ(contents->inputs[0].type, "float[n,2]");
    std::string all;
    for (const OnnxContents::Operator &op : contents->operators) {
        all += fmt::format("{} {} {} {} {}\n", op.name, op.domain, op.version, op.nodes, op.is_supported);
    }
    EXPECT_EQ(all,
              "MatMul ai.onnx 17 1 true\n"
              "MatMul com.example 1 1 false\n"
              "Relu ai.onnx 17 1 true\n"
              "Scan ai.onnx 17 1 false\n");
}

TEST(ImportOnnx, InputsAreOtherSymbolsOrDefinitions) {
    const auto model = OnnxModel::read(onnx::model(layer()), {.inputs = {{"x", "features(item)"}}});
    ASSERT_TRUE(model) << model.error().render();
    Schema schema;
    schema.document("price").document("stock");
    schema.define("features(item)", "tensor<float>(d0[1],d1[2]):[[price,stock]]");
    model->add_to(schema);
    const auto expression = Expression::parse("sum(onnx(model).out)", schema);
    ASSERT_TRUE(expression) << expression.error().render();
    const auto value = expression->evaluate_reference({{"price", Tensor(2)}, {"stock", Tensor(1)}});
    ASSERT_TRUE(value) << value.error().render();
    EXPECT_EQ(value->as_double(), 5.5);
}

TEST(ImportOnnx, AnInputThatTheSchemaLacksIsNamed) {
    const auto model = OnnxModel::read(onnx::model(layer()));
    ASSERT_TRUE(model);
    Schema schema;
    model->add_to(schema);
    const auto expression = Expression::parse("sum(onnx(model))", schema);
    ASSERT_FALSE(expression);
    EXPECT_THAT(expression.error().render(), HasSubstr("unknown symbol 'x'"));
}

TEST(ImportOnnx, ShapesAreComputedWhileImporting) {
    // Reshape(x, Concat(Shape(x)[0], [4])): the shape never runs.
    ModelParts parts{{node("Shape", {"x"}, {"shape"}), node("Gather", {"shape", "first"}, {"rows"}),
                      node("Concat", {"rows", "four"}, {"wanted"}, {integer_attribute("axis", 0)}),
                      node("Reshape", {"x", "wanted"}, {"out"})},
                     {integer_tensor("first", {0}), integer_tensor("four", {4})},
                     {value_info("x", {0, 2, 2})},
                     {value_info("out", {0, 4})}};
    const auto model = OnnxModel::read(onnx::model(parts), {.sizes = {{"n", 3}}});
    ASSERT_TRUE(model) << model.error().render();
    EXPECT_EQ(model->outputs()[0].type.to_string(), "tensor<float>(d0[3],d1[4])");
}

TEST(ImportOnnx, RefusesWhatItDoesNotKnowByNode) {
    ModelParts parts = layer();
    parts.nodes[1] = node("Scan", {"product"}, {"sum"});
    EXPECT_THAT(failure(onnx::model(parts)), HasSubstr("node 1 'the_Scan', operator Scan of ai.onnx opset 17: the "
                                                       "operator is not supported"));
    parts.nodes[1] = node("Add", {"product", "b"}, {"sum"}, {}, "com.example");
    EXPECT_THAT(failure(onnx::model(parts)), HasSubstr("operator Add of com.example opset 1"));
}

TEST(ImportOnnx, ShapesThatDoNotFitNameTheNode) {
    ModelParts parts = layer();
    parts.initializers[0] = float_tensor("w", {3, 2}, {1, 2, 3, 4, 5, 6});
    EXPECT_THAT(failure(onnx::model(parts)),
                HasSubstr("node 0 'the_MatMul', operator MatMul of ai.onnx opset 17: a tensor of shape [1,2] cannot be "
                          "multiplied with one of shape [3,2]"));
}

TEST(ImportOnnx, AShapeThatComesWithTheDocumentIsRefused) {
    ModelParts parts{{node("Reshape", {"x", "shape"}, {"out"})},
                     {},
                     {value_info("x", {4}), value_info("shape", {2}, 7)},
                     {value_info("out", {2, 2})}};
    EXPECT_THAT(failure(onnx::model(parts)),
                HasSubstr("input 'shape' decides a shape, but its value is not known when the model is imported"));
    const auto shape = from_literal("tensor(d0[2]):[2,2]");
    EXPECT_EQ(failure(onnx::model(parts), {.constants = {{"shape", *shape}}}), "none");
}

TEST(ImportOnnx, NodesInAWrongOrderAreRefused) {
    ModelParts parts = layer();
    std::swap(parts.nodes[0], parts.nodes[1]);
    EXPECT_THAT(failure(onnx::model(parts)), HasSubstr("nothing before it makes its input 'product'"));
}

TEST(ImportOnnx, ATensorWithTooFewElementsIsRefused) {
    ModelParts parts = layer();
    parts.initializers[1] = float_tensor("b", {2}, {1});
    EXPECT_THAT(failure(onnx::model(parts)), HasSubstr("tensor 'b' has 1 elements, but its dimensions say 2"));
}

// Every begin of a model, and every model with a byte that is another one, is read or refused.
TEST(ImportOnnx, BrokenFilesAreRefused) {
    const std::string whole = onnx::model(layer());
    for (std::size_t length = 0; length < whole.size(); ++length) {
        EXPECT_NE(failure(whole.substr(0, length)), "none") << length;
    }
    for (std::size_t i = 0; i < whole.size(); ++i) {
        for (const unsigned bits : {0x01U, 0x7fU, 0x80U, 0xffU}) {
            std::string changed = whole;
            changed[i] = static_cast<char>(static_cast<unsigned char>(changed[i]) ^ bits);
            failure(changed);
        }
    }
    EXPECT_THAT(failure("\xff\xff"), HasSubstr("byte"));
}

// As deep as large models are.
TEST(ImportOnnx, LongChainsOfNodes) {
    ModelParts parts{{}, {float_tensor("one", {1}, {1})}, {value_info("v0", {2})}, {value_info("v3000", {2})}};
    for (int i = 0; i < 3000; ++i) {
        parts.nodes.push_back(
            node(i % 2 == 0 ? "Add" : "Sub", {fmt::format("v{}", i), "one"}, {fmt::format("v{}", i + 1)}));
    }
    const auto model = OnnxModel::read(onnx::model(parts));
    ASSERT_TRUE(model) << model.error().render();
    Schema schema;
    schema.document("v0", "tensor<float>(d0[2])");
    model->add_to(schema);
    const auto expression = Expression::parse("onnx(model)", schema);
    ASSERT_TRUE(expression) << expression.error().render();
    const auto x = from_literal("tensor<float>(d0[2]):[2,1]");
    const auto value = expression->evaluate_reference({{"v0", *x}});
    ASSERT_TRUE(value) << value.error().render();
    EXPECT_EQ(*value, *x);
    EXPECT_TRUE(compile(*expression));
}

}  // namespace
}  // namespace tenrex::onnx::import_test

// Encoders without some of their heads give what they give with zeros in place of these heads.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tenrex/attention_heads.h>

#include "tests/onnx/encoder.h"
#include "tests/onnx/evaluated.h"
#include "tests/onnx/model_writer.h"

namespace tenrex::onnx {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class AttentionHeadsTest : public testing::Test {
protected:
    AttentionHeadsTest() : folder_(fs::path(testing::TempDir()) / fmt::format("tenrex_heads_{}", ::getpid())) {
        fs::create_directories(folder_);
    }
    ~AttentionHeadsTest() override { fs::remove_all(folder_); }

    std::string write(std::string_view name, std::string_view bytes) const {
        std::ofstream(folder_ / name, std::ios::binary) << bytes;
        return (folder_ / name).string();
    }
    AttentionHeads found(std::string_view name, std::string_view bytes) const {
        auto heads = AttentionHeads::find(write(name, bytes));
        EXPECT_TRUE(heads) << heads.error().render();
        return *std::move(heads);
    }
    std::string failure(std::string_view name, std::string_view bytes) const {
        const auto heads = AttentionHeads::find(write(name, bytes));
        return heads ? "none" : heads.error().render();
    }
    // The first output for some texts, and the cells of all weights. Nothing: told.
    struct Values {
        std::vector<double> cells;
        std::uint64_t parameters = 0;
    };
    Values values_of(const Result<AttentionHeads::Files> &files) const {
        Values result;
        if (!files) {
            ADD_FAILURE() << files.error().render();
            return result;
        }
        const auto model =
            OnnxModel::read(files->model, {.name = "m", .beside = [&](std::string_view) { return files->config; }});
        if (!model) {
            ADD_FAILURE() << model.error().render();
            return result;
        }
        const auto plan = compile("onnx(m)", schema_with(*model));
        EXPECT_TRUE(plan) << plan.error().render();
        std::vector<std::vector<NamedTensor>> documents;
        for (const std::size_t length : {1, 6, 11}) {
            std::vector<NamedTensor> &values = documents.emplace_back();
            for (const OnnxModel::Port &input : model->inputs()) {
                std::vector<std::size_t> numbers;
                for (std::size_t i = 0; i < length; ++i) {
                    numbers.push_back(input.name == "input_ids"        ? (i * i + 5 * length) % Encoder::words
                                      : input.name == "attention_mask" ? 1
                                                                       : i % 2);
                }
                values.emplace_back(input.name, *from_literal(fmt::format("tensor(d0[1],d1[{}]):[[{}]]", length,
                                                                          fmt::join(numbers, ","))));
            }
        }
        const auto outputs = evaluated(*plan, documents);
        EXPECT_TRUE(outputs) << outputs.error().render();
        for (const Tensor &output : *outputs) {
            for (std::size_t i = 0; i < output.cell_count(); ++i) {
                result.cells.push_back(output.cell(i));
            }
        }
        result.parameters = model->parameters();
        return result;
    }
    void expect_close(const Values &a, const Values &b) const {
        ASSERT_EQ(a.cells.size(), b.cells.size());
        ASSERT_FALSE(a.cells.empty());
        for (std::size_t i = 0; i < a.cells.size(); ++i) {
            ASSERT_NEAR(a.cells[i], b.cells[i], 1e-5) << i;
        }
    }
    static double distance(const Values &a, const Values &b) {
        double sum = 0;
        for (std::size_t i = 0; i < a.cells.size(); ++i) {
            sum += std::abs(a.cells[i] - b.cells[i]);
        }
        return sum / static_cast<double>(a.cells.size());
    }
    // For each choice: what is cut gives what zeros give, which is not what the whole gives, and has fewer cells.
    void expect_cuts(const AttentionHeads &heads) const {
        ASSERT_EQ(heads.layers().size(), Encoder::layers);
        for (const AttentionHeads::Layer &layer : heads.layers()) {
            EXPECT_EQ(layer.heads, Encoder::heads);
            EXPECT_EQ(layer.cells, Encoder::width / Encoder::heads);
        }
        const Values whole = values_of(heads.silenced({}));
        expect_close(values_of(heads.without({})), whole);
        for (const AttentionHeads::Choice &choice :
             std::vector<AttentionHeads::Choice>{{{0}}, {{1}}, {{}, {0}}, {{}, {1}}, {{0}, {1}}, {{1}, {1}}}) {
            const auto files = heads.without(choice);
            const Values cut = values_of(files);
            expect_close(cut, values_of(heads.silenced(choice)));
            EXPECT_GT(distance(cut, whole), 1e-3);
            std::size_t count = 0;
            for (const auto &layer : choice) {
                count += layer.size();
            }
            // Four matrices and three biases.
            EXPECT_LE(cut.parameters + count * 4 * (4 * 8 + 3), whole.parameters + 8);
            EXPECT_LT(files->model.size(), heads.without({})->model.size());
        }
    }

    fs::path folder_;
};

class HeadsOfExporters : public AttentionHeadsTest, public testing::WithParamInterface<Exporter> {};

TEST_P(HeadsOfExporters, AreCut) {
    expect_cuts(found("model.onnx", Encoder().model(GetParam())));
}

INSTANTIATE_TEST_SUITE_P(All, HeadsOfExporters,
                         testing::Values(Exporter::decomposed, Exporter::single_operators, Exporter::runtime,
                                         Exporter::pairs, Exporter::attention));

TEST_F(AttentionHeadsTest, OfWeightsWithoutAGraphAreCut) {
    write("config.json", Encoder::config());
    expect_cuts(found("model.safetensors", Encoder().safetensors()));
}

TEST_F(AttentionHeadsTest, ThatAreGoneStandInConfig) {
    write("config.json", Encoder::config());
    const auto once = found("model.safetensors", Encoder().safetensors()).without({{0}});
    ASSERT_TRUE(once) << once.error().render();
    EXPECT_THAT(once->config, HasSubstr(R"("pruned_heads": {"0": [0]})"));
    write("config.json", once->config);
    const AttentionHeads heads = found("model.safetensors", once->model);
    EXPECT_EQ(heads.layers()[0].heads, 1);
    EXPECT_EQ(heads.layers()[1].heads, 2);
    const auto twice = heads.without({{}, {1}});
    ASSERT_TRUE(twice) << twice.error().render();
    EXPECT_THAT(twice->config, HasSubstr(R"("pruned_heads": {"0": [0], "1": [1]})"));
    expect_close(values_of(twice), values_of(heads.silenced({{}, {1}})));
}

TEST_F(AttentionHeadsTest, OfAnotherConfigAreRefused) {
    const std::string weights = Encoder().safetensors();
    const auto said = [&](std::string_view heads) {
        write("config.json", Encoder::config("BertModel", fmt::format(R"(,"pruned_heads":{})", heads)));
        return failure("model.safetensors", weights);
    };
    EXPECT_EQ(said("null"), "none");
    EXPECT_EQ(said(R"({"0":[]})"), "none");
    EXPECT_THAT(said(R"({"1":[0]})"),
                HasSubstr("the tensor 'encoder.layer.1.attention.self.query.weight' is [8,8], but "
                          "[4,8] is what config.json says of a layer with 1 heads of 4 cells"));
    EXPECT_THAT(said("[1]"), HasSubstr("\"pruned_heads\" is no object"));
    EXPECT_THAT(said(R"({"2":[0]})"), HasSubstr("has the layer '2' of 2"));
    EXPECT_THAT(said(R"({"x":[0]})"), HasSubstr("has the layer 'x' of 2"));
    EXPECT_THAT(said(R"({"0":[2]})"), HasSubstr("has head 2 of 2 for layer 0"));
    EXPECT_THAT(said(R"({"0":[-1]})"), HasSubstr("has head -1 of 2 for layer 0"));
    EXPECT_THAT(said(R"({"0":0})"), HasSubstr("has no list of heads for layer 0"));
    EXPECT_THAT(said(R"({"0":[0,1,1]})"), HasSubstr("leaves no head to layer 0"));
}

TEST_F(AttentionHeadsTest, ThatAreNotThereAreRefused) {
    const AttentionHeads heads = found("model.onnx", Encoder().model(Exporter::decomposed));
    for (const auto &[choice, message] : std::vector<std::pair<AttentionHeads::Choice, std::string>>{
             {{{2}}, "head 2 of layer 0 is chosen, which has 2"},
             {{{}, {}, {}}, "heads of 3 layers are chosen, but there are 2"},
             {{{}, {1, 0}}, "no head would be left in layer 1"}}) {
        const auto files = heads.without(choice);
        ASSERT_FALSE(files);
        EXPECT_THAT(files.error().render(), HasSubstr(message));
    }
    EXPECT_TRUE(heads.silenced({{0, 1, 1}}));
    EXPECT_THAT(failure("broken.onnx", "broken"), HasSubstr("byte"));
}

// x times weights, in heads of two cells, mixed by a softmax of the other two, times weights.
ModelParts attention_alone() {
    ModelParts parts;
    const auto matrix = [&](std::string_view name, std::uint32_t seed) {
        parts.initializers.push_back(float_tensor(name, {4, 4}, numbers(16, seed)));
    };
    for (const std::string part : {"q", "k", "v"}) {
        matrix("w" + part, static_cast<std::uint32_t>(part[0]));
        parts.nodes.push_back(node("MatMul", {"x", "w" + part}, {part + "0"}));
        parts.nodes.push_back(node("Reshape", {part + "0", "split"}, {part + "1"}));
        parts.nodes.push_back(node("Transpose", {part + "1"}, {part + "2"},
                                   {integers_attribute("perm", part == "k" ? std::vector<std::int64_t>{0, 2, 3, 1}
                                                                           : std::vector<std::int64_t>{0, 2, 1, 3})}));
    }
    matrix("wo", 1);
    parts.nodes.push_back(node("MatMul", {"q2", "k2"}, {"scores"}));
    parts.nodes.push_back(node("Softmax", {"scores"}, {"shares"}));
    parts.nodes.push_back(node("MatMul", {"shares", "v2"}, {"mixed"}));
    parts.nodes.push_back(node("Transpose", {"mixed"}, {"turned"}, {integers_attribute("perm", {0, 2, 1, 3})}));
    parts.nodes.push_back(node("Reshape", {"turned", "join"}, {"joined"}));
    parts.nodes.push_back(node("MatMul", {"joined", "wo"}, {"y"}));
    parts.initializers.push_back(integer_tensor("split", {0, 0, 2, 2}));
    parts.initializers.push_back(integer_tensor("join", {0, 0, 4}));
    parts.inputs = {value_info("x", {1, 3, 4})};
    parts.outputs = {value_info("y", {1, 3, 4})};
    return parts;
}

// The output for numbers of one document.
std::vector<double> output_of(const OnnxModel &model) {
    const auto plan = compile("onnx(m)", schema_with(model));
    const auto row = numbers(12, 9);
    const auto value = from_literal(
        fmt::format("tensor<float>(d0[1],d1[3],d2[4]):[[[{}],[{}],[{}]]]", fmt::join(row.begin(), row.begin() + 4, ","),
                    fmt::join(row.begin() + 4, row.begin() + 8, ","), fmt::join(row.begin() + 8, row.end(), ",")));
    const auto outputs = evaluated(*plan, {{{"x", *value}}});
    std::vector<double> cells;
    for (std::size_t i = 0; outputs && i < outputs->front().cell_count(); ++i) {
        cells.push_back(outputs->front().cell(i));
    }
    return cells;
}

void expect_same(const AttentionHeads &heads, const AttentionHeads::Choice &choice) {
    std::vector<double> results[2];
    for (const bool is_cut : {false, true}) {
        const auto files = is_cut ? heads.without(choice) : heads.silenced(choice);
        ASSERT_TRUE(files) << files.error().render();
        const auto model = OnnxModel::read(files->model, {.name = "m"});
        ASSERT_TRUE(model) << model.error().render();
        results[is_cut ? 1 : 0] = output_of(*model);
    }
    ASSERT_EQ(results[0].size(), 12);
    EXPECT_THAT(results[1], testing::Pointwise(testing::DoubleNear(1e-6), results[0]));
}

TEST_F(AttentionHeadsTest, WeightsInOtherFilesArePutIn) {
    ModelParts parts = attention_alone();
    const std::vector<float> cells = numbers(16, 5);
    write("weights.bin", {reinterpret_cast<const char *>(cells.data()), cells.size() * sizeof(float)});
    const auto entry = [](std::string_view key, std::string_view value) {
        return bytes_field(13, bytes_field(1, key) + bytes_field(2, value));
    };
    const auto external = [&](std::string_view name) {
        return number_field(1, 4) + number_field(1, 4) + number_field(2, 1) + bytes_field(8, name) +
               entry("location", "weights.bin") + number_field(14, 1);
    };
    parts.initializers[0] = external("wq");           // is cut
    parts.initializers.push_back(external("other"));  // is not
    parts.nodes.back() = node("MatMul", {"joined", "wo"}, {"z"});
    parts.nodes.push_back(node("MatMul", {"z", "other"}, {"y"}));
    const AttentionHeads heads = found("model.onnx", model(parts));
    expect_same(heads, {{0}});
    fs::remove(folder_ / "weights.bin");
    EXPECT_FALSE(AttentionHeads::find((folder_ / "model.onnx").string())->without({{0}}));
}

TEST_F(AttentionHeadsTest, WhatTheFileSaysOfOldShapesIsLeftOut) {
    const std::string with_heads = value_info("joined", {1, 3, 4});
    const std::string without_heads = value_info("scores of others", {1});
    ModelParts parts = attention_alone();
    parts.values = {with_heads, without_heads};
    const AttentionHeads heads = found("model.onnx", model(parts));
    expect_same(heads, {{1}});
    const auto files = heads.without({{1}});
    ASSERT_TRUE(files) << files.error().render();
    EXPECT_EQ(files->model.find(with_heads), std::string::npos);
    EXPECT_NE(files->model.find(without_heads), std::string::npos);
}

TEST_F(AttentionHeadsTest, AreFoundAmongSharedAndTurnedWeights) {
    // Queries and keys by the same weights, and those behind attention turned by a node.
    ModelParts parts = attention_alone();
    parts.nodes[3] = node("MatMul", {"x", "wq"}, {"k0"});
    parts.nodes.insert(parts.nodes.begin(), node("Transpose", {"wo"}, {"turned weights"}));
    parts.nodes.back() = node("MatMul", {"joined", "turned weights"}, {"y"});
    expect_same(found("model.onnx", model(parts)), {{0}});
    // With a bias in the product.
    parts = attention_alone();
    parts.initializers.push_back(float_tensor("b", {4}, numbers(4, 3)));
    parts.nodes[6] = node("MatMul", {"x", "wv"}, {"v9"});
    parts.nodes.insert(parts.nodes.begin() + 7, node("Add", {"b", "v9"}, {"v0"}));
    expect_same(found("model.onnx", model(parts)), {{1}});
}

TEST_F(AttentionHeadsTest, WhatIsNoAttentionIsNamed) {
    ModelParts parts = attention_alone();
    parts.nodes[10] = node("Relu", {"scores"}, {"shares"});
    EXPECT_THAT(failure("model.onnx", model(parts)), HasSubstr("no attention that heads can be cut out of"));
    parts = attention_alone();
    parts.initializers[3] = integer_tensor("wo", {1, 2, 3});
    EXPECT_THAT(failure("model.onnx", model(parts)), HasSubstr("looked for: values mixed by a softmax"));
    parts = attention_alone();
    parts.nodes.push_back(node("DequantizeLinear", {"a", "b"}, {"c"}));
    parts.nodes[10] = node("Relu", {"scores"}, {"shares"});
    EXPECT_THAT(failure("model.onnx", model(parts)), HasSubstr("the file is quantized"));
}

}  // namespace
}  // namespace tenrex::onnx

// Weights of the architecture BERT in files without a graph.
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <unistd.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/onnx/encoder.h"
#include "tests/onnx/evaluated.h"

namespace tenrex::onnx {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Bert : public testing::Test {
protected:
    Bert() : folder_(fs::path(testing::TempDir()) / fmt::format("tenrex_bert_{}", ::getpid())) {
        fs::create_directories(folder_);
    }
    ~Bert() override { fs::remove_all(folder_); }

    void write(std::string_view name, std::string_view bytes) const {
        std::ofstream(folder_ / name, std::ios::binary) << bytes;
    }
    std::string path() const { return (folder_ / "model.safetensors").string(); }
    Result<OnnxModel> load(std::string_view weights, std::string_view config) const {
        write("model.safetensors", weights);
        write("config.json", config);
        return OnnxModel::load(path(), {.name = "m"});
    }
    std::string failure(std::string_view weights, std::string_view config) const {
        const auto model = load(weights, config);
        return model ? "none" : model.error().render();
    }

    fs::path folder_;
};

struct Text {
    std::vector<int> tokens, mask, kinds;
};

Text text_of(std::size_t length) {
    Text text;
    for (std::size_t i = 0; i < length; ++i) {
        text.tokens.push_back(static_cast<int>((i * i + 5 * length) % Encoder::words));
        text.mask.push_back(i == 0 || i + length / 4 < length ? 1 : 0);
        text.kinds.push_back(2 * i > length ? 1 : 0);
    }
    return text;
}

std::vector<NamedTensor> values_of(const Text &text) {
    std::vector<NamedTensor> values;
    for (const auto &[name, numbers] : {std::pair("input_ids", &text.tokens), std::pair("attention_mask", &text.mask),
                                        std::pair("token_type_ids", &text.kinds)}) {
        values.emplace_back(
            name, *from_literal(fmt::format("tensor(d0[1],d1[{}]):[[{}]]", numbers->size(), fmt::join(*numbers, ","))));
    }
    return values;
}

// By both evaluators, for texts of several lengths in one block.
void expect_output(const OnnxModel &model, std::string_view output,
                   const std::function<std::vector<double>(const Text &)> &expected) {
    const auto expression = Expression::parse(fmt::format("onnx(m).{}", output), schema_with(model));
    ASSERT_TRUE(expression) << expression.error().render();
    const auto plan = compile(*expression);
    ASSERT_TRUE(plan) << plan.error().render();
    std::vector<std::vector<NamedTensor>> documents;
    const std::vector<std::size_t> lengths{1, 6, 2, 11};
    for (const std::size_t length : lengths) {
        documents.push_back(values_of(text_of(length)));
    }
    const auto compiled = evaluated(*plan, documents);
    ASSERT_TRUE(compiled) << compiled.error().render();
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        const auto reference = expression->evaluate_reference(documents[i]);
        ASSERT_TRUE(reference) << reference.error().render();
        const std::vector<double> cells = expected(text_of(lengths[i]));
        for (const Tensor &tensor : {*reference, (*compiled)[i]}) {
            ASSERT_EQ(tensor.cell_count(), cells.size());
            for (std::size_t k = 0; k < cells.size(); ++k) {
                ASSERT_NEAR(tensor.cell(k), cells[k], 2e-5) << output << ", length " << lengths[i] << ", cell " << k;
            }
        }
    }
}

TEST_F(Bert, AnEncoderGivesWhatLoopsGive) {
    const Encoder encoder;
    const auto model = load(encoder.safetensors(), Encoder::config());
    ASSERT_TRUE(model) << model.error().render();
    EXPECT_EQ(model->inputs()[0].type.to_string(), "tensor(d0[1],d1[])");
    EXPECT_EQ(model->flops().per_token, 2 * 2 * (4 * 8 * 8 + 2 * 8 * 12));
    const auto hidden = [&](const Text &text) { return encoder.bert_hidden(text.tokens, text.mask, text.kinds); };
    expect_output(*model, "last_hidden_state", hidden);
    expect_output(*model, "pooler_output", [&](const Text &text) { return encoder.pooled(hidden(text)); });
}

TEST_F(Bert, HeadsAreComputed) {
    const Encoder encoder;
    const auto hidden = [&](const Text &text) { return encoder.bert_hidden(text.tokens, text.mask, text.kinds); };
    const auto of_text = load(encoder.safetensors("bert."), Encoder::config("BertForSequenceClassification"));
    ASSERT_TRUE(of_text) << of_text.error().render();
    expect_output(*of_text, "logits",
                  [&](const Text &text) { return encoder.classified(encoder.pooled(hidden(text))); });
    const auto of_tokens = load(encoder.safetensors("bert."), Encoder::config("BertForTokenClassification"));
    ASSERT_TRUE(of_tokens) << of_tokens.error().render();
    expect_output(*of_tokens, "logits", [&](const Text &text) { return encoder.classified(hidden(text)); });
    const auto answers = load(encoder.safetensors("bert.", "qa_outputs"), Encoder::config("BertForQuestionAnswering"));
    ASSERT_TRUE(answers) << answers.error().render();
    for (const std::size_t which : {0, 1}) {
        expect_output(*answers, which == 0 ? "start_logits" : "end_logits", [&](const Text &text) {
            std::vector<double> column;
            const std::vector<double> both = encoder.classified(hidden(text));
            for (std::size_t i = which; i < both.size(); i += 2) {
                column.push_back(both[i]);
            }
            return column;
        });
    }
}

TEST_F(Bert, ContentsAreToldAsOfOtherNetworks) {
    write("model.safetensors", Encoder().safetensors());
    write("config.json", Encoder::config());
    const auto contents = OnnxContents::load(path());
    ASSERT_TRUE(contents) << contents.error().render();
    EXPECT_EQ(contents->producer, "safetensors");
    EXPECT_EQ(contents->inputs[0].type, "int64[batch,sequence]");
}

TEST_F(Bert, WhatIsNotKnownIsNamed) {
    const std::string weights = Encoder().safetensors();
    EXPECT_THAT(failure(weights, Encoder::config("BertForMaskedLM")),
                HasSubstr("config.json says the architecture 'BertForMaskedLM', which is not supported"));
    EXPECT_THAT(failure(weights, Encoder::config("BertModel", R"(,"hidden_act":"silu")")),
                HasSubstr("config.json says the function 'silu', which is not supported"));
    EXPECT_THAT(failure(weights, Encoder::config("BertModel", R"(,"position_embedding_type":"relative_key")")),
                HasSubstr("positions of the kind 'relative_key'"));
    EXPECT_THAT(failure(weights, R"({"model_type":"roberta"})"), HasSubstr("config.json does not say"));
    EXPECT_THAT(
        failure(weights, R"({"model_type":"roberta","hidden_size":8,"num_attention_heads":2,"num_hidden_layers":2})"),
        HasSubstr("the model type 'roberta', which is not supported"));
    EXPECT_THAT(failure(weights, R"({"hidden_size":8,"num_attention_heads":3,"num_hidden_layers":2})"),
                HasSubstr("3 heads for vectors of 8 numbers"));
    EXPECT_THAT(failure(weights, R"({"hidden_size":8,"num_attention_heads":2,"num_hidden_layers":3})"),
                HasSubstr("there is no tensor 'encoder.layer.2.attention.self.query.weight'"));
    EXPECT_THAT(failure(weights, "no JSON"), HasSubstr("config.json: "));
    fs::remove(folder_ / "config.json");
    const auto alone = OnnxModel::load(path());
    ASSERT_FALSE(alone);
    EXPECT_THAT(alone.error().render(), HasSubstr("no file config.json is beside it"));
}

// A file with this header and 8 bytes of elements.
std::string file_of(std::string_view header) {
    std::string bytes(8, '\0');
    bytes[0] = static_cast<char>(header.size());
    return bytes + std::string(header) + "12345678";
}

TEST_F(Bert, DamagedFilesAreRefused) {
    const auto said = [&](std::string_view header) { return failure(file_of(header), Encoder::config()); };
    EXPECT_THAT(said(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,12]}})"),
                HasSubstr("tensor 'a' stands at bytes 0 to 12 of 8, which does not fit its shape"));
    EXPECT_THAT(said(R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})"), HasSubstr("does not fit its shape"));
    EXPECT_THAT(said(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})"), HasSubstr("does not fit its shape"));
    EXPECT_THAT(said(R"({"a":{"dtype":"F32","shape":[1e40],"data_offsets":[0,8]}})"),
                HasSubstr("lacks a type, a shape"));
    EXPECT_THAT(said(R"({"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})"), HasSubstr("lacks a type, a shape"));
    EXPECT_THAT(said(R"({"a":{"dtype":"F32","data_offsets":[0,8]}})"), HasSubstr("lacks a type, a shape"));
    EXPECT_THAT(
        said(
            R"({"a":{"dtype":"I64","shape":[1],"data_offsets":[0,8]},"a":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}})"),
        HasSubstr("twice"));
    // No product of sizes wraps.
    EXPECT_THAT(
        said(
            R"({"a":{"dtype":"F32","shape":[1125899906842624,1125899906842624,1125899906842624],"data_offsets":[0,0]}})"),
        HasSubstr("does not fit its shape"));
    // Types that ONNX does not have are left out.
    EXPECT_THAT(said(R"({"a":{"dtype":"F8_E4M3","shape":[8],"data_offsets":[0,8]}})"),
                HasSubstr("there is no tensor 'bert.embeddings.word_embeddings.weight'"));
    const std::string whole = Encoder().safetensors();
    for (const std::size_t kept : {std::size_t{1}, std::size_t{9}, std::size_t{200}, whole.size() - 1}) {
        EXPECT_NE(failure(whole.substr(0, kept), Encoder::config()), "none") << kept;
    }
}

}  // namespace
}  // namespace tenrex::onnx

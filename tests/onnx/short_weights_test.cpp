// Files of weights that have 16 bits each, F16 or BF16.
#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/onnx/encoder.h"
#include "tests/onnx/evaluated.h"

namespace tenrex::onnx {
namespace {

namespace fs = std::filesystem;

// A float as 16 bits, and what they mean. Digits that there is no room for are cut off.
struct Short {
    std::uint16_t bits;
    float value;
};

Short bfloat16(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x) & 0xFFFF0000U;
    return {static_cast<std::uint16_t>(bits >> 16U), std::bit_cast<float>(bits)};
}

// The exponent has 5 bits instead of 8; what is too small for it is 0.
Short float16(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x) & 0xFFFFE000U;
    const std::uint32_t exponent = (bits >> 23U & 0xFFU) - 112;
    if (exponent - 1 >= 30) {
        return {0, 0};
    }
    return {static_cast<std::uint16_t>((bits >> 16U & 0x8000U) | exponent << 10U | (bits >> 13U & 0x3FFU)),
            std::bit_cast<float>(bits)};
}

// The file with weights of 16 bits, and the one that has their values as floats.
struct Files {
    std::string with_16_bits;
    std::string with_32_bits;
};

std::string file_of(const nlohmann::json &header, std::string_view cells) {
    std::string text = header.dump();
    text.append(-text.size() % 8, ' ');
    const std::uint64_t length = text.size();
    std::string file(reinterpret_cast<const char *>(&length), sizeof(length));
    return file.append(text).append(cells);
}

Files shortened(const std::string &file, const char *type, Short (*shorten)(float)) {
    std::uint64_t length = 0;
    std::memcpy(&length, file.data(), sizeof(length));
    const auto header = nlohmann::json::parse(file.substr(sizeof(length), length));
    nlohmann::json short_header = header;
    short_header.erase("__metadata__");
    for (auto &[name, tensor] : short_header.items()) {
        tensor["dtype"] = type;
        for (auto &offset : tensor["data_offsets"]) {
            offset = offset.get<std::size_t>() / 2;
        }
    }
    std::string halves, floats;
    for (std::size_t i = sizeof(length) + length; i < file.size(); i += sizeof(float)) {
        float x = 0;
        std::memcpy(&x, &file[i], sizeof(x));
        const Short cell = shorten(x);
        halves.append(reinterpret_cast<const char *>(&cell.bits), sizeof(cell.bits));
        floats.append(reinterpret_cast<const char *>(&cell.value), sizeof(cell.value));
    }
    return {file_of(short_header, halves), file_of(header, floats)};
}

class ShortWeights : public testing::Test {
protected:
    ShortWeights() : folder_(fs::path(testing::TempDir()) / fmt::format("tenrex_short_weights_{}", ::getpid())) {
        fs::create_directories(folder_);
    }
    ~ShortWeights() override { fs::remove_all(folder_); }

    // The vectors of the tokens of a text, by the reference evaluator or compiled.
    Result<Tensor> hidden(const std::string &weights, ModelPrecision precision, bool is_compiled) const {
        std::ofstream(folder_ / "model.safetensors", std::ios::binary) << weights;
        std::ofstream(folder_ / "config.json") << Encoder::config();
        const auto model =
            OnnxModel::load((folder_ / "model.safetensors").string(), {.name = "m", .precision = precision});
        if (!model) {
            return model.error();
        }
        std::vector<NamedTensor> text;
        for (const OnnxModel::Port &input : model->inputs()) {
            const bool is_mask = input.symbol == "attention_mask";
            text.emplace_back(input.symbol, *from_literal(is_mask ? "tensor(d0[1],d1[5]):[[1,1,1,1,0]]"
                                                                  : "tensor(d0[1],d1[5]):[[1,0,1,1,0]]"));
        }
        const auto expression = Expression::parse("onnx(m).last_hidden_state", schema_with(*model));
        if (!expression) {
            return expression.error();
        }
        if (!is_compiled) {
            return expression->evaluate_reference(text);
        }
        const auto plan = compile(*expression);
        if (!plan) {
            return plan.error();
        }
        auto found = evaluated(*plan, {text});
        return found ? Result<Tensor>(std::move(found->front())) : found.error();
    }

private:
    fs::path folder_;
};

TEST_F(ShortWeights, AreTheFloatsThatTheyMean) {
    const std::string whole = Encoder().safetensors();
    for (const auto &[type, shorten] : {std::pair("BF16", &bfloat16), std::pair("F16", &float16)}) {
        const Files files = shortened(whole, type, shorten);
        ASSERT_LT(files.with_16_bits.size(), files.with_32_bits.size());
        for (const ModelPrecision precision : {ModelPrecision::f32, ModelPrecision::bf16, ModelPrecision::int8}) {
            for (const bool is_compiled : {false, true}) {
                const auto found = hidden(files.with_16_bits, precision, is_compiled);
                ASSERT_TRUE(found) << type << ": " << found.error().render();
                const auto expected = hidden(files.with_32_bits, precision, is_compiled);
                ASSERT_TRUE(expected) << expected.error().render();
                EXPECT_TRUE(*found == *expected) << type << ", compiled: " << is_compiled;
            }
        }
        // Digits were lost: the weights are those of the short file.
        EXPECT_FALSE(*hidden(files.with_16_bits, ModelPrecision::f32, true) ==
                     *hidden(whole, ModelPrecision::f32, true))
            << type;
    }
}

}  // namespace
}  // namespace tenrex::onnx

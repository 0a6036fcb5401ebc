// Encoders in files that others trained give what ONNX Runtime computes, in blocks of any size. The files and values
// are those of scripts/run-encoders, in the folder that TENREX_ENCODERS names.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/onnx/evaluated.h"

namespace tenrex::onnx {
namespace {

namespace fs = std::filesystem;

constexpr double separator = 102;  // the token between two texts

struct EncoderFile {
    std::string name;
    std::string model;
    std::string expression;
    double largest = 0;  // that the distance of a text may be
    double mean = 0;
    std::vector<std::vector<double>> tokens;
    std::vector<std::vector<double>> values;
};

std::vector<std::vector<double>> lists_of(const fs::path &path) {
    std::vector<std::vector<double>> lists;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        std::vector<double> &numbers = lists.emplace_back();
        for (const char *at = line.c_str(); *at != '\0';) {
            char *end = nullptr;
            numbers.push_back(std::strtod(at, &end));
            at = end == at ? at + 1 : end;
        }
    }
    return lists;
}

std::vector<EncoderFile> encoder_files(const fs::path &folder) {
    std::vector<EncoderFile> files;
    for (const auto &entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() != ".encoder") {
            continue;
        }
        EncoderFile &file = files.emplace_back();
        std::ifstream text(entry.path());
        std::getline(text, file.model);
        std::getline(text, file.expression);
        text >> file.largest >> file.mean;
        fs::path path = entry.path();
        file.name = path.stem().string();
        file.tokens = lists_of(path.replace_extension(".tokens"));
        file.values = lists_of(path.replace_extension(".values"));
    }
    std::sort(files.begin(), files.end(), [](const EncoderFile &a, const EncoderFile &b) { return a.name < b.name; });
    return files;
}

// What an input of an encoder has for each token.
double element(std::string_view input, const std::vector<double> &tokens, std::size_t i) {
    if (input == "attention_mask") {
        return tokens[i] != 0 ? 1 : 0;
    }
    if (input == "token_type_ids") {
        const auto first_end = std::find(tokens.begin(), tokens.end(), separator);
        return tokens[i] != 0 && first_end - tokens.begin() < static_cast<std::ptrdiff_t>(i) ? 1 : 0;
    }
    return tokens[i];
}

std::vector<NamedTensor> values_of(const OnnxModel &model, const std::vector<double> &tokens) {
    std::vector<NamedTensor> values;
    for (const OnnxModel::Port &input : model.inputs()) {
        TensorBuilder builder(*TensorType::parse(fmt::format("tensor(d0[1],d1[{}])", tokens.size())));
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            builder.set(0, i, element(input.name, tokens, i));
        }
        values.emplace_back(input.symbol, std::move(builder).build());
    }
    return values;
}

// One minus the cosine; of a single number how far it is off.
double distance(const Tensor &ours, const std::vector<double> &theirs) {
    if (ours.cell_count() != theirs.size()) {
        return INFINITY;
    }
    if (theirs.size() == 1) {
        return std::abs(ours.cell(0) - theirs[0]);
    }
    double product = 0;
    double of_ours = 0;
    double of_theirs = 0;
    for (std::size_t i = 0; i < theirs.size(); ++i) {
        product += ours.cell(i) * theirs[i];
        of_ours += ours.cell(i) * ours.cell(i);
        of_theirs += theirs[i] * theirs[i];
    }
    return 1 - product / std::sqrt(of_ours * of_theirs);
}

std::vector<Tensor> in_blocks(const Plan &plan, const std::vector<std::vector<NamedTensor>> &documents,
                              std::size_t block) {
    std::vector<Tensor> results;
    for (std::size_t first = 0; first < documents.size(); first += block) {
        const auto begin = documents.begin() + static_cast<std::ptrdiff_t>(first);
        const auto end = begin + static_cast<std::ptrdiff_t>(std::min(block, documents.size() - first));
        auto values = evaluated(plan, {begin, end});
        if (!values) {
            ADD_FAILURE() << values.error().render();
            return results;
        }
        results.insert(results.end(), values->begin(), values->end());
    }
    return results;
}

// How far a result may be off.
struct Bounds {
    double largest = 0;
    double mean = 0;
};

void expect_values(const EncoderFile &file, ModelPrecision precision, const Bounds &bounds) {
    SCOPED_TRACE(fmt::format("{} at {}", file.name, name(precision)));
    const auto model = OnnxModel::load(file.model, {.name = "m", .precision = precision});
    ASSERT_TRUE(model) << model.error().render();
    const auto plan = compile(file.expression, schema_with(*model));
    ASSERT_TRUE(plan) << plan.error().render();
    std::vector<std::vector<NamedTensor>> documents;
    documents.reserve(file.tokens.size());
    for (const std::vector<double> &tokens : file.tokens) {
        documents.push_back(values_of(*model, tokens));
    }
    const std::vector<Tensor> alone = in_blocks(*plan, documents, 1);
    ASSERT_EQ(alone.size(), file.values.size());
    double largest = 0;
    double sum = 0;
    for (std::size_t i = 0; i < alone.size(); ++i) {
        const double one = distance(alone[i], file.values[i]);
        largest = one <= largest ? largest : one;
        sum += one;
    }
    const double mean = sum / static_cast<double>(alone.size());
    std::cout << fmt::format("{} at {}: {} texts, distance at most {:.2g}, {:.2g} on average\n", file.name,
                             name(precision), alone.size(), largest, mean);
    EXPECT_LE(largest, bounds.largest);
    EXPECT_LE(mean, bounds.mean);
    for (const std::size_t block : {7, 64}) {
        EXPECT_TRUE(in_blocks(*plan, documents, block) == alone) << "blocks of " << block << " have other bits";
    }
}

TEST(EncoderFiles, GiveWhatOnnxRuntimeComputes) {
    const char *folder = std::getenv("TENREX_ENCODERS");
    if (folder == nullptr) {
        GTEST_SKIP() << "scripts/models installs encoders and says where they are";
    }
    const std::vector<EncoderFile> files = encoder_files(folder);
    ASSERT_FALSE(files.empty());
    for (const EncoderFile &file : files) {
        expect_values(file, ModelPrecision::f32, {file.largest, file.mean});
        const bool is_quantized = file.largest > 1e-4;
        if (!is_quantized) {
            expect_values(file, ModelPrecision::bf16, {1e-3, 1e-3});
            expect_values(file, ModelPrecision::int8, {0.015, 0.003});
        }
    }
}

}  // namespace
}  // namespace tenrex::onnx

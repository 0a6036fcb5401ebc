// Packed models: what is computed with them has the bits of what is computed with the model that they were made of,
// nothing is packed or rounded again, and a file that does not fit is an error that says why.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/onnx/packed_model.h"
#include "tests/onnx/encoder.h"
#include "tests/onnx/evaluated.h"
#include "tests/onnx/model_writer.h"

namespace tenrex::onnx::packed_model_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

namespace fs = std::filesystem;

constexpr ModelPrecision precisions[] = {ModelPrecision::f32, ModelPrecision::bf16, ModelPrecision::int8};
constexpr std::int64_t depth = 70, wide = 80;  // more cells than are computed with while importing

std::string halves(const std::vector<std::int64_t> &shape) {
    constexpr std::uint64_t float16 = 10;
    std::string bytes;
    for (const std::int64_t size : shape) {
        bytes += number_field(1, static_cast<std::uint64_t>(size));
    }
    std::string cells;
    for (std::uint32_t i = 0; i < depth * wide; ++i) {
        const std::uint32_t half = 0x3000 + (i * 2654435761U >> 20) % 0xC00 + (i % 3 == 0 ? 0x8000 : 0);
        cells += static_cast<char>(half % 256);
        cells += static_cast<char>(half / 256);
    }
    return bytes + number_field(2, float16) + bytes_field(8, "w") + bytes_field(9, cells);
}

// Rows of 70 cells by a matrix, in one of the ways in which files have it.
std::string product(std::string_view how) {
    const bool turned = how == "Transpose" || how == "Gemm";
    const std::vector<std::int64_t> shape =
        turned ? std::vector<std::int64_t>{wide, depth} : std::vector<std::int64_t>{depth, wide};
    std::vector<std::string> nodes;
    if (how == "Transpose") {
        nodes = {node("Transpose", {"w"}, {"t"}), node("MatMul", {"x", "t"}, {"m"})};
    } else if (how == "Gemm") {
        nodes = {node("Gemm", {"x", "w"}, {"m"}, {integer_attribute("transB", 1)})};
    } else {
        nodes = {node("MatMul", {"x", "w"}, {"m"})};
    }
    const std::uint64_t type = how == "halves" ? 10 : 1;
    const std::string weights = how == "halves" ? halves(shape) : float_tensor("w", shape, numbers(depth * wide, 1));
    if (how == "halves") {
        nodes.push_back(node("Identity", {"m"}, {"out"}));
        return model({nodes, {weights}, {value_info("x", {0, depth}, type)}, {value_info("out", {}, type)}});
    }
    nodes.push_back(node("Add", {"m", "b"}, {"out"}));
    return model({nodes,
                  {weights, float_tensor("b", {wide}, numbers(wide, 2))},
                  {value_info("x", {0, depth})},
                  {value_info("out", {})}});
}

OnnxOptions options_at(ModelPrecision precision) {
    return {.name = "m", .sizes = {{"n", -1}}, .precision = precision};
}

Tensor rows_of(std::size_t length) {
    TensorBuilder builder(*TensorType::parse(fmt::format("tensor<float>(d0[{}],d1[70])", length)));
    const std::vector<float> cells = numbers(length * depth, 3);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        builder.set(0, i, cells[i]);
    }
    return std::move(builder).build();
}

std::string packed_bytes(const std::string &path, ModelPrecision precision) {
    std::string bytes;
    const Status status = pack_onnx_model(path, options_at(precision), [&](std::string_view part) { bytes += part; });
    EXPECT_TRUE(status) << status.error().render();
    return bytes;
}

// A folder with a model that is packed, and with nothing else afterwards.
class PackedModels : public testing::Test {
protected:
    PackedModels() { fs::create_directories(folder_); }
    ~PackedModels() override { fs::remove_all(folder_); }

    std::string file(std::string_view name, std::string_view bytes) const {
        std::ofstream(folder_ / name, std::ios::binary) << bytes;
        return (folder_ / name).string();
    }
    // The model at a precision as a file alone.
    std::string packed(const std::string &path, ModelPrecision precision) const {
        const std::string bytes = packed_bytes(path, precision);
        fs::create_directories(folder_ / "packed");
        return file("packed/model.packed", bytes);
    }
    std::string small_packed() const {
        return packed_bytes(file("small.onnx", product("MatMul")), ModelPrecision::int8);
    }

    const fs::path folder_ =
        fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
};

std::string failure(const std::string &bytes, ModelPrecision precision = ModelPrecision::f32) {
    const auto model = OnnxModel::read(bytes, options_at(precision));
    return model ? "none" : model.error().render();
}

// Values of a plan that packs nothing.
std::vector<Tensor> values_of(const OnnxModel &model, const std::string &expression,
                              const std::vector<std::vector<NamedTensor>> &documents, std::uint64_t most_packed = 0) {
    CompileOptions options;
    options.weights = std::make_shared<WeightStore>();
    const auto plan = compile(expression, schema_with(model), options);
    EXPECT_TRUE(plan) << plan.error().render();
    EXPECT_LE(options.weights->statistics().packed, most_packed);
    const auto found = evaluated(*plan, documents);
    EXPECT_TRUE(found) << found.error().render();
    return *found;
}

TEST_F(PackedModels, HaveTheSameBits) {
    const std::vector<std::vector<NamedTensor>> documents = {{{"x", rows_of(1)}}, {{"x", rows_of(9)}}};
    for (const std::string_view how : {"MatMul", "Transpose", "Gemm", "halves"}) {
        for (const ModelPrecision precision : precisions) {
            SCOPED_TRACE(fmt::format("{} at {}", how, name(precision)));
            const std::string path = file("model.onnx", product(how));
            const std::string packed_path = packed(path, precision);
            const auto plain = OnnxModel::load(path, options_at(precision));
            // The file has its precision, and needs no other.
            const auto model = OnnxModel::load(packed_path, options_at(ModelPrecision::f32));
            ASSERT_TRUE(plain && model) << model.error().render();
            ASSERT_EQ(model->definitions().size(), plain->definitions().size());
            for (std::size_t i = 0; i < model->definitions().size(); ++i) {
                EXPECT_EQ(model->definitions()[i].text, plain->definitions()[i].text);
            }
            const auto expected = values_of(*plain, "onnx(m)", documents, 1);
            EXPECT_EQ(values_of(*model, "onnx(m)", documents), expected);
            const auto of = [&](const OnnxModel &one) {
                return *Expression::parse("onnx(m)", schema_with(one))->evaluate_reference(documents[1]);
            };
            EXPECT_EQ(of(*model), of(*plain));
            // In memory it is the same.
            std::ifstream stream(packed_path, std::ios::binary);
            const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
            const auto read = OnnxModel::read(bytes, options_at(precision));
            ASSERT_TRUE(read) << read.error().render();
            EXPECT_EQ(values_of(*read, "onnx(m)", documents), expected);
        }
    }
}

// The cells of the model are in the file, too: a plan for another processor packs them.
TEST_F(PackedModels, ServePlansForLess) {
    for (const ModelPrecision precision : precisions) {
        const std::string path = file("model.onnx", product("MatMul"));
        const std::string packed_path = packed(path, precision);
        CompileOptions options;
        options.max_isa = "baseline";
        std::vector<Tensor> values;
        for (const std::string &one : {path, packed_path}) {
            const auto model = OnnxModel::load(one, options_at(precision));
            ASSERT_TRUE(model) << model.error().render();
            const auto plan = compile("onnx(m)", schema_with(*model), options);
            ASSERT_TRUE(plan) << plan.error().render();
            values.push_back(evaluated(*plan, {{{"x", rows_of(3)}}})->front());
        }
        EXPECT_EQ(values[0], values[1]);
    }
}

TEST_F(PackedModels, OptionsHoldForThem) {
    const std::string path = packed(file("model.onnx", product("MatMul")), ModelPrecision::bf16);
    OnnxOptions options;
    options.name = "other";
    options.inputs = {{"x", "rows"}};
    options.type_of = [](std::string_view) { return *TensorType::parse("tensor(d0[3],d1[70])"); };
    const auto model = OnnxModel::load(path, options);
    ASSERT_TRUE(model) << model.error().render();
    EXPECT_EQ(model->outputs()[0].type.to_string(), "tensor<float>(d0[3],d1[80])");
    EXPECT_EQ(model->outputs()[0].symbol, "onnx(other).out");
    EXPECT_EQ(values_of(*model, "onnx(other)", {{{"rows", rows_of(3)}}}).size(), 1U);
}

TEST_F(PackedModels, HaveTheFilesBesideTheModel) {
    const std::vector<float> cells = numbers(depth * wide, 1);
    file("weights.bin", {reinterpret_cast<const char *>(cells.data()), cells.size() * sizeof(float)});
    const auto entry = [](std::string_view key, std::string_view value) {
        return bytes_field(13, bytes_field(1, key) + bytes_field(2, value));
    };
    const std::string weights = number_field(1, depth) + number_field(1, wide) + number_field(2, 1) +
                                bytes_field(8, "w") + entry("location", "weights.bin") + number_field(14, 1);
    const std::string path = file("model.onnx", model({{node("MatMul", {"x", "w"}, {"out"})},
                                                       {weights},
                                                       {value_info("x", {0, depth})},
                                                       {value_info("out", {})}}));
    for (const ModelPrecision precision : precisions) {
        const auto plain = OnnxModel::load(path, options_at(precision));
        ASSERT_TRUE(plain) << plain.error().render();
        const auto model = OnnxModel::load(packed(path, precision), options_at(precision));
        ASSERT_TRUE(model) << model.error().render();
        EXPECT_EQ(values_of(*model, "onnx(m)", {{{"x", rows_of(2)}}}),
                  values_of(*plain, "onnx(m)", {{{"x", rows_of(2)}}}, 1));
    }
}

TEST_F(PackedModels, AreEncodersToo) {
    file("config.json", Encoder::config());
    const std::vector<std::pair<std::string, std::string>> files = {
        {"model.safetensors", Encoder().safetensors()}, {"model.onnx", Encoder().model(Exporter::single_operators)}};
    for (const auto &[called, content] : files) {
        const std::string path = file(called, content);
        for (const ModelPrecision precision : precisions) {
            SCOPED_TRACE(fmt::format("{} at {}", called, name(precision)));
            const OnnxOptions options = {.name = "m", .precision = precision};
            const auto plain = OnnxModel::load(path, options);
            std::string bytes;
            const Status status = pack_onnx_model(path, options, [&](std::string_view part) { bytes += part; });
            ASSERT_TRUE(plain && status) << status.error().render();
            const auto model = OnnxModel::read(bytes, options);
            ASSERT_TRUE(model) << model.error().render();
            std::vector<NamedTensor> document;
            for (const OnnxModel::Port &input : model->inputs()) {
                TensorBuilder builder(*TensorType::parse("tensor(d0[1],d1[5])"));
                for (std::size_t i = 0; i < 5; ++i) {
                    builder.set(0, i, input.name == "input_ids" ? static_cast<double>(2 * i) : 1);
                }
                document.emplace_back(input.symbol, std::move(builder).build());
            }
            constexpr std::uint64_t any = 1000;  // small matrices are packed again
            EXPECT_EQ(values_of(*model, "onnx(m)", {document}, any), values_of(*plain, "onnx(m)", {document}, any));
        }
    }
}

TEST_F(PackedModels, TellWhatTheyAre) {
    const std::string path = packed(file("model.onnx", product("MatMul")), ModelPrecision::int8);
    const auto contents = OnnxContents::load(path);
    ASSERT_TRUE(contents) << contents.error().render();
    ASSERT_TRUE(contents->packed);
    EXPECT_EQ(contents->packed->precision, ModelPrecision::int8);
    EXPECT_EQ(contents->packed->source, "model.onnx");
    EXPECT_EQ(contents->packed->matrices, 1U);
    EXPECT_GE(contents->packed->bytes, static_cast<std::uint64_t>(depth * wide));
    EXPECT_EQ(contents->parameters, static_cast<std::uint64_t>(depth * wide + wide));
    EXPECT_TRUE(tenrex::is_packed_model(path));
    EXPECT_TRUE(tenrex::check_packed_model(path));
    EXPECT_FALSE(tenrex::is_packed_model(file("model.onnx", product("MatMul"))));
    EXPECT_FALSE(OnnxContents::read(product("MatMul"))->packed);
    EXPECT_FALSE(tenrex::is_packed_model((folder_ / "none").string()));
}

TEST_F(PackedModels, AreAtOnePrecision) {
    const std::string bytes = small_packed();
    EXPECT_EQ(failure(bytes, ModelPrecision::int8), "none");
    EXPECT_THAT(failure(bytes, ModelPrecision::bf16), HasSubstr("the packed model is int8, and bf16 was asked for"));
    const Status again =
        pack_onnx_model(file("small.packed", bytes), options_at(ModelPrecision::int8), [](std::string_view) {});
    ASSERT_FALSE(again);
    EXPECT_THAT(again.error().render(), HasSubstr("the model is packed already"));
}

TEST_F(PackedModels, ThatAreCutOff) {
    const std::string bytes = small_packed();
    constexpr std::size_t magic = 8, parsed = 6000;
    for (std::size_t size = 0; size < bytes.size(); size += size < parsed ? 1 : 997) {
        const std::string found = failure(bytes.substr(0, size));
        ASSERT_NE(found, "none") << size;
        if (size >= magic) {
            ASSERT_THAT(found, AllOf(HasSubstr("the packed model is cut off"), HasSubstr("make it again"))) << size;
        }
    }
    EXPECT_THAT(failure(bytes + "x"), HasSubstr("has 1 bytes more than it says"));
}

TEST_F(PackedModels, ThatWereChanged) {
    const std::string bytes = small_packed();
    std::uint64_t table = 0;
    std::memcpy(&table, bytes.data() + 24, sizeof(table));
    for (std::size_t at = 0; at < 64 + table; ++at) {
        std::string changed = bytes;
        changed[at] = static_cast<char>(changed[at] ^ 0x41);
        ASSERT_NE(failure(changed), "none") << at;
    }
    // In the model, beside its weights.
    std::string changed = bytes;
    const std::size_t op = bytes.find("MatMul");
    ASSERT_NE(op, std::string::npos);
    changed[op] = 'N';
    EXPECT_THAT(failure(changed), HasSubstr("the packed model was changed after it was made"));
    // A weight is not looked at when the model is loaded.
    changed = bytes;
    changed.back() = static_cast<char>(changed.back() ^ 1);
    EXPECT_EQ(failure(changed), "none");
    const Status status = tenrex::check_packed_model(file("changed.packed", changed));
    ASSERT_FALSE(status);
    EXPECT_THAT(status.error().render(), HasSubstr("the packed model was changed after it was made"));
}

// What another program, or somebody who knows the hashes, may have written.
std::string rewritten(const std::string &bytes, const std::function<void(PackedModel &)> &change) {
    std::string result;
    auto model = read_packed_model(bytes);
    EXPECT_TRUE(model) << model.error().render();
    change(*model);
    write_packed_model(*model, [&](std::string_view part) { result += part; });
    return result;
}

TEST_F(PackedModels, OfOthers) {
    const std::string bytes = small_packed();
    EXPECT_EQ(rewritten(bytes, [](PackedModel &) {}), bytes);
    EXPECT_THAT(failure(rewritten(bytes, [](PackedModel &model) { model.version = "0.0.7"; })),
                AllOf(HasSubstr("the packed model was made by Tenrex 0.0.7, and this is 0."),
                      HasSubstr("make it again: tenrex model small.onnx --precision int8 -o PACKED")));
    EXPECT_THAT(failure(rewritten(bytes, [](PackedModel &model) { model.instruction_set = "mmx"; })),
                HasSubstr("the packed model is for a processor with mmx, and this one has"));
    EXPECT_THAT(failure(rewritten(bytes,
                                  [](PackedModel &model) {
                                      model.instruction_set = "mmx";
                                      model.source = "a\nb";
                                  })),
                HasSubstr("tenrex model a?b"));
    std::string other = bytes;
    other[8] = 1;
    EXPECT_THAT(failure(other), HasSubstr("the packed model has format 1"));
}

// Matrices and columns that do not fit the weights are left where they are.
TEST_F(PackedModels, WithOddParts) {
    const std::string path = file("small.onnx", product("MatMul"));
    const std::string bytes = packed_bytes(path, ModelPrecision::int8);
    const auto plain = OnnxModel::load(path, options_at(ModelPrecision::int8));
    const auto expected = values_of(*plain, "onnx(m)", {{{"x", rows_of(3)}}}, 1);
    const auto odd = {
        rewritten(bytes, [](PackedModel &model) { model.matrices.begin()->second.bytes.remove_suffix(1); }),
        rewritten(bytes, [](PackedModel &model) { model.matrices.begin()->second.order += '1'; }),
        rewritten(bytes, [](PackedModel &model) { model.columns.begin()->second.magnitude.pop_back(); }),
        rewritten(bytes, [](PackedModel &model) { model.columns.begin()->second.totals.push_back(1); }),
        rewritten(bytes, [](PackedModel &model) { model.columns.clear(); }),
        rewritten(bytes, [](PackedModel &model) { model.matrices.clear(); })};
    for (const std::string &one : odd) {
        const auto model = OnnxModel::read(one, options_at(ModelPrecision::int8));
        ASSERT_TRUE(model) << model.error().render();
        EXPECT_EQ(values_of(*model, "onnx(m)", {{{"x", rows_of(3)}}}, 1), expected);
    }
}

}  // namespace
}  // namespace tenrex::onnx::packed_model_test

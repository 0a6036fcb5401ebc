// Models in ONNX files by the interface for C.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tenrex/onnx.h>
#include <tenrex/onnx_c_api.h>

#include "tests/onnx/model_writer.h"

namespace tenrex::onnx {
namespace {

using testing::HasSubstr;

// A file with the model out = x times [[1,-2],[3,4]], for as long as it lives.
class ModelFile {
public:
    ModelFile() : path_(std::filesystem::path(testing::TempDir()) / "tenrex_c_api_test.onnx") {
        std::ofstream(path_, std::ios::binary) << model({{node("MatMul", {"x", "w"}, {"out"})},
                                                         {float_tensor("w", {2, 2}, {1, -2, 3, 4})},
                                                         {value_info("x", {0, 2})},
                                                         {value_info("out", {0, 2})}});
    }
    ModelFile(const ModelFile &) = delete;
    ModelFile &operator=(const ModelFile &) = delete;
    ~ModelFile() { std::filesystem::remove(path_); }

    std::string path() const { return path_.string(); }

private:
    std::filesystem::path path_;
};

std::string taken(char *error) {
    std::string text = error == nullptr ? "no error" : error;
    tenrex_string_free(error);
    return text;
}

TEST(OnnxForC, AModelIsDeclared) {
    const ModelFile file;
    tenrex_schema *schema = tenrex_schema_new();
    char *error = nullptr;
    ASSERT_EQ(tenrex_schema_document(schema, "x", "tensor<float>(d0[2],d1[2])", &error), 0) << taken(error);
    ASSERT_EQ(tenrex_schema_onnx(schema, "m", file.path().c_str(), &error), 0) << taken(error);
    tenrex_plan *plan = tenrex_compile("sum(onnx(m).out)", schema, nullptr, &error);
    ASSERT_NE(plan, nullptr) << taken(error);
    tenrex_query *query = tenrex_bind(plan, nullptr, nullptr, 0, &error);
    tenrex_context *context = tenrex_context_new(plan, &error);
    // (2,1) gives 5 and 0, (1,-1) gives -2 and -6.
    const float x[] = {2, 1, 1, -1};
    const tenrex_column column = tenrex_column_dense(x, sizeof(x));
    double score = 0;
    ASSERT_EQ(tenrex_evaluate(query, 1, &column, 1, context, &score, &error), 0) << taken(error);
    EXPECT_EQ(score, -3);
    tenrex_context_free(context);
    tenrex_query_free(query);
    tenrex_plan_free(plan);
    tenrex_schema_free(schema);
}

TEST(OnnxForC, AModelHasAPrecision) {
    const ModelFile file;
    tenrex_schema *schema = tenrex_schema_new();
    char *error = nullptr;
    ASSERT_EQ(tenrex_schema_document(schema, "x", "tensor<float>(d0[2],d1[2])", &error), 0) << taken(error);
    EXPECT_EQ(tenrex_schema_onnx_at(schema, "m", file.path().c_str(), "half", &error), 1);
    EXPECT_THAT(taken(error), HasSubstr("there is no precision 'half'"));
    error = nullptr;
    ASSERT_EQ(tenrex_schema_onnx_at(schema, "m", file.path().c_str(), "int8", &error), 0) << taken(error);
    tenrex_plan *plan = tenrex_compile("sum(onnx(m).out)", schema, nullptr, &error);
    ASSERT_NE(plan, nullptr) << taken(error);
    tenrex_plan_free(plan);
    tenrex_schema_free(schema);
}

TEST(OnnxForC, AModelMayBePacked) {
    const ModelFile file;
    const auto path = std::filesystem::path(testing::TempDir()) / "tenrex_c_api_test.packed";
    std::ofstream stream(path, std::ios::binary);
    ASSERT_TRUE(pack_onnx_model(file.path(), {.precision = ModelPrecision::bf16},
                                [&](std::string_view bytes) { stream << bytes; }));
    stream.close();
    tenrex_schema *schema = tenrex_schema_new();
    char *error = nullptr;
    ASSERT_EQ(tenrex_schema_document(schema, "x", "tensor<float>(d0[2],d1[2])", &error), 0) << taken(error);
    EXPECT_EQ(tenrex_schema_onnx_at(schema, "m", path.c_str(), "int8", &error), 1);
    EXPECT_THAT(taken(error), HasSubstr("the packed model is bf16"));
    error = nullptr;
    ASSERT_EQ(tenrex_schema_onnx(schema, "m", path.c_str(), &error), 0) << taken(error);
    tenrex_plan *plan = tenrex_compile("sum(onnx(m).out)", schema, nullptr, &error);
    ASSERT_NE(plan, nullptr) << taken(error);
    tenrex_plan_free(plan);
    tenrex_schema_free(schema);
    std::filesystem::remove(path);
}

TEST(OnnxForC, MistakesAreTold) {
    const ModelFile file;
    tenrex_schema *schema = tenrex_schema_new();
    char *error = nullptr;
    EXPECT_EQ(tenrex_schema_onnx(schema, "m", "no such file", &error), 1);
    EXPECT_THAT(taken(error), HasSubstr("cannot read 'no such file'"));
    EXPECT_EQ(tenrex_schema_onnx(schema, "m", nullptr, &error), 1);
    EXPECT_THAT(taken(error), HasSubstr("an argument is NULL"));
    error = nullptr;
    ASSERT_EQ(tenrex_schema_document(schema, "x", "tensor<float>(x[2])", &error), 0) << taken(error);
    EXPECT_EQ(tenrex_schema_onnx(schema, "m", file.path().c_str(), &error), 1);
    EXPECT_THAT(taken(error), HasSubstr("input 'x' of the model has the shape [n,2]"));
    tenrex_schema_free(schema);
}

}  // namespace
}  // namespace tenrex::onnx

// Which cells products of matrices multiply, for processors that this one need not be: plans are made and not run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/lower/lower.h"
#include "optimizer/pass_manager.h"
#include "tests/ir/expression_graph.h"

#if defined(__x86_64__)

namespace tenrex::lower {
namespace {

using kernels::Isa;
using kernels::Target;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

struct Product {
    std::string kernel;
    std::string reasons;
};

// The step that multiplies documents' matrices by the query's, whose values the plan does not know.
Product product(const std::string &text, const std::string &a, const std::string &b, Isa isa,
                Stage of_b = Stage::query) {
    Schema schema;
    schema.document("a", a);
    if (of_b == Stage::query) {
        schema.query("b", b);
    } else {
        schema.document("b", b);
    }
    auto graph = ir::expression_graph(text, schema);
    EXPECT_TRUE(graph);
    const auto plan = lower(*optimizer::optimize(*std::move(graph)), {isa, std::make_shared<LabelTable>(), Limits()});
    EXPECT_TRUE(plan);
    for (const auto &step : (*plan)->programs[static_cast<int>(Stage::document)]) {
        if (step->kernel().find("::matmul_") != std::string::npos) {
            return {step->kernel(), step->reasons(isa)};
        }
    }
    return {};
}

constexpr const char *sum = "sum(a*b,z)";
constexpr const char *max_sim = "sum(reduce(sum(a*b,z),max,x),y)";

Isa everything() {
    return *kernels::isa_level("native");
}

TEST(MatmulChoice, TakesTilesForCellsAsTheyAreStored) {
    for (const char *text : {sum, max_sim}) {
        EXPECT_EQ(
            product(text, "tensor<bfloat16>(x[30],z[128])", "tensor<bfloat16>(y[40],z[128])", everything()).kernel,
            "amx::matmul_bf16");
        // How many columns there are is not known.
        EXPECT_EQ(product(text, "tensor<bfloat16>(x{},z[128])", "tensor<bfloat16>(y{},z[128])", everything()).kernel,
                  "amx::matmul_bf16");
        EXPECT_EQ(product(text, "tensor<int8>(x{},z[256])", "tensor<int8>(y[40],z[256])", everything()).kernel,
                  "amx::matmul_i8");
    }
}

TEST(MatmulChoice, SaysWhatIsLacking) {
    const auto chosen = [](Isa isa) {
        return product(sum, "tensor<bfloat16>(x[30],z[128])", "tensor<bfloat16>(y[40],z[128])", isa);
    };
    const Isa without_tiles = target_isa(Target::avx512bf16);
    EXPECT_EQ(chosen(without_tiles).kernel, "avx512bf16::matmul_bf16");
    EXPECT_THAT(chosen(without_tiles).reasons, ContainsRegex("not      amx::matmul_bf16: needs .*amx_tile"));
    const Isa avx512 = *kernels::isa_level("avx512");
    EXPECT_EQ(chosen(avx512).kernel, "avx512::matmul_f32");
    EXPECT_THAT(chosen(avx512).reasons, HasSubstr("chosen   avx512::matmul_f32: estimated"));
    EXPECT_THAT(chosen(avx512).reasons, ContainsRegex("not      avx512bf16::matmul_bf16: needs .*avx512_bf16"));
    EXPECT_THAT(chosen(everything()).reasons, HasSubstr("not      avx512::matmul_f32: estimated"));
}

TEST(MatmulChoice, WidensCellsThatDiffer) {
    const Product mixed = product(sum, "tensor<bfloat16>(x[30],z[128])", "tensor<float>(y[40],z[128])", everything());
    EXPECT_EQ(mixed.kernel, "avx512::matmul_f32");
    EXPECT_THAT(mixed.reasons, Not(HasSubstr("bf16")));
    EXPECT_EQ(product(sum, "tensor<int8>(x[30],z[128])", "tensor<bfloat16>(y[40],z[128])", everything()).kernel,
              "avx512::matmul_f32");
    EXPECT_EQ(product(sum, "tensor<int8>(x[30],z[128])", "tensor(y[40],z[128])", everything()).kernel,
              "avx512::matmul_f64");
}

TEST(MatmulChoice, WidensWhatDocumentsBringAsColumns) {
    EXPECT_EQ(
        product(sum, "tensor<bfloat16>(x[30],z[128])", "tensor<bfloat16>(y[40],z[128])", everything(), Stage::document)
            .kernel,
        "avx512::matmul_f32");
}

TEST(MatmulChoice, WidensWhatIsSmall) {
    EXPECT_EQ(product(sum, "tensor<bfloat16>(x[30],z[16])", "tensor<bfloat16>(y[16],z[16])", everything()).kernel,
              "avx512::matmul_f32");
    EXPECT_EQ(product(sum, "tensor<int8>(x[30],z[16])", "tensor<int8>(y[16],z[16])", everything()).kernel,
              "avx512::matmul_f32");
}

// Sums of many int8 products may need more than float has, if they are not rounded to it.
TEST(MatmulChoice, KeepsTheResultsPrecision) {
    EXPECT_EQ(product(sum, "tensor<int8>(x[30],z[2000])", "tensor<int8>(y[40],z[2000])", everything()).kernel,
              "amx::matmul_i8");
    for (const char *text : {"sum(cell_cast(a,double)*b,z)", "sum(cell_cast(a,double)*cell_cast(b,double),z)"}) {
        EXPECT_THAT(product(text, "tensor<int8>(x[30],z[2000])", "tensor<int8>(y[40],z[2000])", everything()).kernel,
                    HasSubstr("f64"));
        EXPECT_THAT(
            product(text, "tensor<bfloat16>(x[30],z[128])", "tensor<bfloat16>(y[40],z[128])", everything()).kernel,
            Not(HasSubstr("bf16")));
    }
}

}  // namespace
}  // namespace tenrex::lower

#endif

#include <algorithm>

#include <gmock/gmock.h>

#include <tenrex/expression.h>
#include <tenrex/plan.h>

#include "optimizer/passes/passes.h"
#include "tests/optimizer/graph_of.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer::pack_matrices_test {
namespace {

Schema schema() {
    Schema schema;
    schema.document("d", "tensor<float>(x[8])").document("e", "tensor<float>(x[8])");
    schema.document("b", "tensor<int8>(x[8])").document("c", "tensor<int8>(v[2])");
    schema.document("m", "tensor<float>(k{},x[8])").document("v", "tensor<float>(x[8],y[4])");
    schema.query("w", "tensor<float>(x[8],y[4])").query("u", "tensor<float>(h[3],x[8],y[4])");
    schema.query("q", "tensor<float>(s{},x[8])").query("i", "tensor<int8>(x[8],y[4])");
    schema.query("p", "tensor<float>(v[16],y[4])").query("r", "tensor<float>(x[8])");
    schema.document("g", "tensor<float>(h[3],x[8])");
    return schema;
}

std::size_t packings(const std::string &graph) {
    std::size_t count = 0;
    for (std::size_t at = graph.find("= pack_matrix "); at != graph.npos; at = graph.find("= pack_matrix ", at + 1)) {
        ++count;
    }
    return count;
}

TEST(PackMatrices, ProductsShareWhatIsPacked) {
    EXPECT_EQ(after("pack_matrices", "concat(sum(w*d,x),sum(e*w,x),z)", schema()), R"(
%0 = input "w" : tensor<float>(x[8],y[4]) query
%1 = input "d" : tensor<float>(x[8]) document
%2 = input "e" : tensor<float>(x[8]) document
%3 = pack_matrix (x) () float float %0 : tensor<float>(x[8],y[4]) query
%4 = contract * sum (x) packed %1 %3 : tensor<float>(y[4]) document
%5 = contract * sum (x) packed %2 %3 : tensor<float>(y[4]) document
%6 = concat (z) %4 %5 : tensor<float>(y[4],z[2]) document
return %6
)");
}

TEST(PackMatrices, ExtremesAndLayersAndBatches) {
    EXPECT_EQ(after("pack_matrices", "reduce(sum(m*w,x),max,k)", schema()), R"(
%0 = input "m" : tensor<float>(k{},x[8]) document
%1 = input "w" : tensor<float>(x[8],y[4]) query
%2 = pack_matrix (x) () float float %1 : tensor<float>(x[8],y[4]) query
%3 = row_extreme * sum (x) float max (k) product packed %0 %2 : tensor<float>(y[4]) document
return %3
)");
    EXPECT_EQ(after("pack_matrices", "relu(sum(w*d,x))", schema()), R"(
%0 = input "w" : tensor<float>(x[8],y[4]) query
%1 = input "d" : tensor<float>(x[8]) document
%2 = pack_matrix (x) () float float %0 : tensor<float>(x[8],y[4]) query
%3 = contract * sum (x) relu packed %1 %2 : tensor<float>(y[4]) document
return %3
)");
    EXPECT_EQ(after("pack_matrices", "sum(g*u,x)", schema()), R"(
%0 = input "g" : tensor<float>(h[3],x[8]) document
%1 = input "u" : tensor<float>(h[3],x[8],y[4]) query
%2 = pack_matrix (x) (h) float float %1 : tensor<float>(h[3],x[8],y[4]) query
%3 = contract * sum (x) packed %0 %2 : tensor<float>(h[3],y[4]) document
return %3
)");
    EXPECT_EQ(after("pack_matrices", "sum(q*m,x)", schema()), R"(
%0 = input "q" : tensor<float>(s{},x[8]) query
%1 = input "m" : tensor<float>(k{},x[8]) document
%2 = pack_matrix (x) () float float %0 : tensor<float>(s{},x[8]) query
%3 = contract * sum (x) packed %1 %2 : tensor<float>(k{},s{}) document
return %3
)");
}

// The kernel, and so the order of the cells, depends on what the columns are multiplied with.
TEST(PackMatrices, OnlyForLikeProducts) {
    const auto count = [](std::string_view text) { return packings(after("pack_matrices", text, schema())); };
    EXPECT_EQ(count("sum(sum(d*w,x)+sum(e*w,x))"), 1);
    EXPECT_EQ(count("sum(sum(b*i,x)+sum(d*i,x))"), 2);
    EXPECT_EQ(count("sum(sum(d*w,x))+sum(sum(reduce(sum(m*w,x),max,k)))"), 1);
    // Bits that are unpacked as they are read are multiplied as floats.
    EXPECT_THAT(after("pack_matrices", "sum(rename(unpack_bits(c),v,v)*p,v)", schema()),
                testing::HasSubstr("pack_matrix (v) () float float"));
}

TEST(PackMatrices, LeavesTheRest) {
    for (const char *text : {"sum(d*v,x)", "sum(d*r)", "sum((d-w)^2,x)", "sum(m*r,x)", "d+r"}) {
        EXPECT_FALSE(changes("pack_matrices", text, schema())) << text;
    }
}

// A pass knows no kernels: it asks which of two dense operands had better have the rows.
TEST(PackMatrices, AsksWhatProductsCost) {
    class Cheaper : public Costs {
    public:
        explicit Cheaper(bool by_columns) : by_columns_(by_columns) {}
        double product(const ir::Graph &graph, const ir::Node &, ir::NodeId rows, ir::NodeId) const override {
            return (graph[rows].stage == Stage::document) == by_columns_ ? 2 : 1;
        }
        std::uint64_t least_splits() const override { return 0; }

    private:
        bool by_columns_;
    };
    for (const bool by_columns : {false, true}) {
        const Cheaper costs(by_columns);
        ir::Graph graph = optimized(
            "sum(v*w,x)", Schema().document("v", "tensor<float>(a[9],x[8])").query("w", "tensor<float>(x[8],y[4])"),
            "pack_matrices", false);
        const std::vector<std::uint32_t> uses = graph.use_counts();
        PassRun run{uses, &costs};
        pack_matrices(graph, run);
        EXPECT_EQ((graph.ops(graph.use_counts()) & ir::op_set(ir::Op::pack_matrix)) != 0, !by_columns);
    }
}

TEST(PackMatrices, PlansPackOnce) {
    Schema schema;
    schema.document("d", "tensor<float>(x[2])").document("e", "tensor<float>(x[2])");
    const std::string w = "tensor<float>(x[2],y[3]):[[1,2,3],[4,5,6]]";
    const std::string explained = compile("sum(sum(d*" + w + ",x)*sum(e*" + w + ",x))", schema)->explain();
    const std::size_t first = explained.find("packing of a matrix");
    ASSERT_NE(first, explained.npos) << explained;
    EXPECT_EQ(explained.find("packing of a matrix", first + 1), explained.npos) << explained;
}

TEST(PackMatrices, KeepsValues) {
    const auto values = [](const char *name, Stage stage, const std::string &type, std::uint64_t seed) {
        return random_values(name, stage, type, 5, random::Numbers::smooth, seed);
    };
    const char *const types[] = {"float", "double", "bfloat16", "int8"};
    for (const std::string rows : types) {
        for (const std::string columns : types) {
            const std::vector<Values> inputs = {
                values("d", Stage::document, "tensor<" + rows + ">(x[9])", 1),
                values("m", Stage::document, "tensor<" + rows + ">(k{},x[9])", 2),
                values("g", Stage::document, "tensor<" + rows + ">(h[3],x[9])", 3),
                values("w", Stage::query, "tensor<" + columns + ">(x[9],y[5])", 4),
                values("q", Stage::query, "tensor<" + columns + ">(s{},x[9])", 5),
                values("u", Stage::query, "tensor<" + columns + ">(h[3],x[9],y[5])", 6)};
            for (const char *text :
                 {"sum(d*w,x)+sum(g*w,x)", "sum(m*w,x)", "sum(m*q,x)", "reduce(sum(m*q,x),max,k)", "sum(g*u,x)",
                  "relu(sum(d*w,x))*sum(d*w,x)", "reduce(sum(m*w,x),min,k)", "sum(g*w,x)+sum(g*u,x)"}) {
                EXPECT_EQ(wrong_value(text, inputs), "") << text << " with " << rows << " and " << columns;
            }
        }
    }
}

}  // namespace
}  // namespace tenrex::optimizer::pack_matrices_test

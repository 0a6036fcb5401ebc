// Packed matrices are read by the products that they are packed for, and by nothing else.
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "lib/ir/verify.h"

namespace tenrex::ir {
namespace {

TensorType type(const char *text) {
    return *TensorType::parse(text);
}

class Packing : public testing::Test {
protected:
    Packing() {
        rows_ = input("tensor<float>(h[2],m{},x[3])", Stage::document);
        columns_ = input("tensor<float>(h[2],x[3],y[4])", Stage::query);
        packed_ = pack(matrices);
    }

    NodeId input(const char *of_type, Stage stage) {
        return graph_.input(graph_.add_input({"i" + std::to_string(graph_.inputs().size()), type(of_type), stage}));
    }
    NodeId pack(PackMatrix payload) {
        return graph_.add(Op::pack_matrix, type("tensor<float>(h[2],x[3],y[4])"), {&columns_, 1}, std::move(payload));
    }
    // What is wrong with the node, without what it begins with.
    std::string wrong(Op op, const char *of_type, const std::vector<NodeId> &operands, Payload payload = {}) {
        graph_.add(op, type(of_type), operands, std::move(payload));
        const std::string problem = Verifier().violation(graph_).value_or("");
        const std::size_t colon = problem.rfind("): ");
        return colon == problem.npos ? problem : problem.substr(colon + 3);
    }

    const PackMatrix matrices{{"x"}, {"h"}, CellType::f32, CellType::f32};
    const Contract product{.terms = {}, .dimensions = {"x"}, .is_packed = true};
    const char *const product_type = "tensor<float>(h[2],m{},y[4])";
    Graph graph_;
    NodeId rows_, columns_, packed_;
};

TEST_F(Packing, ProductsReadPackedColumns) {
    EXPECT_EQ(wrong(Op::contract, product_type, {rows_, packed_}, product), "");
}

TEST_F(Packing, HasTheDimensionsOfItsOperand) {
    EXPECT_EQ(wrong(Op::pack_matrix, "tensor<float>(x[3])", {columns_}, matrices),
              "its dimensions do not follow from its operands, which give h[2],x[3],y[4]");
}

TEST_F(Packing, SumsOverDimensionsOfItsOperand) {
    EXPECT_EQ(wrong(Op::pack_matrix, "tensor<float>(h[2],x[3],y[4])", {columns_},
                    PackMatrix{{"z"}, {}, CellType::f32, CellType::f32}),
              "its operand has no dimension z");
}

TEST_F(Packing, ReadsWhatIsPacked) {
    EXPECT_EQ(wrong(Op::contract, product_type, {rows_, columns_}, product), "does not read packed columns");
}

TEST_F(Packing, NothingElseReadsIt) {
    EXPECT_EQ(wrong(Op::cast, "tensor(h[2],x[3],y[4])", {packed_}), "reads a packed matrix");
}

TEST_F(Packing, ProductsThatDoNotSaySoDoNotReadIt) {
    EXPECT_EQ(wrong(Op::contract, product_type, {rows_, packed_}, Contract{{}, {"x"}}), "reads a packed matrix");
}

TEST_F(Packing, IsNoOutput) {
    graph_.add_output({"", packed_});
    EXPECT_EQ(Verifier().violation(graph_), "an output is a packed matrix");
}

TEST_F(Packing, OtherProductsDoNotReadIt) {
    const char *const problem = "reads what is packed for another product";
    PackMatrix other = matrices;
    other.batch = {};
    EXPECT_EQ(wrong(Op::contract, product_type, {rows_, pack(other)}, product), problem);
    other = matrices;
    other.row_type = CellType::i8;
    EXPECT_EQ(wrong(Op::contract, product_type, {rows_, pack(other)}, product), problem);
    other = matrices;
    other.cell_type = CellType::f64;
    EXPECT_EQ(wrong(Op::contract, product_type, {rows_, pack(other)}, product), problem);
    Contract distance = product;
    distance.terms.aggregator = Aggregator::max;
    EXPECT_EQ(wrong(Op::contract, product_type, {rows_, packed_}, distance), problem);
}

TEST_F(Packing, ExtremesReadItForProducts) {
    const NodeId rows = input("tensor<float>(m{},x[3])", Stage::document);
    const NodeId columns = input("tensor<float>(x[3],y[4])", Stage::query);
    const NodeId packed = graph_.add(Op::pack_matrix, type("tensor<float>(x[3],y[4])"), {&columns, 1},
                                     PackMatrix{{"x"}, {}, CellType::f32, CellType::f32});
    RowExtreme extreme{{}, {"x"}, CellType::f32, Aggregator::max, {"m"}, true, false, true};
    EXPECT_EQ(wrong(Op::row_extreme, "tensor<float>(y[4])", {rows, packed}, extreme), "");
    extreme.by_product = false;
    EXPECT_EQ(wrong(Op::row_extreme, "tensor<float>(y[4])", {rows, packed}, extreme),
              "reads what is packed for another product");
}

}  // namespace
}  // namespace tenrex::ir

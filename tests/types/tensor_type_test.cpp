#include <tenrex/tensor_type.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tenrex {
namespace {

std::string canonical(std::string_view text) {
    const auto type = TensorType::parse(text);
    return type ? type->to_string() : type.error().message();
}

TEST(TensorType, ParsesToItsCanonicalForm) {
    const struct {
        std::string_view text, expected;
    } cases[] = {
        {"double", "double"},
        {" double ", "double"},
        {"tensor()", "double"},
        {"tensor<double>()", "double"},
        {"tensor(x[3])", "tensor(x[3])"},
        {"tensor<double>(x[3])", "tensor(x[3])"},
        {"tensor<float>(y[2],x{})", "tensor<float>(x{},y[2])"},
        {"tensor<int8>(b{},a{})", "tensor<int8>(a{},b{})"},
        {"\ttensor < bfloat16 > ( x\n[ 3 ] , y { } )\r\v\f", "tensor<bfloat16>(x[3],y{})"},
        {"tensor(x9[1],x10[1],a[1],X[1],_[1])", "tensor(X[1],_[1],a[1],x10[1],x9[1])"},
        {"tensor(x[007])", "tensor(x[7])"},
        {"tensor(tensor{},double[2])", "tensor(double[2],tensor{})"},
        {"tensor(x[1073741824])", "tensor(x[1073741824])"},
    };
    for (const auto &c : cases) {
        EXPECT_EQ(canonical(c.text), c.expected) << c.text;
        EXPECT_EQ(canonical(c.expected), c.expected);
    }
}

TEST(TensorType, RefusesWhatIsNoType) {
    const struct {
        std::string_view text, expected;
    } cases[] = {
        {"", "1:1: expected a type, but the text ends here (a type is double or tensor<celltype>(dimensions))"},
        {"float", "1:1: unknown type 'float' (a type is double or tensor<celltype>(dimensions))"},
        {"error", "1:1: unknown type 'error' (a type is double or tensor<celltype>(dimensions))"},
        {"1", "1:1: expected a type, but found '1' (a type is double or tensor<celltype>(dimensions))"},
        {"tensor", "1:7: expected '(' or '<' after tensor, but the text ends here"},
        {"tensor<",
         "1:8: expected a cell type, but the text ends here (the cell types are double, float, bfloat16, int8)"},
        {"tensor<int>(x[2])", "1:8: unknown cell type 'int' (the cell types are double, float, bfloat16, int8)"},
        {"tensor<float(x[2])", "1:13: expected '>', but found '('"},
        {"tensor<float>", "1:14: expected '(', but the text ends here"},
        {"tensor<float>()",
         "1:1: a type without dimensions cannot have float cells (a number without dimensions is always a double)"},
        {"tensor(",
         "1:8: expected the name of a dimension, but the text ends here (a name consists of letters, digits and "
         "'_' and does not begin with a digit)"},
        {"tensor(1x{})",
         "1:8: expected the name of a dimension, but found '1x' (a name consists of letters, digits and '_' "
         "and does not begin with a digit)"},
        {"tensor(x)",
         "1:9: expected '{' or '[' after dimension 'x', but found ')' (write name{} for a mapped dimension, "
         "name[3] for an indexed one, name[] if the size comes with each value)"},
        {"tensor(x[-1])", "1:10: expected the size of the dimension, but found '-'"},
        {"tensor(x[y])", "1:10: expected the size of the dimension, but found 'y'"},
        {"tensor(x[3)", "1:11: expected ']', but found ')'"},
        {"tensor(x[3.5])", "1:11: expected ']', but found '.5'"},
        {"tensor(x{3})", "1:10: expected '}', but found '3'"},
        {"tensor(x{}y{})", "1:11: expected ',' or ')', but found 'y'"},
        {"tensor(x{},)",
         "1:12: expected the name of a dimension, but found ')' (a name consists of letters, digits and '_' "
         "and does not begin with a digit)"},
        {"tensor(x{}", "1:11: expected ',' or ')', but the text ends here"},
        {"tensor(x{},y[2],x[3])", "1:17: dimension 'x' is named twice (give each dimension a name of its own)"},
        {"tensor(x[1073741825])",
         "1:8: with dimension 'x' a dense block has more than 1073741824 cells (the limit is called "
         "block_cells)"},
        {"tensor(x[32768],y[32769])",
         "1:17: with dimension 'y' a dense block has more than 1073741824 cells (the limit is "
         "called block_cells)"},
        {"tensor(x[18446744073709551616])",
         "1:8: with dimension 'x' a dense block has more than 1073741824 cells (the limit "
         "is called block_cells)"},
        {"tensor(x[4294967296],y[4294967296])",
         "1:8: with dimension 'x' a dense block has more than 1073741824 cells (the "
         "limit is called block_cells)"},
        {"tensor(x{}) y", "1:13: unexpected 'y' after the type"},
        {"double()", "1:7: unexpected '(' after the type"},
        {"tensor(\xff{})",
         "1:8: expected the name of a dimension, but found '\\xff' (a name consists of letters, digits and "
         "'_' and does not begin with a digit)"},
        {"tensor(\xc3\xbc{})",
         "1:8: expected the name of a dimension, but found '\xc3\xbc' (a name consists of letters, "
         "digits and '_' and does not begin with a digit)"},
    };
    for (const auto &c : cases) {
        EXPECT_EQ(canonical(c.text), c.expected) << c.text;
    }
}

TEST(TensorType, SaysIfMoreTextCouldMendIt) {
    EXPECT_TRUE(TensorType::parse("tensor(x{}").error().incomplete());
    EXPECT_FALSE(TensorType::parse("tensor(x{})y").error().incomplete());
    EXPECT_FALSE(TensorType::parse("tensor(x[y]").error().incomplete());
}

TEST(TensorType, PointsAtTheMistake) {
    EXPECT_EQ(TensorType::parse("tensor(x[3],\n x[4])").error().render(),
              "2:2: error: dimension 'x' is named twice\n"
              "   x[4])\n"
              "   ^~~~\n"
              "  hint: give each dimension a name of its own\n");
}

TEST(TensorType, IsMadeOfDimensionsInAnyOrder) {
    const auto type = TensorType::make(CellType::bf16, {{"y", 2}, {"x", 0}, {"a", 3}});
    ASSERT_TRUE(type);
    EXPECT_EQ(type->to_string(), "tensor<bfloat16>(a[3],x{},y[2])");
    EXPECT_EQ(*type, *TensorType::parse("tensor<bfloat16>(a[3],x{},y[2])"));
    EXPECT_NE(*type, *TensorType::parse("tensor<float>(a[3],x{},y[2])"));
    EXPECT_NE(*type, *TensorType::parse("tensor<bfloat16>(a[3],x{},y[3])"));
    EXPECT_EQ(type->mapped_count(), 1U);
    EXPECT_EQ(type->indexed_count(), 2U);
    EXPECT_EQ(type->block_cells(), 6U);
    EXPECT_EQ(type->find("a"), 0U);
    EXPECT_EQ(type->find("x"), 1U);
    EXPECT_EQ(type->find("y"), 2U);
    EXPECT_EQ(type->find("b"), std::nullopt);
    EXPECT_EQ(type->find(""), std::nullopt);
    EXPECT_TRUE(type->is_mixed());
}

TEST(TensorType, TellsItsKind) {
    const TensorType scalar;
    EXPECT_TRUE(scalar.is_scalar() && !scalar.is_dense() && !scalar.is_sparse() && !scalar.is_mixed());
    EXPECT_EQ(scalar.block_cells(), 1U);
    const auto dense = *TensorType::parse("tensor(x[2],y[3])");
    EXPECT_TRUE(dense.is_dense() && !dense.is_scalar() && !dense.is_sparse() && !dense.is_mixed());
    const auto sparse = *TensorType::parse("tensor(x{},y{})");
    EXPECT_TRUE(sparse.is_sparse() && !sparse.is_dense() && !sparse.is_mixed());
    EXPECT_EQ(sparse.block_cells(), 1U);
    const auto mixed = *TensorType::parse("tensor(x{},y[3])");
    EXPECT_TRUE(mixed.is_mixed() && !mixed.is_dense() && !mixed.is_sparse());
}

TEST(TensorType, MakeRefusesWhatParseRefuses) {
    const auto message = [](CellType cell_type, std::vector<Dimension> dimensions, const Limits &limits = {}) {
        const auto type = TensorType::make(cell_type, std::move(dimensions), limits);
        return type ? type->to_string() : type.error().message();
    };
    EXPECT_EQ(message(CellType::f32, {}),
              "a type without dimensions cannot have float cells (a number without dimensions is always a double)");
    EXPECT_EQ(message(CellType::f32, {{"x", 2}, {"y", 0}, {"x", 0}}),
              "dimension 'x' is named twice (give each dimension a name of its own)");
    EXPECT_EQ(message(CellType::f32, {{"", 2}}),
              "'' is no name for a dimension (a name consists of letters, digits and '_' "
              "and does not begin with a digit)");
    EXPECT_EQ(message(CellType::f32, {{"1", 2}}),
              "'1' is no name for a dimension (a name consists of letters, digits and "
              "'_' and does not begin with a digit)");
    EXPECT_THAT(message(CellType::f32, {{std::string(1000, '-'), 2}}), ::testing::StartsWith("'-----"));
    EXPECT_LT(message(CellType::f32, {{std::string(1000, '-'), 2}}).size(), 250U);
    // Products of sizes must not overflow either, whatever the limits.
    Limits no_limits;
    no_limits.block_cells = std::numeric_limits<std::uint64_t>::max();
    EXPECT_EQ(message(CellType::f64, {{"x", std::uint64_t{1} << 32}, {"y", std::uint64_t{1} << 32}}, no_limits),
              "with dimension 'y' a dense block has more than 281474976710656 cells (the limit is called block_cells)");
}

TEST(TensorType, KeepsToTheLimits) {
    Limits limits;
    limits.dimensions = 2;
    limits.block_cells = 6;
    EXPECT_TRUE(TensorType::parse("tensor(x[2],y[3])", limits));
    EXPECT_EQ(TensorType::parse("tensor(x[2],y[4])", limits).error().message(),
              "1:13: with dimension 'y' a dense block has more than 6 cells (the limit is called block_cells)");
    EXPECT_EQ(TensorType::parse("tensor(x{},y{},z{},and what follows", limits).error().message(),
              "1:16: the type has more than 2 dimensions (the limit is called dimensions)");
}

}  // namespace
}  // namespace tenrex

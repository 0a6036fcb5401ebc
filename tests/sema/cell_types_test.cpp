// The cell type of every operation for every cell type of its operands.
#include <gtest/gtest.h>

#include <string>

#include "tests/sema/checking.h"

namespace tenrex::sema {
namespace {

// dense_float: tensor<float>(x[2]); sparse_float: tensor<float>(x{}); mixed_float: tensor<float>(x{},y[2]); and so on.
Schema cell_type_schema() {
    Schema schema;
    for (CellType cell_type : all_cell_types) {
        const std::string cells(name(cell_type));
        schema.document("dense_" + cells, "tensor<" + cells + ">(x[2])");
        schema.document("sparse_" + cells, "tensor<" + cells + ">(x{})");
        schema.document("mixed_" + cells, "tensor<" + cells + ">(x{},y[2])");
    }
    schema.document("s");
    schema.function("one", 1, [](std::span<const double> a) { return a[0]; });
    schema.function("two", 2, [](std::span<const double> a) { return a[0] + a[1]; });
    return schema;
}

// The cell type of the result; a and b stand for the operands.
std::string cells_of(std::string pattern, const std::string &a, const std::string &b = {}) {
    static const Schema schema = cell_type_schema();
    std::string text;
    for (char c : pattern) {
        text += c == 'A' ? a : c == 'B' ? b : std::string(1, c);
    }
    const Result<TypedExpression> checked = check_text(text, schema);
    if (!checked) {
        return text + ": " + checked.error().message();
    }
    return std::string(name(checked->type().cell_type()));
}

constexpr const char *layouts[] = {"dense_", "sparse_", "mixed_"};

TEST(CellTypes, OfOneOperand) {
    struct Row {
        const char *cells, *computed;
    };
    const Row rows[] = {{"double", "double"}, {"float", "float"}, {"bfloat16", "float"}, {"int8", "float"}};
    for (const Row &row : rows) {
        for (const char *layout : layouts) {
            const std::string a = std::string(layout) + row.cells;
            const std::string b = a;
            for (const char *pattern : {"-A",
                                        "!A",
                                        "exp(A)",
                                        "isNan(A)",
                                        "A in [1,2]",
                                        "map(A,f(v)(v+1))",
                                        "one(A)",
                                        "A+1",
                                        "2^A",
                                        "A&&s",
                                        "max(A,0)",
                                        "two(A,s)",
                                        "A+B",
                                        "A==B",
                                        "atan2(A,B)",
                                        "join(A,B,f(v,w)(v))",
                                        "two(A,B)",
                                        "merge(A,B,f(v,w)(v))",
                                        "cell_order(A,max)",
                                        "A*s",
                                        "reduce(concat(A,s,q),max,q)",
                                        "softmax(A,x)",
                                        "argmax(A)",
                                        "expand(A,q)",
                                        "l1_normalize(A,x)",
                                        "l2_normalize(A,x)"}) {
                EXPECT_EQ(cells_of(pattern, a, b), row.computed) << pattern << " of " << a;
            }
            for (const char *pattern : {"rename(A,x,q)", "concat(A,A,q)", "concat(A,s,q)", "concat(1,A,q)", "if(s,A,B)",
                                        "concat(A,A,q){q:0}", "concat(A,A,q){q:(s)}"}) {
                EXPECT_EQ(cells_of(pattern, a, b), row.cells) << pattern << " of " << a;
            }
            for (CellType to : all_cell_types) {
                EXPECT_EQ(cells_of("cell_cast(A," + std::string(name(to)) + ")", a), name(to)) << a;
            }
            EXPECT_EQ(cells_of("reduce(A,sum)", a), "double");
            EXPECT_EQ(cells_of("reduce(A,max,x)", a), layout == layouts[2] ? row.computed : "double");
        }
        const std::string mixed = std::string("mixed_") + row.cells;
        EXPECT_EQ(cells_of("A{x:q}", mixed), row.cells);
        EXPECT_EQ(cells_of("A{x:q,y:1}", mixed), "double");
        EXPECT_EQ(cells_of("map_subspaces(A,f(t)(t))", mixed), row.cells);
        EXPECT_EQ(cells_of("map_subspaces(A,f(t)(t+1))", mixed), row.computed);
        EXPECT_EQ(cells_of("map_subspaces(A,f(t)(reduce(t,sum)))", mixed), row.computed);
        EXPECT_EQ(cells_of("map_subspaces(A,f(t)(tensor<int8>(q[2])(1)))", mixed), "int8");
        EXPECT_EQ(cells_of("filter_subspaces(A,f(t)(t))", mixed), row.cells);
    }
}

TEST(CellTypes, OfTwoOperands) {
    struct Row {
        const char *a, *b;
        const char *computed, *kept;
    };
    const Row rows[] = {
        {"double", "float", "double", "double"},       {"double", "bfloat16", "double", "double"},
        {"double", "int8", "double", "double"},        {"float", "bfloat16", "float", "float"},
        {"float", "int8", "float", "float"},           {"bfloat16", "int8", "float", "float"},
        {"double", "double", "double", "double"},      {"float", "float", "float", "float"},
        {"bfloat16", "bfloat16", "float", "bfloat16"}, {"int8", "int8", "float", "int8"},
    };
    for (const Row &row : rows) {
        for (const char *layout : layouts) {
            for (const bool swapped : {false, true}) {
                const std::string a = std::string(layout) + (swapped ? row.b : row.a);
                const std::string b = std::string(layout) + (swapped ? row.a : row.b);
                for (const char *pattern : {"A+B",
                                            "A-B",
                                            "A*B",
                                            "A/B",
                                            "A%B",
                                            "A^B",
                                            "A<B",
                                            "A<=B",
                                            "A>B",
                                            "A>=B",
                                            "A==B",
                                            "A!=B",
                                            "A~=B",
                                            "A&&B",
                                            "A||B",
                                            "atan2(A,B)",
                                            "ldexp(A,B)",
                                            "pow(A,B)",
                                            "fmod(A,B)",
                                            "min(A,B)",
                                            "max(A,B)",
                                            "bit(A,B)",
                                            "hamming(A,B)",
                                            "two(A,B)",
                                            "join(A,B,f(v,w)(v))",
                                            "merge(A,B,f(v,w)(w))"}) {
                    EXPECT_EQ(cells_of(pattern, a, b), row.computed) << pattern << " of " << a << " and " << b;
                }
                EXPECT_EQ(cells_of("concat(A,B,q)", a, b), row.kept) << a << " and " << b;
            }
        }
    }
}

TEST(CellTypes, OfCreatedTensors) {
    for (CellType cell_type : all_cell_types) {
        const std::string cells(name(cell_type));
        for (const char *pattern : {"tensor<A>(q[2])(q)", "tensor<A>(q[2]):[1,s]", "tensor<A>(q{}):{a:1}",
                                    "range<A>(q[2])", "diag<A>(q[2],r[2])", "random<A>(q[2])",
                                    "unpack_bits(dense_int8,A)", "unpack_bits(mixed_int8,A,little)"}) {
            EXPECT_EQ(cells_of(pattern, cells), cells) << pattern;
        }
    }
    EXPECT_EQ(cells_of("unpack_bits(dense_int8)", {}), "float");
    EXPECT_EQ(cells_of("top(1,sparse_int8)", {}), "float");
    EXPECT_EQ(cells_of("top(1,sparse_double)", {}), "double");
}

}  // namespace
}  // namespace tenrex::sema

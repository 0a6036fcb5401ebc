#include "lib/ir/build.h"

#include <gtest/gtest.h>

#include <tenrex/formats.h>

#include "lib/ir/text.h"
#include "lib/ir/verify.h"
#include "tests/conformance/vectors.h"
#include "tests/ir/expression_graph.h"

namespace tenrex {
namespace {

Schema example_schema() {
    Schema schema;
    schema.query("q", "tensor<float>(x[3])");
    schema.document("d", "tensor<int8>(x[3])");
    schema.document("s", "tensor<float>(k{})");
    schema.document("r", "tensor<float>(k{})");
    schema.document("m", "tensor<float>(k{},x[3])");
    schema.document("a");
    return schema;
}

struct Case {
    const char *expression;
    const char *graph;
};

class Build : public testing::TestWithParam<Case> {};

TEST_P(Build, Gives) {
    const auto graph = ir::expression_graph(GetParam().expression, example_schema());
    ASSERT_TRUE(graph) << graph.error().message();
    EXPECT_EQ(ir::Verifier().violation(*graph), std::nullopt);
    EXPECT_EQ("\n" + ir::to_string(*graph), GetParam().graph) << GetParam().expression;
}

INSTANTIATE_TEST_SUITE_P(Expressions, Build,
                         testing::Values(Case{"sum(q*d)", R"(
%0 = input "q" : tensor<float>(x[3]) query
%1 = input "d" : tensor<int8>(x[3]) document
%2 = apply * %0 %1 : tensor<float>(x[3]) document
%3 = reduce sum (x) %2 : double document
return %3
)"},
                                         // Equal parts are one node.
                                         Case{"(a+1)*(a+1)", R"(
%0 = input "a" : double document
%1 = constant 1 : double constant
%2 = apply + %0 %1 : double document
%3 = apply * %2 %2 : double document
return %3
)"},
                                         // A scalar lambda computes in double.
                                         Case{"map(q,f(x)(x*2))", R"(
%0 = input "q" : tensor<float>(x[3]) query
%1 = cast %0 : tensor(x[3]) query
%2 = constant 2 : double constant
%3 = apply * %1 %2 : tensor(x[3]) query
%4 = cast %3 : tensor<float>(x[3]) query
return %4
)"},
                                         // What a lambda does not read still decides which addresses there are.
                                         Case{"join(s,r,f(x,y)(x))", R"(
%0 = input "s" : tensor<float>(k{}) document
%1 = input "r" : tensor<float>(k{}) document
%2 = cast %0 : tensor(k{}) document
%3 = join_addresses %2 %1 : tensor(k{}) document
%4 = cast %3 : tensor<float>(k{}) document
return %4
)"},
                                         // A generator's index is a constant under a name of its own.
                                         Case{"tensor(x[2])(x+a)", R"(
%0 = constant tensor(_f0[2]):[0,1] : tensor(_f0[2]) constant
%1 = input "a" : double document
%2 = apply + %0 %1 : tensor(_f0[2]) document
%3 = rename (_f0) (x) %2 : tensor(x[2]) document
return %3
)"},
                                         // A block lambda happens for all blocks at once; a sum over a sparse value is
                                         // 0 for a block that it leaves empty.
                                         Case{"map_subspaces(m,f(v)(reduce(v,max)))", R"(
%0 = input "m" : tensor<float>(k{},x[3]) document
%1 = rename (k) (_f0) %0 : tensor<float>(_f0{},x[3]) document
%2 = reduce max (x) %1 : tensor(_f0{}) document
%3 = rename (_f0) (k) %2 : tensor(k{}) document
%4 = cast %3 : tensor<float>(k{}) document
return %4
)"},
                                         Case{"filter_subspaces(s,f(v)(v>1))", R"(
%0 = input "s" : tensor<float>(k{}) document
%1 = rename (k) (_f0) %0 : tensor<float>(_f0{}) document
%2 = cast %1 : tensor(_f0{}) document
%3 = constant 1 : double constant
%4 = apply > %2 %3 : tensor(_f0{}) document
%5 = rename (_f0) (k) %4 : tensor(k{}) document
%6 = filter %0 %5 : tensor<float>(k{}) document
return %6
)"},
                                         Case{"if(a,s,r)", R"(
%0 = input "a" : double document
%1 = input "s" : tensor<float>(k{}) document
%2 = input "r" : tensor<float>(k{}) document
%3 = branch %0 %1 %2 : tensor<float>(k{}) document
return %3
)"},
                                         Case{"tensor(x[2]):[a,a+1]", R"(
%0 = input "a" : double document
%1 = constant 1 : double constant
%2 = apply + %0 %1 : double document
%3 = pack 2 cells %0 %2 : tensor(x[2]) document
return %3
)"},
                                         Case{"d{x:(a)}", R"(
%0 = input "d" : tensor<int8>(x[3]) document
%1 = input "a" : double document
%2 = peek {x:(operand 1)} %0 %1 : double document
return %2
)"}));

// Names of frame dimensions keep clear of those of the user.
TEST(BuildFrames, AvoidTheNamesOfTheExpression) {
    Schema schema;
    schema.document("t", "tensor(_f0[2])");
    const auto graph = ir::expression_graph("tensor(x[2])(reduce(t*x,sum))", schema);
    ASSERT_TRUE(graph);
    EXPECT_EQ(ir::Verifier().violation(*graph), std::nullopt);
    EXPECT_NE(ir::to_string(*graph).find("__f0[2]"), std::string::npos) << ir::to_string(*graph);
}

TEST(BuildVectors, EveryVectorHasAGraphOfItsType) {
    std::size_t built = 0;
    for (const conformance::Vector &vector : conformance::read_vectors()) {
        if (!vector.expect) {
            continue;
        }
        Schema schema;
        for (const auto &[name, literal] : vector.inputs) {
            schema.document(name, from_literal(literal)->type());
        }
        const auto graph = ir::expression_graph(vector.expression, schema);
        ASSERT_TRUE(graph) << vector.id << ": " << graph.error().message();
        ASSERT_EQ(ir::Verifier().violation(*graph), std::nullopt) << vector.id << "\n" << ir::to_string(*graph);
        const TensorType &type = *(*graph)[graph->outputs().front().node].type;
        EXPECT_EQ(type.to_string(), from_literal(*vector.expect)->type().to_string()) << vector.id;
        ++built;
    }
    EXPECT_GT(built, 2000u);
}

}  // namespace
}  // namespace tenrex

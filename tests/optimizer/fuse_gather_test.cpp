#include <gmock/gmock.h>

#include "lib/ir/text.h"
#include "tests/optimizer/graph_of.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer::fuse_gather_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Schema schema() {
    Schema schema;
    schema.document("t", "tensor<float>(x[9])").document("m", "tensor<float>(x[5],y[4])");
    schema.document("b", "tensor<float>(k{},x[9])").document("h", "tensor<int8>(x[900])").document("v").document("w");
    schema.query("q", "tensor<float>(x[6])").query("n");
    return schema;
}

TEST(FuseGather, IndexesThatAreKnownBeforeTheDocuments) {
    EXPECT_EQ(after("fuse_gather", "tensor<float>(z[4])(t{x:(z*n)})", schema()), R"(
%0 = constant tensor(_f0[4]):[0,1,2,3] : tensor(_f0[4]) constant
%1 = input "t" : tensor<float>(x[9]) document
%2 = input "n" : double query
%3 = apply * %0 %2 : tensor(_f0[4]) query
%4 = gather (_f0) operand 0{x:(operand 1)} %1 %3 : tensor<float>(_f0[4]) document
%5 = rename (_f0) (z) %4 : tensor<float>(z[4]) document
return %5
)");
    EXPECT_EQ(after("fuse_gather", "m{x:(n),y:3}", schema()), R"(
%0 = input "m" : tensor<float>(x[5],y[4]) document
%1 = input "n" : double query
%2 = gather () operand 0{x:(operand 1),y:3} %0 %1 : double document
return %2
)");
    EXPECT_EQ(after("fuse_gather", "tensor(z[5])(if(z<n,if(z<1,101,t{x:(z+2)}),m{x:(z),y:1}))", schema()), R"(
%0 = constant tensor(_f0[5]):[0,1,2,3,4] : tensor(_f0[5]) constant
%1 = input "n" : double query
%2 = apply < %0 %1 : tensor(_f0[5]) query
%3 = constant 1 : double constant
%4 = apply < %0 %3 : tensor(_f0[5]) constant
%5 = constant 101 : double constant
%6 = input "t" : tensor<float>(x[9]) document
%7 = input "m" : tensor<float>(x[5],y[4]) document
%8 = slice (x) from 2 %6 : tensor<float>(x[5]) document
%9 = cast %8 : tensor(x[5]) document
%10 = rename (x) (_f0) %9 : tensor(_f0[5]) document
%11 = peek {y:1} %7 : tensor(x[5]) document
%12 = rename (x) (_f0) %11 : tensor(_f0[5]) document
%13 = gather (_f0) if (operand 3) then if (operand 4) then operand 0 else operand 1 else operand 2 %5 %10 %12 %2 %4 : tensor(_f0[5]) document
%14 = rename (_f0) (z) %13 : tensor(z[5]) document
return %14
)");
}

TEST(FuseGather, IndexesThatTheDocumentsSplit) {
    EXPECT_EQ(after("fuse_gather", "tensor<float>(z[8])(if(z<=v,q{x:(z-1)},t{x:(w+z-v)}))", schema()), R"(
%0 = constant tensor(_f0[8]):[0,1,2,3,4,5,6,7] : tensor(_f0[8]) constant
%1 = input "v" : double document
%2 = input "q" : tensor<float>(x[6]) query
%3 = constant 1 : double constant
%4 = apply - %0 %3 : tensor(_f0[8]) constant
%5 = input "t" : tensor<float>(x[9]) document
%6 = input "w" : double document
%7 = gather (_f0) operand 0{x:(operand 1)} %2 %4 : tensor(_f0[8]) query
%8 = gather split (_f0) if (index <= operand 2) then operand 0 else operand 1{x:(index + operand 3 - operand 2)} %7 %5 %1 %6 : tensor<float>(_f0[8]) document
%9 = rename (_f0) (z) %8 : tensor<float>(z[8]) document
return %9
)");
    EXPECT_EQ(after("fuse_gather", "tensor(z[5])(if(v>2,m{x:(z-w),y:2},z))", schema()), R"(
%0 = input "v" : double document
%1 = constant 2 : double constant
%2 = apply > %0 %1 : double document
%3 = constant tensor(_f0[5]):[0,1,2,3,4] : tensor(_f0[5]) constant
%4 = input "m" : tensor<float>(x[5],y[4]) document
%5 = input "w" : double document
%6 = gather split (_f0) if (operand 2) then operand 0{x:(index - operand 3),y:2} else operand 1 %4 %3 %2 %5 : tensor(_f0[5]) document
%7 = rename (_f0) (z) %6 : tensor(z[5]) document
return %7
)");
}

TEST(FuseGather, BlocksThatAreFilledIn) {
    EXPECT_EQ(after("fuse_gather", "map_subspaces(b,f(s)(tensor<float>(z[3])(s{x:(20-z)})))", schema()), R"(
%0 = input "b" : tensor<float>(k{},x[9]) document
%1 = constant tensor(_f1[3]):[0,1,2] : tensor(_f1[3]) constant
%2 = constant 20 : double constant
%3 = apply - %2 %1 : tensor(_f1[3]) constant
%4 = gather (_f1) operand 0{x:(operand 1)} %0 %3 : tensor<float>(_f1[3],k{}) document
%5 = rename (_f1) (z) %4 : tensor<float>(k{},z[3]) document
return %5
)");
}

// The graph after the pass alone.
std::string fused(const std::string &text) {
    auto graph = ir::read_graph(text);
    if (!graph) {
        return graph.error().message();
    }
    for (const Pass &pass : pipeline()) {
        if (pass.name == "fuse_gather") {
            run(pass, *graph);
        }
    }
    return ir::to_string(*graph);
}

TEST(FuseGather, CastsAndDimensionsOfOneIndexAroundIt) {
    const std::string peek = R"(%0 = input "t" : tensor<float>(x[9]) document
%1 = constant tensor(z[2]):[5,3] : tensor(z[2]) constant
)";
    EXPECT_EQ(fused(peek + R"(%2 = peek {x:(operand 1)} %0 %1 : tensor(z[2]) document
%3 = constant tensor(u[1]):[1] : tensor(u[1]) constant
%4 = join_addresses %2 %3 : tensor(u[1],z[2]) document
%5 = cast %4 : tensor<int8>(u[1],z[2]) document
return %5
)"),
              peek + R"(%2 = gather (u,z) operand 0{x:(operand 1)} %0 %1 : tensor<int8>(u[1],z[2]) document
return %2
)");
}

// A number that is rounded before it is widened is no source.
TEST(FuseGather, RoundsWhereTheExpressionDoes) {
    const std::string choice = R"(%0 = input "v" : double document
%1 = input "t" : tensor<float>(x[9]) document
%2 = constant tensor(z[2]):[5,3] : tensor(z[2]) constant
)";
    EXPECT_EQ(fused(choice + R"(%3 = peek {x:(operand 1)} %1 %2 : tensor(z[2]) document
%4 = constant tensor(z[2]):[0,1] : tensor(z[2]) constant
%5 = select 0.5 %4 %0 %3 : tensor<float>(z[2]) document
%6 = cast %5 : tensor(z[2]) document
return %6
)"),
              choice + R"(%3 = constant tensor(z[2]):[0,1] : tensor(z[2]) constant
%4 = gather (z) if (operand 2) then operand 0 else operand 1{x:(operand 3)} %0 %1 %3 %2 : tensor<float>(z[2]) document
%5 = cast %4 : tensor(z[2]) document
return %5
)");
}

TEST(FuseGather, SaysWhyNot) {
    const auto reasons = [](const std::string &text) { return remarks_of("fuse_gather", text, schema()); };
    EXPECT_THAT(reasons("tensor(z[4])(t{x:(8-z)})"), IsEmpty());
    const char *const indexes =
        "its indexes come with the documents, and are more than the only index with numbers added";
    for (const char *text : {"t{x:(v)}", "tensor(z[5])(t{x:(v-z)})", "tensor(z[5],w[3])(t{x:(z+v*w)})",
                             "tensor(z[5])(m{x:(z-v),y:(z)})", "tensor(z[3],y[4])(m{x:(z*v),y:(y)})"}) {
        EXPECT_THAT(reasons(text), ElementsAre(indexes)) << text;
    }
    EXPECT_THAT(reasons("tensor(z[5])(if(z*v<n,t{x:(8-z)},0))"),
                ElementsAre("its condition comes with the documents, and is more than the only index compared with a "
                            "number"));
    EXPECT_THAT(reasons("b{x:(n)}"), ElementsAre("blocks are missing where an index is"));
    EXPECT_THAT(reasons("tensor(z[5])(if(z<n,t{x:(8-z)},z)+t{x:(8-z)})"),
                ElementsAre("something else reads the cells that are peeked, too"));
    EXPECT_THAT(reasons("tensor(z[3])(if(z<n,h{x:(z*5)},t{x:(z*2)}))"),
                ElementsAre("its sources have different cell types, and one has many more cells than are taken"));
    const auto nested = [](int count) {
        std::string text = "t{x:(9-z)}";
        for (int i = 0; i < count; ++i) {
            text = "if(z<" + std::to_string(i % 7) + "," + std::to_string(i) + "," + text + ")";
        }
        return "tensor(z[9])(" + text + ")";
    };
    EXPECT_THAT(reasons(nested(15)), IsEmpty());
    EXPECT_THAT(reasons(nested(16)), ElementsAre("the cells come from more values than are read at a time"));
    EXPECT_THAT(reasons(nested(300)), ElementsAre("there are more choices than are looked at for each cell",
                                                  "the cells come from more values than are read at a time"));
    // What comes to none of it is passed over without a word.
    for (const char *text : {"tensor(z[5])(if(z<n,v,0))", "if(v>2,w,n)", "b{k:(n)}", "t{x:3}", "if(t>v,t,t*2)"}) {
        EXPECT_THAT(reasons(text), IsEmpty()) << text;
        EXPECT_FALSE(changes("fuse_gather", text, schema())) << text;
    }
}

TEST(FuseGather, KeepsValues) {
    const auto values = [](const std::string &name, Stage stage, const std::string &type, std::uint64_t seed) {
        return random_values(name, stage, type, 5, random::Numbers::any, seed);
    };
    for (const std::string cell_type : {"float", "double", "bfloat16", "int8"}) {
        const std::vector<Values> inputs = {values("t", Stage::document, "tensor<" + cell_type + ">(x[9])", 1),
                                            values("m", Stage::document, "tensor<" + cell_type + ">(x[5],y[4])", 2),
                                            values("b", Stage::document, "tensor<" + cell_type + ">(k{},x[9])", 3),
                                            values("q", Stage::query, "tensor<float>(x[6])", 4),
                                            Values{"v", Stage::document, literals({"3", "0", "2.5", "-4", "1e300"})},
                                            Values{"w", Stage::document, literals({"0.1", "1", "-2", "7", "3"})},
                                            Values{"n", Stage::query, literals({"2"})}};
        for (const char *text :
             {"tensor<float>(z[4])(t{x:(z*n)})", "tensor(z[5])(if(z<n,w,m{x:(z),y:(n)}))",
              "cell_cast(tensor<float>(z[5])(if(z<n,w,t{x:(6-z)})),double)", "tensor<int8>(z[9])(if(z<v,q{x:(z)},w))",
              "tensor<float>(z[8])(if(z<=v,q{x:(z-1)},t{x:(w+z-v)}))", "tensor(z[9],u[1])(t{x:(z-w)}+u)",
              "map_subspaces(b,f(s)(tensor<bfloat16>(z[3])(s{x:(9-z)})))"}) {
            std::string graph;
            EXPECT_EQ(wrong_value(text, inputs, Agreement::exact, &graph), "") << text << " with " << cell_type;
            EXPECT_THAT(graph, testing::HasSubstr("= gather ")) << text;
        }
    }
}

}  // namespace
}  // namespace tenrex::optimizer::fuse_gather_test

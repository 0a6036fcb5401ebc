#include <gmock/gmock.h>

#include <fmt/format.h>

#include "tests/optimizer/graph_of.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer::fuse_attention_test {
namespace {

using random::Numbers;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

// Open: queries of t, keys and values of s, in two heads.
Schema schema() {
    Schema schema;
    schema.document("q", "tensor<float>(h[2],t[],x[4])").document("k", "tensor<float>(h[2],s[],x[4])");
    schema.document("v", "tensor<float>(h[2],s[],y[4])").document("m", "tensor<float>(s[])");
    schema.document("n", "tensor<float>(s[],t[4])").document("c", "tensor<float>(r[],h[2],x[4])");
    schema.document("lq", "tensor<float>(h[2],t{},x[4])").document("l", "tensor<float>(s{},t{})");
    schema.document("fq", "tensor<float>(h[2],t[5],x[4])").document("fk", "tensor<float>(h[2],s[6],x[4])");
    schema.document("fv", "tensor<float>(h[2],s[6],y[4])").document("fm", "tensor<float>(s[6],t[5])");
    schema.document("dk", "tensor(h[2],s[6],x[4])").document("late", "tensor<float>(a[3],h[2],s[6])");
    return schema;
}

std::string softmax(std::string_view scores) {
    return fmt::format("exp({0}-reduce({0},max,s))/reduce(exp({0}-reduce({0},max,s)),sum,s)", scores);
}
std::string attention(std::string_view scores, std::string_view values) {
    return fmt::format("sum({}*{},s)", softmax(scores), values);
}

TEST(FuseAttention, OfOpenDimensions) {
    EXPECT_EQ(after("fuse_attention", attention("sum(q*k,x)", "v"), schema()), R"(
%0 = input "q" of tensor<float>(h[2],t[],x[4]) : tensor<float>(h[2],t{},x[4]) document
%1 = input "k" of tensor<float>(h[2],s[],x[4]) : tensor<float>(h[2],s{},x[4]) document
%2 = input "v" of tensor<float>(h[2],s[],y[4]) : tensor<float>(h[2],s{},y[4]) document
%3 = same_size "s" "'k'" "'v'" %2 %1 %2 : tensor<float>(h[2],s{},y[4]) document
%4 = attention (x) queries (t) keys (s) values (s) stable %0 %1 %3 : tensor<float>(h[2],t{},y[4]) document
return %4
)");
}

TEST(FuseAttention, OfFixedSizes) {
    EXPECT_EQ(after("fuse_attention", attention("(sum(fq*fk,x)*0.5+fm)", "fv"), schema()), R"(
%0 = input "fq" : tensor<float>(h[2],t[5],x[4]) document
%1 = input "fk" : tensor<float>(h[2],s[6],x[4]) document
%2 = input "fm" : tensor<float>(s[6],t[5]) document
%3 = input "fv" : tensor<float>(h[2],s[6],y[4]) document
%4 = attention (x) queries (t) keys (s) values (s) scale 0.5 stable added %0 %1 %3 %2 : tensor<float>(h[2],t[5],y[4]) document
return %4
)");
    // A softmax without the maximum, a quotient, a choice.
    EXPECT_THAT(after("fuse_attention", "sum(softmax(sum(fq*fk,x)/5,s)*fv,s)", schema()),
                HasSubstr("attention (x) queries (t) keys (s) values (s) scale 0.2 %"));
    EXPECT_THAT(after("fuse_attention", attention("join(fm,sum(fq*fk,x),f(m,x)(if(m>0,x,-9)))", "fv"), schema()),
                HasSubstr("stable chosen else -9 %"));
}

std::string nearest(std::string_view cells) {
    return fmt::format("cell_cast({0}*65537-({0}*65537-{0}),bfloat16)", cells);
}
// Scores of rounded queries and keys, and their weights rounded, too.
const std::string rounded_scores = fmt::format("sum({}*{},x)", nearest("q"), nearest("k"));
std::string rounded_attention(std::string_view scores, std::string_view values) {
    return fmt::format("sum({}*{},s)", nearest("(" + softmax(scores) + ")"), values);
}

TEST(FuseAttention, OfRoundedCells) {
    EXPECT_THAT(after("fuse_attention", rounded_attention("(" + rounded_scores + "*0.5+m)", nearest("v")), schema()),
                HasSubstr("attention (x) queries (t) keys (s) values (s) scale 0.5 stable rounded added"));
    // Cells that are bfloat16 without weights that are: those are widened.
    EXPECT_THAT(after("fuse_attention", attention(rounded_scores, nearest("v")), schema()),
                HasSubstr("attention (x) queries (t) keys (s) values (s) stable %"));
    EXPECT_THAT(remarks_of("fuse_attention", rounded_attention(rounded_scores, "v"), schema()),
                Contains("its weights are bfloat16 and other cells are not"));
}

TEST(FuseAttention, SaysWhyNot) {
    const auto reasons = [](const std::string &text) { return remarks_of("fuse_attention", text, schema()); };
    EXPECT_THAT(reasons(attention("sum(q*k,x)", "v")), testing::IsEmpty());
    EXPECT_THAT(reasons(attention("sum(fq*fk,x)", "fv") + "*sum(sum(fq*fk,x))"),
                ElementsAre("something else reads its scores or weights"));
    EXPECT_THAT(reasons(attention("sum(fq*dk,x)", "fv")), ElementsAre("it is computed in double"));
    EXPECT_THAT(reasons(attention("sum(fq*fk,x)", "late")),
                ElementsAre("its results do not lie side by side, head by head"));
    EXPECT_THAT(reasons(attention("(sum(q*k,x)+n{t:0}*sum(q*0,x,h))", "v")), testing::IsEmpty());
    // A pair of labels may be missing.
    EXPECT_THAT(reasons(attention("(sum(lq*rename(lq,t,s),x)+l)", "rename(lq,t,s)")),
                ElementsAre("its mask has cells for each query or head under labels of keys, or lacks some of them"));
    for (const char *text : {"sum(sum(fq*fk,x)*fv,s)", "sum(softmax(sum(fq*fk,x),t)*fv,s)", "sum(fm*fv,s)"}) {
        EXPECT_FALSE(changes("fuse_attention", text, schema())) << text;
    }
}

// Documents of all kinds of lengths at once, each as the reference evaluator has it, and the same bits alone.
TEST(FuseAttention, GivesWhatItsPartsGive) {
    for (const std::size_t width : {4, 7, 32}) {
        differential::Case described;
        random::Source source(width);
        for (const auto &[name, type] :
             {std::pair("q", "h[2],t[],x"), std::pair("k", "h[2],s[],x"), std::pair("v", "h[2],s[],y")}) {
            described.schema.document(name, fmt::format("tensor<float>({}[{}])", type, width));
        }
        described.schema.document("m", "tensor<float>(s[])").document("p", "tensor<float>(s[],t[])");
        described.schema.document("ph", "tensor<float>(h[2],s[],t[])");
        for (const std::size_t length : {1, 2, 5, 16, 17, 33}) {
            const std::size_t queries = length == 5 ? 3 : length;
            const auto value = [&](const std::string &dimensions) {
                return random::tensor(source, *TensorType::parse(fmt::format("tensor<float>({})", dimensions)),
                                      Numbers::smooth);
            };
            described.documents.push_back({{"q", value(fmt::format("h[2],t[{}],x[{}]", queries, width))},
                                           {"k", value(fmt::format("h[2],s[{}],x[{}]", length, width))},
                                           {"v", value(fmt::format("h[2],s[{}],y[{}]", length, width))},
                                           {"m", value(fmt::format("s[{}]", length))},
                                           {"p", value(fmt::format("s[{}],t[{}]", length, queries))},
                                           {"ph", value(fmt::format("h[2],s[{}],t[{}]", length, queries))}});
        }
        for (const char *scores : {"sum(q*k,x)", "(sum(q*k,x)*0.3+m)", "(sum(q*k,x)/7+(m-1)*1e9)", "(sum(q*k,x)+m/0)",
                                   "(sum(q*k,x)*0.3+p)", "(sum(q*k,x)+ph)", "(sum(q*k,x)+(p-m)*2)"}) {
            described.text = fmt::format("reduce({},max,t)", attention(scores, "v"));
            std::string graph;
            EXPECT_EQ(wrong_value(described, Agreement::within_bounds, &graph), "") << described.text;
            EXPECT_THAT(graph, HasSubstr("attention")) << described.text;
        }
        for (const std::string &scores : {rounded_scores, "(" + rounded_scores + "*0.3+m)",
                                          "(" + rounded_scores + "/7+(m-1)*1e9)", "(" + rounded_scores + "+m/0)"}) {
            described.text = fmt::format("reduce({},max,t)", rounded_attention(scores, nearest("v")));
            std::string graph;
            EXPECT_EQ(wrong_value(described, Agreement::within_bounds, &graph), "") << described.text;
            EXPECT_THAT(graph, HasSubstr("stable rounded")) << described.text;
        }
    }
}

TEST(FuseAttention, OfFixedSizesGivesWhatItsPartsGive) {
    const auto values = [](const char *name, Stage stage, const char *type) {
        return random_values(name, stage, type, 3, Numbers::smooth, name[0] + 1U);
    };
    for (const Stage stage : {Stage::document, Stage::query}) {
        const std::vector<Values> inputs = {values("q", stage, "tensor<float>(h[2],t[15],x[7])"),
                                            values("k", Stage::document, "tensor<float>(h[2],s[17],x[7])"),
                                            values("v", Stage::document, "tensor<float>(h[2],s[17],y[5],z[2])"),
                                            values("m", Stage::document, "tensor<float>(s[17],t[15])"),
                                            values("c", Stage::query, "tensor<int8>(h[2],s[17])")};
        for (const char *scores : {"sum(q*k,x)", "(sum(q*k,x)*0.3+m)", "join(c,sum(q*k,x)*2,f(c,x)(if(c>0,x,-1e9)))",
                                   "join(c,sum(q*k,x),f(c,x)(if(c,x,-1)))", "(c+sum(q*k,x))"}) {
            std::string graph;
            const std::string text = attention(scores, "v");
            EXPECT_EQ(wrong_value(text, inputs, Agreement::within_bounds, &graph), "") << text;
            EXPECT_THAT(graph, HasSubstr("attention")) << text;
        }
    }
}

}  // namespace
}  // namespace tenrex::optimizer::fuse_attention_test

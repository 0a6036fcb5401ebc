#include "tests/optimizer/graph_of.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer::split_dimensions_test {
namespace {

using random::Numbers;

Schema schema() {
    Schema schema;
    schema.document("t", "tensor<float>(x[6])").document("m", "tensor<float>(x[2],y[3])");
    schema.document("o", "tensor<float>(t[],x[6])").document("p", "tensor<float>(a[2],b[3],t[])");
    schema.document("b", "tensor<float>(k{},x[6])").document("n", "double");
    return schema;
}

TEST(SplitDimensions, Splits) {
    EXPECT_EQ(after("split_dimensions", "o{x:(tensor(h[2],s[3])(h*3+s))}", schema()), R"(
%0 = input "o" of tensor<float>(t[],x[6]) : tensor<float>(t{},x[6]) document
%1 = reshape (x) (_f0,_f1) %0 : tensor<float>(_f0[2],_f1[3],t{}) document
%2 = rename (_f0,_f1) (h,s) %1 : tensor<float>(h[2],s[3],t{}) document
return %2
)");
    EXPECT_EQ(after("split_dimensions", "tensor<float>(h[2],s[3])(t{x:(h*3+s)})", schema()), R"(
%0 = input "t" : tensor<float>(x[6]) document
%1 = reshape (x) (_f0,_f1) %0 : tensor<float>(_f0[2],_f1[3]) document
%2 = cast %1 : tensor(_f0[2],_f1[3]) document
%3 = cast %2 : tensor<float>(_f0[2],_f1[3]) document
%4 = rename (_f0,_f1) (h,s) %3 : tensor<float>(h[2],s[3]) document
return %4
)");
}

TEST(SplitDimensions, Joins) {
    EXPECT_EQ(after("split_dimensions", "p{a:(tensor(i[6])(floor(i/3))),b:(tensor(i[6])(fmod(i,3)))}", schema()), R"(
%0 = input "p" of tensor<float>(a[2],b[3],t[]) : tensor<float>(a[2],b[3],t{}) document
%1 = reshape (a,b) (i) %0 : tensor<float>(i[6],t{}) document
return %1
)");
    // In another order: cells are taken from where they are.
    EXPECT_EQ(after("split_dimensions", "p{b:(tensor(i[6])(floor(i/2))),a:(tensor(i[6])(fmod(i,2)))}", schema()), R"(
%0 = input "p" of tensor<float>(a[2],b[3],t[]) : tensor<float>(a[2],b[3],t{}) document
%1 = reshape (b,a) (i) %0 : tensor<float>(i[6],t{}) document
return %1
)");
}

TEST(SplitDimensions, LeavesOtherIndexes) {
    for (const char *text : {"o{x:(tensor(h[2],s[3])(h*3+2-s))}",           // backwards
                             "o{x:(tensor(h[2],s[3])(h*3+s+1))}",           // the last index does not exist
                             "o{x:(tensor(h[2],s[2])(h*3+s))}",             // with gaps
                             "o{x:(tensor(h[2],s[3])(h*3+s)*n)}",           // of which documents decide
                             "b{x:(tensor(i[3])(2-i))}",                    // nothing is split
                             "m{x:(tensor(i[2])(i)),y:(tensor(i[2])(i))}",  // cells taken across
                             "m{x:(tensor(i[6])(floor(i/2))),y:(tensor(i[6])(fmod(i,2)))}"}) {
        EXPECT_FALSE(changes("split_dimensions", text, schema())) << text;
    }
}

// Sizes of which neither list is made of parts of the other.
TEST(SplitDimensions, LeavesWhatIsNeitherSplitNorJoined) {
    EXPECT_FALSE(
        changes("split_dimensions", "tensor<float>(u[3],v[2])(m{x:(floor((u*2+v)/3)),y:(fmod(u*2+v,3))})", schema()));
}

TEST(SplitDimensions, GivesTheSameCells) {
    const auto values = [](const char *type, std::size_t documents) {
        return random_values("v", Stage::document, type, documents, Numbers::smooth, 7);
    };
    const char *of_rows[] = {"v{x:(tensor(h[2],s[3])(h*3+s))}", "v{x:(tensor(s[2],h[3])(s*3+h))}",
                             "v{x:(tensor(z[3],a[2])(z*2+a))}*2", "sum(v{x:(tensor(h[2],s[3])(h*3+s))},h)"};
    for (const char *text : of_rows) {
        EXPECT_EQ(wrong_value(text, {values("tensor<float>(k{},x[6])", 5)}), "") << text;
        EXPECT_EQ(wrong_value(text, {values("tensor(x[6])", 3)}), "") << text;
        EXPECT_EQ(wrong_value(text, {values("tensor<int8>(b[2],x[6],y[3])", 3)}), "") << text;
    }
    const char *of_matrices[] = {"v{a:(tensor(i[6])(floor(i/3))),b:(tensor(i[6])(fmod(i,3)))}",
                                 "v{b:(tensor(i[6])(floor(i/2))),a:(tensor(i[6])(fmod(i,2)))}",
                                 "v{a:(tensor(i[3],j[2])(fmod(i*2+j,2))),b:(tensor(i[3],j[2])(floor((i*2+j)/2)))}",
                                 "tensor(i[6])(v{a:(floor(i/3)),b:(fmod(i,3))})"};
    for (const char *text : of_matrices) {
        EXPECT_EQ(wrong_value(text, {values("tensor<float>(a[2],b[3])", 3)}), "") << text;
    }
}

}  // namespace
}  // namespace tenrex::optimizer::split_dimensions_test

#include <tenrex/formats.h>

#include "tests/optimizer/graph_of.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer::reassociate_test {
namespace {

Schema schema() {
    Schema schema;
    schema.query("q", "tensor<float>(y[2])").query("p", "tensor<float>(x[3],y[2])").query("c", "tensor<float>(y[2])");
    schema.document("d", "tensor<float>(x[3])").document("e", "tensor(x[3])").document("f", "tensor<float>(y[2])");
    schema.query("a", "tensor<float>(k{})").query("t", "tensor<float>(k{},y[2])").query("i", "tensor<float>(j{})");
    schema.document("n", "tensor<float>(k{},r[8])")
        .document("u", "tensor<float>(r[8])")
        .document("l", "tensor<float>(j{},k{})")
        .document("z");
    schema.document("o", "tensor<float>(k{})").document("h2", "tensor<float>(x[3])");
    schema.document("g", "tensor<float>(z[4])").document("m", "tensor<float>(k{},x[3])");
    schema.constant("w", *from_literal("tensor<float>(x[3],y[2]):[[1,2],[3,4],[5,6]]"));
    schema.constant("v", *from_literal("tensor<float>(x[2],y[2]):[[1,2],[3,4]]"));
    schema.query("h", "tensor<float>(x[2])");
    schema.constant("b", *from_literal("tensor<float>(y[2]):[1,2]"));
    return schema;
}

constexpr const char *query_first = R"(
%0 = input "d" : tensor<float>(x[3]) document
%1 = constant tensor<float>(x[3],y[2]):[[1,2],[3,4],[5,6]] : tensor<float>(x[3],y[2]) constant
%2 = input "q" : tensor<float>(y[2]) query
%3 = contract * sum (y) %1 %2 : tensor<float>(x[3]) query
%4 = contract * sum (x) %0 %3 : double document
return %4
)";

TEST(Reassociate, TheQueryMeetsTheWeightsFirst) {
    EXPECT_EQ(after("reassociate", "sum(sum(d*w,x)*q,y)", schema()), query_first);
    for (const char *text : {"sum(q*sum(w*d,x))", "sum(sum(m*w,x)*q,y)"}) {
        EXPECT_TRUE(changes("reassociate", text, schema())) << text;
    }
}

TEST(Reassociate, NoOuterProduct) {
    EXPECT_EQ(after("reassociate", "sum(d*f*p)", schema()), R"(
%0 = input "d" : tensor<float>(x[3]) document
%1 = input "f" : tensor<float>(y[2]) document
%2 = input "p" : tensor<float>(x[3],y[2]) query
%3 = contract * sum (x) %0 %2 : tensor<float>(y[2]) document
%4 = contract * sum (y) %3 %1 : double document
return %4
)");
    // What is known first is multiplied first.
    EXPECT_EQ(after("reassociate", "sum(d*q*w)", schema()), R"(
%0 = input "d" : tensor<float>(x[3]) document
%1 = input "q" : tensor<float>(y[2]) query
%2 = constant tensor<float>(x[3],y[2]):[[1,2],[3,4],[5,6]] : tensor<float>(x[3],y[2]) constant
%3 = contract * sum (y) %1 %2 : tensor<float>(x[3]) query
%4 = contract * sum (x) %0 %3 : double document
return %4
)");
    // A factor that has none of the dimensions is multiplied last.
    EXPECT_EQ(after("reassociate", "sum(q*d*p,x)", schema()), R"(
%0 = input "q" : tensor<float>(y[2]) query
%1 = input "d" : tensor<float>(x[3]) document
%2 = input "p" : tensor<float>(x[3],y[2]) query
%3 = apply * %0 %2 : tensor<float>(x[3],y[2]) query
%4 = contract * sum (x) %3 %1 : tensor<float>(y[2]) document
return %4
)");
}

TEST(Reassociate, ProductsOfThreeWithLabels) {
    const std::string mixed = R"(
%0 = input "a" : tensor<float>(k{}) query
%1 = input "u" : tensor<float>(r[8]) document
%2 = input "n" : tensor<float>(k{},r[8]) document
%3 = contract * sum (r) %1 %2 : tensor<float>(k{}) document
%4 = contract * sum (k) %0 %3 : double document
return %4
)";
    EXPECT_EQ(after("reassociate", "sum(a*u*n)", schema()), mixed);
    EXPECT_EQ(after("reassociate", "sum(a*(u*n))", schema()), mixed);
    EXPECT_FALSE(changes("reassociate", "sum(a*sum(u*n,r))", schema()));
    // What is known early makes another order cheaper.
    EXPECT_EQ(after("reassociate", "sum(a*f*t)", schema()), R"(
%0 = input "a" : tensor<float>(k{}) query
%1 = input "f" : tensor<float>(y[2]) document
%2 = input "t" : tensor<float>(k{},y[2]) query
%3 = join_addresses %0 %2 : tensor<float>(k{},y[2]) query
%4 = reduce count (k,y) %3 : double query
%5 = contract * sum (k) %0 %2 : tensor<float>(y[2]) query
%6 = contract * sum (y) %5 %1 : double document
%7 = constant 0 : double constant
%8 = select %4 %6 %7 : double document
return %8
)");
    EXPECT_EQ(after("reassociate", "sum(a*i*l)", schema()), R"(
%0 = input "a" : tensor<float>(k{}) query
%1 = input "i" : tensor<float>(j{}) query
%2 = input "l" : tensor<float>(j{},k{}) document
%3 = contract * sum (k) %0 %2 : tensor<float>(j{}) document
%4 = contract * sum (j) %3 %1 : double document
return %4
)");
    // A number that is known is multiplied with the sum; times another one a sum over nothing would not be 0.
    EXPECT_EQ(after("reassociate", "sum(d*2.5*h2)", schema()), R"(
%0 = input "d" : tensor<float>(x[3]) document
%1 = constant 2.5 : double constant
%2 = input "h2" : tensor<float>(x[3]) document
%3 = contract * sum (x) %0 %2 : double document
%4 = apply * %3 %1 : double document
return %4
)");
    // A sum is not -0, so neither is its product with a number that may be negative.
    EXPECT_EQ(after("reassociate", "sum(d*z*h2)", schema()), R"(
%0 = input "d" : tensor<float>(x[3]) document
%1 = input "z" : double document
%2 = input "h2" : tensor<float>(x[3]) document
%3 = contract * sum (x) %0 %2 : double document
%4 = apply * %3 %1 : double document
%5 = constant 0 : double constant
%6 = apply + %4 %5 : double document
return %6
)");
    EXPECT_TRUE(changes("reassociate", "sum(a*o*2.5)", schema()));
    EXPECT_FALSE(changes("reassociate", "sum(a*z*o)", schema()));
}

TEST(Reassociate, ABiasIsAddedToWhatIsKnown) {
    EXPECT_EQ(after("reassociate", "sum(concat(h,d,x)*concat(v,w,x),x)+b", schema()), R"(
%0 = input "h" : tensor<float>(x[2]) query
%1 = input "d" : tensor<float>(x[3]) document
%2 = constant tensor<float>(x[2],y[2]):[[1,2],[3,4]] : tensor<float>(x[2],y[2]) constant
%3 = constant tensor<float>(x[3],y[2]):[[1,2],[3,4],[5,6]] : tensor<float>(x[3],y[2]) constant
%4 = concat (x) %2 %3 : tensor<float>(x[5],y[2]) constant
%5 = constant tensor<float>(y[2]):[1,2] : tensor<float>(y[2]) constant
%6 = slice (x) from 0 %4 : tensor<float>(x[2],y[2]) constant
%7 = contract * sum (x) %0 %6 : tensor<float>(y[2]) query
%8 = slice (x) from 2 %4 : tensor<float>(x[3],y[2]) constant
%9 = contract * sum (x) %1 %8 : tensor<float>(y[2]) document
%10 = apply + %7 %5 : tensor<float>(y[2]) query
%11 = apply + %9 %10 : tensor<float>(y[2]) document
return %11
)");
}

TEST(Reassociate, StaysInDouble) {
    EXPECT_EQ(after("reassociate", "sum(sum(e*w,x)*q,y)", schema()), R"(
%0 = input "e" : tensor(x[3]) document
%1 = constant tensor<float>(x[3],y[2]):[[1,2],[3,4],[5,6]] : tensor<float>(x[3],y[2]) constant
%2 = input "q" : tensor<float>(y[2]) query
%3 = cast %1 : tensor(x[3],y[2]) constant
%4 = contract * sum (y) %3 %2 : tensor(x[3]) query
%5 = contract * sum (x) %0 %4 : double document
return %5
)");
}

TEST(Reassociate, LeavesTheRest) {
    for (const char *text : {"sum(sum(d*w,x)*f,y)",        // nothing is known early
                             "sum(sum(d*w,x)*p,y)",        // x is another x there
                             "sum(max(d*w,x)*q,y)",        // no sum of sums
                             "sum(tanh(sum(d*w,x))*q,y)",  // a layer between them
                             "sum(sum((d-w)^2,x)*q,y)",    // no products
                             "sum(sum(a*o)*m,x)",          // no address of k may get lost
                             "sum(f*(q/sum(q)))",          // divided once per query
                             "d*(w*q)", "sum(d*w,x)+b"}) {
        EXPECT_FALSE(changes("reassociate", text, schema())) << text;
    }
}

// Dimensions of one factor are summed last, if that is no order beyond all limits.
TEST(Reassociate, LargeTensors) {
    Schema schema;
    schema.document("a", "tensor<float>(x[1000000])").document("b", "tensor<float>(y[1000000])");
    schema.document("c", "tensor<float>(z[1000000])").document("d", "tensor<float>(k{})");
    EXPECT_FALSE(changes("reassociate", "sum(sum(a,x)*sum(b,y)*sum(c,z)*d)", schema));
}

TEST(Reassociate, KeepsValues) {
    const auto numbers = random::Numbers::smooth;
    const std::vector<Values> inputs = {
        random_values("q", Stage::query, "tensor<float>(y[2])", 1, numbers, 1),
        random_values("s", Stage::query, "tensor<float>(k{},y[2])", 1, numbers, 2),
        random_values("h", Stage::query, "tensor<float>(x[2])", 1, numbers, 3),
        random_values("p", Stage::query, "tensor<float>(x[3],y[2])", 1, numbers, 4),
        random_values("d", Stage::document, "tensor<float>(x[3])", 4, numbers, 5),
        random_values("e", Stage::document, "tensor(x[3])", 4, numbers, 6),
        random_values("f", Stage::document, "tensor<float>(y[2])", 4, numbers, 7),
        random_values("m", Stage::document, "tensor<float>(k{},x[3])", 4, numbers, 8),
        random_values("w", Stage::constant, "tensor<float>(x[3],y[2])", 1, numbers, 9),
        random_values("u", Stage::constant, "tensor<float>(k{},x[3],y[2])", 1, numbers, 10),
        random_values("b", Stage::constant, "tensor<float>(y[2])", 1, numbers, 11),
        random_values("a", Stage::query, "tensor<float>(k{})", 1, numbers, 12),
        random_values("i", Stage::query, "tensor<int8>(j{})", 1, numbers, 13),
        random_values("l", Stage::document, "tensor<bfloat16>(j{},k{})", 4, numbers, 14),
        random_values("o", Stage::document, "tensor<float>(k{})", 4, numbers, 15),
        random_values("g", Stage::document, "tensor(z[4])", 4, numbers, 16),
        random_values("v", Stage::document, "double", 4, numbers, 17),
        {"nan", Stage::document, literals({"nan", "inf", "-inf", "nan"})},
    };
    for (const char *text : {"sum(sum(d*w,x)*q,y)",
                             "sum(sum(e*w,x)*q)",
                             "sum(sum(m*w,x)*q,y)",
                             "sum(sum(m*w,x)*s,y)",
                             "sum(sum(m*u,x)*q,y)",
                             "sum(sum(d*u,x)*s)",
                             "sum(sum(m*u,x)*s,y)",
                             "sum(d*f*p)",
                             "sum(m*f*p)",
                             "sum(e*q*w)",
                             "sum(d*s*w)",
                             "sum(m*s*w)",
                             "sum(a*i*l)",
                             "sum(a*i*l,k)",
                             "sum(a*i*l,j)",
                             "sum(a*o*v)",
                             "sum(a*nan*o)",
                             "sum(a*o*nan*m,k)",
                             "sum(a*v*o*m,k)",
                             "sum(a*f*s)",
                             "sum(a*l*s,k,y)",
                             "sum(l*s*m*d)",
                             "sum(l*s*m*d,j)",
                             "sum(a*o*l*i*m,j,k)",
                             "sum(d*g*p,x,y)",
                             "sum(q*d*p,x)",
                             "sum(sum(a*o)*m,x)",
                             "sum(a*o*m*sum(l*i),k)",
                             "sum(sum(a*l,k)*i*g,z)",
                             "sum(concat(h,d,x)*concat(tensor(x[2])(x+1),w,x),x)+b",
                             "sum(sum(d*w,x)*q,y)+sum(sum(d*w,x))"}) {
        EXPECT_EQ(wrong_value(text, inputs), "") << text;
    }
}

TEST(Reassociate, DividesLast) {
    EXPECT_EQ(after("reassociate", "sum(d*(h2/z))", schema()), R"(
%0 = input "d" : tensor<float>(x[3]) document
%1 = input "h2" : tensor<float>(x[3]) document
%2 = input "z" : double document
%3 = contract * sum (x) %0 %1 : double document
%4 = apply / %3 %2 : double document
%5 = constant 0 : double constant
%6 = apply + %4 %5 : double document
return %6
)");
}

TEST(Reassociate, QuotientsOfSumsOverNothing) {
    const std::vector<Values> inputs = {
        {"a", Stage::document, literals({"tensor<float>(k{}):{}", "tensor<float>(k{}):{p:2,q:-4}"})},
        {"b", Stage::query, literals({"tensor<float>(k{}):{p:3,q:0.5}"})},
        {"w", Stage::query, literals({"tensor<float>(k{},x[2]):{p:[1,2],q:[0.5,4]}"})},
        {"x", Stage::document, literals({"tensor<float>(x[2]):[1,0.25]", "tensor<float>(x[2]):[4,2]"})},
        {"n", Stage::document, literals({"0", "-8"})},
        {"zero", Stage::document, literals({"-0.0", "-2"})},
        {"minus", Stage::document, literals({"tensor<float>(x[2]):[-1e-30,-1e-30]", "tensor<float>(x[2]):[-1e-35,0]"})},
        {"large", Stage::query, literals({"1e300"})}};
    for (const char *text : {"1/sum(x*(minus/large))", "sum(b*(a/n))", "sum(b*(a/count(a)))", "sum(b*(a/(1+n^2)))",
                             "sum(b*(a/n)*zero)", "sum(x*(sum(w*a,k)/(n+9)))", "sum(x*(sum(w*a,k)/n))",
                             "sum(sum(w*(x/(n+9)),x)*a)", "sum(w*(x/(n-1)),x)", "sum(x*(x/(n-1)))*zero"}) {
        std::string graph;
        EXPECT_EQ(wrong_value(text, inputs, Agreement::within_bounds, &graph), "") << text << graph;
    }
}

TEST(Reassociate, InfinitiesBesideSumsOverNothing) {
    const std::vector<Values> inputs = {{"a", Stage::document, literals({"tensor<float>(m{}):{a:inf,b:1}"})},
                                        {"b", Stage::document, literals({"tensor<float>(m{}):{a:1,b:1}"})},
                                        {"c", Stage::document, literals({"tensor<float>(k{}):{p:1}"})},
                                        {"d", Stage::document, literals({"tensor<float>(k{}):{q:1}"})},
                                        {"e", Stage::query, literals({"tensor<float>(k{},x[2]):{p:[1,2]}"})},
                                        {"f", Stage::query, literals({"tensor<float>(k{},x[2]):{q:[1,2]}"})},
                                        {"g", Stage::document, literals({"tensor<float>(x[2]):[-inf,nan]"})},
                                        {"n", Stage::document, literals({"nan"})}};
    for (const char *text : {"reduce(a*b*c*d,sum)", "reduce((g*e)*f,sum)", "reduce((c*d)*g,sum,k)", "sum(e*f*g,k)",
                             "sum(matmul(e,f,k)*n)", "sum(sum(e*f,k)*g)"}) {
        EXPECT_EQ(wrong_value(text, inputs), "") << text;
    }
    // The addresses of the query are counted once; what the document brings decides then.
    EXPECT_EQ(wrong_value("reduce((g*e)*h,sum)",
                          {inputs[4], inputs[6], {"h", Stage::query, literals({"tensor<float>(k{},x[2]):{p:[1,0]}"})}}),
              "");
}

}  // namespace
}  // namespace tenrex::optimizer::reassociate_test

#include "lib/support/format.h"
#include "tests/optimizer/graph_of.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer::contract_test {
namespace {

Schema schema() {
    Schema schema;
    schema.query("q", "tensor<float>(x[4])").document("d", "tensor<float>(x[4])").document("i", "tensor<int8>(x[4])");
    schema.document("h", "tensor<bfloat16>(x[4])").document("e", "tensor(x[4])");
    schema.document("m", "tensor<float>(k{},x[4])").document("n", "tensor<float>(k{},x[4])");
    schema.document("p", "tensor<float>(k{},l{})")
        .document("s", "tensor<float>(k{})")
        .document("y", "tensor<float>(y[3],x[4])")
        .document("v");
    schema.query("t", "tensor<float>(x[2])").document("u", "tensor<float>(x[2],y[3])");
    return schema;
}

// What the sum becomes: the line of the contraction.
std::string contraction(const char *text) {
    const std::string graph = after("contract", text, schema());
    const std::size_t begin = graph.find("contract");
    return begin == graph.npos ? "none" : graph.substr(begin, graph.find('\n', begin) - begin);
}

TEST(Contract, SumsOfProducts) {
    EXPECT_EQ(after("contract", "sum(q*d)", schema()), R"(
%0 = input "q" : tensor<float>(x[4]) query
%1 = input "d" : tensor<float>(x[4]) document
%2 = contract * sum (x) %0 %1 : double document
return %2
)");
    EXPECT_EQ(contraction("sum(q*q)"), "contract * sum (x) %0 %0 : double query");
    EXPECT_EQ(contraction("sum(q^2)"), "contract * sum (x) %0 %0 : double query");
    EXPECT_EQ(contraction("sum(map(q,f(a)(a*a)))"), "contract * sum (x) %0 %0 : double query");
    EXPECT_EQ(contraction("sum(join(q,d,f(a,b)(a*b)))"), "contract * sum (x) %0 %1 : double document");
    EXPECT_EQ(contraction("sum(m*n)"), "contract * sum (k,x) %0 %1 : double document");
    EXPECT_EQ(contraction("sum(m*n,x)"), "contract * sum (x) %0 %1 : tensor<float>(k{}) document");
    EXPECT_EQ(contraction("sum(y*q,x)"), "contract * sum (x) %0 %1 : tensor<float>(y[3]) document");
    EXPECT_EQ(contraction("sum(s*s)"), "contract * sum (k) %0 %0 : double document");
}

TEST(Contract, Distances) {
    for (const char *text : {"sum((q-d)*(q-d))", "sum((q-d)^2)", "sum(map(q-d,f(a)(a*a)))", "sum(pow(q-d,2))",
                             "sum(map(q-d,f(a)(a^2)))", "sum(join(q,d,f(a,b)((a-b)*(a-b))))"}) {
        EXPECT_EQ(contraction(text), "contract - square sum (x) %0 %1 : double document") << text;
    }
    EXPECT_EQ(contraction("sum(map(q-d,f(a)(fabs(a))))"), "contract - fabs sum (x) %0 %1 : double document");
    EXPECT_EQ(contraction("sum(abs(q-d))"), "contract - abs sum (x) %0 %1 : double document");
    EXPECT_EQ(contraction("sum(hamming(i,d))"), "contract hamming sum (x) %0 %1 : double document");
    // To the rows of a matrix.
    EXPECT_EQ(contraction("sum((y-q)^2,x)"), "contract - square sum (x) %0 %1 : tensor<float>(y[3]) document");
    EXPECT_EQ(contraction("sum(abs(m-y),x)"), "contract - abs sum (x) %0 %1 : tensor<float>(k{},y[3]) document");
}

TEST(Contract, Extremes) {
    EXPECT_EQ(contraction("max(q*d)"), "contract * max (x) %0 %1 : double document");
    EXPECT_EQ(contraction("min(q-d)"), "contract - min (x) %0 %1 : double document");
    EXPECT_EQ(contraction("max(abs(q-d))"), "contract - abs max (x) %0 %1 : double document");
    EXPECT_EQ(contraction("max(m*q,x)"), "contract * max (x) %0 %1 : tensor<float>(k{}) document");
    EXPECT_EQ(after("contract", "max(q*m)", schema()), R"(
%0 = input "q" : tensor<float>(x[4]) query
%1 = input "m" : tensor<float>(k{},x[4]) document
%2 = contract * max (x) %0 %1 : tensor<float>(k{}) document
%3 = reduce max (k) %2 : double document
return %3
)");
    // Blocks are matched cell by cell, or the function is another one.
    for (const char *text : {"max(m*n)", "max(s*s)", "max(q+d)", "max(relu(q-d))", "prod(q*d)"}) {
        EXPECT_EQ(contraction(text), "none") << text;
    }
    const std::vector<Values> inputs = {
        {"q", Stage::query, literals({"tensor<float>(x[3]):[-1,-2,0]"})},
        {"d", Stage::document,
         literals({"tensor<float>(x[3]):[nan,1,2]", "tensor<float>(x[3]):[nan,nan,inf]",
                   "tensor<float>(x[3]):[-inf,inf,nan]", "tensor<float>(x[3]):[3e38,3e38,0]"})},
        {"m", Stage::document,
         literals({"tensor<float>(k{},x[3]):{a:[nan,nan,inf],b:[1,2,nan]}", "tensor<float>(k{},x[3]):{}",
                   "tensor<float>(k{},x[3]):{a:[-inf,inf,nan]}", "tensor<float>(k{},x[3]):{c:[3e38,3e38,0]}"})}};
    for (const char *operand : {"d", "m"}) {
        for (const char *text : {"max(q*{})", "min({}*q)", "max(q-{})", "min({}-q)", "max(abs(q-{}))", "min(abs(q-{}))",
                                 "max(join(q,{},f(s,t)(s*t)),x)", "max({0}*{0})"}) {
            const std::string expression = fmt::format(fmt::runtime(text), operand);
            EXPECT_EQ(wrong_value(expression, inputs), "") << expression;
        }
    }
}

// As docs/numerics.md says: the kernels add floats up in float.
TEST(Contract, SumsThatLeaveTheRangeOfFloat) {
    const std::vector<Values> inputs = {{"a", Stage::document, literals({"tensor<float>(x[2]):[3e38,3e38]"})},
                                        {"b", Stage::document, literals({"tensor<float>(x[2]):[1,1]"})}};
    for (const char *text : {"sum(a*b)", "avg(a*b)"}) {
        EXPECT_EQ(wrong_value(text, inputs), "");
        const std::string exactly = wrong_value(text, inputs, Agreement::exact);
        EXPECT_NE(exactly.find("is inf, expected"), std::string::npos) << exactly;
    }
    EXPECT_EQ(wrong_value("sum(cell_cast(a,double)*b)", inputs), "");
    EXPECT_EQ(wrong_value("avg(cell_cast(a,double)*b)", inputs), "");
    EXPECT_EQ(wrong_value("sum(a)+avg(a)", inputs), "");
}

// A count of more cells than floats can count one by one would be rounded.
TEST(Contract, ComparisonsThatAreTooManyToCount) {
    for (const char *aggregator : {"min", "max", "prod"}) {
        const auto found = [&](std::size_t size) {
            Schema large;
            large.query("a", fmt::format("tensor<float>(x[{}],y[2])", size));
            large.document("b", fmt::format("tensor<float>(x[{}],y[2])", size));
            const std::string graph = after("contract", fmt::format("reduce(a<=b,{},x)", aggregator), large);
            return graph.find("contract") != graph.npos;
        };
        EXPECT_TRUE(found(16777216)) << aggregator;
        EXPECT_FALSE(found(16777217)) << aggregator;
    }
}

TEST(Contract, Comparisons) {
    EXPECT_EQ(contraction("sum(q<d)"), "contract < sum (x) %0 %1 : double document");
    EXPECT_EQ(contraction("sum(q>d)"), "contract < sum (x) %1 %0 : double document");
    EXPECT_EQ(contraction("avg(q>=m,x)"), "contract <= sum (x) %1 %0 : tensor<float>(k{}) document");
    EXPECT_EQ(after("contract", "prod(q==d)", schema()), R"(
%0 = input "q" : tensor<float>(x[4]) query
%1 = input "d" : tensor<float>(x[4]) document
%2 = contract == sum (x) %0 %1 : double document
%3 = constant 4 : double constant
%4 = apply == %2 %3 : double document
return %4
)");
    // Whether any or all blocks hold is another question.
    EXPECT_EQ(contraction("prod(q<m)"), "none");
    EXPECT_EQ(contraction("max(q<m)"), "none");
    const std::vector<Values> inputs = {
        {"q", Stage::query, literals({"tensor<int8>(x[3]):[-1,2,0]"})},
        {"d", Stage::document,
         literals(
             {"tensor<float>(x[3]):[nan,1,2]", "tensor<float>(x[3]):[-1,2,0]", "tensor<float>(x[3]):[inf,inf,-inf]"})},
        {"m", Stage::document,
         literals({"tensor<float>(k{},x[3]):{a:[nan,nan,inf],b:[-1,2,0]}", "tensor<float>(k{},x[3]):{}",
                   "tensor<float>(k{},x[3]):{a:[5,5,5]}"})}};
    for (const char *operand : {"d", "m"}) {
        for (const char *aggregator : {"sum", "avg", "max", "min", "prod", "count", "median"}) {
            for (const char *comparison : {"<", "<=", ">", ">=", "==", "!="}) {
                for (const char *over : {"", ",x"}) {
                    const std::string text = fmt::format("{}(q{}{}{})", aggregator, comparison, operand, over);
                    EXPECT_EQ(wrong_value(text, inputs), "") << text;
                }
            }
        }
    }
}

TEST(Contract, Averages) {
    EXPECT_EQ(after("contract", "avg(q*d)", schema()), R"(
%0 = input "q" : tensor<float>(x[4]) query
%1 = input "d" : tensor<float>(x[4]) document
%2 = contract * sum (x) %0 %1 : double document
%3 = constant 4 : double constant
%4 = apply / %2 %3 : double document
return %4
)");
    EXPECT_EQ(contraction("avg(m*q,x)"), "contract * sum (x) %0 %1 : tensor<float>(k{}) document");
    EXPECT_EQ(contraction("avg(y*q)"), "contract * sum (x) %0 %1 : tensor<float>(y[3]) document");
    EXPECT_EQ(contraction("avg((d-avg(d))*(d-avg(d)))"), "contract * sum (x) %2 %2 : double document");
    EXPECT_EQ(contraction("avg((d-sum(d))^2)"), "contract * sum (x) %2 %2 : double document");
    // How many blocks there are is not known.
    EXPECT_EQ(contraction("avg(m*q)"), "none");
    EXPECT_EQ(contraction("avg(s*s)"), "none");
    const std::vector<Values> inputs = {
        {"q", Stage::query, literals({"tensor<float>(x[3]):[1,2,-1]"})},
        {"m", Stage::document,
         literals({"tensor<float>(k{},x[3],y[2]):{a:[[1,0],[2,4],[3,3]],b:[[0,0],[0,0],[0,1e38]]}",
                   "tensor<float>(k{},x[3],y[2]):{}"})}};
    for (const char *text : {"avg(m*q,x)", "avg(m*q,x,y)", "avg(m*q,y)", "avg(m*q)", "avg(abs(m-q),x)/avg(q*q)"}) {
        EXPECT_EQ(wrong_value(text, inputs), "") << text;
    }
}

TEST(Contract, DimensionsOfOneOperandAreSummedAfterwards) {
    EXPECT_EQ(after("contract", "sum(q*m)", schema()), R"(
%0 = input "q" : tensor<float>(x[4]) query
%1 = input "m" : tensor<float>(k{},x[4]) document
%2 = contract * sum (x) %0 %1 : tensor<float>(k{}) document
%3 = reduce sum (k) %2 : double document
return %3
)");
}

TEST(Contract, ReadsOperandsAsTheyAreStored) {
    EXPECT_EQ(contraction("sum(cell_cast(i,float)*q)"), "contract * sum (x) %0 %1 : double document");
    EXPECT_EQ(contraction("sum(cell_cast(i,bfloat16)*q)"), "contract * sum (x) %0 %1 : double document");
    EXPECT_EQ(contraction("sum(cell_cast(h,float)*q)"), "contract * sum (x) %0 %1 : double document");
    // One of them stays double, so that the sum is in double.
    EXPECT_EQ(after("contract", "sum(cell_cast(i,double)*cell_cast(q,double))", schema()), R"(
%0 = input "i" : tensor<int8>(x[4]) document
%1 = input "q" : tensor<float>(x[4]) query
%2 = cast %1 : tensor(x[4]) query
%3 = contract * sum (x) %0 %2 : double document
return %3
)");
    EXPECT_EQ(contraction("sum(cell_cast(e*e,float))"), "none");
    // A cast that loses something stays.
    EXPECT_EQ(contraction("sum(cell_cast(e,float)*q)"), "contract * sum (x) %1 %2 : double document");
    EXPECT_EQ(contraction("sum(cell_cast(q,int8)*i)"), "contract * sum (x) %1 %2 : double document");
}

TEST(Contract, APartThatIsUsedElsewhereToo) {
    EXPECT_EQ(after("contract", "sum(q*d)+median(q*d)", schema()), R"(
%0 = input "q" : tensor<float>(x[4]) query
%1 = input "d" : tensor<float>(x[4]) document
%2 = apply * %0 %1 : tensor<float>(x[4]) document
%3 = reduce median (x) %2 : double document
%4 = contract * sum (x) %0 %1 : double document
%5 = apply + %4 %3 : double document
return %5
)");
}

TEST(Contract, SumsBlocksWithWeights) {
    EXPECT_TRUE(changes("contract", "sum(s*m,k)", schema()));
    EXPECT_TRUE(changes("contract", "sum(s*m)", schema()));
}

TEST(Contract, SumsOverLabels) {
    EXPECT_EQ(contraction("sum(m*n,k)"), "contract * sum (k) %0 %1 : tensor<float>(x[4]) document");
    EXPECT_EQ(contraction("sum(p*s,k)"), "contract * sum (k) %0 %1 : tensor<float>(l{}) document");
    EXPECT_EQ(contraction("sum(p*m,k)"), "contract * sum (k) %0 %1 : tensor<float>(l{},x[4]) document");
    // Other labels at the same time: one reduction is better than two.
    EXPECT_EQ(contraction("sum(p*s)"), "none");
}

TEST(Contract, LeavesTheRest) {
    for (const char *text : {
             "prod(q*d)", "count(m*n)", "median(q*d)",                // no sums
             "sum(q+d)", "sum(q/d)", "sum(max(q,d))", "sum(abs(q))",  // of no products
             "sum(q*2)", "sum(q*v)", "sum(q*s)", "sum(m*q,k)",        // nothing in common is summed
             "sum(m*n,k)/max(m*n)",                                   // one join for both
             "sum(abs(t-u),x)",                                       // two cells that are far from each other
         }) {
        EXPECT_FALSE(changes("contract", text, schema())) << text;
    }
}

TEST(Contract, KeepsOddNumbers) {
    const std::vector<Values> inputs = {
        {"q", Stage::query, literals({"tensor<float>(x[3]):[1,0,-2]"})},
        {"d", Stage::document,
         literals({"tensor<float>(x[3]):[nan,1,2]", "tensor<float>(x[3]):[inf,1,2]", "tensor<float>(x[3]):[1,inf,2]",
                   "tensor<float>(x[3]):[inf,1,inf]", "tensor<float>(x[3]):[-0.0,1,2]"})},
        {"i", Stage::document, literals({"tensor<int8>(x[3]):[-128,127,-1]"})},
        {"o", Stage::document, literals({"tensor<float>(x[3],y[1]):[1,2,3]"})},
        random_values("m", Stage::document, "tensor<float>(k{},x[3])", 5, random::Numbers::any, 1),
        random_values("n", Stage::document, "tensor<float>(k{},x[3])", 5, random::Numbers::any, 9),
        random_values("p", Stage::document, "tensor<float>(k{},l{})", 5, random::Numbers::any, 11),
        random_values("s", Stage::query, "tensor<float>(k{})", 1, random::Numbers::any, 12),
    };
    for (const char *text : {"sum(q*d)",
                             "sum((q-d)^2)",
                             "sum(abs(q-d))",
                             "sum(hamming(i,d))",
                             "sum(d*d)",
                             "sum(d*i)",
                             "sum(q*m)",
                             "sum(q*m,x)",
                             "sum(m*n)",
                             "sum(m*n,x)",
                             "sum((m-n)^2,x)",
                             "sum((m-n)*(m-n))",
                             "sum(o*d,x)",
                             "sum(o*d,y)",
                             "sum((d-d)^2)",
                             "sum(m*n,k)",
                             "sum(p*m,k)",
                             "sum(p*m,k,x)",
                             "sum(p*s,k)",
                             "sum(p*s)",
                             "max(p*s,k)",
                             "reduce(p*s,min)",
                             "avg(p/s,l)",
                             "count(p>s,k)",
                             "prod(p*s,l)",
                             "reduce(p*m,max,k,x)",
                             "sum(cell_cast(i,double)*cell_cast(d,double))",
                             "sum(hamming(q,d))"}) {
        EXPECT_EQ(wrong_value(text, inputs), "") << text;
    }
}

// Products that float holds add up in double if the expression says so.
TEST(Contract, AddsInDouble) {
    const std::vector<Values> inputs = {
        {"a", Stage::document, literals({"tensor<float>(x[3]):[10000000,1,-10000000]"})},
        {"b", Stage::document, literals({"tensor<float>(x[3]):[10000000,2,10000000]"})},
    };
    EXPECT_EQ(wrong_value("sum(cell_cast(a,double)*cell_cast(b,double))", inputs), "");
    EXPECT_EQ(wrong_value("sum(map(cell_cast(a,double)-b,f(t)(t*t)))", inputs), "");
}

}  // namespace
}  // namespace tenrex::optimizer::contract_test

#include "tests/optimizer/graph_of.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer::demote_test {
namespace {

Schema schema() {
    Schema schema;
    schema.document("a", "tensor<float>(x[3])").document("i", "tensor<int8>(x[3])");
    schema.document("h", "tensor<bfloat16>(k{})").document("d", "tensor(x[3])").document("v");
    return schema;
}

TEST(Demote, OneOperationOfFloats) {
    EXPECT_EQ(after("demote", "map(a,f(x)(x*2))", schema()), R"(
%0 = input "a" : tensor<float>(x[3]) document
%1 = constant 2 : double constant
%2 = apply * %0 %1 : tensor<float>(x[3]) document
return %2
)");
    EXPECT_EQ(after("demote", "join(a,i,f(x,y)(x*y))", schema()), R"(
%0 = input "a" : tensor<float>(x[3]) document
%1 = input "i" : tensor<int8>(x[3]) document
%2 = apply * %0 %1 : tensor<float>(x[3]) document
return %2
)");
    for (const char *text : {"map(h,f(x)(1-x))", "map(a,f(x)(exp(x)))", "map(a,f(x)(x>0.5))", "map(a,f(x)(max(x,0)))",
                             "map(i,f(x)(x/3))"}) {
        EXPECT_TRUE(changes("demote", text, schema())) << text;
    }
}

// A peek gives doubles, also at cells that are not.
TEST(Demote, Peeks) {
    Schema rows;
    rows.document("r", "tensor<float>(n[9],x[3])").document("p", "tensor(t[4])");
    EXPECT_EQ(after("demote", "tensor<float>(t[4],x[3])(r{n:(p{t:(t)}),x:(x)})", rows), R"(
%0 = input "r" : tensor<float>(n[9],x[3]) document
%1 = input "p" : tensor(t[4]) document
%2 = rename (t) (_f0) %1 : tensor(_f0[4]) document
%3 = peek {n:(operand 1)} %0 %2 : tensor<float>(_f0[4],x[3]) document
%4 = rename (_f0) (t) %3 : tensor<float>(t[4],x[3]) document
return %4
)");
    EXPECT_EQ(after("demote", "tensor<float>(t[4],x[3])(r{n:(p{t:(t)}),x:(x)}*2)", rows), R"(
%0 = input "r" : tensor<float>(n[9],x[3]) document
%1 = input "p" : tensor(t[4]) document
%2 = constant 2 : double constant
%3 = rename (t) (_f0) %1 : tensor(_f0[4]) document
%4 = peek {n:(operand 1)} %0 %3 : tensor<float>(_f0[4],x[3]) document
%5 = apply * %4 %2 : tensor<float>(_f0[4],x[3]) document
%6 = rename (_f0) (t) %5 : tensor<float>(t[4],x[3]) document
return %6
)");
    EXPECT_FALSE(changes("demote", "tensor<float>(t[4],x[3])(r{n:(p{t:(t)}),x:(x)}*0.1)", rows));
}

TEST(Demote, ChoicesAndSignsOfWhatIsDemoted) {
    EXPECT_EQ(after("demote", "map(a,f(x)(if(x>0&&x!=3,x*2,-x)))", schema()), R"(
%0 = input "a" : tensor<float>(x[3]) document
%1 = constant 0 : double constant
%2 = constant 3 : double constant
%3 = constant 2 : double constant
%4 = apply > %0 %1 : tensor<float>(x[3]) document
%5 = apply != %0 %2 : tensor<float>(x[3]) document
%6 = apply && %4 %5 : tensor<float>(x[3]) document
%7 = apply * %0 %3 : tensor<float>(x[3]) document
%8 = apply - %0 : tensor<float>(x[3]) document
%9 = select %6 %7 %8 : tensor<float>(x[3]) document
return %9
)");
    // What needs double is computed in double and rounded before the choice.
    EXPECT_EQ(after("demote", "map(a,f(x)(if(x>0,x,x*0.1)))", schema()), R"(
%0 = input "a" : tensor<float>(x[3]) document
%1 = cast %0 : tensor(x[3]) document
%2 = constant 0 : double constant
%3 = constant 0.1 : double constant
%4 = apply * %1 %3 : tensor(x[3]) document
%5 = apply > %0 %2 : tensor<float>(x[3]) document
%6 = cast %4 : tensor<float>(x[3]) document
%7 = select %5 %0 %6 : tensor<float>(x[3]) document
return %7
)");
    for (const char *text : {"map(a,f(x)(abs(x/3)))", "map(a,f(x)(-abs(x-1)))", "map(a,f(x)(if(!isNan(x),exp(x),0)))",
                             "map(a,f(x)(if(x,1,x/3)))"}) {
        EXPECT_TRUE(changes("demote", text, schema())) << text;
    }
}

TEST(Demote, AFloatThatIsWidenedAndRoundedIsItself) {
    EXPECT_EQ(after("demote", "cell_cast(cell_cast(a,double),float)", schema()), R"(
%0 = input "a" : tensor<float>(x[3]) document
return %0
)");
    // What was int8 before is widened once.
    EXPECT_EQ(after("demote", "cell_cast(cell_cast(i,double),float)", schema()), R"(
%0 = input "i" : tensor<int8>(x[3]) document
%1 = cast %0 : tensor<float>(x[3]) document
return %1
)");
    EXPECT_EQ(after("demote", "cell_cast(cell_cast(i,double),int8)", schema()), R"(
%0 = input "i" : tensor<int8>(x[3]) document
return %0
)");
    // But not what is int8 in between, nor what loses digits.
    EXPECT_FALSE(changes("demote", "cell_cast(cell_cast(a,int8),float)", schema()));
    EXPECT_FALSE(changes("demote", "cell_cast(cell_cast(a,double),int8)", schema()));
}

TEST(Demote, MovesCellsBeforeTheyAreWidened) {
    EXPECT_EQ(after("demote", "cell_cast(filter_subspaces(cell_cast(h,double),f(t)(t>1))*2,float)", schema()), R"(
%0 = input "h" : tensor<bfloat16>(k{}) document
%1 = cast %0 : tensor(k{}) document
%2 = constant 1 : double constant
%3 = constant 2 : double constant
%4 = apply > %1 %2 : tensor(k{}) document
%5 = filter %0 %4 : tensor<bfloat16>(k{}) document
%6 = apply * %5 %3 : tensor<float>(k{}) document
return %6
)");
}

TEST(Demote, LeavesWhatWouldDiffer) {
    // 0.1 is no float; a second operation would see the first rounded; powers and remainders are not the same in float;
    // what comes from doubles, a document's number among them, has more digits.
    for (const char *text :
         {"map(a,f(x)(x*0.1))", "map(a,f(x)(x*2+1))", "map(a,f(x)(pow(x,2.5)))", "map(a,f(x)(fmod(x,3)))",
          "map(d,f(x)(x*2))", "cell_cast(d*2,float)", "map(a,f(x)(sin(x)))",
          "cell_cast(map(cell_cast(a,double),f(x)(x*2)),bfloat16)", "a*2",
          "cell_cast(if(v>1,cell_cast(a,double),d),float)", "map(a,f(x)(if(x==0.1,x,1)))", "map(a,f(x)(if(x*3>1,x,1)))",
          "map(a,f(x)(if(x>0,x,1)+1))", "map(a,f(x)(if(x>0,x*0.1,x*0.3)))", "map(a,f(x)(abs(x*0.1)))",
          "map(a,f(x)(if(1e-60,x,x+1)))"}) {
        EXPECT_FALSE(changes("demote", text, schema())) << text;
    }
    // An order beside 0.1 is one beside a float.
    EXPECT_TRUE(changes("demote", "map(a,f(x)(if(x>0.1,x,1)))", schema()));
}

TEST(Demote, RoundsOnce) {
    // Quotients, sums and roots that a careless second rounding would miss, to the bit.
    const Values floats{"a", Stage::document,
                        literals({"tensor<float>(x[8]):[16777217,0.33333334,3e38,1e-45,-0.0,inf,nan,1.00000012]",
                                  "tensor<float>(x[8]):[8388609,5,1.1754942e-38,3e-45,-inf,7,0.1,16777215]"})};
    for (const char *text :
         {"map(a,f(x)(x/3))", "map(a,f(x)(x+16777216))", "map(a,f(x)(sqrt(x)))", "map(a,f(x)(x*x))",
          "map(a,f(x)(x-0.5))", "map(a,f(x)(max(x,0)))", "map(a,f(x)(min(0,x)))", "map(a,f(x)(x>=0.5))",
          "map(a,f(x)(isNan(x)))", "map(a,f(x)(!x))", "map(a,f(x)(relu(x)))", "map(a,f(x)(if(x>0,x/3,-x)))",
          "map(a,f(x)(if(x>0,if(x>5,x,0.1),-x)))", "map(a,f(x)(if(x>0,0.1,if(x<-1,x,0.3))))",
          "map(a,f(x)(if(x,-abs(x/3),x*0.1)))", "map(a,f(x)(if(x==x&&!(x<1),x+16777216,1/x)))"}) {
        EXPECT_EQ(wrong_value(text, {floats}, Agreement::exact), "") << text;
    }
}

}  // namespace
}  // namespace tenrex::optimizer::demote_test

// rename, peek, cell_cast and cell_order.
#include "tests/reference/evaluation.h"

#include <gtest/gtest.h>

namespace tenrex {
namespace {

TEST(Rename, LaysCellsOutAnew) {
    const Literals inputs = {{"t", "tensor(x[2],y[3]):[[1,2,3],[4,5,6]]"},
                             {"m", "tensor(k{},x[2]):{a:[1,2],b:[3,4]}"},
                             {"s", "tensor(a{},b{}):{u:{v:1,w:2}}"}};
    EXPECT_TRUE(gives("rename(t,x,z)", inputs, "tensor(y[3],z[2]):[[1,4],[2,5],[3,6]]"));
    EXPECT_TRUE(gives("rename(t,y,z)", inputs, "tensor(x[2],z[3]):[[1,2,3],[4,5,6]]"));
    EXPECT_TRUE(gives("rename(t,(x,y),(y,x))", inputs, "tensor(x[3],y[2]):[[1,4],[2,5],[3,6]]"));
    EXPECT_TRUE(gives("rename(t,x,x)", inputs, "tensor(x[2],y[3]):[[1,2,3],[4,5,6]]"));
    EXPECT_TRUE(gives("rename(m,k,z)", inputs, "tensor(x[2],z{}):{{x:0,z:a}:1,{x:1,z:a}:2,{x:0,z:b}:3,{x:1,z:b}:4}"));
    EXPECT_TRUE(gives("rename(s,(a,b),(b,a))", inputs, "tensor(a{},b{}):{v:{u:1},w:{u:2}}"));
    EXPECT_TRUE(gives("rename(s,a,c)", inputs, "tensor(b{},c{}):{v:{u:1},w:{u:2}}"));
    EXPECT_TRUE(gives("rename(t,(x),(X))", inputs, "tensor(X[2],y[3]):[[1,2,3],[4,5,6]]"));
    EXPECT_TRUE(gives("rename(t,(x,y),(x10,x9))", inputs, "tensor(x10[2],x9[3]):[[1,2,3],[4,5,6]]"));
    EXPECT_TRUE(gives("rename(t,k,q)", {{"t", "tensor<int8>(k{}):{}"}}, "tensor<int8>(q{}):{}"));
    EXPECT_TRUE(fails("rename(t,q,r)", inputs, "'q'"));
    EXPECT_TRUE(fails("rename(t,x,y)", inputs, "'y'"));
    EXPECT_TRUE(fails("rename(t,(x,y),(z,z))", inputs, "'z'"));
}

const Literals peeked = {{"v", "tensor(x[3]):[1,2,3]"},
                         {"m", "tensor(x[2],y[2]):[[1,2],[3,4]]"},
                         {"s", "tensor(k{}):{a:1,'7':2,'-3':3,'0':4,'00':5}"},
                         {"sm", "tensor(k{},m{}):{{k:a,m:u}:1,{k:a,m:w}:2,{k:b,m:u}:3}"},
                         {"mixed", "tensor(k{},x[2]):{a:[1,2],b:[3,4]}"},
                         {"i", "tensor<int8>(x[2]):[5,6]"},
                         {"n", "1"},
                         {"nan", "nan"}};

TEST(Peek, Hits) {
    EXPECT_TRUE(gives("v{x:1}", peeked, "2"));
    EXPECT_TRUE(gives("v{x:(n+1)}", peeked, "3"));
    EXPECT_TRUE(gives("v{x:(n+0.9)}", peeked, "2"));
    EXPECT_TRUE(gives("v{x:(n-1.5)}", peeked, "1"));
    EXPECT_TRUE(gives("m{x:1}", peeked, "tensor(y[2]):[3,4]"));
    EXPECT_TRUE(gives("m{y:1}", peeked, "tensor(x[2]):[2,4]"));
    EXPECT_TRUE(gives("m{y:0,x:1}", peeked, "3"));
    EXPECT_TRUE(gives("s{k:a}", peeked, "1"));
    EXPECT_TRUE(gives("s{k:'a'}", peeked, "1"));
    EXPECT_TRUE(gives("s{k:(n+6)}", peeked, "2"));
    EXPECT_TRUE(gives("s{k:(n-4.5)}", peeked, "3"));
    EXPECT_TRUE(gives("s{k:(n-1.5)}", peeked, "4"));
    EXPECT_TRUE(gives("s{k:00}", peeked, "5"));
    EXPECT_TRUE(gives("s{k:(2.7-2.5)}", peeked, "4"));
    EXPECT_TRUE(gives("sm{k:a}", peeked, "tensor(m{}):{u:1,w:2}"));
    EXPECT_TRUE(gives("sm{m:u}", peeked, "tensor(k{}):{a:1,b:3}"));
    EXPECT_TRUE(gives("sm{m:w,k:a}", peeked, "2"));
    EXPECT_TRUE(gives("mixed{k:b}", peeked, "tensor(x[2]):[3,4]"));
    EXPECT_TRUE(gives("mixed{x:1}", peeked, "tensor(k{}):{a:2,b:4}"));
    EXPECT_TRUE(gives("mixed{x:(n),k:b}", peeked, "4"));
    EXPECT_TRUE(gives("i{x:1}/4", peeked, "1.5"));
    EXPECT_TRUE(gives("-v{x:1}", peeked, "-2"));
    EXPECT_TRUE(gives("v{x:(v{x:(v{x:0})})}", peeked, "3"));
}

TEST(Peek, Misses) {
    EXPECT_TRUE(gives("v{x:(n+2)}", peeked, "0"));
    EXPECT_TRUE(gives("v{x:(n-2)}", peeked, "0"));
    EXPECT_TRUE(gives("v{x:(n*1e30)}", peeked, "0"));
    EXPECT_TRUE(gives("v{x:(n*-1e30)}", peeked, "0"));
    EXPECT_TRUE(gives("v{x:(n/0)}", peeked, "0"));
    EXPECT_TRUE(gives("v{x:(nan)}", peeked, "0"));
    EXPECT_TRUE(gives("m{x:(n+1)}", peeked, "tensor(y[2]):[0,0]"));
    EXPECT_TRUE(gives("s{k:zzz}", peeked, "0"));
    EXPECT_TRUE(gives("s{k:(nan)}", peeked, "0"));
    EXPECT_TRUE(gives("s{k:(n*1e30)}", peeked, "0"));
    EXPECT_TRUE(gives("s{k:(n*9223372036854775808)}", peeked, "0"));
    EXPECT_TRUE(gives("s{k:(n+1e3)}", peeked, "0"));
    EXPECT_TRUE(gives("sm{k:zzz}", peeked, "tensor(m{}):{}"));
    EXPECT_TRUE(gives("sm{k:b,m:w}", peeked, "0"));
    EXPECT_TRUE(gives("mixed{k:zzz}", peeked, "tensor(x[2]):[0,0]"));
    EXPECT_TRUE(gives("mixed{x:(n+1)}", peeked, "tensor(k{}):{}"));
    EXPECT_TRUE(gives("mixed{k:a,x:(n+1)}", peeked, "0"));
    EXPECT_TRUE(gives("t{k:a}", {{"t", "tensor(k{},x[2]):{}"}}, "tensor(x[2]):[0,0]"));
}

TEST(Peek, ConstantIndexMustExist) {
    EXPECT_TRUE(fails("v{x:3}", peeked, "3"));
    EXPECT_TRUE(fails("v{x:(3)}", peeked, "3"));
    EXPECT_TRUE(fails("v{x:(1e30)}", peeked, "1"));
    EXPECT_TRUE(fails("v{y:0}", peeked, "y"));
    EXPECT_TRUE(gives("v{x:(2.7)}", peeked, "3"));
    EXPECT_TRUE(gives("v{x:(-0.5)}", peeked, "1"));
}

TEST(Peek, OfWhatIsMadeInPlace) {
    EXPECT_TRUE(gives("tensor(x[2]):[4,5]{x:1}", "5"));
    EXPECT_TRUE(gives("tensor(x[3])(x*x){x:2}", "4"));
    EXPECT_TRUE(gives("v{x:0,x:2}", peeked, "1"));
}

TEST(CellCast, Converts) {
    const Literals inputs = {{"t", "tensor(x[6]):[1.7,-1.7,0.1,257,nan,1e300]"}, {"i", "tensor<int8>(k{}):{a:-5}"}};
    EXPECT_TRUE(gives("cell_cast(t,float)", inputs, "tensor<float>(x[6]):[1.7,-1.7,0.1,257,nan,inf]"));
    EXPECT_TRUE(gives("cell_cast(t,bfloat16)", inputs,
                      "tensor<bfloat16>(x[6]):[1.6953125,-1.6953125,0.099609375,256,nan,inf]"));
    EXPECT_TRUE(gives("cell_cast(t,int8)", inputs, "tensor<int8>(x[6]):[1,-1,0,1,0,-1]"));
    EXPECT_TRUE(gives("cell_cast(t,double)", inputs, "tensor(x[6]):[1.7,-1.7,0.1,257,nan,1e300]"));
    EXPECT_TRUE(gives("cell_cast(i,double)", inputs, "tensor(k{}):{a:-5}"));
    EXPECT_TRUE(gives("cell_cast(5,double)", "5"));
    EXPECT_TRUE(fails("cell_cast(5,float)", {}, "double"));
    EXPECT_TRUE(gives("(cell_cast(p,double)*2)+p", {{"p", "tensor(x[2]):[1,2]"}}, "tensor(x[2]):[3,6]"));
}

TEST(CellOrder, RanksAllCells) {
    EXPECT_TRUE(gives("cell_order(t,max)", {{"t", "tensor(x[4]):[3,9,-1,4]"}}, "tensor(x[4]):[2,0,3,1]"));
    EXPECT_TRUE(gives("cell_order(t,min)", {{"t", "tensor(x[4]):[3,9,-1,4]"}}, "tensor(x[4]):[1,3,0,2]"));
    EXPECT_TRUE(gives("cell_order(t,max)", {{"t", "tensor<int8>(k{},x[2]):{a:[1,5],b:[3,2]}"}},
                      "tensor<float>(k{},x[2]):{a:[3,0],b:[1,2]}"));
    EXPECT_TRUE(gives("cell_order(t,max)", {{"t", "tensor(k{}):{}"}}, "tensor(k{}):{}"));
    EXPECT_TRUE(gives("cell_order(t,max)", {{"t", "tensor(x[5]):[nan,inf,-inf,nan,0]"}}, "tensor(x[5]):[3,0,2,4,1]"));
    EXPECT_TRUE(gives("cell_order(t,min)", {{"t", "tensor(x[5]):[nan,inf,-inf,nan,0]"}}, "tensor(x[5]):[3,2,0,4,1]"));
}

TEST(CellOrder, TiesFollowTheAddressNotTheOrderOfTheBlocks) {
    EXPECT_TRUE(gives("cell_order(t,max)", {{"t", "tensor(x[4]):[1,2,1,2]"}}, "tensor(x[4]):[2,0,3,1]"));
    EXPECT_TRUE(gives("cell_order(t,min)", {{"t", "tensor(x[4]):[1,2,1,2]"}}, "tensor(x[4]):[0,2,1,3]"));
    for (const char *t : {"tensor(k{}):{a:1,b:1,c:1}", "tensor(k{}):{c:1,a:1,b:1}"}) {
        EXPECT_TRUE(gives("cell_order(t,max)", {{"t", t}}, "tensor(k{}):{a:0,b:1,c:2}"));
    }
    EXPECT_TRUE(gives("cell_order(t,max)", {{"t", "tensor(k{},m{}):{b:{a:1},a:{b:1,a:1}}"}},
                      "tensor(k{},m{}):{a:{a:0,b:1},b:{a:2}}"));
}

TEST(CellOrder, IsExactBeyondFloat) {
    // In float all these cells would be equal.
    EXPECT_TRUE(
        gives("cell_order(t,max)", {{"t", "tensor(x[3]):[16777216.1,16777216.3,16777216.2]"}}, "tensor(x[3]):[2,0,1]"));
}

}  // namespace
}  // namespace tenrex

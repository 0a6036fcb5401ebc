// How literals and peeks are printed.
#include <gtest/gtest.h>

#include "tests/syntax/printing.h"

namespace tenrex::syntax::tensor_printing_test {
namespace {

class TensorPrinting : public testing::TestWithParam<Row> {};

TEST_P(TensorPrinting, IsCanonicalAndParsesBack) {
    const Row &row = GetParam();
    EXPECT_EQ(printed(Dialect::core, row.text), row.core) << row.text;
    EXPECT_EQ(printed(Dialect::java, row.text), row.java != nullptr ? row.java : row.core) << row.text;
}

const Row literals[] = {
    {"tensor(x[3]):[1,2,3]", "tensor(x[3]):[1,2,3]"},
    {"tensor < float > ( x [ 2 ] ) : [ 1 , 2 ]", "tensor<float>(x[2]):[1,2]"},
    {"tensor<double>(x[2]):[1,2]", "tensor(x[2]):[1,2]"},
    {"tensor(y[1],x[2]):[[1,2]]", "tensor(y[1],x[2]):[[1,2]]"},
    {"tensor(x[2]):[]", "tensor(x[2]):[]"},
    {"tensor(x[2]):[a+b,if(a<b,a,b)]", "tensor(x[2]):[a+b,if(a<b,a,b)]"},
    {"tensor(x{}):{a:1,b:2}", "tensor(x{}):{a:1,b:2}"},
    {"tensor( x { } ) : { a : 1 , 'b c' : 2 }", "tensor(x{}):{a:1,\"b c\":2}"},
    {"tensor(x{}):{}", "tensor(x{}):{}"},
    {"tensor(x{}):{ }", "tensor(x{}):{}"},
    {"tensor(y[2],x{}):{}", "tensor(y[2],x{}):{}"},
    {"tensor(x{}):{key.1:1,a-b:2,ünï:3,-1:4,(q):5,\"x:y\":6}",
     "tensor(x{}):{\"key.1\":1,\"a-b\":2,\"ünï\":3,\"-1\":4,\"(q)\":5,\"x:y\":6}"},
    {"tensor(x{}):{a:1,a:2}", "tensor(x{}):{a:1,a:2}"},
    {"tensor(x{}):{00:1,true:2,in:3}", "tensor(x{}):{00:1,true:2,in:3}"},
    {"tensor(k{},x[2]):{a:[1,2],b:[3]}", "tensor(k{},x[2]):{a:[1,2],b:[3]}"},
    {"tensor(a{},b{},x[2]):{a1:{b1:[1,2]}}", "tensor(a{},b{},x[2]):{a1:{b1:[1,2]}}"},
    {"tensor(a{},b{}):{a1:{}}", "tensor(a{},b{}):{a1:{}}"},
    {"tensor(x[2],y{}):[{a:1},{b:2}]", "tensor(x[2],y{}):[{a:1},{b:2}]"},
    {"tensor(x[1],y{}):[{}]", "tensor(x[1],y{}):[{}]"},
    {"tensor(x{}):{{x:a}:1,{x:\"b c\"}:2}", "tensor(x{}):{{x:a}:1,{x:\"b c\"}:2}"},
    {"tensor(x{},y[2]):{ {x:a,y:0}:-1 , { y : 01 , x : b } : 2 }", "tensor(x{},y[2]):{{x:a,y:0}:-1,{y:01,x:b}:2}"},
    {"tensor(x{}):{{x:a,x:b}:1}", "tensor(x{}):{{x:a,x:b}:1}"},
    {"tensor(x[2]):{{x:1}:5}", "tensor(x[2]):{{x:1}:5}"},
    {"tensor():{{}:1}", "tensor():{{}:1}"},
    {"tensor(x[2])(x+1)", "tensor(x[2])(x+1)"},
    {"tensor<int8> ( x[2] , y[3] ) ( x*y+a )", "tensor<int8>(x[2],y[3])(x*y+a)"},
    {"tensor(in[2],f[1])(in+f)", "tensor(in[2],f[1])(in+f)"},
    {"-tensor(x[2]):[1,2]", "-tensor(x[2]):[1,2]"},
    {"tensor(x[2]):[1,2]{x:1}", "tensor(x[2]):[1,2]{x:1}"},
    {"(tensor(x[2]):[1,2]){x:1}", "tensor(x[2]):[1,2]{x:1}"},
    {"tensor(x[2])(x){x:1}+1", "tensor(x[2])(x){x:1}+1"},
    {"tensor(x{}):{#a:1}", "tensor(x{}):{\"#a\":1}"},
    {"tensor(x{}):{ # first\n a:1}", "tensor(x{}):{a:1}"},
    {"tensor(x{}):{a#b:1}", "tensor(x{}):{\"a#b\":1}"},
};

const Row peeks[] = {
    {"t{x:1}", "t{x:1}"},
    {"t { x : 1 }", "t{x:1}"},
    {"t{x:a}", "t{x:a}"},
    {"t{x:\"a\"}", "t{x:a}"},
    {"t{x:'a b'}", "t{x:\"a b\"}"},
    {"t{x:\"i+1\"}", "t{x:\"i+1\"}"},
    {"t{x:(i)}", "t{x:(i)}"},
    {"t{x:((i))}", "t{x:(i)}"},
    {"t{x:(i+1),y:(j)}", "t{x:(i+1),y:(j)}"},
    {"t{x:(i)+1}", "t{x:(i+1)}"},
    {"t{x:i+1}", "t{x:i+1}"},
    {"t{x:i + 1}", "t{x:(i+1)}"},
    {"t{x:-i}", "t{x:-i}"},
    {"t{x:-1}", "t{x:-1}"},
    {"t{x:max(i,1)}", "t{x:(max(i,1))}"},
    {"t{x:max(i,1),y:a}", "t{x:(max(i,1)),y:a}"},
    {"t{x:attribute(a)}", "t{x:attribute(a)}"},
    {"t{x:attribute(a,b)}", "t{x:(attribute(a,b))}"},
    {"t{x:a{y:0}}", "t{x:(a{y:0})}"},
    {"t{x:a-b,y:c}", "t{x:a-b,y:c}"},
    {"t{x:key.1}", "t{x:key.1}"},
    {"t{x:a+}", "t{x:\"a+\"}"},
    {"t{x:f(,y:a}", "t{x:\"f(\",y:a}"},
    {"t{x:00}", "t{x:00}"},
    {"t{x:1e30}", "t{x:1e30}"},
    {"t{x:(1e30)}", "t{x:(1e+30)}"},
    {"t{x:#a}", "t{x:\"#a\"}"},
    {"t{x: # comment\n a}", "t{x:a}"},
    {"t{x:a # comment\n}", "t{x:a}"},
    {"t{x:0}{y:1}[2]", "t{x:0}{y:1}[2]"},
    {"t{a}", "t{a}"},
    {"t{ a }", "t{a}"},
    {"t{\"c d\"}", "t{\"c d\"}"},
    {"t{7}", "t{7}"},
    {"t{(i)}", "t{(i)}"},
    {"t{i+1}", "t{i+1}"},
    {"t[1]", "t[1]"},
    {"t [ i + 1 ]", "t[i+1]"},
    {"t[(i)]", "t[i]"},
    {"t[u[v[0]]]", "t[u[v[0]]]"},
    {"-t{x:0}", "-t{x:0}"},
    {"(-t){x:0}", "-t{x:0}"},
    {"-(t{x:0})", "-(t{x:0})"},
    {"-t[1]", "-t[1]"},
    {"!(t[1])", "!(t[1])"},
    {"(a+b){x:0}", "(a+b){x:0}"},
    {"a+b{x:0}", "a+b{x:0}"},
    {"2{x:0}", "2{x:0}"},
    {"sqrt(t){x:0}", "sqrt(t){x:0}"},
    {"t{x:1,x:2}", "t{x:1,x:2}"},
    {"t{in:max}", "t{in:max}"},
};

INSTANTIATE_TEST_SUITE_P(Literals, TensorPrinting, testing::ValuesIn(literals));
INSTANTIATE_TEST_SUITE_P(Peeks, TensorPrinting, testing::ValuesIn(peeks));

}  // namespace
}  // namespace tenrex::syntax::tensor_printing_test

// What expressions become: surface forms expand into primitives, shared nodes are written "%n:" where they first occur.
#include <gtest/gtest.h>

#include "tests/sema/checking.h"

namespace tenrex::sema::core_test {
namespace {

struct Case {
    const char *text;
    const char *core;
};

void PrintTo(const Case &c, std::ostream *out) {
    *out << c.text;
}

class Core : public testing::TestWithParam<Case> {};

TEST_P(Core, IsAsWritten) {
    EXPECT_EQ(core_of(GetParam().text), GetParam().core) << GetParam().text;
}

constexpr Case scalar_cases[] = {
    {"1+2*3", "1+(2*3)"},
    {"s+r+1", "(s+r)+1"},
    {"s-(r-1)", "s-(r-1)"},
    {"2^3^4", "2^(3^4)"},
    {"-s", "-s"},
    {"-s^2", "-s^2"},
    {"!s==r", "!s==r"},
    {"s && r || 1", "(s&&r)||1"},
    {"atan2(s,r+1)", "atan2(s,r+1)"},
    {"exp(-s)", "exp(-s)"},
    {"s in [1,-2,3.5]", "s in [1,-2,3.5]"},
    {"s+1 in [1]", "(s+1) in [1]"},
    {"s in []", "s in []"},
    {"(s in [1]) + 1", "(s in [1])+1"},
    {"if(s,r,1)", "if(s,r,1)"},
    {"if(s,r,1,0.25)", "if(s,r,1,0.25)"},
    {"if(v,1,2)", "if(reduce(v,sum,x),1,2)"},
    {"if(d,1,2)", "if(reduce(d,sum,x,y),1,2)"},
    {"query( q )", "query(q)"},
    {"$q", "query(q)"},
    {"attribute( tags , key ).weight", "attribute(tags,key).weight"},
    {"constant(c)+constant(c)", "constant(c)+constant(c)"},
    {"twice(s)+mix(r,1)", "twice(s)+mix(r,1)"},
    {"clamp(s,0,1)", "clamp(s,0,1)"},
    {"min(s,r)", "min(s,r)"},
    {"true+false", "1+0"},
};
INSTANTIATE_TEST_SUITE_P(Scalars, Core, testing::ValuesIn(scalar_cases));

constexpr Case primitive_cases[] = {
    {"map(v,f(x)(x+1))", "map(v,f(a)(a+1))"},
    {"map(v,f(x)(if(x>0,twice(x),mix(x,2)) in [1]))", "map(v,f(a)(if(a>0,twice(a),mix(a,2)) in [1]))"},
    {"join(v,vf,f(x,y)(x-y))", "join(v,vf,f(a,b)(a-b))"},
    {"merge(m,mi,f(x,y)(y))", "merge(m,mi,f(a,b)(b))"},
    {"reduce(d,sum,y)", "reduce(d,sum,y)"},
    {"reduce(d,sum,y,x)", "reduce(d,sum,x,y)"},
    {"reduce(d,max)", "reduce(d,max,x,y)"},
    {"reduce(s,max)", "reduce(s,max)"},
    {"rename(d,x,z)", "rename(d,x,z)"},
    {"rename(d,(x,y),(y,x))", "rename(d,(x,y),(y,x))"},
    {"concat(v,w,x)", "concat(v,w,x)"},
    {"concat(v,1,y)", "concat(v,1,y)"},
    {"cell_cast(v,float)", "cell_cast(v,float)"},
    {"cell_cast(s,double)", "cell_cast(s,double)"},
    {"cell_order(v,max)", "cell_order(v,max)"},
    {"cell_order(v,min)", "cell_order(v,min)"},
    {"map_subspaces(k,f(t)(t*2))", "map_subspaces(k,f(a)(a*2))"},
    {"map_subspaces(k,f(t)(tensor(z[2])(t{y:(z)})))", "map_subspaces(k,f(a)(tensor(z[2])(a{y:(z)})))"},
    {"filter_subspaces(k,f(t)(t>1))", "filter_subspaces(k,f(a)(reduce(a>1,sum,y)))"},
    {"filter_subspaces(m,f(t)(t))", "filter_subspaces(m,f(a)(a))"},
};

constexpr Case create_cases[] = {
    {"tensor(y[2],x[3])(x+10*y+s)", "tensor(y[2],x[3])((x+(10*y))+s)"},
    {"tensor(x[2])(reduce(tensor(x[3])(x),sum)+x)", "tensor(x[2])(reduce(tensor(x[3])(x'),sum,x)+x)"},
    {"tensor<float>(x[3]):[1,s]", "tensor<float>(x[3]):{{x:0}:1,{x:1}:s}"},
    {"tensor(y[2],x[2]):[[1,2],[3]]", "tensor(x[2],y[2]):{{x:0,y:0}:1,{x:1,y:0}:2,{x:0,y:1}:3}"},
    {"tensor(x{}):{a:1,'b c':s}", "tensor(x{}):{{x:a}:1,{x:b c}:s}"},
    {"tensor(k{},x[2]):{a:[1,2],b:[3,4]}", "tensor(k{},x[2]):{{k:a,x:0}:1,{k:a,x:1}:2,{k:b,x:0}:3,{k:b,x:1}:4}"},
    {"tensor(x[2],k{}):[{a:1},{b:2}]", "tensor(k{},x[2]):{{k:a,x:0}:1,{k:b,x:1}:2}"},
    {"tensor(b{},a{}):{p:{q:1},r:{q:2}}", "tensor(a{},b{}):{{a:q,b:p}:1,{a:q,b:r}:2}"},
    {"tensor(x{},y[2]):{{y:1,x:a}:s,{x:b,y:0}:2}", "tensor(x{},y[2]):{{x:a,y:1}:s,{x:b,y:0}:2}"},
    {"tensor(x{}):{}", "tensor(x{}):{}"},
    {"tensor(x[2]):[]", "tensor(x[2]):{}"},
    {"tensor(x[1],y{}):[{}]", "tensor(x[1],y{}):{}"},
    {"tensor(x{},y[2]):{a:[],b:[1]}", "tensor(x{},y[2]):{{x:b,y:0}:1}"},
    // The first cell of an address counts, cell by cell.
    {"tensor(x{}):{a:1,a:2,b:3}", "tensor(x{}):{{x:a}:1,{x:b}:3}"},
    {"tensor(x{},y[2]):{a:[1],a:[2,3]}", "tensor(x{},y[2]):{{x:a,y:0}:1,{x:a,y:1}:3}"},
    {"tensor(x[2]):{{x:0}:1,{x:0}:2}", "tensor(x[2]):{{x:0}:1}"},
    {"tensor(x{}):{{x:a,x:b}:1}", "tensor(x{}):{{x:a}:1}"},
};

constexpr Case peek_cases[] = {
    {"v{x:1}", "v{x:1}"},
    {"v[1]", "v{x:1}"},
    {"v[s+1]", "v{x:(s+1)}"},
    {"v{x:(s)}", "v{x:(s)}"},
    {"v{x:s+1}", "v{x:(s+1)}"},
    {"v{x:1+1}", "v{x:2}"},
    {"v{x:(1+1)}", "v{x:2}"},
    {"v{x:(2.7)}", "v{x:2}"},
    {"v{x:(-0.5)}", "v{x:0}"},
    {"v{x:(if(1 in [1],max(0,1),7))}", "v{x:1}"},
    {"v{x:\"2\"}", "v{x:2}"},
    {"v{x:00}", "v{x:0}"},
    // Only a number that is no index is an error.
    {"v{x:(1+2)}", "v{x:(1+2)}"},
    {"m{x:(2*1e30)}", "m{x:(2*1e+30)}"},
    {"m{x:00}", "m{x:00}"},
    {"m{x:(2.7)}", "m{x:2}"},
    {"m{x:(-3)}", "m{x:-3}"},
    {"m{x:(-0.5)}", "m{x:0}"},
    {"m{a}", "m{x:a}"},
    {"m{\"a b\"}", "m{x:a b}"},
    {"m{x:s}", "m{x:s}"},
    {"m{x:(s)}", "m{x:(s)}"},
    {"k{a}", "k{x:a}"},
    {"k[2]", "k{y:2}"},
    {"k{y:1,x:a}", "k{y:1,x:a}"},
    {"d{x:0}{y:1}", "d{x:0}{y:1}"},
    {"d{x:0,x:1}", "d{x:0}"},
    {"-v{x:0}", "-v{x:0}"},
    {"-(v{x:0})", "-(v{x:0})"},
    {"(v+v){x:0}", "(v+v){x:0}"},
    {"tensor(x[2]):[1,2]{x:1}", "tensor(x[2]):{{x:0}:1,{x:1}:2}{x:1}"},
    {"query(q){x:2}", "query(q){x:2}"},
    {"v{x:(v{x:0})}", "v{x:(v{x:0})}"},
};

constexpr Case surface_cases[] = {
    {"avg(d,x)", "reduce(d,avg,x)"},
    {"count(d)", "reduce(d,count,x,y)"},
    {"max(d)", "reduce(d,max,x,y)"},
    {"max(d,x)", "reduce(d,max,x)"},
    {"max(d,x,y)", "reduce(d,max,x,y)"},
    {"max(d,s)", "max(d,s)"},
    {"min(v+1,x)", "reduce(v+1,min,x)"},
    {"max(max(d,x),max(d,y))", "max(reduce(d,max,x),reduce(d,max,y))"},
    {"median(d,y)", "reduce(d,median,y)"},
    {"prod(d,y)", "reduce(d,prod,y)"},
    {"sum(v*v)", "reduce(v*v,sum,x)"},
    {"matmul(d,e,y)", "reduce(d*e,sum,y)"},
    {"xw_plus_b(d,e,s,y)", "reduce(d*e,sum,y)+s"},
    {"softmax(v,x)", "%1:exp(v)/reduce(%1,sum,x)"},
    {"softmax(v*2,x)", "%1:exp(v*2)/reduce(%1,sum,x)"},
    {"l1_normalize(v,x)", "v/reduce(v,sum,x)"},
    {"l1_normalize(v*2,x)", "%1:(v*2)/reduce(%1,sum,x)"},
    {"l2_normalize(v,x)", "v/sqrt(reduce(square(v),sum,x))"},
    {"cosine_similarity(v,v*2,x)", "reduce(v*%1:(v*2),sum,x)/sqrt(reduce(v*v,sum,x)*reduce(%1*%1,sum,x))"},
    {"euclidean_distance(v,vf,x)", "sqrt(reduce(square(v-vf),sum,x))"},
    {"argmax(v)", "v==reduce(v,max,x)"},
    {"argmax(d,y)", "d==reduce(d,max,y)"},
    {"argmin(v*2,x)", "%1:(v*2)==reduce(%1,min,x)"},
    {"expand(v,z)", "tensor<int8>(z[1])(1)*v"},
    {"range(x[5])", "tensor(x[5])(x)"},
    {"range<int8>(y[2],x[3],z[4])", "tensor<int8>(y[2],x[3],z[4])((y+x)+z)"},
    {"diag(x[3],y[3])", "tensor(x[3],y[3])(x==y)"},
    {"diag<float>(x[3])", "tensor<float>(x[3])(1)"},
    {"diag(x[2],y[2],z[2])", "tensor(x[2],y[2],z[2])((x==y)*(y==z))"},
    {"diag(x[2],y[2],z[2],w[2])", "tensor(x[2],y[2],z[2],w[2])(((x==y)*(y==z))*(z==w))"},
    {"diag()", "1"},
    {"random()", "<double>"},
    {"random(x[3])", "<tensor(x[3])>"},
    {"random<float>(x[3],y[2])", "<tensor<float>(x[3],y[2])>"},
    {"top(3,m)", "m*filter_subspaces(cell_order(m,max)<3,f(a)(a))"},
    {"top(s,mi)", "mi*filter_subspaces(cell_order(mi,max)<s,f(a)(a))"},
    {"unpack_bits(vi)", "map_subspaces(vi,f(a)(tensor<float>(x[24])(bit(a{x:(x/8)},7-(x%8)))))"},
    {"unpack_bits(ki,int8,little)", "map_subspaces(ki,f(a)(tensor<int8>(y[24])(bit(a{y:(y/8)},y%8))))"},
    {"unpack_bits(vi,bfloat16,big)", "map_subspaces(vi,f(a)(tensor<bfloat16>(x[24])(bit(a{x:(x/8)},7-(x%8)))))"},
    {"unpack_bits(tensor<int8>(b[2],a[3])(1),double)",
     "map_subspaces(tensor<int8>(b[2],a[3])(1),f(a)(tensor(a[3],b[16])(bit(a{a:(a'),b:(b/8)},7-(b%8)))))"},
    {"switch(s){case 1: r, default: 2}", "if(s==1,r,2)"},
    {"switch(s+1){case 1: r, case 2: 3, default: 2}", "if(%1:(s+1)==1,r,if(%1==2,3,2))"},
    {"switch(v){case v: 1, default: 2}", "if(reduce(v==v,sum,x),1,2)"},
    {"abs(v)", "abs(v)"},
};

constexpr Case token_cases[] = {
    {"tokenAttentionMask(8,ta)", "tensor<float>(d0[1],d1[8])(if(d1<((1+reduce(ta>0,sum,d0))+1),1,0))"},
    {"tokenTypeIds(8,ta,tb)",
     "tensor<float>(d0[1],d1[8])(if(d1<%1:((1+reduce(ta>0,sum,d0))+1),0,if(d1<((%1+reduce(tb>0,sum,d0))+1),1,0)))"},
    {"tokenInputIds(4*2,ta)",
     "tensor<float>(d0[1],d1[8])(if(d1<1,101,if(d1<%1:(1+reduce(ta>0,sum,d0)),ta{d0:(d1-1)},if(d1<(%1+1),102,0))))"},
    {"customTokenInputIds(s,2,8,ta,tb)",
     "tensor<float>(d0[1],d1[8])(if(d1<1,s,if(d1<%1:(1+reduce(ta>0,sum,d0)),ta{d0:(d1-1)},if(d1<%2:(%1+1),2,"
     "if(d1<%3:(%2+reduce(tb>0,sum,d0)),tb{d0:(d1-%2)},if(d1<(%3+1),2,0))))))"},
};

INSTANTIATE_TEST_SUITE_P(Primitives, Core, testing::ValuesIn(primitive_cases));
INSTANTIATE_TEST_SUITE_P(Creation, Core, testing::ValuesIn(create_cases));
INSTANTIATE_TEST_SUITE_P(Peeks, Core, testing::ValuesIn(peek_cases));
INSTANTIATE_TEST_SUITE_P(Surface, Core, testing::ValuesIn(surface_cases));
INSTANTIATE_TEST_SUITE_P(Tokens, Core, testing::ValuesIn(token_cases));

}  // namespace
}  // namespace tenrex::sema::core_test

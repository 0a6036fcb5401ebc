// What the two dialects make of the same text. The Java dialect's conversions are nodes, so the tree itself means the
// same in both.
#include <gtest/gtest.h>

#include "tests/sema/checking.h"

namespace tenrex::sema {
namespace {

std::string core(std::string_view text) {
    return core_of(text, Dialect::core);
}
std::string java(std::string_view text) {
    return core_of(text, Dialect::java);
}

TEST(Dialect, JoinOfMappedWithIndexed) {
    EXPECT_EQ(core("v*m"),
              "error: 1:2: '*' of tensor(x[3]) and tensor(x{}): dimension 'x' is indexed with size 3 in the "
              "first and mapped in the second (use rename to keep the two apart)");
    EXPECT_EQ(java("v*m"), "to_mapped(v,x)*m");
    EXPECT_EQ(java("m*v"), "m*to_mapped(v,x)");
    EXPECT_EQ(type_of("m*v", Dialect::java), "tensor(x{})");
    EXPECT_EQ(java("join(k,v,f(a,b)(a+b))"), "join(k,to_mapped(v,x),f(a,b)(a+b))");
    EXPECT_EQ(type_of("join(k,v,f(a,b)(a+b))", Dialect::java), "tensor(x{},y[3])");
    EXPECT_EQ(java("mix(v,m)"), "mix(to_mapped(v,x),m)");
    EXPECT_EQ(java("atan2(d,k)"), "atan2(to_mapped(d,x),k)") << "only x: y is indexed on both sides";
    // Both ways at once.
    EXPECT_EQ(java("tensor(x[3],y{}):[{a:1}]+tensor(x{},y[2]):{b:[1]}"),
              "to_mapped(tensor(x[3],y{}):{{x:0,y:a}:1},x)+to_mapped(tensor(x{},y[2]):{{x:b,y:0}:1},y)");
    EXPECT_EQ(type_of("tensor(x[3],y{}):[{a:1}]+tensor(x{},y[2]):{b:[1]}", Dialect::java), "tensor(x{},y{})");
    // A size is a size in both.
    const char *sizes =
        "error: 1:2: '+' of tensor(x[3]) and tensor(x[4]): dimension 'x' has size 3 in the first and 4 in "
        "the second (use rename to keep the two apart)";
    EXPECT_EQ(core("v+w"), sizes);
    EXPECT_EQ(java("v+w"), sizes);
    EXPECT_EQ(java("v*v"), "v*v");
    EXPECT_EQ(java("matmul(v,m,x)"), "reduce(to_mapped(v,x)*m,sum,x)");
}

TEST(Dialect, BranchesOfIf) {
    EXPECT_EQ(
        core("if(s,v,vf)"),
        "error: 1:8: the branches of 'if' have the types tensor(x[3]) and tensor<float>(x[3]): the cells are double "
        "in the first and float in the second (use cell_cast(..., double) on one branch)");
    EXPECT_EQ(java("if(s,v,vf)"), "if(s,v,cell_cast(vf,double))");
    EXPECT_EQ(java("if(s,vi,vb)"), "if(s,cell_cast(vi,float),cell_cast(vb,float))");
    EXPECT_EQ(java("if(s,vf,m)"), "if(s,cell_cast(to_mapped(vf,x),double),m)");
    EXPECT_EQ(type_of("if(s,vf,mi)", Dialect::java), "tensor<float>(x{})");
    EXPECT_EQ(java("if(s,v,v)"), "if(s,v,v)");
    EXPECT_EQ(java("if(s,v,w)"),
              "error: 1:8: the branches of 'if' have the types tensor(x[3]) and tensor(x[4]): dimension "
              "'x' has size 3 in the first and 4 in the second (give both branches the same "
              "dimensions)");
    EXPECT_EQ(java("if(s,v,1)"),
              "error: 1:8: the branches of 'if' have the types tensor(x[3]) and double: only the first "
              "has dimension 'x' (give both branches the same dimensions)");
    EXPECT_EQ(java("switch(s){case 1: vi, case 2: vf, default: m}"),
              "if(s==1,cell_cast(to_mapped(vi,x),double),if(s==2,cell_cast(to_mapped(vf,x),double),m))");
}

TEST(Dialect, ConcatOfUnequalOtherDimensions) {
    EXPECT_EQ(
        core("concat(d,tensor(x[5],y[1])(1),y)"),
        "error: 1:1: 'concat' of tensor(x[2],y[3]) and tensor(x[5],y[1]): dimension 'x' has size 2 in the first and 5 "
        "in the second (use rename to keep the two apart)");
    EXPECT_EQ(java("concat(d,tensor(x[5],y[1])(1),y)"), "concat(d,cut(tensor(x[5],y[1])(1),x,0,2),y)");
    EXPECT_EQ(type_of("concat(d,tensor(x[5],y[1])(1),y)", Dialect::java), "tensor(x[2],y[4])");
    EXPECT_EQ(java("concat(v,w,z)"), "concat(v,cut(w,x,0,3),z)");
    EXPECT_EQ(java("concat(w,v,z)"), "concat(cut(w,x,0,3),v,z)");
    EXPECT_EQ(java("concat(tensor(x[5],y[1])(1),tensor(x[2],y[4])(1),z)"),
              "concat(cut(tensor(x[5],y[1])(1),x,0,2),cut(tensor(x[2],y[4])(1),y,0,1),z)");
    EXPECT_EQ(java("concat(v,w,x)"), "concat(v,w,x)");
    EXPECT_EQ(java("concat(v,m,y)"), core("concat(v,m,y)")) << "mapped with indexed is an error in both";
}

TEST(Dialect, MergeOfUnequalVectors) {
    EXPECT_EQ(
        core("merge(v,w,f(a,b)(a))"),
        "error: 1:1: 'merge' of tensor(x[3]) and tensor(x[4]): dimension 'x' has size 3 in the first and 4 in the "
        "second (merge needs the same dimensions on both sides)");
    EXPECT_EQ(java("merge(v,w,f(a,b)(a))"), "concat(merge(v,cut(w,x,0,3),f(a,b)(a)),cut(w,x,3,4),x)");
    EXPECT_EQ(java("merge(w,vi,f(a,b)(b))"), "concat(merge(cut(w,x,0,3),vi,f(a,b)(b)),cut(w,x,3,4),x)");
    EXPECT_EQ(type_of("merge(vi,tensor<int8>(x[7])(1),f(a,b)(b))", Dialect::java), "tensor<float>(x[7])");
    EXPECT_EQ(java("merge(vi,tensor<int8>(x[5])(1),f(a,b)(b))"),
              "concat(merge(vi,cut(%1:tensor<int8>(x[5])(1),x,0,3),f(a,b)(b)),cell_cast(cut(%1,x,3,5),float),x)");
    EXPECT_EQ(java("merge(v,m,f(a,b)(a))"), "merge(to_mapped(v,x),m,f(a,b)(a))");
    EXPECT_EQ(java("merge(v,v,f(a,b)(a))"), "merge(v,v,f(a,b)(a))");
    EXPECT_EQ(java("merge(v,vf,f(a,b)(a))"), "merge(v,vf,f(a,b)(a))");
}

TEST(Dialect, EntriesOfIn) {
    EXPECT_EQ(java("s in [1,2]"), "s in [1,2]");
    EXPECT_EQ(java("s in [1,1+1]"), "s in [1,2]");
    EXPECT_EQ(java("s in [1,r,r+1]"), "((s in [1])||(s==r))||(s==(r+1))");
    EXPECT_EQ(java("(v+1) in [r]"), "(%1:(v+1) in [])||(%1==r)");
    EXPECT_EQ(java("s in [v]"),
              "error: 1:7: an entry of 'in' must be a number, but this is tensor(x[3]) (reduce it, or take "
              "one cell with {...})");
}

TEST(Dialect, SecondArgumentOfMinAndMaxThatIsDimensionAndSymbol) {
    Schema schema;
    schema.document("t", "tensor(x[3])").document("x");
    for (const Dialect dialect : {Dialect::core, Dialect::java}) {
        const auto checked = check_text("max(t,x)", schema, dialect);
        ASSERT_TRUE(checked);
        const bool is_java = dialect == Dialect::java;
        EXPECT_EQ(to_string(*checked), is_java ? "reduce(t,max,x)" : "max(t,x)");
        ASSERT_EQ(checked->warnings().size(), 1u);
        EXPECT_EQ(checked->warnings()[0].message,
                  is_java ? "'x' is a symbol and a dimension of tensor(x[3]); here it is the dimension"
                          : "'x' is a symbol and a dimension of tensor(x[3]); here it is the symbol");
        EXPECT_EQ(checked->warnings()[0].hint, "write reduce(..., max, x) to reduce");
    }
    EXPECT_EQ(java("tensor(x[2])(max(v,x))"), "tensor(x[2])(reduce(v,max,x))");
    EXPECT_EQ(core("tensor(x[2])(max(v,x))").substr(0, 6), "error:") << "x is the index";
    EXPECT_EQ(core("max(v,x)"), "reduce(v,max,x)");
    EXPECT_EQ(java("max(v,x)"), "reduce(v,max,x)");
}

TEST(Dialect, ReduceOfAMissingDimensionIsAnErrorInBoth) {
    for (const char *text : {"reduce(v,sum,y)", "rename(v,y,z)"}) {
        EXPECT_EQ(java(text), core(text));
        EXPECT_EQ(java(text).substr(0, 6), "error:");
    }
}

TEST(Dialect, PrecedenceIsTheParsers) {
    EXPECT_EQ(core("s*r%2"), "(s*r)%2");
    EXPECT_EQ(java("s*r%2"), "s*(r%2)");
    EXPECT_EQ(core("s<r==1"), "(s<r)==1");
    EXPECT_EQ(java("s<r==1"), "s<(r==1)");
}

}  // namespace
}  // namespace tenrex::sema

// Types that do not fit. Every issue of each text is pinned, with the bytes it points at.
#include "tests/sema/issue_case.h"

namespace tenrex::sema {
namespace {

class TypeErrors : public IssueCases {};

TEST_P(TypeErrors, AreAllReported) {
    expect_all_reported();
}

const Case join_cases[] = {
    {"v+w",
     {"1-2: '+' of tensor(x[3]) and tensor(x[4]): dimension 'x' has size 3 in the first and 4 in the second (use "
      "rename to keep the two apart)"}},
    {"v*m",
     {"1-2: '*' of tensor(x[3]) and tensor(x{}): dimension 'x' is indexed with size 3 in the first and mapped in the "
      "second (use rename to keep the two apart)"}},
    {"m*v",
     {"1-2: '*' of tensor(x{}) and tensor(x[3]): dimension 'x' is mapped in the first and indexed with size 3 in the "
      "second (use rename to keep the two apart)"}},
    {"d+v",
     {"1-2: '+' of tensor(x[2],y[3]) and tensor(x[3]): dimension 'x' has size 2 in the first and 3 in the second (use "
      "rename to keep the two apart)"}},
    {"k+v",
     {"1-2: '+' of tensor<float>(x{},y[3]) and tensor(x[3]): dimension 'x' is mapped in the first and indexed with "
      "size 3 in the second (use rename to keep the two apart)"}},
    {"v==w",
     {"1-3: '==' of tensor(x[3]) and tensor(x[4]): dimension 'x' has size 3 in the first and 4 in the second (use "
      "rename to keep the two apart)"}},
    {"v&&w",
     {"1-3: '&&' of tensor(x[3]) and tensor(x[4]): dimension 'x' has size 3 in the first and 4 in the second (use "
      "rename to keep the two apart)"}},
    {"atan2(v,w)",
     {"0-5: 'atan2' of tensor(x[3]) and tensor(x[4]): dimension 'x' has size 3 in the first and 4 in the second (use "
      "rename to keep the two apart)"}},
    {"hamming(v,w)",
     {"0-7: 'hamming' of tensor(x[3]) and tensor(x[4]): dimension 'x' has size 3 in the first and 4 in the second (use "
      "rename to keep the two apart)"}},
    {"mix(v,w)",
     {"0-3: 'mix' of tensor(x[3]) and tensor(x[4]): dimension 'x' has size 3 in the first and 4 in the second (use "
      "rename to keep the two apart)"}},
    {"join(v,w,f(x,y)(x))",
     {"0-4: 'join' of tensor(x[3]) and tensor(x[4]): dimension 'x' has size 3 in the first and 4 in the second (use "
      "rename to keep the two apart)"}},
    {"join(v,m,f(x,y)(x))",
     {"0-4: 'join' of tensor(x[3]) and tensor(x{}): dimension 'x' is indexed with size 3 in the first and mapped in "
      "the second (use rename to keep the two apart)"}},
    {"d*tensor(x[3],y[4])(1)",
     {"1-2: '*' of tensor(x[2],y[3]) and tensor(x[3],y[4]): dimension 'x' has size 2 in the first and 3 in the second, "
      "dimension 'y' has size 3 in the first and 4 in the second (use rename to keep the two apart)"}},
    {"v^m",
     {"1-2: '^' of tensor(x[3]) and tensor(x{}): dimension 'x' is indexed with size 3 in the first and mapped in the "
      "second (use rename to keep the two apart)"}},
    {"(v+w)*(m+v)",
     {"2-3: '+' of tensor(x[3]) and tensor(x[4]): dimension 'x' has size 3 in the first and 4 in the second (use "
      "rename to keep the two apart)",
      "8-9: '+' of tensor(x{}) and tensor(x[3]): dimension 'x' is mapped in the first and indexed with size 3 in the "
      "second (use rename to keep the two apart)"}},
    {"if(v+w,m+v,1)",
     {"4-5: '+' of tensor(x[3]) and tensor(x[4]): dimension 'x' has size 3 in the first and 4 in the second (use "
      "rename to keep the two apart)",
      "8-9: '+' of tensor(x{}) and tensor(x[3]): dimension 'x' is mapped in the first and indexed with size 3 in the "
      "second (use rename to keep the two apart)"}},
};
INSTANTIATE_TEST_SUITE_P(Join, TypeErrors, testing::ValuesIn(join_cases));

const Case merge_cases[] = {
    {"merge(m,n,f(x,y)(x))",
     {"0-5: 'merge' of tensor(x{}) and tensor(y{}): only the first has dimension 'x', only the second has dimension "
      "'y' (merge needs the same dimensions on both sides; join does not)"}},
    {"merge(v,w,f(x,y)(x))",
     {"0-5: 'merge' of tensor(x[3]) and tensor(x[4]): dimension 'x' has size 3 in the first and 4 in the second (merge "
      "needs the same dimensions on both sides)"}},
    {"merge(v,s,f(x,y)(x))",
     {"0-5: 'merge' of tensor(x[3]) and double: only the first has dimension 'x' (merge needs the same dimensions on "
      "both sides; join does not)"}},
    {"merge(v,m,f(x,y)(x))",
     {"0-5: 'merge' of tensor(x[3]) and tensor(x{}): dimension 'x' is indexed with size 3 in the first and mapped in "
      "the second (merge needs the same dimensions on both sides)"}},
    {"merge(d,v,f(x,y)(x))",
     {"0-5: 'merge' of tensor(x[2],y[3]) and tensor(x[3]): only the first has dimension 'y' (merge needs the same "
      "dimensions on both sides; join does not)"}},
};
INSTANTIATE_TEST_SUITE_P(Merge, TypeErrors, testing::ValuesIn(merge_cases));

const Case surface_cases[] = {
    {"reduce(v,sum,y)", {"13-14: 'reduce': tensor(x[3]) has no dimension 'y' (its dimensions are x)"}},
    {"reduce(s,sum,x)", {"13-14: 'reduce': a double has no dimension 'x'"}},
    {"reduce(d,sum,x,x)", {"15-16: 'reduce': dimension 'x' is named twice"}},
    {"reduce(d,sum,x,z,w)",
     {"15-16: 'reduce': tensor(x[2],y[3]) has no dimension 'z' (its dimensions are x, y)",
      "17-18: 'reduce': tensor(x[2],y[3]) has no dimension 'w' (its dimensions are x, y)"}},
    {"sum(v,y)", {"6-7: 'sum': tensor(x[3]) has no dimension 'y' (its dimensions are x)"}},
    {"avg(d,y,q)", {"8-9: 'avg': tensor(x[2],y[3]) has no dimension 'q' (its dimensions are x, y)"}},
    {"max(d,z)", {"6-7: 'z' is neither a dimension of tensor(x[2],y[3]) nor a known symbol (its dimensions are x, y)"}},
    {"min(v,nosuch)",
     {"6-12: 'nosuch' is neither a dimension of tensor(x[3]) nor a known symbol (its dimensions are x)"}},
    {"max(v,x,z)", {"8-9: 'max': tensor(x[3]) has no dimension 'z' (its dimensions are x)"}},
    {"median(s,x)", {"9-10: 'median': a double has no dimension 'x'"}},
    {"matmul(v,w,x)",
     {"0-6: 'matmul' of tensor(x[3]) and tensor(x[4]): dimension 'x' has size 3 in the first and 4 in the second (use "
      "rename to keep the two apart)"}},
    {"matmul(v,d,z)",
     {"0-6: 'matmul' of tensor(x[3]) and tensor(x[2],y[3]): dimension 'x' has size 3 in the first and 2 in the second "
      "(use rename to keep the two apart)"}},
    {"xw_plus_b(d,e,w,y)",
     {"0-9: 'xw_plus_b' of tensor(x[2],z[4]) and tensor(x[4]): dimension 'x' has size 2 in the first and 4 in the "
      "second (use rename to keep the two apart)"}},
    {"xw_plus_b(d,e,tensor(z[5])(1),y)",
     {"0-9: 'xw_plus_b' of tensor(x[2],z[4]) and tensor(z[5]): dimension 'z' has size 4 in the first and 5 in the "
      "second (use rename to keep the two apart)"}},
    {"softmax(v,y)", {"10-11: 'softmax': tensor(x[3]) has no dimension 'y' (its dimensions are x)"}},
    {"softmax(s,x)", {"10-11: 'softmax': a double has no dimension 'x'"}},
    {"softmax(v+w,x)",
     {"9-10: '+' of tensor(x[3]) and tensor(x[4]): dimension 'x' has size 3 in the first and 4 in the second (use "
      "rename to keep the two apart)"}},
    {"l1_normalize(v,z)", {"15-16: 'l1_normalize': tensor(x[3]) has no dimension 'z' (its dimensions are x)"}},
    {"l2_normalize(m,y)", {"15-16: 'l2_normalize': tensor(x{}) has no dimension 'y' (its dimensions are x)"}},
    {"cosine_similarity(v,w,x)",
     {"22-23: 'cosine_similarity': dimension 'x' has size 3 in the first and 4 in the second (the vectors must have "
      "the same length)"}},
    {"cosine_similarity(m,m,x)",
     {"22-23: 'cosine_similarity': dimension 'x' must be indexed, but it is mapped in tensor(x{}) (labels that only "
      "one side has would not count; write the formula with sum and sqrt instead)"}},
    {"cosine_similarity(v,v,y)",
     {"22-23: 'cosine_similarity': tensor(x[3]) has no dimension 'y' (its dimensions are x)"}},
    {"cosine_similarity(v,m,x)",
     {"22-23: 'cosine_similarity': dimension 'x' must be indexed, but it is mapped in tensor(x{}) (labels that only "
      "one side has would not count; write the formula with sum and sqrt instead)"}},
    {"euclidean_distance(v,w,x)",
     {"23-24: 'euclidean_distance': dimension 'x' has size 3 in the first and 4 in the second (the vectors must have "
      "the same length)"}},
    {"euclidean_distance(d,tensor(x[2],y[4])(1),x)",
     {"0-18: 'euclidean_distance' of tensor(x[2],y[3]) and tensor(x[2],y[4]): dimension 'y' has size 3 in the first "
      "and 4 in the second (use rename to keep the two apart)"}},
    {"argmax(v,y)", {"9-10: 'argmax': tensor(x[3]) has no dimension 'y' (its dimensions are x)"}},
    {"argmin(d,x,x)", {"11-12: 'argmin': dimension 'x' is named twice"}},
    {"expand(v,x)", {"9-10: 'expand': tensor(x[3]) already has a dimension 'x' (choose a name that is new)"}},
    {"expand(m,x)", {"9-10: 'expand': tensor(x{}) already has a dimension 'x' (choose a name that is new)"}},
    {"top(v,m)",
     {"4-5: the first argument of 'top' must be a number, but this is tensor(x[3]) (reduce it, or take one cell with "
      "{...})"}},
    {"top(3,v)",
     {"6-7: 'top' needs a tensor with mapped dimensions only, not tensor(x[3]) (the arguments are top(n, t))"}},
    {"top(3,k)",
     {"6-7: 'top' needs a tensor with mapped dimensions only, not tensor<float>(x{},y[3]) (the arguments are top(n, "
      "t))"}},
    {"top(m,3)",
     {"4-5: the first argument of 'top' must be a number, but this is tensor(x{}) (reduce it, or take one cell with "
      "{...})",
      "6-7: 'top' needs a tensor with mapped dimensions only, not double (the arguments are top(n, t))"}},
    {"unpack_bits(v)",
     {"12-13: 'unpack_bits' needs int8 cells and an indexed dimension, but this is tensor(x[3]) (use cell_cast(..., "
      "int8) if the cells are whole numbers from -128 to 127)"}},
    {"unpack_bits(mi)",
     {"12-14: 'unpack_bits' needs int8 cells and an indexed dimension, but this is tensor<int8>(x{})"}},
    {"unpack_bits(s)", {"12-13: 'unpack_bits' needs int8 cells and an indexed dimension, but this is double"}},
    {"unpack_bits(k)",
     {"12-13: 'unpack_bits' needs int8 cells and an indexed dimension, but this is tensor<float>(x{},y[3]) (use "
      "cell_cast(..., int8) if the cells are whole numbers from -128 to 127)"}},
    {"tokenInputIds(s,ta)", {"14-15: the length of 'tokenInputIds' must be a constant whole number above 0"}},
    {"tokenInputIds(0,ta)", {"14-15: the length of 'tokenInputIds' must be a constant whole number above 0"}},
    {"tokenInputIds(2.5,ta)", {"14-17: the length of 'tokenInputIds' must be a constant whole number above 0"}},
    {"tokenInputIds(v,ta)",
     {"14-15: the length of 'tokenInputIds' must be a number, but this is tensor(x[3]) (reduce it, or take one cell "
      "with {...})"}},
    {"tokenInputIds(8,v)",
     {"16-17: a sequence of 'tokenInputIds' must be a tensor(d0[n]), not tensor(x[3]) (write rename(v, x, d0))"}},
    {"tokenInputIds(8,m)", {"16-17: a sequence of 'tokenInputIds' must be a tensor(d0[n]), not tensor(x{})"}},
    {"tokenInputIds(8,s)", {"16-17: a sequence of 'tokenInputIds' must be a tensor(d0[n]), not double"}},
    {"tokenInputIds(8,nosuch,v)",
     {"16-22: unknown symbol 'nosuch' (declare it in the schema)",
      "23-24: a sequence of 'tokenInputIds' must be a tensor(d0[n]), not tensor(x[3]) (write rename(v, x, d0))"}},
    {"customTokenInputIds(v,2,8,ta)",
     {"20-21: the id of CLS must be a number, but this is tensor(x[3]) (reduce it, or take one cell with {...})"}},
    {"tokenTypeIds(-1,ta)", {"13-15: the length of 'tokenTypeIds' must be a constant whole number above 0"}},
    {"tokenAttentionMask(8,d)",
     {"21-22: a sequence of 'tokenAttentionMask' must be a tensor(d0[n]), not tensor(x[2],y[3])"}},
};
INSTANTIATE_TEST_SUITE_P(Surface, TypeErrors, testing::ValuesIn(surface_cases));

const Case rename_cases[] = {
    {"rename(v,y,z)", {"9-12: 'rename': tensor(x[3]) has no dimension 'y' (its dimensions are x)"}},
    {"rename(s,x,y)", {"9-12: 'rename': a double has no dimension 'x'"}},
    {"rename(d,x,y)", {"9-12: 'rename': the result would have two dimensions 'y' (rename the other one too)"}},
    {"rename(d,(x,y),(z,z))", {"10-19: 'rename': the result would have two dimensions 'z' (rename the other one too)"}},
    {"rename(d,(x,x),(y,z))", {"10-19: 'rename': dimension 'x' is named twice"}},
    {"rename(d,(x,z),(a,b))", {"10-19: 'rename': tensor(x[2],y[3]) has no dimension 'z' (its dimensions are x, y)"}},
};
INSTANTIATE_TEST_SUITE_P(Rename, TypeErrors, testing::ValuesIn(rename_cases));

const Case concat_cases[] = {
    {"concat(m,s,x)",
     {"0-6: 'concat' of tensor(x{}) and double: dimension 'x' of tensor(x{}) is mapped (concat needs an indexed "
      "dimension or one that is new; merge puts the cells of mapped dimensions together)"}},
    {"concat(v,m,x)",
     {"0-6: 'concat' of tensor(x[3]) and tensor(x{}): dimension 'x' of tensor(x{}) is mapped (concat needs an indexed "
      "dimension or one that is new; merge puts the cells of mapped dimensions together)"}},
    {"concat(v,m,y)",
     {"0-6: 'concat' of tensor(x[3]) and tensor(x{}): dimension 'x' is indexed with size 3 in the first and mapped in "
      "the second (use rename to keep the two apart)"}},
    {"concat(d,v,y)",
     {"0-6: 'concat' of tensor(x[2],y[3]) and tensor(x[3]): dimension 'x' has size 2 in the first and 3 in the second "
      "(use rename to keep the two apart)"}},
};
INSTANTIATE_TEST_SUITE_P(Concat, TypeErrors, testing::ValuesIn(concat_cases));

const Case cellcast_cases[] = {
    {"cell_cast(s,float)",
     {"0-9: 'cell_cast' of double: a number without dimensions is always a double (leave the cast out; cast a tensor "
      "before it is reduced to a number)"}},
    {"cell_cast(sum(v),int8)",
     {"0-9: 'cell_cast' of double: a number without dimensions is always a double (leave the cast out; cast a tensor "
      "before it is reduced to a number)"}},
    {"cell_cast(v+w,float)",
     {"11-12: '+' of tensor(x[3]) and tensor(x[4]): dimension 'x' has size 3 in the first and 4 in the second (use "
      "rename to keep the two apart)"}},
};
INSTANTIATE_TEST_SUITE_P(CellCast, TypeErrors, testing::ValuesIn(cellcast_cases));

}  // namespace
}  // namespace tenrex::sema

// Subspaces, choices, functions of the user, peeks and literals that can not be; and several mistakes at once. Every
// issue of each text is pinned, with the bytes it points at.
#include "tests/sema/issue_case.h"

namespace tenrex::sema {
namespace {

class FormErrors : public IssueCases {};

TEST_P(FormErrors, AreAllReported) {
    expect_all_reported();
}

const Case subspaces_cases[] = {
    {"map_subspaces(k,f(t)(tensor(x[2])(1)))",
     {"21-36: 'map_subspaces': the lambda gives tensor(x[2]), but 'x' is a mapped dimension of tensor<float>(x{},y[3]) "
      "(rename the dimension inside the lambda)"}},
    {"map_subspaces(k,f(t)(tensor(z{}):{a:1}))",
     {"21-38: 'map_subspaces': the lambda gives tensor(z{}), which has mapped dimensions (the lambda must give a "
      "number or a tensor with indexed dimensions)"}},
    {"map_subspaces(k,f(t)(t+tensor(y[2])(y)))",
     {"22-23: '+' of tensor<float>(y[3]) and tensor(y[2]): dimension 'y' has size 3 in the first and 2 in the second "
      "(use rename to keep the two apart)"}},
    {"map_subspaces(k,f(t)(reduce(t,sum,z)))",
     {"34-35: 'reduce': tensor<float>(y[3]) has no dimension 'z' (its dimensions are y)"}},
    {"filter_subspaces(v,f(t)(t))",
     {"17-18: 'filter_subspaces': tensor(x[3]) has no mapped dimension, so there are no blocks to choose from"}},
    {"filter_subspaces(s,f(t)(1))",
     {"17-18: 'filter_subspaces': double has no mapped dimension, so there are no blocks to choose from"}},
    {"filter_subspaces(k,f(t)(reduce(t,sum,z)))",
     {"37-38: 'reduce': tensor<float>(y[3]) has no dimension 'z' (its dimensions are y)"}},
    {"filter_subspaces(m,f(t)(t{x:0}))", {"26-27: a double has no dimension 'x'"}},
};
INSTANTIATE_TEST_SUITE_P(Subspaces, FormErrors, testing::ValuesIn(subspaces_cases));

const Case choices_cases[] = {
    {"if(s,v,w)",
     {"7-8: the branches of 'if' have the types tensor(x[3]) and tensor(x[4]): dimension 'x' has size 3 in the first "
      "and 4 in the second (give both branches the same dimensions)"}},
    {"if(s,v,m)",
     {"7-8: the branches of 'if' have the types tensor(x[3]) and tensor(x{}): dimension 'x' is indexed with size 3 in "
      "the first and mapped in the second (give both branches the same dimensions)"}},
    {"if(s,1,v)",
     {"7-8: the branches of 'if' have the types double and tensor(x[3]): only the second has dimension 'x' (give both "
      "branches the same dimensions)"}},
    {"if(s,v,vi)",
     {"7-9: the branches of 'if' have the types tensor(x[3]) and tensor<int8>(x[3]): the cells are double in the first "
      "and int8 in the second (use cell_cast(..., double) on one branch)"}},
    {"if(s,vi,vb)",
     {"8-10: the branches of 'if' have the types tensor<int8>(x[3]) and tensor<bfloat16>(x[3]): the cells are int8 in "
      "the first and bfloat16 in the second (use cell_cast(..., float) on one branch)"}},
    {"if(s,d,v)",
     {"7-8: the branches of 'if' have the types tensor(x[2],y[3]) and tensor(x[3]): only the first has dimension 'y' "
      "(give both branches the same dimensions)"}},
    {"if(v+w,1,2)",
     {"4-5: '+' of tensor(x[3]) and tensor(x[4]): dimension 'x' has size 3 in the first and 4 in the second (use "
      "rename to keep the two apart)"}},
    {"switch(s){case 1: v, default: w}",
     {"30-31: the first case of 'switch' gives tensor(x[3]), this one tensor(x[4]): dimension 'x' has size 3 in the "
      "first and 4 in the second (give both branches the same dimensions)"}},
    {"switch(s){case 1: v, case 2: w, case 3: m, default: v}",
     {"29-30: the first case of 'switch' gives tensor(x[3]), this one tensor(x[4]): dimension 'x' has size 3 in the "
      "first and 4 in the second (give both branches the same dimensions)",
      "40-41: the first case of 'switch' gives tensor(x[3]), this one tensor(x{}): dimension 'x' is indexed with size "
      "3 in the first and mapped in the second (give both branches the same dimensions)"}},
    {"switch(s){case 1: v, default: 1}",
     {"30-31: the first case of 'switch' gives tensor(x[3]), this one double: only the first has dimension 'x' (give "
      "both branches the same dimensions)"}},
    {"switch(v){case w: 1, default: 2}",
     {"15-16: 'switch' of tensor(x[3]) and tensor(x[4]): dimension 'x' has size 3 in the first and 4 in the second "
      "(use rename to keep the two apart)"}},
    {"switch(nosuch){case 1: v, default: w}",
     {"7-13: unknown symbol 'nosuch' (declare it in the schema)",
      "35-36: the first case of 'switch' gives tensor(x[3]), this one tensor(x[4]): dimension 'x' has size 3 in the "
      "first and 4 in the second (give both branches the same dimensions)"}},
};
INSTANTIATE_TEST_SUITE_P(Choices, FormErrors, testing::ValuesIn(choices_cases));

const Case userfunctions_cases[] = {
    {"twice()", {"0-7: 'twice' takes 1 argument, not 0 (call it as twice(a))"}},
    {"twice(s,r)", {"0-10: 'twice' takes 1 argument, not 2 (call it as twice(a))"}},
    {"mix(s)", {"0-6: 'mix' takes 2 arguments, not 1 (call it as mix(a,b))"}},
    {"clamp(s,1)", {"0-10: 'clamp' takes 3 arguments, not 2 (call it as clamp(a,b,c))"}},
    {"clamp(v,0,1)",
     {"6-7: argument 1 of 'clamp' is tensor(x[3]), but a function of 3 arguments takes numbers only (functions of one "
      "or two arguments apply to tensors cell by cell)"}},
    {"clamp(v,w,m)",
     {"6-7: argument 1 of 'clamp' is tensor(x[3]), but a function of 3 arguments takes numbers only (functions of one "
      "or two arguments apply to tensors cell by cell)",
      "8-9: argument 2 of 'clamp' is tensor(x[4]), but a function of 3 arguments takes numbers only (functions of one "
      "or two arguments apply to tensors cell by cell)",
      "10-11: argument 3 of 'clamp' is tensor(x{}), but a function of 3 arguments takes numbers only (functions of one "
      "or two arguments apply to tensors cell by cell)"}},
};
INSTANTIATE_TEST_SUITE_P(UserFunctions, FormErrors, testing::ValuesIn(userfunctions_cases));

const Case in_cases[] = {
    {"(v+w) in [1]",
     {"2-3: '+' of tensor(x[3]) and tensor(x[4]): dimension 'x' has size 3 in the first and 4 in the second (use "
      "rename to keep the two apart)"}},
};
INSTANTIATE_TEST_SUITE_P(In, FormErrors, testing::ValuesIn(in_cases));

const Case peeks_cases[] = {
    {"v{y:0}", {"2-3: tensor(x[3]) has no dimension 'y' (its dimensions are x)"}},
    {"v{x:3}", {"2-5: index 3 is outside of dimension 'x' of size 3 (indexes go from 0 to 2)"}},
    {"v{x:-1}", {"2-6: index -1 is outside of dimension 'x' of size 3 (indexes go from 0 to 2)"}},
    {"v{x:a}", {"2-5: 'a' is not an index of dimension 'x' (write {x:(a)} if 'a' is to be computed)"}},
    {"v{x:\"a\"}",
     {"2-7: 'a' is not an index of dimension 'x' ('x' is indexed: its labels are the numbers from 0 to 2)"}},
    {"v{x:(3)}", {"5-6: index 3 is outside of dimension 'x' of size 3 (indexes go from 0 to 2)"}},
    {"v{x:(-1)}", {"5-7: index -1 is outside of dimension 'x' of size 3 (indexes go from 0 to 2)"}},
    {"v{x:(1e30)}", {"5-9: index 1e+30 is outside of dimension 'x' of size 3 (indexes go from 0 to 2)"}},
    {"m{x:(1e30)}", {"5-9: 1e+30 is no label: it does not fit into 64 bits"}},
    {"m{x:(v)}", {"5-6: a label must be a number, but this is tensor(x[3]) (reduce it, or take one cell with {...})"}},
    {"v{x:(m)}",
     {"5-6: an index must be a number or a tensor of indexes without labels, but this is tensor(x{}) (reduce it, or "
      "take "
      "one cell with {...})"}},
    {"m{x:(m)}", {"5-6: a label must be a number, but this is tensor(x{}) (reduce it, or take one cell with {...})"}},
    {"v{x:s}", {"2-5: 's' is not an index of dimension 'x' (write {x:(s)} if 's' is to be computed)"}},
    {"v{x:(nosuch)}", {"5-11: unknown symbol 'nosuch' (declare it in the schema)"}},
    {"v{x:nosuch+1}", {"4-10: unknown symbol 'nosuch' (declare it in the schema)"}},
    {"v{x:0}{x:0}", {"7-8: a double has no dimension 'x'"}},
    {"v{a}", {"2-3: tensor(x[3]) has no mapped dimension (write [index])"}},
    {"m[0]", {"2-3: tensor(x{}) has no indexed dimension (write {label})"}},
    {"d[0]", {"2-3: tensor(x[2],y[3]) has more than one indexed dimension (name the dimension: {x:...})"}},
    {"s{x:0}", {"2-3: a double has no dimension 'x'"}},
    {"s[0]", {"2-3: a double has no indexed dimension"}},
    {"s{a}", {"2-3: a double has no mapped dimension"}},
    {"tensor(a{},b{}):{p:{q:1}}{p}",
     {"26-27: tensor(a{},b{}) has more than one mapped dimension (name the dimension: {a:...})"}},
    {"d{x:0,z:1}", {"6-7: tensor(x[2],y[3]) has no dimension 'z' (its dimensions are x, y)"}},
    {"d{x:2,y:3}",
     {"2-5: index 2 is outside of dimension 'x' of size 2 (indexes go from 0 to 1)",
      "6-9: index 3 is outside of dimension 'y' of size 3 (indexes go from 0 to 2)"}},
    {"k{x:a}{x:b}", {"7-8: tensor<float>(y[3]) has no dimension 'x' (its dimensions are y)"}},
    {"v{x:18446744073709551616}",
     {"2-24: index 18446744073709551616 is outside of dimension 'x' of size 3 (indexes go from 0 to 2)"}},
    {"v{z:(nosuch)}",
     {"2-3: tensor(x[3]) has no dimension 'z' (its dimensions are x)",
      "5-11: unknown symbol 'nosuch' (declare it in the schema)"}},
};
INSTANTIATE_TEST_SUITE_P(Peeks, FormErrors, testing::ValuesIn(peeks_cases));

const Case literals_cases[] = {
    {"tensor(x[2]):[v,1]",
     {"14-15: a cell must be a number, but this is tensor(x[3]) (reduce it, or take one cell with {...})"}},
    {"tensor(x{}):{{x:a}:v}",
     {"19-20: a cell must be a number, but this is tensor(x[3]) (reduce it, or take one cell with {...})"}},
    {"tensor(x{}):{a:nosuch,b:v}",
     {"15-21: unknown symbol 'nosuch' (declare it in the schema)",
      "24-25: a cell must be a number, but this is tensor(x[3]) (reduce it, or take one cell with {...})"}},
};
INSTANTIATE_TEST_SUITE_P(Literals, FormErrors, testing::ValuesIn(literals_cases));

const Case generators_cases[] = {
    {"tensor(x[2])(v)",
     {"13-14: the cell of a generator must be a number, but this is tensor(x[3]) (reduce it, or take one cell with "
      "{...})"}},
    {"tensor(x[2])(k{x:a})",
     {"13-19: the cell of a generator must be a number, but this is tensor<float>(y[3]) (reduce it, or take one cell "
      "with {...})"}},
    {"tensor(x[2])(nosuch+v)", {"13-19: unknown symbol 'nosuch' (declare it in the schema)"}},
};
INSTANTIATE_TEST_SUITE_P(Generators, FormErrors, testing::ValuesIn(generators_cases));

const Case several_cases[] = {
    {"v+w+m*v",
     {"1-2: '+' of tensor(x[3]) and tensor(x[4]): dimension 'x' has size 3 in the first and 4 in the second (use "
      "rename to keep the two apart)",
      "5-6: '*' of tensor(x{}) and tensor(x[3]): dimension 'x' is mapped in the first and indexed with size 3 in the "
      "second (use rename to keep the two apart)"}},
    {"sum(v,y)+sum(w,z)",
     {"6-7: 'sum': tensor(x[3]) has no dimension 'y' (its dimensions are x)",
      "15-16: 'sum': tensor(x[4]) has no dimension 'z' (its dimensions are x)"}},
    {"if(v+w,nosuch,softmax(v,q))",
     {"4-5: '+' of tensor(x[3]) and tensor(x[4]): dimension 'x' has size 3 in the first and 4 in the second (use "
      "rename to keep the two apart)",
      "7-13: unknown symbol 'nosuch' (declare it in the schema)",
      "24-25: 'softmax': tensor(x[3]) has no dimension 'q' (its dimensions are x)"}},
    {"tensor(x[2]):[v,w]",
     {"14-15: a cell must be a number, but this is tensor(x[3]) (reduce it, or take one cell with {...})",
      "16-17: a cell must be a number, but this is tensor(x[4]) (reduce it, or take one cell with {...})"}},
    {"map(v+w,f(x)(x+s))",
     {"5-6: '+' of tensor(x[3]) and tensor(x[4]): dimension 'x' has size 3 in the first and 4 in the second (use "
      "rename to keep the two apart)",
      "15-16: 's' is not visible here: a lambda sees only its own parameters (x) (use operators, or join with two "
      "parameters, to combine it with the tensor)"}},
    {"(v*w){x:0}+(m+v){x:a}",
     {"2-3: '*' of tensor(x[3]) and tensor(x[4]): dimension 'x' has size 3 in the first and 4 in the second (use "
      "rename to keep the two apart)",
      "13-14: '+' of tensor(x{}) and tensor(x[3]): dimension 'x' is mapped in the first and indexed with size 3 in the "
      "second (use rename to keep the two apart)"}},
    {"reduce(v,sum,y)*reduce(nosuch,sum,x)+d{x:5}",
     {"13-14: 'reduce': tensor(x[3]) has no dimension 'y' (its dimensions are x)",
      "23-29: unknown symbol 'nosuch' (declare it in the schema)",
      "39-42: index 5 is outside of dimension 'x' of size 2 (indexes go from 0 to 1)"}},
    {"attribute(s)", {"0-12: unknown function or feature 'attribute(s)' (did you mean 's'?)"}},
    {"query(v)", {"0-8: unknown function or feature 'query(v)' (did you mean 'v'?)"}},
    {"cosine(v,v,x)", {"0-13: unknown function or feature 'cosine(v,v,x)' (write cosine_similarity(a, b, dimension))"}},
    {"eucl(v,v,x)", {"0-11: unknown function or feature 'eucl(v,v,x)' (did you mean 'euclidean_distance'?)"}},
    {"switch",
     {"0-6: 'switch' is a function and needs arguments (usage: switch(value) {case a: result, default: result})"}},
};
INSTANTIATE_TEST_SUITE_P(Several, FormErrors, testing::ValuesIn(several_cases));

}  // namespace
}  // namespace tenrex::sema

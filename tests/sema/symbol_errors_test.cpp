// Names that mean nothing where they stand. Every issue of each text is pinned, with the bytes it points at.
#include "tests/sema/issue_case.h"

namespace tenrex::sema {
namespace {

class SymbolErrors : public IssueCases {};

TEST_P(SymbolErrors, AreAllReported) {
    expect_all_reported();
}

const Case symbols_cases[] = {
    {"nosuch", {"0-6: unknown symbol 'nosuch' (declare it in the schema)"}},
    {"v+vv", {"2-4: unknown symbol 'vv' (did you mean 'v'?)"}},
    {"sofmax(v,x)", {"0-11: unknown function or feature 'sofmax(v,x)' (did you mean 'softmax'?)"}},
    {"nosuch(1)", {"0-9: unknown function or feature 'nosuch(1)' (declare it in the schema if it is a feature)"}},
    {"bm25(title)", {"0-11: unknown function or feature 'bm25(title)' (declare it in the schema if it is a feature)"}},
    {"querry(q)", {"0-9: unknown function or feature 'querry(q)' (did you mean 'query(q)'?)"}},
    {"query(p)", {"0-8: unknown function or feature 'query(p)' (did you mean 'query(q)'?)"}},
    {"q+1", {"0-1: unknown symbol 'q' (did you mean 'query(q)'?)"}},
    {"constnt(c)", {"0-10: unknown function or feature 'constnt(c)' (did you mean 'constant(c)'?)"}},
    {"Sum(v)", {"0-6: unknown function or feature 'Sum(v)' (did you mean 'sum'?)"}},
    {"softmax", {"0-7: 'softmax' is a function and needs arguments (usage: softmax(t, dimension))"}},
    {"sqrt", {"0-4: 'sqrt' is a function and needs arguments (usage: sqrt(a))"}},
    {"atan2", {"0-5: 'atan2' is a function and needs arguments (usage: atan2(a, b))"}},
    {"squrt(attribute(tags,key).weight)",
     {"0-33: unknown function or feature 'squrt(attribute(tags,key).weight)' (did you mean 'sqrt'?)"}},
    {"atribute(tags,keys).weight",
     {"0-26: unknown function or feature 'atribute(tags,keys).weight' (did you mean 'attribute(tags,key).weight'?)"}},
    {"attribute(tags,keys).weight",
     {"0-27: unknown function or feature 'attribute(tags,keys).weight' (did you mean 'attribute(tags,key).weight'?)"}},
    {"attribute(tags,key)",
     {"0-19: unknown function or feature 'attribute(tags,key)' (did you mean 'attribute(tags,key).weight'?)"}},
    {"normalize_linear(s)",
     {"0-19: 'normalize_linear(s)' is not declared: it normalizes over all hits (it can only be used in the global "
      "phase, where the scores of all hits are known)"}},
    {"reciprocal_rank(s,60)",
     {"0-21: 'reciprocal_rank(s,60)' is not declared: it ranks all hits (it can only be used in the global phase, "
      "where the scores of all hits are known)"}},
    {"reciprocal_rank_fusion(s,r)",
     {"0-27: 'reciprocal_rank_fusion(s,r)' is not declared: it ranks all hits (it can only be used in the global "
      "phase, where the scores of all hits are known)"}},
    {"onnx(model).out",
     {"0-15: 'onnx(model).out' is not declared: it is the output of an ONNX model (declare the model with "
      "OnnxModel::add_to, or with --model NAME=FILE.onnx, or its output as an input)"}},
    {"onnxModel(model)",
     {"0-16: 'onnxModel(model)' is not declared: it is the output of an ONNX model (declare the model with "
      "OnnxModel::add_to, or with --model NAME=FILE.onnx, or its output as an input)"}},
    {"xgboost(\"m.json\")",
     {"0-17: 'xgboost(\"m.json\")' is not declared: it is a tree model in a file (declare it with Schema::forest, or "
      "with --model NAME=FILE, and call it as forest(NAME))"}},
    {"lightgbm(\"m.json\")",
     {"0-18: 'lightgbm(\"m.json\")' is not declared: it is a tree model in a file (declare it with Schema::forest, or "
      "with --model NAME=FILE, and call it as forest(NAME))"}},
    {"forest(clicks)",
     {"0-14: 'forest(clicks)' is not declared: it is a tree model of that name (declare it with Schema::forest, or "
      "with "
      "--model NAME=FILE)"}},
    {"rankingExpression(fn)",
     {"0-21: 'rankingExpression(fn)' is not declared: it is a function of a rank profile (declare it in the schema as "
      "an input)"}},
    {"tensor(x[3])(y)", {"13-14: unknown symbol 'y' (declare it in the schema)"}},
    {"tensor(x[3])(xx)", {"13-15: unknown symbol 'xx' (did you mean 'x'?)"}},
    {"a+b+c",
     {"0-1: unknown symbol 'a' (declare it in the schema)", "2-3: unknown symbol 'b' (declare it in the schema)",
      "4-5: unknown symbol 'c' (did you mean 'constant(c)'?)"}},
    {"s+$p", {"2-4: unknown function or feature 'query(p)' (did you mean 'query(q)'?)"}},
};
INSTANTIATE_TEST_SUITE_P(Symbols, SymbolErrors, testing::ValuesIn(symbols_cases));

const Case silence_cases[] = {
    {"vi+v1", {"3-5: unknown symbol 'v1' (did you mean 'v'?)"}},
    {"Sqrt(s)", {"0-7: unknown function or feature 'Sqrt(s)' (did you mean 'sqrt'?)"}},
    {"sqr(s)", {"0-6: unknown function or feature 'sqr(s)' (write a*a, or sqrt(a) for the root)"}},
    {"exp10(s)", {"0-8: unknown function or feature 'exp10(s)' (declare it in the schema if it is a feature)"}},
    {"cosine(v,v,x)", {"0-13: unknown function or feature 'cosine(v,v,x)' (write cosine_similarity(a, b, dimension))"}},
    {"reduce_sum(v)",
     {"0-13: unknown function or feature 'reduce_sum(v)' (declare it in the schema if it is a feature)"}},
    {"average(v)", {"0-10: unknown function or feature 'average(v)' (write avg(t), or avg(t, dimension))"}},
    {"top_k(3,m)", {"0-10: unknown function or feature 'top_k(3,m)' (declare it in the schema if it is a feature)"}},
    {"tensorFromWeightedSet(attribute(w),x)",
     {"0-37: unknown function or feature 'tensorFromWeightedSet(attribute(w),x)' (declare it in the schema if it is a "
      "feature)"}},
    {"closeness(field,emb)",
     {"0-20: unknown function or feature 'closeness(field,emb)' (declare it in the schema if it is a feature)"}},
    {"attribute(price)",
     {"0-16: unknown function or feature 'attribute(price)' (declare it in the schema if it is a feature; it has "
      "attribute(tags,key).weight)"}},
    {"term(0).significance",
     {"0-20: unknown function or feature 'term(0).significance' (declare it in the schema if it is a feature)"}},
    {"now", {"0-3: unknown symbol 'now' (give it a value, the seconds since 1970; only rank profiles know it as now)"}},
    {"firstPhase", {"0-10: unknown symbol 'firstPhase' (declare it in the schema)"}},
    {"max", {"0-3: 'max' is a function and needs arguments (usage: max(t [, dimension]*))"}},
    {"if", {"0-2: 'if' is a function and needs arguments (usage: if(condition, when_true, when_false))"}},
    {"nosuch+nosuch*nosuch", {"0-6: unknown symbol 'nosuch' (declare it in the schema)"}},
    {"query(q).out", {"0-12: unknown function or feature 'query(q).out' (did you mean 'query(q)'?)"}},
    {"attribute(query(q))",
     {"0-19: unknown function or feature 'attribute(query(q))' (declare it in the schema if it is a feature; it has "
      "attribute(tags,key).weight)"}},
    {"s(1)", {"0-4: 's' is not a function (s{...} or s[...] takes a cell of a tensor)"}},
    {"v(x)", {"0-4: 'v' is not a function (v{...} or v[...] takes a cell of a tensor)"}},
    {"twise(s)", {"0-8: unknown function or feature 'twise(s)' (did you mean 'twice'?)"}},
    {"clam(s,0,1)", {"0-11: unknown function or feature 'clam(s,0,1)' (did you mean 'clamp'?)"}},
    {"map(v,f(x)(X))", {"11-12: unknown symbol 'X': a lambda sees only its own parameters (x) (did you mean 'x'?)"}},
    {"map(v,f(x)(twise(x)))", {"11-19: unknown function 'twise' (did you mean 'twice'?)"}},
    {"tensor(index[3])(indx+1)", {"17-21: unknown symbol 'indx' (did you mean 'index'?)"}},
    {"tensor(x[3])(map(v,f(y)(z)){x:0})", {"24-25: unknown symbol 'z': a lambda sees only its own parameters (y)"}},
    {"map_subspaces(k,f(block)(blok*2))",
     {"25-29: unknown symbol 'blok': a lambda sees only its own parameters (block) (did you mean 'block'?)"}},
    {"map_subspaces(k,f(x)(nosuch(1)))",
     {"21-30: unknown function 'nosuch' (the lambda of map_subspaces sees only its own parameters: x)"}},
    {"merge(m,m,f(a,b)(a+c))", {"19-20: unknown symbol 'c': a lambda sees only its own parameters (a, b)"}},
    {"join(v,v,f(left,right)(left*rigth))",
     {"28-33: unknown symbol 'rigth': a lambda sees only its own parameters (left, right) (did you mean 'right'?)"}},
    {"filter_subspaces(m,f(x)(y))", {"24-25: unknown symbol 'y': a lambda sees only its own parameters (x)"}},
    {"reduce(nosuch,sum,x)+nosuch2",
     {"7-13: unknown symbol 'nosuch' (declare it in the schema)",
      "21-28: unknown symbol 'nosuch2' (declare it in the schema)"}},
    {"rename(nosuch,x,y)", {"7-13: unknown symbol 'nosuch' (declare it in the schema)"}},
    {"concat(nosuch,v+w,x)",
     {"7-13: unknown symbol 'nosuch' (declare it in the schema)",
      "15-16: '+' of tensor(x[3]) and tensor(x[4]): dimension 'x' has size 3 in the first and 4 in the second (use "
      "rename to keep the two apart)"}},
    {"cell_cast(nosuch,float)", {"10-16: unknown symbol 'nosuch' (declare it in the schema)"}},
    {"cell_order(nosuch,max)", {"11-17: unknown symbol 'nosuch' (declare it in the schema)"}},
    {"map(nosuch,f(x)(y))",
     {"4-10: unknown symbol 'nosuch' (declare it in the schema)",
      "16-17: unknown symbol 'y': a lambda sees only its own parameters (x)"}},
    {"join(nosuch,v,f(x,y)(z))",
     {"5-11: unknown symbol 'nosuch' (declare it in the schema)",
      "21-22: unknown symbol 'z': a lambda sees only its own parameters (x, y)"}},
    {"merge(v,nosuch,f(x,y)(x))", {"8-14: unknown symbol 'nosuch' (declare it in the schema)"}},
    {"map_subspaces(nosuch,f(x)(x{y:0}+s))",
     {"14-20: unknown symbol 'nosuch' (declare it in the schema)",
      "33-34: 's' is not visible here: a lambda sees only its own parameters (x) (combine it with the tensor before or "
      "after)"}},
    {"filter_subspaces(nosuch,f(x)(x))", {"17-23: unknown symbol 'nosuch' (declare it in the schema)"}},
    {"unpack_bits(nosuch)", {"12-18: unknown symbol 'nosuch' (declare it in the schema)"}},
    {"top(nosuch,nosuch3)",
     {"4-10: unknown symbol 'nosuch' (declare it in the schema)",
      "11-18: unknown symbol 'nosuch3' (declare it in the schema)"}},
    {"softmax(nosuch,x)", {"8-14: unknown symbol 'nosuch' (declare it in the schema)"}},
    {"l1_normalize(nosuch,x)", {"13-19: unknown symbol 'nosuch' (declare it in the schema)"}},
    {"l2_normalize(nosuch,x)", {"13-19: unknown symbol 'nosuch' (declare it in the schema)"}},
    {"matmul(nosuch,v,x)", {"7-13: unknown symbol 'nosuch' (declare it in the schema)"}},
    {"xw_plus_b(v,v,nosuch,x)", {"14-20: unknown symbol 'nosuch' (declare it in the schema)"}},
    {"cosine_similarity(nosuch,v,x)", {"18-24: unknown symbol 'nosuch' (declare it in the schema)"}},
    {"euclidean_distance(v,nosuch,x)", {"21-27: unknown symbol 'nosuch' (declare it in the schema)"}},
    {"argmax(nosuch)", {"7-13: unknown symbol 'nosuch' (declare it in the schema)"}},
    {"argmin(nosuch,x)", {"7-13: unknown symbol 'nosuch' (declare it in the schema)"}},
    {"expand(nosuch,x)", {"7-13: unknown symbol 'nosuch' (declare it in the schema)"}},
    {"max(nosuch,x)", {"4-10: unknown symbol 'nosuch' (declare it in the schema)"}},
    {"max(nosuch,s)", {"4-10: unknown symbol 'nosuch' (declare it in the schema)"}},
    {"max(nosuch,x,y)", {"4-10: unknown symbol 'nosuch' (declare it in the schema)"}},
    {"-nosuch", {"1-7: unknown symbol 'nosuch' (declare it in the schema)"}},
    {"!nosuch", {"1-7: unknown symbol 'nosuch' (declare it in the schema)"}},
    {"exp(nosuch)", {"4-10: unknown symbol 'nosuch' (declare it in the schema)"}},
    {"nosuch in [1]", {"0-6: unknown symbol 'nosuch' (declare it in the schema)"}},
    {"nosuch{x:0}", {"0-6: unknown symbol 'nosuch' (declare it in the schema)"}},
    {"nosuch{x:(nosuch2)}",
     {"0-6: unknown symbol 'nosuch' (declare it in the schema)",
      "10-17: unknown symbol 'nosuch2' (declare it in the schema)"}},
    {"nosuch[nosuch2]",
     {"0-6: unknown symbol 'nosuch' (declare it in the schema)",
      "7-14: unknown symbol 'nosuch2' (declare it in the schema)"}},
    {"nosuch{a}", {"0-6: unknown symbol 'nosuch' (declare it in the schema)"}},
    {"if(nosuch,nosuch2,nosuch3)",
     {"3-9: unknown symbol 'nosuch' (declare it in the schema)",
      "10-17: unknown symbol 'nosuch2' (declare it in the schema)",
      "18-25: unknown symbol 'nosuch3' (declare it in the schema)"}},
    {"switch(nosuch){case nosuch2: nosuch3, default: nosuch4}",
     {"7-13: unknown symbol 'nosuch' (declare it in the schema)",
      "20-27: unknown symbol 'nosuch2' (declare it in the schema)",
      "29-36: unknown symbol 'nosuch3' (declare it in the schema)",
      "47-54: unknown symbol 'nosuch4' (declare it in the schema)"}},
    {"clamp(nosuch,v,1)", {"6-12: unknown symbol 'nosuch' (declare it in the schema)"}},
    {"twice(nosuch)", {"6-12: unknown symbol 'nosuch' (declare it in the schema)"}},
    {"tensor(x[2]):[nosuch,nosuch2]",
     {"14-20: unknown symbol 'nosuch' (declare it in the schema)",
      "21-28: unknown symbol 'nosuch2' (declare it in the schema)"}},
    {"tokenInputIds(nosuch,nosuch2)",
     {"14-20: unknown symbol 'nosuch' (declare it in the schema)",
      "21-28: unknown symbol 'nosuch2' (declare it in the schema)"}},
    {"tensor(x[2])(nosuch)", {"13-19: unknown symbol 'nosuch' (declare it in the schema)"}},
};
INSTANTIATE_TEST_SUITE_P(Silence, SymbolErrors, testing::ValuesIn(silence_cases));

const Case lambdas_cases[] = {
    {"map(v,f(x)(x+s))",
     {"13-14: 's' is not visible here: a lambda sees only its own parameters (x) (use operators, or join with two "
      "parameters, to combine it with the tensor)"}},
    {"map(v,f(x)(v))",
     {"11-12: 'v' is not visible here: a lambda sees only its own parameters (x) (use operators, or join with two "
      "parameters, to combine it with the tensor)"}},
    {"map(v,f(x)(x+y))", {"13-14: unknown symbol 'y': a lambda sees only its own parameters (x)"}},
    {"map(v,f(value)(valeu+1))",
     {"15-20: unknown symbol 'valeu': a lambda sees only its own parameters (value) (did you mean 'value'?)"}},
    {"map(v,f(x)(attribute(tags,key).weight))",
     {"11-37: 'attribute(tags,key).weight' is not visible here: a lambda sees only its own parameters (x) (use "
      "operators, or join with two parameters, to combine it with the tensor)"}},
    {"map(v,f(x)(query(q)))",
     {"11-19: 'query(q)' is not visible here: a lambda sees only its own parameters (x) (use operators, or join with "
      "two parameters, to combine it with the tensor)"}},
    {"map(v,f(x)(sofmax(x)))", {"11-20: unknown function 'sofmax' (did you mean 'softmax'?)"}},
    {"map(v,f(x)(nosuch(x)))",
     {"11-20: unknown function 'nosuch' (the lambda of map sees only its own parameters: x)"}},
    {"map(v,f(x)(reduce(x,sum)))",
     {"11-24: 'reduce' works on tensors, but the lambda of map computes with one number at a time (take it out of the "
      "lambda, or use map_subspaces, whose lambda gets a dense block)"}},
    {"map(v,f(x)(x{y:0}))",
     {"11-17: '{...}' works on tensors, but the lambda of map computes with one number at a time (take it out of the "
      "lambda, or use map_subspaces, whose lambda gets a dense block)"}},
    {"map(v,f(x)(tensor(y[2])(y)))",
     {"11-26: 'tensor' works on tensors, but the lambda of map computes with one number at a time (take it out of the "
      "lambda, or use map_subspaces, whose lambda gets a dense block)"}},
    {"map(v,f(x)(tensor(y[2]):[1,2]))",
     {"11-29: 'tensor' works on tensors, but the lambda of map computes with one number at a time (take it out of the "
      "lambda, or use map_subspaces, whose lambda gets a dense block)"}},
    {"map(v,f(x)(map(v,f(y)(y))))",
     {"11-25: 'map' works on tensors, but the lambda of map computes with one number at a time (take it out of the "
      "lambda, or use map_subspaces, whose lambda gets a dense block)"}},
    {"map(v,f(x)(concat(x,x,y)))",
     {"11-24: 'concat' works on tensors, but the lambda of map computes with one number at a time (take it out of the "
      "lambda, or use map_subspaces, whose lambda gets a dense block)"}},
    {"map(v,f(x)(softmax(x,y)))",
     {"11-23: 'softmax' works on tensors, but the lambda of map computes with one number at a time (take it out of the "
      "lambda, or use map_subspaces, whose lambda gets a dense block)"}},
    {"map(v,f(x)(max(x)))",
     {"11-17: 'max' works on tensors, but the lambda of map computes with one number at a time (take it out of the "
      "lambda, or use map_subspaces, whose lambda gets a dense block)"}},
    {"join(v,v,f(x,y)(concat(x,y,z)))",
     {"16-29: 'concat' works on tensors, but the lambda of join computes with one number at a time (take it out of the "
      "lambda, or use map_subspaces, whose lambda gets a dense block)"}},
    {"map_subspaces(k,f(x)(s))",
     {"21-22: 's' is not visible here: a lambda sees only its own parameters (x) (combine it with the tensor before or "
      "after)"}},
    {"map_subspaces(k,f(x)(k))",
     {"21-22: 'k' is not visible here: a lambda sees only its own parameters (x) (combine it with the tensor before or "
      "after)"}},
    {"map_subspaces(k,f(x)(x{z:0}))", {"23-24: tensor<float>(y[3]) has no dimension 'z' (its dimensions are y)"}},
    {"filter_subspaces(k,f(x)(s))",
     {"24-25: 's' is not visible here: a lambda sees only its own parameters (x) (combine it with the tensor before or "
      "after)"}},
    {"tensor(x[3])(map(v,f(y)(y+x)){x:0})",
     {"26-27: 'x' is not visible here: a lambda sees only its own parameters (y) (use operators, or join with two "
      "parameters, to combine it with the tensor)"}},
    {"tensor(x[3])(map_subspaces(v,f(y)(y+x)){x:0})",
     {"36-37: 'x' is not visible here: a lambda sees only its own parameters (y) (combine it with the tensor before or "
      "after)"}},
    {"map(v,f(x)(mix(x)))", {"11-17: 'mix' takes 2 arguments, not 1 (call it as mix(a,b))"}},
    {"map(v,f(x)(x+nosuch+s))",
     {"13-19: unknown symbol 'nosuch': a lambda sees only its own parameters (x)",
      "20-21: 's' is not visible here: a lambda sees only its own parameters (x) (use operators, or join with two "
      "parameters, to combine it with the tensor)"}},
};
INSTANTIATE_TEST_SUITE_P(Lambdas, SymbolErrors, testing::ValuesIn(lambdas_cases));

}  // namespace
}  // namespace tenrex::sema

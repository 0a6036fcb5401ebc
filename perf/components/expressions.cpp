// From the text of an expression to a plan: parsing alone, with types, and compiled.
#include <cstdint>
#include <string>

#include <benchmark/benchmark.h>

#include <tenrex/expression.h>
#include <tenrex/plan.h>
#include <tenrex/schema.h>

#include "lib/syntax/parser.h"
#include "perf/components/components.h"
#include "tests/syntax/tree_sum.h"

namespace tenrex::perf {

namespace {

struct Text {
    const char *name;
    std::string expression;
    Schema schema;
};

Schema schema_of(std::initializer_list<std::pair<const char *, const char *>> inputs) {
    Schema schema;
    for (const auto &[name, type] : inputs) {
        if (std::string_view(name).starts_with("query(")) {
            schema.query(name, type);
        } else {
            schema.document(name, type);
        }
    }
    return schema;
}

std::vector<Text> texts() {
    std::vector<Text> all = {
        {"hybrid", "bm25(title) + 3 * sum(query(q) * attribute(embedding))",
         schema_of({{"bm25(title)", "double"},
                    {"query(q)", "tensor<float>(x[384])"},
                    {"attribute(embedding)", "tensor<float>(x[384])"}})},
        {"lambdas", "reduce(map(join(query(a),b,f(x,y)(x-y)),f(x)(x*x)),sum,x) + if(attribute(a)<3,1,2)",
         schema_of(
             {{"query(a)", "tensor<float>(x[128])"}, {"b", "tensor<float>(x[128])"}, {"attribute(a)", "double"}})},
        {"net",
         "reduce(elu(xw_plus_b(d,tensor<float>(x[4],y[3]):[[1,0.125,-0.25],[-0.625,-0.875,-0.375],[-1,0,-0.375],"
         "[-0.875,-1,-0.125]],tensor<float>(y[3]):[1,2,3],x)),sum)",
         schema_of({{"d", "tensor<float>(x[4])"}})},
        {"maxsim", "sum(reduce(sum(query(q) * attribute(tokens), x), max, token), word)",
         schema_of(
             {{"query(q)", "tensor<float>(word{},x[128])"}, {"attribute(tokens)", "tensor<int8>(token{},x[128])"}})}};
    Schema attributes;
    for (int i = 0; i < 200; ++i) {
        attributes.document("attribute(f" + std::to_string(i) + ")");
    }
    all.push_back({"1000_trees", syntax::TreeSum().text(1000, 5), attributes});
    return all;
}

// `work` tells whether it succeeded.
template <class Work>
void add(const std::string &name, const Text &text, const Work &work) {
    benchmark::RegisterBenchmark((name + "/" + text.name).c_str(), [=](benchmark::State &state) {
        for (auto _ : state) {
            if (!work(text)) {
                state.SkipWithError("it fails");
                break;
            }
        }
        state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.expression.size()));
    });
}

}  // namespace

void add_expressions() {
    for (const Text &text : texts()) {
        add("parse", text, [](const Text &each) { return syntax::parse(each.expression).has_value(); });
        add("check", text,
            [](const Text &each) { return Expression::parse(each.expression, each.schema).has_value(); });
        add("compile", text, [](const Text &each) { return compile(each.expression, each.schema).has_value(); });
    }
}

}  // namespace tenrex::perf

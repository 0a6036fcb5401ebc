// Late interaction: each token of the query counts with the token of the document that is nearest to it. Documents have
// any number of tokens: their embeddings are a sparse column.
#include <cstdio>
#include <string>

#include <tenrex/tenrex.h>

int main() {
    tenrex::Schema schema;
    schema.query("query(tokens)", "tensor<float>(qt{},x[2])");
    schema.document("tokens", "tensor<bfloat16>(dt{},x[2])");
    const auto plan = tenrex::compile("sum(reduce(sum(query(tokens) * tokens, x), max, dt), qt)", schema);
    const auto tokens = tenrex::from_literal("tensor<float>(qt{},x[2]):{how:[1,0],far:[0.25,0.75]}");
    if (!plan || !tokens) {
        std::fputs((plan ? tokens.error() : plan.error()).render().c_str(), stderr);
        return 1;
    }
    const auto query = plan->bind({{"query(tokens)", *tokens}});
    if (!query) {
        std::fputs(query.error().render().c_str(), stderr);
        return 1;
    }

    // Collects tensors as a column; an engine with its own layout passes pointers to Column::sparse() instead.
    tenrex::ColumnBuffer documents(plan->document_inputs().front().type, plan->labels());
    for (const char *text : {"{0:[0.75,0.5],1:[0,1]}", "{0:[1,1]}", "{0:[-1,0],1:[0,-1],2:[0.5,0.5]}", "{}"}) {
        const auto document = tenrex::from_literal(text, documents.type());
        if (!document || !documents.append(*document)) {
            return 1;
        }
    }
    const tenrex::Column column = documents.column();
    tenrex::Context context(*plan);
    double scores[4];
    if (const auto status = query->evaluate({4, {&column, 1}}, context, scores); !status) {
        std::fputs(status.error().render().c_str(), stderr);
        return 1;
    }
    for (int i = 0; i < 4; ++i) {
        std::printf("document %d: %g\n", i, scores[i]);
    }
}

// Scores documents by a dot product and a text feature.
#include <cstdio>
#include <string>

#include <tenrex/tenrex.h>

namespace {

int fail(const tenrex::Error &error) {
    std::fputs(error.render().c_str(), stderr);
    return 1;
}

}  // namespace

int main() {
    tenrex::Schema schema;
    schema.query("query(q)", "tensor<float>(x[3])");
    schema.document("bm25(title)");  // a double
    schema.document("attribute(embedding)", "tensor<float>(x[3])");

    // Once: the expression becomes a plan for this processor.
    const auto plan = tenrex::compile("bm25(title) + 3 * sum(query(q) * attribute(embedding))", schema);
    if (!plan) {
        return fail(plan.error());
    }

    // Once per query.
    const auto q = tenrex::from_literal("tensor<float>(x[3]):[1,0,2]");
    if (!q) {
        return fail(q.error());
    }
    const auto query = plan->bind({{"query(q)", *q}});
    if (!query) {
        return fail(query.error());
    }

    // A block of documents at a time, from wherever their values are: columns in the order of plan->document_inputs().
    const double bm25[2] = {1.5, 0.25};
    const float embeddings[2][3] = {{0.5, 1, 0.25}, {1, 2, 1}};
    const tenrex::Column columns[] = {tenrex::Column::dense(bm25, sizeof(bm25[0])),
                                      tenrex::Column::dense(embeddings, sizeof(embeddings[0]))};
    tenrex::Context context(*plan);
    double scores[2];
    if (const auto status = query->evaluate({2, columns}, context, scores); !status) {
        return fail(status.error());
    }
    std::printf("scores: %g and %g\n", scores[0], scores[1]);

    // A mistake comes back as an error that says where, why, and what to do.
    const auto refused = tenrex::compile("sum(query(q) * attribute(embeding))", schema);
    if (!refused) {
        std::fputs(refused.error().render().c_str(), stdout);
    }
}

// Scores documents by a dot product and a text feature.
#include <cstdio>
#include <string>

#include <tenrex/tenrex.h>

int main() {
    tenrex::Schema schema;
    schema.query("query(q)", "tensor<float>(x[3])");
    schema.document("attribute(embedding)", "tensor<float>(x[3])");
    schema.document("bm25(title)");  // a double

    auto expression = tenrex::Expression::parse("bm25(title) + 3 * sum(query(q) * attribute(embedding))", schema);
    if (!expression) {
        std::fputs(expression.error().render().c_str(), stderr);
        return 1;
    }

    const auto q = tenrex::from_literal("tensor<float>(x[3]):[1,0,2]");
    const auto embedding = tenrex::from_literal("tensor<float>(x[3]):[0.5,1,0.25]");
    if (!q || !embedding) {
        return 1;
    }
    auto score = expression->evaluate_reference(
        {{"query(q)", *q}, {"attribute(embedding)", *embedding}, {"bm25(title)", tenrex::Tensor(1.5)}});
    if (!score) {
        std::fputs(score.error().render().c_str(), stderr);
        return 1;
    }
    std::printf("score: %g\n", score->as_double());

    // A mistake comes back as an error that says where, why, and what to do.
    auto refused = tenrex::Expression::parse("sum(query(q) * attribute(embeding))", schema);
    if (!refused) {
        std::fputs(refused.error().render().c_str(), stdout);
    }
}

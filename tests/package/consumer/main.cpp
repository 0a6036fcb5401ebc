// A program of somebody else: it sees the public headers and the library, and nothing of the project's sources.
#include <cstdio>
#include <string>
#include <string_view>

#include <tenrex/tenrex.h>

namespace {

int failures = 0;

void expect(std::string_view what, const std::string &actual, std::string_view expected) {
    if (actual != expected) {
        std::printf("%.*s: \"%s\", expected \"%.*s\"\n", static_cast<int>(what.size()), what.data(), actual.c_str(),
                    static_cast<int>(expected.size()), expected.data());
        ++failures;
    }
}

}  // namespace

int main() {
    const auto query = tenrex::from_literal("tensor<float>(x[3]):[1,2,3]");
    const auto document = tenrex::from_json(R"json({"type":"tensor<float>(x[3])","values":[4,5,6]})json");
    if (!query || !document) {
        std::puts("a literal was refused");
        return 1;
    }
    expect("json", tenrex::to_json(*query), R"json({"type":"tensor<float>(x[3])","values":[1,2,3]})json");
    const auto bytes = tenrex::to_binary(query->view());
    const auto decoded = tenrex::from_binary(bytes);
    expect("binary", decoded ? tenrex::to_literal(*decoded) : decoded.error().render(), "tensor<float>(x[3]):[1,2,3]");

    tenrex::Schema schema;
    schema.query("query(q)", query->type());
    schema.document("attribute(d)", "tensor<float>(x[3])");
    schema.constant("constant(bias)", tenrex::Tensor(0.5));
    const auto expression = tenrex::Expression::parse("sum(query(q) * attribute(d)) + constant(bias)", schema);
    if (!expression) {
        std::fputs(expression.error().render().c_str(), stdout);
        return 1;
    }
    expect("type", expression->type().to_string(), "double");
    const auto score = expression->evaluate_reference({{"query(q)", *query}, {"attribute(d)", *document}});
    expect("score", score ? tenrex::to_literal(*score) : score.error().render(), "32.5");

    const auto plan = tenrex::compile(*expression);
    const auto bound = plan ? plan->bind({{"query(q)", *query}}) : plan.error();
    if (!bound) {
        std::fputs(bound.error().render().c_str(), stdout);
        return 1;
    }
    tenrex::ColumnBuffer buffer(document->type(), plan->labels());
    tenrex::Context context(*plan);
    double scores[2] = {};
    for (int i = 0; i < 2; ++i) {
        expect("append", buffer.append(*document) ? "" : "refused", "");
    }
    const tenrex::Column column = buffer.column();
    const auto status = bound->evaluate({2, {&column, 1}}, context, scores);
    expect("evaluate", status ? "" : status.error().render(), "");
    expect("scores", tenrex::to_literal(tenrex::Tensor(scores[0] + scores[1])), "65");
    tenrex::CompileCache cache(1);
    expect("cache", cache.get("1+", schema) ? "accepted" : "refused", "refused");

    const auto refused = tenrex::Expression::parse("sum(query(p))", schema);
    expect("refused", refused ? "accepted" : "refused", "refused");
    const auto bad_type = tenrex::TensorType::parse("tensor(x[");
    expect("type error", bad_type ? "accepted" : "refused", "refused");
    expect("vocabulary", tenrex::functions().empty() ? "empty" : "full", "full");

    tenrex::LabelTable labels;
    expect("label", labels.text(labels.intern("apple")), "apple");
    if (failures == 0) {
        std::puts("ok");
    }
    return failures;
}

// A small neural network whose weights are constants: what depends on them alone is computed when compiling.
#include <cstdio>
#include <string>
#include <string_view>

#include <tenrex/tenrex.h>

namespace {

bool add_constant(tenrex::Schema &schema, std::string_view name, std::string_view literal) {
    const auto value = tenrex::from_literal(literal);
    if (!value) {
        std::fputs(value.error().render().c_str(), stderr);
        return false;
    }
    schema.constant(name, *value);
    return true;
}

}  // namespace

int main() {
    tenrex::Schema schema;
    schema.document("features", "tensor<float>(in[2])");
    // Exclusive or: the hidden units are a+b and a+b-1.
    if (!add_constant(schema, "w1", "tensor<float>(in[2],hidden[2]):[[1,1],[1,1]]") ||
        !add_constant(schema, "b1", "tensor<float>(hidden[2]):[0,-1]") ||
        !add_constant(schema, "w2", "tensor<float>(hidden[2],out[1]):[[1],[-2]]") ||
        !add_constant(schema, "b2", "tensor<float>(out[1]):[0]")) {
        return 1;
    }
    const auto plan =
        tenrex::compile("sum(xw_plus_b(relu(xw_plus_b(features, w1, b1, in)), w2, b2, hidden), out)", schema);
    if (!plan) {
        std::fputs(plan.error().render().c_str(), stderr);
        return 1;
    }
    const auto query = plan->bind({});  // nothing comes with a query here
    if (!query) {
        return 1;
    }
    const float features[4][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
    const tenrex::Column column = tenrex::Column::dense(features, sizeof(features[0]));
    tenrex::Context context(*plan);
    double scores[4];
    if (const auto status = query->evaluate({4, {&column, 1}}, context, scores); !status) {
        std::fputs(status.error().render().c_str(), stderr);
        return 1;
    }
    for (int i = 0; i < 4; ++i) {
        std::printf("%g xor %g = %g\n", static_cast<double>(features[i][0]), static_cast<double>(features[i][1]),
                    scores[i]);
    }
}

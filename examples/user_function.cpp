// A function of one's own, for single numbers and for every cell of a tensor.
#include <cmath>
#include <cstdio>
#include <span>
#include <string>

#include <tenrex/tenrex.h>

int main() {
    tenrex::Schema schema;
    schema.document("age");  // in days
    schema.document("votes", "tensor(user{})");
    // Pure: the same arguments give the same number. It may be called by any thread, and must not throw.
    schema.function("half_life", 2, [](std::span<const double> x) { return std::exp2(-x[0] / x[1]); });
    // One or two arguments: also cell by cell.
    schema.function("opinion", 1, [](std::span<const double> x) { return x[0] >= 3 ? 1.0 : -1.0; });

    const auto plan = tenrex::compile("sum(opinion(votes)) * half_life(age, 30)", schema);
    const auto votes = tenrex::from_literal("tensor(user{}):{ann:5,bob:1,cid:4}");
    if (!plan || !votes) {
        std::fputs((plan ? votes.error() : plan.error()).render().c_str(), stderr);
        return 1;
    }
    const auto query = plan->bind({});
    tenrex::ColumnBuffer column(votes->type(), plan->labels());
    if (!query || !column.append(*votes)) {
        return 1;
    }
    const double age = 60;
    const tenrex::Column columns[] = {column.column(), tenrex::Column::dense(&age, 0)};
    tenrex::Context context(*plan);
    double score = 0;
    if (const auto status = query->evaluate({1, columns}, context, {&score, 1}); !status) {
        std::fputs(status.error().render().c_str(), stderr);
        return 1;
    }
    std::printf("score: %g\n", score);
}

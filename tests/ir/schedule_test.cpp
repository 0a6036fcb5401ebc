#include "lib/ir/schedule.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/ir/expression_graph.h"

namespace tenrex::ir {
namespace {

Schema schema() {
    Schema schema;
    schema.document("a").document("b").document("c");
    return schema;
}

TEST(Schedule, OperandsComeShortlyBeforeTheirReader) {
    Graph graph = *expression_graph("a*b+a*c", schema());
    const std::vector<NodeId> order = schedule(graph);
    ASSERT_EQ(order.size(), 6u);
    std::vector<Op> ops;
    for (const NodeId id : order) {
        ops.push_back(graph[id].op);
    }
    EXPECT_EQ(ops, (std::vector<Op>{Op::input, Op::input, Op::apply, Op::input, Op::apply, Op::apply}));
    EXPECT_EQ(order.back(), graph.outputs()[0].node);
}

TEST(Schedule, HasEachNodeOnceAfterItsOperands) {
    Graph graph = *expression_graph("(a+b)*(a+b)+exp(a+b)/(c+1)", schema());
    const NodeId unread = graph.constant(7);
    graph.add_output({"again", graph.outputs()[0].node});
    const std::vector<NodeId> order = schedule(graph);
    const auto place = [&](NodeId id) { return std::find(order.begin(), order.end(), id) - order.begin(); };
    for (const NodeId id : order) {
        EXPECT_EQ(std::count(order.begin(), order.end(), id), 1);
        for (const NodeId operand : graph[id].operands) {
            EXPECT_LT(place(operand), place(id));
        }
    }
    EXPECT_EQ(std::count(order.begin(), order.end(), unread), 0);
}

TEST(Schedule, IsMadeOfDeepFormulas) {
    Graph graph = *expression_graph("a", schema());
    NodeId sum = graph.outputs()[0].node;
    for (int i = 1; i < 200000; ++i) {
        const NodeId operands[] = {sum, graph.constant(i)};
        sum = graph.add(Op::apply, CellType::f64, operands, Apply{ScalarFunction::add});
    }
    graph.redirect_output(0, sum);
    EXPECT_EQ(schedule(graph).size(), graph.size());
}

}  // namespace
}  // namespace tenrex::ir

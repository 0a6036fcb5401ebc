#include "lib/ir/graph.h"

#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include <tenrex/formats.h>

#include "lib/forest/forest.h"
#include "lib/ir/text.h"

namespace tenrex::ir {
namespace {

TensorType vector_type() {
    return *TensorType::make(CellType::f32, {{"x", 3}});
}

// One split, and a leaf with that value.
std::shared_ptr<const forest::Forest> small_forest(double value) {
    forest::Forest forest;
    forest.initial = {0};
    forest.feature_names = {"f"};
    forest.trees = {{0, 0}};
    forest.splits.resize(1);
    forest.splits[0].when_true = -1;
    forest.splits[0].when_false = -2;
    forest.leaves = {value, 1};
    return std::make_shared<const forest::Forest>(forest);
}

TEST(Graph, EqualNodesAreOne) {
    Graph graph;
    const NodeId input = graph.input(graph.add_input({"d", vector_type(), Stage::document}));
    const Apply square{ScalarFunction::square};
    const NodeId first = graph.add(Op::apply, vector_type(), {&input, 1}, square);
    EXPECT_EQ(graph.add(Op::apply, vector_type(), {&input, 1}, square), first);
    EXPECT_NE(graph.add(Op::apply, vector_type(), {&input, 1}, Apply{ScalarFunction::sqrt}), first);
    EXPECT_EQ(graph.constant(1.5), graph.constant(1.5));
}

// What reaches no output is gone, and what is left is the same.
TEST(Graph, TakesWhatTheOutputsReach) {
    Graph graph;
    const NodeId unread = graph.input(graph.add_input({"u", vector_type(), Stage::query}));
    const NodeId input = graph.input(graph.add_input({"d", vector_type(), Stage::document}));
    graph.add(Op::apply, vector_type(), {&unread, 1}, Apply{ScalarFunction::exp});
    const NodeId both[] = {input, graph.constant(2.5)};
    const NodeId product = graph.add(Op::apply, CellType::f32, both, Apply{ScalarFunction::multiply}, {3, 7});
    const NodeId sum = graph.add(Op::reduce, CellType::f32, {&product, 1}, Reduce{Aggregator::sum, {"x"}});
    graph.add_output({"product", product});
    graph.add_output({"sum", sum});
    const Graph less = graph.reachable();
    EXPECT_EQ(less.size(), graph.size() - 2);
    EXPECT_EQ(to_string(less), to_string(graph));
    EXPECT_EQ(less.inputs().size(), 2u);
    EXPECT_EQ(less[less.outputs()[0].node].span, (Span{3, 7}));
    EXPECT_EQ(less[less.outputs()[0].node].stage, Stage::document);
    EXPECT_EQ(less.ops(less.use_counts()), op_set(Op::input, Op::constant, Op::apply, Op::reduce));
}

TEST(Graph, SharesTypesWithTheOnesBesideIt) {
    Graph graph;
    const NodeId input = graph.input(graph.add_input({"d", vector_type(), Stage::document}));
    const NodeId both[] = {input, graph.constant(2)};
    const NodeId product = graph.add(Op::apply, CellType::f32, both, Apply{ScalarFunction::multiply});
    Graph body = graph.beside();
    EXPECT_EQ(body.size(), 0u);
    Graph elsewhere;
    for (Graph *other : {&body, &elsewhere}) {
        const NodeId own[] = {other->input(other->add_input({"d", vector_type(), Stage::document})),
                              other->constant(2)};
        const NodeId copy = other->add_like(graph, product, own);
        EXPECT_EQ(*(*other)[copy].type, *graph[product].type);
        EXPECT_EQ((*other)[copy].type == graph[product].type, other == &body);
    }
    // It keeps them.
    graph = Graph();
    EXPECT_EQ(*body[static_cast<NodeId>(body.size() - 1)].type, vector_type());
}

TEST(Graph, KeepsTheOpenTypesOfOutputs) {
    Graph graph;
    const TensorType rows = *TensorType::parse("tensor<float>(t{},x[4])");
    const TensorType declared = *TensorType::parse("tensor<float>(t[],x[4])");
    graph.add_output({"rows", graph.input(graph.add_input({"d", rows, Stage::document, declared})), declared});
    graph.add_output({"", graph.constant(2), std::nullopt, "t"});
    const Graph less = graph.reachable();
    EXPECT_EQ(less.outputs()[0].declared, declared);
    EXPECT_EQ(less.outputs()[1].size_of, "t");
    EXPECT_EQ(less.inputs()[0].declared, declared);
}

TEST(Graph, NumbersAreComparedBitForBit) {
    Graph graph;
    EXPECT_NE(graph.constant(0.0), graph.constant(-0.0));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(graph.constant(nan), graph.constant(nan));
}

TEST(Graph, EqualPayloadsAreOne) {
    // Each is unlike all others; sets of numbers and probabilities are compared bit for bit, too.
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto function = std::make_shared<const UserFunction>(UserFunction{"f", 1, {}});
    const auto other_function = std::make_shared<const UserFunction>(UserFunction{"f", 1, {}});
    const std::vector<Payload> payloads = {
        NoPayload(),
        Input{1},
        User{function},
        User{other_function},
        InSet{{0.0}},
        InSet{{-0.0}},
        InSet{{nan}},
        InSet{{0.0, 0.0}},
        Choice{0.5},
        Choice{nan},
        Reduce{Aggregator::sum, {"x"}},
        Reduce{Aggregator::max, {"x"}},
        Reduce{Aggregator::sum, {"x", "y"}},
        Contract{{}, {"x"}},
        Contract{{ScalarFunction::subtract}, {"x"}},
        Contract{{ScalarFunction::subtract, ScalarFunction::square}, {"x"}},
        Contract{{ScalarFunction::subtract, ScalarFunction::square, Aggregator::max}, {"x"}},
        Rename{{"x"}, {"y"}},
        Rename{{"x"}, {"z"}},
        Concat{"x"},
        Slice{"x", 1, 2},
        Slice{"x", 1, 3},
        Slice{"x", 2, 2},
        Reshape{{"x"}, {{"y", 2}, {"z", 3}}},
        Reshape{{"x"}, {{"z", 3}, {"y", 2}}},
        Reshape{{"w"}, {{"y", 2}, {"z", 3}}},
        ToMapped{{"x"}},
        ToIndexed{{{"x", 2}}},
        ToIndexed{{{"x", 3}}},
        SameSize{"x", "a", "b"},
        SameSize{"x", "a", "c"},
        Append{"x"},
        Peek{{{"x", "", 1, 0}}},
        Peek{{{"x", "", 0, 1}}},
        Peek{{{"x", "1", 0, 0}}},
        Order{{"x"}, false},
        Order{{"x"}, true},
        Order{{"x"}, true, true},
        Pack{{{"x", 2}}, {{}}, {{0, 1}}},
        Pack{{{"x", 2}}, {{}}, {{0, 0}}},
        Pack{{{"x", 0}}, {{"a"}}, {{0, 0}}},
        Pack{{{"x", 0}}, {{"b"}}, {{0, 0}}},
        UnpackBits{"x", false},
        UnpackBits{"x", true},
        RowExtreme{{}, {"x"}, CellType::f64, Aggregator::max, {"m"}},
        RowExtreme{{ScalarFunction::less}, {"x"}, CellType::f64, Aggregator::max, {"m"}},
        RowExtreme{{}, {"y"}, CellType::f64, Aggregator::max, {"m"}},
        RowExtreme{{}, {"x"}, CellType::f32, Aggregator::max, {"m"}},
        RowExtreme{{}, {"x"}, CellType::f64, Aggregator::min, {"m"}},
        RowExtreme{{}, {"x"}, CellType::f64, Aggregator::max, {"m", "n"}},
        RowExtreme{{}, {"x"}, CellType::f64, Aggregator::max, {"m"}, true},
        RowExtreme{{}, {"x"}, CellType::f64, Aggregator::max, {"m"}, false, true},
        RowExtreme{{}, {"x"}, CellType::f64, Aggregator::max, {"m"}, true, false, true},
        Attention{"x", "t", "s", "s"},
        Attention{"y", "t", "s", "s"},
        Attention{"x", "u", "s", "s"},
        Attention{"x", "t", "r", "s"},
        Attention{"x", "t", "s", "r"},
        Attention{"x", "t", "s", "s", 0.5},
        Attention{"x", "t", "s", "s", 1, false},
        Attention{"x", "t", "s", "s", 1, true, true},
        Attention{"x", "t", "s", "s", 1, true, false, Masking::added},
        Attention{"x", "t", "s", "s", 1, true, false, Masking::chosen},
        Attention{"x", "t", "s", "s", 1, true, false, Masking::chosen, -1},
        Contract{{}, {"x"}, false, Activation::gelu},
        Contract{{}, {"x"}, false, Activation::none, true},
        Contract{{}, {"x"}, false, Activation::none, false, true},
        PackMatrix{{"x"}, {}, CellType::f32, CellType::f32},
        PackMatrix{{"y"}, {}, CellType::f32, CellType::f32},
        PackMatrix{{"x"}, {"h"}, CellType::f32, CellType::f32},
        PackMatrix{{"x"}, {}, CellType::i8, CellType::f32},
        PackMatrix{{"x"}, {}, CellType::f32, CellType::f64},
        Gather{false, {{"x", 2}}, {{Gather::Kind::source, 0}}},
        Gather{true, {{"x", 2}}, {{Gather::Kind::source, 0}}},
        Gather{false, {{"y", 2}}, {{Gather::Kind::source, 0}}},
        Gather{false, {{"x", 2}}, {{Gather::Kind::source, 1}}},
        Gather{false, {}, {{Gather::Kind::peek, 0, {{"x", 1}}}}},
        Gather{false, {}, {{Gather::Kind::peek, 0, {{"x", 0, Gather::Sum()}}}}},
        Gather{false, {}, {{Gather::Kind::peek, 0, {{"x", 0, Gather::Sum{{1, false}}}}}}},
        Gather{false, {}, {{Gather::Kind::peek, 0, {{"x", 0, Gather::Sum{{1, true}}}}}}},
        Gather{true, {}, {{Gather::Kind::comparison, 0, {}, ScalarFunction::less}}},
        Gather{true, {}, {{Gather::Kind::comparison, 0, {}, ScalarFunction::greater}}},
        Forest{small_forest(0.5), "", false},
        Forest{small_forest(-0.5), "", false},
        Forest{small_forest(0.5), "class", false},
        Forest{small_forest(0.5), "", true},
        JoinReduce{ScalarFunction::add, CellType::f64, Aggregator::max, {"x"}},
        JoinReduce{ScalarFunction::subtract, CellType::f64, Aggregator::max, {"x"}},
        JoinReduce{ScalarFunction::add, CellType::f32, Aggregator::max, {"x"}},
        JoinReduce{ScalarFunction::add, CellType::f64, Aggregator::min, {"x"}},
        JoinReduce{ScalarFunction::add, CellType::f64, Aggregator::max, {"y"}},
        JoinReduce{std::nullopt, CellType::f64, Aggregator::count, {"x"}},
        Region{std::make_shared<const Graph>()},
        Region{std::make_shared<const Graph>()},
        RegionResult{1},
        RegionResult{2},
    };
    for (std::size_t i = 0; i < payloads.size(); ++i) {
        for (std::size_t j = 0; j < payloads.size(); ++j) {
            EXPECT_EQ(payloads[i] == payloads[j], i == j) << i << " and " << j;
        }
        const Payload copy = payloads[i];
        EXPECT_EQ(hash_of(copy), hash_of(payloads[i])) << i;
    }
}

TEST(Graph, ForestsAreComparedByWhatTheyConsistOf) {
    const auto node = [](Graph &graph, double value) {
        const NodeId feature = graph.constant(3);
        return graph.add(Op::forest, CellType::f64, {&feature, 1}, Forest{small_forest(value), "", false});
    };
    Graph graph;
    EXPECT_EQ(node(graph, 0.5), node(graph, 0.5));
    EXPECT_NE(node(graph, 0.5), node(graph, 0.25));
    EXPECT_NE(node(graph, 0.0), node(graph, -0.0));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(node(graph, nan), node(graph, nan));
}

TEST(Graph, EveryDimensionOfAPayloadGetsItsNewName) {
    const auto renamed = [](const Payload &payload) {
        return with_names(payload, [](const std::string &name) { return name + "1"; });
    };
    EXPECT_EQ(renamed(Reduce{Aggregator::max, {"x", "y"}}), Payload(Reduce{Aggregator::max, {"x1", "y1"}}));
    EXPECT_EQ(renamed(Contract{{}, {"x"}}), Payload(Contract{{}, {"x1"}}));
    EXPECT_EQ(renamed(RowExtreme{{}, {"x"}, CellType::f64, Aggregator::max, {"m"}}),
              Payload(RowExtreme{{}, {"x1"}, CellType::f64, Aggregator::max, {"m1"}}));
    EXPECT_EQ(renamed(Concat{"x"}), Payload(Concat{"x1"}));
    EXPECT_EQ(renamed(Slice{"x", 1, 2}), Payload(Slice{"x1", 1, 2}));
    EXPECT_EQ(renamed(ToIndexed{{{"x", 2}}}), Payload(ToIndexed{{{"x1", 2}}}));
    EXPECT_EQ(renamed(Peek{{{"x", "a", 0, 0}}}), Payload(Peek{{{"x1", "a", 0, 0}}}));
    EXPECT_EQ(renamed(UnpackBits{"x", true}), Payload(UnpackBits{"x1", true}));
    EXPECT_EQ(renamed(Gather{false, {{"x", 2}}, {{Gather::Kind::peek, 0, {{"y", 1}}}}}),
              Payload(Gather{false, {{"x1", 2}}, {{Gather::Kind::peek, 0, {{"y1", 1}}}}}));
    EXPECT_EQ(renamed(Apply{ScalarFunction::add}), Payload(Apply{ScalarFunction::add}));
}

TEST(Graph, EqualConstantsAreOne) {
    Graph graph;
    const auto constant = [&](const char *literal) { return graph.constant(*from_literal(literal)); };
    const Tensor copied = *from_literal("tensor(m{}):{a:1,b:2}");
    EXPECT_EQ(graph.constant(copied), graph.constant(Tensor(copied)));
    // The first four are alike but for what they are made of.
    const char *const different[] = {
        "tensor(x[2]):[1,2]",    "tensor(y[2]):[1,2]",      "tensor<float>(x[2]):[1,2]", "tensor(m{}):{a:1,b:2}",
        "tensor(m{}):{b:2,a:1}",  // sums take the blocks in their order
        "tensor(m{}):{a:1,c:2}", "tensor(m{}):{'1':1,b:2}", "tensor(m{}):{a:1}",         "tensor(m{}):{}",
        "tensor(n{}):{}",        "tensor(x[2]):[1,3]",      "tensor(x[2]):[0,0]",        "tensor(x[2]):[0,-0.0]"};
    std::set<NodeId> nodes;
    for (const char *const literal : different) {
        EXPECT_EQ(constant(literal), constant(literal)) << literal;
        EXPECT_TRUE(nodes.insert(constant(literal)).second) << literal;
    }
    // Nor are those that differ late.
    TensorBuilder builder(*TensorType::make(CellType::f32, {{"x", 5000}}));
    const NodeId zeros = graph.constant(TensorBuilder(builder.type()).build());
    builder.set(0, 4999, 1);
    EXPECT_NE(graph.constant(std::move(builder).build()), zeros);
    EXPECT_EQ(graph.constant(TensorBuilder(graph[zeros].as<Constant>().value->type()).build()), zeros);
}

TEST(Graph, AStageIsTheLatestOfTheOperands) {
    Graph graph;
    const NodeId query = graph.input(graph.add_input({"q", TensorType(), Stage::query}));
    const NodeId document = graph.input(graph.add_input({"d", TensorType(), Stage::document}));
    const NodeId number = graph.constant(2);
    const auto sum = [&](NodeId a, NodeId b) {
        const NodeId operands[] = {a, b};
        return graph[graph.add(Op::apply, TensorType(), operands, Apply{ScalarFunction::add})].stage;
    };
    EXPECT_EQ(sum(number, number), Stage::constant);
    EXPECT_EQ(sum(number, query), Stage::query);
    EXPECT_EQ(sum(query, document), Stage::document);
}

TEST(Operations, HaveNamesAndTraits) {
    OpSet all = 0;
    for (std::size_t i = 0; i < op_count; ++i) {
        const Op op = static_cast<Op>(i);
        EXPECT_EQ(op_from_name(name(op)), op);
        EXPECT_LE(operand_counts(op).least, operand_counts(op).most);
        EXPECT_EQ(all & op_set(op), 0u);
        all |= op_set(op);
        EXPECT_TRUE(!has_trait(op, Trait::cell_by_cell) || has_trait(op, Trait::joins)) << name(op);
    }
    EXPECT_EQ(op_from_name("guess"), std::nullopt);
    EXPECT_TRUE(has_trait(Op::order, Trait::joins));
    EXPECT_FALSE(has_trait(Op::order, Trait::ignores_names));
    EXPECT_FALSE(has_trait(Op::constant, Trait::joins));
}

TEST(Graph, TypesFollowFromOperands) {
    Graph graph;
    const auto input = [&](const char *name, const char *type) {
        return graph.input(graph.add_input({name, *TensorType::parse(type), Stage::document}));
    };
    const NodeId operands[] = {input("a", "tensor<int8>(b[2],x[3])"), input("b", "tensor<float>(a{},x[3])")};
    const NodeId product = graph.add(Op::apply, CellType::f32, operands, Apply{ScalarFunction::multiply});
    EXPECT_EQ(graph[product].type->to_string(), "tensor<float>(a{},b[2],x[3])");
    const auto sum = [&](NodeId of, std::vector<std::string> over) {
        return graph.add(Op::reduce, CellType::f32, {&of, 1}, Reduce{Aggregator::sum, std::move(over)});
    };
    EXPECT_EQ(graph[sum(product, {"x", "a"})].type->to_string(), "tensor<float>(b[2])");
    EXPECT_TRUE(graph[sum(product, {"x", "a", "b"})].type->is_scalar());
    EXPECT_EQ(graph[sum(product, {"b"})].type, graph[operands[1]].type) << "equal types are one";
    EXPECT_THROW(sum(product, {"z"}), std::logic_error);

    Limits limits;
    limits.dimensions = 2;
    EXPECT_FALSE(graph.add(Op::apply, CellType::f64, operands, limits, Apply{ScalarFunction::add}, {}));
    const NodeId first = operands[0];
    EXPECT_TRUE(graph.add(Op::apply, CellType::f64, {&first, 1}, limits, Apply{ScalarFunction::negate}, {}));
}

TEST(Graph, CountsUsesOfWhatTheOutputsReach) {
    Graph graph;
    const NodeId a = graph.input(graph.add_input({"a", TensorType(), Stage::document}));
    const NodeId operands[] = {a, a};
    const NodeId twice = graph.add(Op::apply, TensorType(), operands, Apply{ScalarFunction::add});
    const NodeId unused = graph.constant(7);
    graph.add_output({"", twice});
    const std::vector<std::uint32_t> uses = graph.use_counts();
    EXPECT_EQ(uses[a], 2u);
    EXPECT_EQ(uses[twice], 1u);
    EXPECT_EQ(uses[unused], 0u);
    EXPECT_EQ(to_string(graph).find('7'), std::string::npos);
}

TEST(Dot, QuotesLabels) {
    Graph graph;
    graph.add_output({"", graph.input(graph.add_input({"say(\"hi\")", TensorType(), Stage::query}))});
    EXPECT_NE(to_dot(graph).find(R"x(input \"say(\\\"hi\\\")\")x"), std::string::npos) << to_dot(graph);
}

}  // namespace
}  // namespace tenrex::ir

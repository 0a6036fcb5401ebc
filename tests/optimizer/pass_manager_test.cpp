#include "optimizer/pass_manager.h"

#include <fstream>
#include <set>

#include <gmock/gmock.h>

#include "lib/ir/build.h"
#include "lib/ir/text.h"
#include "lib/sema/check.h"
#include "lib/syntax/parser.h"
#include "tests/optimizer/graph_of.h"

namespace tenrex::optimizer::pass_manager_test {
namespace {

Schema schema() {
    return std::move(Schema().query("q", "tensor<float>(x[3])").document("d", "tensor<float>(x[3])"));
}

std::vector<std::string> names_where(const std::vector<PassReport> &reports, bool PassReport::*holds) {
    std::vector<std::string> names;
    for (const PassReport &report : reports) {
        if (report.*holds) {
            names.emplace_back(report.name);
        }
    }
    return names;
}

TEST(PassManager, RunsThePassesInOrder) {
    std::vector<PassReport> reports;
    const ir::Graph graph = *optimize(built("sum((q-d)^2)", schema()), {}, &reports);
    EXPECT_EQ("\n" + ir::to_string(graph), R"(
%0 = input "q" : tensor<float>(x[3]) query
%1 = input "d" : tensor<float>(x[3]) document
%2 = contract - square sum (x) %0 %1 : double document
return %2
)");
    for (const Pass &pass : pipeline()) {
        EXPECT_FALSE(pass.summary.empty()) << pass.name;
    }
    EXPECT_THAT(names_where(reports, &PassReport::changed), testing::ElementsAre("simplify", "contract"));
    EXPECT_TRUE(std::all_of(reports.begin(), reports.end(), [](const PassReport &report) { return report.tells(); }));
    EXPECT_THAT(names_where(reports, &PassReport::disabled), testing::IsEmpty());
}

TEST(PassManager, LeavesOutWhatIsDisabled) {
    std::vector<PassReport> reports;
    const ir::Graph graph =
        *optimize(built("sum((q-d)^2)", schema()), {{"simplify", "hoist_renames", "fuse_region"}}, &reports);
    EXPECT_EQ("\n" + ir::to_string(graph), R"(
%0 = input "q" : tensor<float>(x[3]) query
%1 = input "d" : tensor<float>(x[3]) document
%2 = apply - %0 %1 : tensor<float>(x[3]) document
%3 = constant 2 : double constant
%4 = apply ^ %2 %3 : tensor<float>(x[3]) document
%5 = reduce sum (x) %4 : double document
return %5
)");
    EXPECT_THAT(names_where(reports, &PassReport::changed), testing::IsEmpty());
    // A pass that runs twice is left out twice.
    EXPECT_THAT(names_where(reports, &PassReport::disabled),
                testing::ElementsAre("hoist_renames", "hoist_renames", "simplify", "fuse_region"));
}

TEST(PassManager, NothingIsDoneTwice) {
    const char *const texts[] = {"sum((q-d)^2)", "sum(sum(q*d)*d)", "map_subspaces(d,f(t)(t))", "d/4+reduce(d^3,max)"};
    for (const char *text : texts) {
        ir::Graph once = *optimize(built(text, schema()));
        std::vector<PassReport> reports;
        ASSERT_TRUE(optimize(std::move(once), {}, &reports));
        EXPECT_THAT(names_where(reports, &PassReport::changed), testing::IsEmpty()) << text;
    }
}

// What most of a large graph was is out of the way of the passes that follow.
TEST(PassManager, LeavesOutWhatIsNotReachedAnyMore) {
    const Schema schema = std::move(Schema().document("a").document("b"));
    std::string text = "a";
    for (int i = 0; i < 1000; ++i) {
        text += "+b*" + std::to_string(i) + ".5";
    }
    static std::size_t size_before, size_after;
    static ir::OpSet ops_after;
    const auto replace = [](ir::Graph &graph, PassRun &) {
        size_before = graph.size();
        graph.redirect_output(0, graph.input(0));
    };
    const auto look = [](ir::Graph &graph, PassRun &) {
        size_after = graph.size();
        ops_after = graph.ops(graph.use_counts());
    };
    const Pass passes[] = {{"replace", "", ~ir::OpSet{0}, replace}, {"look", "", ~ir::OpSet{0}, look}};
    std::vector<PassReport> reports;
    const auto optimized = optimize(built(text.c_str(), schema), passes, {}, &reports);
    ASSERT_TRUE(optimized);
    EXPECT_GT(size_before, 3000u);
    EXPECT_EQ(size_after, 1u);
    EXPECT_EQ(ops_after, ir::op_set(ir::Op::input));
    EXPECT_EQ(optimized->inputs().size(), 2u);
    EXPECT_THAT(names_where(reports, &PassReport::changed), testing::ElementsAre("replace"));
}

TEST(PassManager, EachOutputKeepsItsName) {
    ir::Graph graph;
    for (const auto &[name, text] : {std::pair("first", "sum(q*d)"), std::pair("second", "d^2")}) {
        graph = *ir::build(*sema::check(*syntax::parse(text), schema()), {}, std::move(graph), name);
    }
    graph = *optimize(std::move(graph));
    ASSERT_EQ(graph.outputs().size(), 2u);
    EXPECT_EQ(graph.outputs()[0].name, "first");
    EXPECT_EQ(graph[graph.outputs()[0].node].op, ir::Op::contract);
    EXPECT_EQ(graph.outputs()[1].name, "second");
    EXPECT_EQ(graph[graph.outputs()[1].node].as<ir::Apply>().function, ScalarFunction::square);
}

// What the compiler built and what each pass adds is verified in every build: an error, not a crash of the lowering.
TEST(PassManager, RefusesAGraphThatMakesNoSense) {
    const auto broken = [](ir::Graph &graph, PassRun &) {
        const ir::Peek peek{{{"x", "", 3, 0}}};  // of three cells
        const ir::NodeId d = graph.input(0);
        graph.redirect_output(0, graph.add(ir::Op::peek, TensorType(), {&d, 1}, peek));
    };
    const Pass passes[] = {{"tidy", "", ~ir::OpSet{0}, [](ir::Graph &, PassRun &) {}},
                           {"broken", "", ~ir::OpSet{0}, broken}};
    const Schema schema = std::move(Schema().document("d", "tensor<float>(x[3])"));
    const auto optimized = optimize(built("sum(d)", schema), passes);
    ASSERT_FALSE(optimized);
    EXPECT_EQ(optimized.error().message(),
              "the optimization 'broken' has made a graph that makes no sense: node 2 (peek : double): dimension x has "
              "no index 3 (this is a mistake in Tenrex; please report it, and disable the optimization)");
    EXPECT_TRUE(optimize(built("sum(d)", schema), passes, {{"broken"}}));

    ir::Graph graph = built("sum(d)", schema);
    PassRun run{{}};
    broken(graph, run);
    const auto refused = optimize(std::move(graph));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message(),
              "the compiler has made a graph that makes no sense: node 2 (peek : double): dimension x has no index 3 "
              "(this is a mistake in Tenrex; please report it)");
}

// The suite of a pass stands in the file of its name.
TEST(PassManager, EachPassHasATestAndAPage) {
    std::ifstream page("docs/optimizations.md");
    const std::string text((std::istreambuf_iterator<char>(page)), {});
    for (const Pass &pass : pipeline()) {
        const std::string name(pass.name);
        EXPECT_TRUE(std::ifstream("tests/optimizer/" + name + "_test.cpp").is_open()) << name;
        EXPECT_NE(text.find("## " + name + "\n"), text.npos) << name;
    }
}

}  // namespace
}  // namespace tenrex::optimizer::pass_manager_test

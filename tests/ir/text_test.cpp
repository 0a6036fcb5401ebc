// Graphs as text that is read back.
#include "lib/ir/text.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>
#include <tenrex/formats.h>

#include "lib/forest/check_forest.h"
#include "lib/ir/verify.h"
#include "optimizer/pass_manager.h"
#include "tests/conformance/vectors.h"
#include "tests/ir/expression_graph.h"
#include "tests/program/random_forest.h"
#include "tests/tools/damaged_text.h"

namespace tenrex::ir {
namespace {

// The text that comes out when what was written is read and written again.
std::string again(const std::string &text, const Schema &schema = {}) {
    const auto graph = read_graph(text, schema);
    return graph ? to_string(*graph, TextStyle::exact) : graph.error().message();
}

std::string mistake(std::string_view text) {
    const auto graph = read_graph(text);
    return graph ? "none" : graph.error().message();
}

TEST(GraphText, IsReadBackForEveryVectorBeforeAndAfterTheOptimizer) {
    std::size_t read = 0;
    for (const conformance::Vector &vector : conformance::read_vectors()) {
        if (!vector.expect) {
            continue;
        }
        Schema schema;
        std::size_t number = 0;
        for (const auto &[name, literal] : vector.inputs) {
            (++number % 2 == 0 ? schema.query(name, from_literal(literal)->type())
                               : schema.document(name, from_literal(literal)->type()));
        }
        auto graph = expression_graph(vector.expression, schema);
        ASSERT_TRUE(graph) << vector.id;
        const std::string before = to_string(*graph, TextStyle::exact);
        ASSERT_EQ(again(before), before) << vector.id;
        const std::string after = to_string(*optimizer::optimize(*std::move(graph)), TextStyle::exact);
        ASSERT_EQ(again(after), after) << vector.id;
        ++read;
    }
    EXPECT_GT(read, 2000u);
}

TEST(GraphText, HoldsWhatTheBriefStyleLeavesOut) {
    Schema schema;
    schema.document("a").query("say(\"hi\")", "tensor(k{})");
    schema.function("twice", 1, [](std::span<const double> x) { return 2 * x[0]; });
    const auto graph = expression_graph(
        "if(a>0, twice(a) + sum(say(\"hi\")), 1, 0.9) + sum(tensor(k{},x[2]):{\"b c\":[a,1],d:[2,a]}) + "
        "sum(tensor(x[9]):[1,2,3,4,5,6,7,8,0.1] * a)",
        schema);
    ASSERT_TRUE(graph) << graph.error().message();
    const std::string text = to_string(*graph, TextStyle::exact);
    for (const std::string_view part : {"select 0.9", R"x(input "say(\"hi\")")x", R"([["b c"],["d"]])", "8,0.1]"}) {
        EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
    }
    EXPECT_EQ(again(text, schema), text);
    EXPECT_EQ(again(text).find("line "), 0u);  // without the function
    EXPECT_EQ(to_string(*graph).find("0.9"), std::string::npos);
}

TEST(GraphText, Gathers) {
    const std::string inputs = R"(%0 = input "t" : tensor(x[9],y[2]) document
%1 = input "z" : tensor(z[4]) query
%2 = input "v" : double document
)";
    const auto gather = [&](const std::string &payload, const std::string &operands) {
        return inputs + "%3 = gather " + payload + " " + operands + " : tensor(z[4]) document\nreturn %3\n";
    };
    for (const auto &[payload, operands] : std::vector<std::pair<std::string, std::string>>{
             {"(z) operand 0{x:(operand 1),y:1}", "%0 %1"},
             {"(z) if (operand 2) then operand 1 else operand 0{x:3,y:(operand 2)}", "%0 %1 %1"},
             {"split (z) operand 0{x:(index),y:1}", "%0"},
             {"split (z) if (operand 2) then if (index < operand 2) then operand 1 else operand 1 else operand "
              "0{x:(index + operand 2 - operand 3),y:0}",
              "%0 %1 %2 %2"},
             {"split (z) if (index - operand 2 >= operand 2) then operand 1 else operand 0{x:(index),y:0}",
              "%0 %1 %2"}}) {
        // Without the inputs that nothing reads.
        const std::string read = again(gather(payload, operands));
        EXPECT_NE(read.find(" = gather " + payload + " %"), read.npos) << payload << '\n' << read;
        EXPECT_EQ(again(read), read);
    }
    for (const char *payload :
         {"", "(z)", "(z) operand", "(z) if (operand 2) operand 1 else operand 1", "(z) if (operand 2) then operand 1",
          "(z) operand 1 else operand 1", "(z) operand 0{x:(index),y:1}", "(z) operand 0{x:(operand 1),y}",
          "split (z) operand 0{x:(operand 1),y:1}", "split (z) if (index ! operand 2) then operand 1 else operand 1",
          "split (z) operand 0{x:(index * operand 2),y:1}"}) {
        EXPECT_NE(mistake(gather(payload, "%0 %1 %2")), "none") << payload;
    }
}

TEST(GraphText, Forests) {
    program::RandomForests random(1);
    program::ForestShape shape;
    shape.all_tests = true;
    shape.features = 2;
    shape.outputs = 2;
    forest::Forest forest = random.forest(shape);
    forest.float_features = true;
    forest.divisor = 0.1;
    forest.linear_leaves = {{0, 0.3, {}}, {1, -0.1, {{1, 0.7}, {0, 2}}}};
    forest.feature_names = {"a \"b\"", "c,]"};
    for (forest::Split &split : forest.splits) {
        split.threshold = std::isnan(split.threshold) ? -0.0 : split.threshold;
    }
    ASSERT_EQ(forest::problem_of(forest), "");
    Graph graph;
    const NodeId operands[] = {graph.input(graph.add_input({"x", TensorType(), Stage::document})), graph.constant(2)};
    const Forest payload{std::make_shared<const forest::Forest>(forest), "class", false};
    graph.add_output({"", graph.add(Op::forest, CellType::f64, operands, payload)});
    const std::string text = to_string(graph, TextStyle::exact);
    EXPECT_EQ(again(text), text);
    const auto read = read_graph(text);
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_EQ((*read)[read->outputs()[0].node].as<Forest>(), payload);

    EXPECT_EQ(again(R"(%0 = input "x" : double document
%1 = forest () base float outputs 1 divisor 1 initial [0] names ["f"] trees [0:0,-3:0] splits [[0,in,1,0,0,0,-1,-2]] leaves [1,-inf,nan] sets [[1,1,-2,7]] linear [] %0 %0 : double document
return %1
)"),
              R"(%0 = input "x" : double document
%1 = forest () base float outputs 1 divisor 1 initial [0] names ["f"] trees [0:0,-3:0] splits [[0,in,1,0,0,0,-1,-2]] leaves [1,-inf,nan] sets [[1,1,-2,7]] linear [] %0 %0 : double document
return %1
)");
    // A split that leads to itself.
    EXPECT_EQ(mistake(R"(%0 = input "x" : double document
%1 = forest () double outputs 1 divisor 1 initial [0] names ["f"] trees [0:0] splits [[0,<,0,0,0,1,0,-1]] leaves [1] sets [] linear [] %0 : double document
return %1
)"),
              "line 2: expected the attributes of forest");
}

TEST(GraphText, NamesOutputs) {
    const std::string text =
        "%0 = input \"a\" : double document\nreturn \"first = %1\" = %0\nreturn %0\n"
        "return size (x) = %0\n";
    EXPECT_EQ(again(text), text);
    EXPECT_EQ(mistake("%0 = input \"a\" : double document\nreturn size x = %0"),
              "line 2: expected \"name\" = or size (dimension) = in front of the node");
    EXPECT_EQ(mistake("%0 = input \"a\" : double document\nreturn size (x) = %0"),
              "the size of dimension x is no number behind an output");
    EXPECT_EQ(mistake("%0 = input \"a\" : tensor(x[2]) document\nreturn %0\nreturn size (x) = %0"),
              "the size of dimension x is no number behind an output");
}

TEST(GraphText, SaysWhatIsWrong) {
    EXPECT_EQ(mistake(""), "line 0: nothing is returned");
    EXPECT_EQ(mistake("%0 = constant 1 : double constant\n"), "line 1: nothing is returned");
    EXPECT_EQ(mistake("%1 = constant 1 : double constant"), "line 1: expected %0 = OPERATION ... : TYPE STAGE");
    EXPECT_EQ(mistake("%0 = guess 1 : double constant"), "line 1: there is no operation 'guess'");
    EXPECT_EQ(mistake("%0 = constant 1 : double query"), "line 1: the stage is constant");
    EXPECT_EQ(mistake("%0 = constant 1 : double constant\n%1 = apply round %0 %1 : double constant"),
              "line 2: there is no node %1 before this one");
    EXPECT_EQ(mistake("%0 = input \"a\" : double document\n%1 = apply nothing %0 : double document"),
              "line 2: expected the attributes of apply");
    EXPECT_EQ(mistake("%0 = input \"a\" : double document\n%1 = cast twice %0 : double document"),
              "line 2: expected operands behind the attributes, found 'twice'");
    EXPECT_EQ(mistake("%0 = input \"a\" : double document\n%1 = user f %0 : double document"),
              "line 2: there is no function 'f'");
    EXPECT_EQ(mistake("%0 = input \"a\" : double document\nreturn %0 %0"),
              "line 2: expected nothing but a name in front of the node");
    EXPECT_EQ(mistake("%0 = input \"a\" : double document\n%1 = reduce sum (x) %0 : tensor(y[2]) document\nreturn %1"),
              "node 1 (reduce : tensor(y[2])): its operand has no dimension x");
}

TEST(GraphText, DamagedTextIsReadOrRefused) {
    std::mt19937_64 random(2026);
    Schema schema;
    schema.document("a", "tensor(k{},x[2])").query("q", "tensor<float>(x[2])").document("n");
    const auto graph = expression_graph(
        "sum(q*a,x){k:b} + if(n in [1,2], max(rename(a,k,l)), n) + sum(concat(q,q,x)) + reduce(q^2,max) + a{k:c,x:1}",
        schema);
    ASSERT_TRUE(graph) << graph.error().message();
    const std::string whole = to_string(*graph, TextStyle::exact);
    ASSERT_EQ(again(whole), whole);
    std::size_t refused = 0;
    constexpr std::size_t texts = 20000;
    for (std::size_t i = 0; i < texts; ++i) {
        const std::string text = tool::damaged(whole, 1 + i % 3, "%=:()[]{}\" 0123456789abkqx,.-", random);
        const auto read = read_graph(text);
        if (!read) {
            ++refused;
            continue;
        }
        const std::string exact = to_string(*read, TextStyle::exact);
        ASSERT_EQ(again(exact), exact) << text;
    }
    EXPECT_GT(refused, texts / 2);
    EXPECT_LT(refused, texts);
}

}  // namespace
}  // namespace tenrex::ir

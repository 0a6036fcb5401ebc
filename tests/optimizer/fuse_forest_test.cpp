#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <random>

#include "optimizer/passes/passes.h"
#include "tests/optimizer/graph_of.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer::fuse_forest_test {
namespace {

Schema schema() {
    Schema schema;
    schema.document("x").document("y").document("a").query("q").document("t", "tensor(i[3])");
    return schema;
}

// A tree of x with four splits.
constexpr const char *small = "if(x<4,if(x<2,if(x<1,0.25,0.5),if(x<3,1,2)),4)";

std::string two_trees() {
    return std::string(small) + "+" + small;
}

TEST(FuseForest, SumsOfTrees) {
    EXPECT_EQ(after("fuse_forest", two_trees(), schema()), R"(
%0 = input "x" : double document
%1 = forest 2 trees, 8 splits %0 : double document
return %1
)");
    // The first term that is no tree is what trees are added to.
    EXPECT_EQ(after("fuse_forest", "a*y+" + two_trees() + "+a", schema()), R"(
%0 = input "a" : double document
%1 = input "y" : double document
%2 = apply * %0 %1 : double document
%3 = input "x" : double document
%4 = forest base and 2 trees, 8 splits %3 %2 : double document
%5 = apply + %4 %0 : double document
return %5
)");
    // Numbers are trees, differences are sums; so are trees of what the query knows.
    EXPECT_EQ(after("fuse_forest", "3-if(y<q-1,1,a)+(2-" + two_trees() + ")", schema()), R"(
%0 = constant 3 : double constant
%1 = input "y" : double document
%2 = input "q" : double query
%3 = constant 1 : double constant
%4 = apply - %2 %3 : double query
%5 = apply < %1 %4 : double document
%6 = input "a" : double document
%7 = select %5 %3 %6 : double document
%8 = apply - %0 %7 : double document
%9 = input "x" : double document
%10 = forest 3 trees, 8 splits %9 : double document
%11 = apply + %8 %10 : double document
return %11
)");
}

TEST(FuseForest, ChainsOfEqualNumbersAreSets) {
    Schema with_country = schema();
    with_country.query("country");
    const std::string set = "if(country==1,5,if(country==3,5,if(country in [2,3,7],5,6)))";
    EXPECT_EQ(after("fuse_forest", set + "+" + two_trees(), with_country), R"(
%0 = input "country" : double query
%1 = input "x" : double document
%2 = forest 3 trees, 9 splits %0 %1 : double document
return %2
)");
    EXPECT_EQ(after("fuse_forest", "if(country==1||country==3||country==5,5,6)+" + two_trees(), with_country), R"(
%0 = input "country" : double query
%1 = input "x" : double document
%2 = forest 3 trees, 9 splits %0 %1 : double document
return %2
)");
}

TEST(FuseForest, SaysWhyNot) {
    const auto reasons = [](const std::string &text) { return remarks_of("fuse_forest", text, schema()); };
    EXPECT_THAT(reasons(two_trees()), testing::IsEmpty());
    EXPECT_THAT(reasons("if(x<1,2,3)"), testing::IsEmpty());
    EXPECT_THAT(reasons(small), testing::ElementsAre("there are few splits"));
    EXPECT_THAT(reasons("if(x<1,y,if(y<1,2,3))"), testing::Contains("a leaf of a tree is no number"));
    EXPECT_THAT(reasons("if(x<y,1,if(y<1,2,3))"),
                testing::Contains("a condition is no comparison of a scalar with a number"));
    EXPECT_FALSE(changes("fuse_forest", "if(t<1,2,3)*sum(t)", schema()));
    EXPECT_FALSE(changes("fuse_forest", "map(t,f(x)(" + two_trees() + "))", schema()));
}

TEST(FuseForest, AsksFromHowManySplitsOnItPays) {
    class Trees : public Costs {
    public:
        explicit Trees(std::uint64_t least) : least_(least) {}
        double product(const ir::Graph &, const ir::Node &, ir::NodeId, ir::NodeId) const override { return 1; }
        std::uint64_t least_splits() const override { return least_; }

    private:
        std::uint64_t least_;
    };
    for (const std::uint64_t least : {8, 9}) {
        const Trees costs(least);
        ir::Graph graph = optimized(two_trees(), schema(), "fuse_forest", false);
        const std::vector<std::uint32_t> uses = graph.use_counts();
        PassRun run{uses, &costs};
        fuse_forest(graph, run);
        EXPECT_EQ((graph.ops(graph.use_counts()) & ir::op_set(ir::Op::forest)) != 0, least == 8);
    }
}

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<Tensor> numbers() {
    std::vector<Tensor> tensors;
    for (const double middle : {-1.5, -1.0, 0.0, -0.0, 0.5, 1.0, 2.0, 3.0, 1e30}) {
        for (const double number : {middle, std::nextafter(middle, infinity), std::nextafter(middle, -infinity)}) {
            tensors.emplace_back(number);
        }
    }
    for (const double number : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN(), 7.0}) {
        tensors.emplace_back(number);
    }
    return tensors;
}

// Added to other trees, so that all of them have as many splits as it takes.
std::string many_zeros() {
    std::string text;
    for (int i = 0; i < 128; ++i) {
        text += "+if(x<0.5,0,0)";
    }
    return text;
}

// Trees of random conditions.
class RandomTrees {
public:
    explicit RandomTrees(std::uint32_t seed) : random_(seed) {}

    std::string tree(int depth) {
        if (depth == 0 || below(8) == 0) {
            return leaf();
        }
        return "if(" + condition() + "," + tree(depth - 1) + "," + tree(depth - 1) + ")";
    }
    std::size_t below(std::size_t end) { return random_() % end; }

private:
    std::string leaf() {
        static constexpr const char *leaves[] = {"1e16", "1", "-1e16", "0.1", "-0.3", "0", "1e-300", "3"};
        return leaves[below(std::size(leaves))];
    }
    std::string number() {
        static constexpr const char *found[] = {"-1.5", "-1", "0", "0.5", "1", "2", "3", "1e30"};
        return found[below(std::size(found))];
    }
    std::string feature() { return below(3) == 0 ? "y" : below(2) == 0 ? "q" : "x"; }
    std::string condition() {
        static constexpr const char *operators[] = {"<", "<=", ">", ">=", "==", "!="};
        const std::string of = feature();
        switch (below(6)) {
            case 0:
                return of + " in [" + number() + "," + number() + ",7]";
            case 1:
                return of + "==" + number() + "||" + of + "==" + number();
            case 2:
                return "!(" + of + operators[below(6)] + number() + ")";
            case 3:
                return number() + operators[below(6)] + of;
            default:
                return of + operators[below(6)] + number();
        }
    }

    std::mt19937 random_;
};

TEST(FuseForest, KeepsValues) {
    RandomTrees random(1);
    const std::string zeros = many_zeros();
    const std::vector<Tensor> all = numbers();
    for (int i = 0; i < 40; ++i) {
        std::string text = random.below(2) == 0 ? "a" : random.tree(3);
        for (int term = 0; term < 5; ++term) {
            const std::string tree = random.tree(1 + static_cast<int>(random.below(4)));
            switch (random.below(8)) {
                case 0:
                    text = tree + "+(" + text + ")";
                    break;
                case 1:
                    text += "-" + tree;
                    break;
                case 2:
                    text += "+a*" + tree;
                    break;
                default:
                    text += "+" + tree;
                    break;
            }
        }
        std::vector<Tensor> others = all;
        std::rotate(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(1 + random.below(others.size() - 1)),
                    others.end());
        const std::vector<Values> inputs = {{"x", Stage::document, all},
                                            {"y", Stage::document, others},
                                            {"a", Stage::document, others},
                                            {"q", Stage::query, {all[random.below(all.size())]}}};
        std::string graph;
        EXPECT_EQ(wrong_value(text + zeros, inputs, Agreement::exact, &graph), "") << text;
        EXPECT_THAT(graph, testing::HasSubstr("forest")) << text;
    }
}

TEST(FuseForest, OrderOfAdditionsStays) {
    // Each of these is 0 in one order and not in another.
    const std::string large = "if(x<0.5,if(x<0.25,1e16,1e16),if(x<0.75,1e16,1e16))";
    const std::string minus = "if(y<0.5,if(y<0.25,-1e16,-1e16),if(y<0.75,-1e16,-1e16))";
    const std::string one = "if(x<0.5,if(x<0.25,1,2),if(x<0.75,1,2))";
    const std::string zeros = many_zeros();
    const std::vector<Tensor> values = numbers();
    for (const std::string &text :
         {large + "+" + one + "+" + minus, large + "+" + minus + "+" + one, one + "+(" + large + "+" + minus + ")",
          "(" + one + "+" + large + ")+" + minus,
          "(" + large + "+" + one + "+" + minus + ")-(" + large + "-" + one + "-" + minus + ")"}) {
        std::string graph;
        EXPECT_EQ(wrong_value(text + zeros, {{"x", Stage::document, values}, {"y", Stage::document, values}},
                              Agreement::exact, &graph),
                  "");
        EXPECT_THAT(graph, testing::HasSubstr("forest")) << text;
    }
}

TEST(FuseForest, LongChains) {
    // A choice of many has one branch as deep as there are cases; what it cannot be is found out once.
    std::string text = "switch(x) {";
    for (int i = 0; i < 4000; ++i) {
        text += "case " + std::to_string(i) + ": " + std::to_string(i) + ".5, ";
    }
    text += "default: y}";
    EXPECT_FALSE(changes("fuse_forest", text, schema()));
}

}  // namespace
}  // namespace tenrex::optimizer::fuse_forest_test

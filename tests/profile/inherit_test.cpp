// What profiles take over from their parents, within which they may stand, and what it costs.
#include <gmock/gmock.h>

#include "tests/profile/scoring.h"

namespace tenrex {
namespace {

using testing::compile_text;
using testing::compiled;
using testing::Files;
using ::testing::HasSubstr;
using testing::score;

// A profile that inherits from two, each with a definition of its own.
Result<RankProfile> child_of(std::string_view one, std::string_view two, std::string_view own = "") {
    const auto profile = [](std::string_view name, std::string_view content) {
        return "rank-profile " + std::string(name) + " {\n" + std::string(content) + "\n}\n";
    };
    ProfileOptions options;
    options.undeclared_attributes = true;
    return compile_text(profile("a", one) + profile("b", two) + profile("test inherits a, b", own), "test", options,
                        {{"w.json", "[1,2]"}, {"v.json", "[1,2]"}, {"half.expression", "1 / 2"}});
}

TEST(Inheriting, DefinitionsThatSayTheSameDoNotDiffer) {
    const std::pair<std::string_view, std::string_view> same[] = {
        {"function f() { expression: 1 }", "function f() { expression: 1 }"},
        {"function f(a, b) { expression: a+b*2 }", "function f(a,b) {\n expression {\n a +\n (b * 2.0) # twice\n }\n}"},
        {"function f() { expression: 1 / 2 }", "function f() { expression: file:half\n }"},
        {"inputs { query(q) tensor(x[2]): [1,2] }", "inputs {\n query(q) tensor(x[2]): {{x:1}: 2, {x:0}: 1}\n}"},
        {"inputs { query(q) double }", "inputs { q: 0 }"},
        {"inputs { query(q) tensor(x{}) }", "inputs { query(q) tensor(x{}) }"},
        {"constants { c: 0.5 }", "constants { c: 5e-1 }"},
        {"constants { c tensor(x[2]): file:w.json\n }", "constants { c tensor(x[2]): file:w.json\n }"},
        {"rank-properties { freshness(t).maxAge: 10 }", "rank-properties { freshness(t).maxAge: \"10\" }"},
        {"first-phase { expression: 1+2 }", "first-phase { expression: 1 + 2 }"},
        {"second-phase { expression: firstPhase\n rerank-count: 7 }", "second-phase { rerank-count: 7 }"},
        {"first-phase { rank-score-drop-limit: 0.5 }", "first-phase { rank-score-drop-limit: 5e-1 }"},
        {"match-features: now random", "match-features { now\n random }"},
    };
    for (const auto &[one, two] : same) {
        const auto compiled = child_of(one, two);
        EXPECT_TRUE(compiled) << one << "\n" << two << "\n" << (compiled ? "" : compiled.error().render());
    }
}

TEST(Inheriting, DefinitionsThatDifferMustBeMadeAnew) {
    struct Case {
        std::string_view one, two, what, own;
    };
    const Case differ[] = {
        {"function f() { expression: 1 }", "function f() { expression: 2 }", "the function 'f'",
         "function f() { expression: 3 }"},
        {"function f(a) { expression: 1 }", "function f(b) { expression: 1 }", "the function 'f'",
         "function f() { expression: 3 }"},
        {"inputs { query(q) double: 1 }", "inputs { query(q) double: 2 }", "the input 'query(q)'",
         "inputs { query(q) double }"},
        {"inputs { query(q) double }", "inputs { query(q) tensor(x[1]) }", "the input 'query(q)'",
         "inputs { query(q) double }"},
        {"constants { c: 1 }", "constants { c: 2 }", "the constant 'c'", "constants { c: 3 }"},
        {"constants { c tensor(x[2]): file:w.json\n }", "constants { c tensor(x[2]): file:v.json\n }",
         "the constant 'c'", "constants { c: 3 }"},
        {"rank-properties { freshness(t).maxAge: 10 }", "rank-properties { freshness(t).maxAge: 11 }",
         "the property 'freshness(t).maxAge'", "rank-properties { freshness(t).maxAge: 11 }"},
        {"first-phase { expression: 1+2 }", "first-phase { expression: 2+1 }", "the expression of first-phase",
         "first-phase { expression: 1 }"},
        {"global-phase { expression: 1\n rerank-count: 7 }", "global-phase { rerank-count: 8 }",
         "the rerank-count of global-phase", "global-phase { rerank-count: 9 }"},
        {"match-features: now random", "match-features: random now", "match-features", "match-features: now"},
    };
    for (const auto &[one, two, what, own] : differ) {
        const auto compiled = child_of(one, two);
        ASSERT_FALSE(compiled) << one << "\n" << two;
        EXPECT_THAT(compiled.error().message(), HasSubstr("rank-profile 'test' inherits " + std::string(what) +
                                                          " from more than one parent, and they differ"));
        EXPECT_TRUE(child_of(one, two, own)) << own;
    }
}

TEST(Inheriting, ADiamondHasOneTop) {
    const auto profile = compile_text(R"(
rank-profile top {
    function f() { expression: 1 }
    function g() { expression: 10 }
    match-features: f
}
rank-profile left inherits top { match-features inherits top { g } }
rank-profile right inherits top { match-features { f g } }
rank-profile test inherits left, right { first-phase { expression: f + g } }
)");
    ASSERT_TRUE(profile) << profile.error().render();
    EXPECT_EQ(profile->features().match, (std::vector<std::string>{"f", "g"}));
    EXPECT_EQ(testing::score(*profile, {}), 11);
}

// A chain where each profile adds a function and a feature. Copying at each level what the level above has takes time
// that grows with the square of the length for one profile, and with the cube for all of them.
TEST(Inheriting, LongChainsCostWhatTheyDeclare) {
    constexpr int profiles = 900;
    std::string text = "rank-profile p0 { function f0() { expression: 1 } first-phase { expression: f0 } }\n";
    for (int i = 1; i < profiles; ++i) {
        const std::string number = std::to_string(i);
        const std::string before = "p" + std::to_string(i - 1);
        text += "rank-profile p" + number + " inherits " + before + " {\nfunction f" + number +
                "() { expression: " + number + " }\n match-features inherits " + before + " { f" + number + " }\n}\n";
    }
    const auto set = ProfileSet::parse(text);
    ASSERT_TRUE(set);
    const auto last = compile_profile(*set, "p" + std::to_string(profiles - 1));
    ASSERT_TRUE(last) << last.error().render();
    EXPECT_EQ(last->features().match.size(), profiles - 1U);
    EXPECT_EQ(last->features().match.front(), "f1");
}

TEST(Profiles, StandWithinOthers) {
    const std::string text = R"(rank-profile outer {
    function f() { expression: 2 }
    rank-profile inner inherits outer {
        function f() { expression: 3 }
        rank-profile deep inherits outer.inner { first-phase { expression: f * 100 } }
    }
    first-phase { expression: f }
}
rank-profile other inherits outer.inner { first-phase { expression: f + 1 } }
)";
    const auto set = ProfileSet::parse(text);
    ASSERT_TRUE(set) << set.error().render();
    EXPECT_THAT(set->names(), ::testing::ElementsAre("outer", "outer.inner", "outer.inner.deep", "other"));
    EXPECT_EQ(score(compiled(text, "outer"), {}), 2);
    EXPECT_EQ(score(compiled(text, "outer.inner"), {}), 3);
    EXPECT_EQ(score(compiled(text, "outer.inner.deep"), {}), 300);
    EXPECT_EQ(score(compiled(text, "other"), {}), 4);
}

TEST(Profiles, WithinOthersMustInheritThem) {
    const auto set = ProfileSet::parse("rank-profile a {\n    rank-profile b { }\n}");
    ASSERT_FALSE(set);
    EXPECT_EQ(set.error().issues().front().line, 2U);
    EXPECT_EQ(set.error().issues().front().column, 18U);
    EXPECT_THAT(set.error().message(), ::testing::EndsWith("rank-profile 'b' stands within 'a', so it must inherit it "
                                                           "(write rank-profile b inherits a)"));
    constexpr std::size_t levels = 10000;
    std::string deep;
    for (std::size_t i = 0; i < levels; ++i) {
        deep += "rank-profile a { ";
    }
    deep.append(levels, '}');
    const auto refused = ProfileSet::parse(deep);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().render(), HasSubstr("profiles stand within each other more than 16 levels deep"));
}

TEST(Profiles, OfASchemaWereCalledModels) {
    const std::string text = "schema s { model test { first-phase { expression: 7 } } }";
    EXPECT_EQ(score(compiled(text), {}), 7);
}

TEST(Profiles, ThatAreThereToBeInheritedMayMissFunctions) {
    ProfileOptions options;
    options.check_unused_functions = true;
    const std::string base = "rank-profile base { function score() { expression: 2 * part } }\n";
    const RankProfile profile = compiled(base, "base", options);
    ASSERT_EQ(profile.warnings().size(), 1U);
    EXPECT_EQ(profile.warnings().front().message, "in a function that nothing uses: unknown symbol 'part'");
    const std::string heir = base + R"(rank-profile test inherits base {
    function part() { expression: 3 }
    first-phase { expression: score }
})";
    EXPECT_EQ(score(compiled(heir, "test", options), {}), 6);
    const RankProfile without =
        compiled(base + "rank-profile test inherits base { first-phase { expression: 1 } }", "test", options);
    ASSERT_EQ(without.warnings().size(), 1U);
    EXPECT_EQ(without.warnings().front().message, "in a function that nothing uses: unknown symbol 'part'");
    const std::string mistake = base + R"(rank-profile test inherits base {
    function part() { expression: sum(3, x) }
    first-phase { expression: 1 }
})";
    EXPECT_FALSE(compile_text(mistake, "test", options));
}

TEST(Profiles, TakeExpressionsOfFilesBetweenBraces) {
    const Files files{{"sum.expression", "attribute(a) + 1"}};
    ProfileOptions options;
    options.undeclared_attributes = true;
    for (const char *expression :
         {"expression: file:sum", "expression {\n  file:sum\n}", "expression { file: sum.expression }"}) {
        const std::string text = "rank-profile test { first-phase { " + std::string(expression) + "\n} }";
        EXPECT_EQ(score(compiled(text, "test", options, files), {{"attribute(a)", "4"}}), 5) << expression;
    }
    const auto refused = compile_text("rank-profile test { first-phase { expression { file: } } }");
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message(), HasSubstr("file: names no file"));
}

}  // namespace
}  // namespace tenrex

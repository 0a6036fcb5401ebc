// What profiles take over from their parents, and what it costs.
#include <gmock/gmock.h>

#include "tests/profile/scoring.h"

namespace tenrex {
namespace {

using testing::compile_text;
using ::testing::HasSubstr;

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

}  // namespace
}  // namespace tenrex

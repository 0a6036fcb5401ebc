// Phases, inheritance and what is shown of hits.
#include <gmock/gmock.h>

#include "tests/profile/scoring.h"

namespace tenrex::phases_test {
namespace {

using testing::compile_text;
using testing::compiled;
using testing::Document;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::outputs;
using testing::score;
using testing::scores;

ProfileOptions numbers_as_attributes() {
    ProfileOptions options;
    options.undeclared_attributes = true;
    return options;
}

constexpr std::string_view three_phases = R"(
rank-profile test {
    function quality() { expression: attribute(a) * 2 }
    first-phase {
        expression: quality
        rank-score-drop-limit: 1.5
        keep-rank-count: 10
    }
    second-phase {
        expression: firstPhase + quality + attribute(b)
        rerank-count: 7
        rank-score-drop-limit: -3
    }
    global-phase {
        expression: secondPhase + normalize_linear(quality) + reciprocal_rank(attribute(b), 10) + firstPhase
        rerank-count: 5
    }
    match-features: quality attribute(a) firstPhase secondPhase
    summary-features { quality attribute(b) }
}
)";

TEST(Phases, HavePlansAndSettingsOfTheirOwn) {
    const RankProfile profile = compiled(three_phases, "test", numbers_as_attributes());
    EXPECT_EQ(profile.first_phase().drop_limit, 1.5);
    EXPECT_EQ(profile.second_phase().drop_limit, -3);
    EXPECT_EQ(profile.second_phase().rerank_count, 7U);
    EXPECT_EQ(profile.global_phase().rerank_count, 5U);
    EXPECT_FALSE(profile.global_phase().drop_limit);
    EXPECT_EQ(profile.first_phase().columns.size(), 1U);
    EXPECT_EQ(profile.first_phase().columns[0].name, "attribute(a)");
    const Document document{
        {"attribute(a)", "3"}, {"attribute(b)", "100"}, {"firstPhase", "6"}, {"secondPhase", "112"}};
    EXPECT_THAT(scores(profile, profile.first_phase(), {document}), ElementsAre(6));
    EXPECT_THAT(scores(profile, profile.second_phase(), {document}), ElementsAre(112));
    const GlobalPhase &global = profile.global_phase();
    ASSERT_EQ(global.normalizers.size(), 2U);
    EXPECT_EQ(global.normalizers[0].kind, NormalizerKind::linear);
    EXPECT_EQ(global.normalizers[1].kind, NormalizerKind::reciprocal_rank);
    EXPECT_EQ(global.normalizers[1].k, 10);
    const auto values = outputs(profile, *global.normalized.plan, global.normalized.columns, {document});
    EXPECT_EQ(values[global.normalizers[0].output][0].as_double(), 6);
    EXPECT_EQ(values[global.normalizers[1].output][0].as_double(), 100);
    Document with_normalizers = document;
    with_normalizers[global.normalizers[0].name] = "0.25";
    with_normalizers[global.normalizers[1].name] = "0.5";
    EXPECT_THAT(scores(profile, global, {with_normalizers}), ElementsAre(118.75));
}

TEST(Phases, TellWhichFunctionAStepIsFor) {
    constexpr std::string_view text = R"(rank-profile test {
    function of_query() { expression: exp(query(w)) }
    function decay() {
        expression: exp(sqrt(attribute(a)))
    }
    function both(x) { expression: decay / x }
    inputs { query(w) double }
    first-phase { expression { of_query +
        both(attribute(b)) } }
    second-phase { expression: file:second.expression }
}
)";
    const RankProfile profile =
        compiled(text, "test", numbers_as_attributes(), {{"second.expression", "1 +\n attribute(b)"}});
    const std::string first = profile.first_phase().plan->explain();
    EXPECT_THAT(first, HasSubstr("        function of_query 2:39  exp(query(w))\n"));
    EXPECT_THAT(first, HasSubstr("        first-phase 8:32  of_query + both(attribute(b))\n"));
    EXPECT_THAT(profile.second_phase().plan->explain(),
                HasSubstr("        second-phase second.expression:1:1  1 + attribute(b)\n"));
    EXPECT_THAT(first, HasSubstr("what is computed when:\n"
                                 "  once per query     function of_query 2:39  exp(query(w))\n"
                                 "  for each document  first-phase 8:32        of_query + both(attribute(b))\n"));
}

TEST(Phases, NameTheColumnsThatTheyNeed) {
    const RankProfile profile = compiled(three_phases, "test", numbers_as_attributes());
    std::vector<std::string> names;
    for (const ColumnNeed &need : profile.columns()) {
        names.push_back(need.name);
    }
    EXPECT_THAT(names, ElementsAre("attribute(a)", "attribute(b)"));
    for (const ColumnNeed &need : profile.global_phase().columns) {
        if (need.name == "secondPhase") {
            EXPECT_EQ(need.source, ColumnSource::second_phase);
        } else if (need.name == "firstPhase") {
            EXPECT_EQ(need.source, ColumnSource::first_phase);
        } else {
            EXPECT_EQ(need.source, ColumnSource::normalizer) << need.name;
        }
    }
}

TEST(Phases, FeaturesOfHits) {
    const RankProfile profile = compiled(three_phases, "test", numbers_as_attributes());
    const FeatureOutputs &features = profile.features();
    EXPECT_THAT(features.match, ElementsAre("quality", "attribute(a)", "firstPhase", "secondPhase"));
    EXPECT_THAT(features.summary, ElementsAre("quality", "attribute(b)"));
    std::vector<std::string> names;
    for (const Plan::Output &output : features.plan->outputs()) {
        names.push_back(output.name);
    }
    EXPECT_THAT(names, ElementsAre("quality", "attribute(a)", "firstPhase", "secondPhase", "attribute(b)"));
}

TEST(Phases, FusionIsASumOfReciprocalRanks) {
    const RankProfile profile = compiled(R"(
        rank-profile test {
            function f() { expression: attribute(a) + 1 }
            global-phase { expression: reciprocal_rank_fusion(f, attribute(b), firstPhase) * 2 }
        })",
                                         "test", numbers_as_attributes());
    const GlobalPhase &global = profile.global_phase();
    ASSERT_EQ(global.normalizers.size(), 3U);
    EXPECT_EQ(global.normalizers[2].k, 60);
    Document document;
    for (const Normalizer &normalizer : global.normalizers) {
        document[normalizer.name] = "1.5";
    }
    EXPECT_THAT(scores(profile, global, {document}), ElementsAre(9));
}

TEST(Phases, WithoutAnExpression) {
    const RankProfile nothing = compiled("rank-profile test { }");
    EXPECT_EQ(score(nothing, {}), 0);
    EXPECT_FALSE(nothing.second_phase().plan);
    EXPECT_FALSE(nothing.global_phase().plan);
    EXPECT_FALSE(nothing.features().plan);
    ProfileOptions options;
    options.features = {{"nativeRank"}};
    EXPECT_EQ(score(compiled("rank-profile test { }", "test", options), {{"nativeRank", "0.5"}}), 0.5);
}

TEST(Inheritance, BindsLate) {
    constexpr std::string_view text = R"(
rank-profile base {
    function f() { expression: 1 }
    constants { c: 10 }
    inputs { query(q) double: 100 }
    first-phase { expression: f + c + query(q) }
    second-phase { expression: 1
        rerank-count: 3 }
    match-features: f
}
rank-profile middle inherits base {
    function f() { expression: 2 }
}
rank-profile test inherits middle {
    constants { c: 20 }
    inputs { q double: 200 }
    second-phase { rerank-count: 4 }
    match-features inherits base { attribute(a) f }
})";
    EXPECT_EQ(score(compiled(text, "base"), {}), 111);
    EXPECT_EQ(score(compiled(text, "middle"), {}), 112);
    const RankProfile profile = compiled(text, "test", numbers_as_attributes());
    EXPECT_EQ(score(profile, {}), 222);
    EXPECT_EQ(profile.second_phase().rerank_count, 4U);
    EXPECT_EQ(scores(profile, profile.second_phase(), {{}}), std::vector<double>{1});
    EXPECT_THAT(profile.features().match, ElementsAre("f", "attribute(a)"));
    EXPECT_EQ(profile.inputs().size(), 1U);
}

TEST(Inheritance, FromSeveralParents) {
    constexpr std::string_view text = R"(
rank-profile top { function t() { expression: 1000 } }
rank-profile a inherits top { function f() { expression: 1 } }
rank-profile b inherits top { function g() { expression: 10 } }
rank-profile test inherits a, b { first-phase { expression: f + g + t } }
)";
    EXPECT_EQ(score(compiled(text), {}), 1011);
}

TEST(Inheritance, FromProfilesThatEveryEngineHas) {
    constexpr std::string_view text = R"(
rank-profile default inherits default { function f() { expression: 1 } }
rank-profile test inherits default, unranked { first-phase { expression: f } }
)";
    EXPECT_EQ(score(compiled(text), {}), 1);
    EXPECT_EQ(score(compiled("rank-profile test inherits default { first-phase { expression: 2 } }"), {}), 2);
}

TEST(Inheritance, OfTwoDifferentThingsIsAnError) {
    constexpr std::string_view text = R"(
rank-profile a { function f() { expression: 1 } first-phase { expression: 1 } match-features: f }
rank-profile b { function f() { expression: 2 } first-phase { expression: 2 } match-features: now }
rank-profile test inherits a, b { })";
    const auto error = compile_text(text);
    ASSERT_FALSE(error);
    EXPECT_THAT(error.error().render(),
                HasSubstr("4:14: error: rank-profile 'test' inherits the function 'f' from more "
                          "than one parent, and they differ"));
    EXPECT_THAT(error.error().render(), HasSubstr("inherits the expression of first-phase from more than one parent"));
    EXPECT_THAT(error.error().render(), HasSubstr("inherits match-features from more than one parent"));
    EXPECT_EQ(score(compiled(std::string(text.substr(0, text.size() - 1)) +
                             "function f() { expression: 3 } first-phase { expression: f } match-features: f }"),
                    {}),
              3);
}

TEST(Files, HoldExpressions) {
    const std::string text = R"(
rank-profile test {
    function f() { expression: file:f.expression }
    first-phase { expression: file: first }
})";
    EXPECT_EQ(score(compiled(text, "test", {}, {{"f.expression", "# two\n2\n"}, {"first.expression", "f * 10"}}), {}),
              20);
    const auto syntax = compile_text(text, "test", {}, {{"f.expression", "1 +\n * 2"}, {"first.expression", "1"}});
    ASSERT_FALSE(syntax);
    EXPECT_THAT(syntax.error().render(),
                HasSubstr("f.expression:2:2: error: expected a value, but found '*'\n   * 2\n"));
    const auto meaning = compile_text(text, "test", {}, {{"f.expression", "1"}, {"first.expression", "f +\n g"}});
    ASSERT_FALSE(meaning);
    EXPECT_THAT(meaning.error().render(), HasSubstr("first.expression:2:2: error: unknown symbol 'g'"));
    const auto missing = compile_text(text);
    ASSERT_FALSE(missing);
    EXPECT_THAT(missing.error().render(), HasSubstr("test.profile:3:37: error: there is no file f.expression"));
}

}  // namespace
}  // namespace tenrex::phases_test

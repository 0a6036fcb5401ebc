// What a query brings along: inputs that a profile declares, that an application does, and that nobody does.
#include <gmock/gmock.h>

#include "tests/profile/scoring.h"

namespace tenrex {
namespace {

using testing::compile_text;
using testing::compiled;
using testing::Document;
using testing::profile_of;
using testing::score;

TEST(UndeclaredInputs, HaveTheirDefaultsInProperties) {
    const RankProfile profile =
        compiled(profile_of("query(boost) + 10 * $other", "rank-properties {\nquery(boost): 1.5\n$other: \"2\"\n}"));
    EXPECT_EQ(score(profile, {}), 21.5);
    EXPECT_EQ(score(profile, {}, {{"query(boost)", Tensor(3.0)}}), 23);
    EXPECT_TRUE(profile.warnings().empty());
    ASSERT_EQ(profile.inputs().size(), 2U);
    EXPECT_EQ(profile.inputs()[0].name, "query(boost)");
    EXPECT_EQ(profile.inputs()[0].default_value->as_double(), 1.5);
}

TEST(UndeclaredInputs, AreNumbersWithAWarning) {
    const RankProfile profile = compiled(profile_of("1 + query(boost)", "second-phase { expression: query(boost) }"));
    EXPECT_EQ(score(profile, {}), 1);
    EXPECT_EQ(score(profile, {}, {{"boost", Tensor(3.0)}}), 4);
    ASSERT_EQ(profile.warnings().size(), 1U);
    EXPECT_EQ(profile.warnings()[0].message,
              "the input 'query(boost)' is not declared; it is a number, 0 if a query does not give it");
    EXPECT_EQ(profile.warnings()[0].hint, "declare it: inputs { query(boost) double }");
}

TEST(UndeclaredInputs, HaveTheTypesOfTheApplication) {
    ProfileOptions options;
    options.query_inputs = {{"query(user)", *TensorType::parse("tensor(x{})"), std::nullopt}};
    const RankProfile profile = compiled(profile_of("sum(query(user))"), "test", options);
    EXPECT_EQ(score(profile, {}, {{"query(user)", *from_literal("tensor(x{}):{a:1,b:2}")}}), 3);
    EXPECT_TRUE(profile.warnings().empty());
}

constexpr std::string_view vectors_schema = R"(schema s {
    document s { field v type tensor<float>(x[2]) { indexing: attribute } }
    rank-profile of_application { first-phase { expression: distance(field,v) + closeness(v) } }
    rank-profile of_profile inherits of_application { inputs { query(own) tensor(x[2]): [3,4] } }
})";

TEST(UndeclaredInputs, OfTheApplicationAreComparedWithVectors) {
    ProfileOptions options;
    options.query_inputs = {{"query(other)", *TensorType::parse("tensor(x[3])"), std::nullopt},
                            {"query(user)", *TensorType::parse("tensor<float>(x[2])"), std::nullopt}};
    const Document document{{"attribute(v)", "[0,0]"}};
    const RankProfile profile = compiled(vectors_schema, "of_application", options);
    EXPECT_EQ(score(profile, document, {{"query(user)", *from_literal("tensor<float>(x[2]):[0,1]")}}), 1.5);
    EXPECT_TRUE(profile.warnings().empty());

    // What the profile declares comes first.
    EXPECT_EQ(score(compiled(vectors_schema, "of_profile", options), document), 5 + 1. / 6);

    options.query_inputs.push_back({"query(second)", *TensorType::parse("tensor(x[2])"), std::nullopt});
    const auto refused = compile_text(vectors_schema, "of_application", options);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message(),
                ::testing::HasSubstr("query(user) and query(second) could both be compared"));
}

TEST(UndeclaredInputs, WithShortNamesAreNoSlips) {
    EXPECT_EQ(score(compiled(profile_of("query(c) + query(cur)", "inputs { query(cur) double: 3 }")), {}), 3);
    const auto slip = compile_text(profile_of("query(buget)", "inputs { query(budget) double }"));
    ASSERT_FALSE(slip);
    EXPECT_EQ(slip.error().issues().front().hint, "did you mean 'query(budget)'?");
}

TEST(UndeclaredInputs, WithABadDefaultAreRefused) {
    const auto profile = compile_text(profile_of("query(q)", "rank-properties {\nquery(q): [1,2]\n}"));
    ASSERT_FALSE(profile);
    EXPECT_THAT(profile.error().message(), ::testing::HasSubstr("query(q) must be a number, not '[1,2]'"));
}

TEST(Inputs, AreStringsAndNumbersOfAnyName) {
    const RankProfile profile = compiled(
        profile_of("if(query(lang) == \"de\", 1, 2) + query(count) + query(flag)",
                   "inputs {\nquery(lang) string: \"de\"\nquery(count) int: 10\nquery(flag) bool\nquery(big) long\n}"));
    EXPECT_EQ(score(profile, {}), 11);
    EXPECT_EQ(score(profile, {}, {{"query(lang)", Tensor::string("at")}}), 12);
    EXPECT_TRUE(profile.inputs()[0].is_string);
    EXPECT_TRUE(profile.warnings().empty());
}

TEST(Inputs, AndConstantsMayStandOnOneLine) {
    const std::string blocks =
        "inputs { query(a): 1 query(b) tensor(x[2]): [2,3] c string: \"c d\" query(d) query(e) double: -5e0 }\n"
        "constants { half: 0.5 W tensor(x{}): {'u v':7, w:8} V tensor(y[1]): file: v1 w.json\n}";
    const RankProfile profile = compiled(
        profile_of("query(a) + sum(query(b)) + (query(c) == \"c d\") + query(d) + query(e) + half + sum(W) + sum(V)",
                   blocks),
        "test", {}, {{"v1 w.json", "[100]"}});
    EXPECT_EQ(score(profile, {}), 1 + 5 + 1 + 0 - 5 + 0.5 + 15 + 100);
    EXPECT_TRUE(profile.warnings().empty());
    EXPECT_FALSE(compile_text(profile_of("1", "constants { half: 0.5 what }")));
}

TEST(Inputs, AreTheTensorsThatFeaturesMakeOfThem) {
    const RankProfile profile =
        compiled(profile_of("sum(tensorFromWeightedSet(query(w), x) * tensorFromLabels(query(l), x))"
                            " + sum(tensorFromWeightedSet(query(declared), x)) + sum(tensorFromLabels(query(bare)))",
                            "inputs { query(declared) tensor(k{}) }"));
    const std::vector<NamedTensor> values{{"query(w)", *from_literal("tensor(x{}):{a:2,b:3}")},
                                          {"query(l)", *from_literal("tensor(x{}):{b:5,c:7}")},
                                          {"query(declared)", *from_literal("tensor(k{}):{p:100}")},
                                          {"query(bare)", *from_literal("tensor(bare{}):{p:1000}")}};
    EXPECT_EQ(score(profile, {}, values), 1115);
}

}  // namespace
}  // namespace tenrex

// Features: those that the library computes, and those of the engine.
#include <cmath>

#include <gmock/gmock.h>

#include "tests/profile/scoring.h"

namespace tenrex {
namespace {

using testing::compile_text;
using testing::compiled;
using testing::Document;
using testing::profile_of;
using testing::score;
using testing::some_time;
using testing::value_of;

// What a schema block around a profile declares.
std::string schema_of(std::string_view expression, std::string_view rest = "") {
    return R"(
schema music {
    document music {
        field price type float { indexing: summary | attribute }
        field genre type string { indexing: attribute }
        field released type long { indexing: attribute }
        field years type array<int> { indexing: summary | attribute }
        field tags type weightedset<string> { indexing { attribute } }
        field moods type array<string> { indexing: attribute }
        field vector type tensor<float>(x[2]) {
            indexing: attribute | index
            attribute { distance-metric: euclidean }
        }
        field angular type tensor<float>(x[2]) {
            indexing: attribute
            attribute: distance-metric: angular
        }
        field dot type tensor<float>(x[2]) {
            attribute { distance-metric: dotproduct }
            indexing: attribute
        }
        field normal type tensor<float>(x[2]) { indexing: attribute
            attribute { distance-metric: prenormalized-angular } }
        field bits type tensor<int8>(b[2]) {
            indexing: attribute
            attribute { distance-metric: hamming }
        }
        field chunks type tensor<float>(p{},x[2]) { indexing: attribute }
        field title type string { indexing: index | summary }
        field place type position { indexing: attribute }
    }
)" + profile_of(expression, rest) +
           "}\n";
}

double schema_value(std::string_view expression, const Document &document, std::string_view rest = "",
                    const ProfileOptions &options = {}) {
    return score(compiled(schema_of(expression, rest), "test", options), document);
}

constexpr std::string_view vector_input = "inputs { query(q) tensor<float>(x[2]): [3,4] }";

TEST(Attributes, ComeFromTheSchema) {
    const auto set = ProfileSet::parse(schema_of("1"), "music.sd");
    ASSERT_TRUE(set);
    std::vector<std::string> names;
    for (const Attribute &attribute : set->attributes()) {
        names.push_back(attribute.name);
    }
    EXPECT_THAT(names, ::testing::ElementsAre("price", "genre", "released", "years", "tags", "moods", "vector",
                                              "angular", "dot", "normal", "bits", "chunks"));
    EXPECT_EQ(set->attributes()[4].kind, AttributeKind::weighted_set);
    EXPECT_TRUE(set->attributes()[4].of_strings);
    EXPECT_EQ(set->attributes()[7].metric, DistanceMetric::angular);
    EXPECT_EQ(set->attributes()[11].type.to_string(), "tensor<float>(p{},x[2])");
}

TEST(Attributes, AreNumbersAndStrings) {
    const RankProfile profile =
        compiled(schema_of("attribute(price) + 10 * (attribute(genre) == \"rock\") + "
                           "100 * attribute(price).count"));
    ASSERT_EQ(profile.columns().size(), 2U);
    EXPECT_EQ(profile.columns()[0].source, ColumnSource::attribute);
    EXPECT_EQ(profile.columns()[0].argument, "price");
    std::vector<Tensor> genres = {Tensor(string_number("rock")), Tensor(string_number("jazz"))};
    ColumnBuffer price({}, profile.labels());
    ColumnBuffer genre({}, profile.labels());
    for (const Tensor &one : genres) {
        price.append(2.0);
        ASSERT_TRUE(genre.append(one));
    }
    const Column columns[] = {price.column(), genre.column()};
    const Plan &plan = *profile.first_phase().plan;
    Context context(plan);
    std::vector<double> result(2);
    ASSERT_TRUE(plan.bind(*profile.query_values({}, 0))->evaluate({2, columns}, context, result));
    EXPECT_THAT(result, ::testing::ElementsAre(112, 102));
}

TEST(Attributes, ArraysAndWeightedSetsHaveElements) {
    const Document document{{"attribute(years)", "{0:1999,1:2004}"}, {"attribute(tags)", "{a:3,\"b c\":0}"}};
    EXPECT_EQ(schema_value("attribute(years,1) + attribute(years,5) + attribute(years).count", document), 2006);
    EXPECT_EQ(schema_value("attribute(tags,a).weight + 10 * attribute(tags,a).contains", document), 13);
    EXPECT_EQ(schema_value("attribute(tags,\"b c\").contains + 10 * attribute(tags,z).contains", document), 1);
    EXPECT_EQ(schema_value("attribute(tags,a) + attribute(tags).count", document), 5);
}

TEST(Attributes, BecomeTensors) {
    const Document document{{"attribute(tags)", "{a:3,b:5}"}, {"labels(moods)", "{calm:2,dark:1}"}};
    EXPECT_EQ(schema_value("sum(tensorFromWeightedSet(attribute(tags),t) * tensor(t{}):{b:10,c:7})", document), 50);
    EXPECT_EQ(schema_value("sum(tensorFromLabels(attribute(moods),m) * tensor(m{}):{calm:4,x:7})", document), 4);
    const RankProfile profile = compiled(schema_of("sum(tensorFromLabels(attribute(moods)), moods)"));
    ASSERT_EQ(profile.columns().size(), 1U);
    EXPECT_EQ(profile.columns()[0].source, ColumnSource::labels);
    EXPECT_EQ(profile.columns()[0].argument, "moods");
    EXPECT_EQ(profile.columns()[0].type.to_string(), "tensor(value{})");
}

TEST(Closeness, FollowsTheMetricOfTheField) {
    const Document document{{"attribute(vector)", "[0,0]"}, {"attribute(angular)", "[4,-3]"},
                            {"attribute(dot)", "[1,2]"},    {"attribute(normal)", "[-3,-4]"},
                            {"attribute(bits)", "[3,1]"},   {"attribute(chunks)", "{a:[3,4],b:[6,8]}"}};
    EXPECT_DOUBLE_EQ(schema_value("distance(field,vector)", document, vector_input), 5);
    EXPECT_DOUBLE_EQ(schema_value("closeness(field,vector)", document, vector_input), 1.0 / 6);
    EXPECT_NEAR(schema_value("distance(field,angular)", document, vector_input), std::acos(0), 1e-6);
    EXPECT_NEAR(schema_value("closeness(angular)", document, vector_input), 1 / (1 + std::acos(0)), 1e-6);
    EXPECT_DOUBLE_EQ(schema_value("distance(field,dot)", document, vector_input), -11);
    EXPECT_DOUBLE_EQ(schema_value("closeness(field,dot)", document, vector_input), 11);
    EXPECT_DOUBLE_EQ(schema_value("distance(field,normal)", document, vector_input), 2);
    EXPECT_DOUBLE_EQ(schema_value("closeness(field,normal)", document, vector_input), 1.0 / 3);
    EXPECT_DOUBLE_EQ(schema_value("distance(field,bits)", document, "inputs { query(b) tensor<int8>(b[2]): [0,0] }"),
                     3);
    EXPECT_DOUBLE_EQ(schema_value("closeness(field,chunks)", document, vector_input), 1);
    EXPECT_DOUBLE_EQ(schema_value("distance(field,chunks)", document, vector_input), 0);
    const Document nothing{{"attribute(chunks)", "{}"}};
    EXPECT_EQ(schema_value("closeness(field,chunks)", nothing, vector_input), 0);
    EXPECT_GT(schema_value("distance(field,chunks)", nothing, vector_input), 1e308);
}

// The angle between two directions from the middle of the earth, times its radius.
double kilometers(double latitude, double longitude, double other_latitude, double other_longitude) {
    const double degree = std::acos(-1) / 180;
    const double cosine = std::sin(latitude * degree) * std::sin(other_latitude * degree) +
                          std::cos(latitude * degree) * std::cos(other_latitude * degree) *
                              std::cos((longitude - other_longitude) * degree);
    return 6371.0088 * std::acos(cosine);
}

TEST(Closeness, OfPlacesIsOnTheGround) {
    const auto schema = [](const std::string &expression) {
        return R"(schema map {
    document map {
        field place type tensor(x[2]) { indexing: attribute | index
            index { hnsw { distance-metric: GeoDegrees } } }
        field shops type tensor<float>(s{},x[2]) { indexing: attribute
            attribute { distance-metric: geodegrees } }
        field wrong type tensor(y[3]) { indexing: attribute
            attribute { distance-metric: geodegrees } }
    }
    rank-profile test {
        inputs { query(here) tensor(x[2]): [59.9139, 10.7522]
            query(y) tensor(y[3]) }
        first-phase { expression: )" +
               expression + " } } }";
    };
    const Document far{{"attribute(place)", "[63.4305, 10.3951]"}};
    const double distance = kilometers(59.9139, 10.7522, 63.4305, 10.3951);
    EXPECT_NEAR(score(compiled(schema("distance(field,place)")), far), distance, 1e-6);
    EXPECT_NEAR(distance, 391.5, 0.5);
    EXPECT_NEAR(score(compiled(schema("closeness(place)")), far), 1 / (1 + distance), 1e-12);
    EXPECT_EQ(score(compiled(schema("distance(place)")), {{"attribute(place)", "[59.9139, 10.7522]"}}), 0);
    // The other side of the earth, where rounding must not leave the sphere.
    EXPECT_NEAR(score(compiled(schema("distance(place)")), {{"attribute(place)", "[-59.9139, -169.2478]"}}),
                6371.0088 * std::acos(-1), 1e-3);
    const Document shops{{"attribute(shops)", "{a:[63.4305,10.3951],b:[60,11],c:[-30,100]}"}};
    EXPECT_NEAR(score(compiled(schema("distance(field,shops)")), shops), kilometers(59.9139, 10.7522, 60, 11), 1e-3);
    const auto refused = compile_text(schema("distance(field,wrong)"));
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message(),
                ::testing::HasSubstr("geodegrees is the distance of places, but 'wrong' is a tensor: tensor(y[3])"));
}

TEST(Closeness, ComparesWithTheInputThatTheEngineNames) {
    constexpr std::string_view two =
        "inputs { query(q) tensor<float>(x[2]): [0,0]\n query(r) tensor<float>(x[2]): [0,9] }";
    const Document document{{"attribute(vector)", "[0,0]"}};
    const auto error = compile_text(schema_of("closeness(field,vector)", two));
    ASSERT_FALSE(error);
    EXPECT_THAT(error.error().message(), ::testing::HasSubstr("query(q) and query(r) could both be compared"));
    ProfileOptions options;
    options.nearest_neighbors = {{"nearest", "vector", "r"}};
    EXPECT_EQ(schema_value("distance(field,vector)", document, two, options), 9);
    EXPECT_EQ(schema_value("distance(label,nearest)", document, two, options), 9);
}

TEST(Time, AgeAndFreshness) {
    const auto at_age = [](double age) { return Document{{"attribute(released)", std::to_string(some_time - age)}}; };
    EXPECT_EQ(schema_value("now", {}), some_time);
    EXPECT_EQ(schema_value("age(released)", at_age(50)), 50);
    EXPECT_EQ(schema_value("age(released)", at_age(-50)), 0);
    EXPECT_EQ(schema_value("age(released)", {{"attribute(released)", "nan"}}), 1e10);
    EXPECT_DOUBLE_EQ(schema_value("freshness(released)", at_age(7776000 / 4)), 0.75);
    EXPECT_EQ(schema_value("freshness(released)", at_age(1e9)), 0);
    EXPECT_NEAR(schema_value("freshness(released).logscale", at_age(604800)), 0.5, 1e-12);
    EXPECT_NEAR(schema_value("freshness(released).logscale", at_age(0)), 1, 1e-12);
    EXPECT_EQ(schema_value("freshness(released).logscale", at_age(1e9)), 0);
    constexpr std::string_view properties = R"(rank-properties {
        freshness(released).maxAge: 1000
        freshness(released).halfResponse: "100"
    })";
    EXPECT_DOUBLE_EQ(schema_value("freshness(released)", at_age(100), properties), 0.9);
    EXPECT_NEAR(schema_value("freshness(released).logscale", at_age(100), properties), 0.5, 1e-12);
}

TEST(Random, IsAColumnThatTheLibraryDefines) {
    const RankProfile profile = compiled(schema_of("random + random.match"));
    ASSERT_EQ(profile.columns().size(), 2U);
    EXPECT_EQ(profile.columns()[0].source, ColumnSource::random);
    EXPECT_EQ(profile.columns()[1].name, "random.match");
    double sum = 0;
    for (std::uint64_t document = 0; document < 1000; ++document) {
        const double number = random_number(1, document, "random");
        EXPECT_GE(number, 0);
        EXPECT_LT(number, 1);
        EXPECT_EQ(number, random_number(1, document, "random"));
        EXPECT_NE(number, random_number(2, document, "random"));
        EXPECT_NE(number, random_number(1, document, "random.match"));
        sum += number;
    }
    EXPECT_NEAR(sum / 1000, 0.5, 0.05);
}

TEST(HostFeatures, AreColumnsOfTheirNames) {
    ProfileOptions options;
    options.features = {{"bm25(title)"}, {"matches( title )"}, {"nativeRank"}};
    options.host_feature = [](std::string_view name) -> std::optional<TensorType> {
        return name.starts_with("fieldMatch(") ? std::optional(TensorType()) : std::nullopt;
    };
    const RankProfile profile = compiled(
        profile_of("bm25( title ) + 10 * matches(title) + 100 * fieldMatch(body).completeness + 1000 * nativeRank"),
        "test", options);
    EXPECT_EQ(profile.columns()[0].source, ColumnSource::host);
    EXPECT_EQ(score(profile, {{"bm25(title)", "1"},
                              {"matches(title)", "2"},
                              {"fieldMatch(body).completeness", "3"},
                              {"nativeRank", "4"}}),
              4321);
    const auto error = compile_text(profile_of("bm25(titel)"), "test", options);
    ASSERT_FALSE(error);
    EXPECT_THAT(error.error().message(),
                ::testing::HasSubstr("there is no function or feature 'bm25(titel)' (did you mean 'bm25(title)'?)"));
}

TEST(HostFeatures, MayHaveTheNameOfAFunctionOfAnotherProfile) {
    ProfileOptions options;
    options.features = {{"bm25(title)"}};
    const std::string other = "rank-profile other { function bm25(field) { expression: 1 } }\n";
    EXPECT_EQ(score(compiled(other + profile_of("bm25(title)"), "test", options), {{"bm25(title)", "6"}}), 6);
}

constexpr std::string_view structs = R"(schema shop {
    document shop {
        struct offer {
            field price type int { }
            field seller type string { }
        }
        struct person { field age type int { } }
        field owner type person { struct-field age { indexing: attribute } }
        field offers type array<offer> {
            indexing: summary
            struct-field price { indexing: attribute }
            struct-field seller { indexing: attribute }
        }
        field stock type map<string, int> {
            struct-field key { indexing: attribute }
            struct-field value { indexing: attribute }
        }
    }
)";

TEST(Structs, HaveMembersThatAreAttributes) {
    const std::string text = std::string(structs) +
                             profile_of(
                                 "attribute(owner.age) + reduce(attribute(offers.price), max) + "
                                 "sum(attribute(stock.value)) + attribute(stock.key).count") +
                             "}";
    const RankProfile profile = compiled(text);
    const Document document{{"attribute(owner.age)", "40"},
                            {"attribute(offers.price)", "{0:7,1:9}"},
                            {"attribute(stock.value)", "{0:100,1:200}"},
                            {"attribute(stock.key)", "{0:1,1:2}"}};
    EXPECT_EQ(score(profile, document), 351);
    for (const Attribute &attribute : profile.attributes()) {
        EXPECT_TRUE(attribute.of_struct) << attribute.name;
    }
    EXPECT_EQ(profile.attributes()[2].name, "offers.seller");
    EXPECT_TRUE(profile.attributes()[2].of_strings);
}

TEST(Structs, HaveTheMembersOfThoseThatTheyInherit) {
    const RankProfile profile = compiled(R"(schema shop {
    document shop {
        struct base { field age type int { } }
        struct person inherits base { field name type string { } }
        struct loop inherits loop { }
        field owner type person { struct-field age { indexing: attribute } }
        field none type loop { struct-field age { indexing: attribute } }
    }
)" + profile_of("attribute(owner.age)") + "}");
    EXPECT_EQ(score(profile, {{"attribute(owner.age)", "40"}}), 40);
}

TEST(Structs, BecomeTensors) {
    const RankProfile profile = compiled(
        std::string(structs) + profile_of("sum(tensorFromStructs(attribute(offers), seller, price, float))") + "}");
    ASSERT_EQ(profile.columns().size(), 1U);
    const ColumnNeed &need = profile.columns().front();
    EXPECT_EQ(need.source, ColumnSource::structs);
    EXPECT_EQ(need.type.to_string(), "tensor<float>(seller{})");
    EXPECT_EQ(need.argument, "offers");
    EXPECT_THAT(need.members, ::testing::ElementsAre("seller", "price"));
    EXPECT_EQ(score(profile, {{need.name, "{anna:3,ben:4}"}}), 7);
    const auto refused =
        compile_text(profile_of("sum(tensorFromStructs(attribute(offers), \"seller\", \"price\", \"real\"))"));
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message(), ::testing::HasSubstr("'real' is no cell type"));
}

TEST(Structs, HaveSeveralKeys) {
    const RankProfile profile = compiled(
        std::string(structs) +
        profile_of("sum(tensorFromStructs(attribute(offers), seller, place, price, double) * tensor(place{}):{b:2})") +
        "}");
    const ColumnNeed &need = profile.columns().front();
    EXPECT_EQ(need.type.to_string(), "tensor(place{},seller{})");
    EXPECT_THAT(need.members, ::testing::ElementsAre("seller", "place", "price"));
    EXPECT_EQ(score(profile, {{need.name, "{{place:a,seller:x}:3,{place:b,seller:x}:4}"}}), 8);
    for (const char *wrong : {"tensorFromStructs(attribute(offers), a, b, c, d, e, f, price, float)",
                              "tensorFromStructs(attribute(offers), a, a, price, float)",
                              "tensorFromStructs(attribute(offers), price, float)"}) {
        EXPECT_FALSE(compile_text(profile_of("sum(" + std::string(wrong) + ")"))) << wrong;
    }
}

}  // namespace
}  // namespace tenrex

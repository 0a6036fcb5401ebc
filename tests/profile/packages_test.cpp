// What profiles of applications consist of: schemas that inherit, imported fields, features of an
// engine.
#include <limits>

#include <gmock/gmock.h>

#include "tests/profile/scoring.h"

namespace tenrex::packages_test {
namespace {

using testing::compile_text;
using testing::compiled;
using testing::Document;
using testing::Files;
using testing::loader_of;
using testing::profile_of;
using testing::score;

std::vector<std::string> messages(const std::vector<Issue> &issues) {
    std::vector<std::string> all;
    for (const Issue &issue : issues) {
        all.push_back(issue.message + (issue.hint.empty() ? "" : " | " + issue.hint));
    }
    return all;
}

// ---- fields

TEST(Fields, HaveTypesAndParentsAsTheyWereWrittenOnce) {
    const Files files{{"plain.sd", "document plain { field m type float { indexing: attribute } }"}};
    EXPECT_EQ(score(compiled("search s { document s inherits plain { field a type int[] { indexing: attribute } }\n"
                             "rank-profile test { first-phase { expression: attribute(a,1) + attribute(m) } } }",
                             "test", {}, files),
                    {{"attribute(a)", "{0:1,1:20}"}, {"attribute(m)", "3"}}),
              23);
}

TEST(Settings, MayStandOnOneLine) {
    const RankProfile profile = compiled(
        "rank-profile test { first-phase { rank-score-drop-limit: -1.5 expression: 2 }\n"
        "second-phase { rerank-count: 7 expression: firstPhase + 1 } }");
    ASSERT_TRUE(profile.second_phase().plan);
    EXPECT_EQ(profile.second_phase().rerank_count, 7U);
    EXPECT_FALSE(compile_text("rank-profile test { second-phase { expression: 1\n rerank-count: 1 000 } }"));
}

// ---- schemas

constexpr std::string_view base_schema = R"(schema base {
    document base {
        field price type int { indexing: attribute }
        field genre type string { indexing: attribute }
    }
    constant weights { file: w.json type: tensor(x[2]) }
    rank-profile cheap { function worth() { expression: 100 - attribute(price) } }
})";

TEST(Schemas, InheritFieldsConstantsAndProfiles) {
    const std::string text = R"(schema child inherits base {
    document child inherits base {
        field stars type int { indexing: attribute }
        field genre type int { indexing: attribute }
    }
    rank-profile test inherits cheap {
        first-phase { expression: worth + attribute(stars) + attribute(genre) + sum(constant(weights)) }
    }
})";
    const Files files{{"base.sd", std::string(base_schema)}, {"w.json", "[1,2]"}};
    const RankProfile profile = compiled(text, "test", {}, files);
    EXPECT_EQ(score(profile, {{"attribute(price)", "30"}, {"attribute(stars)", "4"}, {"attribute(genre)", "5"}}), 82);
    const auto set = ProfileSet::parse(text, "child.sd", loader_of(files));
    EXPECT_THAT(set->names(), ::testing::ElementsAre("test"));
    EXPECT_TRUE(set->has("cheap"));
    EXPECT_TRUE(set->warnings().empty());
}

TEST(Schemas, ThatCannotBeReadAreWarnedAbout) {
    const auto set =
        ProfileSet::parse("schema child inherits base {\nrank-profile a { }\n}", "child.sd", loader_of({}));
    ASSERT_TRUE(set);
    EXPECT_THAT(messages(set->warnings()),
                ::testing::ElementsAre("what is inherited from 'base' is not known: there is no file base.sd"));
}

TEST(Schemas, PlaceMistakesOfParentsInTheirFiles) {
    const Files files{{"base.sd", "schema base {\nrank-profile p {\nfirst-phase { expression: 1 + }\n}\n}"}};
    const auto set = ProfileSet::parse("schema child inherits base {\nrank-profile a inherits p { }\n}", "child.sd",
                                       loader_of(files));
    ASSERT_FALSE(set);
    const Issue &issue = set.error().issues().front();
    EXPECT_EQ(issue.source_name, "base.sd");
    EXPECT_EQ(issue.line, 3U);
    EXPECT_EQ(issue.column, 30U);
}

TEST(Schemas, ThatInheritEachOtherEnd) {
    const Files files{{"a.sd", "schema a inherits b { rank-profile p { } }"}, {"b.sd", "schema b inherits a { }"}};
    EXPECT_TRUE(ProfileSet::parse(files.at("a.sd"), "a.sd", loader_of(files)));
}

TEST(Schemas, HaveProfilesInFilesOfTheirOwn) {
    const auto set = ProfileSet::parse(
        {{"doc.sd", "schema doc {\ndocument doc { field price type int { indexing: attribute } }\n}"},
         {"doc/one.profile", "rank-profile one inherits two { first-phase { expression: worth } }"},
         {"doc/two.profile", "rank-profile two { function worth() { expression: attribute(price) } }"}});
    ASSERT_TRUE(set) << set.error().render();
    EXPECT_THAT(set->names(), ::testing::ElementsAre("one", "two"));
    const auto profile = compile_profile(*set, "one");
    ASSERT_TRUE(profile) << profile.error().render();
    EXPECT_EQ(score(*profile, {{"attribute(price)", "7"}}), 7);
    const auto wrong = ProfileSet::parse({{"doc.sd", "schema doc { }"}, {"doc/p.profile", "rank-profile p {\nx ^\n"}});
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().issues().back().source_name, "doc/p.profile");
}

TEST(Schemas, ImportFieldsOfOtherDocuments) {
    const std::string text = R"(schema song {
    document song {
        field artist type reference<artist> { indexing: attribute }
    }
    import field artist.fame as artist_fame { }
    import field artist.label_size as size { }
    rank-profile test { first-phase { expression: attribute(artist_fame) * sum(attribute(size)) } }
})";
    const Files files{
        {"artist.sd", R"(schema artist {
    document artist {
        field fame type float { indexing: attribute }
        field label type reference<label> { indexing: attribute }
    }
    import field label.size as label_size { }
})"},
        {"label.sd", "schema label { document label { field size type tensor(x[2]) { indexing: attribute } } }"}};
    const RankProfile profile = compiled(text, "test", {}, files);
    EXPECT_EQ(score(profile, {{"attribute(artist_fame)", "3"}, {"attribute(size)", "[4,5]"}}), 27);
    const auto refused = compile_text(text, "test");
    ASSERT_FALSE(refused);
    EXPECT_THAT(
        refused.error().message(),
        ::testing::HasSubstr("the field 'artist_fame' is imported by way of artist, and what it is there is not "
                             "known"));
}

TEST(Schemas, ImportStructsWithTheirMembers) {
    const std::string text = R"(schema song {
    document song { field shop type reference<shop> { indexing: attribute } }
    import field shop.offers as my_offers { }
    import field shop.stock as my_stock { }
    rank-profile test { first-phase {
        expression: sum(attribute(my_offers.price)) + attribute(my_stock.key).count } }
})";
    const Files files{{"shop.sd", R"(schema shop {
    document shop {
        struct offer { field price type int { } }
        field offers type array<offer> { struct-field price { indexing: attribute } }
        field stock type map<string, int> { struct-field key { indexing: attribute } }
    }
})"}};
    const RankProfile profile = compiled(text, "test", {}, files);
    EXPECT_EQ(
        score(profile, {{"attribute(my_offers.price)", "{0:7,1:9}"}, {"attribute(my_stock.key)", "{0:1,1:2,2:3}"}}),
        19);
}

TEST(Schemas, NameConstantsThatAreElsewhere) {
    const auto message = [](std::string_view file) {
        const auto refused = compile_text("schema s {\nconstant c {\n" + std::string(file) +
                                          "\ntype: tensor(x[2])\n}\n" + profile_of("sum(constant(c))") + "}");
        return refused ? std::string() : refused.error().message();
    };
    EXPECT_THAT(message("uri: https://example.com/c.json"),
                ::testing::HasSubstr("constant 'c' is at a URI, and nothing is fetched (get the file and write file:"));
    EXPECT_THAT(message("file: c.json.lz4"),
                ::testing::HasSubstr("c.json.lz4 is packed with LZ4, which is not read here (unpack it"));
}

// ---- expressions as Java reads them

TEST(Literals, MayBeFlat) {
    const auto value = [](std::string_view text) { return score(compiled(profile_of(std::string(text))), {}); };
    EXPECT_EQ(value("tensor(x[2],y[3]):[1,2,3,4,5,6]{x:1,y:0}"), 4);
    EXPECT_EQ(value("tensor(a[2],b[2],c[2]):[0,0,0,1,0,0,2*3,0]{a:1,b:1,c:0}"), 6);
    EXPECT_EQ(value("tensor(x[2],y[3]):[[1,2,3],[4,5,6]]{x:1,y:0}"), 4);
    const auto refused = compile_text(profile_of("sum(tensor(x[2],y[3]):[1,2,3,4])"));
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message(), ::testing::HasSubstr("the list has 4 cells, but the dimensions have 6"));
    EXPECT_FALSE(compile_text(profile_of("sum(tensor(x[4294967295],y[4294967295],z[4294967295]):[1])")));
    EXPECT_FALSE(compile_text(profile_of("sum(tensor(k{},x[2],y[2]):{a:[1,2,3,4]})")));
}

TEST(Models, OfOtherFormatsAreNamed) {
    const auto refused = compile_text(profile_of("sum(tensorflow(\"blog/saved\"))"));
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message(),
                ::testing::HasSubstr("models in this format are not read (convert it to ONNX"));
}

// ---- features of an engine

ProfileOptions all_features() {
    ProfileOptions options;
    options.host_feature = [](std::string_view name) {
        const auto known = engine_feature(name);
        return known ? std::optional(known->type) : std::nullopt;
    };
    return options;
}

TEST(EngineFeatures, HaveNamesTypesAndValues) {
    EXPECT_EQ(engine_feature("bm25(title)")->value, 0);
    EXPECT_EQ(engine_feature("nativeRank")->value, 0);
    EXPECT_EQ(engine_feature("fieldTermMatch(title, 2).firstPosition")->value, 1000000);
    EXPECT_EQ(engine_feature("fieldTermMatch(title,2).occurrences")->value, 0);
    EXPECT_EQ(engine_feature("term(0).weight")->value, 100);
    EXPECT_EQ(engine_feature("distance(place)")->value, 6400000000);
    EXPECT_EQ(engine_feature("distance(place).km")->value, 711648.5);
    EXPECT_EQ(engine_feature("distance(label,nn)")->value, std::numeric_limits<double>::max());
    EXPECT_EQ(engine_feature("elementwise(bm25(chunks), chunk, float)")->type.to_string(), "tensor<float>(chunk{})");
    EXPECT_EQ(engine_feature("elementwise(bm25(chunks),chunk)")->type.to_string(), "tensor(chunk{})");
    EXPECT_EQ(engine_feature("queryTermDocumentFrequency(title)")->type.to_string(), "tensor(term{})");
    EXPECT_EQ(engine_feature("bm25_for_labels(title)")->type.to_string(), "tensor(label{})");
    EXPECT_EQ(engine_feature("bm25(field: title, label: here)")->type.to_string(), "double");
    EXPECT_EQ(engine_feature("great_circle_distance(place).latitude")->value, 90);
    EXPECT_EQ(engine_feature("great_circle_distance(place).km")->value, std::numeric_limits<double>::max());
    EXPECT_EQ(engine_feature("subqueries(ads).lsb")->value, 0);
    EXPECT_EQ(engine_feature("num_docs_indexed")->type.to_string(), "double");
    EXPECT_EQ(engine_feature("tensorFromLabelsWithOffset(attribute(a.b),\"label\",offset)")->type.to_string(),
              "tensor(label{},offset{})");
    EXPECT_FALSE(engine_feature("tensorFromLabelsWithOffset(attribute(a),label)"));
    EXPECT_FALSE(engine_feature("elementwise(bm25(chunks))"));
    EXPECT_FALSE(engine_feature("bm26(title)"));
    EXPECT_FALSE(engine_feature("attribute(price)"));
    EXPECT_FALSE(engine_feature(""));
}

TEST(EngineFeatures, MayAllBeDeclaredAtOnce) {
    const RankProfile profile = compiled(
        profile_of("bm25(title) + nativeRank + sum(elementwise(bm25(chunks),chunk,float)) + distance(place).km"),
        "test", all_features());
    EXPECT_EQ(score(profile, {{"bm25(title)", "1"},
                              {"nativeRank", "2"},
                              {"elementwise(bm25(chunks),chunk,float)", "{0:3,1:4}"},
                              {"distance(place).km", "10"}}),
              20);
    const auto mistyped = compile_text(profile_of("bm26(title)"), "test", all_features());
    ASSERT_FALSE(mistyped);
    EXPECT_THAT(mistyped.error().message(), ::testing::HasSubstr("there is no function or feature 'bm26(title)'"));
}

TEST(EngineFeatures, MayHaveEmptyParentheses) {
    const RankProfile profile = compiled(profile_of("nativeRank() + now() + value(0.5)"), "test", all_features());
    EXPECT_EQ(score(profile, {{"nativeRank", "2"}}), 2.5 + testing::some_time);
    for (const char *wrong : {"value()", "value(x)", "value(1,2)", "now(1)"}) {
        EXPECT_FALSE(compile_text(profile_of(wrong))) << wrong;
    }
}

TEST(EngineFeatures, AreTheHintForWhatIsNotDeclared) {
    for (const char *feature : {"bm25(title)", "nativeRank", "queryTermCount", "matches(title)"}) {
        const auto profile = compile_text(profile_of(feature));
        ASSERT_FALSE(profile) << feature;
        EXPECT_THAT(profile.error().message(), ::testing::HasSubstr("--feature '*' declares all")) << feature;
    }
}

constexpr std::string_view vectors = R"(schema s {
    document s {
        field many type tensor<float>(m{},x[2]) { indexing: attribute }
        field one type tensor<float>(x[2]) { indexing: attribute }
        field place type position { indexing: attribute }
    }
)";
constexpr std::string_view input = "inputs { query(q) tensor<float>(x[2]): [3,4] }";

TEST(EngineFeatures, AreTheNearnessThatVectorsDoNotTell) {
    const RankProfile profile = compiled(
        std::string(vectors) +
            profile_of("closeness(label,nn) + distance(place) + closeness(place).logscale + closeness(field,one)",
                       input) +
            "}",
        "test", all_features());
    EXPECT_EQ(score(profile, {{"closeness(label,nn)", "1"},
                              {"distance(place)", "20"},
                              {"closeness(place).logscale", "300"},
                              {"attribute(one)", "[3,4]"}}),
              322);
    const auto by_label = compile_text(std::string(vectors) + profile_of("closeness(label,nn)", input) + "}");
    ASSERT_FALSE(by_label);
    EXPECT_THAT(by_label.error().message(), ::testing::HasSubstr("no nearest neighbor search labelled 'nn'"));
}

TEST(Closest, IsTheLabelOfTheNearestVector) {
    const auto text = [](std::string_view expression) {
        return std::string(vectors) + profile_of(expression, input) + "}";
    };
    const Document document{{"attribute(many)", "{a:[0,0],b:[3,5],c:[9,9]}"}};
    EXPECT_EQ(
        score(compiled(text("closest(many){m:b} + 10 * closest(many){m:a} + 100 * sum(closest(many))")), document),
        101);
    EXPECT_EQ(score(compiled(text("sum(closest(many))")), {{"attribute(many)", "{}"}}), 0);
    // The search of a label that nobody names is the only one that fits.
    EXPECT_EQ(score(compiled(text("closest(many,search){m:b}")), document),
              score(compiled(text("closest(many){m:b}")), document));
    const auto single = compile_text(text("sum(closest(one))"));
    ASSERT_FALSE(single);
    EXPECT_THAT(single.error().message(), ::testing::HasSubstr("'one' has one for a document"));
}

}  // namespace
}  // namespace tenrex::packages_test

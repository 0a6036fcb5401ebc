// Statements "indexing: input title | embed e5 | attribute": what attributes are made of.
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tenrex/rank_profile.h>

namespace tenrex {
namespace {

std::vector<std::string> warnings_of(const ProfileSet &set) {
    std::vector<std::string> all;
    for (const Issue &warning : set.warnings()) {
        all.push_back(warning.message + (warning.hint.empty() ? "" : " | " + warning.hint));
    }
    return all;
}

TEST(Indexing, SaysWhatIsEmbedded) {
    const auto schema = [](std::string_view statement) {
        return "schema a {\ndocument a {\nfield title type string { }\nfield body type string { }\n}\n"
               "field v type tensor<float>(x[4]) {\nindexing" +
               std::string(statement) + "\n}\nrank-profile p { }\n}";
    };
    struct Case {
        std::string_view statement;
        std::string_view embedder;
        std::string_view parts;  // [field/what stands for it], and what stands between fields
    };
    for (const Case &each :
         {Case{": input title | embed e5-small | attribute | index", "e5-small", "[title]"},
          Case{": input title | embed | attribute", "", "[title]"},
          Case{" { input title|embed e5|attribute; }", "e5", "[title]"},
          Case{R"(: "a \"b" . input title . " " . (input body || "") | embed e5 | attribute)", "e5",
               R"(a "b[title] [body/])"},
          Case{R"(: ("x") . (input body) | embed m/v1.2 | attribute)", "m/v1.2", "x[body]"},
          Case{R"(: input body | for_each { "a: " . _ . "." } | embed e5 | attribute)", "e5", "a: [body]."},
          Case{R"({ input title . "!" | for_each { _ } | embed | attribute; })", "", "[title]!"}}) {
        const auto set = ProfileSet::parse(schema(each.statement), "a.sd");
        ASSERT_TRUE(set) << set.error().render();
        EXPECT_TRUE(set->warnings().empty()) << each.statement;
        ASSERT_EQ(set->attributes().size(), 1U);
        const auto &embedded = set->attributes().front().embedded;
        ASSERT_TRUE(embedded) << each.statement;
        EXPECT_EQ(embedded->embedder, each.embedder);
        std::string parts;
        for (const TextPart &part : embedded->parts) {
            const std::string otherwise = part.otherwise ? "/" + *part.otherwise : "";
            parts += part.is_field ? "[" + part.text + otherwise + "]" : part.text;
        }
        EXPECT_EQ(parts, each.parts);
    }
}

TEST(Indexing, IsWarnedOfIfItIsNotKnown) {
    const auto warnings = [](const std::string &type, const std::string &statement) {
        const auto set = ProfileSet::parse("schema a {\nfield title type string { }\nfield v type " + type +
                                               " {\nindexing: " + statement + "\n}\nrank-profile p { }\n}",
                                           "a.sd");
        return set ? warnings_of(*set) : std::vector<std::string>{set.error().render()};
    };
    const std::string vector = "tensor<float>(x[4])";
    for (const char *const statement :
         {"input title | for_each { embed e5 } | attribute",
          "input title | for_each { input body } | embed e5 | attribute", "input title . _ | embed e5 | attribute",
          "input title | embed e5 paragraph | attribute", "title | embed e5 | attribute",
          "input title . | embed e5 | attribute", "(input title | embed e5 | attribute",
          "(input title || body) | embed e5 | attribute", "input | embed e5 | attribute", "embed e5 | attribute"}) {
        EXPECT_THAT(
            warnings(vector, statement),
            ::testing::ElementsAre("how v is embedded is not known here | documents bring it along; what is known "
                                   "looks like input title | embed e5 | attribute"))
            << statement;
    }
    EXPECT_THAT(warnings(vector, "input titel | embed e5 | attribute"),
                ::testing::ElementsAre("v embeds the field 'titel', which is not declared | did you mean 'title'?"));
    EXPECT_THAT(warnings("double", "input embed | attribute"), ::testing::IsEmpty());
    EXPECT_THAT(warnings(vector, "attribute | embedded"), ::testing::IsEmpty());
}

}  // namespace
}  // namespace tenrex

// tenrex_fts: text features of FTS5 against values that are worked out here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/sqlite/connection.h"

namespace tenrex {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class TextFeatures : public ::testing::Test {
protected:
    void SetUp() override {
        connection_.run(
            "CREATE VIRTUAL TABLE docs USING fts5(title, body);"
            "INSERT INTO docs VALUES('apple pie', 'a pie of apple and apple'), ('pear pie', 'pear'), "
            "('apple', 'an apple a day'), ('the apple pie recipe', NULL), ('\xc5\xbb\xc3\xb3\xc5\x82w', 'garden')");
    }
    double feature(const std::string &feature, const std::string &match, int row) {
        return connection_.number(
            "SELECT printf('%.17g', tenrex_fts(docs, ?1, '@fields', 'title, body')) FROM docs "
            "WHERE docs MATCH ?2 AND rowid = " +
                std::to_string(row),
            {feature, match});
    }

    Connection connection_;
};

// The weight of a term in a field.
double weight(double documents, double with_term, double frequency, double length, double average) {
    const double rarity = std::log(1 + (documents - with_term + 0.5) / (with_term + 0.5));
    return rarity * frequency * 2.2 / (frequency + 1.2 * (0.25 + 0.75 * length / average));
}

TEST_F(TextFeatures, Bm25OfEachField) {
    const double title = (2 + 2 + 1 + 4 + 1) / 5.0, body = (6 + 1 + 4 + 0 + 1) / 5.0;
    EXPECT_DOUBLE_EQ(feature("bm25(title)", "apple", 1), weight(5, 3, 1, 2, title));
    EXPECT_DOUBLE_EQ(feature("bm25(body)", "apple", 1), weight(5, 2, 2, 6, body));
    EXPECT_DOUBLE_EQ(feature("bm25(1)", "apple", 1), weight(5, 2, 2, 6, body));
    EXPECT_DOUBLE_EQ(feature("bm25(body)", "apple", 4), 0);
    EXPECT_DOUBLE_EQ(feature("bm25(title)", "apple pie", 4), weight(5, 3, 1, 4, title) + weight(5, 3, 1, 4, title));
    EXPECT_DOUBLE_EQ(feature("bm25(title)", "\"apple pie\"", 4), weight(5, 2, 1, 4, title));
    EXPECT_DOUBLE_EQ(feature("bm25(title)", "app*", 3), weight(5, 3, 1, 1, title));
    EXPECT_DOUBLE_EQ(feature("bm25(title)", "body : apple", 1), 0);
    EXPECT_DOUBLE_EQ(feature("bm25(title)", "title : apple", 1), weight(5, 3, 1, 2, title));
}

TEST_F(TextFeatures, Matches) {
    EXPECT_EQ(feature("matches(body)", "apple OR pie", 1), 1);
    EXPECT_EQ(feature("matches(body)", "apple", 4), 0);
    EXPECT_EQ(feature("matches(title,0)", "apple OR pear", 2), 0);
    EXPECT_EQ(feature("matches(title, 1)", "apple OR pear", 2), 1);
    EXPECT_EQ(feature("matches(title,2)", "apple OR pear", 2), 0);
    EXPECT_EQ(feature("fieldTermMatch(body,0).occurrences", "apple", 1), 2);
    EXPECT_EQ(feature("fieldTermMatch(body,0).firstPosition", "apple", 1), 3);
    EXPECT_EQ(feature("fieldTermMatch(body,0).firstPosition", "apple", 4), 1000000);
    EXPECT_EQ(feature("queryTermCount", "apple OR pear", 2), 2);
    EXPECT_EQ(feature("queryTermCount", "\"apple pie\"", 1), 1);
}

TEST_F(TextFeatures, WholeFields) {
    EXPECT_EQ(feature("fieldLength(title)", "apple", 4), 4);
    EXPECT_EQ(feature("fieldLength(body)", "apple", 4), 0);
    EXPECT_EQ(feature("exactMatch(title)", "apple", 3), 1);
    EXPECT_EQ(feature("exactMatch(title)", "apple", 1), 0);
    EXPECT_EQ(feature("exactMatch(title)", "apple pie", 1), 1);
    EXPECT_EQ(feature("exactMatch(title)", "\"apple pie\"", 1), 1);
    EXPECT_EQ(feature("exactMatch(title)", "pie apple", 1), 0);
    EXPECT_EQ(feature("prefixMatch(title)", "apple", 1), 1);
    EXPECT_EQ(feature("prefixMatch(title)", "apple", 4), 0);
    EXPECT_EQ(feature("prefixMatch(title)", "app*", 1), 1);
    EXPECT_EQ(feature("textSimilarity(title).queryCoverage", "apple OR pear OR tree", 1), 1 / 3.0);
    EXPECT_EQ(feature("textSimilarity(title).fieldCoverage", "apple OR pear", 1), 0.5);
    EXPECT_EQ(feature("textSimilarity(title).fieldCoverage", "\"apple pie\"", 4), 0.5);
    EXPECT_EQ(feature("textSimilarity(body).fieldCoverage", "apple", 4), 0);
    EXPECT_EQ(feature("exactMatch(title)", "\xc5\xbc\xc3\xb3\xc5\x82w", 5), 1);  // the same word in small letters
}

TEST_F(TextFeatures, SortRows) {
    EXPECT_THAT(connection_.run("SELECT title FROM docs WHERE docs MATCH 'apple' "
                                "ORDER BY tenrex_fts(docs, '10 * exactMatch(0) + price', 'price', rowid % 4) DESC"),
                ElementsAre("apple", "apple pie", "the apple pie recipe"));
    // Two calls in one statement, each with its own expression.
    EXPECT_THAT(
        connection_.run("SELECT tenrex_fts(docs, 'fieldLength(0)'), tenrex_fts(docs, 'fieldLength(1)') FROM docs "
                        "WHERE docs MATCH 'pear OR recipe' ORDER BY rowid"),
        ElementsAre("2.0", "1.0", "4.0", "0.0"));
    // As the rank of the table, best first.
    connection_.run(
        "INSERT INTO docs(docs, rank) VALUES('rank', 'tenrex_fts(''-prefixMatch(title)'', ''@fields'', ''title'')')");
    EXPECT_THAT(
        connection_.run("SELECT rowid, rank FROM docs WHERE docs MATCH 'pie apple OR apple' ORDER BY rank, rowid DESC"),
        ElementsAre("4", "0.0", "3", "0.0", "1", "0.0"));
}

TEST_F(TextFeatures, OfProfiles) {
    const std::string profile =
        "rank-profile p { inputs { query(boost) double: 3 } function exact() { expression: exactMatch(title) } "
        "first-phase { expression: query(boost) * exact + attribute(stars) } "
        "second-phase { expression: firstPhase + fieldLength(body) } }";
    EXPECT_THAT(
        connection_.run("SELECT tenrex_fts(docs, ?1, '@fields', 'title body', 'attribute(stars)', rowid) FROM docs "
                        "WHERE docs MATCH 'apple' ORDER BY rowid",
                        {profile}),
        ElementsAre("1.0", "6.0", "4.0"));
    EXPECT_THAT(
        connection_.run("SELECT tenrex_fts(docs, ?1, '@fields', 'title body', '@phase', 'second-phase', 'firstPhase', "
                        "100) FROM docs WHERE docs MATCH 'apple' ORDER BY rowid",
                        {profile}),
        ElementsAre(HasSubstr("there is no attribute 'stars'")));
}

TEST_F(TextFeatures, Edges) {
    connection_.run("CREATE VIRTUAL TABLE none USING fts5(text)");
    EXPECT_THAT(connection_.run("SELECT tenrex_fts(none, 'bm25(0)') FROM none WHERE none MATCH 'a'"), ElementsAre());
    EXPECT_THAT(connection_.run("SELECT tenrex_fts(docs, 'bm25(0)') FROM docs WHERE docs MATCH '\"'"),
                ElementsAre(HasSubstr("error: ")));
    EXPECT_THAT(connection_.run("SELECT tenrex_fts(docs, 'bm25(2)') FROM docs WHERE docs MATCH 'apple'"),
                ElementsAre(HasSubstr("the table has no column 2")));
    EXPECT_THAT(connection_.run(
                    "SELECT tenrex_fts(docs, 'bm25(titel)', '@fields', 'title') FROM docs WHERE docs MATCH 'apple'"),
                ElementsAre(HasSubstr("bm25(titel)")));
    EXPECT_THAT(connection_.run("SELECT tenrex_fts(docs) FROM docs WHERE docs MATCH 'apple'"),
                ElementsAre(HasSubstr("error: tenrex_fts: the first argument must be an expression")));
    // Without a full-text query there are no terms.
    EXPECT_THAT(
        connection_.run("SELECT tenrex_fts(docs, 'queryTermCount + bm25(0) + matches(1) + exactMatch(0)') FROM docs "
                        "WHERE rowid < 3"),
        ElementsAre("0.0", "0.0"));
    connection_.run("CREATE VIRTUAL TABLE long USING fts5(text)");
    std::string text;
    for (int i = 0; i < 100000; ++i) {
        text += "apple ";
    }
    connection_.run("INSERT INTO long VALUES(?1)", {text});
    EXPECT_EQ(connection_.value("SELECT tenrex_fts(long, 'fieldTermMatch(0,0).occurrences + fieldLength(0)') FROM long "
                                "WHERE long MATCH 'apple'"),
              "200000.0");
}

}  // namespace
}  // namespace tenrex

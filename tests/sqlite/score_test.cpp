// tenrex_score: values of all kinds, phases of profiles, messages, threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <thread>

#include <malloc.h>
#include <unistd.h>

#include <tenrex/tenrex.h>

#include "tests/sqlite/connection.h"

namespace tenrex {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Score, OfNumbers) {
    Connection connection;
    EXPECT_EQ(connection.value("SELECT tenrex_score('a + 2 * b', 'a', 1, 'b', 2.5)"), "6.0");
    EXPECT_EQ(connection.value("SELECT tenrex_score('2 * 3')"), "6.0");
    EXPECT_EQ(connection.value("SELECT tenrex_score('attribute(price) / 4', ' attribute( price ) ', 9)"), "2.25");
}

TEST(Score, NullIsNoNumber) {
    Connection connection;
    EXPECT_EQ(connection.value("SELECT tenrex_score('a + 1', 'a', NULL)"), "NULL");
    EXPECT_EQ(connection.value("SELECT tenrex_score('if (isNan(a), 7, a)', 'a', NULL)"), "7.0");
    EXPECT_EQ(connection.value("SELECT tenrex_score('sum(a)', 'a: tensor(x[2])', NULL)"), "NULL");
    EXPECT_EQ(connection.value("SELECT tenrex_score(NULL)"),
              "error: tenrex_score: the first argument must be an expression or a rank profile, as text");
}

TEST(Score, OfCells) {
    Connection connection;
    const std::string dot = "SELECT tenrex_score('sum(query(q) * d)', ";
    const Parameter floats = cells<float>({1, 0.5, -2});
    EXPECT_EQ(connection.value(dot + "'query(q): tensor<float>(x[3])', ?1, 'd: tensor<float>(x[3])', ?1)", {floats}),
              "5.25");
    EXPECT_EQ(connection.value(dot + "'$q: tensor<float>(x[3])', ?1, 'd: tensor<int8>(x[3])', x'01fe03')", {floats}),
              "-6.0");  // 1 * 1 - 2 * 0.5 - 3 * 2
    EXPECT_EQ(connection.value(dot + "'query(q): tensor<float>(x[3])', '[1,0,2]', 'd: tensor(x[3])', ?1)",
                               {cells<double>({0.1, 7, 0.25})}),
              "0.6");
    EXPECT_EQ(connection.value(dot + "'query(q)', 'tensor(x[2]):[1,2]', 'd', 'tensor(x[2]):[3,4]')"), "11.0");
}

TEST(Score, OfSparseTensors) {
    Connection connection;
    const Tensor weights = *from_literal("tensor<float>(w{}):{apple:2,pie:3}");
    EXPECT_EQ(connection.value("SELECT tenrex_score('sum(query(q) * d)', 'query(q)', ?1, 'd: tensor<float>(w{})', ?2)",
                               {to_binary(weights.view()), "{pie:0.5,tree:9}"}),
              "1.5");
    // Each row brings labels that the query has and no row before had.
    connection.run(
        "CREATE TABLE docs(w); INSERT INTO docs VALUES('{a:1,b:2}'), ('{c:3}'), ('{}'), (NULL), ('{d:4,a:5}')");
    EXPECT_THAT(connection.run("SELECT tenrex_score('sum(query(q) * w)', 'query(q): tensor(w{})', "
                               "'{a:1,b:10,c:100,d:1000}', 'w: tensor(w{})', w) FROM docs"),
                ElementsAre("21.0", "300.0", "0.0", "NULL", "4005.0"));
}

TEST(Score, LabelsOfRowsDoNotFillTheMemory) {
    Connection connection;
    // Each row has labels of its own, and one of the query.
    const auto sum_of = [&](const std::string &first, const std::string &last) {
        return connection.value(
            "WITH RECURSIVE n(i) AS (SELECT " + first + " UNION ALL SELECT i + 1 FROM n WHERE i < " + last +
            ") SELECT sum(tenrex_score('sum(query(q) * w)', 'query(q): tensor(w{})', '{a:1,b:10}', 'w: tensor(w{})', "
            "'{a:2,x' || i || ':3,yy' || i || ':4}')) FROM n");
    };
    EXPECT_EQ(sum_of("1", "1000"), "2000.0");
    const std::size_t before = ::mallinfo2().uordblks;
    EXPECT_EQ(sum_of("1001", "20000"), "38000.0");
    EXPECT_LE(::mallinfo2().uordblks, before + 100000);
}

TEST(Score, OfStrings) {
    Connection connection;
    const std::string rock = "SELECT tenrex_score('if (genre == \"rock\", 1, 0)', 'genre: string', ";
    EXPECT_EQ(connection.value(rock + "'rock')"), "1.0");
    EXPECT_EQ(connection.value(rock + "'Rock')"), "0.0");
    EXPECT_EQ(connection.value(rock + "NULL)"), "0.0");
    EXPECT_EQ(connection.value("SELECT tenrex_score('a == b', 'a: string', 'za' || char(0, 380), 'b: string', "
                               "'za' || char(0, 380))"),
              "1.0");
}

TEST(Score, FollowsValuesFromRowToRow) {
    Connection connection;
    connection.run(
        "CREATE TABLE t(e, q, d); INSERT INTO t VALUES('sum(query(q) * d)', '[1,2]', '[1,1]'), "
        "('sum(query(q) * d)', '[1,2]', '[0,3]'), ('sum(query(q) - d)', '[5,2]', '[0,3]'), "
        "('sum(query(q) * d)', '[5,2]', '[0,3]')");
    EXPECT_THAT(connection.run("SELECT tenrex_score(e, 'query(q): tensor(x[2])', q, 'd: tensor(x[2])', d) FROM t"),
                ElementsAre("3.0", "6.0", "4.0", "6.0"));
    EXPECT_THAT(
        connection.run("SELECT tenrex_score('sum(query(q) * d)', 'query(q): tensor(x[2])', q, 'd: tensor(x[2])', "
                       "d) FROM t"),
        ElementsAre("3.0", "6.0", "6.0", "6.0"));
    EXPECT_THAT(
        connection.run("SELECT tenrex_score('a + 0 * b', CASE value WHEN 2 THEN 'b' ELSE 'a' END, 1, CASE value "
                       "WHEN 2 THEN 'a' ELSE 'b' END, 2) FROM json_each('[1,2,3]')"),
        ElementsAre("1.0", "2.0", "1.0"));
}

TEST(Score, TheValueOfTheQueryIsThatOfTheRowAlsoBehindRowsWithoutScore) {
    Connection connection;
    connection.run(
        "CREATE TABLE n(i, q, d); INSERT INTO n VALUES(1, 1, '[5,7]'), (2, 2, NULL), (3, 2, '[5,7]'), (4, 2, NULL), "
        "(5, 3, NULL), (6, 3, '[5,7]')");
    EXPECT_THAT(connection.run("SELECT tenrex_score('query(q) * sum(d)', 'query(q)', q, 'd: tensor(x[2])', d) FROM n "
                               "ORDER BY i"),
                ElementsAre("12.0", "NULL", "24.0", "NULL", "NULL", "36.0"));
    EXPECT_THAT(connection.run("SELECT tenrex_score('sum(query(q) * d)', 'query(q): tensor(x[2])', "
                               "'[' || q || ',0]', 'd: tensor(x[2])', d) FROM n ORDER BY i"),
                ElementsAre("5.0", "NULL", "10.0", "NULL", "NULL", "15.0"));
    // Another tensor of the query is missing, so that the number is read and not bound.
    EXPECT_THAT(connection.run("SELECT tenrex_score('query(a) * sum(query(b))', 'query(a)', q, "
                               "'query(b): tensor(x[2])', d) FROM n ORDER BY i"),
                ElementsAre("12.0", "NULL", "24.0", "NULL", "NULL", "36.0"));
}

TEST(Score, SortsTables) {
    Connection connection;
    connection.run(
        "CREATE TABLE shop(name, price, stars); INSERT INTO shop VALUES('a', 5, 3), ('b', 2, 4), ('c', 9, NULL)");
    EXPECT_THAT(connection.run("SELECT name FROM shop ORDER BY tenrex_score('stars - price / 10', 'stars', stars, "
                               "'price', price) DESC"),
                ElementsAre("b", "a", "c"));
    EXPECT_THAT(connection.run("CREATE INDEX i ON shop(tenrex_score('a', 'a', price))"),
                ElementsAre(HasSubstr("non-deterministic functions prohibited")));
    connection.run(
        "CREATE VIEW best AS SELECT tenrex_score('a', 'a', price) AS score FROM shop; PRAGMA trusted_schema=OFF");
    EXPECT_THAT(connection.run("SELECT max(score) FROM best"), ElementsAre("9.0"));
}

constexpr char shop[] = R"(
# A shop.
schema shop {
    document shop {
        field price type double { indexing: attribute }
        field genre type string { indexing: attribute }
        field sound type tensor<float>(x[2]) { indexing: attribute }
    }
    rank-profile default {
        inputs {
            query(mood) tensor<float>(x[2]): [1, 0]
            query(budget) double: 20
        }
        function fits() { expression: sum(query(mood) * attribute(sound)) }
        first-phase { expression: fits - (attribute(price) > query(budget)) }
        second-phase { expression: firstPhase + if (attribute(genre) == "jazz", 10, 0) }
    }
    rank-profile cheap { first-phase { expression: -attribute(price) } }
})";

TEST(Score, OfProfiles) {
    Connection connection;
    const std::vector<Parameter> parameters{shop, cells<float>({0.5, 4})};
    const std::string values = "'attribute(price)', 25, 'attribute(sound)', ?2, 'attribute(genre)', 'jazz'";
    EXPECT_EQ(connection.value("SELECT tenrex_score(?1, " + values + ")", parameters), "-0.5");
    EXPECT_EQ(connection.value("SELECT tenrex_score(?1, 'query(budget)', 30, 'query(mood)', '[0,1]', " + values + ")",
                               parameters),
              "4.0");
    EXPECT_EQ(connection.value("SELECT tenrex_score(?1, '@profile', 'cheap', " + values + ")", parameters), "-25.0");
    EXPECT_EQ(connection.value("SELECT tenrex_score(?1, '@phase', 'second-phase', 'firstPhase', 3, " + values + ")",
                               parameters),
              "13.0");
    EXPECT_EQ(
        connection.value("SELECT tenrex_score('rank-profile p { first-phase { expression: attribute(a) * bm25(b) } }', "
                         "'attribute(a): tensor(x[1])', '[2]', 'bm25(b)', 4)"),
        "error: tenrex_score: 1:44: 'first-phase' must be a number, but this is tensor(x[1]) (reduce it, for example "
        "with sum(...))");
}

TEST(Version, IsThatOfTheLibrary) {
    EXPECT_THAT(Connection().run("SELECT tenrex_version()"), ElementsAre(std::string(version())));
}

TEST(Score, SaysWhatIsWrong) {
    Connection connection;
    const auto wrong = [&](const std::string &arguments) {
        return connection.value("SELECT tenrex_score(" + arguments + ")", {shop});
    };
    EXPECT_THAT(wrong("'sum(embeding)', 'embedding', 2"), HasSubstr("did you mean 'embedding'?"));
    EXPECT_THAT(wrong("'a + 1'"), HasSubstr("unknown symbol 'a' (give its name and its value as arguments)"));
    EXPECT_THAT(wrong("'bm25(title)'"), HasSubstr("(give its name and its value as arguments)"));
    EXPECT_THAT(wrong("'a +', 'a', 2"), HasSubstr("error: tenrex_score: 1:4: "));
    EXPECT_THAT(wrong("'a', 'a'"), HasSubstr("'a' has no value"));
    EXPECT_THAT(wrong("'a', 3, 4"), HasSubstr("argument 2 must be the name of an input"));
    EXPECT_THAT(wrong("'a', 'a', 1, 'a: double', 2"), HasSubstr("'a' is given twice"));
    EXPECT_THAT(wrong("'a', '', 1"), HasSubstr("an input without a name"));
    EXPECT_THAT(wrong("'a', 'a: tensor(x[)', 1"), HasSubstr("'a' has a type that is none: "));
    EXPECT_THAT(wrong("'a', 'a', 'rock'"), HasSubstr("declare what it is, such as 'a: string'"));
    EXPECT_THAT(wrong("'a', 'a: double', 'rock'"), HasSubstr("'a' is a text instead of a number"));
    EXPECT_THAT(wrong("'a', 'a: string', 1"), HasSubstr("'a' is a number instead of a text"));
    EXPECT_THAT(wrong("'sum(a)', 'a: tensor(x[2])', 1"), HasSubstr("is a number instead of tensor(x[2])"));
    EXPECT_THAT(wrong("'sum(a)', 'a: tensor(x[2])', '[1,2,3]'"), HasSubstr("'a' is no tensor: "));
    EXPECT_THAT(wrong("'sum(a)', 'a: tensor<float>(x[2])', x'00'"), HasSubstr("blob of 1 bytes, but the cells of"));
    EXPECT_THAT(wrong("'sum(a)', 'a', x'ff'"), HasSubstr("'a' is no tensor: "));
    EXPECT_THAT(wrong("'a', 'a: string', x'00'"), HasSubstr("is a blob instead of a text"));
    EXPECT_THAT(wrong("'a * 2', 'a', 'tensor(x[2]):[1,2]'"),
                HasSubstr("a score must be a number, but this is tensor(x[2])"));
    EXPECT_THAT(wrong("'a', 'a', 1, '@phase', 'first-phase'"), HasSubstr("an expression has no profiles and phases"));
    EXPECT_THAT(wrong("?1, '@phase', 'global-phase'"), HasSubstr("must be first-phase or second-phase"));
    EXPECT_THAT(wrong("?1, '@fields', 'a b'"), HasSubstr("there is no option '@fields'"));
    EXPECT_THAT(wrong("?1, '@profile', NULL"), HasSubstr("the value of '@profile' must be a text"));
    EXPECT_THAT(wrong("?1, '@profile', 'chep'"), HasSubstr("did you mean 'cheap'?"));
    EXPECT_THAT(wrong("?1, '@profile', 'cheap', '@phase', 'second-phase'"), HasSubstr("cheap has no second-phase"));
    EXPECT_THAT(wrong("?1, '@profile', 'cheap'"), HasSubstr("there is no value for 'attribute(price)'"));
    EXPECT_THAT(wrong("?1, 'query(mod)', 1, 'attribute(price)', 1, 'attribute(sound)', '[1,2]'"),
                HasSubstr("query(mod)"));
    EXPECT_THAT(wrong("'rank-profile a { } rank-profile b { }'"), HasSubstr("give '@profile' and one of a, b"));
    EXPECT_THAT(wrong("'bm25(title)'"), HasSubstr("bm25(title)"));
    EXPECT_THAT(wrong("'a' || char(0) || '+ 1', 'a', 1"), HasSubstr("error: tenrex_score: 1:2: "));
    EXPECT_THAT(connection.value("SELECT tenrex_score(?1, 'a', 1)", {std::string(1 << 20, '(')}), HasSubstr("nest"));
    // The connection is as good as before.
    EXPECT_EQ(connection.value("SELECT tenrex_score('a', 'a', 1)"), "1.0");
}

TEST(Score, ForgetsProgramsWhenThereAreMany) {
    Connection connection;
    EXPECT_EQ(connection.value("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) "
                               "SELECT sum(tenrex_score('a + ' || i, 'a', 1)) FROM n"),
              "45450.0");
}

TEST(Score, ThreadsWithAndWithoutConnectionsOfTheirOwn) {
    const std::string path = testing::TempDir() + "tenrex_score_" + std::to_string(::getpid()) + ".db";
    Connection shared(path);
    shared.run(
        "CREATE TABLE t(a, v); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) "
        "INSERT INTO t SELECT i, '[' || i || ',1]' FROM n");
    const std::string sql =
        "SELECT sum(tenrex_score('a + sum(query(q) * v)', 'a', a, 'query(q): tensor(x[2])', '[1,2]', "
        "'v: tensor(x[2])', v)) FROM t";
    std::vector<std::string> results(8);
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < results.size(); ++i) {
            threads.emplace_back([&, i] {
                if (i % 2 == 0) {
                    Connection own(path);
                    results[i] = own.value(sql);
                } else {
                    results[i] = shared.value(sql);
                }
            });
        }
    }
    std::remove(path.c_str());
    EXPECT_THAT(results, ::testing::Each("251500.0"));  // twice the sum of 1 to 500, and 2 for each
}

}  // namespace
}  // namespace tenrex

#include "tools/repl/completion.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "tools/repl/line_editor.h"

namespace tenrex::tool {
namespace {

using Words = std::vector<std::string>;

class CompletionTest : public testing::Test {
protected:
    CompletionTest() {
        for (const char *line : {"query(embedding) = tensor(colour{},x[2]):{red:[1,2]}", "query(edge) = 1",
                                 "sumtotal = 2", "onnx(m).out = tensor(d0[1]):[1]"}) {
            EXPECT_EQ(session_.submit(line).kind, Reply::Kind::assigned);
        }
    }

    // Candidates at the '|'.
    Words at(std::string text) const {
        const std::size_t cursor = text.find('|');
        text.erase(cursor, 1);
        const Completion found = complete(text, cursor, session_);
        for (const std::string &candidate : found.candidates) {
            EXPECT_TRUE(candidate.starts_with(text.substr(found.start, cursor - found.start))) << candidate;
        }
        EXPECT_TRUE(std::is_sorted(found.candidates.begin(), found.candidates.end()));
        return found.candidates;
    }

    static bool has(const Words &words, std::string_view word) {
        return std::find(words.begin(), words.end(), word) != words.end();
    }

    Session session_;
};

TEST_F(CompletionTest, FunctionsAndInputs) {
    EXPECT_EQ(at("softm|"), Words{"softmax("});
    EXPECT_EQ(at("1+sum|"), (Words{"sum(", "sumtotal"}));
    EXPECT_EQ(at("sum|+1"), (Words{"sum(", "sumtotal"}));
    EXPECT_EQ(at("zzz|"), Words{});
    const Words all = at("1+|");
    EXPECT_TRUE(has(all, "map("));
    EXPECT_TRUE(has(all, "query(edge)"));
    EXPECT_TRUE(has(all, "tensor"));
    EXPECT_FALSE(has(all, "colour"));
}

TEST_F(CompletionTest, NamesOfFeatures) {
    EXPECT_EQ(at("que|"), (Words{"query(edge)", "query(embedding)"}));
    EXPECT_EQ(at("query(e|"), (Words{"query(edge)", "query(embedding)"}));
    EXPECT_EQ(at("2*max(query(em|"), Words{"query(embedding)"});
    EXPECT_EQ(at("onnx(m).|"), Words{"onnx(m).out"});
    EXPECT_EQ(at("onnx(m).o|"), Words{"onnx(m).out"});
}

TEST_F(CompletionTest, Dimensions) {
    EXPECT_EQ(at("query(embedding){c|"), Words{"colour"});
    EXPECT_EQ(at("query(embedding){|"), (Words{"colour", "d0", "x"}));
    EXPECT_EQ(at("query(embedding){colour:red,|"), (Words{"colour", "d0", "x"}));
    EXPECT_EQ(at("reduce(query(embedding), sum, c|"), Words{"colour"});
    EXPECT_EQ(at("rename(query(embedding), col|"), Words{"colour"});
    // Those of the value, where it is known, and nothing else.
    EXPECT_EQ(at("sum(query(embedding), |"), (Words{"colour", "x"}));
    EXPECT_EQ(at("1+softmax(query(embedding)*onnx(m).out, |"), (Words{"colour", "d0", "x"}));
    EXPECT_EQ(at("sum(query(embedding), colour, |"), (Words{"colour", "x"}));
    EXPECT_EQ(at("sum(oops, co|"), Words{"colour"});
    EXPECT_TRUE(has(at("matmul(query(embedding), |"), "query(edge)"));
    EXPECT_TRUE(has(at("max(query(embedding), co|"), "colour"));
    EXPECT_TRUE(has(at("max(query(embedding), co|"), "cos("));
}

TEST_F(CompletionTest, AggregatorsAndCellTypes) {
    EXPECT_EQ(at("reduce(query(embedding), m|"), (Words{"max", "median", "min"}));
    EXPECT_EQ(at("tensor<|"), (Words{"bfloat16", "double", "float", "int8"}));
    EXPECT_EQ(at("tensor<fl|"), Words{"float"});
    EXPECT_EQ(at("cell_cast(query(embedding), b|"), Words{"bfloat16"});
    EXPECT_EQ(at("unpack_bits(query(embedding), i|"), Words{"int8"});
}

TEST_F(CompletionTest, Commands) {
    EXPECT_EQ(at(":t|"), (Words{":time ", ":type "}));
    EXPECT_EQ(at("  :qu|"), Words{":quit"});
    EXPECT_EQ(at(":type softm|"), Words{"softmax("});
    EXPECT_EQ(at(":time 1+query(em|"), Words{"query(embedding)"});
    EXPECT_EQ(at(":help softm|"), Words{"softmax"});
    EXPECT_EQ(at(":delete query(em|"), Words{"query(embedding)"});
    EXPECT_EQ(at(":dialect |"), (Words{"core", "java"}));
    EXPECT_EQ(at(":format j|"), Words{"json"});
    EXPECT_EQ(at(":reference |"), (Words{"off", "on"}));
    EXPECT_EQ(at(":plan query(em|"), Words{"query(embedding)"});
    EXPECT_EQ(at(":quit |"), Words{});
    EXPECT_EQ(at(":nothing |"), Words{});
}

TEST_F(CompletionTest, CursorBeyondTheEnd) {
    EXPECT_EQ(complete("softm", 100, session_).candidates, Words{"softmax("});
    EXPECT_EQ(complete("", 0, session_).start, 0U);
}

TEST(CommonPrefix, Words) {
    EXPECT_EQ(common_prefix({}), "");
    EXPECT_EQ(common_prefix({"abc"}), "abc");
    EXPECT_EQ(common_prefix({"abc", "abd", "ab"}), "ab");
    EXPECT_EQ(common_prefix({"abc", "x"}), "");
}

TEST(Arrange, AsManyColumnsAsFit) {
    EXPECT_EQ(arrange({"a", "bb", "ccc"}, 80), "a    bb   ccc\n");
    EXPECT_EQ(arrange({"a", "bb", "ccc"}, 10), "a    ccc\nbb\n");
    EXPECT_EQ(arrange({"a", "bb", "ccc"}, 1), "a\nbb\nccc\n");
}

}  // namespace
}  // namespace tenrex::tool

#include <tenrex/language.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "lib/syntax/keywords.h"
#include "lib/syntax/parser.h"

namespace tenrex {
namespace {

const FunctionHelp *find(const std::vector<FunctionHelp> &entries, std::string_view name) {
    const auto found =
        std::find_if(entries.begin(), entries.end(), [name](const FunctionHelp &entry) { return entry.name == name; });
    return found == entries.end() ? nullptr : &*found;
}

TEST(Functions, AreSortedUniqueAndComplete) {
    const auto &all = functions();
    EXPECT_EQ(std::adjacent_find(all.begin(), all.end(),
                                 [](const FunctionHelp &a, const FunctionHelp &b) { return a.name >= b.name; }),
              all.end());
    for (const ScalarFunctionInfo &entry : scalar_function_table) {
        EXPECT_EQ(find(all, entry.name) != nullptr, !entry.is_operator) << entry.name;
    }
    for (const TensorFunctionInfo &entry : tensor_function_table) {
        EXPECT_NE(find(all, entry.name), nullptr) << entry.name;
    }
    EXPECT_NE(find(all, "if"), nullptr);
    EXPECT_NE(find(all, "switch"), nullptr);
}

TEST(Functions, SayHowTheyAreCalled) {
    EXPECT_EQ(find(functions(), "sqrt")->signature, "sqrt(a)");
    EXPECT_EQ(find(functions(), "atan2")->signature, "atan2(a, b)");
    EXPECT_EQ(find(functions(), "softmax")->signature, "softmax(t, dimension)");
    EXPECT_EQ(find(functions(), "max")->signature, "max(a, b) or max(t [, dimension]*)");
    EXPECT_EQ(find(functions(), "max")->summary, "the larger of two, or the largest cell over dimensions");
    EXPECT_EQ(find(functions(), "if")->signature, "if(condition, a, b [, probability])");
    for (const FunctionHelp &entry : functions()) {
        EXPECT_TRUE(entry.signature.starts_with(std::string(entry.name) + "(")) << entry.name;
        EXPECT_FALSE(entry.summary.empty()) << entry.name;
        EXPECT_NE(entry.example.find(std::string(entry.name) + "("), std::string::npos) << entry.name;
        EXPECT_TRUE(syntax::parse(std::string(entry.example))) << entry.name;
    }
}

TEST(Operators, ComeTightestFirst) {
    std::string names;
    for (const FunctionHelp &entry : operators()) {
        names.append(entry.name).append(" ");
        EXPECT_FALSE(entry.summary.empty()) << entry.name;
    }
    EXPECT_EQ(names, "- ! ^ * / % + - == != ~= < <= > >= in && || ");
    EXPECT_EQ(operators().front().signature, "-a");
    EXPECT_EQ(find(operators(), "^")->signature, "a ^ b");
    EXPECT_EQ(find(operators(), "in")->signature, "a in [b, c, ...]");
}

TEST(Aggregators, AreThoseOfReduce) {
    ASSERT_EQ(aggregators().size(), std::size(aggregator_table));
    EXPECT_EQ(find(aggregators(), "avg")->signature, "reduce(t, avg [, dimension]*)");
    for (const FunctionHelp &entry : aggregators()) {
        EXPECT_TRUE(syntax::parse("reduce(t," + std::string(entry.name) + ")")) << entry.name;
    }
}

TEST(Keywords, FindExactlyTheFunctions) {
    for (const FunctionHelp &entry : functions()) {
        const syntax::Keyword &keyword = syntax::find_keyword(entry.name);
        EXPECT_EQ(keyword.name, entry.name);
        EXPECT_NE(keyword.kind, syntax::Keyword::none) << entry.name;
        for (const std::string &other :
             {std::string(entry.name) + "x", "x" + std::string(entry.name), std::string(entry.name.substr(1)),
              std::string(entry.name) + entry.name.data()}) {
            if (find(functions(), other) == nullptr) {
                EXPECT_EQ(syntax::find_keyword(other).kind, syntax::Keyword::none) << other;
            }
        }
    }
    EXPECT_EQ(syntax::find_keyword("max").kind, syntax::Keyword::extremum);
    EXPECT_EQ(syntax::find_keyword("max").scalar, ScalarFunction::max);
    EXPECT_EQ(syntax::find_keyword("max").tensor, TensorFunction::max);
    EXPECT_EQ(syntax::find_keyword("true").kind, syntax::Keyword::truth);
    EXPECT_EQ(syntax::find_keyword("tensor").kind, syntax::Keyword::tensor_type);
    EXPECT_EQ(syntax::find_keyword("").kind, syntax::Keyword::none);
    EXPECT_EQ(syntax::find_keyword("in").kind, syntax::Keyword::none);
    EXPECT_EQ(syntax::find_keyword("+").kind, syntax::Keyword::none);
}

// Every function with a name can be called as its signature says.
TEST(Signatures, OfAllFunctionsParse) {
    for (const FunctionHelp &entry : functions()) {
        if (entry.name == "switch") {
            continue;  // its signature is an expression
        }
        std::string text(entry.signature.substr(0, entry.signature.find(" or ")));
        for (const auto &[from, to] : {std::pair{"[n]", "[2]"},
                                       {" [, dimension]*", ""},
                                       {", ...", ""},
                                       {"aggregator", "sum"},
                                       {"celltype", "float"},
                                       {" [, float [, big|little]]", ", float, big"},
                                       {"max|min", "max"},
                                       {" [, probability]", ", 0.5"}}) {
            const std::size_t at = text.find(from);
            if (at != std::string::npos) {
                text.replace(at, std::string_view(from).size(), to);
            }
            if (std::string_view(from) == "[n]") {
                for (std::size_t more = text.find(from); more != std::string::npos; more = text.find(from)) {
                    text.replace(more, 3, to);
                }
            }
        }
        EXPECT_TRUE(syntax::parse(text)) << text;
    }
    EXPECT_TRUE(syntax::parse(find(functions(), "switch")->signature));
}

}  // namespace
}  // namespace tenrex

#include "lib/formats/json_scanner.h"

#include <random>

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

namespace tenrex {
namespace {

bool accepts(std::string_view text, const Limits &limits = {}) {
    JsonScanner scanner(text, limits);
    return scanner.skip_value() && scanner.expect_end("the value");
}

TEST(JsonScanner, AcceptsJson) {
    for (const std::string_view text :
         {"null", "true", "false", "0", "-0", "1.5e-3", "\"\"", "\"a\\u0041\"", "[]", "{}", " [ ] ", "[[],{}]",
          "[1,\"a\",null,true,{\"a\":[{}]}]", "{\"a\":{\"b\":{\"c\":[]}},\"d\":1}", "[[[[[[1]]]]]]", "\t\n\r 1"}) {
        EXPECT_TRUE(accepts(text)) << text;
        EXPECT_TRUE(nlohmann::json::accept(text)) << text;
    }
}

TEST(JsonScanner, RefusesWhatIsNoJson) {
    for (const std::string_view text : {"",        " ",         "nul",         "nulll",
                                        "True",    "00",        "-",           "1.",
                                        ".1",      "+1",        "1e",          "'a'",
                                        "\"",      "\"\\x41\"", "\"\\ud83d\"", "[",
                                        "]",       "[1",        "[1,",         "[1,]",
                                        "[,1]",    "[1 2]",     "{",           "{1:2}",
                                        "{\"a\"}", "{\"a\":}",  "{\"a\":1,}",  "{\"a\":1 \"b\":2}",
                                        "{]",      "[}",        "[1}",         "1 1",
                                        "\v1",     "\"\n\"",    "\"\xff\"",    "\"\xc0\x80\"",
                                        "// a\n1", "Infinity"}) {
        EXPECT_FALSE(accepts(text)) << text;
        EXPECT_FALSE(nlohmann::json::accept(text)) << text;
    }
}

TEST(JsonScanner, PassesOverDeepNestingWithoutRecursion) {
    Limits limits;
    limits.nesting = 1000000;
    const std::string deep = std::string(1000000, '[') + std::string(1000000, ']');
    EXPECT_TRUE(accepts(deep, limits));
    EXPECT_FALSE(accepts('[' + deep + ']', limits));
}

// Random texts of the characters of JSON: this scanner and another one agree.
TEST(JsonScanner, AgreesWithAnotherReader) {
    constexpr std::string_view pieces[] = {"{",     "}",      "[",    "]",     ",",  ":",        "\"",    "\"a\"",
                                           "\"b\"", "1",      "0",    "-",     ".",  "e",        "5",     " ",
                                           "\n",    "null",   "true", "false", "\\", "\\n",      "\\u00", "[]",
                                           "{}",    "\"a\":", "[1,",  "1]",    "}]", "\xc3\xbc", "\xff"};
    std::mt19937_64 engine(5);
    std::size_t accepted = 0;
    for (int i = 0; i < 50000; ++i) {
        std::string text;
        for (std::size_t length = 1 + engine() % 8; length > 0; --length) {
            text += pieces[engine() % std::size(pieces)];
        }
        const bool good = nlohmann::json::accept(text);
        accepted += good;
        ASSERT_EQ(accepts(text), good) << text;
    }
    EXPECT_GT(accepted, 1000U);
}

}  // namespace
}  // namespace tenrex

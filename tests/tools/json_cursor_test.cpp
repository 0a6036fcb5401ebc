#include "tools/rank/json_cursor.h"

#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/tools/damaged_text.h"

namespace tenrex::tool {
namespace {

std::string problem_of(const std::string &text) {
    JsonCursor json(text);
    std::string_view value;
    json.skip(value) && json.finish();
    return json.failed() ? std::string(json.problem()) + " @" + std::to_string(json.position()) : "";
}

double number_in(const std::string &text) {
    JsonCursor json(text);
    double value = 0;
    EXPECT_TRUE(json.number(value) && json.finish()) << text;
    return value;
}

std::string string_in(const std::string &text) {
    JsonCursor json(text);
    std::string_view value;
    EXPECT_TRUE(json.string(value) && json.finish()) << text << ": " << json.problem();
    return std::string(value);
}

TEST(JsonCursor, NumbersAreRoundedOnce) {
    for (const char *text : {"0",
                             "-0",
                             "1",
                             "-17",
                             "0.1",
                             "123456.789",
                             "9007199254740993",
                             "0.3",
                             "1e3",
                             "1E-5",
                             "179769313486231570000",
                             "0.000000000000000000000001",
                             "3.141592653589793238462643",
                             "123456789012345678901234567890",
                             "2.2250738585072014e-308",
                             "4.9e-324",
                             "1e400",
                             "-1e400",
                             "1e-400",
                             "5e-1",
                             "12345678901234567"}) {
        const double expected = std::strtod(text, nullptr);
        EXPECT_EQ(number_in(text), expected) << text;
        EXPECT_EQ(std::signbit(number_in(text)), std::signbit(expected)) << text;
    }
    std::mt19937_64 random(1);
    for (int i = 0; i < 20000; ++i) {
        std::string text = std::to_string(random() >> (random() % 64));
        text.insert(text.size() - random() % text.size(), ".");
        text += text.back() == '.' ? "0" : "";
        text = text.front() == '.' ? "0" + text : text;
        ASSERT_EQ(number_in(text), std::strtod(text.c_str(), nullptr)) << text;
    }
}

TEST(JsonCursor, Strings) {
    EXPECT_EQ(string_in(R"("")"), "");
    EXPECT_EQ(string_in(R"( "plain" )"), "plain");
    EXPECT_EQ(string_in(R"("a\"b\\c\/\b\f\n\r\t")"), "a\"b\\c/\b\f\n\r\t");
    EXPECT_EQ(string_in(R"("\u0041\u00fc\u20ac\ud83d\ude00")"), "A\xC3\xBC\xE2\x82\xAC\xF0\x9F\x98\x80");
    EXPECT_EQ(string_in("\"\xC3\xBC\""), "\xC3\xBC");
}

TEST(JsonCursor, ProblemsAndTheirPlaces) {
    EXPECT_EQ(problem_of(R"({"a":1,"b":[true,null,"x",{}]})"), "");
    EXPECT_EQ(problem_of(""), "a value is expected @0");
    EXPECT_EQ(problem_of("{\"a\":}"), "a value is expected @5");
    EXPECT_EQ(problem_of("{\"a\" 1}"), "':' is expected @5");
    EXPECT_EQ(problem_of("{\"a\":1 \"b\":2}"), "',' or '}' is expected @7");
    EXPECT_EQ(problem_of("{\"a\":1,}"), "the name of a member is expected @7");
    EXPECT_EQ(problem_of("[1 2]"), "',' or ']' is expected @3");
    EXPECT_EQ(problem_of("[1,2"), "',' or ']' is expected @4");
    EXPECT_EQ(problem_of("01"), "malformed number @0");
    EXPECT_EQ(problem_of("1."), "malformed number @0");
    EXPECT_EQ(problem_of("1e+"), "malformed number @0");
    EXPECT_EQ(problem_of("-"), "malformed number @0");
    EXPECT_EQ(problem_of("tru"), "a value is expected @0");
    EXPECT_EQ(problem_of("\"a"), "a string that does not end @2");
    EXPECT_EQ(problem_of("\"\t\""), "a control character in a string @1");
    EXPECT_EQ(problem_of("\"\\q\""), "an unknown escape in a string @2");
    EXPECT_EQ(problem_of("\"\\ud800x\""), "half a surrogate pair in a string @7");
    EXPECT_EQ(problem_of("\"\xff\""), "a string that is not UTF-8 @0");
    EXPECT_EQ(problem_of("1 2"), "something follows the object @2");
    EXPECT_EQ(problem_of(std::string(100, '[') + std::string(100, ']')), "");
    EXPECT_EQ(problem_of(std::string(100000, '[') + std::string(100000, ']')), "");
    EXPECT_EQ(problem_of(std::string(100000, '[')), "a value is expected @100000");
}

TEST(JsonCursor, MembersAndElements) {
    JsonCursor json(R"({"a": [1, 2.5], "e": {}, "n\u00e4me": "x"} )");
    std::string_view name, text;
    ASSERT_TRUE(json.enter_object(name));
    EXPECT_EQ(name, "a");
    std::vector<double> numbers;
    for (bool more = json.enter_array(); more; more = json.next_element()) {
        ASSERT_TRUE(json.number(numbers.emplace_back()));
    }
    EXPECT_EQ(numbers, (std::vector<double>{1, 2.5}));
    ASSERT_TRUE(json.next_member(name));
    EXPECT_EQ(name, "e");
    EXPECT_FALSE(json.enter_object(name));
    EXPECT_FALSE(json.failed());
    ASSERT_TRUE(json.next_member(name));
    EXPECT_EQ(name, "n\xC3\xA4me");
    ASSERT_TRUE(json.skip(text));
    EXPECT_EQ(text, "\"x\"");
    EXPECT_FALSE(json.next_member(name));
    EXPECT_TRUE(json.finish());
}

// What is JSON is what another parser takes for JSON.
TEST(JsonCursor, AgreesWithAnotherParserOnDamagedTexts) {
    const std::vector<std::string> texts = {
        R"({"id":"a","x":[1,-2.5,30],"t":{"values":[0.5,1e2]},"s":"\u00e4\n\ud83d\ude00","b":true,"n":null,"f":false})",
        "[[],{},[{}],\"\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\",{\"a\":{\"b\":[\"\"]}}]",
    };
    const std::string alphabet = "{}[]:,\"\\-+.eE019 utrfalsn\x01\x80\xC3\xED\xF4";
    std::mt19937_64 random(2);
    std::size_t accepted = 0;
    for (int i = 0; i < 20000; ++i) {
        const std::string &whole = texts[random() % texts.size()];
        const std::string text = damaged(whole, random() % 3 + 1, alphabet, random);
        const bool valid = nlohmann::json::accept(text);
        accepted += valid ? 1 : 0;
        ASSERT_EQ(problem_of(text).empty(), valid) << text << "\n" << problem_of(text);
    }
    EXPECT_GT(accepted, 1000U);
}

}  // namespace
}  // namespace tenrex::tool

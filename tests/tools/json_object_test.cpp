#include "tools/json_object.h"

#include <gtest/gtest.h>

namespace tenrex::tool {
namespace {

using Kind = JsonValue::Kind;

std::string text_of(std::string_view json) {
    const auto object = read_json_object("{\"m\":" + std::string(json) + "}");
    const JsonValue *member = object ? object->find("m") : nullptr;
    return member == nullptr ? "none" : member->text;
}

std::string error_of(std::string_view json) {
    const auto object = read_json_object(json);
    return object ? "none" : object.error().message();
}

TEST(JsonObject, MembersAreKeptAsText) {
    EXPECT_EQ(text_of("null"), "null");
    EXPECT_EQ(text_of("true"), "true");
    EXPECT_EQ(text_of("1.50e3"), "1.50e3");
    EXPECT_EQ(text_of("123456789012345678901234567890"), "123456789012345678901234567890");
    EXPECT_EQ(text_of("\"a\\n\\u00fc\""), "a\nü");
    EXPECT_EQ(text_of("[ 1, \"a,b\", [ ], { } , {\"x\" : [null,false]} ]"), "[1,\"a,b\",[],{},{\"x\":[null,false]}]");
    EXPECT_EQ(text_of("{ \"a\\\"\" : 1, \"b\":{\"c\":[]}}"), "{\"a\\\"\":1,\"b\":{\"c\":[]}}");
}

TEST(JsonObject, ExpandedMembers) {
    const auto object =
        read_json_object(R"({"in":{"a":"1","b":{"c":[1]}},"out":{"a":"1"},"list":[{"in":{}}]})", {"in"});
    ASSERT_TRUE(object);
    const JsonValue *in = object->find("in");
    ASSERT_NE(in, nullptr);
    ASSERT_EQ(in->members.size(), 2U);
    EXPECT_EQ(in->members[0].first, "a");
    EXPECT_EQ(in->members[0].second.text, "1");
    EXPECT_EQ(in->members[1].second.text, "{\"c\":[1]}");
    EXPECT_EQ(object->find("out")->text, "{\"a\":\"1\"}");
    EXPECT_EQ(object->find("list")->text, "[{\"in\":{}}]");
    EXPECT_EQ(object->find("nothing"), nullptr);
}

TEST(JsonObject, LastOfEqualNamesCounts) {
    const auto object = read_json_object(R"({"a":1,"a":"2"})");
    ASSERT_TRUE(object);
    EXPECT_EQ(object->find("a")->text, "2");
    EXPECT_TRUE(object->find("a")->is_string());
}

// Whoever wants the number says what it means.
TEST(JsonObject, NumbersOfAnySize) {
    EXPECT_EQ(text_of("1e999"), "1e999");
    EXPECT_EQ(text_of("[-1e999, 123456789012345678901234567890,0.10]"), "[-1e999,123456789012345678901234567890,0.10]");
}

TEST(JsonObject, Refused) {
    EXPECT_EQ(error_of("5"), "a JSON object is expected");
    EXPECT_EQ(error_of("[{}]"), "a JSON object is expected");
    EXPECT_EQ(error_of("\"a\""), "a JSON object is expected");
    EXPECT_TRUE(error_of("").starts_with("malformed JSON at byte 1: ")) << error_of("");
    EXPECT_TRUE(error_of("{\"a\":}").starts_with("malformed JSON at byte 6: ")) << error_of("{\"a\":}");
    EXPECT_TRUE(error_of("{} {}").starts_with("malformed JSON")) << error_of("{} {}");
    EXPECT_TRUE(error_of("{\"a\":01}").starts_with("malformed JSON at byte 6: ")) << error_of("{\"a\":01}");
    EXPECT_TRUE(error_of("{\"a\":\"\xff\"}").starts_with("malformed JSON")) << error_of("{\"a\":\"\xff\"}");
    EXPECT_EQ(error_of("{\"a\":" + std::string(100, '[')), "JSON nested deeper than the limit of 100");
    EXPECT_LT(error_of("{\"" + std::string(100000, 'x')).size(), 300U);
}

TEST(JsonString, Escapes) {
    EXPECT_EQ(json_string("a\"\\\n\x01ü"), R"("a\"\\\n\u0001ü")");
    EXPECT_EQ(json_string("a\xff"), "\"a\xEF\xBF\xBD\"");
}

}  // namespace
}  // namespace tenrex::tool

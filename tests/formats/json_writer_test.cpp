#include <tenrex/formats.h>

#include <gtest/gtest.h>

namespace tenrex {
namespace {

using Form = JsonOptions::Form;

std::string json(std::string_view literal, Form form = Form::shortest, bool typed = true) {
    const auto value = from_literal(literal);
    return value ? to_json(*value, {.form = form, .typed = typed}) : value.error().message();
}

TEST(ToJson, WritesNumbersPlainly) {
    for (const Form form : {Form::shortest, Form::cells, Form::hex}) {
        EXPECT_EQ(json("1.5", form), "1.5");
        EXPECT_EQ(json("nan", form), "\"nan\"");
        EXPECT_EQ(json("-inf", form, false), "\"-inf\"");
    }
}

TEST(ToJson, WritesTheShortestForm) {
    EXPECT_EQ(json("tensor<float>(x[3]):[0.1,nan,inf]"),
              R"json({"type":"tensor<float>(x[3])","values":[0.1,"nan","inf"]})json");
    EXPECT_EQ(json("tensor(x[2],y[2]):[[1,2],[3,4]]"),
              R"json({"type":"tensor(x[2],y[2])","values":[[1,2],[3,4]]})json");
    EXPECT_EQ(json("tensor<int8>(x[2]):[1,-128]"), R"json({"type":"tensor<int8>(x[2])","values":[1,-128]})json");
    EXPECT_EQ(json("tensor(k{}):{a:1,\"b c\":2}"), R"json({"type":"tensor(k{})","cells":{"a":1,"b c":2}})json");
    EXPECT_EQ(json("tensor(k{}):{}"), R"json({"type":"tensor(k{})","cells":{}})json");
    EXPECT_EQ(json("tensor(k{},l{}):{a:{p:1},b:{q:2}}"),
              R"json({"type":"tensor(k{},l{})","cells":[{"address":{"k":"a","l":"p"},"value":1},)json"
              R"json({"address":{"k":"b","l":"q"},"value":2}]})json");
    EXPECT_EQ(json("tensor(k{},l{}):{}"), R"json({"type":"tensor(k{},l{})","cells":[]})json");
    EXPECT_EQ(json("tensor(k{},x[2]):{a:[1,2],b:[3,4.5]}"),
              R"json({"type":"tensor(k{},x[2])","blocks":{"a":[1,2],"b":[3,4.5]}})json");
    EXPECT_EQ(json("tensor(k{},l{},x[2]):{a:{p:[1,2]}}"),
              R"json({"type":"tensor(k{},l{},x[2])","blocks":[{"address":{"k":"a","l":"p"},"values":[1,2]}]})json");
    EXPECT_EQ(json("tensor(k{},x[1],y[2]):{7:[[1,2]]}"),
              R"json({"type":"tensor(k{},x[1],y[2])","blocks":{"7":[[1,2]]}})json");
}

TEST(ToJson, WritesOneObjectForEachCell) {
    EXPECT_EQ(
        json("tensor(x[2]):[1,2]", Form::cells),
        R"json({"type":"tensor(x[2])","cells":[{"address":{"x":"0"},"value":1},{"address":{"x":"1"},"value":2}]})json");
    EXPECT_EQ(json("tensor(x[2],z{}):[{a:1},{a:nan}]", Form::cells, false),
              R"json([{"address":{"x":"0","z":"a"},"value":1},{"address":{"x":"1","z":"a"},"value":"nan"}])json");
    EXPECT_EQ(json("tensor(k{}):{a:1}", Form::cells, false), R"json([{"address":{"k":"a"},"value":1}])json");
    EXPECT_EQ(json("tensor(k{}):{}", Form::cells), R"json({"type":"tensor(k{})","cells":[]})json");
}

TEST(ToJson, WritesBlocksInHex) {
    EXPECT_EQ(json("tensor<int8>(x[2]):[1,-1]", Form::hex), R"json({"type":"tensor<int8>(x[2])","values":"01ff"})json");
    EXPECT_EQ(json("tensor<bfloat16>(k{},x[2]):{a:[1,-2.5]}", Form::hex),
              R"json({"type":"tensor<bfloat16>(k{},x[2])","blocks":{"a":"3f80c020"}})json");
    EXPECT_EQ(json("tensor(k{}):{a:1}", Form::hex), R"json({"type":"tensor(k{})","cells":{"a":1}})json");
    EXPECT_EQ(json("tensor<int8>(x[2]):[1,-1]", Form::hex, false), "\"01ff\"");
}

TEST(ToJson, LeavesTheTypeOut) {
    EXPECT_EQ(json("tensor(x[2]):[1,2]", Form::shortest, false), "[1,2]");
    EXPECT_EQ(json("tensor(k{}):{a:1}", Form::shortest, false), R"({"a":1})");
    EXPECT_EQ(json("tensor(k{},x[2]):{a:[1,2]}", Form::shortest, false), R"({"a":[1,2]})");
}

TEST(ToJson, EscapesLabels) {
    EXPECT_EQ(json(R"(tensor(k{}):{"\"\\/\n\x01\x7f":1})", Form::shortest, false), R"({"\"\\/\u000a\u0001\u007f":1})");
    EXPECT_EQ(json("tensor(k{}):{\xc3\xbc\xf0\x9f\x98\x80:1}", Form::shortest, false),
              "{\"\xc3\xbc\xf0\x9f\x98\x80\":1}");
    EXPECT_EQ(json(R"(tensor(k{}):{"a\xff\xed\xa0\x80":1})", Form::shortest, false),
              R"({"a\udcff\udced\udca0\udc80":1})");
}

}  // namespace
}  // namespace tenrex

#include <tenrex/formats.h>

#include <cmath>
#include <string>

#include <gtest/gtest.h>

namespace tenrex::json_reader_test {
namespace {

// The value as a literal, or the message of the error. A type in front of '|' is the known one.
std::string outcome(std::string_view text, const Limits &limits = {}) {
    const std::size_t bar = text.find('|');
    const auto value = bar == std::string_view::npos
                           ? from_json(text, limits)
                           : from_json(text.substr(bar + 1), *TensorType::parse(text.substr(0, bar)), limits);
    return value ? to_literal(*value) : value.error().message();
}

struct Case {
    std::string_view text, expected;
};

void expect_outcomes(std::initializer_list<Case> cases) {
    for (const Case &c : cases) {
        EXPECT_EQ(outcome(c.text), c.expected) << c.text;
    }
}

TEST(FromJson, ReadsNumbers) {
    expect_outcomes({
        {"1.5", "1.5"},
        {" -0.25e+1\n", "-2.5"},
        {"\"NaN\"", "nan"},
        {"\"-Infinity\"", "-inf"},
        {"\"+inf\"", "inf"},
        {"\"-nan\"", "nan"},
        {"null", "nan"},
        {"1e400", "inf"},
        {"double|3", "3"},
        {R"json({"type":"double","values":[3]})json", "3"},
        {R"json({"type":"tensor()","values":3})json", "3"},
        {R"json({"type":"tensor()","cells":[{"address":{},"value":3}]})json", "3"},
        {R"json(double|[3])json", "3"},
        {R"json(double|[{"address":{},"value":3}])json", "3"},
    });
}

TEST(FromJson, ReadsValues) {
    expect_outcomes({
        {R"json({"type":"tensor(x[3])","values":[1,2.5,-3e2]})json", "tensor(x[3]):[1,2.5,-300]"},
        {R"json( { "values" : [ 1 , "nan" , null ] , "type" : "tensor( x[3] )" } )json", "tensor(x[3]):[1,nan,nan]"},
        {R"json({"type":"tensor(x[2],y[2])","values":[[1,2],[3,4]]})json", "tensor(x[2],y[2]):[[1,2],[3,4]]"},
        {R"json({"type":"tensor(x[2],y[2])","values":[1,2,3,4]})json", "tensor(x[2],y[2]):[[1,2],[3,4]]"},
        // Canonical order, however the type is written.
        {R"json({"type":"tensor(y[2],x[2])","values":[1,2,3,4]})json", "tensor(x[2],y[2]):[[1,2],[3,4]]"},
        {R"json({"type":"tensor<int8>(x[2])","values":"05a1"})json", "tensor<int8>(x[2]):[5,-95]"},
        {R"json({"type":"tensor<float>(x[2])","values":"3f80C020"})json", "tensor<float>(x[2]):[1,-2.5]"},
        {"tensor(x[2],y[2])|[[1,2],[3,4]]", "tensor(x[2],y[2]):[[1,2],[3,4]]"},
        {"tensor(x[2],y[2])|[1,2,3,4]", "tensor(x[2],y[2]):[[1,2],[3,4]]"},
        {"tensor<int8>(x[2])|\"05a1\"", "tensor<int8>(x[2]):[5,-95]"},
        {R"json(tensor(x[1])|{"values":[1]})json", "tensor(x[1]):[1]"},
        {R"json(tensor(x[1])|{"type":"tensor(x[1])","values":[1]})json", "tensor(x[1]):[1]"},
    });
}

TEST(FromJson, ReadsCells) {
    expect_outcomes({
        {R"json({"type":"tensor(k{})","cells":{"a":1,"b c":2}})json", R"(tensor(k{}):{a:1,"b c":2})"},
        {R"json({"type":"tensor(k{})","cells":{}})json", "tensor(k{}):{}"},
        {R"json({"type":"tensor(k{})","cells":[]})json", "tensor(k{}):{}"},
        {R"json({"type":"tensor(k{})","cells":[{"address":{"k":"a"},"value":1}]})json", "tensor(k{}):{a:1}"},
        {R"json({"cells":[{"value":"inf","address":{"k":"a"}}],"type":"tensor(k{})"})json", "tensor(k{}):{a:inf}"},
        {R"json({"type":"tensor(k{})","cells":[{"address":{"k":17},"value":1}]})json", "tensor(k{}):{17:1}"},
        {R"json({"type":"tensor(k{},l{})","cells":[{"address":{"l":"b","k":"a"},"value":1}]})json",
         "tensor(k{},l{}):{a:{b:1}}"},
        {R"json({"type":"tensor(x[3])","cells":[{"address":{"x":"1"},"value":5},{"address":{"x":2},"value":6}]})json",
         "tensor(x[3]):[0,5,6]"},
        {R"json({"type":"tensor(k{},x[2])","cells":[{"address":{"k":"a","x":"1"},"value":5}]})json",
         "tensor(k{},x[2]):{a:[0,5]}"},
        {R"json(tensor(k{},l{})|[{"address":{"k":"a","l":"b"},"value":1}])json", "tensor(k{},l{}):{a:{b:1}}"},
        {R"json(tensor(x[2])|[{"address":{"x":"1"},"value":5}])json", "tensor(x[2]):[0,5]"},
    });
}

TEST(FromJson, ReadsBlocks) {
    expect_outcomes({
        {R"json({"type":"tensor(k{},x[2])","blocks":{"a":[1,2],"b":"0304"}})json",
         "tensor(k{},x[2]):{a:[1,2],b:[3,4]}"},
        {R"json({"type":"tensor(k{},x[2])","blocks":[{"address":{"k":"a"},"values":[1,2]}]})json",
         "tensor(k{},x[2]):{a:[1,2]}"},
        {R"json({"blocks":[{"values":[1,2],"address":{"k":"a"}}],"type":"tensor(k{},x[2])"})json",
         "tensor(k{},x[2]):{a:[1,2]}"},
        {R"json({"type":"tensor(k{},l{},x[2])","blocks":[{"address":{"k":"a","l":"b"},"values":[1,2]}]})json",
         "tensor(k{},l{},x[2]):{a:{b:[1,2]}}"},
        {R"json({"type":"tensor(k{},x[2],y[2])","blocks":{"a":[[1,2],[3,4]],"b":[5,6,7,8]}})json",
         "tensor(k{},x[2],y[2]):{a:[[1,2],[3,4]],b:[[5,6],[7,8]]}"},
        {R"json({"type":"tensor(x[2],z{})","blocks":{"a":[1,2]}})json", "tensor(z{},x[2]):{a:[1,2]}"},
        {R"json({"type":"tensor(k{},x[2])","blocks":{}})json", "tensor(k{},x[2]):{}"},
        {R"json({"type":"tensor(k{},x[2])","blocks":[]})json", "tensor(k{},x[2]):{}"},
        {R"json({"type":"tensor(k{})","blocks":{"a":[1],"b":2}})json", "tensor(k{}):{a:1,b:2}"},
        {R"json(tensor(k{},x[2])|{"a":[1,2]})json", "tensor(k{},x[2]):{a:[1,2]}"},
        {R"json(tensor(k{},x[2])|[{"address":{"k":"a"},"values":[1,2]},{"address":{"k":"b","x":1},"value":3}])json",
         "tensor(k{},x[2]):{a:[1,2],b:[0,3]}"},
    });
}

TEST(FromJson, TellsTheObjectFromItsContent) {
    expect_outcomes({
        {R"json(tensor(k{})|{})json", "tensor(k{}):{}"},
        {R"json(tensor(k{},x[1])|{})json", "tensor(k{},x[1]):{}"},
        {R"json(tensor(k{})|{"type":1,"cells":2,"values":3})json", "tensor(k{}):{type:1,cells:2,values:3}"},
        {R"json(tensor(k{})|{"cells":"nan"})json", "tensor(k{}):{cells:nan}"},
        {R"json(tensor(k{})|{"type":"nan"})json", "tensor(k{}):{type:nan}"},
        {R"json(tensor(k{})|{"cells":{"cells":2}})json", "tensor(k{}):{cells:2}"},
        {R"json(tensor(k{})|{"cells":[]})json", "tensor(k{}):{}"},
        {R"json(tensor(k{})|{"type":"tensor(k{})","cells":{"a":1}})json", "tensor(k{}):{a:1}"},
        {R"json(tensor<int8>(k{},x[1])|{"blocks":[1],"cells":"02","values":[3],"type":"04"})json",
         "tensor<int8>(k{},x[1]):{blocks:[1],cells:[2],values:[3],type:[4]}"},
        {R"json(tensor(k{},x[1])|{"blocks":{"blocks":[1]}})json", "tensor(k{},x[1]):{blocks:[1]}"},
        {R"json(tensor(k{},x[1])|{"blocks":[{"address":{"k":"a"},"values":[1]}]})json", "tensor(k{},x[1]):{a:[1]}"},
    });
}

TEST(FromJson, TakesTheFirstOfEqualAddresses) {
    expect_outcomes({
        {R"json(tensor(k{})|{"a":1,"b":2,"a":3})json", "tensor(k{}):{a:1,b:2}"},
        {R"json(tensor(k{},x[2])|{"a":[1,2],"a":[3,4],"a":"0506"})json", "tensor(k{},x[2]):{a:[1,2]}"},
        {R"json(tensor(x[2])|[{"address":{"x":"1"},"value":1},{"address":{"x":"1"},"value":2}])json",
         "tensor(x[2]):[0,1]"},
        {R"json(tensor(k{})|[{"address":{"k":"a","k":"b"},"value":1}])json", "tensor(k{}):{a:1}"},
    });
}

TEST(FromJson, ReadsEscapesOfLabels) {
    expect_outcomes({
        {R"json(tensor(k{})|{"\u0061\n\t\"\\\/":1})json", R"(tensor(k{}):{"a\n\t\"\\/":1})"},
        {R"json(tensor(k{})|{"\b\f\r\u0000":1})json", R"(tensor(k{}):{"\x08\f\r\x00":1})"},
        {R"json(tensor(k{})|{"\ud83d\ude00\u00e9":1})json", "tensor(k{}):{\"\xf0\x9f\x98\x80\xc3\xa9\":1}"},
        {"tensor(k{})|{\"\xf0\x9f\x98\x80\":1}", "tensor(k{}):{\"\xf0\x9f\x98\x80\":1}"},
        // Bytes that are not UTF-8.
        {R"json(tensor(k{})|{"a\udcff\udc80":1})json", R"(tensor(k{}):{"a\xff\x80":1})"},
        {R"json(tensor(k{})|[{"address":{"\u006b":"\u0061"},"value":1}])json", "tensor(k{}):{a:1}"},
        {R"json({"t\u0079pe":"tensor(k{}\u0029","c\u0065lls":{}})json", "tensor(k{}):{}"},
    });
}

TEST(FromJson, RefusesWhatIsNoJson) {
    expect_outcomes({
        {"", "1:1: expected a number, but the text ends here"},
        {"tru", "1:1: expected a number, but found 'tru'"},
        {"nul", "1:1: expected null, but found 'nul'"},
        {"nullx", "1:1: expected null, but found 'nullx'"},
        {"1 2", "1:3: unexpected '2' after the value"},
        {"01", "1:1: '01' is no number of JSON (numbers have no leading zeros, and digits follow the point)"},
        {"-01", "1:1: '-01' is no number of JSON (numbers have no leading zeros, and digits follow the point)"},
        {"1.", "1:1: '1.' is no number of JSON (numbers have no leading zeros, and digits follow the point)"},
        {"1.e5", "1:1: '1.e5' is no number of JSON (numbers have no leading zeros, and digits follow the point)"},
        {".5", "1:1: expected a number, but found '.5'"},
        {"+1", "1:1: expected a number, but found '+'"},
        {"-", "1:1: expected a number, but found '-'"},
        {"1e", "1:2: unexpected 'e' after the value"},
        {"NaN", "1:1: expected a number, but found 'NaN'"},
        {"'a'", "1:1: expected a number, but found '''"},
        {"tensor(x[1])|[1,]", "1:4: expected a number, but found ']'"},
        {"tensor(x[1])|[1\v]", "1:3: expected ',' or ']', but found '\\x0b'"},
        {"tensor(k{})|{\"a\":1,}", "1:8: expected the name of a member in double quotes, but found '}'"},
        {"tensor(k{})|{a:1}", "1:2: expected the name of a member in double quotes, but found 'a'"},
        {"tensor(k{})|{\"a\" 1}", "1:6: expected ':', but found '1'"},
        {"tensor(k{})|{\"a\":1 \"b\":2}", "1:8: expected ',' or '}', but found '\"'"},
        {"tensor(k{})|{\"a", "1:4: the string does not end (end it with \")"},
        {"tensor(k{})|{\"a\n\":1}",
         "1:4: '\\x0a' stands in a string (control characters are written as escapes: \\n, "
         "\\u0000)"},
        {"tensor(k{})|{\"\xff\":1}", "1:3: byte \\xff is not UTF-8 (JSON is UTF-8 text)"},
        {"tensor(k{})|{\"\xed\xa0\x80\":1}", "1:3: byte \\xed is not UTF-8 (JSON is UTF-8 text)"},
        {R"json(tensor(k{})|{"\x41":1})json",
         R"(1:3: unknown escape '\x' (the escapes of JSON are \" \\ \/ \b \f \n \r \t \uXXXX))"},
        {R"json(tensor(k{})|{"\')json",
         R"(1:3: unknown escape '\'' (the escapes of JSON are \" \\ \/ \b \f \n \r \t \uXXXX))"},
        {R"json(tensor(k{})|{"\u12":1})json", R"(1:3: '\u' needs four hexadecimal digits)"},
        {R"json(tensor(k{})|{"\ud83d":1})json", R"(1:3: '\ud83d' is half of a surrogate pair)"},
        {R"json(tensor(k{})|{"\ud83d\u0041":1})json", R"(1:3: '\ud83d' is half of a surrogate pair)"},
        {R"json(tensor(k{})|{"\udc7f":1})json", R"(1:3: '\udc7f' is half of a surrogate pair)"},
        // In what is passed over until the type is known.
        {R"json({"cells":[1,{"a":[true,false,null,"x"],"b":{}},[],2}],"type":"tensor(k{})"})json",
         "1:52: expected ',' or ']', but found '}'"},
        {R"json({"cells":[tru],"type":"tensor(k{})"})json", "1:11: expected true, but found 'tru'"},
        {R"json({"cells":[x],"type":"tensor(k{})"})json", "1:11: expected a value, but found 'x'"},
        {R"json({"cells":{"a"},"type":"tensor(k{})"})json", "1:14: expected ':', but found '}'"},
        {R"json({"cells":{"a":1,},"type":"tensor(k{})"})json",
         "1:17: expected the name of a member in double quotes, but found '}'"},
        {R"json({"cells":[1,2)json", "1:14: expected ',' or ']', but the text ends here"},
        {R"json({"cells":[)json", "1:11: expected a value, but the text ends here"},
    });
}

TEST(FromJson, RefusesObjectsThatAreNoValues) {
    const std::string hint = R"( (a value has the members "type" and one of "cells", "values", "blocks"))";
    expect_outcomes({
        {"[1,2]",
         R"json(1:1: the type of this value is not known (write {"type":"tensor(x[3])","values":[1,2,3]}))json"},
        {"\"a\"",
         R"(1:1: the string "a" is no number (write numbers without quotes; the strings for numbers are "nan", )"
         R"("inf" and "-inf"))"},
        {"{}", "1:1: the value has no cells, values or blocks" + hint},
        {R"json({"type":"tensor(x[1])"})json", "1:1: the value has no cells, values or blocks" + hint},
        {R"json({"values":[1]})json", "1:1: the value has no type" + hint},
        {R"json({"type":"tensor(x[1])","value":[1]})json", "1:24: unknown member \"value\"" + hint},
        {R"json({"type":"tensor(x[1])","values":[1],"cells":[]})json",
         "1:37: the value has \"cells\" beside \"values\"" + hint},
        {R"json({"values":[1],"values":[2],"type":"tensor(x[1])"})json",
         "1:15: the value has \"values\" beside \"values\"" + hint},
        {R"json({"type":"tensor(x[1])","type":"tensor(x[1])","values":[1]})json", "1:31: the type is given twice"},
        {R"json({"type":1,"values":[1]})json", "1:9: expected a string, but found '1'"},
        {R"json({"type":"tensor(x[0])","values":[1]})json", "1:34: too many cells: a block of tensor(x[0]) has 0"},
        {R"json({"type":"tensor","values":[1]})json", "1:16: expected '(' or '<' after tensor, but the text ends here"},
        {R"json({"type":"","values":[1]})json",
         "1:10: expected a type, but the text ends here (a type is double or tensor<celltype>(dimensions))"},
        {R"json({"type":"t\u0065nsor","values":[1]})json",
         "1:9: expected '(' or '<' after tensor, but the text ends here"},
        {R"json(tensor(x[2])|{"type":"tensor(x[3])","values":[1,2,3]})json",
         "1:9: the value is a tensor(x[3]), but a tensor(x[2]) is expected"},
    });
}

TEST(FromJson, RefusesContentThatDoesNotFitTheType) {
    expect_outcomes({
        {"tensor(x[3])|[1,2]",
         "1:1: the list has 2 of the 3 cells of a tensor(x[3])"
         " (a value has all its cells: write those that are 0, too)"},
        {"tensor(x[3])|[]",
         "1:1: the list has 0 of the 3 cells of a tensor(x[3])"
         " (a value has all its cells: write those that are 0, too)"},
        {"tensor(x[3])|[1,2,3,-4.5]", "1:8: too many cells: a block of tensor(x[3]) has 3"},
        {"tensor(x[2],y[2])|[1,2,3]",
         "1:1: the list has 3 of the 4 cells of a tensor(x[2],y[2])"
         " (a value has all its cells: write those that are 0, too)"},
        {"tensor(x[2],y[2])|[[1,2],[3]]",
         "1:8: the list has 1 of the 2 elements of dimension y[2] of a tensor(x[2],y[2])"
         " (a value has all its cells: write those that are 0, too)"},
        {"tensor(x[2],y[2])|[[1,2]]",
         "1:1: the list has 1 of the 2 elements of dimension x[2] of a tensor(x[2],y[2])"
         " (a value has all its cells: write those that are 0, too)"},
        {"tensor(x[2],y[2])|[[1,2],[3,4],[5,6]]", "1:14: too many elements for dimension x[2]"},
        {"tensor(x[2],y[2])|[[1,2,3],[4]]", "1:7: too many elements for dimension y[2]"},
        {"tensor(x[2],y[2])|[[1,2],3,4]", "1:8: expected '[' of dimension y[2], but found '3'"},
        {"tensor(x[2],y[2])|[1,[2],3,4]", "1:4: expected a number, but found '['"},
        {"tensor(x[2])|[[1,2]]", "1:2: expected a number, but found '['"},
        {"tensor(x[2])|7",
         "1:1: expected '[' of the cells of a tensor(x[2]), but found '7' (cells are lists of numbers, or "
         "strings of hexadecimal digits)"},
        {"tensor(x[2])|\"01\"",
         "1:2: 2 hexadecimal digits do not make the 2 cells of tensor(x[2]) (32 digits are needed, 16 "
         "for each cell)"},
        {"tensor(x[2])|\"01x2\"", "1:4: 'x' is no hexadecimal digit"},
        {"tensor(x[2])|[true,1]", "1:2: expected a number, but found 'true'"},
        {"tensor(x[2])|[\"1\",1]",
         "1:2: the string \"1\" is no number (write numbers without quotes; the strings for "
         "numbers are \"nan\", \"inf\" and \"-inf\")"},
        {"tensor(k{})|[1]", "1:2: expected '{' of an object with \"address\", but found '1'"},
        {"tensor(k{})|7",
         "1:1: expected '[' or '{', but found '7' (the content of a tensor(k{}) is a list of objects with "
         "addresses)"},
        {R"json(tensor(k{})|{"":1})json", "1:2: a label must not be empty"},
        {R"json(tensor(k{})|[{"address":{"k":""},"value":1}])json", "1:18: a label must not be empty"},
        {R"json(tensor(k{})|[{"address":{"k":null},"value":1}])json",
         "1:18: expected a label, but found 'null' (labels are strings)"},
        {R"json(tensor(k{})|[{"address":{"k":1.5},"value":1}])json",
         "1:18: expected a label, but found '1.5' (labels are strings)"},
        {R"json(tensor(k{})|[{"address":"a","value":1}])json", "1:13: expected '{' of an address, but found '\"'"},
        {R"json(tensor(k{})|[{"address":{"l":"a"},"value":1}])json", "1:14: tensor(k{}) has no dimension 'l'"},
        {R"json(tensor(k{},l{})|[{"address":{"k":"a"},"value":1}])json",
         "1:13: the address lacks dimension 'l' of tensor(k{},l{}) (the address of a cell names every dimension)"},
        {R"json(tensor(k{},x[2])|[{"address":{"k":"a","x":"1"},"values":[1,2]}])json",
         "1:13: the address of a block names the indexed dimension 'x' (the address of a block names the mapped "
         "dimensions)"},
        {R"json(tensor(x[2])|[{"address":{"x":"2"},"value":1}])json",
         "1:18: index 2 is outside of dimension 'x' of size 2 (indexes go from 0 to 1)"},
        {R"json(tensor(k{})|[{"value":1}])json",
         "1:2: the element has no \"address\" (an element has the members \"address\" and \"value\" or \"values\")"},
        {R"json({"type":"tensor(k{})","cells":[{"address":{"k":"a"}}]})json",
         "1:32: the element has no \"value\" (an element has the members \"address\" and \"value\")"},
        {R"json({"type":"tensor(k{})","cells":[{"address":{"k":"a"},"values":[1]}]})json",
         "1:53: unknown member \"values\" (an element has the members \"address\" and \"value\")"},
        {R"json({"type":"tensor(k{},x[1])","blocks":[{"address":{"k":"a"},"value":1}]})json",
         "1:59: unknown member \"value\" (an element has the members \"address\" and \"values\")"},
        {R"json(tensor(k{})|[{"address":{"k":"a"},"value":1,"value":2}])json",
         "1:33: the element has two values (an element has the members \"address\" and \"value\" or \"values\")"},
        {R"json(tensor(k{})|[{"address":{"k":"a"},"address":{"k":"a"},"value":2}])json",
         "1:23: the element has two addresses (an element has the members \"address\" and \"value\" or \"values\")"},
        {R"json({"type":"tensor(k{})","values":[1]})json",
         "1:32: \"values\" cannot tell the labels of a tensor(k{}) (write \"cells\")"},
        {R"json({"type":"tensor(k{},x[2])","values":[1]})json",
         "1:37: \"values\" cannot tell the labels of a tensor(k{},x[2]) (write \"blocks\")"},
        {R"json({"type":"tensor(k{},x[2])","cells":{"a":[1,2]}})json",
         "1:36: expected '[', but found '{' (the content of a tensor(k{},x[2]) is a list of objects with addresses)"},
        {R"json({"type":"tensor(k{},l{})","cells":{"a":1}})json",
         "1:35: expected '[', but found '{' (the content of a tensor(k{},l{}) is a list of objects with addresses)"},
        {R"json(double|"1")json",
         "1:1: the string \"1\" is no number (write numbers without quotes; the strings for "
         "numbers are \"nan\", \"inf\" and \"-inf\")"},
    });
}

TEST(FromJson, PointsAtTheMistake) {
    EXPECT_EQ(from_json("{\n  \"type\": \"tensor(x[2])\",\n  \"values\": [1, 2, 3]\n}").error().render(),
              "3:20: error: too many cells: a block of tensor(x[2]) has 2\n"
              "    \"values\": [1, 2, 3]\n"
              "                     ^\n");
}

TEST(FromJson, SaysIfMoreTextCouldMendIt) {
    for (const std::string_view text :
         {"", "{", R"({"type")", R"({"type":"ten)", R"({"values":[1,)", "{\"values\":[[1"}) {
        EXPECT_TRUE(from_json(text).error().incomplete()) << text;
    }
    for (const std::string_view text : {"]", "{}", "{]", R"({"values":[1,}])"}) {
        EXPECT_FALSE(from_json(text).error().incomplete()) << text;
    }
}

TEST(FromJson, KeepsToTheLimits) {
    Limits limits;
    limits.tensor_cells = 2;
    EXPECT_EQ(outcome(R"json(tensor(k{})|{"a":1,"b":2,"a":3})json", limits), "tensor(k{}):{a:1,b:2}");
    EXPECT_EQ(outcome(R"json(tensor(k{})|{"a":1,"b":2,"c":3})json", limits),
              "1:18: the value has more than 2 cells (the limit is called tensor_cells)");
    EXPECT_EQ(outcome(R"json({"type":"tensor(x[3])","values":[1,2,3]})json", limits),
              "1:9: the value has more than 2 cells (the limit is called tensor_cells)");
    EXPECT_EQ(outcome("tensor(x[3])|[1,2,3]", limits),
              "1:1: the value has more than 2 cells (the limit is called tensor_cells)");
    limits = {};
    limits.block_cells = 2;
    EXPECT_EQ(outcome(R"json({"type":"tensor(x[3])","values":[1,2,3]})json", limits),
              "1:17: with dimension 'x' a dense block has more than 2 cells (the limit is called block_cells)");
    limits = {};
    limits.value_bytes = 4;
    EXPECT_EQ(outcome("10000", limits),
              "the value takes 5 bytes; at most 4 are read (the limit is called value_bytes)");
    limits = {};
    limits.nesting = 3;
    EXPECT_EQ(outcome(R"json({"cells":[[[1]]],"type":"tensor(k{})"})json", limits),
              "1:11: expected '{' of an object with \"address\", but found '['");
    EXPECT_EQ(outcome(R"json({"cells":[[[[1]]]],"type":"tensor(k{})"})json", limits),
              "1:13: brackets nest more than 3 deep (the limit is called nesting)");
}

}  // namespace
}  // namespace tenrex::json_reader_test

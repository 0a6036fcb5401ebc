#include <tenrex/formats.h>

#include <cmath>
#include <string>

#include <gtest/gtest.h>

namespace tenrex::literal_reader_test {
namespace {

// The value in the verbose form, or the message of the error. A type in front of '|' is the known one.
std::string outcome(std::string_view text, const Limits &limits = {}) {
    const std::size_t bar = text.find('|');
    const auto value = bar == std::string_view::npos
                           ? from_literal(text, limits)
                           : from_literal(text.substr(bar + 1), *TensorType::parse(text.substr(0, bar)), limits);
    return value ? to_literal(*value, LiteralStyle::verbose) : value.error().message();
}

struct Case {
    std::string_view text, expected;
};

TEST(FromLiteral, ReadsNumbers) {
    for (const Case &c : std::initializer_list<Case>{
             {"1.5", "1.5"},
             {" -3 ", "-3"},
             {"+.5", "0.5"},
             {"NaN", "nan"},
             {"-Infinity", "-inf"},
             {"1e400", "inf"},
             {"double|2", "2"},
             {"double:2", "2"},
             {"tensor():2", "2"},
             {"tensor<double>( ) : { 2 }", "2"},
             {"tensor():{{}:2}", "2"},
             {"{{}:2}", "2"},
         }) {
        EXPECT_EQ(outcome(c.text), c.expected) << c.text;
    }
}

TEST(FromLiteral, ReadsStrings) {
    const auto value = from_literal(" 'it\\'s \\u00fc' ");
    ASSERT_TRUE(value);
    EXPECT_TRUE(value->is_string());
    EXPECT_EQ(value->text(), "it's ü");
    EXPECT_EQ(value->as_double(), string_number("it's ü"));
    EXPECT_TRUE(value->type().is_scalar());
    EXPECT_EQ(to_literal(*value), "\"it's ü\"");
    EXPECT_EQ(outcome("double|\"a\""), "\"a\"");
    EXPECT_EQ(outcome("\"\""), "\"\"");
    EXPECT_FALSE(from_literal("1")->is_string());
    EXPECT_EQ(outcome("\"a"), "1:3: the string in quotes does not end: \"a (end it with \")");
    EXPECT_EQ(outcome("\"a\\q\"").substr(0, 5), "1:3: ");
    EXPECT_EQ(outcome("\"a\" 1"), "1:5: unexpected '1' after the value");
    EXPECT_EQ(outcome("tensor(x[1]):[\"a\"]").substr(0, 6), "1:15: ");
    EXPECT_EQ(*from_literal("\"a\""), Tensor(string_number("a"))) << "a value is its number";
}

TEST(FromLiteral, ReadsDenseValues) {
    for (const Case &c : std::initializer_list<Case>{
             {"tensor(x[3]):[1,2,3]", "tensor(x[3]):{{x:0}:1,{x:1}:2,{x:2}:3}"},
             {" tensor < float > ( x [ 2 ] ) : [ 1 ,\n2 ] ", "tensor<float>(x[2]):{{x:0}:1,{x:1}:2}"},
             {"tensor(x[2],y[2]):[[1,2],[3,4]]", "tensor(x[2],y[2]):{{x:0,y:0}:1,{x:0,y:1}:2,{x:1,y:0}:3,{x:1,y:1}:4}"},
             // Brackets nest in the order in which the type is written.
             {"tensor(y[2],x[2]):[[1,2],[3,4]]", "tensor(x[2],y[2]):{{x:0,y:0}:1,{x:0,y:1}:3,{x:1,y:0}:2,{x:1,y:1}:4}"},
             {"tensor(x[2],y[2])|[[1,2],[3,4]]", "tensor(x[2],y[2]):{{x:0,y:0}:1,{x:0,y:1}:2,{x:1,y:0}:3,{x:1,y:1}:4}"},
             // Without inner brackets.
             {"tensor(x[2],y[2]):[1,2,3,4]", "tensor(x[2],y[2]):{{x:0,y:0}:1,{x:0,y:1}:2,{x:1,y:0}:3,{x:1,y:1}:4}"},
             {"tensor(y[2],x[2]):[1,2,3,4]", "tensor(x[2],y[2]):{{x:0,y:0}:1,{x:0,y:1}:3,{x:1,y:0}:2,{x:1,y:1}:4}"},
             {"tensor(a[1],x[2],y[2])|[[1,2,3,4]]",
              "tensor(a[1],x[2],y[2]):{{a:0,x:0,y:0}:1,{a:0,x:0,y:1}:2,{a:0,x:1,y:0}:3,{a:0,x:1,y:1}:4}"},
             // One address for each cell.
             {"tensor(x[3]):{{x:1}:5}", "tensor(x[3]):{{x:0}:0,{x:1}:5,{x:2}:0}"},
             {"tensor(x[2],y[2]):{{y:1,x:0}:1,{x:01,y:\"0\"}:2}",
              "tensor(x[2],y[2]):{{x:0,y:0}:0,{x:0,y:1}:1,{x:1,y:0}:2,{x:1,y:1}:0}"},
         }) {
        EXPECT_EQ(outcome(c.text), c.expected) << c.text;
    }
}

TEST(FromLiteral, ReadsSparseAndMixedValues) {
    for (const Case &c : std::initializer_list<Case>{
             {"tensor(k{}):{}", "tensor(k{}):{}"},
             {"tensor(k{}):{ }", "tensor(k{}):{}"},
             {"tensor(k{}):{a:1, b:2}", "tensor(k{}):{{k:a}:1,{k:b}:2}"},
             {"tensor(k{})|{a:1}", "tensor(k{}):{{k:a}:1}"},
             {"tensor(k{})|tensor<double>(k{}):{a:1}", "tensor(k{}):{{k:a}:1}"},
             {"tensor(a{},b{}):{p:{q:1,r:2},s:{q:3}}", "tensor(a{},b{}):{{a:p,b:q}:1,{a:p,b:r}:2,{a:s,b:q}:3}"},
             {"tensor(b{},a{}):{p:{q:1}}", "tensor(a{},b{}):{{a:q,b:p}:1}"},
             {"tensor(k{},x[2]):{a:[1,2],b:[3,4]}",
              "tensor(k{},x[2]):{{k:a,x:0}:1,{k:a,x:1}:2,{k:b,x:0}:3,{k:b,x:1}:4}"},
             {"tensor(k{},x[2],y[2]):{a:[1,2,3,4]}",
              "tensor(k{},x[2],y[2]):{{k:a,x:0,y:0}:1,{k:a,x:0,y:1}:2,{k:a,x:1,y:0}:3,{k:a,x:1,y:1}:4}"},
             // An indexed dimension outside of a mapped one.
             {"tensor(x[2],k{}):[{a:1},{a:2,b:3}]",
              "tensor(k{},x[2]):{{k:a,x:0}:1,{k:a,x:1}:2,{k:b,x:0}:0,{k:b,x:1}:3}"},
             {"tensor(x[2],y{}):[{a:1},{b:2}]", "tensor(x[2],y{}):{{x:0,y:a}:1,{x:1,y:a}:0,{x:0,y:b}:0,{x:1,y:b}:2}"},
             {"tensor(x[2],y{}):[{},{}]", "tensor(x[2],y{}):{}"},
             {"tensor(x[1],y{}):[{}]", "tensor(x[1],y{}):{}"},
             {"tensor(x[2],y{}):{}", "tensor(x[2],y{}):{}"},
             {"tensor(k{},x[2]):{{k:a,x:1}:1}", "tensor(k{},x[2]):{{k:a,x:0}:0,{k:a,x:1}:1}"},
             {"tensor(k{},x[2]):{ {x:1,k:a}:1 , {k:b,x:0}:2 }",
              "tensor(k{},x[2]):{{k:a,x:0}:0,{k:a,x:1}:1,{k:b,x:0}:2,{k:b,x:1}:0}"},
             // Without a type the dimensions are mapped.
             {"{{x:a,y:b}:1,{y:c,x:d}:2}", "tensor(x{},y{}):{{x:a,y:b}:1,{x:d,y:c}:2}"},
             {" { { x : 3 } : 1 } ", "tensor(x{}):{{x:3}:1}"},
         }) {
        EXPECT_EQ(outcome(c.text), c.expected) << c.text;
    }
}

TEST(FromLiteral, ReadsLabelsBareAndQuoted) {
    for (const Case &c : std::initializer_list<Case>{
             {"tensor(k{}):{key.1:1,a-b:2,x=y:3,007:4}",
              R"(tensor(k{}):{{k:"key.1"}:1,{k:"a-b"}:2,{k:"x=y"}:3,{k:007}:4})"},
             {"tensor(k{}):{\xc3\xbcn\xc3\xaf:1}", "tensor(k{}):{{k:\"\xc3\xbcn\xc3\xaf\"}:1}"},
             {R"(tensor(k{}):{"a b":1,'it\'s':2,"\x41\u00e9":3})",
              "tensor(k{}):{{k:\"a b\"}:1,{k:\"it's\"}:2,{k:\"A\xc3\xa9\"}:3}"},
             {R"(tensor(k{}):{a"b:1,it's:2})", R"(tensor(k{}):{{k:"a\"b"}:1,{k:"it's"}:2})"},
             {R"(tensor(k{}):{{k:"a,b}:"}:1})", R"(tensor(k{}):{{k:"a,b}:"}:1})"},
             {R"(tensor(a{},b{}):{"\x61":{"\x62":1,"\x63":2},'d':{e:3}})",
              "tensor(a{},b{}):{{a:a,b:b}:1,{a:a,b:c}:2,{a:d,b:e}:3}"},
             // Quoted or bare, it is the same label.
             {R"(tensor(k{}):{"a":1,a:2,'a':3})", "tensor(k{}):{{k:a}:1}"},
         }) {
        EXPECT_EQ(outcome(c.text), c.expected) << c.text;
    }
}

TEST(FromLiteral, TakesTheFirstOfEqualAddresses) {
    for (const Case &c : std::initializer_list<Case>{
             {"tensor(k{}):{a:1,b:2,a:3}", "tensor(k{}):{{k:a}:1,{k:b}:2}"},
             {"tensor(x[2]):{{x:0}:1,{x:0}:2}", "tensor(x[2]):{{x:0}:1,{x:1}:0}"},
             {"tensor(k{}):{{k:a,k:b}:1}", "tensor(k{}):{{k:a}:1}"},
             {"tensor(x[2]):{{x:1,x:0}:1}", "tensor(x[2]):{{x:0}:0,{x:1}:1}"},
             // Each cell for itself: the second address names a cell that the first one left out.
             {"tensor(k{},x[2]):{{k:a,x:0}:1,{k:a,x:0}:3,{k:a,x:1}:4}", "tensor(k{},x[2]):{{k:a,x:0}:1,{k:a,x:1}:4}"},
             {"tensor(k{},x[2]):{a:[1,2],a:[3,4]}", "tensor(k{},x[2]):{{k:a,x:0}:1,{k:a,x:1}:2}"},
             {"tensor(x[2],k{}):[{a:1,a:2},{a:3}]", "tensor(k{},x[2]):{{k:a,x:0}:1,{k:a,x:1}:3}"},
             {"tensor(k{}):{a:0,a:1}", "tensor(k{}):{{k:a}:0}"},
         }) {
        EXPECT_EQ(outcome(c.text), c.expected) << c.text;
    }
}

TEST(FromLiteral, ConvertsToTheCellType) {
    EXPECT_EQ(outcome("tensor<float>(x[2]):[0.1,16777217]"), "tensor<float>(x[2]):{{x:0}:0.1,{x:1}:16777216}");
    EXPECT_EQ(from_literal("tensor<bfloat16>(x[1]):[0.1]")->cell(0), 0.099609375);
    EXPECT_EQ(outcome("tensor<int8>(x[6]):[1.9,-1.9,200,-129,nan,inf]"),
              "tensor<int8>(x[6]):{{x:0}:1,{x:1}:-1,{x:2}:-56,{x:3}:127,{x:4}:0,{x:5}:-1}");
    // A number is a double first and then a float, which rounds twice.
    EXPECT_EQ(from_literal("tensor<float>(x[1]):[1.00000005960464477539062500000001]")->cell(0), 1.0);
}

TEST(FromLiteral, ReadsHexadecimalDigits) {
    for (const Case &c : std::initializer_list<Case>{
             {"tensor<int8>(x[2])|05a1", "tensor<int8>(x[2]):{{x:0}:5,{x:1}:-95}"},
             {"tensor<int8>(x[2])| 05A1 \n", "tensor<int8>(x[2]):{{x:0}:5,{x:1}:-95}"},
             {"tensor<int8>(x[2]):05a1", "tensor<int8>(x[2]):{{x:0}:5,{x:1}:-95}"},
             {"tensor(x[2])|3f800000c0200000", "tensor(x[2]):{{x:0}:1,{x:1}:-2.5}"},
             {"tensor(x[2])|05a1z",
              "1:1: expected '[' of dimension x[2], but found '05a1z' (cells of tensor(x[2]) are "
              "written in brackets, or as hexadecimal digits)"},
             {"tensor(x[2])|",
              "1:1: expected '[' of dimension x[2], but the text ends here (cells of tensor(x[2]) are "
              "written in brackets, or as hexadecimal digits)"},
             {"tensor<int8>(x[2])|05a",
              "1:1: 3 hexadecimal digits do not make the 2 cells of tensor<int8>(x[2]) (4 digits are "
              "needed, 2 for each cell)"},
             {"tensor(k{})|05a1",
              "1:1: expected '{' of dimension k{}, but found '05a1' (brackets nest in the order in "
              "which the type names its dimensions)"},
         }) {
        EXPECT_EQ(outcome(c.text), c.expected) << c.text;
    }
}

TEST(FromLiteral, RefusesBadText) {
    for (const Case &c : std::initializer_list<Case>{
             {"", "1:1: expected a number, but the text ends here"},
             {"x", "1:1: expected a number, but found 'x'"},
             {"1 2", "1:3: unexpected '2' after the value"},
             {"1e", "1:2: unexpected 'e' after the value"},
             {"[1,2]", "1:1: the type of this value is not known (write it in front, as in tensor(x[3]):[1,2,3])"},
             {"{}", "1:1: the type of this value is not known (write it in front, as in tensor(x{}):{a:1})"},
             {"{a:1}", "1:1: the type of this value is not known (write it in front, as in tensor(x{}):{a:1})"},
             {"{{1:a}:2}", "1:3: expected the name of a dimension, but found '1'"},
             {"{{x:a}:1,{y:b}:2}", "1:11: tensor(x{}) has no dimension 'y'"},
             {"{{x:a}:1,{x:b,y:c}:2}", "1:15: tensor(x{}) has no dimension 'y'"},
             {"{{x:a,y:b}:1,{x:c}:2}",
              "1:14: the address lacks dimension 'y' of tensor(x{},y{}) (the address of a cell names every dimension)"},
             {"tensor(x[3])", "1:13: expected ':', but the text ends here"},
             {"tensor(x[3]):",
              "1:14: expected '[' of dimension x[3], but the text ends here (cells of tensor(x[3]) are "
              "written in brackets, or as hexadecimal digits)"},
             {"tensor(x[3])[1,2,3]", "1:13: expected ':', but found '['"},
             {"tensor(x[0]):[1]", "1:15: too many cells for dimension x[0]"},
             {"tensor(x[0]):{{x:0}:1}",
              "1:18: index 0 is outside of dimension 'x' of size 0 (a dimension of size 0 has no cells)"},
             {"tensor(x[3]):[1,2,3,4]", "1:21: too many cells for dimension x[3]"},
             {"tensor(x[2],y[2]):[[1,2,3]]", "1:25: too many cells for dimension y[2]"},
             {"tensor(x[2],y[2]):[[1,2],[2,3],[3,4]]", "1:32: too many cells for dimension x[2]"},
             {"tensor(x[2],y[2]):[1,2,3,4,5]", "1:28: too many cells: the list has room for 4"},
             {"tensor(x[2],y[2]):[1,2,3]",
              "1:19: the list has 3 of the 4 cells of a tensor(x[2],y[2]) (a value has all its cells: write those that "
              "are "
              "0, too)"},
             {"tensor(x[2],y[2]):[[1,2],3]",
              "1:26: expected '[' of dimension y[2], but found '3' (brackets nest in the "
              "order in which the type names its dimensions)"},
             {"tensor(x[2],y[2]):[1,[2]]",
              "1:22: expected a number, but found '[' (brackets are too deep for tensor(x[2],y[2]))"},
             {"tensor(x[2]):[[1,2]]",
              "1:15: expected a number, but found '[' (brackets are too deep for tensor(x[2]))"},
             {"tensor(x[2]):[1,]", "1:17: expected a number, but found ']'"},
             {"tensor(x[2]):[,1]", "1:15: expected a number, but found ','"},
             {"tensor(x[2]):[1 2]", "1:17: expected ',' or ']', but found '2'"},
             {"tensor(x[2]):[1,2", "1:18: expected ',' or ']', but the text ends here"},
             {"tensor(x[2]):[1,2]]", "1:19: unexpected ']' after the value"},
             {"tensor(x[2]):[1+1]", "1:16: expected ',' or ']', but found '+'"},
             {"tensor(x[2]):{}",
              "1:14: expected '[' of dimension x[2], but found '{' (brackets nest in the order in which "
              "the type names its dimensions)"},
             {"tensor(x[2]):{0:1,1:2}",
              "1:14: expected '[' of dimension x[2], but found '{' (brackets nest in the order "
              "in which the type names its dimensions)"},
             {"tensor(k{}):[1]",
              "1:13: expected '{' of dimension k{}, but found '[' (brackets nest in the order in which "
              "the type names its dimensions)"},
             {"tensor(k{}):{1}", "1:15: expected ':', but found '}'"},
             {"tensor(k{}):{a:}", "1:16: expected a number, but found '}'"},
             {"tensor(k{}):{:1}", "1:14: expected a label, but found ':' (a label is a word, or any text in quotes)"},
             {"tensor(k{}):{\"\":1}", "1:14: a label must not be empty"},
             {"tensor(k{}):{a:1,}", "1:18: expected a label, but found '}' (a label is a word, or any text in quotes)"},
             {"tensor(k{}):{a b:1}", "1:16: expected ':', but found 'b'"},
             {"tensor(k{}):{a:{b:1}}",
              "1:16: expected a number, but found '{' (brackets are too deep for tensor(k{}))"},
             {R"(tensor(k{}):{"a\q":1})",
              R"(1:16: unknown escape '\q' (the escapes are \" \' \\ \f \n \r \t \xHH \uXXXX))"},
             {R"(tensor(k{}):{"a:1})", R"(1:19: the label in quotes does not end: "a:1} (end it with "))"},
             {"tensor(k{}):{{a:1}:1}", "1:15: tensor(k{}) has no dimension 'a'"},
             {"tensor(k{}):{{k:a}}", "1:19: expected ':', but found '}'"},
             {"tensor(k{}):{{k:a}:1 {k:b}:2}", "1:22: expected ',' or '}', but found '{'"},
             {"tensor(k{}):{{k:a}:1,k:b}",
              "1:22: expected '{' of an address, but found 'k' (every cell has an address, as in {{x:a}:1})"},
             {"tensor(k{},x[2]):{{k:a}:1}",
              "1:19: the address lacks dimension 'x' of tensor(k{},x[2]) (the address of a "
              "cell names every dimension)"},
             {"tensor(x[2]):{{x:2}:1}", "1:18: index 2 is outside of dimension 'x' of size 2 (indexes go from 0 to 1)"},
             {"tensor(x[2]):{{x:-1}:1}",
              "1:18: index -1 is outside of dimension 'x' of size 2 (indexes go from 0 to 1)"},
             {"tensor(x[2]):{{x:99999999999999999999}:1}",
              "1:18: index 99999999999999999999 is outside of dimension 'x' of "
              "size 2 (indexes go from 0 to 1)"},
             {"tensor(x[2]):{{x:a}:1}",
              "1:18: 'a' is not an index of dimension 'x' ('x' is indexed: its labels are the "
              "numbers from 0 to 1)"},
             {"tensor(x[2]):{{x:1.0}:1}",
              "1:18: '1.0' is not an index of dimension 'x' ('x' is indexed: its labels are the "
              "numbers from 0 to 1)"},
             {"tensor():[1]", "1:10: expected a number, but found '[' (brackets are too deep for double)"},
             {"tensor():{}", "1:11: expected a number, but found '}'"},
             {"tensor():{1", "1:12: expected '}', but the text ends here"},
         }) {
        EXPECT_EQ(outcome(c.text), c.expected) << c.text;
    }
}

// In an expression the language fills such a list with zeros; a value that is too short was made for another type.
TEST(FromLiteral, RefusesListsThatAreTooShort) {
    const std::string hint = " (a value has all its cells: write those that are 0, too)";
    for (const Case &c : std::initializer_list<Case>{
             {"tensor<float>(x[3]):[1,2]", "1:21: the list has 2 of the 3 cells of a tensor<float>(x[3])"},
             {"tensor(x[3])|[1,2]", "1:1: the list has 2 of the 3 cells of a tensor(x[3])"},
             {"tensor(x[3])|[]", "1:1: the list has 0 of the 3 cells of a tensor(x[3])"},
             {"tensor(x[2],y[2]):[]",
              "1:19: the list has 0 of the 2 elements of dimension x[2] of a tensor(x[2],y[2])"},
             {"tensor(x[2],y[2])|[[1,2], [3]]",
              "1:9: the list has 1 of the 2 elements of dimension y[2] of a tensor(x[2],y[2])"},
             {"tensor(x[2],y[2])|[[1,2]]",
              "1:1: the list has 1 of the 2 elements of dimension x[2] of a tensor(x[2],y[2])"},
             {"tensor(x[1],y[2])|[[1]]", "1:2: the list has 1 of the 2 cells of a tensor(x[1],y[2])"},
             {"tensor(k{},x[2])|{a:[1,2],b:[3]}",
              "1:12: the list has 1 of the 2 cells of a block of a tensor(k{},x[2])"},
             {"tensor(k{},x[2])|{a:[],b:[1,2]}", "1:4: the list has 0 of the 2 cells of a block of a tensor(k{},x[2])"},
             {"tensor(x[2],k{}):[{a:1}]", "1:18: the list has 1 of the 2 cells of a block of a tensor(k{},x[2])"},
             {"tensor(k{},x[2],y[2])|{a:[1,2,3]}",
              "1:4: the list has 3 of the 4 cells of a block of a tensor(k{},x[2],y[2])"},
         }) {
        EXPECT_EQ(outcome(c.text), std::string(c.expected) + hint) << c.text;
    }
}

TEST(FromLiteral, RefusesAnotherTypeThanTheKnownOne) {
    for (const Case &c : std::initializer_list<Case>{
             {"tensor(x[2])|tensor(x[3]):[1,2,3]", "1:1: the value is a tensor(x[3]), but a tensor(x[2]) is expected"},
             {"tensor(x[2])|tensor<float>(x[2]):[1,2]",
              "1:1: the value is a tensor<float>(x[2]), but a tensor(x[2]) is expected"},
             {"tensor(x[2])|double:1", "1:1: the value is a double, but a tensor(x[2]) is expected"},
             {"double|tensor(x[2]):[1,2]", "1:1: the value is a tensor(x[2]), but a double is expected"},
             {"double|[1]", "1:1: expected a number, but found '[' (brackets are too deep for double)"},
             {"tensor(x{})|1.5",
              "1:1: expected '{' of dimension x{}, but found '1.5' (brackets nest in the order in which "
              "the type names its dimensions)"},
             {"tensor(x[2])|1.5",
              "1:1: expected '[' of dimension x[2], but found '1.5' (cells of tensor(x[2]) are written "
              "in brackets, or as hexadecimal digits)"},
         }) {
        EXPECT_EQ(outcome(c.text), c.expected) << c.text;
    }
}

TEST(FromLiteral, PointsAtTheMistake) {
    EXPECT_EQ(from_literal("tensor(x[3]):\n  [1, 2, 3, -4.5e1]").error().render(),
              "2:13: error: too many cells for dimension x[3]\n"
              "    [1, 2, 3, -4.5e1]\n"
              "              ^~~~~~\n");
    EXPECT_EQ(from_literal(R"(tensor(k{}):{{k:"a"}:1,{k:"b\x4"}:1})").error().issues()[0].span, (Span{28, 31}));
}

TEST(FromLiteral, SaysIfMoreTextCouldMendIt) {
    for (const std::string_view text : {"", "tensor(x[2]", "tensor(x[2]):", "tensor(x[2]):[1,", "tensor(k{}):{a",
                                        "tensor(k{}):{a:", "tensor(k{}):{\"a", "tensor(k{}):{{k:a}:1", "{{x:a}"}) {
        EXPECT_TRUE(from_literal(text).error().incomplete()) << text;
    }
    for (const std::string_view text : {"x", "tensor(x[2]):[1,2,3", "tensor(k{}):{a:x", "[1"}) {
        EXPECT_FALSE(from_literal(text).error().incomplete()) << text;
    }
}

TEST(FromLiteral, KeepsToTheLimits) {
    Limits limits;
    limits.tensor_cells = 4;
    EXPECT_EQ(outcome("tensor(k{},x[2]):{a:[1,2],b:[3,4],a:[1,2]}", limits),
              "tensor(k{},x[2]):{{k:a,x:0}:1,{k:a,x:1}:2,{k:b,x:0}:3,{k:b,x:1}:4}");
    EXPECT_EQ(outcome("tensor(k{},x[2]):{a:[1,2],b:[3,4],c:[5,6]}", limits),
              "1:38: the value has more than 4 cells (the limit is called tensor_cells)");
    EXPECT_EQ(outcome("tensor(x[5]):[]", limits), "the value has more than 4 cells (the limit is called tensor_cells)");
    EXPECT_EQ(outcome("tensor(x[5])|[]", limits), "the value has more than 4 cells (the limit is called tensor_cells)");
    limits.value_bytes = 10;
    EXPECT_EQ(outcome("12345678901", limits),
              "the value takes 11 bytes; at most 10 are read (the limit is called value_bytes)");
    EXPECT_EQ(outcome("1234567890", limits), "1234567890");
    limits = {};
    limits.dimensions = 2;
    EXPECT_EQ(outcome("{{a:1,b:1,c:1}:1}", limits),
              "1:1: the type has more than 2 dimensions (the limit is called dimensions)");
}

}  // namespace
}  // namespace tenrex::literal_reader_test

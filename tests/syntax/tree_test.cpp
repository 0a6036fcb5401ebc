// The tree itself: kinds, fields and spans, as the dump shows them.
#include <gtest/gtest.h>

#include <string>

#include "lib/syntax/parser.h"
#include "lib/syntax/printer.h"

namespace tenrex::syntax::tree_test {
namespace {

constexpr std::string_view user_functions[] = {"clamp"};

Ast parsed(std::string_view text, Dialect dialect = Dialect::core) {
    ParseOptions options;
    options.dialect = dialect;
    options.user_functions = user_functions;
    auto ast = parse(text, options);
    EXPECT_TRUE(ast) << text;
    return *std::move(ast);
}

std::string dumped(std::string_view text, Dialect dialect = Dialect::core) {
    return "\n" + dump(parsed(text, dialect));
}

TEST(Dump, ShowsOperatorsWithPrecedence) {
    EXPECT_EQ(dumped("a + b*-c^2"), R"(
operator + [0,10)
  symbol a [0,1)
  operator * [4,10)
    symbol b [4,5)
    operator ^ [6,10)
      prefix - [6,8)
        symbol c [7,8)
      number 2 [9,10)
)");
}

TEST(Dump, ShowsWhereTheDialectsDiffer) {
    EXPECT_EQ(dumped("a*b%c"), R"(
operator % [0,5)
  operator * [0,3)
    symbol a [0,1)
    symbol b [2,3)
  symbol c [4,5)
)");
    EXPECT_EQ(dumped("a*b%c", Dialect::java), R"(
operator * [0,5)
  symbol a [0,1)
  operator % [2,5)
    symbol b [2,3)
    symbol c [4,5)
)");
    EXPECT_EQ(dumped("c&&a in [1]"), R"(
operator && [0,11)
  symbol c [0,1)
  in [3,11)
    symbol a [3,4)
    number 1 [9,10)
)");
    EXPECT_EQ(dumped("c&&a in [1]", Dialect::java), R"(
in [0,11)
  operator && [0,4)
    symbol c [0,1)
    symbol a [3,4)
  number 1 [9,10)
)");
}

TEST(Dump, SpansLeaveOutParenthesesAroundButNotWithin) {
    EXPECT_EQ(dumped(" ( (a) + ( b ) ) * (c)"), R"(
operator * [1,22)
  operator + [3,14)
    symbol a [4,5)
    symbol b [11,12)
  symbol c [20,21)
)");
}

TEST(Dump, ShowsConstantsAndCalls) {
    EXPECT_EQ(dumped("if(-1 < \"a\\n\", clamp(x,1e999), max($q, atan2(1,y)), 0.25)"), R"(
if [0,57)
  operator < [3,13)
    number -1 [3,5)
    string "a\n" [8,13)
  user function clamp [15,29)
    symbol x [21,22)
    number 1e999 [23,28)
  function max [31,50)
    symbol query(q) [35,37)
    function atan2 [39,49)
      number 1 [45,46)
      symbol y [47,48)
  probability number 0.25 [52,56)
)");
    EXPECT_EQ(dumped("switch(a){case 1: 2, default: 3}"), R"(
switch [0,32)
  symbol a [7,8)
  case number 1 [15,16)
  number 2 [18,19)
  default number 3 [30,31)
)");
}

TEST(Dump, ShowsTensorFunctions) {
    EXPECT_EQ(dumped("reduce(join(a,b,f(x,y)(x*y)),sum,d,e)"), R"(
tensor function reduce [0,37)
  tensor function join [7,28)
    symbol a [12,13)
    symbol b [14,15)
    f(x,y) operator * [23,26)
      symbol x [23,24)
      symbol y [25,26)
  aggregator sum
  dimensions d,e
)");
    EXPECT_EQ(dumped("rename(cell_cast(t,int8),(x,y),(y,x))"), R"(
tensor function rename [0,37)
  tensor function cell_cast [7,24)
    symbol t [17,18)
    cell type int8
  dimensions x,y
  new names y,x
)");
    EXPECT_EQ(dumped("cell_order(t,min)+unpack_bits(t,float,little)+range<float>(x[2])"), R"(
operator + [0,64)
  operator + [0,45)
    tensor function cell_order [0,17)
      symbol t [11,12)
      order min
    tensor function unpack_bits [18,45)
      symbol t [30,31)
      cell type float, little
  tensor function range<float>(x[2]) [46,64)
)");
}

TEST(Dump, ShowsLiteralsGeneratorsAndPeeks) {
    EXPECT_EQ(dumped("tensor(k{},x[2]):{a:[1,b],'c d':[]}"), R"(
literal tensor(k{},x[2]) [0,35)
  map
    a: list
      number 1 [21,22)
      symbol b [23,24)
    "c d": list
)");
    EXPECT_EQ(dumped("tensor<int8>(x{},y[2]):{{y:1,x:a}:7}"), R"(
literal tensor<int8>(x{},y[2]) [0,36)
  {y:1,x:a}: number 7 [34,35)
)");
    EXPECT_EQ(dumped("tensor(x[2])(t{x:x+1,y:\"a b\",z:(i)}[2])"), R"(
generator tensor(x[2]) [0,39)
  peek [13,38)
    peek [13,35)
      symbol t [13,14)
      x: label "x+1"
      x: or operator + [17,20)
        symbol x [17,18)
        number 1 [19,20)
      y: label "a b"
      z: symbol i [32,33)
    number 2 [36,37)
)");
    EXPECT_EQ(dumped("t{a}"), R"(
peek [0,4)
  symbol t [0,1)
  label "a"
)");
}

TEST(Dump, IndentsDeepChainsOnlySoFar) {
    std::string text = "a";
    for (int i = 0; i < 200; ++i) {
        text += "+a";
    }
    const std::string lines = dump(parsed(text));
    EXPECT_EQ(lines.find(std::string(66, ' ')), std::string::npos);
    EXPECT_NE(lines.find("\n" + std::string(64, ' ') + "symbol a [0,1)"), std::string::npos);
}

TEST(Fields, OfSymbols) {
    const Ast ast = parsed("fieldMatch( title , \"a, b\" ,f(x,y)).completeness");
    const auto &symbol = as<SymbolNode>(ast.root());
    ASSERT_EQ(symbol.kind, Kind::symbol);
    EXPECT_EQ(symbol.text, "fieldMatch(title,\"a, b\",f(x,y)).completeness");
    EXPECT_EQ(symbol.base, "fieldMatch");
    EXPECT_EQ(symbol.output, "completeness");
    EXPECT_TRUE(symbol.is_call);
    ASSERT_EQ(symbol.arguments.size(), 3u);
    EXPECT_EQ(symbol.arguments[0].text, "title");
    EXPECT_EQ(symbol.arguments[0].span, (Span{12, 17}));
    EXPECT_EQ(symbol.arguments[1].text, "\"a, b\"");
    EXPECT_EQ(symbol.arguments[1].span, (Span{20, 26}));
    EXPECT_EQ(symbol.arguments[2].text, "f(x,y)");
    EXPECT_EQ(symbol.arguments[2].span, (Span{28, 34}));

    const Ast plain = parsed("now");
    EXPECT_EQ(as<SymbolNode>(plain.root()).base, "now");
    EXPECT_FALSE(as<SymbolNode>(plain.root()).is_call);
    EXPECT_TRUE(as<SymbolNode>(plain.root()).output.empty());

    const Ast dotted = parsed("foo.bar");
    EXPECT_EQ(as<SymbolNode>(dotted.root()).base, "foo");
    EXPECT_EQ(as<SymbolNode>(dotted.root()).output, "bar");
    EXPECT_FALSE(as<SymbolNode>(dotted.root()).is_call);

    const Ast empty = parsed("now()");
    EXPECT_TRUE(as<SymbolNode>(empty.root()).is_call);
    EXPECT_TRUE(as<SymbolNode>(empty.root()).arguments.empty());

    const Ast blank = parsed("f( , a)");
    ASSERT_EQ(as<SymbolNode>(blank.root()).arguments.size(), 2u);
    EXPECT_EQ(as<SymbolNode>(blank.root()).arguments[0].text, "");
    EXPECT_EQ(as<SymbolNode>(blank.root()).arguments[1].text, "a");

    const Ast dollar = parsed("$q");
    EXPECT_EQ(as<SymbolNode>(dollar.root()).text, "query(q)");
    EXPECT_EQ(as<SymbolNode>(dollar.root()).base, "query");
    ASSERT_EQ(as<SymbolNode>(dollar.root()).arguments.size(), 1u);
    EXPECT_EQ(as<SymbolNode>(dollar.root()).arguments[0].text, "q");
    EXPECT_EQ(as<SymbolNode>(dollar.root()).arguments[0].span, (Span{1, 2}));
    EXPECT_EQ(dollar.root().span, (Span{0, 2}));
}

TEST(Fields, OfExtremaByTheNumberOfArguments) {
    EXPECT_EQ(parsed("max(a,x)").root().kind, Kind::call);  // the types decide later
    EXPECT_EQ(parsed("max(a,x+1)").root().kind, Kind::call);
    const Ast one = parsed("min(t)");
    ASSERT_EQ(one.root().kind, Kind::tensor_call);
    EXPECT_EQ(as<TensorCallNode>(one.root()).function, TensorFunction::min);
    EXPECT_EQ(as<TensorCallNode>(one.root()).aggregator, Aggregator::min);
    EXPECT_TRUE(as<TensorCallNode>(one.root()).names.empty());
    const Ast three = parsed("max(t,x,y)");
    ASSERT_EQ(three.root().kind, Kind::tensor_call);
    ASSERT_EQ(as<TensorCallNode>(three.root()).names.size(), 2u);
    EXPECT_EQ(as<TensorCallNode>(three.root()).names[1].text, "y");
    EXPECT_EQ(as<TensorCallNode>(three.root()).names[1].span, (Span{8, 9}));
}

TEST(Fields, OfTensorCalls) {
    const Ast sum = parsed("sum(t)");
    EXPECT_EQ(as<TensorCallNode>(sum.root()).aggregator, Aggregator::sum);
    EXPECT_EQ(as<TensorCallNode>(sum.root()).name_span, (Span{0, 3}));
    const Ast bits = parsed("unpack_bits(t)");
    EXPECT_EQ(as<TensorCallNode>(bits.root()).cell_type, CellType::f32);
    EXPECT_FALSE(as<TensorCallNode>(bits.root()).ascending);
    const Ast order = parsed("cell_order(t,max)");
    EXPECT_FALSE(as<TensorCallNode>(order.root()).ascending);
    const Ast map = parsed("map(t, f(x)( x ) )");
    const auto &call = as<TensorCallNode>(map.root());
    ASSERT_NE(call.lambda, nullptr);
    EXPECT_EQ(call.lambda->span, (Span{7, 16}));
    EXPECT_EQ(call.lambda->parameters[0].span, (Span{9, 10}));
    const Ast range = parsed("range< int8 >( b[2], a[3] )");
    const auto &type = *as<TensorCallNode>(range.root()).type;
    EXPECT_EQ(type.cell_type, CellType::i8);
    EXPECT_EQ(type.dimensions[0].name.text, "b");
    EXPECT_EQ(type.dimensions[0].size, 2u);
    EXPECT_EQ(type.dimensions[1].name.span, (Span{21, 22}));
}

TEST(Fields, OfLiterals) {
    const Ast verbose = parsed("tensor(x{}): { {x: 'a b'} : (1) }");
    const auto &cells = as<LiteralNode>(verbose.root());
    EXPECT_TRUE(cells.verbose);
    EXPECT_EQ(cells.type->span, (Span{0, 11}));
    ASSERT_EQ(cells.cells.size(), 1u);
    EXPECT_EQ(cells.cells[0].span, (Span{15, 31}));
    EXPECT_EQ(cells.cells[0].address[0].dimension.span, (Span{16, 17}));
    EXPECT_EQ(cells.cells[0].address[0].label, "a b");
    EXPECT_EQ(cells.cells[0].address[0].label_span, (Span{19, 24}));
    EXPECT_EQ(cells.cells[0].value->span, (Span{29, 30}));

    const Ast brief = parsed("tensor(k{},x[2]):{a : [ 1, (2) ]}");
    const auto &literal = as<LiteralNode>(brief.root());
    EXPECT_FALSE(literal.verbose);
    EXPECT_TRUE(literal.body.is_map);
    EXPECT_EQ(literal.body.span, (Span{17, 33}));
    ASSERT_EQ(literal.body.children.size(), 1u);
    EXPECT_EQ(literal.body.children[0].label, "a");
    EXPECT_EQ(literal.body.children[0].span, (Span{18, 32}));
    EXPECT_FALSE(literal.body.children[0].is_map);
    ASSERT_EQ(literal.body.children[0].children.size(), 2u);
    EXPECT_EQ(literal.body.children[0].children[1].span, (Span{27, 30}));
}

TEST(Fields, OfPeeks) {
    const Ast ast = parsed("t{x:i+1, y:\"a\", z: (j), w:b}");
    const auto entries = as<PeekNode>(ast.root()).entries;
    ASSERT_EQ(entries.size(), 4u);
    EXPECT_EQ(entries[0].dimension.text, "x");
    EXPECT_TRUE(entries[0].has_label);
    EXPECT_FALSE(entries[0].quoted);
    EXPECT_EQ(entries[0].label, "i+1");
    ASSERT_NE(entries[0].expression, nullptr);
    EXPECT_EQ(entries[0].span, (Span{2, 7}));
    EXPECT_TRUE(entries[1].quoted);
    EXPECT_EQ(entries[1].label, "a");
    EXPECT_EQ(entries[1].span, (Span{9, 14}));
    EXPECT_EQ(entries[1].expression, nullptr);
    EXPECT_FALSE(entries[2].has_label);
    ASSERT_NE(entries[2].expression, nullptr);
    EXPECT_EQ(entries[2].span, (Span{16, 22}));
    EXPECT_EQ(entries[3].label, "b");
    EXPECT_EQ(entries[3].expression, nullptr);

    const Ast index = parsed("t[i]");
    EXPECT_TRUE(as<PeekNode>(index.root()).entries[0].short_index);
    EXPECT_FALSE(as<PeekNode>(index.root()).entries[0].has_label);
    const Ast label = parsed("t{i}");
    EXPECT_FALSE(as<PeekNode>(label.root()).entries[0].short_index);
    EXPECT_TRUE(as<PeekNode>(label.root()).entries[0].dimension.text.empty());
}

TEST(AstObject, OwnsItsText) {
    std::string text = "attribute(a)+\"xyz\"";
    Ast ast = parsed(text);
    text.assign(text.size(), '?');
    Ast moved = std::move(ast);
    EXPECT_EQ(to_string(moved), "attribute(a)+\"xyz\"");
    EXPECT_EQ(moved.source(), "attribute(a)+\"xyz\"");
    EXPECT_EQ(moved.dialect(), Dialect::core);
    EXPECT_GT(moved.memory_bytes(), 0u);
}

}  // namespace
}  // namespace tenrex::syntax::tree_test

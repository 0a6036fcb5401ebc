#include <tenrex/schema.h>

#include <gtest/gtest.h>

#include <string>

#include "lib/sema/symbol_name.h"

namespace tenrex {
namespace {

std::string error_of(const Schema &schema) {
    return schema.error() ? schema.error()->message() : "none";
}

TEST(Schema, KeepsInputsInTheOrderOfDeclarationWithTheirStages) {
    Schema schema;
    schema.query("query(q)", "tensor<float>(y[2], x{})").document("bm25( title )");
    schema.document("emb", *TensorType::parse("tensor(x[4])")).constant("constant(pi)", Tensor(3.14));
    ASSERT_FALSE(schema.error()) << error_of(schema);
    ASSERT_EQ(schema.inputs().size(), 4u);
    EXPECT_EQ(schema.inputs()[0].name, "query(q)");
    EXPECT_EQ(schema.inputs()[0].type.to_string(), "tensor<float>(x{},y[2])");
    EXPECT_EQ(schema.inputs()[0].stage, Stage::query);
    EXPECT_EQ(schema.inputs()[1].name, "bm25(title)");
    EXPECT_EQ(schema.inputs()[1].stage, Stage::document);
    EXPECT_TRUE(schema.inputs()[1].type.is_scalar());
    EXPECT_EQ(schema.inputs()[3].stage, Stage::constant);
    EXPECT_EQ(schema.inputs()[3].value->as_double(), 3.14);
    EXPECT_EQ(name(Stage::constant), "constant");
    EXPECT_EQ(name(Stage::query), "query");
    EXPECT_EQ(name(Stage::document), "document");
}

TEST(Schema, FindsInputsWhateverTheWhiteSpace) {
    Schema schema;
    schema.document("foreach(terms, N, fieldMatch(N), \"a b)\", sum)").query("query(q)").document("t");
    const std::string_view spellings[] = {"foreach(terms,N,fieldMatch(N),\"a b)\",sum)",
                                          " foreach( terms ,\tN,fieldMatch(N),\n\"a b)\",sum ) "};
    for (std::string_view spelling : spellings) {
        ASSERT_NE(schema.find_input(spelling), nullptr) << spelling;
        EXPECT_EQ(schema.find_input(spelling), schema.inputs().data());
    }
    EXPECT_EQ(schema.find_input("foreach(terms,N,fieldMatch(N),\"ab)\",sum)"), nullptr) << "space in quotes counts";
    EXPECT_EQ(schema.find_input("$q"), &schema.inputs()[1]);
    EXPECT_EQ(schema.find_input("query( q )"), &schema.inputs()[1]);
    EXPECT_EQ(schema.find_input("q"), nullptr);
    EXPECT_EQ(schema.find_input("T"), nullptr);
    EXPECT_EQ(schema.find_input(""), nullptr);
}

TEST(Schema, DollarDeclaresAQueryInput) {
    Schema schema;
    schema.query("$q");
    ASSERT_FALSE(schema.error());
    EXPECT_EQ(schema.inputs()[0].name, "query(q)");
}

TEST(Schema, AcceptsTheNamesThatExpressionsCanSay) {
    for (const char *name : {"a", "_a1", "@x", "a$b", "attribute(a.b)", "query(q).out", "fieldMatch(title).a.b",
                             "if(a)x", "attribute(tags,key).weight", "f(\"(\\\")\")", "f()", "now", "sum", "a.b"}) {
        Schema schema;
        schema.document(name);
        const bool good = std::string_view(name) != "if(a)x";
        EXPECT_EQ(!schema.error(), good) << name << ": " << error_of(schema);
    }
}

TEST(Schema, RefusesNamesThatExpressionsCanNotSay) {
    const auto message = [](const char *name) {
        Schema schema;
        schema.document(name);
        EXPECT_TRUE(schema.inputs().empty()) << name;
        return error_of(schema);
    };
    EXPECT_EQ(message(""), "input '': a name must not be empty");
    EXPECT_EQ(message("  "), "input '  ': a name must not be empty");
    EXPECT_EQ(message("1a"),
              "input '1a': '1a' is no name: it begins with a digit, so an expression would read a number");
    EXPECT_EQ(message("a-b"),
              "input 'a-b': 'a-b' is no name: '-b' does not belong there (names look like bm25(title), "
              "attribute(a), query(q).out or price)");
    EXPECT_EQ(message("(a)"), "input '(a)': '(a)' is no name: it must begin with a letter, '_' or '@'");
    EXPECT_EQ(message("f(a"), "input 'f(a': 'f(a' is no name: a parenthesis or quote is not closed");
    EXPECT_EQ(message("f(\"a)"), "input 'f(\"a)': 'f(\"a)' is no name: a parenthesis or quote is not closed");
    EXPECT_EQ(message("f(a))"),
              "input 'f(a))': 'f(a))' is no name: ')' does not belong there (names look like "
              "bm25(title), attribute(a), query(q).out or price)");
    EXPECT_EQ(message("sum(a)"),
              "input 'sum(a)': an expression would read a call of the function 'sum' (give the input another name)");
    EXPECT_EQ(message("if(a)"),
              "input 'if(a)': an expression would read a call of the function 'if' (give the input another name)");
    EXPECT_EQ(message("true"), "input 'true': an expression would read the number 1 (give the input another name)");
    EXPECT_EQ(message("false"), "input 'false': an expression would read the number 0 (give the input another name)");
}

TEST(Schema, KeepsTheFirstMistake) {
    Schema schema;
    schema.document("t", "tensor(x[3])").document("t").document("u", "tensor(x[0])");
    EXPECT_EQ(error_of(schema), "input 't' is declared twice");
    EXPECT_EQ(schema.inputs().size(), 1u);
    EXPECT_EQ(schema.inputs()[0].type.to_string(), "tensor(x[3])");
}

TEST(Schema, TellsTheSameInputUnderTwoSpellings) {
    Schema schema;
    schema.query("$q").document("query( q )");
    EXPECT_EQ(error_of(schema), "input 'query(q)' is declared twice");
}

TEST(Schema, SaysWhichInputHasABadType) {
    Schema schema;
    schema.document("t", "tensor(x[3],x[4])");
    ASSERT_TRUE(schema.error());
    EXPECT_EQ(schema.error()->message().find("type of input 't': ") != std::string::npos, true) << error_of(schema);
    EXPECT_TRUE(schema.inputs().empty());
}

TEST(Schema, TakesFunctions) {
    Schema schema;
    const auto call = [](std::span<const double> a) { return a[0]; };
    schema.function("one", 1, call).function("eight_8", 8, call);
    ASSERT_FALSE(schema.error()) << error_of(schema);
    ASSERT_NE(schema.find_function("eight_8"), nullptr);
    EXPECT_EQ(schema.find_function("eight_8")->arity, 8u);
    EXPECT_EQ(schema.find_function("nine"), nullptr);
}

TEST(Schema, RefusesBadFunctions) {
    const auto call = [](std::span<const double> a) { return a[0]; };
    const auto message = [&](const char *name, std::size_t arity, std::function<double(std::span<const double>)> f) {
        Schema schema;
        schema.function(name, arity, std::move(f));
        EXPECT_TRUE(schema.functions().empty());
        return error_of(schema);
    };
    EXPECT_EQ(message("", 1, call),
              "function '': the name must be letters, digits and '_', and not begin with a digit");
    EXPECT_EQ(message("a(b)", 1, call),
              "function 'a(b)': the name must be letters, digits and '_', and not begin with a digit");
    EXPECT_EQ(message("a$b", 1, call),
              "function 'a$b': the name must be letters, digits and '_', and not begin with a digit");
    EXPECT_EQ(message("sqrt", 1, call),
              "function 'sqrt': there is a built-in function of that name (give the function another name)");
    EXPECT_EQ(message("softmax", 1, call),
              "function 'softmax': there is a built-in function of that name (give the function another name)");
    EXPECT_EQ(message("switch", 1, call),
              "function 'switch': there is a built-in function of that name (give the function another name)");
    EXPECT_EQ(message("g", 0, call), "function 'g' has 0 arguments; a function has 1 to 8");
    EXPECT_EQ(message("g", 9, call), "function 'g' has 9 arguments; a function has 1 to 8");
    EXPECT_EQ(message("g", 1, nullptr), "function 'g' has nothing to call");
    Schema schema;
    schema.function("g", 1, call).function("g", 2, call);
    EXPECT_EQ(error_of(schema), "function 'g' is declared twice");
    EXPECT_EQ(schema.functions().size(), 1u);
}

TEST(SymbolName, TakesNamesApart) {
    sema::NameParts parts;
    EXPECT_TRUE(sema::split_name("attribute(tags,key).weight", parts).message.empty());
    EXPECT_EQ(parts.base, "attribute");
    EXPECT_EQ(parts.arguments, "tags,key");
    EXPECT_EQ(parts.output, "weight");
    EXPECT_TRUE(parts.is_call);
    EXPECT_TRUE(sema::split_name("price", parts).message.empty());
    EXPECT_EQ(parts.base, "price");
    EXPECT_FALSE(parts.is_call);
    EXPECT_EQ(parts.arguments, "");
}

}  // namespace
}  // namespace tenrex

// Symbols that stand for expressions.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include "lib/sema/check.h"
#include "lib/syntax/parser.h"

namespace tenrex::sema {
namespace {

class Definitions : public ::testing::Test {
protected:
    void define(std::string_view name, std::string_view text) {
        asts_.push_back(*syntax::parse(text));
        names_.emplace_back(name);
    }
    Result<TypedExpression> check(std::string_view text) {
        Schema schema;
        schema.document("a").document("t", "tensor(x[2])").document("unused");
        std::vector<Definition> definitions;
        for (std::size_t i = 0; i < asts_.size(); ++i) {
            definitions.push_back({names_[i], &asts_[i].root()});
        }
        CheckOptions options;
        options.definitions = definitions;
        const auto ast = syntax::parse(text);
        return sema::check(*ast, schema, options);
    }

    std::vector<syntax::Ast> asts_;
    std::vector<std::string> names_;
};

TEST_F(Definitions, AreOneNodeWhereverTheyAreUsed) {
    define("f", "a * 2");
    define("g", "f + f");
    const auto typed = check("g + g + f");
    ASSERT_TRUE(typed);
    const auto &sum = as<CallExpr>(typed->root());
    const auto &twice = as<CallExpr>(*sum.a);
    EXPECT_EQ(twice.a, twice.b);
    EXPECT_EQ(as<CallExpr>(*twice.a).a, sum.b);
    EXPECT_EQ(sum.b->uses, 3U);
    EXPECT_EQ(typed->inputs().size(), 1U);
}

TEST_F(Definitions, ComeBeforeInputsAndBehindParameters) {
    define("a", "t");
    const auto typed = check("a");
    ASSERT_TRUE(typed);
    EXPECT_EQ(typed->type().to_string(), "tensor(x[2])");
    const auto hidden = check("tensor(a[2])(a)");
    ASSERT_TRUE(hidden);
    EXPECT_TRUE(hidden->inputs().size() <= 1U);
    EXPECT_EQ(hidden->type().to_string(), "tensor(a[2])");
}

TEST_F(Definitions, DecideWhetherMaxReduces) {
    define("x", "a");
    const auto typed = check("max(t, x)");
    ASSERT_TRUE(typed);
    EXPECT_EQ(typed->type().to_string(), "tensor(x[2])");
}

TEST_F(Definitions, AreNotVisibleInLambdas) {
    define("f", "a");
    const auto error = check("map(t, f(v)(v + f))");
    ASSERT_FALSE(error);
    EXPECT_THAT(error.error().message(), ::testing::HasSubstr("a lambda sees only its own parameters"));
}

TEST_F(Definitions, AMistakeIsReportedOnce) {
    define("f", "nothing + 1");
    const auto error = check("f + f");
    ASSERT_FALSE(error);
    EXPECT_EQ(error.error().issues().size(), 1U);
}

}  // namespace
}  // namespace tenrex::sema

// The typed tree itself: ids, users, slots, spans, what is shared, what it owns.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tests/sema/checking.h"

namespace tenrex::sema {
namespace {

// The operands of a node, with lambda bodies, bodies of generators, cells and computed labels.
std::vector<const Expr *> operands(const Expr &expr) {
    switch (expr.op) {
        case Op::call: {
            const auto &call = as<CallExpr>(expr);
            return call.b == nullptr ? std::vector{call.a} : std::vector{call.a, call.b};
        }
        case Op::user_call: {
            const auto arguments = as<UserCallExpr>(expr).arguments;
            return {arguments.begin(), arguments.end()};
        }
        case Op::in_set:
            return {as<InExpr>(expr).subject};
        case Op::conditional: {
            const auto &choice = as<IfExpr>(expr);
            return {choice.condition, choice.when_true, choice.when_false};
        }
        case Op::map:
        case Op::map_subspaces:
        case Op::filter_subspaces:
            return {as<MapExpr>(expr).operand, as<MapExpr>(expr).lambda.body};
        case Op::join:
        case Op::merge:
            return {as<JoinExpr>(expr).a, as<JoinExpr>(expr).b, as<JoinExpr>(expr).lambda.body};
        case Op::reduce:
            return {as<ReduceExpr>(expr).operand};
        case Op::rename:
            return {as<RenameExpr>(expr).operand};
        case Op::concat:
            return {as<ConcatExpr>(expr).a, as<ConcatExpr>(expr).b};
        case Op::cell_cast:
            return {as<CellCastExpr>(expr).operand};
        case Op::cell_order:
            return {as<CellOrderExpr>(expr).operand};
        case Op::generate:
            return {as<GenerateExpr>(expr).body};
        case Op::literal: {
            std::vector<const Expr *> values;
            for (const LiteralCellExpr &cell : as<LiteralExpr>(expr).cells) {
                values.push_back(cell.value);
            }
            return values;
        }
        case Op::peek: {
            std::vector<const Expr *> values{as<PeekExpr>(expr).operand};
            for (const PeekPart &part : as<PeekExpr>(expr).parts) {
                if (part.expression != nullptr) {
                    values.push_back(part.expression);
                }
            }
            return values;
        }
        case Op::to_mapped:
            return {as<ToMappedExpr>(expr).operand};
        case Op::cut:
            return {as<CutExpr>(expr).operand};
        case Op::forest: {
            const auto features = as<ForestExpr>(expr).features;
            return {features.begin(), features.end()};
        }
        case Op::number:
        case Op::input:
        case Op::parameter:
        case Op::constant:
            break;
    }
    return {};
}

// All nodes, each once.
std::vector<const Expr *> nodes(const TypedExpression &expression) {
    std::vector<const Expr *> found{&expression.root()};
    std::set<const Expr *> seen{&expression.root()};
    for (std::size_t i = 0; i < found.size(); ++i) {
        for (const Expr *operand : operands(*found[i])) {
            if (seen.insert(operand).second) {
                found.push_back(operand);
            }
        }
    }
    return found;
}

constexpr const char *various[] = {
    "s+r*2",
    "softmax(v*2,x)",
    "cosine_similarity(v,v*2,x)",
    "tokenInputIds(8,ta,tb)",
    "customTokenInputIds(s,2,8,ta,tb)",
    "unpack_bits(ki)",
    "switch(s+1){case 1: 2, case 2: 3, default: 4}",
    "tensor(x[2])(tensor(y[3])(x+y+s){y:(x)})",
    "map_subspaces(k,f(t)(tensor(z[2])(t{y:(z)}+1)))",
    "tensor(x{}):{a:s,b:s+1}",
    "top(3,m)+argmax(m)",
    "clamp(s,0,1)+mix(s,twice(r))",
    "merge(v,v,f(x,y)(x*y))",
    "if(v,cell_cast(v,float),vf){x:(s)} in [1,2]",
    "concat(rename(v,x,y),cell_order(v,min),z)",
    "expand(v,z)+diag(x[3],y[2])+random(x[3])",
};

TEST(TypedTree, OperandsHaveSmallerIdsAndUsesAreCounted) {
    for (const char *text : various) {
        SCOPED_TRACE(text);
        const auto checked = check_text(text);
        ASSERT_TRUE(checked) << checked.error().render();
        std::map<const Expr *, std::uint32_t> uses{{&checked->root(), 1}};
        std::set<std::uint32_t> ids;
        for (const Expr *node : nodes(*checked)) {
            EXPECT_LT(node->id, checked->node_count());
            EXPECT_TRUE(ids.insert(node->id).second);
            for (const Expr *operand : operands(*node)) {
                EXPECT_LT(operand->id, node->id);
                ++uses[operand];
            }
        }
        for (const auto &[node, count] : uses) {
            EXPECT_EQ(node->uses, count) << "id " << node->id;
        }
    }
}

TEST(TypedTree, ScalarCodeIsWhatComputesWithDoublesOnly) {
    for (const char *text : various) {
        SCOPED_TRACE(text);
        const auto checked = check_text(text);
        ASSERT_TRUE(checked);
        for (const Expr *node : nodes(*checked)) {
            bool expected = node->type->is_scalar();
            switch (node->op) {
                case Op::number:
                case Op::parameter:
                case Op::call:
                case Op::user_call:
                case Op::in_set:
                case Op::conditional:
                    for (const Expr *operand : operands(*node)) {
                        expected = expected && operand->is_scalar_code;
                    }
                    break;
                default:
                    expected = false;
            }
            EXPECT_EQ(node->is_scalar_code, expected) << "id " << node->id;
            if (node->op == Op::map) {
                EXPECT_TRUE(as<MapExpr>(*node).lambda.body->is_scalar_code);
            }
            if (node->op == Op::join || node->op == Op::merge) {
                EXPECT_TRUE(as<JoinExpr>(*node).lambda.body->is_scalar_code);
            }
        }
    }
}

TEST(TypedTree, EqualTypesAreOneObject) {
    for (const char *text : various) {
        const auto checked = check_text(text);
        ASSERT_TRUE(checked);
        std::map<std::string, const TensorType *> types;
        for (const Expr *node : nodes(*checked)) {
            const auto [known, is_new] = types.emplace(node->type->to_string(), node->type);
            EXPECT_EQ(known->second, node->type) << text << ": " << known->first;
        }
    }
}

TEST(TypedTree, GeneratorsNumberTheirDimensionsAsWritten) {
    const auto checked = check_text("tensor(y[2],x[3])(reduce(tensor(z[4])(x+10*y+100*z),sum))");
    ASSERT_TRUE(checked) << checked.error().render();
    const auto &outer = as<GenerateExpr>(checked->root());
    ASSERT_EQ(checked->root().op, Op::generate);
    EXPECT_EQ(outer.first_slot, 0u);
    ASSERT_EQ(outer.dimensions.size(), 2u);
    EXPECT_EQ(outer.type->dimensions()[outer.dimensions[0]].name, "y");
    EXPECT_EQ(outer.type->dimensions()[outer.dimensions[1]].name, "x");
    ASSERT_EQ(outer.body->op, Op::reduce);
    const auto &inner = as<GenerateExpr>(*as<ReduceExpr>(*outer.body).operand);
    EXPECT_EQ(inner.first_slot, 2u);
    const auto &sum = as<CallExpr>(*inner.body);
    EXPECT_EQ(as<ParameterExpr>(*as<CallExpr>(*sum.a).a).slot, 1u) << "x";
    EXPECT_EQ(as<ParameterExpr>(*as<CallExpr>(*as<CallExpr>(*sum.a).b).b).slot, 0u) << "y";
    EXPECT_EQ(as<ParameterExpr>(*as<CallExpr>(*sum.b).b).slot, 2u) << "z";
}

TEST(TypedTree, LambdasHaveFramesOfTheirOwn) {
    const auto checked = check_text("tensor(x[3])(reduce(map_subspaces(k,f(t)(tensor(z[2])(t{y:(z)}))),sum)+x)");
    ASSERT_TRUE(checked) << checked.error().render();
    for (const Expr *node : nodes(*checked)) {
        if (node->op == Op::map_subspaces) {
            const auto &generator = as<GenerateExpr>(*as<MapExpr>(*node).lambda.body);
            EXPECT_EQ(generator.first_slot, 1u) << "behind the block, not behind x";
            const auto &peek = as<PeekExpr>(*generator.body);
            EXPECT_EQ(as<ParameterExpr>(*peek.operand).slot, 0u);
            EXPECT_EQ(peek.operand->type->to_string(), "tensor<float>(y[3])");
            EXPECT_EQ(as<ParameterExpr>(*peek.parts[0].expression).slot, 1u);
        }
    }
}

TEST(TypedTree, InnerNamesHideOuterOnes) {
    EXPECT_EQ(core_of("tensor(s[3])(s)"), "tensor(s[3])(s)");
    const auto checked = check_text("tensor(s[3])(s)");
    ASSERT_TRUE(checked);
    EXPECT_TRUE(checked->inputs().empty());
    EXPECT_EQ(core_of("tensor(x[2])(reduce(tensor(x[3])(x),sum))"), "tensor(x[2])(reduce(tensor(x[3])(x'),sum,x))");
    EXPECT_EQ(core_of("tensor(x[2])(max(v{x:(x)},x))"), "tensor(x[2])(max(v{x:(x)},x))");
}

TEST(TypedTree, ListsInputsInTheOrderOfFirstUse) {
    const auto checked = check_text("r*v+s*query( q )-r+constant(c)+$q");
    ASSERT_TRUE(checked) << checked.error().render();
    std::vector<std::string> names;
    for (const InputUse &input : checked->inputs()) {
        names.push_back(input.name);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"r", "v", "s", "query(q)", "constant(c)"}));
    EXPECT_EQ(checked->inputs()[3].stage, Stage::query);
    EXPECT_EQ(checked->inputs()[3].type.to_string(), "tensor<float>(x[3])");
    EXPECT_EQ(checked->inputs()[3].first_use, (Span{6, 16}));
    EXPECT_EQ(checked->inputs()[3].value, nullptr);
    ASSERT_NE(checked->inputs()[4].value, nullptr);
    EXPECT_EQ(checked->inputs()[4].value->as_double(), 2.5);
}

TEST(TypedTree, OutlivesTheSyntaxTreeAndTheSchema) {
    std::optional<TypedExpression> expression;
    {
        auto schema = std::make_unique<Schema>();
        schema->document("input_with_a_long_name", "tensor(dimension_with_a_long_name{},y[2])");
        schema->constant("constant(with_a_long_name)", Tensor(4));
        schema->function("function_with_a_long_name", 1, [](std::span<const double> a) { return a[0] + 1; });
        const std::string text =
            "function_with_a_long_name(rename(input_with_a_long_name,y,another_long_dimension)"
            "{dimension_with_a_long_name:a_label_that_is_long})*constant(with_a_long_name)"
            "+tensor(another_dimension_name{}):{a_long_label_of_a_literal:1}";
        auto checked = check_text(text, *schema);
        ASSERT_TRUE(checked) << checked.error().render();
        expression = std::move(*checked);
    }
    EXPECT_EQ(to_string(*expression),
              "(function_with_a_long_name(rename(input_with_a_long_name,y,another_long_dimension)"
              "{dimension_with_a_long_name:a_label_that_is_long})*constant(with_a_long_name))"
              "+tensor(another_dimension_name{}):{{another_dimension_name:a_long_label_of_a_literal}:1}");
    EXPECT_EQ(expression->inputs()[1].value->as_double(), 4);
    const auto &sum = as<CallExpr>(expression->root());
    const auto &call = as<UserCallExpr>(*as<CallExpr>(*sum.a).a);
    const double argument[] = {2};
    EXPECT_EQ(call.function->call(argument), 3);
}

TEST(TypedTree, SpansPointAtTheSource) {
    const std::string text = "s + softmax(v*2, x){x:0}";
    const auto checked = check_text(text);
    ASSERT_TRUE(checked);
    const auto &sum = as<CallExpr>(checked->root());
    const auto piece = [&](const Expr &expr) { return text.substr(expr.span.begin, expr.span.end - expr.span.begin); };
    EXPECT_EQ(piece(sum), text);
    EXPECT_EQ(piece(*sum.a), "s");
    EXPECT_EQ(piece(*sum.b), "softmax(v*2, x){x:0}");
    EXPECT_EQ(piece(*as<PeekExpr>(*sum.b).operand), "softmax(v*2, x)");
}

TEST(TypedTree, IfKeepsItsProbability) {
    const auto with = check_text("if(s,1,2,0.75)");
    const auto without = check_text("if(s,1,2)");
    ASSERT_TRUE(with);
    ASSERT_TRUE(without);
    EXPECT_EQ(as<IfExpr>(with->root()).probability, 0.75);
    EXPECT_EQ(as<IfExpr>(without->root()).probability, 0.5);
}

}  // namespace
}  // namespace tenrex::sema

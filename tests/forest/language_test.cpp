// forest(name) in expressions: what it gives, and what is refused.
#include <gtest/gtest.h>

#include <limits>

#include <tenrex/expression.h>
#include <tenrex/formats.h>

namespace tenrex {
namespace {

// a <= 1 ? 2 : -1, with an objective.
std::string model(std::string_view objective, std::string_view names = "a b") {
    std::string text = "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\nmax_feature_idx=1\n";
    text += "objective=" + std::string(objective) + "\nfeature_names=" + std::string(names) + "\n";
    return text +
           "feature_infos=[0:2] [0:2]\n\nTree=0\nnum_leaves=2\nnum_cat=0\nsplit_feature=0\nsplit_gain=4\nthreshold=1\n"
           "decision_type=2\nleft_child=-1\nright_child=-2\nleaf_value=2 -1\nleaf_weight=1 1\nleaf_count=3 1\n"
           "internal_value=0\ninternal_weight=2\ninternal_count=4\nis_linear=0\nshrinkage=1\n\n\nend of trees\n";
}

// The value of the expression, or the first error.
std::string value_of(std::string_view text, const Schema &schema, double a = 0) {
    const auto expression = Expression::parse(text, schema);
    if (!expression) {
        return expression.error().message();
    }
    std::vector<NamedTensor> inputs;
    for (const InputDeclaration &input : schema.inputs()) {
        inputs.emplace_back(input.name, Tensor(a));
    }
    const auto value = expression->evaluate_reference(inputs);
    return value ? to_literal(*value) : value.error().message();
}

Schema schema_with(std::string_view objective) {
    Schema schema;
    schema.document("a").forest("m", *Forest::read(model(objective)));
    return schema;
}

TEST(ForestInExpression, IsThePredictionOrTheSum) {
    const Schema schema = schema_with("binary sigmoid:2");
    EXPECT_EQ("2", value_of("forest(m).raw", schema, 1));
    EXPECT_EQ("-1", value_of("forest( m ).raw", schema, 1.5));
    EXPECT_EQ("1", value_of("forest(m) == 1/(1+exp(-2*2))", schema, 1));
    EXPECT_EQ("5", value_of("forest(m).raw*2+1", schema, 1));
    EXPECT_EQ("4", value_of("forest(m)", schema_with("regression sqrt"), 1));
    EXPECT_EQ("-1", value_of("forest(m)", schema_with("regression sqrt"), 2));
    EXPECT_EQ("1", value_of("forest(m) == exp(2)", schema_with("poisson"), 1));
}

TEST(ForestInExpression, FindsItsFeaturesAsAttributesAndQueryInputs) {
    for (const char *name : {"a", "attribute(a)", "query(a)"}) {
        Schema schema;
        schema.query(name).forest("m", *Forest::read(model("regression")));
        EXPECT_EQ("2", value_of("forest(m)", schema, 1)) << name;
    }
    Schema renamed;
    renamed.document("price").forest("m", *Forest::read(model("regression")), {"price"});
    EXPECT_EQ("2", value_of("forest(m)", renamed, 1));
}

TEST(ForestInExpression, FeaturesMayBeDefinitions) {
    Schema schema;
    schema.document("price").forest("m", *Forest::read(model("regression")), {"cheap"});
    schema.define("half", "price/2").define("cheap", "half/5").define("score", "10*forest(m)");
    EXPECT_EQ("2", value_of("forest(m)", schema, 10));
    EXPECT_EQ("-1", value_of("forest(m)", schema, 11));
    EXPECT_EQ("21", value_of("score+1", schema, 10));
    Schema late;
    late.document("price").forest("m", *Forest::read(model("regression")), {"cheap"});
    late.define("score", "10*forest(m)").define("cheap", "price/10");
    EXPECT_EQ(
        "the definition 'score' uses 'cheap', which is not defined before it (a definition may use those before it)",
        value_of("score+1", late, 10));
}

TEST(ForestInExpression, NamesTheFeaturesThatAreMissing) {
    Schema schema;
    schema.document("b").forest("m", *Forest::read(model("regression")));
    EXPECT_EQ(
        "1:3: forest(m) needs the feature 'a', which is not declared (declare an input of that name, "
        "attribute(NAME) or query(NAME))",
        value_of("1+forest(m)", schema));
    Schema wrong;
    wrong.document("a", "tensor(x[2])").forest("m", *Forest::read(model("regression")));
    EXPECT_EQ("1:1: the feature 'a' of forest(m) must be a number, but it is tensor(x[2]) (declare it as a double)",
              value_of("forest(m)", wrong));
    EXPECT_EQ("1:1: a forest has no output 'out' (forest(m) is the prediction, forest(m).raw the sum of the leaves)",
              value_of("forest(m).out", schema_with("binary")));
}

TEST(ForestInExpression, IsDeclaredOnce) {
    Schema twice = schema_with("binary");
    twice.forest("m", *Forest::read(model("binary")));
    ASSERT_TRUE(twice.error().has_value());
    EXPECT_EQ("'forest(m)' is declared twice", twice.error()->message());
    Schema few;
    few.forest("m", *Forest::read(model("binary")), {"a", "b"});
    EXPECT_EQ("forest 'm' uses 1 features, but 2 names of inputs are given", few.error()->message());
    Schema unnamed;
    unnamed.forest("", *Forest::read(model("binary")));
    EXPECT_TRUE(unnamed.error().has_value());
}

TEST(ForestRead, SaysWhereAFileIsWrong) {
    const std::string good = model("binary");
    const auto error_of = [](const std::string &text) {
        const auto forest = Forest::read(text);
        return forest ? std::string() : forest.error().message();
    };
    const auto changed = [&](std::string_view from, std::string_view to) {
        std::string text = good;
        return text.replace(text.find(from), from.size(), to);
    };
    EXPECT_EQ("", error_of(good));
    EXPECT_EQ("16:11: 'threshold' has 2 numbers, but the tree needs 1 (the file is damaged)",
              error_of(changed("threshold=1", "threshold=1 2")));
    EXPECT_EQ(
        "7:11: the objective 'new' is not known (if the raw scores are wanted, write 'objective=custom' in its "
        "place)",
        error_of(changed("binary", "new")));
    EXPECT_NE(std::string::npos, error_of(changed("left_child=-1", "left_child=-3")).find("the tree has no part -3"));
    EXPECT_NE(std::string::npos, error_of(changed("left_child=-1", "left_child=0")).find("two places"));
    EXPECT_NE(std::string::npos, error_of(changed("split_feature=0", "split_feature=7")).find("there is no feature 7"));
    EXPECT_NE(std::string::npos, error_of(changed("leaf_value=2", "leaf_value=x")).find("'x' is not a number"));
    EXPECT_NE(std::string::npos, error_of(good.substr(0, good.find("end of"))).find("the file is cut off"));
    EXPECT_NE(std::string::npos, error_of("pickled").find("this is no model that can be read"));
    EXPECT_NE(std::string::npos, error_of("").find("this is no model that can be read"));
    EXPECT_NE(std::string::npos, error_of("{\"a\":1}").find("this is no model of LightGBM or XGBoost"));
    EXPECT_NE(std::string::npos, error_of("{L").find("the file ends"));
}

TEST(ForestRead, InfiniteThresholdsOfADumpAreWrittenAsAnotherNumber) {
    // a <= 1e300 ? 2 : -1 means that all numbers pass.
    const std::string dump =
        R"({"name":"tree","num_tree_per_iteration":1,"feature_names":["a"],"tree_info":[{"tree_structure":{)"
        R"("split_feature":0,"threshold":1e+300,"decision_type":"<=","default_left":false,"missing_type":"NaN",)"
        R"("left_child":{"leaf_value":2},"right_child":{"leaf_value":-1}}}]})";
    const auto forest = Forest::read(dump);
    ASSERT_TRUE(forest.has_value()) << forest.error().render();
    Schema schema;
    schema.document("a").forest("m", *forest);
    EXPECT_EQ("2", value_of("forest(m).raw", schema, std::numeric_limits<double>::infinity()));
    EXPECT_EQ("-1", value_of("forest(m).raw", schema, std::numeric_limits<double>::quiet_NaN()));
}

// Whatever is cut off or changed, the answer is a model or an error.
TEST(ForestRead, RefusesWhatIsDamaged) {
    const std::string good = model("binary");
    for (std::size_t length = 0; length + 1 < good.size(); ++length) {
        EXPECT_FALSE(Forest::read(good.substr(0, length)).has_value() && length < good.find("end of trees")) << length;
    }
    for (std::size_t i = 0; i < good.size(); ++i) {
        for (const char c : {'9', '-', '=', '\n', '\0'}) {
            std::string text = good;
            text[i] = c;
            const auto forest = Forest::read(text);
            EXPECT_TRUE(forest.has_value() || !forest.error().message().empty());
        }
    }
}

TEST(ForestRead, TellsWhatItConsistsOf) {
    const auto forest = Forest::read(model("binary", "price b"));
    ASSERT_TRUE(forest.has_value());
    EXPECT_EQ("LightGBM text", forest->format());
    EXPECT_EQ("binary", forest->objective());
    EXPECT_EQ(1U, forest->trees());
    EXPECT_EQ(2U, forest->leaves());
    EXPECT_EQ(1U, forest->depth());
    EXPECT_EQ(1U, forest->outputs());
    EXPECT_EQ((std::vector<std::string>{"price"}), forest->used_features());
    ASSERT_EQ(2U, forest->features().size());
    EXPECT_EQ("price", forest->features()[0].name);
    EXPECT_EQ(1U, forest->features()[0].splits);
    EXPECT_EQ(4, forest->features()[0].gain);
    EXPECT_EQ(0U, forest->features()[1].splits);
}

TEST(ForestContributions, AddUpToTheRawScore) {
    // The mean over 3 and 1 rows is (3*2 - 1)/4 = 1.25; the only feature does the rest.
    const auto forest = Forest::read(model("binary"));
    const double low[] = {0};
    EXPECT_EQ((std::vector<double>{0.75, 0, 1.25}), *forest->contributions(low));
    const double high[] = {2};
    EXPECT_EQ((std::vector<double>{-2.25, 0, 1.25}), *forest->contributions(high));
    EXPECT_FALSE(forest->contributions({}).has_value());
}

}  // namespace
}  // namespace tenrex

// What is wrong with a profile: the message, and where.
#include <gmock/gmock.h>

#include "tests/profile/scoring.h"

namespace tenrex {
namespace {

using testing::compile_text;
using testing::Files;

constexpr std::string_view feature_hint =
    "features that the engine computes must be declared: with ProfileOptions::features, or with --feature of the "
    "program; "
    "--feature '*' declares all that engines are known to have";

struct Mistake {
    std::string_view name;
    // '^' stands in front of what the first error points at and is taken out.
    std::string_view text;
    std::string_view message;
    std::string_view hint = {};
};

const Files files{{"bad.json", "{\"values\":[1,2,3]}"}, {"broken.json", "{"}};

ProfileOptions engine() {
    ProfileOptions options;
    options.features = {{"bm25(title)"}};
    options.attributes = {{"price"},
                          {"genre", AttributeKind::string},
                          {"years", AttributeKind::array},
                          {"tags", AttributeKind::weighted_set, true},
                          {"vector", AttributeKind::tensor, false, *TensorType::parse("tensor<float>(x[2])")}};
    return options;
}

class Mistakes : public ::testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, AreReportedWhereTheyStand) {
    const Mistake &mistake = GetParam();
    std::string text(mistake.text);
    const std::size_t marked = text.find('^');
    ASSERT_NE(marked, std::string::npos);
    text.erase(marked, 1);
    const auto error = compile_text(text, "test", engine(), files);
    ASSERT_FALSE(error) << "no error";
    const std::vector<Issue> &issues = error.error().issues();
    const auto first = std::find_if(issues.begin(), issues.end(),
                                    [](const Issue &issue) { return issue.severity == Severity::error; });
    ASSERT_NE(first, issues.end());
    EXPECT_EQ(first->message, mistake.message);
    EXPECT_EQ(first->hint, mistake.hint);
    EXPECT_EQ(first->span.begin, marked) << error.error().render();
    EXPECT_FALSE(first->excerpt.empty() && !first->at_end);
}

const Mistake mistakes[] = {
    // the file
    {"empty", "^", "the file has no rank-profile", "a profile looks like rank-profile name { ... }"},
    {"other_words", "^profile test { }", "expected rank-profile or schema, but found 'profile'"},
    {"text_behind_a_profile", "rank-profile test { } ^}", "expected rank-profile or schema, but found '}'"},
    {"schema_not_closed", "schema s { rank-profile test { }^",
     "expected '}' at the end of the schema, but the text ends here"},
    {"schema_without_block", "schema s^", "expected '{' and the parts of the schema, but the text ends here"},
    {"odd_part_of_a_schema", "schema s { ^; rank-profile test { } }", "expected a part of the schema, but found ';'"},
    {"two_profiles_of_a_name", "rank-profile test { } rank-profile ^test { }", "rank-profile 'test' is defined twice"},

    // fields
    {"field_without_name", "schema s { field ^{ } rank-profile test { } }",
     "expected the name of a field, but found '{'"},
    {"field_without_type", "schema s { field a ^long { }\n rank-profile test { } }",
     "expected the word type, but found 'long'"},
    {"field_of_a_bad_tensor", "schema s { field a type tensor(x[^0]) { }\n rank-profile test { } }",
     "dimension 'x' has size 0",
     "only the dimension of a value may have no index; write name{} for a mapped dimension, name[3] for an indexed "
     "one, "
     "name[] if the size comes with each value"},
    {"two_fields_of_a_name", "schema s { field a type int { } field ^a type int { }\n rank-profile test { } }",
     "field 'a' is declared twice"},
    {"field_that_is_no_attribute",
     "schema s { field a type int { indexing: summary }\n rank-profile test { first-phase { expression: ^attribute(a) "
     "} } }",
     "the field 'a' is no attribute", "write 'indexing: attribute' in field a"},
    {"field_of_an_odd_type",
     "schema s { field a type map<string,int> { indexing: attribute }\n"
     "rank-profile test { first-phase { expression: ^attribute(a) } } }",
     "the field 'a' of type map<string,int> cannot be an attribute in expressions"},
    {"constant_without_a_type", "schema s { constant ^c { file: c.json }\n rank-profile test { } }",
     "constant 'c' needs a type, and a file or a value"},

    // the block of a profile
    {"profile_without_name", "rank-profile ^{ }", "expected the name of the profile, but found '{'"},
    {"profile_not_closed", "rank-profile test {\n first-phase { }\n^", "the '{' at 1:19 is not closed"},
    {"phase_not_closed", "rank-profile test {\n first-phase {\n }^", "the '{' at 1:19 is not closed"},
    {"profile_without_block", "rank-profile test^",
     "expected '{' or inherits after rank-profile test, but the text ends here"},
    {"word_behind_the_name", "rank-profile test ^extends a { }",
     "expected '{' or inherits after rank-profile test, but found 'extends'"},
    {"odd_setting", "rank-profile test { ^= }", "expected a setting of rank-profile test, but found '='"},

    // inheritance
    {"inherits_nothing", "rank-profile test inherits ^{ }", "expected the name of a profile, but found '{'"},
    {"unknown_parent", "rank-profile base { } rank-profile test inherits ^bass { }",
     "there is no rank-profile 'bass' to inherit", "did you mean 'base'?"},
    {"itself_as_parent", "rank-profile test inherits ^test { }", "the profile inherits itself: test -> test"},
    {"cycle_of_parents",
     "rank-profile test inherits a { } rank-profile a inherits b { } rank-profile b inherits ^test { }",
     "the profile inherits itself: test -> a -> b -> test"},
    {"parents_that_differ",
     "rank-profile a { constants { c: 1 } } rank-profile b { constants { c: 2 } } rank-profile ^test inherits a, b { }",
     "rank-profile 'test' inherits the constant 'c' from more than one parent, and they differ",
     "define it in this profile, too"},
    {"features_of_no_parent", "rank-profile a { } rank-profile test { match-features inherits ^a { bm25(title) } }",
     "'a' is no parent of rank-profile 'test'"},

    // functions as declared
    {"function_without_name", "rank-profile test { function ^() { expression: 1 } }",
     "expected the name of a function, but found '('"},
    {"function_with_a_dash", "rank-profile test { function ^my-f() { expression: 1 } }",
     "'my-f' cannot be the name of a function: expressions could not call it",
     "names consist of letters, digits, '_', '@' and '$'"},
    {"function_without_parentheses", "rank-profile test { function f ^{ expression: 1 } }",
     "expected '(' after the name of the function, but found '{'"},
    {"arguments_without_commas", "rank-profile test { function f(a ^b) { expression: 1 } }",
     "expected ',' or ')' in the list of arguments, but found 'b'"},
    {"argument_twice", "rank-profile test { function f(a, ^a) { expression: 1 } }", "'a' is an argument twice"},
    {"argument_with_a_dash", "rank-profile test { function f(^a-b) { expression: 1 } }",
     "'a-b' cannot be the name of an argument", "names consist of letters, digits, '_', '@' and '$'"},
    {"function_twice", "rank-profile test { function f() { expression: 1 } function ^f(a) { expression: 2 } }",
     "function 'f' is defined twice"},
    {"function_without_expression", "rank-profile test { function ^f() { } }", "function 'f' has no expression"},
    {"two_expressions", "rank-profile test { function f() { expression: 1\n ^expression: 2 } }",
     "function 'f' has a second expression"},
    {"expression_without_value", "rank-profile test { first-phase { ^expression:\n } }", "expression has no value"},
    {"expression_without_colon", "rank-profile test { first-phase { expression ^1 } }",
     "expected ':' or '{' after expression, but found '1'"},
    {"file_without_name", "rank-profile test { first-phase { expression: ^file:\n } }", "file: names no file"},
    {"file_that_is_missing", "rank-profile test { first-phase { expression: file:^none } }",
     "there is no file none.expression"},

    // expressions
    {"syntax_on_a_line", "rank-profile test { first-phase { expression: 1 + ^* 2 } }",
     "expected a value, but found '*'"},
    {"syntax_in_a_block", "rank-profile test {\n first-phase {\n expression {\n (1 +\n ^] }\n }\n}",
     "expected a value, but found ']'"},
    {"expression_that_goes_on", "rank-profile test { first-phase {\n expression: (1 +^\n 2)\n } }",
     "expected a value, but the text ends here", "an expression of several lines stands between '{' and '}'"},
    {"syntax_of_an_unused_function", "rank-profile test { function f() { expression: 1 ^1 } }",
     "expected an operator, but found '1'"},
    {"types_in_a_function",
     "rank-profile test { function f(t) { expression: t ^+ tensor(x[3]):[1,2,3] } first-phase { expression: "
     "sum(f(attribute(vector))) } }",
     "'+' of tensor<float>(x[2]) and tensor(x[3]): dimension 'x' has size 2 in the first and 3 in the "
     "second",
     "use rename to keep the two apart"},
    {"score_that_is_a_tensor", "rank-profile test { first-phase { expression: ^attribute(vector) } }",
     "'first-phase' must be a number, but this is tensor<float>(x[2])", "reduce it, for example with sum(...)"},

    // names
    {"unknown_symbol", "rank-profile test { first-phase { expression: 1 + ^nothing } }", "unknown symbol 'nothing'",
     "a name is a function, a constant or a feature; inputs are written query(name)"},
    {"input_without_query", "rank-profile test { inputs { query(q) double }\n first-phase { expression: ^q } }",
     "unknown symbol 'q'", "did you mean 'query(q)'?"},
    {"attribute_without_attribute", "rank-profile test { first-phase { expression: ^price } }",
     "unknown symbol 'price'", "did you mean 'attribute(price)'?"},
    {"mistyped_function",
     "rank-profile test { function quality() { expression: 1 }\n first-phase { expression: ^qualty } }",
     "unknown symbol 'qualty'", "did you mean 'quality'?"},
    {"unknown_input", "rank-profile test { inputs { query(user) double }\n first-phase { expression: ^query(usr) } }",
     "there is no input 'query(usr)'", "did you mean 'query(user)'?"},
    {"unknown_attribute", "rank-profile test { first-phase { expression: ^attribute(pric) } }",
     "there is no attribute 'pric'", "did you mean 'attribute(price)'?"},
    {"unknown_constant", "rank-profile test { first-phase { expression: ^constant(pi) } }", "there is no constant 'pi'",
     "declare it in constants { ... }"},
    {"feature_that_nobody_provides", "rank-profile test { first-phase { expression: ^fieldMatch(title) } }",
     "there is no function or feature 'fieldMatch(title)'", feature_hint},
    {"mistyped_feature", "rank-profile test { first-phase { expression: ^bm25(titel) } }",
     "there is no function or feature 'bm25(titel)'", "did you mean 'bm25(title)'?"},
    {"feature_as_second_of_max",
     "rank-profile test { first-phase { expression: max(bm25(title), ^bm25(description)) } }",
     "there is no function or feature 'bm25(description)'", feature_hint},
    {"name_as_second_of_max", "rank-profile test { first-phase { expression: max(bm25(title), ^nothing) } }",
     "unknown symbol 'nothing'", "a name is a function, a constant or a feature; inputs are written query(name)"},
    {"feature_with_a_long_name",
     "rank-profile test { first-phase { expression: "
     "^foreach(terms,x,fieldTermMatch(body,x).occurrences,true,average_of_all_that_there_are) } }",
     "there is no function or feature "
     "'foreach(terms,x,fieldTermMatch(body,x).occurrences,true,average_of_all_that_there_are)'",
     feature_hint},
    {"weights_of_a_number",
     "rank-profile test { inputs { query(w) double }\n first-phase { expression: "
     "sum(^tensorFromWeightedSet(query(w), x)) } }",
     "'tensorFromWeightedSet' makes a tensor(x{}) of the input 'query(w)', but it is declared as double",
     "declare it as tensor(x{})"},
    {"imported_field",
     "schema s { field a type int { indexing: attribute }\n import field ref.price as ref_price { }\n"
     "rank-profile test { first-phase { expression: ^attribute(ref_price) } } }",
     "the field 'ref_price' is imported by way of ref, and what it is there is not known",
     "the schema beside the file must have the field price; or declare what the documents themselves bring along: with "
     "ProfileOptions::attributes, or --attribute of the program"},
    {"imported_field_of_a_missing_schema",
     "schema s { document s { field ref type reference<shop> { indexing: attribute } }\n"
     "import field ref.price as ref_price { }\n"
     "rank-profile test { first-phase { expression: ^attribute(ref_price) } } }",
     "the field 'ref_price' is imported by way of ref, and what it is there is not known",
     "shop.sd beside the file must have the field price; or declare what the documents themselves bring along: with "
     "ProfileOptions::attributes, or --attribute of the program"},
    {"xgboost", "rank-profile test { first-phase { expression: ^xgboost(\"m.json\") } }", "there is no file m.json"},
    {"onnx", "rank-profile test { first-phase { expression: sum(^onnx(m).out) } }",
     "'onnx(m).out' cannot be used: nobody reads ONNX models here",
     "set ProfileOptions::models, or declare the output as a feature and give its value"},

    // calls
    {"too_many_arguments",
     "rank-profile test { function f(a) { expression: a }\n first-phase { expression: ^f(1, 2) } }",
     "function 'f' takes 1 argument, not 2", "call it as f(a)"},
    {"no_arguments", "rank-profile test { function f(a, b) { expression: a }\n first-phase { expression: ^f } }",
     "function 'f' needs arguments", "call it as f(a, b)"},
    {"recursion", "rank-profile test { function f() { expression: 1 + ^f }\n first-phase { expression: f } }",
     "a function calls itself: f -> f",
     "functions are expanded when a profile is compiled, so recursion would not end"},
    {"recursion_in_steps",
     "rank-profile test { function f(n) { expression: g(n + 1) } function g(n) { expression: ^f(n) }\n first-phase { "
     "expression: f(0) } }",
     "a function calls itself: f -> g -> f",
     "functions are expanded when a profile is compiled, so recursion would not end"},
    {"name_used_as_a_value",
     "rank-profile test { function f(a) { expression: 1 + ^a }\n first-phase { expression: f(title) } }",
     "the argument 'a' is a value here, but it is called with 'title', which is only a name",
     "a name is a function, a constant or a feature; inputs are written query(name)"},
    {"attribute_used_as_a_value",
     "rank-profile test { function f(a) { expression: 1 + ^a }\n first-phase { expression: f(price) } }",
     "the argument 'a' is a value here, but it is called with 'price', which is only a name",
     "did you mean 'attribute(price)'?"},
    {"value_used_as_a_name",
     "rank-profile test { function f(a) { expression: ^attribute(a) }\n first-phase { expression: f(1 + 2) } }",
     "the argument 'a' stands for a name here, but it is called with an expression",
     "give the name of an attribute, input or field"},
    {"feature_in_a_lambda",
     "rank-profile test { first-phase { expression: sum(map(attribute(vector), f(x)(x * ^attribute(price)))) } }",
     "'attribute(price)' is not visible here: a lambda sees only its own parameters (x)",
     "use operators, or join with two parameters, to combine it with the tensor"},

    // inputs and constants
    {"input_without_name", "rank-profile test { inputs { ^: 1 } }", "expected the name of an input, but found ':'"},
    {"input_of_a_bad_type", "rank-profile test { inputs { query(q) tensor(x[2],^x[3]) } }",
     "dimension 'x' is named twice", "give each dimension a name of its own"},
    {"input_with_a_word_behind", "rank-profile test { inputs { query(q) ^real } }", "expected a type, but found 'real'",
     "inputs are numbers, strings or tensors"},
    {"default_of_another_type", "rank-profile test { inputs { query(q) tensor(x[2]): [1,2,^3] } }",
     "too many cells for dimension x[2]"},
    {"missing_default", "rank-profile test { inputs { query(^q) double: } }", "the default of query(q) is missing"},
    {"input_twice", "rank-profile test { inputs { query(q) double\n ^q: 1 } }", "input 'query(q)' is declared twice"},
    {"parenthesis_of_an_input", "rank-profile test { inputs { query(q ^double } }",
     "expected ')' after query(q, but found 'double'"},
    {"constant_without_value", "rank-profile test { constants { ^c: } }", "constant 'c' has no value"},
    {"constant_without_colon", "rank-profile test { constants { c ^3 } }",
     "expected ':' and the value of the constant, but found '3'",
     "constants look like W tensor<float>(x[3]): [1,2,3], pi: 3.14 or W tensor(x[3]): file:w.json"},
    {"constant_that_is_no_number", "rank-profile test { constants { c: ^three } }",
     "expected a number, but found 'three'"},
    {"constant_twice", "rank-profile test { constants { c: 1\n ^c: 2 } }", "constant 'c' is declared twice"},
    {"constant_of_a_missing_file",
     "rank-profile test { constants { c tensor(x[2]): file:^none.json }\n first-phase { expression: sum(c) } }",
     "there is no file none.json"},
    {"constant_of_another_size",
     "rank-profile test { constants { c tensor(x[2]): file:^bad.json }\n first-phase { expression: sum(c) } }",
     "constant 'c': bad.json:1:16: too many cells: a block of tensor(x[2]) has 2"},

    // phases
    {"rerank_count_that_is_none", "rank-profile test { second-phase { rerank-count: ^-1 } }",
     "rerank-count must be a whole number of hits, not '-1'"},
    {"drop_limit_that_is_none", "rank-profile test { first-phase { rank-score-drop-limit: ^low } }",
     "rank-score-drop-limit must be a number, not 'low'"},
    {"first_phase_in_itself", "rank-profile test { first-phase { expression: ^firstPhase } }",
     "'firstPhase' is not known yet in the first phase"},
    {"second_phase_in_itself", "rank-profile test { second-phase { expression: ^secondPhase } }",
     "'secondPhase' is not known yet in the second phase"},
    {"second_phase_that_is_not_there", "rank-profile test { global-phase { expression: ^secondPhase } }",
     "'secondPhase' is used, but the profile has no second-phase"},
    {"normalizer_outside", "rank-profile test { first-phase { expression: ^normalize_linear(bm25(title)) } }",
     "'normalize_linear' can only be used in the global phase, where the scores of all hits are known"},
    {"normalizer_of_an_expression",
     "rank-profile test { global-phase { expression: normalize_linear(^bm25(title) + 1) } }",
     "'normalize_linear' takes a feature or a function, not an expression", "define a function for the expression"},
    {"normalizers_in_each_other",
     "rank-profile test { function f() { expression: ^normalize_linear(firstPhase) }\n"
     "global-phase { expression: normalize_linear(f) } }",
     "'normalize_linear' within a normalizer", "normalizers do not nest"},
    {"normalizer_without_arguments", "rank-profile test { global-phase { expression: ^reciprocal_rank() } }",
     "'reciprocal_rank' takes one feature and a number, not 0 arguments", "usage: reciprocal_rank(feature, k)"},
    {"k_that_is_computed", "rank-profile test { global-phase { expression: reciprocal_rank(firstPhase, ^1+1) } }",
     "the k of reciprocal_rank must be a number of at least 0"},
    {"fusion_of_one", "rank-profile test { global-phase { expression: ^reciprocal_rank_fusion(firstPhase) } }",
     "'reciprocal_rank_fusion' takes at least two features, not 1",
     "usage: reciprocal_rank_fusion(feature, feature, ...)"},
    {"features_without_colon", "rank-profile test { match-features ^bm25(title) }",
     "expected ':', '{' or inherits after match-features, but found 'bm25'"},
    {"features_with_commas", "rank-profile test { match-features: bm25(title)^, bm25(title) }",
     "features are separated by blanks, not by commas"},
    {"bad_match_feature", "rank-profile test { match-features: bm25(title) ^bm25(body) }",
     "there is no function or feature 'bm25(body)'", feature_hint},

    // features that the library computes
    {"attribute_without_name", "rank-profile test { first-phase { expression: ^attribute() } }",
     "'attribute()' has 0 arguments", "usage: attribute(name) or attribute(name,key)"},
    {"output_of_an_attribute", "rank-profile test { first-phase { expression: ^attribute(price).weight } }",
     "'attribute' has no output 'weight'", "it has .count"},
    {"element_of_a_number", "rank-profile test { first-phase { expression: ^attribute(price,1) } }",
     "'price' is a number; only arrays and weighted sets have elements", "write attribute(price)"},
    {"odd_index", "rank-profile test { first-phase { expression: ^attribute(years,first) } }",
     "'years' is an array: 'first' is no index of it", "indexes are whole numbers from 0"},
    {"weighted_set_of_a_number",
     "rank-profile test { first-phase { expression: sum(^tensorFromWeightedSet(attribute(price),x)) } }",
     "tensorFromWeightedSet takes a weighted set, but 'price' is a number"},
    {"labels_of_a_weighted_set",
     "rank-profile test { first-phase { expression: sum(^tensorFromLabels(attribute(tags),x)) } }",
     "tensorFromLabels takes an array, a string or a number, but 'tags' is a weighted set"},
    {"closeness_of_a_string", "rank-profile test { first-phase { expression: ^closeness(field,genre) } }",
     "'closeness' compares vectors, but 'genre' is a string"},
    {"closeness_to_nothing", "rank-profile test { first-phase { expression: ^closeness(field,vector) } }",
     "no input has the dimensions of the attribute 'vector' of type tensor<float>(x[2])",
     "declare the query's vector in inputs"},
    {"closeness_to_a_label", "rank-profile test { first-phase { expression: ^distance(label,nn) } }",
     "there is no nearest neighbor search labelled 'nn'",
     "labels are given with ProfileOptions::nearest_neighbors, or --nearest of the program"},
    {"closeness_to_a_wrong_word", "rank-profile test { first-phase { expression: ^distance(feild,vector) } }",
     "'feild' must be field or label", "usage: distance(field,name) or distance(label,name)"},
    {"age_of_a_string", "rank-profile test { first-phase { expression: ^age(genre) } }",
     "'age' takes a time in seconds, but 'genre' is a string"},
    {"output_of_freshness", "rank-profile test { first-phase { expression: ^freshness(price).log } }",
     "'freshness' has no output 'log'", "it has .logscale"},
    {"max_age_that_is_none",
     "rank-profile test { rank-properties { freshness(price).maxAge: ^soon }\n first-phase { expression: "
     "freshness(price) } }",
     "freshness(price).maxAge must be a number above 0, not 'soon'"},
    {"half_response_too_long",
     "rank-profile test { rank-properties { freshness(price).maxAge: 10 }\n first-phase { expression: "
     "^freshness(price).logscale } }",
     "freshness(price).halfResponse is 604800, which is not less than half of maxAge, 10"},
};

INSTANTIATE_TEST_SUITE_P(All, Mistakes, ::testing::ValuesIn(mistakes),
                         [](const auto &one) { return std::string(one.param.name); });

TEST(Mistakes, AllAreReportedAtOnce) {
    const auto error = compile_text(R"(rank-profile test {
    function f() { expression: nothing }
    first-phase { expression: f + constant(c) }
    second-phase { expression: f + bm26(title) }
    match-features: f
})",
                                    "test", engine());
    ASSERT_FALSE(error);
    EXPECT_EQ(error.error().render(), R"(test.profile:2:32: error: unknown symbol 'nothing'
      function f() { expression: nothing }
                                 ^~~~~~~
  hint: a name is a function, a constant or a feature; inputs are written query(name)
test.profile:3:35: error: there is no constant 'c'
      first-phase { expression: f + constant(c) }
                                    ^~~~~~~~~~~
  hint: declare it in constants { ... }
test.profile:4:36: error: there is no function or feature 'bm26(title)'
      second-phase { expression: f + bm26(title) }
                                     ^~~~~~~~~~~
  hint: did you mean 'bm25(title)'?
)");
}

TEST(Mistakes, AttributesThatNobodyDeclaresAreSaidToBe) {
    ProfileOptions options;
    options.undeclared_attributes = true;
    const auto error = compile_text(testing::profile_of("attribute(array.name, 0)"), "test", options);
    ASSERT_FALSE(error);
    EXPECT_EQ(
        error.error().issues().front().message,
        "'array.name', which nobody declares, is taken for a number; only arrays and weighted sets have elements");
    EXPECT_EQ(error.error().issues().front().hint,
              "declare its type: in a schema block, with ProfileOptions::attributes, or --attribute of the program");
}

TEST(Mistakes, NoSuchProfile) {
    const auto error = compile_text("rank-profile tset { }", "test");
    ASSERT_FALSE(error);
    EXPECT_EQ(error.error().message(), "there is no rank-profile 'test' (did you mean 'tset'?)");
}

}  // namespace
}  // namespace tenrex

// Blocks onnx-model and onnx(name).output in rank profiles.
#include <gmock/gmock.h>

#include <tenrex/onnx.h>

#include "tests/onnx/forest_writer.h"
#include "tests/profile/scoring.h"

namespace tenrex {
namespace {

using testing::compile_text;
using testing::Document;
using testing::Files;
using ::testing::HasSubstr;
using testing::loader_of;
using testing::profile_of;
using testing::score;
using testing::scores;

// x[n,2] times [[1,-2],[3,4]] in "out/0", and its relu in "relu".
std::string two_outputs() {
    using onnx::float_tensor;
    using onnx::value_info;
    return onnx::model({{onnx::node("MatMul", {"x", "w"}, {"out/0"}), onnx::node("Relu", {"out/0"}, {"relu"})},
                        {float_tensor("w", {2, 2}, {1, -2, 3, 4})},
                        {value_info("x", {0, 2})},
                        {value_info("out/0", {0, 2}), value_info("relu", {0, 2})}});
}

ProfileOptions reading() {
    ProfileOptions options;
    options.undeclared_attributes = true;
    options.models = read_onnx_model;
    return options;
}

// x1 <= 2 ? (10, 0) : (0, 20) of x[n,2] in "scores", and the class in "label".
std::string forest(const std::string &labels) {
    using onnx::floats;
    using onnx::integers;
    using onnx::value_info;
    return onnx::model(
        {{onnx::node("TreeEnsembleClassifier", {"x"}, {"label", "scores"},
                     {integers("nodes_treeids", {0, 0, 0}), integers("nodes_nodeids", {0, 1, 2}),
                      integers("nodes_featureids", {1, 0, 0}),
                      onnx::texts("nodes_modes", {"BRANCH_LEQ", "LEAF", "LEAF"}), floats("nodes_values", {2, 0, 0}),
                      integers("nodes_truenodeids", {1, 0, 0}), integers("nodes_falsenodeids", {2, 0, 0}),
                      integers("class_treeids", {0, 0}), integers("class_nodeids", {1, 2}),
                      integers("class_ids", {0, 1}), floats("class_weights", {10, 20}), labels},
                     "ai.onnx.ml")},
         {},
         {value_info("x", {0, 2})},
         {value_info("label", {0}, 7), value_info("scores", {0, 2})}});
}

Result<RankProfile> compile_with_model(std::string_view text) {
    return compile_text(text, "test", reading(),
                        {{"models/m.onnx", two_outputs()},
                         {"models/trees.onnx", forest(onnx::integers("classlabels_int64s", {4, 9}))},
                         {"models/texts.onnx", forest(onnx::texts("classlabels_strings", {"no", "yes"}))}});
}

RankProfile compiled(std::string_view text) {
    auto profile = compile_with_model(text);
    if (!profile) {
        ADD_FAILURE() << profile.error().render();
        std::abort();
    }
    return *std::move(profile);
}

std::string error_of(std::string_view expression, std::string_view rest) {
    const auto profile = compile_with_model(profile_of(expression, rest));
    return profile ? "no error" : profile.error().render();
}

constexpr std::string_view block = R"(onnx-model scorer {
    file: models/m.onnx
    input "x": features
    output "out/0": logits
    gpu-device: 0
}
function features() { expression: tensor<float>(d0[1],d1[2]):[[attribute(a),attribute(b)]] }
)";

// (2,1) gives 5 and 0; (1,-1) gives -2 and -6.
const std::vector<Document> documents{{{"attribute(a)", "2"}, {"attribute(b)", "1"}},
                                      {{"attribute(a)", "1"}, {"attribute(b)", "-1"}}};

TEST(ProfileNetwork, OutputsAreCalledByName) {
    for (const std::string_view call :
         {"onnx(scorer).logits", "onnxModel(scorer).logits", "onnx(\"scorer\").logits", "onnx(scorer)"}) {
        const auto profile = compiled(profile_of("sum(" + std::string(call) + ")", block));
        EXPECT_EQ(scores(profile, profile.first_phase(), documents), (std::vector<double>{5, -8})) << call;
    }
    const auto profile = compiled(profile_of("sum(onnx(scorer).logits) + 100 * sum(onnx(scorer).relu)", block));
    EXPECT_EQ(scores(profile, profile.first_phase(), documents), (std::vector<double>{505, -8}));
}

TEST(Networks, NeedNoBlockIfTheyAreCalledByTheirFiles) {
    const std::string input = "function x() { expression: tensor<float>(d0[1],d1[2]):[[2,1]] }";
    // (2, 1) times the weights is (5, 0).
    const auto value = [&](std::string_view expression) { return score(compiled(profile_of(expression, input)), {}); };
    EXPECT_EQ(value("sum(onnx(\"models/m.onnx\").relu)"), 5);
    EXPECT_EQ(value("sum(onnx(\"models/m.onnx\")) + sum(onnx(\"models/m.onnx\").relu)"), 10);
    EXPECT_THAT(error_of("sum(onnx(\"models/gone.onnx\"))", input), HasSubstr("there is no file models/gone.onnx"));
    EXPECT_THAT(error_of("sum(onnx(gone))", input), HasSubstr("there is no onnx-model of that name"));
}

TEST(ProfileNetwork, EveryPhaseMayUseIt) {
    const auto profile = compiled("rank-profile test {\n" + std::string(block) + R"(
    function best() { expression: reduce(onnx(scorer).relu, max) }
    first-phase { expression: sum(onnx(scorer).logits) }
    second-phase { expression: best + firstPhase }
    global-phase { expression: 2 * best }
    summary-features: best onnx(scorer).logits
})");
    EXPECT_EQ(scores(profile, profile.first_phase(), documents), (std::vector<double>{5, -8}));
    EXPECT_EQ(scores(profile, profile.global_phase(), documents), (std::vector<double>{10, 0}));
    const auto features = testing::outputs(profile, *profile.features().plan, profile.features().columns, documents);
    EXPECT_EQ(features[0][0].as_double(), 5);
    EXPECT_EQ(features[1][1], *from_literal("tensor<float>(d0[1],d1[2]):[[-2,-6]]"));
}

TEST(ProfileNetwork, InputsAreFunctionsAttributesInputsAndConstants) {
    const Document none;
    for (const auto &[input, rest] : {std::pair("query(q)", "inputs { query(q) tensor<float>(d0[1],d1[2]): [[2,1]] }"),
                                      {"constant(c)", "constants { c tensor<float>(d0[1],d1[2]): [[2,1]] }"},
                                      {"f", "function f() { expression: tensor(d0[1],d1[2]):[[2,1]] }"}}) {
        const std::string text = "onnx-model m {\nfile: models/m.onnx\ninput x: " + std::string(input) + "\n}\n" + rest;
        const auto profile = compiled(profile_of("sum(onnx(m).relu)", text));
        EXPECT_EQ(scores(profile, profile.first_phase(), {none}), std::vector<double>{5}) << input;
    }
    // Without a name for it an input is what has its name.
    const auto profile = compiled(profile_of(
        "sum(onnx(m).relu)",
        "onnx-model m { file: models/m.onnx\n }\nfunction x() { expression: tensor<float>(d0[1],d1[2]):[[2,1]] }"));
    EXPECT_EQ(scores(profile, profile.first_phase(), {none}), std::vector<double>{5});
}

TEST(ProfileNetwork, AnAxisWithANameHasTheSizeOfTheInput) {
    const auto profile = compiled(profile_of("sum(onnx(m).relu)",
                                             "onnx-model m { file: models/m.onnx\n input x: query(q)\n }\n"
                                             "inputs { query(q) tensor<float>(d0[3],d1[2]): [[2,1],[1,-1],[1,0]] }"));
    EXPECT_EQ(scores(profile, profile.first_phase(), {Document()}), std::vector<double>{6});
}

TEST(ProfileNetwork, ABlockMayStandInTheSchemaAndInAParent) {
    const auto profile = compiled(
        "schema s {\n onnx-model scorer { file: models/m.onnx\n input x: features\n }\n" +
        profile_of("sum(onnx(scorer).relu)", "function features() { expression: tensor<float>(d0[1],d1[2]):[[2,1]] }") +
        "}");
    EXPECT_EQ(scores(profile, profile.first_phase(), {Document()}), std::vector<double>{5});
    const auto child = compiled("rank-profile base {\n" + std::string(block) +
                                "}\nrank-profile test inherits base { first-phase { expression: "
                                "sum(onnx(scorer).relu) } }");
    EXPECT_EQ(scores(child, child.first_phase(), documents), (std::vector<double>{5, 0}));
}

TEST(ProfileNetwork, AModelComesBeforeAFeatureOfItsName) {
    ProfileOptions options = reading();
    options.features.push_back({"onnx(scorer).relu", {}});
    const auto profile =
        compile_text(profile_of("sum(onnx(scorer).relu)", block), "test", options, {{"models/m.onnx", two_outputs()}});
    ASSERT_TRUE(profile) << profile.error().render();
    EXPECT_EQ(scores(*profile, profile->first_phase(), documents), (std::vector<double>{5, 0}));
}

TEST(ProfileNetwork, MistakesSayWhere) {
    EXPECT_THAT(error_of("sum(onnx(other))", block),
                HasSubstr("'onnx(other)' cannot be used: there is no onnx-model of that name"));
    EXPECT_THAT(error_of("sum(onnx(scorer).other)", block), HasSubstr("onnx-model scorer has no output 'other'\n"));
    EXPECT_THAT(error_of("sum(onnx(scorer).other)", block), HasSubstr("hint: it has .logits, .relu"));
    EXPECT_THAT(error_of("sum(onnx(m))", "onnx-model m { file: other.onnx\n }"),
                HasSubstr("there is no file other.onnx"));
    EXPECT_THAT(error_of("1", "onnx-model m { input x: y\n }"), HasSubstr("onnx-model m has no file"));
    EXPECT_THAT(error_of("1", "onnx-model m { file: m.onnx\n input : y\n }"),
                HasSubstr("expected the name of an input of the model"));
    EXPECT_THAT(error_of("sum(onnx(m))", "onnx-model m { file: models/m.onnx\n }"),
                HasSubstr("but what it is given is double"));
    EXPECT_THAT(error_of("sum(onnx(m))",
                         "onnx-model m { file: models/m.onnx\n input x: f\n }\n"
                         "function f() { expression: tensor<float>(d0[1],d1[3]):[[1,2,3]] }"),
                HasSubstr("the model models/m.onnx cannot be used: input 'x' of the model has the shape [n,2], but "
                          "what it is given is tensor<float>(d0[1],d1[3])"));
    EXPECT_THAT(error_of("sum(onnx(m))",
                         "onnx-model m { file: models/m.onnx\n input x: f\n }\n"
                         "function f() { expression: onnx(m).relu }"),
                HasSubstr("an input of onnx-model m depends on its value"));
}

TEST(ProfileNetwork, AModelMayBeAForest) {
    const auto with = [](std::string_view file) {
        return "onnx-model m {\nfile: models/" + std::string(file) + R"(
    input x: features
    output label: chosen
}
function features() { expression: tensor<float>(d0[1],d1[2]):[[attribute(b),attribute(a)]] }
)";
    };
    const auto profile = compiled("rank-profile test {\n" + with("trees.onnx") + R"(
    function best() { expression: reduce(onnx(m).scores, max) }
    first-phase { expression: best + sum(onnx(m).chosen) / 10 }
    second-phase { expression: onnx(m).scores{d0:0,d1:1} + firstPhase }
    summary-features: onnx(m).scores
})");
    EXPECT_EQ(scores(profile, profile.first_phase(),
                     {{{"attribute(a)", "2"}, {"attribute(b)", "0"}}, {{"attribute(a)", "3"}, {"attribute(b)", "0"}}}),
              (std::vector<double>{10.4, 20.9}));
    const auto features = testing::outputs(profile, *profile.features().plan, profile.features().columns,
                                           {{{"attribute(a)", "2"}, {"attribute(b)", "0"}}});
    EXPECT_EQ(features[0][0], *from_literal("tensor<float>(d0[1],d1[2]):[[10,0]]"));
    // The row itself is not made.
    const auto plain = compiled(profile_of("sum(onnx(m).scores)", with("trees.onnx")));
    EXPECT_THAT(plain.first_phase().plan->explain(), ::testing::Not(HasSubstr("tensor of 2 values")));
    EXPECT_THAT(compiled(profile_of("sum(features)", with("trees.onnx"))).first_phase().plan->explain(),
                HasSubstr("tensor of 2 values"));
    // Two blocks with the same file, and two with forests of the same name.
    const auto twice =
        compiled(profile_of("sum(onnx(m)) + 100*sum(onnx(other))",
                            with("trees.onnx") + "onnx-model other { file: models/trees.onnx\n input x: query(q)\n }\n"
                                                 "inputs { query(q) tensor<float>(d0[1],d1[2]): [[0,1]] }"));
    EXPECT_EQ(scores(twice, twice.first_phase(), {{{"attribute(a)", "3"}, {"attribute(b)", "0"}}}),
              std::vector<double>{409});
    EXPECT_THAT(error_of("sum(onnx(m).chosen)", with("texts.onnx")),
                HasSubstr("the output 'chosen' of onnx-model m cannot be had: the labels of its classes are texts"));
    EXPECT_THAT(error_of("sum(onnx(m).chosen)", with("texts.onnx")), HasSubstr("hint: it has .scores"));
    EXPECT_THAT(error_of("sum(onnx(m))",
                         "onnx-model m { file: models/trees.onnx\n input x: f\n }\n"
                         "function f() { expression: tensor<float>(d0[3],d1[2])(d0) }"),
                HasSubstr("its input has the shape [3,2], but trees take one row"));
}

TEST(ProfileNetwork, WithoutAReaderTheBlockIsSkipped) {
    const auto profile = compile_text(profile_of("1", block));
    ASSERT_TRUE(profile) << profile.error().render();
    ASSERT_GE(profile->warnings().size(), 1U);
    EXPECT_EQ(profile->warnings()[0].message, "onnx-model scorer is skipped: nobody reads ONNX models here");
}

// 127 and 1 are whole numbers of one scale, and so are all weights but one: what 0.996 is, bfloat16 does not know
// either.
TEST(Networks, HaveAPrecision) {
    const auto score = [](std::string_view precision) {
        const RankProfile profile = compiled(
            profile_of("onnx(m).out_0{d0:0,d1:0}", "onnx-model m { file: models/m.onnx\n" + std::string(precision) +
                                                       "input \"x\": f }\nfunction f() { expression: "
                                                       "tensor<float>(d0[1],d1[2]):[[attribute(a),attribute(b)]] }"));
        return scores(profile, profile.first_phase(), {Document{{"attribute(a)", "127"}, {"attribute(b)", "0.3"}}})
            .front();
    };
    EXPECT_NEAR(score(""), 127.9, 1e-4);
    EXPECT_EQ(score("precision: f32\n"), score(""));
    for (const std::string_view precision : {"precision: bf16\n", "precision: int8\n"}) {
        EXPECT_NE(score(precision), score(""));
        EXPECT_NEAR(score(precision), 127.9, 2);
    }
    EXPECT_THAT(error_of("onnx(m).out_0{d0:0,d1:0}", "onnx-model m { file: models/m.onnx\nprecision: half\n}"),
                HasSubstr("there is no precision 'half'"));
}

}  // namespace
}  // namespace tenrex

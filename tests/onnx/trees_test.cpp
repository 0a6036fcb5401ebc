// Nodes with trees as a part of a network: forests over the columns of a tensor.
#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>

#include <tenrex/formats.h>
#include <tenrex/plan.h>

#include "tests/conformance/isas.h"
#include "tests/forest/trained_models.h"
#include "tests/onnx/forest_writer.h"

namespace tenrex::onnx::trees_test {
namespace {

using ::testing::HasSubstr;

// x1 <= 2 ? 10 : 20, of x[n,2].
std::vector<std::string> stump() {
    return {integers("nodes_treeids", {0, 0, 0}),     integers("nodes_nodeids", {0, 1, 2}),
            integers("nodes_featureids", {1, 0, 0}),  texts("nodes_modes", {"BRANCH_LEQ", "LEAF", "LEAF"}),
            floats("nodes_values", {2, 0, 0}),        integers("nodes_truenodeids", {1, 0, 0}),
            integers("nodes_falsenodeids", {2, 0, 0})};
}

std::string regressor(const std::vector<std::string> &inputs, const std::vector<std::string> &outputs) {
    std::vector<std::string> attributes = stump();
    for (const std::string &more : {integers("target_treeids", {0, 0}), integers("target_nodeids", {1, 2}),
                                    integers("target_ids", {0, 0}), floats("target_weights", {10, 20})}) {
        attributes.push_back(more);
    }
    return node("TreeEnsembleRegressor", inputs, outputs, attributes, "ai.onnx.ml");
}

std::string classifier(const std::string &labels) {
    std::vector<std::string> attributes = stump();
    for (const std::string &more : {integers("class_treeids", {0, 0}), integers("class_nodeids", {1, 2}),
                                    integers("class_ids", {0, 1}), floats("class_weights", {10, 20}), labels}) {
        attributes.push_back(more);
    }
    return node("TreeEnsembleClassifier", {"x"}, {"label", "scores"}, attributes, "ai.onnx.ml");
}

std::vector<double> cells_of(const Tensor &tensor) {
    std::vector<double> cells;
    for (std::size_t i = 0; i < tensor.cell_count(); ++i) {
        cells.push_back(tensor.cell(i));
    }
    return cells;
}

Tensor row_of(const std::vector<double> &cells) {
    TensorBuilder row(*TensorType::parse("tensor<float>(d0[1],d1[" + std::to_string(cells.size()) + "])"));
    for (std::size_t i = 0; i < cells.size(); ++i) {
        row.set(row.block({}), i, cells[i]);
    }
    return std::move(row).build();
}

Schema schema_of(const OnnxModel &model) {
    Schema schema;
    for (const OnnxModel::Port &input : model.inputs()) {
        schema.document(input.symbol, input.type);
    }
    model.add_to(schema);
    return schema;
}

std::string cells_text(const std::string &bytes, std::string_view expression, const std::vector<double> &row) {
    const auto model = OnnxModel::read(bytes, {.name = "m"});
    if (!model) {
        return model.error().message();
    }
    const auto parsed = Expression::parse(expression, schema_of(*model));
    if (!parsed) {
        return parsed.error().message();
    }
    const auto value = parsed->evaluate_reference({{"x", row_of(row)}});
    return value ? to_literal(*value) : value.error().message();
}

TEST(OnnxTrees, StandAmongOtherNodes) {
    const std::string network = model({{node("Mul", {"x", "two"}, {"double"}), regressor({"double"}, {"trees"}),
                                        node("Add", {"trees", "half"}, {"y"})},
                                       {float_tensor("two", {1}, {2}), float_tensor("half", {1}, {0.5})},
                                       {value_info("x", {0, 2})},
                                       {value_info("y", {0, 1})}});
    EXPECT_EQ("tensor<float>(d0[1],d1[1]):[[10.5]]", cells_text(network, "onnx(m).y", {7, 1}));
    EXPECT_EQ("tensor<float>(d0[1],d1[1]):[[20.5]]", cells_text(network, "onnx(m).y", {7, 1.5}));
    EXPECT_EQ("31.5", cells_text(network, "sum(onnx(m).y)+11", {7, 1.5}));
    const auto contents = OnnxContents::read(network);
    ASSERT_TRUE(contents.has_value());
    EXPECT_FALSE(contents->is_forest);
    EXPECT_TRUE(OnnxContents::read(file(regressor({"x"}, {"y"})))->is_forest);
}

TEST(OnnxTrees, SeveralMayShareARow) {
    const std::string network =
        model({{regressor({"x"}, {"a"}), regressor({"x"}, {"b"}), node("Add", {"a", "b"}, {"y"})},
               {},
               {value_info("x", {0, 2})},
               {value_info("y", {0, 1})}});
    EXPECT_EQ("40", cells_text(network, "sum(onnx(m))", {7, 3}));
}

TEST(OnnxTrees, AClassifierGivesLabelAndScores) {
    const auto classes = [](const std::string &labels) {
        return model({{classifier(labels), node("ZipMap", {"scores"}, {"by_label"}, {}, "ai.onnx.ml")},
                      {},
                      {value_info("x", {0, 2})},
                      {value_info("label", {0}, 7), value_info("by_label", {0, 2})}});
    };
    const std::string numbers = classes(integers("classlabels_int64s", {4, 9}));
    EXPECT_EQ("tensor(d0[1]):[4]", cells_text(numbers, "onnx(m).label", {7, 1}));
    EXPECT_EQ("tensor(d0[1]):[9]", cells_text(numbers, "onnx(m)", {7, 3}));
    EXPECT_EQ("tensor<float>(d0[1],d1[2]):[[0,20]]", cells_text(numbers, "onnx(m).by_label", {7, 3}));
    const std::string strings = classes(texts("classlabels_strings", {"no", "yes"}));
    EXPECT_EQ("tensor<float>(d0[1],d1[2]):[[0,20]]", cells_text(strings, "onnx(m)", {7, 3}));
    const auto read = read_onnx_model(strings, {"m"});
    ASSERT_TRUE(read.has_value());
    ASSERT_EQ(1U, read->refused.size());
    EXPECT_EQ("onnx(m).label", read->refused[0].symbol);
    EXPECT_EQ("the labels of its classes are texts", read->refused[0].reason);
    const std::string used =
        model({{classifier(texts("classlabels_strings", {"no", "yes"})), node("Identity", {"label"}, {"same"})},
               {},
               {value_info("x", {0, 2})},
               {value_info("same", {0})}});
    EXPECT_THAT(cells_text(used, "onnx(m)", {7, 3}),
                HasSubstr("its input 'label' cannot be had: the labels of its classes are texts"));
}

TEST(OnnxTrees, RefusesOtherShapes) {
    const auto with_input = [](std::vector<std::int64_t> shape) {
        return model({{regressor({"x"}, {"y"})}, {}, {value_info("x", shape)}, {value_info("y", {0, 1})}});
    };
    EXPECT_THAT(cells_text(with_input({3, 2}), "onnx(m)", {1, 2}),
                HasSubstr("its input has the shape [3,2], but trees take one row (a document is a row: give the first "
                          "axis one index)"));
    EXPECT_THAT(cells_text(with_input({1, 1}), "onnx(m)", {1}), HasSubstr("a split tests column 1 of 1"));
    EXPECT_THAT(cells_text(with_input({1, 1, 2}), "onnx(m)", {1}), HasSubstr("but trees take one row"));
    EXPECT_EQ("tensor<float>(d0[1],d1[1]):[[10]]", cells_text(with_input({1, 2}), "onnx(m)", {1, 2}));
}

// Calls check(cells) with those of the expression for the rows, compiled in several ways.
template <class Check>
void for_each_plan(const OnnxModel &model, std::string_view expression, const std::vector<std::vector<double>> &rows,
                   const Check &check) {
    for (const char *const isa : distinct_isas({"baseline", "avx2", "avx512", "native"})) {
        SCOPED_TRACE(isa);
        CompileOptions options;
        options.max_isa = isa;
        const auto plan = compile(expression, schema_of(model), options);
        ASSERT_TRUE(plan.has_value()) << plan.error().render();
        std::vector<float> cells;
        for (const std::vector<double> &row : rows) {
            cells.insert(cells.end(), row.begin(), row.end());
        }
        const std::size_t width = rows.front().size();
        const auto query = plan->bind({});
        Context context(*plan);
        for (const std::size_t block : {std::size_t{1}, std::size_t{7}, std::size_t{64}}) {
            std::size_t number = 0;
            for (std::size_t first = 0; first < rows.size(); first += block) {
                const std::size_t count = std::min(block, rows.size() - first);
                const std::vector<Column> columns{Column::dense(cells.data() + first * width, width * sizeof(float))};
                const auto values = query->evaluate_tensors({count, columns}, context);
                ASSERT_TRUE(values.has_value()) << values.error().render();
                for (const Tensor &value : *values) {
                    check(number++, cells_of(value));
                }
            }
        }
    }
}

TEST(OnnxTrees, GiveWhatOnnxRuntimeDoes) {
    std::size_t models = 0;
    for (const auto &entry : std::filesystem::directory_iterator("tests/onnx/forests")) {
        if (entry.path().extension() != ".onnx" || entry.path().stem().string().find("probit") != std::string::npos) {
            continue;  // PROBIT is compared by tree_ensemble_test, with bounds of its own
        }
        const TrainedModel expected = read_trained_model(entry.path());
        SCOPED_TRACE(expected.name);
        const auto model = OnnxModel::load(expected.path, {.name = "m"});
        ASSERT_TRUE(model.has_value()) << model.error().render();
        const auto check = [&](std::size_t row, const std::vector<double> &cells) {
            const auto &wanted = expected.scores[row].empty() ? expected.values[row] : expected.scores[row];
            ASSERT_EQ(wanted.size(), cells.size());
            for (std::size_t i = 0; i < cells.size(); ++i) {
                EXPECT_TRUE(std::isnan(wanted[i]) ? std::isnan(cells[i])
                                                  : std::fabs(wanted[i] - cells[i]) <= std::ldexp(1, -23))
                    << "row " << row << ": " << cells[i] << ", not " << wanted[i];
            }
        };
        const auto parsed = Expression::parse("onnx(m).y", schema_of(*model));
        ASSERT_TRUE(parsed.has_value()) << parsed.error().render();
        for (std::size_t row = 0; row < expected.rows.size(); ++row) {
            const auto value = parsed->evaluate_reference({{"x", row_of(expected.rows[row])}});
            ASSERT_TRUE(value.has_value()) << value.error().render();
            check(row, cells_of(*value));
        }
        for_each_plan(*model, "onnx(m).y", expected.rows, check);
        if (!expected.labels[0].empty()) {
            for_each_plan(*model, "onnx(m).label", expected.rows,
                          [&](std::size_t row, const auto &cells) { EXPECT_EQ(expected.labels[row], cells) << row; });
        }
        ++models;
    }
    EXPECT_GE(models, 20U);
}

}  // namespace
}  // namespace tenrex::onnx::trees_test

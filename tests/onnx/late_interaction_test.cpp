// Late interaction: a vector for each token of the query and of the document, by one encoder within the expression, and
// of each token of the query the best one of the document.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <tenrex/onnx.h>
#include <tenrex/tenrex.h>

#include "tests/onnx/encoder.h"
#include "tests/onnx/evaluated.h"
#include "tests/onnx/model_writer.h"

namespace tenrex::onnx {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::size_t width = Encoder::width;
constexpr std::size_t projected = 4;  // cells of a token

std::vector<int> tokens_of(std::size_t length, int first) {
    std::vector<int> tokens;
    for (std::size_t i = 0; i < length; ++i) {
        tokens.push_back((first + static_cast<int>(i * i)) % static_cast<int>(Encoder::words));
    }
    return tokens;
}

Tensor ids(const std::vector<int> &tokens) {
    TensorBuilder builder(*TensorType::make(CellType::f64, {{"d0", 1}, {"d1", tokens.size()}}));
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        builder.set(0, i, tokens[i]);
    }
    return std::move(builder).build();
}

float weight(std::size_t row, std::size_t column) {
    return static_cast<float>((row * 5 + column * 3) % 7) / 4 - 0.75F;
}

// Rows of length 1 for the tokens, by loops.
std::vector<std::vector<double>> rows_of(const Encoder &encoder, const std::vector<int> &tokens) {
    const std::vector<double> hidden = encoder.hidden(tokens, std::vector<int>(tokens.size(), 1));
    std::vector<std::vector<double>> rows(tokens.size(), std::vector<double>(projected));
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        double squares = 0;
        for (std::size_t j = 0; j < projected; ++j) {
            for (std::size_t k = 0; k < width; ++k) {
                rows[i][j] += hidden[i * width + k] * static_cast<double>(weight(k, j));
            }
            squares += rows[i][j] * rows[i][j];
        }
        for (double &cell : rows[i]) {
            cell /= std::sqrt(squares);
        }
    }
    return rows;
}

double best_of_all(const std::vector<std::vector<double>> &query, const std::vector<std::vector<double>> &document) {
    double sum = 0;
    for (const std::vector<double> &of_query : query) {
        double best = -2;
        for (const std::vector<double> &of_document : document) {
            double product = 0;
            for (std::size_t j = 0; j < projected; ++j) {
                product += of_query[j] * of_document[j];
            }
            best = std::max(best, product);
        }
        sum += best;
    }
    return sum;
}

// The encoder twice, over the tokens of the query and of the document; in each file ones stand for the mask.
class LateInteraction : public testing::Test {
protected:
    void SetUp() override {
        const std::string file = encoder_.model(Exporter::single_operators);
        schema_.query("query_ids", "tensor(d0[1],d1[])");
        schema_.query("query_mask", "tensor(d0[1],d1[])");
        schema_.document("ids", "tensor(d0[1],d1[])");
        schema_.document("mask", "tensor(d0[1],d1[])");
        TensorBuilder projection(*TensorType::parse(fmt::format("tensor<float>(d2[{}],x[{}])", width, projected)));
        for (std::size_t i = 0; i < width * projected; ++i) {
            projection.set(0, i, static_cast<double>(weight(i / projected, i % projected)));
        }
        schema_.constant("projection", std::move(projection).build());
        const auto add = [&](const std::string &name, const std::string &tokens, const std::string &mask) {
            const auto model =
                OnnxModel::read(file, {.name = name, .inputs = {{"input_ids", tokens}, {"attention_mask", mask}}});
            ASSERT_TRUE(model) << model.error().render();
            model->add_to(schema_);
        };
        add("q", "query_ids", "query_mask");
        add("d", "ids", "mask");
    }
    static NamedTensor ones(const std::string &name, std::size_t length) {
        return {name, ids(std::vector<int>(length, 1))};
    }

    const Encoder encoder_;
    Schema schema_;
    const std::string score_ =
        "sum(reduce(sum(l2_normalize(sum(onnx(q).hidden{d0:0}*projection,d2),x)*"
        "rename(l2_normalize(sum(onnx(d).hidden{d0:0}*projection,d2),x),d1,t),x),max,t))";
};

TEST_F(LateInteraction, ScoresByTheBestTokens) {
    const auto expression = Expression::parse(score_, schema_);
    ASSERT_TRUE(expression) << expression.error().render();
    const auto plan = compile(*expression);
    ASSERT_TRUE(plan) << plan.error().render();
    const std::vector<std::size_t> lengths{1, 13, 5, 2, 30, 7, 9};
    for (const std::size_t of_query : {3, 1, 8}) {
        const std::vector<int> asked = tokens_of(of_query, 2);
        const std::vector<NamedTensor> values{{"query_ids", ids(asked)}, ones("query_mask", of_query)};
        const auto query = plan->bind(values);
        ASSERT_TRUE(query) << query.error().render();
        std::vector<double> alone;
        for (const std::size_t block : {std::size_t{1}, std::size_t{7}, std::size_t{64}}) {
            std::vector<ColumnBuffer> buffers;
            for (const InputDeclaration &input : plan->document_inputs()) {
                ColumnBuffer &buffer = buffers.emplace_back(input.type, plan->labels());
                for (std::size_t i = 0; i < block; ++i) {
                    const std::size_t length = lengths[i % lengths.size()];
                    ASSERT_TRUE(
                        buffer.append(input.name == "ids" ? ids(tokens_of(length, 1)) : ones("", length).second));
                }
            }
            std::vector<Column> columns;
            for (const ColumnBuffer &buffer : buffers) {
                columns.push_back(buffer.column());
            }
            Context context(*plan);
            std::vector<double> scores(block);
            ASSERT_TRUE(query->evaluate({block, columns}, context, scores));
            for (std::size_t i = 0; i < block; ++i) {
                const std::size_t which = i % lengths.size();
                if (which == alone.size()) {
                    alone.push_back(scores[i]);
                    const std::vector<int> tokens = tokens_of(lengths[which], 1);
                    const double expected = best_of_all(rows_of(encoder_, asked), rows_of(encoder_, tokens));
                    EXPECT_NEAR(scores[i], expected, 1e-5);
                    std::vector<NamedTensor> all = values;
                    all.emplace_back("ids", ids(tokens));
                    all.push_back(ones("mask", lengths[which]));
                    EXPECT_NEAR(expression->evaluate_reference(all)->as_double(), expected, 1e-5);
                }
                EXPECT_EQ(scores[i], alone[which]) << "block of " << block << ", document " << i;
            }
        }
    }
}

TEST_F(LateInteraction, HasTheBestOnesAsTheyAreComputed) {
    CompileOptions options;
    options.weights = std::make_shared<WeightStore>();
    const auto plan = compile(score_, schema_, options);
    ASSERT_TRUE(plan) << plan.error().render();
    // No product of all pairs of tokens, and the query's encoder runs once per query.
    EXPECT_THAT(plan->graph(), HasSubstr("row_extreme"));
    const auto attentions = [&](Stage stage) {
        const std::vector<PlanStep> steps = plan->steps(stage);
        return std::count_if(steps.begin(), steps.end(),
                             [](const PlanStep &step) { return step.what.starts_with("attention"); });
    };
    EXPECT_EQ(attentions(Stage::query), 2);
    EXPECT_EQ(attentions(Stage::document), 2);
    // Each matrix is there once, though two models have it: six of each layer, and the projection.
    EXPECT_EQ(options.weights->statistics().matrices, 2 * 6 + 1);
}

// A file with the projection in it: rows of a table, a product, and a length of 1.
TEST(LateInteractionOfFiles, WithTheProjectionInside) {
    std::vector<float> table(std::size_t{7} * 3), projection(std::size_t{3} * 2);
    for (std::size_t i = 0; i < table.size(); ++i) {
        table[i] = static_cast<float>(i * i % 11) - 5;
    }
    for (std::size_t i = 0; i < projection.size(); ++i) {
        projection[i] = static_cast<float>(i) - 2.5F;
    }
    const std::string file = onnx::model(
        {{node("Gather", {"table", "input_ids"}, {"rows"}), node("MatMul", {"rows", "projection"}, {"short"}),
          node("LpNormalization", {"short"}, {"out"}, {integer_attribute("axis", -1)})},
         {float_tensor("table", {7, 3}, table), float_tensor("projection", {3, 2}, projection)},
         {port("input_ids", {"batch", "sequence"}, 7)},
         {port("out", {"batch", "sequence", "2"})}});
    Schema schema;
    schema.query("asked", "tensor(d0[1],d1[])");
    schema.document("ids", "tensor(d0[1],d1[])");
    for (const auto &[name, tokens] : {std::pair("q", "asked"), std::pair("d", "ids")}) {
        const auto model = OnnxModel::read(file, {.name = name, .inputs = {{"input_ids", tokens}}});
        ASSERT_TRUE(model) << model.error().render();
        model->add_to(schema);
    }
    const std::string text = "sum(reduce(sum(onnx(q){d0:0}*rename(onnx(d){d0:0},d1,t),d2),max,t))";
    const auto plan = compile(text, schema);
    ASSERT_TRUE(plan) << plan.error().render();
    const std::vector<int> asked{0, 6, 3}, answer{5, 2, 4, 6};
    const auto row = [&](int token) {
        double x[2] = {0, 0};
        for (std::size_t k = 0; k < 6; ++k) {
            x[k % 2] += static_cast<double>(table[static_cast<std::size_t>(token) * 3 + k / 2] * projection[k]);
        }
        const double length = std::sqrt(x[0] * x[0] + x[1] * x[1]);
        return std::pair(x[0] / length, x[1] / length);
    };
    double expected = 0;
    for (const int of_query : asked) {
        double best = -2;
        for (const int of_document : answer) {
            best = std::max(
                best, row(of_query).first * row(of_document).first + row(of_query).second * row(of_document).second);
        }
        expected += best;
    }
    const auto value =
        Expression::parse(text, schema)->evaluate_reference({{"asked", ids(asked)}, {"ids", ids(answer)}});
    ASSERT_TRUE(value) << value.error().render();
    EXPECT_NEAR(value->as_double(), expected, 1e-6);
    const auto query = plan->bind({{"asked", ids(asked)}});
    ASSERT_TRUE(query) << query.error().render();
    ColumnBuffer buffer(plan->document_inputs().front().type, plan->labels());
    ASSERT_TRUE(buffer.append(ids(answer)));
    const std::vector<Column> columns{buffer.column()};
    Context context(*plan);
    double score = 0;
    ASSERT_TRUE(query->evaluate({1, columns}, context, {&score, 1}));
    EXPECT_NEAR(score, expected, 1e-6);
}

}  // namespace
}  // namespace tenrex::onnx

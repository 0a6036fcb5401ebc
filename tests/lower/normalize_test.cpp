// Rows that one step normalizes: softmax, rows divided by their length, rows standardized. Each value is that of the
// reference evaluator, with the same bits alone and beside other documents.
#include <cstddef>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <tenrex/expression.h>
#include <tenrex/plan.h>

#include "tests/optimizer/recognition.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer::normalize_test {
namespace {

const std::vector<const char *> cell_types = {"float", "double", "bfloat16", "int8"};

std::string with_cell_type(std::string type, const char *cell_type) {
    if (const std::size_t at = type.find('?'); at != type.npos) {
        type.replace(at, 1, cell_type);
    }
    return type;
}

// In all cell types; the plan must have one step that says `step`, or none that a normalization has.
void check(const std::string &text, const std::vector<Input> &inputs, const std::string &step) {
    for (const char *cell_type : cell_types) {
        SCOPED_TRACE(text + " with " + cell_type);
        std::vector<Values> values;
        for (const Input &input : inputs) {
            const std::string type = with_cell_type(input.type, cell_type);
            values.push_back(
                random_values(input.name, input.stage, type, 9, random::Numbers::smooth, values.size() * 5 + 2));
        }
        std::string plan;
        EXPECT_EQ(wrong_value(text, values, Agreement::within_bounds, nullptr, &plan), "");
        if (!step.empty()) {
            EXPECT_THAT(plan, testing::HasSubstr(step));
        } else {
            plan.erase(0, plan.find("\nconstant: "));  // the steps; what stands before quotes the expression
            EXPECT_THAT(plan, testing::Not(testing::AnyOf(testing::HasSubstr("softmax of "),
                                                          testing::HasSubstr("division by the length"),
                                                          testing::HasSubstr("standardization"))));
        }
    }
}

TEST(Softmax, OfAllCells) {
    const std::vector<Input> d = {{"d", document, "tensor<?>(x[19])"}};
    check("softmax(d,x)", d, "softmax of 1 rows of 19 cells");
    check("exp(d)/sum(exp(d))", d, "softmax of 1 rows of 19 cells");
    check("exp(d-max(d))/sum(exp(d-max(d)))", d, "stable softmax of 1 rows of 19 cells");
    check("softmax(d*0.125,x)", d, "softmax of 1 rows of 19 cells");
    check("softmax(0.3*d,x)", d, "softmax of 1 rows of 19 cells");
    check("exp(d*0.3-max(d*0.3))/sum(exp(d*0.3-max(d*0.3)))", d, "stable softmax of 1 rows of 19 cells");
    check("exp(d)/sum(exp(d),x,y)", {{"d", document, "tensor<?>(x[5],y[3])"}}, "softmax of 1 rows of 15 cells");
    check("softmax(d,x)", {{"d", document, "tensor<?>(x[2])"}}, "softmax of 1 rows of 2 cells");
}

TEST(Softmax, OfRows) {
    const std::vector<Input> d = {{"d", document, "tensor<?>(k[3],x[17])"}};
    check("softmax(d,x)", d, "softmax of 3 rows of 17 cells");
    check("exp(d-max(d,x))/sum(exp(d-max(d,x)),x)", d, "stable softmax of 3 rows of 17 cells");
    check("exp(d)/sum(exp(d),x,y)", {{"d", document, "tensor<?>(k[3],x[5],y[4])"}}, "softmax of 3 rows of 20 cells");
    check("softmax(d,x)", {{"d", document, "tensor<?>(k{},x[16])"}}, "softmax of 1 rows of 16 cells");
    check("softmax(d,x)", {{"d", document, "tensor<?>(k{},j[2],x[16])"}}, "softmax of 2 rows of 16 cells");
    check("exp(d-max(d,x))/sum(exp(d-max(d,x)),x)", {{"d", document, "tensor<?>(k{},x[3])"}},
          "stable softmax of 1 rows of 3 cells");
    check("softmax(sum(q*k,d)*0.125,j)",
          {{"q", document, "tensor<?>(d[4],i[3])"}, {"k", document, "tensor<?>(d[4],j[18])"}},
          "softmax of 3 rows of 18 cells");
}

TEST(Softmax, OfTheQuery) {
    check("sum(softmax(q,x)*d)", {{"q", query, "tensor<?>(x[20])"}, {"d", document, "tensor<?>(x[20])"}},
          "softmax of 1 rows of 20 cells");
}

TEST(Softmax, IsLeftInPartsWhereOthersReadThem) {
    const std::vector<Input> d = {{"d", document, "tensor<?>(x[19])"}};
    check("exp(d)/sum(exp(d))*sum(exp(d))", d, "");
    check("exp(d)/sum(exp(d))+exp(d)", d, "");
    check("exp(d)/avg(exp(d))", d, "");
    check("exp(d)/sum(exp(2*d))", d, "");
    check("softmax(d,x)", {{"d", document, "tensor<?>(x[17],y[3])"}}, "");  // columns
    check("softmax(d,k)", {{"d", document, "tensor<?>(k{})"}}, "");
    check("softmax(d,x)", {{"d", document, "tensor<?>(k[3],x[15])"}}, "");  // short rows
    // What is before the powers may have other readers.
    check("exp(d-max(d))/sum(exp(d-max(d)))+max(d)", d, " softmax of 1 rows of 19 cells");
    check("exp(d*3)/sum(exp(d*3))+d*3", d, " softmax of 1 rows of 19 cells");
}

TEST(DivisionByLength, OfAllCellsAndOfRows) {
    const std::vector<Input> d = {{"d", document, "tensor<?>(x[19])"}};
    check("l2_normalize(d+1,x)", d, "division by the length of 1 rows of 19 cells");
    check("d/sqrt(sum(d^2)+0.1)", d, "division by the length of 1 rows of 19 cells");
    check("d/(sqrt(sum(d^2))+0.1)", d, "division by the length of 1 rows of 19 cells");
    check("d/(0.1+sqrt(sum(d^2,x)+0.1))", {{"d", document, "tensor<?>(k[3],x[19])"}},
          "division by the length of 3 rows of 19 cells");
    check("d/sqrt(0.1+avg(d*d))", d, "division by the length of 1 rows of 19 cells");
    check("d/sqrt(0.1+avg(d*d,x))", {{"d", document, "tensor<?>(k[3],x[19])"}},
          "division by the length of 3 rows of 19 cells");
    check("d/sqrt(0.1+avg(d*d,x))", {{"d", document, "tensor<?>(k{},x[19])"}},
          "division by the length of 1 rows of 19 cells");
    check("d/sqrt(0.1+avg(d*d))*g", {{"d", document, "tensor<?>(x[19])"}, {"g", query, "tensor<?>(x[19])"}},
          "division by the length of 1 rows of 19 cells, times others");
    check("d/sqrt(sum(d*d)+0.1)+sqrt(sum(d*d)+0.1)", d, "");
    check("d/sqrt(sum(d*d)+sum(d))", d, "");
    check("d/sqrt(sum(d*(d+1))+3)", d, "");
    check("d/sum(d*d+1)", d, "");
}

constexpr const char *layer = "(d-avg(d,x))/sqrt(avg((d-avg(d,x))^2,x)+0.1)";

TEST(Standardization, OfAllCellsAndOfRows) {
    check(layer, {{"d", document, "tensor<?>(x[19])"}}, "standardization of 1 rows of 19 cells");
    check(layer, {{"d", document, "tensor<?>(k[3],x[19])"}}, "standardization of 3 rows of 19 cells");
    check(layer, {{"d", document, "tensor<?>(k{},j[2],x[5])"}}, "standardization of 2 rows of 5 cells");
    check(layer, {{"d", document, "tensor<?>(k[3],x[1])"}}, "");
}

TEST(Standardization, WithGainsAndBiases) {
    for (const char *rows : {"x[19]", "k[3],x[19]", "k{},x[19]"}) {
        const std::string type = "tensor<?>(" + std::string(rows) + ")";
        for (const Stage stage : {constant, query, document}) {
            const std::vector<Input> inputs = {
                {"d", document, type.c_str()}, {"g", stage, "tensor<?>(x[19])"}, {"b", stage, "tensor<float>(x[19])"}};
            const std::string text = layer;
            check(text + "*g+b", inputs, " rows of 19 cells, times others, plus others");
            check("b+g*(" + text + ")", inputs, " rows of 19 cells, times others, plus others");
            check(text + "*g", {inputs[0], inputs[1]}, " rows of 19 cells, times others");
            check(text + "+b", {inputs[0], inputs[2]}, " rows of 19 cells, plus others");
        }
    }
    // Another row for each row of a document: what the layer was applied to, say.
    check(std::string(layer) + "*g+d", {{"d", document, "tensor<?>(k[3],x[19])"}, {"g", query, "tensor<?>(x[19])"}},
          "standardization of 3 rows of 19 cells, times others, plus others");
    check(std::string(layer) + "+b", {{"d", document, "tensor<?>(k[3],x[4])"}, {"b", query, "tensor<?>(k[3],x[4])"}},
          "standardization of 3 rows of 4 cells, plus others");
    // These are no rows.
    check(std::string(layer) + "*g", {{"d", document, "tensor<?>(k[3],x[4])"}, {"g", query, "tensor<?>(k[3])"}},
          "standardization of 3 rows of 4 cells ");
    check(std::string(layer) + "*g", {{"d", document, "tensor<?>(k{},x[4])"}, {"g", document, "tensor<?>(k{},x[4])"}},
          "standardization of 1 rows of 4 cells ");
    check(std::string(layer) + "*2+1", {{"d", document, "tensor<?>(x[19])"}}, "standardization of 1 rows of 19 cells ");
    // A gain that is known later than the rows.
    check(std::string(layer) + "*g", {{"d", query, "tensor<?>(x[19])"}, {"g", document, "tensor<?>(x[19])"}},
          "standardization of 1 rows of 19 cells ");
}

// What reads the rows may be taken together with what makes them, where this is a join of two values.
TEST(Normalization, InOtherExpressions) {
    const std::vector<Input> d = {{"d", document, "tensor<?>(k{},x[17])"}, {"q", query, "tensor<?>(x[17])"}};
    for (const char *aggregate : {"sum(@)", "max(@,k)", "avg(@)", "sum(@*q)", "max(@+q,k)", "reduce(sum(@*q,x),max,k)",
                                  "sum(@*q+1,x)", "@*2+q", "@>0.1"}) {
        for (const char *rows : {"softmax(d,x)", "l2_normalize(d,x)", "l2_normalize(d,x)*q", layer}) {
            std::string text = aggregate;
            for (std::size_t at = text.find('@'); at != text.npos; at = text.find('@')) {
                text.replace(at, 1, "(" + std::string(rows) + ")");
            }
            check(text, d, " of 1 rows of 17 cells");
        }
    }
}

TEST(Normalization, OfOddNumbersIsThatOfTheReference) {
    for (const char *text : {"softmax(d,x)", "exp(d-max(d,x))/sum(exp(d-max(d,x)),x)", "l2_normalize(d,x)", layer}) {
        for (const char *type : {"tensor<float>(k[2],x[17])", "tensor(x[3])", "tensor<float>(k{},x[17])"}) {
            const std::vector<Values> values = {random_values("d", document, type, 40, random::Numbers::any, 3)};
            EXPECT_EQ(wrong_value(text, values), "");
        }
    }
}

// Documents may be anywhere: one after the other, with gaps, backwards, or all the same.
void check_distances(const char *type, bool gain_of_document) {
    constexpr std::size_t documents = 7, length = 19;
    const TensorType row = *TensorType::parse("tensor<float>(x[19])");
    const std::size_t cells = TensorType::parse(type)->block_cells();
    std::vector<float> many((cells + 5) * documents);
    for (std::size_t i = 0; i < many.size(); ++i) {
        many[i] = static_cast<float>(i * 37 % 101) / 16;
    }
    TensorBuilder gain(row);
    gain.block({});
    for (std::size_t i = 0; i < length; ++i) {
        gain.set(0, i, many[i]);
    }
    Schema schema;
    schema.document("d", type);
    gain_of_document ? schema.document("g", row) : schema.query("g", row);
    const auto plan = compile(std::string(layer) + "*g", schema);
    ASSERT_TRUE(plan);
    EXPECT_THAT(plan->explain(), testing::HasSubstr("times others"));
    std::vector<NamedTensor> of_query;
    if (!gain_of_document) {
        of_query.emplace_back("g", std::move(gain).build());
    }
    const auto query = plan->bind(of_query);
    ASSERT_TRUE(query);
    Context context(*plan);
    const auto evaluate = [&](const float *first, std::ptrdiff_t step, const float *gains, std::size_t count) {
        std::vector<Column> columns = {Column::dense(first, step * static_cast<std::ptrdiff_t>(sizeof(float)))};
        if (gain_of_document) {
            columns.push_back(Column::dense(gains, 8 * sizeof(float)));
        }
        auto results = query->evaluate_tensors({count, columns}, context);
        EXPECT_TRUE(results);
        return *std::move(results);
    };
    const auto size = static_cast<std::ptrdiff_t>(cells);
    for (const std::ptrdiff_t step : {std::ptrdiff_t{0}, size, size + 5, -size}) {
        SCOPED_TRACE(step);
        const float *const first = many.data() + (step < 0 ? many.size() - cells : 0);
        const std::vector<Tensor> together = evaluate(first, step, many.data(), documents);
        for (std::size_t i = 0; i < documents; ++i) {
            const auto place = static_cast<std::ptrdiff_t>(i);
            EXPECT_EQ(evaluate(first + place * step, 0, many.data() + place * 8, 1).front(), together[i]) << i;
        }
    }
}

TEST(Normalization, OfRowsAtAnyDistance) {
    for (const char *type : {"tensor<float>(x[19])", "tensor<float>(k[3],x[19])"}) {
        check_distances(type, true);
        check_distances(type, false);
    }
}

Values document_values(const std::string &name, const std::vector<std::string> &texts) {
    return {name, Stage::document, literals(texts)};
}

// No power is too large for a float, but their sum is; and neighbours must not show.
TEST(Softmax, OfASumThatNoFloatHolds) {
    for (const std::size_t size : {4, 20, 300}) {
        std::vector<std::string> rows;
        for (const char *cell : {"88", "1", "-100", "88.5", "1000"}) {
            std::string cells = "tensor<float>(x[" + std::to_string(size) + "]):[88";
            for (std::size_t i = 1; i < size; ++i) {
                cells += std::string(",") + cell;
            }
            rows.push_back(cells + "]");
        }
        for (const char *text : {"softmax(d,x)", "exp(d)/sum(exp(d))", "l1_normalize(exp(d),x)", "softmax(d*0.5,x)"}) {
            EXPECT_EQ(wrong_value(text, {document_values("d", rows)}, Agreement::within_bounds), "")
                << text << " of " << size;
        }
    }
}

// The cells nearly cancel their average, which is no float.
TEST(Standardization, OfCellsThatAreCloseToTheirAverage) {
    for (const char *row : {"tensor<float>(x[3]):[1000000,1000000.0625,1000000.0625]",
                            "tensor<float>(x[20]):[3e6,3e6,3000000.25,3e6,3e6,3e6,3e6,3e6,3000000.25,3e6,3e6,3e6,3e6,"
                            "3e6,3e6,3e6,3e6,3e6,3e6,3e6]"}) {
        EXPECT_EQ(wrong_value("(d-avg(d))/sqrt(avg((d-avg(d))*(d-avg(d)))+0.001)", {document_values("d", {row})}), "");
    }
}

// Numbers that the kernel would lose as floats.
TEST(Normalizations, WithNumbersThatAreNoFloats) {
    const Values d = document_values("d", {"tensor<float>(x[3]):[0,0,0]", "tensor<float>(x[3]):[1e-20,2,3]"});
    for (const char *text : {"d/(sqrt(sum(d*d))+1e-50)", "d/sqrt(sum(d*d)+1e-100)", "softmax(d*1e-50,x)*3",
                             "d/sqrt(sum(d*d)/1e60)*1e-30", "d/sqrt(sum(d*d)/1e-60)*1e30"}) {
        EXPECT_EQ(wrong_value(text, {d}, Agreement::within_bounds), "") << text;
    }
}

}  // namespace
}  // namespace tenrex::optimizer::normalize_test

// Inputs with several axes of any length: masks for all pairs of tokens, and texts of two lengths.
#include <algorithm>
#include <initializer_list>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tenrex/formats.h>

#include "tests/onnx/evaluated.h"
#include "tests/onnx/model_writer.h"

namespace tenrex::onnx::open_masks_test {
namespace {

using testing::HasSubstr;

constexpr std::size_t width = 2;

// Small whole numbers, so that all sums of products are exact.
Tensor numbers(const TensorType &declared, const std::vector<std::size_t> &lengths, int seed) {
    std::vector<Dimension> dimensions = declared.dimensions();
    std::size_t next = 0;
    for (Dimension &dimension : dimensions) {
        dimension = dimension.is_open() ? Dimension::indexed(dimension.name, lengths[next++]) : dimension;
    }
    TensorBuilder builder(*TensorType::make(declared.cell_type(), std::move(dimensions)));
    for (std::size_t i = 0; i < builder.type().block_cells(); ++i) {
        builder.set(0, i, static_cast<double>((i * i + 3 * i + static_cast<std::size_t>(seed)) % 7) - 3);
    }
    return std::move(builder).build();
}

struct Masked {
    std::string name;
    std::vector<std::string> nodes, initializers, inputs;
    bool is_chosen = false;  // the mask says which scores count
    bool is_across = false;  // keys and values are those of another text, y
};

std::ostream &operator<<(std::ostream &out, const Masked &masked) {
    return out << masked.name;
}

// What a token takes from those that the mask lets it see: the sum over j of (x[i]·y[j] + m[i,j]) * y[j].
double by_loops(const Masked &masked, const Tensor &x, const Tensor &y, const Tensor &m, std::size_t i,
                std::size_t cell) {
    const std::size_t others = y.cell_count() / width;
    double sum = 0;
    for (std::size_t j = 0; j < others; ++j) {
        double score = 0;
        for (std::size_t k = 0; k < width; ++k) {
            score += x.cell(i * width + k) * y.cell(j * width + k);
        }
        const double mask = m.cell(i * others + j);
        score = masked.is_chosen ? (mask != 0 ? score : 0) : score + mask;
        sum += score * y.cell(j * width + cell);
    }
    return sum;
}

std::vector<Masked> all_masked() {
    const std::vector<std::string> names{"batch", "sequence", "2"};
    const std::string x = port("x", names);
    const std::string y = port("y", {"batch", "others", "2"});
    const std::string square = port("m", {"batch", "sequence", "sequence"});
    const auto turned = [](const char *of) {
        return node("Transpose", {of}, {"turned"}, {integers_attribute("perm", {0, 2, 1})});
    };
    const std::string products = node("MatMul", {"x", "turned"}, {"scores"});
    const std::string add = node("Add", {"scores", "m"}, {"masked"});
    const std::string mixed = node("MatMul", {"masked", "x"}, {"out"});
    return {{"a mask behind", {turned("x"), products, add, mixed}, {}, {x, square}},
            {"a mask before", {turned("x"), products, add, mixed}, {}, {square, x}},
            {"a mask with an axis of heads",
             {turned("x"), products, node("Squeeze", {"m", "one"}, {"pairs"}),
              node("Add", {"pairs", "scores"}, {"masked"}), mixed},
             {integer_tensor("one", {1})},
             {x, port("m", {"batch", "1", "sequence", "sequence"})}},
            {"a mask of booleans",
             {turned("x"), products, node("Where", {"m", "scores", "none"}, {"masked"}), mixed},
             {float_tensor("none", {1}, {0})},
             {x, port("m", {"batch", "sequence", "sequence"}, 9)},
             true},
            {"two texts",
             {turned("y"), products, add, node("MatMul", {"masked", "y"}, {"out"})},
             {},
             {x, y, port("m", {"batch", "sequence", "others"})},
             false,
             true},
            {"two texts, the other one first",
             {turned("y"), products, add, node("MatMul", {"masked", "y"}, {"out"})},
             {},
             {port("m", {"batch", "sequence", "others"}), y, x},
             false,
             true}};
}

class Masks : public testing::TestWithParam<Masked> {
protected:
    static Result<OnnxModel> model() {
        const Masked &masked = GetParam();
        return OnnxModel::read(
            onnx::model({masked.nodes, masked.initializers, masked.inputs, {port("out", {"batch"})}}), {.name = "m"});
    }
    // Of a document whose texts have these lengths.
    static std::vector<NamedTensor> values(const OnnxModel &model, std::size_t length, std::size_t others) {
        std::vector<NamedTensor> values;
        for (const OnnxModel::Port &input : model.inputs()) {
            const std::size_t second = GetParam().is_across ? others : length;
            values.emplace_back(input.symbol, numbers(input.type, {input.name == "y" ? others : length, second},
                                                      static_cast<int>(input.name.front() + length)));
        }
        return values;
    }
    static const Tensor &value(const std::vector<NamedTensor> &values, std::string_view name) {
        return std::find_if(values.begin(), values.end(), [&](const auto &one) { return one.first == name; })->second;
    }
};

TEST_P(Masks, GiveWhatLoopsGive) {
    const auto model = Masks::model();
    ASSERT_TRUE(model) << model.error().render();
    const auto expression = Expression::parse("onnx(m)", schema_with(*model));
    ASSERT_TRUE(expression) << expression.error().render();
    const auto plan = compile(*expression);
    ASSERT_TRUE(plan) << plan.error().render();
    std::vector<std::vector<NamedTensor>> documents;
    for (const std::size_t length : {3, 1, 0, 20, 5}) {
        documents.push_back(values(*model, length, length == 0 ? 0 : length % 4 + 1));
    }
    const auto together = evaluated(*plan, documents);
    ASSERT_TRUE(together) << together.error().render();
    for (std::size_t number = 0; number < documents.size(); ++number) {
        const auto alone = evaluated(*plan, {documents[number]});
        ASSERT_TRUE(alone) << alone.error().render();
        EXPECT_EQ(alone->front(), (*together)[number]);
        const auto expected = expression->evaluate_reference(documents[number]);
        ASSERT_TRUE(expected) << expected.error().render();
        EXPECT_EQ(alone->front(), *expected);
        const Tensor &x = value(documents[number], "x");
        const Tensor &y = GetParam().is_across ? value(documents[number], "y") : x;
        ASSERT_EQ(expected->cell_count(), x.cell_count());
        for (std::size_t i = 0; i < x.cell_count(); ++i) {
            EXPECT_EQ(expected->cell(i),
                      by_loops(GetParam(), x, y, value(documents[number], "m"), i / width, i % width))
                << "cell " << i << " of document " << number;
        }
    }
}

TEST_P(Masks, OfAnotherLengthAreErrors) {
    const auto model = Masks::model();
    ASSERT_TRUE(model) << model.error().render();
    const auto plan = compile("onnx(m)", schema_with(*model));
    ASSERT_TRUE(plan) << plan.error().render();
    std::vector<NamedTensor> document = values(*model, 3, 2);
    for (auto &[name, value] : document) {
        if (name == "m") {
            value = numbers(model->inputs()[name == model->inputs()[0].symbol ? 0 : model->inputs().size() - 1].type,
                            {4, 2}, 1);
        }
    }
    const auto result = evaluated(*plan, {document});
    ASSERT_FALSE(result);
    EXPECT_THAT(result.error().message(), HasSubstr("document 0: dimension '"));
    EXPECT_THAT(result.error().message(), HasSubstr("'m'"));
    EXPECT_THAT(result.error().message(), HasSubstr("'x'"));
}

INSTANTIATE_TEST_SUITE_P(All, Masks, testing::ValuesIn(all_masked()), [](const auto &each) {
    std::string name = each.param.name;
    std::erase_if(name, [](char c) { return c == ' ' || c == ','; });
    return name;
});

// Nothing but the mask has the length.
TEST(Mask, MayBeTheOnlyInput) {
    const auto model =
        OnnxModel::read(onnx::model({{node("ReduceSum", {"m", "last"}, {"counts"}, {integer_attribute("keepdims", 0)}),
                                      node("Shape", {"m"}, {"s"}), node("Gather", {"s", "second"}, {"n"}),
                                      node("Range", {"zero", "n", "one"}, {"positions"}),
                                      node("Cast", {"positions"}, {"p"}, {integer_attribute("to", 1)}),
                                      node("Add", {"counts", "p"}, {"out"})},
                                     {integer_tensor("last", {-1}), shaped_integer_tensor("second", {}, {1}),
                                      shaped_integer_tensor("zero", {}, {0}), shaped_integer_tensor("one", {}, {1})},
                                     {port("m", {"batch", "sequence", "sequence"})},
                                     {port("out", {"batch"})}}),
                        {.name = "m"});
    ASSERT_TRUE(model) << model.error().render();
    const auto plan = compile("onnx(m)", schema_with(*model));
    ASSERT_TRUE(plan) << plan.error().render();
    const auto value = evaluated(*plan, {{{"m", *from_literal("tensor<float>(d0[1],d1[2],d2[2]):[[[1,2],[3,4]]]")}}});
    ASSERT_TRUE(value) << value.error().render();
    EXPECT_EQ(to_literal(value->front()), "tensor<float>(d0[1],d1[2]):[[3,8]]");
}

// Attention with two heads, whose scores become `masked` in some way.
struct Attended {
    std::string name;
    std::vector<std::string> masking, initializers;
    std::string mask;  // the port m
};

std::string attended(const Attended &way, bool mask_first) {
    const auto perm = [](std::vector<std::int64_t> axes) { return integers_attribute("perm", std::move(axes)); };
    std::vector<std::string> nodes = {
        node("Reshape", {"x", "heads"}, {"split"}), node("Transpose", {"split"}, {"rows"}, {perm({0, 2, 1, 3})}),
        node("Transpose", {"split"}, {"columns"}, {perm({0, 2, 3, 1})}),
        node("MatMul", {"rows", "columns"}, {"products"}), node("Div", {"products", "root"}, {"scores"})};
    nodes.insert(nodes.end(), way.masking.begin(), way.masking.end());
    nodes.push_back(node("Softmax", {"masked"}, {"weights"}, {integer_attribute("axis", -1)}));
    nodes.push_back(node("MatMul", {"weights", "rows"}, {"out"}));
    std::vector<std::string> initializers = {integer_tensor("heads", {0, 0, 2, 2}), float_tensor("root", {}, {1.5}),
                                             float_tensor("low", {}, {-1e9}), float_tensor("one", {}, {1})};
    initializers.insert(initializers.end(), way.initializers.begin(), way.initializers.end());
    const std::string x = port("x", {"batch", "sequence", "4"});
    return onnx::model({nodes,
                        initializers,
                        mask_first ? std::vector{way.mask, x} : std::vector{x, way.mask},
                        {port("out", {"batch"})}});
}

// The inputs of a document of each length.
std::vector<std::vector<NamedTensor>> documents_of(const OnnxModel &model, std::initializer_list<std::size_t> lengths) {
    std::vector<std::vector<NamedTensor>> documents;
    for (const std::size_t length : lengths) {
        std::vector<NamedTensor> &values = documents.emplace_back();
        for (const OnnxModel::Port &input : model.inputs()) {
            values.emplace_back(input.symbol,
                                numbers(input.type, {length, length}, static_cast<int>(length + input.name[0])));
        }
    }
    return documents;
}

TEST(Mask, OfPairsIsAPartOfTheStepOfAttention) {
    const std::string numbers_of_pairs = port("m", {"batch", "sequence", "sequence"});
    const std::string of_all_heads = node("Unsqueeze", {"m", "axis"}, {"pairs"});
    const std::string axis = integer_tensor("axis", {1});
    for (const Attended &way : std::vector<Attended>{
             {"added", {of_all_heads, node("Add", {"scores", "pairs"}, {"masked"})}, {axis}, numbers_of_pairs},
             {"added to", {of_all_heads, node("Add", {"pairs", "scores"}, {"masked"})}, {axis}, numbers_of_pairs},
             {"of ones and zeros",
              {of_all_heads, node("Sub", {"one", "pairs"}, {"others"}), node("Mul", {"others", "low"}, {"far"}),
               node("Add", {"scores", "far"}, {"masked"})},
              {axis},
              numbers_of_pairs},
             {"of booleans",
              {of_all_heads, node("Where", {"pairs", "scores", "low"}, {"masked"})},
              {axis},
              port("m", {"batch", "sequence", "sequence"}, 9)},
             {"of each head",
              {node("Add", {"scores", "m"}, {"masked"})},
              {},
              port("m", {"batch", "2", "sequence", "sequence"})}}) {
        for (const bool mask_first : {false, true}) {
            SCOPED_TRACE(way.name + (mask_first ? ", the mask first" : ""));
            const auto model = OnnxModel::read(attended(way, mask_first), {.name = "m"});
            ASSERT_TRUE(model) << model.error().render();
            const auto expression = Expression::parse("onnx(m)", schema_with(*model));
            ASSERT_TRUE(expression) << expression.error().render();
            const auto plan = compile(*expression);
            ASSERT_TRUE(plan) << plan.error().render();
            const std::vector<PlanStep> steps = plan->steps(Stage::document);
            EXPECT_EQ(std::count_if(steps.begin(), steps.end(),
                                    [](const PlanStep &step) {
                                        return step.what == "attention: 2 heads of 2 cells, values of 2, with a mask";
                                    }),
                      1)
                << plan->explain();
            const std::vector<std::vector<NamedTensor>> documents = documents_of(*model, {3, 0, 20, 1, 5});
            const auto together = evaluated(*plan, documents);
            ASSERT_TRUE(together) << together.error().render();
            for (std::size_t i = 0; i < documents.size(); ++i) {
                const auto expected = expression->evaluate_reference(documents[i]);
                ASSERT_TRUE(expected) << expected.error().render();
                ASSERT_EQ((*together)[i].type(), expected->type());
                for (std::size_t cell = 0; cell < expected->cell_count(); ++cell) {
                    EXPECT_NEAR((*together)[i].cell(cell), expected->cell(cell), 1e-5);
                }
                const auto alone = evaluated(*plan, {documents[i]});
                ASSERT_TRUE(alone);
                EXPECT_EQ(alone->front(), (*together)[i]);
            }
        }
    }
}

// The weights of attention are an output, and the tokens another one.
TEST(Mask, WeightsAreAResult) {
    const auto model = OnnxModel::read(
        onnx::model({{node("Transpose", {"x"}, {"turned"}, {integers_attribute("perm", {0, 2, 1})}),
                      node("MatMul", {"x", "turned"}, {"scores"}), node("Add", {"scores", "m"}, {"masked"}),
                      node("Softmax", {"masked"}, {"weights"}, {integer_attribute("axis", -1)}),
                      node("MatMul", {"weights", "x"}, {"out"})},
                     {},
                     {port("x", {"batch", "sequence", "2"}), port("m", {"batch", "sequence", "sequence"})},
                     {port("weights", {"batch"}), port("out", {"batch"})}}),
        {.name = "m"});
    ASSERT_TRUE(model) << model.error().render();
    const auto plan = compile({{"weights", "onnx(m).weights"}, {"out", "onnx(m).out"}}, schema_with(*model));
    ASSERT_TRUE(plan) << plan.error().render();
    EXPECT_EQ(plan->outputs()[0].type.to_string(), "tensor<float>(d0[1],d1[],d2[])");
    const auto expression = Expression::parse("onnx(m).weights", schema_with(*model));
    ASSERT_TRUE(expression) << expression.error().render();
    const std::vector<std::vector<NamedTensor>> documents = documents_of(*model, {3, 0, 20, 1});
    const auto both = evaluated(*plan, documents);
    ASSERT_TRUE(both) << both.error().render();
    ASSERT_EQ(both->size(), 8);
    for (std::size_t i = 0; i < documents.size(); ++i) {
        const auto expected = expression->evaluate_reference(documents[i]);
        ASSERT_TRUE(expected) << expected.error().render();
        ASSERT_EQ((*both)[i].type(), expected->type());
        for (std::size_t cell = 0; cell < expected->cell_count(); ++cell) {
            EXPECT_NEAR((*both)[i].cell(cell), expected->cell(cell), 1e-6);
        }
    }
}

}  // namespace
}  // namespace tenrex::onnx::open_masks_test

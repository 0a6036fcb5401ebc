// Nodes with trees among others: a forest whose features are the columns of the node's input.
#include <fmt/format.h>

#include "lib/forest/model.h"
#include "lib/onnx/operators.h"
#include "lib/onnx/tree_ensemble.h"

namespace tenrex::onnx {

namespace {

// The scores of one document: a column for each output, or two for classes that share one sum.
bool output_scores(NodeContext &context, const Forest &forest, const std::string &value, ElementType type) {
    const forest::Model &model = *forest.model();
    const bool is_one = forest.outputs() == 1 || model.transform.choice != forest::Choice::each;
    if (!is_one) {
        const Shape shape{1, static_cast<std::int64_t>(forest.outputs())};
        return context.output(type, shape, generator(info(type).cell_type, shape, value + "{class:(d1)}"));
    }
    if (model.labels.numbers.size() < 2 && !model.labels.are_texts) {
        return context.output(type, {1, 1}, generator(info(type).cell_type, {1, 1}, value));
    }
    // As ONNX Runtime has it: the first class has a sum of 0 if the trees are for the second one. Else it has the rest
    // of the probability, or the opposite of a plain sum, unless no weight is below 0.
    const bool is_sigmoid = model.transform.link == forest::Link::sigmoid;
    const auto targets = context.integers("class_ids");
    const std::string first = targets && targets->front() == 1           ? (is_sigmoid ? "0.5" : "0")
                              : is_sigmoid || model.labels.threshold > 0 ? "1-" + value
                                                                         : "-" + value;
    return context.output(type, {1, 2},
                          generator(info(type).cell_type, {1, 2}, fmt::format("if(d1==1,{},{})", value, first)));
}

bool output_label(NodeContext &context, const Forest &forest, const std::string &name) {
    if (forest.model()->labels.numbers.empty()) {
        Value label;
        label.refusal = "the labels of its classes are texts";
        return context.output_value(std::move(label));
    }
    return context.output(ElementType::i64, {1}, generator(CellType::f64, {1}, name + ".label"));
}

}  // namespace

bool import_trees(NodeContext &context) {
    const Value &x = context.input(0);
    const bool has_rows = x.rank() == 2;
    if (x.rank() != (has_rows ? 2 : 1) || (has_rows && x.shape[0] != 1) || elements_of(x.shape) == 0) {
        return context.fail(fmt::format("its input has the shape {}, but trees take one row", context.text_of(x.shape)),
                            "a document is a row: give the first axis one index");
    }
    const std::int64_t columns = x.shape.back();
    const auto forest = forest_of(context.node(), columns);
    if (!forest) {
        return context.fail(forest.error().issues().front().message, forest.error().issues().front().hint);
    }
    if (const std::size_t needed = forest->features().size(); needed > static_cast<std::uint64_t>(columns)) {
        return context.fail(fmt::format("a split tests column {} of {}", needed - 1, columns),
                            "give it a row with all columns that the trees were trained on");
    }
    std::vector<std::string> features;
    for (const std::uint32_t column : forest->model()->feature_of) {
        std::vector<std::string> at(x.rank(), "0");
        at.back() = fmt::format("{}", column);
        const auto feature = context.part(ElementType::f64, {}, cell_at(x.text, at));
        if (!feature) {
            return false;
        }
        features.push_back(feature->text);
    }
    const std::string name = context.add_forest(*forest, std::move(features));
    const auto &op = context.node().op;
    if (op == "TreeEnsembleClassifier" && !output_label(context, *forest, name)) {
        return false;
    }
    // TreeEnsemble gives numbers of the type that it takes.
    return output_scores(context, *forest, name, op == "TreeEnsemble" ? x.type : ElementType::f32);
}

}  // namespace tenrex::onnx

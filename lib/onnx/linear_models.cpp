// Models that are one product, and what is done to features before them: operators of ai.onnx.ml.
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "lib/onnx/operators.h"

namespace tenrex::onnx {

namespace {

// The last axis has the features.
std::optional<std::int64_t> features_of(NodeContext &context) {
    const Value &x = context.input(0);
    if (x.rank() == 0 || x.rank() > 2 || is_open(x.shape.back()) || x.shape.back() == 0) {
        context.fail(fmt::format("its input of shape {} has no rows of features", context.text_of(x.shape)));
        return std::nullopt;
    }
    return x.shape.back();
}

std::string features_axis(const Value &x) {
    return dimension_name(x.rank() - 1);
}

// Numbers of an attribute, one for each feature or one for all, over the axis of the features. Nothing: told.
std::optional<std::string> by_feature(NodeContext &context, std::string_view attribute, std::int64_t features,
                                      std::vector<double> numbers) {
    const auto count = static_cast<std::int64_t>(numbers.size());
    if (count != 1 && count != features) {
        context.fail(fmt::format("its attribute {} has {} numbers for {} features", attribute, count, features));
        return std::nullopt;
    }
    if (count == 1) {
        return number_text(numbers.front());
    }
    const auto value = context.known_part(ElementType::f32, {count}, std::move(numbers));
    return value ? std::optional(moved(value->text, {context.input(0).rank() - 1})) : std::nullopt;
}

std::vector<double> doubles(const std::vector<float> &numbers) {
    return {numbers.begin(), numbers.end()};
}

std::vector<double> doubles(const std::vector<std::int64_t> &numbers) {
    std::vector<double> result;
    result.reserve(numbers.size());
    for (const std::int64_t number : numbers) {
        result.push_back(static_cast<double>(number));
    }
    return result;
}

// The products of rows with coefficients, plus intercepts: [rows, outputs]. Nothing: told.
std::optional<Value> linear_scores(NodeContext &context, std::int64_t outputs) {
    const auto features = features_of(context);
    if (!features) {
        return std::nullopt;
    }
    const Value &x = context.input(0);
    auto coefficients = context.reals("coefficients").value_or(std::vector<float>());
    const auto intercepts = context.reals("intercepts").value_or(std::vector<float>());
    const auto count = static_cast<std::uint64_t>(outputs);
    if (outputs <= 0 || coefficients.size() % count != 0 ||
        coefficients.size() / count != static_cast<std::uint64_t>(*features) ||
        (!intercepts.empty() && intercepts.size() != count)) {
        context.fail(fmt::format("{} coefficients and {} intercepts do not fit {} features and {} outputs",
                                 coefficients.size(), intercepts.size(), *features, outputs));
        return std::nullopt;
    }
    const auto weights = context.known_part(ElementType::f32, {outputs, *features}, doubles(coefficients));
    const auto added =
        weights ? context.known_part(ElementType::f32, {outputs},
                                     intercepts.empty() ? std::vector<double>(count, 0) : doubles(intercepts))
                : std::nullopt;
    if (!added) {
        return std::nullopt;
    }
    const std::int64_t rows = x.rank() == 1 ? 1 : x.shape[0];
    const std::string features_as_k = fmt::format("rename({},{},k)", x.text, features_axis(x));
    context.count_product({rows, outputs, *features});
    return context.part(ElementType::f32, {rows, outputs},
                        fmt::format("{}reduce(cell_cast({},float)*rename({},(d0,d1),(d1,k)),sum,k)+{}",
                                    x.rank() == 1 ? "tensor<float>(d0[1])(1)*" : "", features_as_k, weights->text,
                                    moved(added->text, {1})));
}

// What a transformation makes of scores, over d1. Nothing: told.
std::optional<std::string> transformed(NodeContext &context, const Value &scores) {
    const std::string_view kind = context.text("post_transform", "NONE");
    if (kind == "NONE") {
        return scores.text;
    }
    if (kind == "LOGISTIC") {
        return fmt::format("sigmoid({})", scores.text);
    }
    if (kind == "SOFTMAX" || kind == "SOFTMAX_ZERO") {
        std::string power = fmt::format("exp({0}-reduce({0},max,d1))", scores.text);
        if (kind == "SOFTMAX_ZERO") {  // what is 0 stays so
            power = fmt::format("join({},{},f(power,x)(if(fabs(x)>0.0000001,power,0)))", power, scores.text);
        }
        return fmt::format("join({0},reduce({0},sum,d1),f(x,total)(if(total==0,0,x/total)))", power);
    }
    if (kind == "PROBIT") {  // an approximation of the inverse of the normal distribution
        constexpr double a = 0.147;
        constexpr double two_by_pi = 0.63661977236758134;
        const std::string log = "log(4*x*(1-x))";
        const std::string half = fmt::format("({}+0.5*{})", number_text(two_by_pi / a), log);
        return fmt::format("map({0},f(x)(1.41421356*if(x<0.5,-1,1)*sqrt(sqrt({1}*{1}-{2}*{3})-{1})))", scores.text,
                           half, log, number_text(1 / a));
    }
    context.fail(fmt::format("a transformation {} is not supported", kind));
    return std::nullopt;
}

bool has_texts(NodeContext &context, std::initializer_list<std::string_view> attributes) {
    return std::any_of(attributes.begin(), attributes.end(), [&](std::string_view attribute) {
        const Attribute *found = context.node().find(attribute);
        if (found == nullptr) {
            return false;
        }
        const auto *list = std::get_if<std::vector<std::string_view>>(&found->value);
        return list == nullptr || !list->empty();
    });
}

// The class with the largest score, or of two that share one score the second one if it is above 0.
bool output_class(NodeContext &context, const Value &scores, std::size_t classes) {
    if (has_texts(context, {"classlabels_strings"})) {
        Value label;
        label.refusal = "the labels of its classes are texts";
        return context.output_value(std::move(label));
    }
    const auto labels = context.known_part(ElementType::i64, {static_cast<std::int64_t>(classes)},
                                           doubles(*context.integers("classlabels_ints")));
    if (!labels) {
        return false;
    }
    const std::string best =
        scores.shape[1] == 1
            ? fmt::format("({}{{d1:0}}>0)", scores.text)
            : fmt::format(
                  "reduce(join(({0}==reduce({0},max,d1)),tensor(d1[{1}])(d1),f(best,i)(if(best,i,{1}))),min,d1)",
                  scores.text, classes);
    return context.output(ElementType::i64, {scores.shape[0]},
                          taken(*labels, {{0, fmt::format("min({},{})", best, classes - 1)}}, {0}));
}

// The numbers of an attribute that may be of several types. Nothing: it has none of them.
std::optional<std::pair<ElementType, std::vector<double>>> numbers_of_any(NodeContext &context, std::string_view stem) {
    if (const auto reals = context.reals(fmt::format("{}_floats", stem)); reals && !reals->empty()) {
        return std::pair(ElementType::f32, doubles(*reals));
    }
    if (const auto integers = context.integers(fmt::format("{}_int64s", stem)); integers && !integers->empty()) {
        return std::pair(ElementType::i64, doubles(*integers));
    }
    const TensorData *tensor = context.tensor(fmt::format("{}_tensor", stem));
    const auto numbers = tensor != nullptr ? numbers_of(*tensor) : Result<std::vector<double>>(Error(""));
    return numbers && !numbers->empty() ? std::optional(std::pair(tensor->type, *numbers)) : std::nullopt;
}

}  // namespace

bool import_linear_regressor(NodeContext &context) {
    const auto scores = linear_scores(context, context.integer("targets", 1));
    // As ONNX Runtime has it: one target has no softmax of its own, and no logistic function.
    const bool stays = scores && scores->shape[1] == 1 && context.text("post_transform", "NONE") != "PROBIT";
    const auto text = !scores ? std::nullopt : stays ? std::optional(scores->text) : transformed(context, *scores);
    return text && context.output(ElementType::f32, scores->shape, *text);
}

bool import_linear_classifier(NodeContext &context) {
    const auto features = features_of(context);
    if (!features) {
        return false;
    }
    const Attribute *const texts = context.node().find("classlabels_strings");
    const auto *const names = texts == nullptr ? nullptr : std::get_if<std::vector<std::string_view>>(&texts->value);
    const std::size_t classes =
        std::max(names == nullptr ? 0 : names->size(),
                 context.integers("classlabels_ints").value_or(std::vector<std::int64_t>()).size());
    const auto coefficients = context.reals("coefficients").value_or(std::vector<float>()).size();
    const bool share_one = classes == 2 && coefficients == static_cast<std::uint64_t>(*features);
    const auto scores = linear_scores(context, share_one ? 1 : static_cast<std::int64_t>(classes));
    if (!scores || !output_class(context, *scores, classes)) {
        return false;
    }
    if (!share_one) {
        const auto text = transformed(context, *scores);
        return text && context.output(ElementType::f32, scores->shape, *text);
    }
    // As ONNX Runtime has it: the first class has the rest.
    const std::string_view kind = context.text("post_transform", "NONE");
    if (kind == "PROBIT") {
        return context.fail("two classes that share one score have no transformation PROBIT");
    }
    const std::string second =
        fmt::format(fmt::runtime(kind == "LOGISTIC" ? "sigmoid({}{{d1:0}})" : "{}{{d1:0}}"), scores->text);
    return context.output(ElementType::f32, {scores->shape[0], 2},
                          fmt::format("join({},tensor<float>(d1[2])(d1),f(x,second)(if(second,x,1-x)))", second));
}

bool import_scaler(NodeContext &context) {
    const auto features = features_of(context);
    if (!features) {
        return false;
    }
    const auto numbers = [&](std::string_view attribute) {
        const auto list = context.reals(attribute);
        return by_feature(context, attribute, *features, doubles(list.value_or(std::vector<float>())));
    };
    const auto offset = numbers("offset");
    const auto scale = offset ? numbers("scale") : std::nullopt;
    return scale && context.output(ElementType::f32, context.input(0).shape,
                                   fmt::format("(cell_cast({},float)-{})*{}", context.input(0).text, *offset, *scale));
}

// A row that is zeros stays so.
bool import_normalizer(NodeContext &context) {
    if (!features_of(context)) {
        return false;
    }
    const Value &x = context.input(0);
    const std::string_view norm = context.text("norm", "MAX");
    const std::string_view form = norm == "MAX"  ? "reduce({0},max,{1})"
                                  : norm == "L1" ? "reduce(fabs({0}),sum,{1})"
                                  : norm == "L2" ? "sqrt(reduce(map({0},f(x)(x*x)),sum,{1}))"
                                                 : "";
    if (form.empty()) {
        return context.fail(fmt::format("a norm {} is not supported", norm));
    }
    const std::string row = fmt::format("cell_cast({},float)", x.text);
    return context.output(ElementType::f32, x.shape,
                          fmt::format("join({},{},f(x,norm)(if(norm==0,x,x/norm)))", row,
                                      fmt::format(fmt::runtime(form), row, features_axis(x))));
}

bool import_imputer(NodeContext &context) {
    const auto features = features_of(context);
    if (!features) {
        return false;
    }
    const Value &x = context.input(0);
    const bool is_real = info(x.type).kind == ElementKind::real;
    auto numbers = is_real ? doubles(context.reals("imputed_value_floats").value_or(std::vector<float>()))
                           : doubles(context.integers("imputed_value_int64s").value_or(std::vector<std::int64_t>()));
    const double replaced = is_real ? context.real("replaced_value_float", 0)
                                    : static_cast<double>(context.integer("replaced_value_int64", 0));
    const auto text =
        by_feature(context, is_real ? "imputed_value_floats" : "imputed_value_int64s", *features, std::move(numbers));
    const std::string test = std::isnan(replaced) ? "isNan(x)" : fmt::format("x=={}", number_text(replaced));
    return text &&
           context.output(x.type, x.shape, fmt::format("join({},{},f(x,other)(if({},other,x)))", x.text, *text, test));
}

bool import_one_hot_encoder(NodeContext &context) {
    const Value &x = context.input(0);
    const auto categories = context.integers("cats_int64s");
    if (!categories || categories->empty() || info(x.type).kind == ElementKind::other) {
        return context.fail("categories that are texts are not supported", "give it the numbers of the categories");
    }
    if (context.integer("zeros", 1) == 0) {
        return context.fail("a category that is unknown cannot be an error here", "export it with zeros=1");
    }
    const auto count = static_cast<std::int64_t>(categories->size());
    const auto known = context.known_part(ElementType::i64, {count}, doubles(*categories));
    Shape shape = x.shape;
    shape.push_back(count);
    const std::string whole =
        info(x.type).kind == ElementKind::real ? fmt::format("map({},f(x)(if(x<0,ceil(x),floor(x))))", x.text) : x.text;
    return known &&
           context.output(ElementType::f32, shape, fmt::format("({}=={})", whole, moved(known->text, {x.rank()})));
}

// Numbers to numbers: a key that is there twice counts once.
bool import_label_encoder(NodeContext &context) {
    const Value &x = context.input(0);
    const auto keys = numbers_of_any(context, "keys");
    const auto values = numbers_of_any(context, "values");
    if (!keys || !values || has_texts(context, {"keys_strings", "values_strings", "classes_strings"})) {
        return context.fail("labels that are texts are not supported", "give it the numbers of the labels");
    }
    if (keys->second.size() != values->second.size()) {
        return context.fail(fmt::format("it has {} keys and {} values", keys->second.size(), values->second.size()));
    }
    const ElementType type = values->first;
    double otherwise = info(type).kind == ElementKind::real ? context.real("default_float", -0.0F)
                                                            : static_cast<double>(context.integer("default_int64", -1));
    if (const TensorData *given = context.tensor("default_tensor")) {
        const auto numbers = numbers_of(*given);
        if (!numbers || numbers->size() != 1) {
            return context.fail("its attribute default_tensor is not one number");
        }
        otherwise = numbers->front();
    }
    std::unordered_map<double, std::size_t> places;
    std::vector<double> found;
    std::vector<double> labels;
    for (std::size_t i = 0; i < keys->second.size(); ++i) {
        if (places.emplace(keys->second[i], found.size()).second) {
            found.push_back(keys->second[i]);
            labels.push_back(values->second[i]);
        }
    }
    const auto count = static_cast<std::int64_t>(found.size());
    const auto known = context.known_part(keys->first, {count}, std::move(found));
    const auto to = known ? context.known_part(type, {count}, std::move(labels)) : std::nullopt;
    if (!to) {
        return false;
    }
    const std::string hits = fmt::format("({}==rename({},d0,key))", x.text, known->text);
    return context.output(
        type, x.shape,
        fmt::format(
            "join(reduce(join({0},rename({1},d0,key),f(hit,to)(if(hit,to,0))),sum,key),reduce({0},max,key),f(to,"
            "is_known)(if(is_known,to,{2})))",
            hits, to->text, number_text(otherwise)));
}

}  // namespace tenrex::onnx

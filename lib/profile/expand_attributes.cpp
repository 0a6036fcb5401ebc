// Features of attributes.
#include <algorithm>
#include <charconv>

#include "lib/profile/expander.h"
#include "lib/profile/vocabulary.h"
#include "lib/support/format.h"
#include "lib/types/quoted_text.h"

namespace tenrex::profile {

using syntax::Node;

namespace {

// "attribute(name)" as the name of the attribute, or the name itself.
std::string_view attribute_name(std::string_view argument) {
    constexpr std::string_view wrapper = "attribute(";
    return argument.starts_with(wrapper) && argument.ends_with(')')
               ? argument.substr(wrapper.size(), argument.size() - wrapper.size() - 1)
               : argument;
}

std::string_view kind_name(AttributeKind kind) {
    constexpr std::string_view names[] = {"a number", "a string", "a tensor", "an array", "a weighted set"};
    return names[static_cast<std::size_t>(kind)];
}

std::string without_quotes(std::string_view text) {
    const bool quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
    return std::string(quoted ? text.substr(1, text.size() - 2) : text);
}

}  // namespace

const Attribute *Expander::attribute_argument(const FeatureCall &feature, std::string_view argument) {
    const std::string_view name = attribute_name(argument);
    if (name.find('(') == std::string_view::npos) {
        return inputs_.attribute(name, feature.span);
    }
    fail_unknown(feature.span,
                 fmt::format("'{}' takes an attribute, but '{}' is none", feature.base, clipped_name(name)),
                 name.starts_with("query(") ? "an input can be declared as the tensor that is wanted, and used as it is"
                                            : "give the name of an attribute, or attribute(name)");
    return nullptr;
}

const Attribute *Expander::attribute_argument(const FeatureCall &feature, std::initializer_list<AttributeKind> kinds,
                                              std::string_view takes) {
    const Attribute *attribute = attribute_argument(feature, feature.arguments[0]);
    if (attribute != nullptr && std::find(kinds.begin(), kinds.end(), attribute->kind) == kinds.end()) {
        fail(feature.span, fmt::format("{}, but {}", takes, what_it_is(*attribute)), type_hint(*attribute));
        return nullptr;
    }
    return attribute;
}

std::string Expander::what_it_is(const Attribute &attribute) const {
    return fmt::format("'{}'{} {}", clipped_name(attribute.name),
                       inputs_.is_declared(attribute) ? " is" : ", which nobody declares, is taken for",
                       kind_name(attribute.kind));
}

std::string Expander::type_hint(const Attribute &attribute) const {
    return std::string(inputs_.is_declared(attribute) ? "" : undeclared_type_hint);
}

const Node *Expander::attribute_input(const Attribute &attribute, Span span) {
    inputs_.document(attribute);
    return symbol_node(fmt::format("attribute({})", attribute.name), span);
}

// A definition whose body is written as text; the feature is its name.
const Node *Expander::defined(const FeatureCall &feature, const std::string &text) {
    std::string key = '.' + feature.text;
    if (const auto known = by_key_.find(key); known != by_key_.end()) {
        return use(known->second, feature.span);
    }
    return use(define(std::move(key), "feature", expand(text, feature.span)), feature.span);
}

const Node *Expander::attribute(const FeatureCall &feature) {
    if (!arguments(feature, 1, 2, "attribute(name) or attribute(name,key)")) {
        return nullptr;
    }
    const Attribute *attribute = attribute_argument(feature, feature.arguments[0]);
    if (attribute == nullptr) {
        return nullptr;
    }
    if (feature.arguments.size() == 2) {
        return attribute_element(feature, *attribute);
    }
    if (feature.output == "count") {
        const std::string whole = fmt::format("attribute({})", attribute->name);
        switch (attribute->kind) {
            case AttributeKind::number:
            case AttributeKind::string:
                return defined(feature, fmt::format("if(isNan({}),0,1)", whole));
            case AttributeKind::tensor:
            case AttributeKind::array:
            case AttributeKind::weighted_set:
                return defined(feature, fmt::format("reduce({},count)", whole));
        }
    }
    return outputs(feature, {"count"}) ? attribute_input(*attribute, feature.span) : nullptr;
}

// attribute(array,index) and attribute(weighted set,key) with their outputs.
const Node *Expander::attribute_element(const FeatureCall &feature, const Attribute &attribute) {
    const std::string key = without_quotes(feature.arguments[1]);
    if (attribute.kind == AttributeKind::array) {
        std::uint64_t index = 0;
        const auto result = std::from_chars(key.data(), key.data() + key.size(), index);
        if (result.ec != std::errc() || result.ptr != key.data() + key.size()) {
            return fail(feature.span,
                        fmt::format("'{}' is an array: '{}' is no index of it", attribute.name, clipped_name(key)),
                        "indexes are whole numbers from 0");
        }
        return outputs(feature, {"value"})
                   ? defined(feature, fmt::format("attribute({}){{index:{}}}", attribute.name, index))
                   : nullptr;
    }
    if (attribute.kind != AttributeKind::weighted_set) {
        std::string hint = type_hint(attribute);
        return fail(feature.span, fmt::format("{}; only arrays and weighted sets have elements", what_it_is(attribute)),
                    hint.empty() ? fmt::format("write attribute({})", attribute.name) : std::move(hint));
    }
    if (!outputs(feature, {"contains", "weight"})) {
        return nullptr;
    }
    std::string label;
    append_quoted(label, key);
    const std::string weights = fmt::format("attribute({})", attribute.name);
    const std::string from = feature.output == "contains" ? fmt::format("map({},f(x)(1))", weights) : weights;
    return defined(feature, fmt::format("{}{{key:{}}}", from, label));
}

const Node *Expander::tensor_from_weighted_set(const FeatureCall &feature) {
    if (!arguments(feature, 1, 2, "tensorFromWeightedSet(attribute(name),dimension)") || !outputs(feature, {})) {
        return nullptr;
    }
    if (feature.arguments[0].starts_with("query(")) {
        return tensor_from_query(feature);
    }
    const Attribute *attribute =
        attribute_argument(feature, {AttributeKind::weighted_set}, "tensorFromWeightedSet takes a weighted set");
    if (attribute == nullptr) {
        return nullptr;
    }
    const std::string dimension = feature.arguments.size() == 2 ? feature.arguments[1] : attribute->name;
    return defined(feature, fmt::format("rename(attribute({}),key,{})", attribute->name, dimension));
}

const Node *Expander::tensor_from_query(const FeatureCall &feature) {
    const std::string &name = feature.arguments[0];
    const std::string bare = name.substr(6, name.size() - 7);
    const std::string dimension = feature.arguments.size() == 2 ? feature.arguments[1] : bare;
    const auto type = TensorType::make(CellType::f64, {Dimension{dimension, 0}});
    if (!type) {
        return fail(feature.span, type.error().issues().front().message);
    }
    if (const InputText *input = profile_.inputs.find(name)) {
        const auto &dimensions = input->type.dimensions();
        if (dimensions.size() != 1 || !dimensions.front().is_mapped()) {
            return fail(feature.span,
                        fmt::format("'{}' makes a {} of the input '{}', but it is declared as {}", feature.base,
                                    type->to_string(), name, input->is_string ? "string" : input->type.to_string()),
                        fmt::format("declare it as {}", type->to_string()));
        }
        inputs_.query(*input);
        return dimensions.front().name == dimension
                   ? symbol_node(name, feature.span)
                   : defined(feature, fmt::format("rename({},{},{})", name, dimensions.front().name, dimension));
    }
    return inputs_.undeclared_query(name, *type, feature.span) ? symbol_node(name, feature.span) : nullptr;
}

// tensorFromStructs(attribute(name),key,...,value,cell type): the members of an array of structs.
const Node *Expander::tensor_from_structs(const FeatureCall &feature) {
    constexpr std::string_view usage =
        "tensorFromStructs(attribute(name),key,...,value,celltype), with up to five keys";
    if (!arguments(feature, 4, 8, usage) || !outputs(feature, {})) {
        return nullptr;
    }
    const std::string field(attribute_name(feature.arguments[0]));
    std::vector<std::string> members;
    std::vector<Dimension> dimensions;
    for (std::size_t i = 1; i + 1 < feature.arguments.size(); ++i) {
        members.push_back(without_quotes(feature.arguments[i]));
        dimensions.push_back(Dimension{members.back(), 0});
    }
    dimensions.pop_back();  // the value
    const std::string cells = without_quotes(feature.arguments.back());
    const auto cell_type = cell_type_from_name(cells);
    const auto type = cell_type ? TensorType::make(*cell_type, std::move(dimensions))
                                : Result<TensorType>(Error(fmt::format("'{}' is no cell type", clipped_name(cells))));
    if (!type) {
        return fail(feature.span, type.error().issues().front().message, fmt::format("usage: {}", usage));
    }
    inputs_.document({feature.text, *type, ColumnSource::structs, field, std::move(members)});
    return symbol_node(feature.text, feature.span);
}

const Node *Expander::tensor_from_labels(const FeatureCall &feature) {
    if (!arguments(feature, 1, 2, "tensorFromLabels(attribute(name),dimension)") || !outputs(feature, {})) {
        return nullptr;
    }
    if (feature.arguments[0].starts_with("query(")) {
        return tensor_from_query(feature);
    }
    const Attribute *attribute =
        attribute_argument(feature, {AttributeKind::array, AttributeKind::number, AttributeKind::string},
                           "tensorFromLabels takes an array, a string or a number");
    if (attribute == nullptr) {
        return nullptr;
    }
    const std::string dimension = feature.arguments.size() == 2 ? feature.arguments[1] : attribute->name;
    const std::string labels = fmt::format("labels({})", attribute->name);
    inputs_.document(labels, *TensorType::parse("tensor(value{})"), ColumnSource::labels, attribute->name);
    // A label counts once, however often it occurs.
    return defined(feature, fmt::format("rename(map({},f(x)(1)),value,{})", labels, dimension));
}

// Seconds since a time in seconds since 1970; of a document without one very many.
const Node *Expander::age(const FeatureCall &feature) {
    if (!arguments(feature, 1, 1, "age(attribute)") || !outputs(feature, {})) {
        return nullptr;
    }
    const Attribute *attribute = attribute_argument(feature, {AttributeKind::number}, "'age' takes a time in seconds");
    if (attribute == nullptr) {
        return nullptr;
    }
    return defined(feature,
                   fmt::format("if(isNan(attribute({0})),10000000000,max(0,now-attribute({0})))", attribute->name));
}

// 1 now, 0 at an age of maxAge: on a straight line, or .logscale on a logarithmic one that is 0.5 at halfResponse.
const Node *Expander::freshness(const FeatureCall &feature) {
    if (!arguments(feature, 1, 1, "freshness(attribute)") || !outputs(feature, {"logscale"})) {
        return nullptr;
    }
    FeatureCall plain = feature;
    plain.base = "age";
    plain.output = {};
    plain.text = fmt::format("age({})", feature.arguments[0]);
    const Node *age_node = age(plain);
    if (age_node == nullptr) {
        return nullptr;
    }
    const std::string key = fmt::format("freshness({})", feature.arguments[0]);
    constexpr double three_months = 3 * 30 * 24 * 60 * 60;
    constexpr double week = 7 * 24 * 60 * 60;
    const double most = inputs_.property(key + ".maxAge").value_or(three_months);
    if (feature.output != "logscale") {
        return defined(feature, fmt::format("max(0,1-{}/{})", plain.text, most));
    }
    const double half = inputs_.property(key + ".halfResponse").value_or(week);
    if (!(2 * half < most)) {
        return fail(feature.span,
                    fmt::format("{}.halfResponse is {}, which is not less than half of maxAge, {}", key, half, most));
    }
    const double scale = half * half / (most - 2 * half);
    return defined(feature, fmt::format("if({0}>{1},0,(log({1}+{2})-log({0}+{2}))/(log({1}+{2})-log({2})))", plain.text,
                                        most, scale));
}

}  // namespace tenrex::profile

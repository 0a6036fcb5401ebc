#include "lib/profile/input_table.h"

#include <algorithm>
#include <charconv>

#include <tenrex/formats.h>

#include "lib/profile/vocabulary.h"
#include "lib/sema/symbol_name.h"
#include "lib/support/diagnostics.h"
#include "lib/support/format.h"
#include "lib/types/quoted_text.h"

namespace tenrex::profile {

namespace {

TensorType mapped(std::string_view dimension) {
    return *TensorType::make(CellType::f64, {Dimension{std::string(dimension), 0}});
}

}  // namespace

InputTable::InputTable(const ProfileSet::Content &set, const WholeProfile &profile, const ProfileOptions &options,
                       Findings &findings)
    : set_(set), profile_(profile), options_(options), findings_(findings) {
    for (const std::vector<Attribute> *list : {&set.attributes, &options.attributes}) {
        for (const Attribute &attribute : *list) {
            if (attribute_index_.try_emplace(attribute.name, attributes_.size()).second) {
                attributes_.push_back(attribute);
            }
        }
    }
    for (const HostFeature &feature : options.features) {
        host_features_.emplace(sema::normal_name(feature.name), feature.type);
    }
}

TensorType InputTable::column_type(const Attribute &attribute) {
    switch (attribute.kind) {
        case AttributeKind::tensor:
            return attribute.type;
        case AttributeKind::array:
            return mapped("index");
        case AttributeKind::weighted_set:
            return mapped("key");
        case AttributeKind::number:
        case AttributeKind::string:
            break;
    }
    return {};
}

const Attribute *InputTable::declared_attribute(std::string_view name) const {
    const auto found = attribute_index_.find(std::string(name));
    return found == attribute_index_.end() || undeclared_.contains(std::string(name)) ? nullptr
                                                                                      : &attributes_[found->second];
}

// The file of the document that a field refers to: "music.sd".
std::string InputTable::imported_from(std::string_view reference) const {
    constexpr std::string_view wrapper = "reference<";
    for (const FieldText &field : set_.file.fields) {
        if (field.name.text == reference && field.type.starts_with(wrapper)) {
            return field.type.substr(wrapper.size(), field.type.size() - wrapper.size() - 1) + ".sd";
        }
    }
    return "the schema";
}

const Attribute *InputTable::attribute(std::string_view name, Span span) {
    const auto found = attribute_index_.find(std::string(name));
    if (found != attribute_index_.end()) {
        return &attributes_[found->second];
    }
    const auto field = std::find_if(set_.file.fields.begin(), set_.file.fields.end(),
                                    [&](const FieldText &one) { return one.name.text == name; });
    if (field != set_.file.fields.end() && field->attribute) {
        findings_.unknown(span, fmt::format("the field '{}' is no attribute", name),
                          fmt::format("write 'indexing: attribute' in field {}", name));
        return nullptr;
    }
    if (field != set_.file.fields.end()) {
        findings_.unknown(span, fmt::format("the field '{}' of type {} cannot be an attribute in expressions", name,
                                            clipped_name(field->type)));
        return nullptr;
    }
    const auto imported = std::find_if(set_.file.imported.begin(), set_.file.imported.end(),
                                       [&](const ImportText &one) { return one.name.text == name; });
    if (imported != set_.file.imported.end() && !options_.undeclared_attributes) {
        findings_.unknown(span,
                          fmt::format("the field '{}' is imported by way of {}, and what it is there is not known",
                                      name, imported->reference),
                          fmt::format("{} beside the file must have the field {}; or declare what the documents "
                                      "themselves bring along: with ProfileOptions::attributes, or --attribute of the "
                                      "program",
                                      imported_from(imported->reference), imported->field));
        return nullptr;
    }
    if (options_.undeclared_attributes) {
        attribute_index_.emplace(name, attributes_.size());
        undeclared_.emplace(name);
        attributes_.push_back({std::string(name)});
        return &attributes_.back();
    }
    std::vector<std::string_view> candidates;
    for (const Attribute &attribute : attributes_) {
        candidates.push_back(attribute.name);
    }
    const std::string_view near = nearest(name, candidates);
    findings_.unknown(
        span, fmt::format("there is no attribute '{}'", clipped_name(name)),
        !near.empty() ? fmt::format("did you mean 'attribute({})'?", near) : std::string(unknown_attribute_hint));
    return nullptr;
}

std::vector<std::string> InputTable::assumed_numbers() const {
    std::vector<std::string> names;
    names.reserve(undeclared_.size());
    for (const std::string &name : undeclared_) {
        names.push_back(fmt::format("attribute({})", name));
    }
    return names;
}

std::optional<TensorType> InputTable::host_feature(std::string_view name) const {
    if (const auto found = host_features_.find(std::string(name)); found != host_features_.end()) {
        return found->second;
    }
    return options_.host_feature ? options_.host_feature(name) : std::nullopt;
}

std::vector<std::string> InputTable::host_features() const {
    std::vector<std::string> names;
    for (const auto &[name, type] : host_features_) {
        names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

bool InputTable::has_attribute(std::string_view feature) const {
    const auto same = [&](const Attribute &attribute) {
        return fmt::format("attribute({})", attribute.name) == feature;
    };
    return std::any_of(attributes_.begin(), attributes_.end(), same);
}

const NearestNeighbor *InputTable::neighbor_label(std::string_view label) const {
    const auto &all = options_.nearest_neighbors;
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto &one) { return one.label == label; });
    return found == all.end() || label.empty() ? nullptr : &*found;
}

// Mapped and open dimensions tell the vectors of a document apart; the query has one vector.
std::vector<std::string> InputTable::fitting_inputs(const Attribute &attribute) const {
    std::vector<Dimension> indexed;
    for (const Dimension &dimension : attribute.type.dimensions()) {
        if (dimension.is_indexed() && !dimension.is_open()) {
            indexed.push_back(dimension);
        }
    }
    std::vector<std::string> fitting;
    if (indexed.empty()) {
        return fitting;
    }
    for (const InputText *input : profile_.inputs.items()) {
        if (input->type.dimensions() == indexed) {
            fitting.push_back(input->name.text);
        }
    }
    if (!fitting.empty()) {
        return fitting;
    }
    // Those of an application are for all of its profiles, so what the profile itself declares comes first.
    for (const ProfileInput &input : options_.query_inputs) {
        if (input.type.dimensions() == indexed && profile_.inputs.find(input.name) == nullptr) {
            fitting.push_back(input.name);
        }
    }
    return fitting;
}

bool InputTable::has_neighbor(const Attribute &attribute) const {
    const auto &named = options_.nearest_neighbors;
    return fitting_inputs(attribute).size() == 1 ||
           std::any_of(named.begin(), named.end(), [&](const auto &one) { return one.attribute == attribute.name; });
}

std::string InputTable::neighbor(const Attribute &attribute, Span span) {
    const std::vector<std::string> fitting = fitting_inputs(attribute);
    for (const NearestNeighbor &neighbor : options_.nearest_neighbors) {
        if (neighbor.attribute == attribute.name) {
            std::string name = fmt::format("query({})", neighbor.query);
            const auto &given = options_.query_inputs;
            if (profile_.inputs.find(name) == nullptr &&
                std::none_of(given.begin(), given.end(), [&](const ProfileInput &one) { return one.name == name; })) {
                // Undeclared, it would be a number, which nothing is near to.
                findings_.unknown(span, fmt::format("there is no input '{}'", clipped_name(name)),
                                  fitting.empty() ? "declare the query's vector in inputs"
                                                  : fmt::format("did you mean '{}'?", fitting.front()));
                return {};
            }
            return name;
        }
    }
    if (fitting.size() == 1) {
        return fitting.front();
    }
    const std::string what = fmt::format("the attribute '{}' of type {}", attribute.name, attribute.type.to_string());
    if (fitting.empty()) {
        findings_.error(span, fmt::format("no input has the dimensions of {}", what),
                        "declare the query's vector in inputs");
    } else {
        findings_.error(span, fmt::format("{} and {} could both be compared with {}", fitting[0], fitting[1], what),
                        "say which one with ProfileOptions::nearest_neighbors, or --nearest of the program");
    }
    return {};
}

const ConstantText *InputTable::find_constant(std::string_view name) const {
    if (const ConstantText *constant = profile_.constants.find(name)) {
        return constant;
    }
    const auto &all = set_.file.constants;
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto &one) { return one.name.text == name; });
    return found == all.end() ? nullptr : &*found;
}

const Tensor *InputTable::constant(const ConstantText &constant) {
    if (constant.value) {
        return &*constant.value;
    }
    if (constant.file.text.empty()) {
        findings_.error(constant.uri.span,
                        fmt::format("constant '{}' is at a URI, and nothing is fetched", constant.name.text),
                        "get the file and write file: in place of uri:");
        return nullptr;
    }
    const auto [found, is_new] = constants_.try_emplace(constant.file.text);
    if (is_new) {
        const Span span = constant.file.span;
        if (constant.file.text.ends_with(".lz4")) {
            findings_.error(span, fmt::format("{} is packed with LZ4, which is not read here", constant.file.text),
                            "unpack it and name the JSON file");
        } else if (!set_.loader) {
            findings_.error(span, fmt::format("{} cannot be read: no files are read here", constant.file.text));
        } else if (const auto text = set_.loader(constant.file.text); !text) {
            findings_.error(span, text.error().message());
        } else if (auto value = from_json(*text, constant.type, set_.options.limits); !value) {
            Error error = std::move(value).error();
            error.set_source_name(constant.file.text);
            findings_.error(span, fmt::format("constant '{}': {}", constant.name.text, error.message()));
        } else {
            found->second = *std::move(value);
        }
    }
    return found->second ? &*found->second : nullptr;
}

std::optional<double> InputTable::property(std::string_view name) {
    const PropertyText *property = profile_.properties.find(name);
    if (property == nullptr) {
        return std::nullopt;
    }
    double value = 0;
    const std::string &text = property->value.text;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec != std::errc() || result.ptr != text.data() + text.size() || !(value > 0)) {
        findings_.error(property->value.span,
                        fmt::format("{} must be a number above 0, not '{}'", name, clipped_name(text)));
        return std::nullopt;
    }
    return value;
}

void InputTable::document(const std::string &name, const TensorType &type, ColumnSource source,
                          std::string_view argument) {
    document({name, type, source, std::string(argument)});
}

void InputTable::document(const ColumnNeed &need) {
    const auto [added, is_new] = columns_.try_emplace(need.name, need);
    if (is_new) {
        schema_.document(need.name, need.type);
    }
}

void InputTable::document(const Attribute &attribute) {
    std::string name = fmt::format("attribute({})", attribute.name);
    const TensorType type = column_type(attribute);
    const ColumnNeed need{name, type, ColumnSource::attribute, attribute.name};
    if (!columns_.try_emplace(name, need).second) {
        return;
    }
    if (attribute.kind == AttributeKind::string) {
        schema_.document(name, string_type);
    } else {
        schema_.document(name, type);
    }
}

bool InputTable::undeclared_query(const std::string &name, const std::optional<TensorType> &type, Span span) {
    const auto same = [&](const ProfileInput &input) { return input.name == name; };
    if (std::any_of(undeclared_inputs_.begin(), undeclared_inputs_.end(), same)) {
        return true;
    }
    ProfileInput input{name, type ? *type : TensorType(), std::nullopt, false};
    const auto &given = options_.query_inputs;
    const PropertyText *property = profile_.properties.find(name);
    if (const auto found = std::find_if(given.begin(), given.end(), same); !type && found != given.end()) {
        input = *found;
    } else if (!type && property != nullptr) {
        auto value = from_literal(property->value.text, TensorType());
        if (!value) {
            findings_.error(property->value.span,
                            fmt::format("{} must be a number, not '{}'", name, clipped_name(property->value.text)),
                            "an input of another type is declared in inputs");
            return false;
        }
        input.is_string = value->is_string();
        input.default_value = *std::move(value);
    } else if (!type) {
        // Short names are like each other only without the query(...) around both.
        const auto bare = [](std::string_view whole) { return whole.substr(6, whole.size() - 7); };
        std::vector<std::string_view> candidates;
        for (const InputText *one : profile_.inputs.items()) {
            candidates.push_back(bare(one->name.text));
        }
        if (const std::string_view near = nearest(bare(name), candidates); !near.empty()) {
            findings_.unknown(span, fmt::format("there is no input '{}'", clipped_name(name)),
                              fmt::format("did you mean 'query({})'?", near));
            return false;
        }
        findings_.warning(span,
                          fmt::format("the input '{}' is not declared; it is a number, 0 if a query does not give it",
                                      clipped_name(name)),
                          fmt::format("declare it: inputs {{ {} double }}", clipped_name(name)));
    }
    if (input.is_string) {
        schema_.query(name, string_type);
    } else {
        schema_.query(name, input.type);
    }
    undeclared_inputs_.push_back(std::move(input));
    return true;
}

void InputTable::query(const InputText &input) {
    if (schema_.find_input(input.name.text) != nullptr) {
        return;
    }
    if (input.is_string) {
        schema_.query(input.name.text, string_type);
    } else {
        schema_.query(input.name.text, input.type);
    }
}

void InputTable::query(const std::string &name, const TensorType &type) {
    if (schema_.find_input(name) == nullptr) {
        schema_.query(name, type);
    }
}

void InputTable::constant(const std::string &name, const Tensor &value) {
    if (schema_.find_input(name) == nullptr) {
        schema_.constant(name, value);
    }
}

const Forest *InputTable::forest(const std::string &file, Span span) {
    const auto [found, is_new] = forests_.try_emplace(file);
    if (is_new) {
        if (!set_.loader) {
            findings_.error(span, fmt::format("{} cannot be read: no files are read here", file));
        } else if (const auto bytes = set_.loader(file); !bytes) {
            findings_.error(span, bytes.error().message());
        } else if (auto forest = Forest::read(*bytes); !forest) {
            Error error = std::move(forest).error();
            error.set_source_name(file);
            findings_.error(span, fmt::format("the model {} cannot be read: {}", file, error.message()));
        } else {
            found->second = *std::move(forest);
        }
    }
    return found->second ? &*found->second : nullptr;
}

std::string InputTable::declare(const std::string &file, const Forest &forest, std::vector<std::string> symbols) {
    // Each phase has features of its own.
    std::string name = fmt::format("\"{} #{}\"", file, schema_.forests().size());
    schema_.forest(name, forest, std::move(symbols));
    return name;
}

}  // namespace tenrex::profile

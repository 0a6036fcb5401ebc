#include "tools/rank/profile_file.h"

#include <algorithm>

#include <fmt/format.h>

#include <tenrex/onnx.h>
#include <tenrex/profile_files.h>

#include "tools/exit_code.h"
#include "tools/input.h"
#include "tools/rank/words.h"
#include "tools/terminal.h"
#include "tools/value_argument.h"

namespace tenrex::tool {

namespace {

// NAME or NAME:TYPE. A name may have a colon in its parentheses.
std::pair<std::string, std::string> split_declaration(const std::string &argument) {
    const std::size_t colon = argument.find(':', name_length(argument));
    return {argument.substr(0, colon), colon == std::string::npos ? "" : argument.substr(colon + 1)};
}

bool is_number_type(std::string_view type) {
    return type.empty() || type == "double" || type == "float" || type == "long" || type == "int" || type == "byte" ||
           type == "bool";
}

// What stands between the angle brackets of array<...> or weightedset<...>.
std::optional<std::string> element_type(const std::string &type, std::string_view container) {
    if (!type.starts_with(container) || !type.ends_with('>') || type.size() < container.size() + 2 ||
        type[container.size()] != '<') {
        return std::nullopt;
    }
    return type.substr(container.size() + 1, type.size() - container.size() - 2);
}

// [LABEL:]ATTRIBUTE=QUERY, where QUERY may be written as the input is: query(q).
Result<NearestNeighbor> parse_nearest(const std::string &argument) {
    const std::size_t equals = argument.find('=');
    const std::size_t colon = argument.substr(0, equals).find(':');
    const std::size_t attribute = colon == std::string::npos ? 0 : colon + 1;
    if (equals == std::string::npos || equals == attribute || equals + 1 == argument.size()) {
        return Error(fmt::format("expected ATTRIBUTE=QUERY or LABEL:ATTRIBUTE=QUERY, found \"{}\"", argument));
    }
    std::string query = argument.substr(equals + 1);
    if (query.starts_with("query(") && query.ends_with(')')) {
        query = query.substr(6, query.size() - 7);
    }
    return NearestNeighbor{argument.substr(0, attribute == 0 ? 0 : colon),
                           argument.substr(attribute, equals - attribute), std::move(query)};
}

// The fields that the schema indexes, if the command line names none. Whoever says with --feature that documents bring
// features of a field has no need of its index; a feature of no field in particular is one of all.
void add_indexed_texts(const ProfileSet &set, ProfileArguments &arguments) {
    if (!arguments.texts.empty()) {
        return;
    }
    for (const std::string &field : set.indexed_texts()) {
        const auto brings = [&](const std::string &argument) {
            return is_text_feature_of(split_declaration(argument).first, field);
        };
        if (std::none_of(arguments.features.begin(), arguments.features.end(), brings)) {
            arguments.texts.push_back(field);
        }
    }
}

Error with_source(Error error, std::string name) {
    error.set_source_name(std::move(name));
    return error;
}

}  // namespace

void add_profile_options(ArgumentParser &parser, ProfileArguments &arguments) {
    parser.add_option("--profile-name", arguments.name, "NAME",
                      "The rank profile of the file (default: its only\none, or the one called \"default\")");
    parser.add_list("--attribute", arguments.attributes, "NAME:TYPE",
                    "Declare an attribute that no schema in the file\ndeclares: double, string, array<string>,\n"
                    "weightedset<string>, tensor<float>(x[3]), ...; may\nbe repeated");
    parser.add_list(
        "--feature", arguments.features, "NAME:TYPE",
        "A feature that documents bring along in a member of\nthat name, such as bm25(title); may be repeated; '*':\n"
        "all that engines are known to have");
    parser.add_list("--nearest", arguments.nearest, "ATTRIBUTE=QUERY",
                    "Which vector of the query closeness and distance\ncompare an attribute with; with LABEL: in front "
                    "for\ncloseness(label,LABEL); may be repeated");
    parser.add_list(
        "--index", arguments.texts, "FIELD",
        "Index the words of a field of text, for bm25(FIELD),\nfieldLength(FIELD), fieldMatch(FIELD), matches(FIELD),\n"
        "nativeRank(FIELD,...) with its parts and\n"
        "queryTermCount; may be repeated (default: the fields\nthat the schema indexes)");
}

Result<Attribute> parse_attribute(const std::string &argument) {
    const auto [name, type] = split_declaration(argument);
    Attribute attribute;
    attribute.name = name;
    if (name.empty()) {
        return Error(fmt::format("expected NAME:TYPE, found \"{}\"", argument));
    }
    attribute.is_bool = type == "bool";
    if (is_number_type(type)) {
        return attribute;
    }
    if (type == "string") {
        attribute.kind = AttributeKind::string;
        return attribute;
    }
    for (const auto &[container, kind] : {std::pair<std::string_view, AttributeKind>("array", AttributeKind::array),
                                          {"weightedset", AttributeKind::weighted_set}}) {
        const auto element = element_type(type, container);
        if (element && (*element == "string" || (!element->empty() && is_number_type(*element)))) {
            attribute.kind = kind;
            attribute.of_strings = *element == "string";
            return attribute;
        }
    }
    auto tensor = TensorType::parse(type);
    if (!tensor) {
        return with_source(tensor.error(), "type of " + name);
    }
    attribute.kind = AttributeKind::tensor;
    attribute.type = *std::move(tensor);
    return attribute;
}

std::optional<int> read_profiles(const std::string &path, ProfileArguments &arguments, std::optional<ProfileSet> &set) {
    auto found = read_profile_files(path, read_all);
    if (!found) {
        print_failure(found.error().message());
        return io_failure;
    }
    if (path == "-") {
        found->files.front().name = "standard input";
    }
    arguments.queries = std::move(found->query_inputs);
    auto parsed = ProfileSet::parse(found->files, std::move(found->loader));
    if (!parsed) {
        std::vector<Issue> issues = parsed.error().issues();
        const std::string &text = found->files.front().text;
        const std::size_t begin = text.find_first_not_of(" \t\r\n");
        if (begin != std::string::npos && (text[begin] == '{' || text[begin] == '[')) {
            issues.front().hint = "these are documents; the file with the profile comes first";
        }
        print_error(Error(std::move(issues), parsed.error().source_name()));
        return rejected;
    }
    for (const Issue &warning : parsed->warnings()) {
        print_warning(warning, path);
    }
    add_indexed_texts(*parsed, arguments);
    set = *std::move(parsed);
    return std::nullopt;
}

Result<std::string> chosen_profile(const ProfileSet &set, const std::string &name) {
    const std::vector<std::string> names = set.names();
    if (names.empty()) {
        return Error("the file has no rank profile");
    }
    if (name.empty()) {
        if (names.size() == 1) {
            return names.front();
        }
        if (set.has("default")) {
            return std::string("default");
        }
        return Error("the file has several rank profiles",
                     fmt::format("choose one with --profile-name: {}", fmt::join(names, ", ")));
    }
    if (!set.has(name)) {
        return Error(fmt::format("there is no rank profile \"{}\"", name),
                     fmt::format("the file has {}", fmt::join(names, ", ")));
    }
    return name;
}

namespace {

Result<ProfileOptions> options_of(const ProfileSet &set, const ProfileArguments &arguments) {
    ProfileOptions options;
    options.undeclared_attributes = set.attributes().empty();
    options.check_unused_functions = arguments.unused_functions;
    options.function_plans = arguments.function_plans;
    options.query_inputs = arguments.queries;
    options.models = read_onnx_model;
    for (const std::string &argument : arguments.attributes) {
        auto attribute = parse_attribute(argument);
        if (!attribute) {
            return attribute.error();
        }
        options.attributes.push_back(*std::move(attribute));
    }
    bool any_feature = false;
    for (const std::string &argument : arguments.features) {
        if (argument == "*") {
            any_feature = true;
            continue;
        }
        const auto [feature, type] = split_declaration(argument);
        auto parsed = TensorType::parse(type.empty() ? "double" : type);
        if (!parsed) {
            return with_source(parsed.error(), "type of " + feature);
        }
        options.features.push_back({feature, *std::move(parsed)});
    }
    if (any_feature || !arguments.texts.empty()) {
        options.host_feature = [any_feature,
                                texts = arguments.texts](std::string_view feature) -> std::optional<TensorType> {
            if (is_text_feature(feature, texts)) {
                return TensorType();
            }
            const auto known = any_feature ? engine_feature(feature) : std::nullopt;
            return known ? std::optional(known->type) : std::nullopt;
        };
    }
    for (const std::string &argument : arguments.nearest) {
        auto neighbor = parse_nearest(argument);
        if (!neighbor) {
            return neighbor.error();
        }
        const auto same = [&](const Attribute &attribute) { return attribute.name == neighbor->attribute; };
        if (std::none_of(set.attributes().begin(), set.attributes().end(), same) &&
            std::none_of(options.attributes.begin(), options.attributes.end(), same)) {
            return Error(fmt::format("--nearest {}: there is no attribute '{}'", argument, neighbor->attribute),
                         "declare it in the schema or with --attribute");
        }
        options.nearest_neighbors.push_back(*std::move(neighbor));
    }
    return options;
}

}  // namespace

Result<RankProfile> compile_chosen(const ProfileSet &set, const std::string &name, const ProfileArguments &arguments) {
    const auto options = options_of(set, arguments);
    return options ? compile_profile(set, name, *options) : options.error();
}

std::string needed_features(const ProfileSet &set, const std::string &name, const ProfileArguments &arguments) {
    const auto options = options_of(set, arguments);
    std::string needs;
    for (const HostFeature &feature : options ? needed_features(set, name, *options) : std::vector<HostFeature>()) {
        needs += fmt::format("{}--feature '{}{}'", needs.empty() ? "" : " ", feature.name,
                             feature.type.is_scalar() ? "" : ':' + feature.type.to_string());
    }
    return needs;
}

std::optional<int> load_profile(const std::string &path, ProfileArguments &arguments,
                                std::optional<RankProfile> &profile) {
    std::optional<ProfileSet> set;
    if (const auto status = read_profiles(path, arguments, set)) {
        return status;
    }
    const auto name = chosen_profile(*set, arguments.name);
    if (!name) {
        print_error(name.error());
        return rejected;
    }
    auto compiled = compile_chosen(*set, *name, arguments);
    if (!compiled) {
        print_error(compiled.error());
        if (const std::string needs = needed_features(*set, *name, arguments); !needs.empty()) {
            print_failure("needs: " + needs);
        }
        return rejected;
    }
    for (const Issue &warning : compiled->warnings()) {
        print_warning(warning, path);
    }
    profile = *std::move(compiled);
    return std::nullopt;
}

}  // namespace tenrex::tool

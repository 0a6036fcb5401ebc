#include "tools/rank/profile_file.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>

#include <fmt/format.h>

#include <tenrex/onnx.h>

#include "tools/exit_code.h"
#include "tools/input.h"
#include "tools/rank/words.h"
#include "tools/terminal.h"
#include "tools/value_argument.h"

namespace tenrex::tool {

namespace {

constexpr std::size_t profile_bytes = std::size_t{64} << 20;
constexpr std::size_t referenced_bytes = std::size_t{4} << 30;

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

Result<std::string> read_text(const std::string &path, std::size_t most) {
    auto text = read_all(path, most);
    if (text && text->starts_with(byte_order_mark)) {
        text->erase(0, byte_order_mark.size());
    }
    return text;
}

// The root of the application package that a folder of schemas is part of; empty if it is part of none.
std::filesystem::path package_of(const std::filesystem::path &folder) {
    std::error_code ignored;
    for (std::filesystem::path at = (std::filesystem::current_path(ignored) / folder).lexically_normal();
         at.has_relative_path(); at = at.parent_path()) {
        if (at.filename() == "schemas" || at.filename() == "searchdefinitions") {
            return at.parent_path();
        }
    }
    return {};
}

// A file that a profile names: beside the profile, else in the application package or its folder of models.
Result<std::string> read_beside(const std::filesystem::path &folder, std::string_view name) {
    const std::filesystem::path beside = folder / name;
    const std::filesystem::path package = package_of(folder);
    std::error_code ignored;
    if (package.empty() || std::filesystem::exists(beside, ignored)) {
        return read_text(beside.string(), referenced_bytes);
    }
    const std::filesystem::path others[] = {package / name, package / "models" / name};
    for (const std::filesystem::path &other : others) {
        if (std::filesystem::exists(other, ignored)) {
            return read_text(other.string(), referenced_bytes);
        }
    }
    return Error(fmt::format("cannot read {}: there is no such file, nor {} or {}", beside.string(), others[0].string(),
                             others[1].string()));
}

// The profiles that stand in files of their own: those in the folder that is called as the schema.
std::vector<std::filesystem::path> profiles_of_schema(const std::filesystem::path &schema) {
    std::vector<std::filesystem::path> found;
    std::error_code ignored;
    const std::filesystem::path folder = std::filesystem::path(schema).replace_extension();
    if (schema.extension() != ".sd" || !std::filesystem::is_directory(folder, ignored)) {
        return found;
    }
    for (const auto &entry : std::filesystem::directory_iterator(folder, ignored)) {
        if (entry.path().extension() == ".profile") {
            found.push_back(entry.path());
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

// The value of an attribute of an XML element: of name="value".
std::string attribute_of_element(std::string_view element, std::string_view name) {
    for (const char quote : {'"', '\''}) {
        const std::string begin = fmt::format(" {}={}", name, quote);
        const std::size_t at = element.find(begin);
        if (at != std::string_view::npos) {
            const std::size_t value = at + begin.size();
            return std::string(element.substr(value, element.find(quote, value) - value));
        }
    }
    return {};
}

// Types of query features in the query profile types of an application package:
// <field name="ranking.features.query(q)" type="tensor&lt;float&gt;(x[3])" />.
std::vector<ProfileInput> inputs_of_package(const std::filesystem::path &package) {
    std::vector<ProfileInput> inputs;
    std::error_code ignored;
    const std::filesystem::path folder = package / "search" / "query-profiles" / "types";
    if (package.empty() || !std::filesystem::is_directory(folder, ignored)) {
        return inputs;
    }
    for (const auto &entry : std::filesystem::directory_iterator(folder, ignored)) {
        const auto text = entry.path().extension() == ".xml" ? read_text(entry.path().string(), profile_bytes)
                                                             : Result<std::string>(std::string());
        for (std::size_t at = text ? text->find("<field") : std::string::npos; at != std::string::npos;
             at = text->find("<field", at + 1)) {
            const std::string_view element = std::string_view(*text).substr(at, text->find("/>", at) - at);
            constexpr std::string_view prefix = "ranking.features.";
            const std::string name = attribute_of_element(element, "name");
            std::string type = attribute_of_element(element, "type");
            for (const auto &[escaped, character] : {std::pair("&lt;", "<"), {"&gt;", ">"}}) {
                for (std::size_t found = type.find(escaped); found != std::string::npos; found = type.find(escaped)) {
                    type.replace(found, 4, character);
                }
            }
            auto tensor = TensorType::parse(type);
            if (name.starts_with(prefix) && (tensor || type == string_type)) {
                inputs.push_back({name.substr(prefix.size()), tensor ? *std::move(tensor) : TensorType(), std::nullopt,
                                  type == string_type});
            }
        }
    }
    return inputs;
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
    parser.add_list("--index", arguments.texts, "FIELD",
                    "Index the words of a field of text, for bm25(FIELD),\nfieldLength(FIELD), matches(FIELD), nativeRank(FIELD,...)\n"
                    "with its parts and queryTermCount; may be repeated");
}

Result<Attribute> parse_attribute(const std::string &argument) {
    const auto [name, type] = split_declaration(argument);
    Attribute attribute;
    attribute.name = name;
    if (name.empty()) {
        return Error(fmt::format("expected NAME:TYPE, found \"{}\"", argument));
    }
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
    const auto text = read_text(path, profile_bytes);
    if (!text) {
        print_failure(text.error().message());
        return io_failure;
    }
    const std::filesystem::path folder = std::filesystem::path(path == "-" ? "" : path).parent_path();
    const FileLoader loader = [folder](std::string_view name) { return read_beside(folder, name); };
    std::vector<ProfileFile> files{{path == "-" ? "standard input" : path, *text}};
    for (const std::filesystem::path &more : profiles_of_schema(path)) {
        auto profile = read_text(more.string(), profile_bytes);
        if (!profile) {
            print_failure(profile.error().message());
            return io_failure;
        }
        files.push_back({more.string(), *std::move(profile)});
    }
    arguments.queries = inputs_of_package(package_of(folder));
    auto parsed = ProfileSet::parse(files, loader);
    if (!parsed) {
        std::vector<Issue> issues = parsed.error().issues();
        const std::size_t begin = text->find_first_not_of(" \t\r\n");
        if (begin != std::string::npos && ((*text)[begin] == '{' || (*text)[begin] == '[')) {
            issues.front().hint = "these are documents; the file with the profile comes first";
        }
        print_error(Error(std::move(issues), parsed.error().source_name()));
        return rejected;
    }
    for (const Issue &warning : parsed->warnings()) {
        print_warning(warning, path);
    }
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
    auto options = options_of(set, arguments);
    if (!options) {
        return {};
    }
    std::map<std::string, TensorType, std::less<>> asked;
    options->host_feature = [&](std::string_view feature) -> std::optional<TensorType> {
        if (is_text_feature(feature, arguments.texts)) {
            return TensorType();
        }
        const auto known = engine_feature(feature);
        if (!known) {
            return std::nullopt;
        }
        asked.emplace(feature, known->type);
        return known->type;
    };
    const auto compiled = compile_profile(set, name, *options);
    std::string needs;
    for (const auto &one : asked) {
        const std::string &feature = one.first;
        const TensorType &type = one.second;
        // A profile without a first phase asks for what it can do without.
        const bool is_used = !compiled || std::any_of(compiled->columns().begin(), compiled->columns().end(),
                                                      [&](const ColumnNeed &need) { return need.name == feature; });
        if (is_used) {
            needs += fmt::format("{}--feature '{}{}'", needs.empty() ? "" : " ", feature,
                                 type.is_scalar() ? "" : ':' + type.to_string());
        }
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

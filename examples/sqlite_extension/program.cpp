#include "examples/sqlite_extension/program.h"

#include <algorithm>

namespace tenrex::sqlite {

namespace {

std::optional<std::size_t> find_input(const std::vector<InputName> &inputs, std::string_view name) {
    const auto found = std::find_if(inputs.begin(), inputs.end(), [&](const auto &one) { return one.name == name; });
    return found == inputs.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - inputs.begin()));
}

// "price" of "attribute(price)".
std::optional<std::string> attribute_name(std::string_view name) {
    constexpr std::string_view begin = "attribute(";
    return name.starts_with(begin) && name.ends_with(')')
               ? std::optional(std::string(name.substr(begin.size(), name.size() - begin.size() - 1)))
               : std::nullopt;
}

Status find_columns(const Request &request, Program &program) {
    for (const InputName &input : program.inputs) {
        program.is_used.push_back(input.of_query());
    }
    for (const InputDeclaration &need : program.plan.document_inputs()) {
        if (const auto index = find_input(program.inputs, need.name)) {
            InputName &input = program.inputs[*index];
            if (input.type && *input.type != need.type) {
                return Error("'" + input.name + "' is declared as " + input.type->to_string() + " but needed as " +
                             need.type.to_string());
            }
            input.type = need.type;
            program.is_used[*index] = true;
            program.columns.push_back({false, *index});
        } else if (const auto feature = find_text_feature(need.name, request.fields);
                   feature && request.has_text_features) {
            program.columns.push_back({true, program.text_features.size()});
            program.text_features.push_back(*feature);
        } else {
            return Error("there is no value for '" + need.name + "': give its name and its value as arguments");
        }
    }
    return {};
}

// Nobody declares inputs in SQL: their names and values are arguments.
Error in_terms_of_arguments(const Error &error, const Request &request) {
    constexpr std::string_view advice = "declare it in the schema";
    std::vector<Issue> issues = error.issues();
    for (Issue &issue : issues) {
        if (issue.hint.starts_with(advice)) {
            issue.hint = "give its name and its value as arguments";
            if (request.has_text_features) {
                issue.hint += "; text features are those of the fields that '@fields' names";
            }
        }
    }
    return Error(std::move(issues), error.source_name());
}

Result<Program> compile_expression(const Request &request) {
    const auto symbols = Expression::symbols(request.text);
    if (!symbols) {
        return symbols.error();
    }
    Schema schema;
    for (const InputName &input : request.inputs) {
        if (input.of_query()) {
            schema.query(input.name, *input.type);
        } else {
            schema.document(input.name, *input.type);
        }
    }
    for (const SymbolUse &symbol : *symbols) {
        if (request.has_text_features && schema.find_input(symbol.name) == nullptr &&
            find_text_feature(symbol.name, request.fields)) {
            schema.document(symbol.name);
        }
    }
    auto plan = compile(request.text, schema);
    if (!plan) {
        return in_terms_of_arguments(plan.error(), request);
    }
    if (const TensorType &type = plan->outputs().front().type; !type.is_scalar()) {
        return Error("a score must be a number, but this is " + type.to_string(),
                     "reduce it, for example with sum(...)");
    }
    return Program{*std::move(plan), request.inputs, {}, {}, {}, {}};
}

ProfileOptions profile_options(const Request &request) {
    ProfileOptions options;
    for (const InputName &input : request.inputs) {
        const TensorType type = input.type.value_or(TensorType());
        if (const auto name = attribute_name(input.name)) {
            Attribute attribute;
            attribute.name = *name;
            attribute.kind = input.is_string     ? AttributeKind::string
                             : !type.is_scalar() ? AttributeKind::tensor
                                                 : AttributeKind::number;
            attribute.type = type;
            options.attributes.push_back(std::move(attribute));
        } else if (!input.of_query() && input.name != "firstPhase") {
            options.features.push_back({input.name, type});
        }
    }
    if (request.has_text_features) {
        options.host_feature = [&request](std::string_view name) {
            return find_text_feature(name, request.fields) ? std::optional(TensorType()) : std::nullopt;
        };
    }
    return options;
}

Result<std::string> chosen_profile(const ProfileSet &set, const std::string &name) {
    const std::vector<std::string> names = set.names();
    if (!name.empty() || names.size() == 1) {
        return name.empty() ? names.front() : name;
    }
    if (set.has("default")) {
        return std::string("default");
    }
    std::string all;
    for (const std::string &one : names) {
        all += (all.empty() ? "" : ", ") + one;
    }
    return Error("which rank-profile is meant?", "give '@profile' and one of " + all);
}

Result<Program> compile_phase(const Request &request) {
    const auto set = ProfileSet::parse(request.text);
    if (!set) {
        return set.error();
    }
    const auto name = chosen_profile(*set, request.profile);
    if (!name) {
        return name.error();
    }
    const auto profile = compile_profile(*set, *name, profile_options(request));
    if (!profile) {
        return profile.error();
    }
    const bool second = request.phase == "second-phase";
    const RankPhase &phase = second ? profile->second_phase() : profile->first_phase();
    if (!phase.plan) {
        return Error("rank-profile " + *name + " has no " + request.phase);
    }
    Program program{*phase.plan, request.inputs, {}, {}, {}, *profile};
    for (InputName &input : program.inputs) {
        for (const ProfileInput &declared : profile->inputs()) {
            if (declared.name == input.name && !input.type) {
                input.type = declared.type;
            }
        }
        for (const Attribute &attribute : profile->attributes()) {
            if (attribute_name(input.name) == attribute.name && attribute.kind == AttributeKind::string) {
                input.is_string = true;
            }
        }
        if (!input.type && !attribute_name(input.name)) {
            input.type = TensorType();
        }
    }
    return program;
}

}  // namespace

bool is_profile(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        if (std::string_view(" \t\r\n").find(text[at]) != std::string_view::npos) {
            ++at;
        } else if (text[at] == '#') {
            at = std::min(text.find('\n', at), text.size());
        } else {
            const std::string_view rest = text.substr(at);
            return rest.starts_with("rank-profile ") || rest.starts_with("schema ") || rest.starts_with("search ");
        }
    }
    return false;
}

Result<std::shared_ptr<const Program>> make_program(const Request &request) {
    auto program = is_profile(request.text) ? compile_phase(request) : compile_expression(request);
    if (!program) {
        return program.error();
    }
    if (const Status status = find_columns(request, *program); !status) {
        return status.error();
    }
    return std::make_shared<const Program>(*std::move(program));
}

}  // namespace tenrex::sqlite

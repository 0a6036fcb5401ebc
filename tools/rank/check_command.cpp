// tenrex check: what is wrong with a file of rank profiles, and what it asks for and gives.
#include <set>

#include <fmt/format.h>
#include <unistd.h>

#include <tenrex/formats.h>

#include "tools/command.h"
#include "tools/exit_code.h"
#include "tools/output.h"
#include "tools/rank/profile_file.h"
#include "tools/rank/words.h"
#include "tools/terminal.h"

namespace tenrex::tool {

namespace {

constexpr std::string_view details =
    "Checks the rank profiles of a file and prints for each what it needs of queries\n"
    "and documents, its phases and its features with their types.";

constexpr std::string_view examples =
    "Examples:\n"
    "  tenrex check music.profile\n"
    "  tenrex check music.profile --profile-name popular --feature 'bm25(title)'\n";

std::string_view kind_of(const ColumnNeed &need, const std::vector<Attribute> &attributes,
                         const std::vector<std::string> &texts) {
    switch (need.source) {
        case ColumnSource::labels:
            return "labels of";
        case ColumnSource::structs:
            return "structs of";
        case ColumnSource::host:
            return is_text_feature(need.name, texts) ? "feature of texts" : "feature";
        case ColumnSource::random:
            return "random";
        default:
            break;
    }
    for (const Attribute &attribute : attributes) {
        if (attribute.name == need.argument) {
            switch (attribute.kind) {
                case AttributeKind::string:
                    return "string";
                case AttributeKind::array:
                    return attribute.of_strings ? "array of strings" : "array of numbers";
                case AttributeKind::weighted_set:
                    return attribute.of_strings ? "weighted set of strings" : "weighted set of numbers";
                case AttributeKind::number:
                case AttributeKind::tensor:
                    break;
            }
        }
    }
    return need.type.is_scalar() ? "number" : "tensor";
}

std::string describe_phase(std::string_view name, const RankPhase &phase, bool all_documents) {
    if (!phase.plan) {
        return {};
    }
    std::string text = fmt::format("  {}: {}", name, phase.plan->outputs().front().type.to_string());
    if (!all_documents) {
        text += fmt::format(", for the best {}", phase.rerank_count);
    }
    if (phase.drop_limit) {
        text += fmt::format(", dropping scores up to {}", *phase.drop_limit);
    }
    return text + "\n";
}

std::string describe(const RankProfile &profile, const std::vector<std::string> &texts) {
    std::string text = fmt::format("rank-profile {}\n", profile.name());
    for (const ProfileInput &input : profile.inputs()) {
        text += fmt::format("  input {}: {}{}\n", input.name, input.type.to_string(),
                            input.default_value ? " = " + to_literal(*input.default_value) : "");
    }
    for (const ColumnNeed &need : profile.columns()) {
        text += fmt::format("  document {}: {}", need.name, need.type.to_string());
        text += fmt::format(
            " ({}{})\n", kind_of(need, profile.attributes(), texts),
            need.source == ColumnSource::labels || need.source == ColumnSource::structs ? " " + need.argument : "");
    }
    text += describe_phase("first-phase", profile.first_phase(), true);
    text += describe_phase("second-phase", profile.second_phase(), false);
    text += describe_phase("global-phase", profile.global_phase(), false);
    const FeatureOutputs &features = profile.features();
    for (const auto &[kind, names] :
         {std::pair("match-feature", &features.match), std::pair("summary-feature", &features.summary)}) {
        for (const std::string &name : *names) {
            for (const Plan::Output &output : features.plan->outputs()) {
                if (output.name == name) {
                    text += fmt::format("  {} {}: {}\n", kind, name, output.type.to_string());
                }
            }
        }
    }
    return text;
}

// What tells two issues of a file apart.
std::string place_of(const Issue &issue) {
    return fmt::format("{}:{}:{}:{}", issue.source_name, issue.line, issue.column, issue.message);
}

// Prints the mistakes of a profile. Those of what several profiles inherit are printed once.
void report(const Error &error, const std::string &profile, std::set<std::string> &known) {
    std::vector<Issue> issues;
    for (const Issue &issue : error.issues()) {
        if (known.insert(place_of(issue)).second) {
            issues.push_back(issue);
        }
    }
    if (issues.size() < error.issues().size()) {
        print_failure(fmt::format("rank-profile {} has {} of the mistakes above, too", profile,
                                  error.issues().size() - issues.size()));
    }
    if (!issues.empty()) {
        print_error(Error(std::move(issues), error.source_name()));
    }
}

}  // namespace

int run_check(const Command &command, const Arguments &arguments) {
    ArgumentParser parser(command, details, examples);
    ProfileArguments options;
    options.unused_functions = true;
    add_profile_options(parser, options);
    if (const auto status = parser.parse(arguments)) {
        return *status;
    }
    if (parser.positional().size() != 1) {
        return parser.usage_error(parser.positional().empty() ? "no file is given" : "only one file can be checked");
    }
    std::optional<ProfileSet> set;
    if (const auto status = read_profiles(parser.positional().front(), options, set)) {
        return *status;
    }
    std::vector<std::string> names = set->names();
    if (!options.name.empty() || names.empty()) {
        const auto chosen = chosen_profile(*set, options.name);
        if (!chosen) {
            print_error(chosen.error());
            return rejected;
        }
        names = {*chosen};
    }
    Output out(STDOUT_FILENO);
    int status = success;
    std::set<std::string> known;
    for (const std::string &name : names) {
        const auto profile = compile_chosen(*set, name, options);
        if (!profile) {
            report(profile.error(), name, known);
            if (const std::string needs = needed_features(*set, name, options); !needs.empty()) {
                print_failure(fmt::format("{} needs: {}", name, needs));
            }
            status = rejected;
            continue;
        }
        for (const Issue &warning : profile->warnings()) {
            if (known.insert(place_of(warning)).second) {
                print_warning(warning, parser.positional().front());
            }
        }
        out.write(describe(*profile, options.texts));
    }
    return finish(out, status);
}

}  // namespace tenrex::tool

// Any file of rank profiles, with files that it may name (profile NUL name NUL content ...): it is read and compiled,
// or there are issues that all point into one of the texts.
#include <algorithm>
#include <string>

#include <tenrex/rank_profile.h>

#include "tests/fuzz/fuzz_target.h"

namespace tenrex::fuzz {

namespace {

void check_error(const Error &error) {
    require(!error.issues().empty(), "an error has an issue");
    require(!error.message().empty(), "an error has a message");
    require(!error.render({.color = true}).empty(), "an error renders");
}

void check_issues(const std::vector<Issue> &issues, const ExpressionBytes &parts) {
    for (const Issue &issue : issues) {
        require(!issue.message.empty(), "an issue has a message");
        std::size_t size = parts.expression.size();
        for (const auto &[name, content] : parts.inputs) {
            if (name == issue.source_name) {
                size = std::max(size, content.size());
            }
        }
        require(issue.span.end <= size, "an issue points into the text");
    }
}

void check_columns(const RankPhase &phase) {
    require(!phase.plan || phase.columns.size() == phase.plan->document_inputs().size(), "every input has a column");
}

}  // namespace

void run(std::string_view bytes) {
    const ExpressionBytes parts = split(bytes);
    const FileLoader loader = [&](std::string_view path) -> Result<std::string> {
        for (const auto &[name, content] : parts.inputs) {
            if (name == path) {
                return std::string(content);
            }
        }
        return Error("no such file");
    };
    ExpressionOptions expression;
    expression.limits = small_limits();
    const auto set = ProfileSet::parse(parts.expression, "profile", loader, expression);
    if (!set) {
        check_error(set.error());
        check_issues(set.error().issues(), parts);
        return;
    }
    check_issues(set->warnings(), parts);
    ProfileOptions options;
    options.undeclared_attributes = true;
    options.features = {{"bm25(title)"}, {"nativeRank"}};
    options.host_feature = [](std::string_view name) -> std::optional<TensorType> {
        return name.starts_with("bm25(") ? std::optional(TensorType()) : std::nullopt;
    };
    std::size_t compiled = 0;
    for (const std::string &name : set->names()) {
        constexpr std::size_t most = 4;
        if (++compiled > most) {
            break;
        }
        const auto profile = compile_profile(*set, name, options);
        if (!profile) {
            check_error(profile.error());
            check_issues(profile.error().issues(), parts);
            continue;
        }
        check_issues(profile->warnings(), parts);
        require(profile->first_phase().plan.has_value(), "there is a first phase");
        for (const RankPhase *phase :
             {&profile->first_phase(), &profile->second_phase(),
              static_cast<const RankPhase *>(&profile->global_phase()), &profile->global_phase().normalized}) {
            check_columns(*phase);
        }
        const auto values = profile->query_values({}, 0);
        require(values.has_value(), "all inputs have values by default");
        if (const auto query = profile->first_phase().plan->bind(*values); !query) {
            check_error(query.error());
        }
    }
}

}  // namespace tenrex::fuzz

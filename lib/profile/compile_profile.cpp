#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_set>

#include <tenrex/rank_profile.h>

#include "lib/profile/expander.h"
#include "lib/profile/inherit.h"
#include "lib/profile/input_table.h"
#include "lib/profile/profile_content.h"
#include "lib/profile/profile_text.h"
#include "lib/profile/vocabulary.h"
#include "lib/runtime/compile_typed.h"
#include "lib/runtime/guarded.h"
#include "lib/sema/check.h"
#include "lib/support/diagnostics.h"
#include "lib/support/format.h"
#include "lib/types/quoted_text.h"

namespace tenrex {

namespace profile {

namespace {

// An expression that becomes an output of a plan.
struct Output {
    std::string name;
    Expanded expression;
    Span span;
    bool must_be_number = true;
};

// Nothing if the text is no number from 0 on.
std::optional<double> amount_of(std::string_view text) {
    double value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_number = result.ec == std::errc() && result.ptr == text.data() + text.size() && std::isfinite(value);
    return is_number && value >= 0 ? std::optional(value) : std::nullopt;
}

class ProfileCompiler {
public:
    ProfileCompiler(const ProfileSet::Content &set, const ProfileOptions &options, Findings &findings)
        : set_(set),
          options_(options),
          findings_(findings),
          joined_(std::make_shared<const std::string>(set.sources.joined())) {
        compile_options_ = options.compile;
        compile_options_.expression = set.options;
        if (!compile_options_.labels) {
            compile_options_.labels = std::make_shared<LabelTable>();
        }
        if (!compile_options_.weights) {
            compile_options_.weights = std::make_shared<WeightStore>();
        }
    }

    std::shared_ptr<const RankProfile::Content> run(const ProfileText &text) {
        const auto whole = inherit(set_.file, text, set_.options.limits, findings_);
        if (!whole) {
            return nullptr;
        }
        source_ = source_of(*whole);
        InputTable inputs(set_, *whole, options_, findings_);
        auto content = std::make_shared<RankProfile::Content>();
        content->name = text.name.text;
        for (const InputText *input : whole->inputs.items()) {
            content->inputs.push_back({input->name.text, input->type, input->value, input->is_string});
        }
        phase(*whole, first_phase, inputs, content->first);
        phase(*whole, second_phase, inputs, content->second);
        phase(*whole, global_phase, inputs, content->global);
        features(*whole, inputs, content->features);
        content->inputs.insert(content->inputs.end(), inputs.undeclared_inputs().begin(),
                               inputs.undeclared_inputs().end());
        for (const NetworkText *network : whole->networks.items()) {
            if (!inputs.reads_networks()) {
                findings_.warning(
                    network->name.span,
                    fmt::format("onnx-model {} is skipped: nobody reads ONNX models here", network->name.text),
                    "set ProfileOptions::models, or declare its outputs as features");
            }
        }
        unused_functions(*whole);
        content->attributes = inputs.attributes();
        content->labels = compile_options_.labels;
        gather_columns(*content);
        properties(*whole, *content);
        return content;
    }

private:
    // The files, and what is in them: phases and functions.
    std::shared_ptr<const SourceText> source_of(const WholeProfile &profile) const {
        const auto source = std::make_shared<SourceText>();
        source->text = joined_;
        for (const Sources::Source &file : set_.sources.all()) {
            source->files.push_back({file.offset, &file == &set_.sources.main() ? "" : file.name});
        }
        for (const FunctionText *function : profile.functions.items()) {
            source->parts.push_back({function->expression.span, "function " + function->name.text});
        }
        for (std::size_t i = 0; i < phase_count; ++i) {
            if (const PhaseText *phase = profile.phases[i].expression) {
                source->parts.push_back({phase->expression->span, std::string(phase_names[i])});
            }
        }
        // What several of them read from one file has the name of the first.
        using Part = SourceText::Part;
        std::stable_sort(source->parts.begin(), source->parts.end(),
                         [](const Part &a, const Part &b) { return a.span.begin < b.span.begin; });
        const auto repeated = std::unique(source->parts.begin(), source->parts.end(),
                                          [](const Part &a, const Part &b) { return a.span.begin == b.span.begin; });
        source->parts.erase(repeated, source->parts.end());
        return source;
    }

    static Span name_of_phase(const WholeProfile &profile, PhaseNumber number) {
        const PhaseText *setting = profile.phases[number].expression;
        return setting == nullptr ? profile.text->name.span : setting->expression->span;
    }

    void phase(const WholeProfile &profile, PhaseNumber number, InputTable &inputs, RankPhase &phase) {
        const WholePhase &settings = profile.phases[number];
        if (settings.drop_limit != nullptr) {
            phase.drop_limit = settings.drop_limit->drop_limit;
        }
        constexpr std::size_t default_rerank_count = 100;
        phase.rerank_count = number == first_phase ? 0
                             : settings.rerank_count != nullptr
                                 ? static_cast<std::size_t>(*settings.rerank_count->rerank_count)
                                 : default_rerank_count;
        const Span span = name_of_phase(profile, number);
        constexpr Expander::Place places[] = {Expander::Place::first_phase, Expander::Place::second_phase,
                                              Expander::Place::global_phase};
        Expander expander(set_, profile, inputs, places[number], findings_);
        Expanded expression;
        if (settings.expression != nullptr) {
            expression = expander.expand(*settings.expression->expression);
        } else if (number == first_phase) {
            // What an engine with text features does by default.
            expression = expander.expand(inputs.host_feature("nativeRank") ? "nativeRank" : "0", span);
        } else {
            if (settings.rerank_count != nullptr || settings.drop_limit != nullptr) {
                findings_.warning(
                    profile.text->name.span,
                    fmt::format("{} has settings but no expression, so it does nothing", phase_names[number]));
            }
            return;
        }
        if (number == global_phase) {
            normalizers(expander, inputs, static_cast<GlobalPhase &>(phase));
        }
        std::vector<Output> outputs;
        outputs.push_back({std::string(phase_names[number]), std::move(expression), span});
        phase.plan = compile(outputs, expander, inputs, phase.columns);
        functions(profile, expander, inputs, span, phase);
    }

    // Notes which functions a phase uses, and gives them plans if that is asked for.
    void functions(const WholeProfile &profile, Expander &expander, const InputTable &inputs, Span span,
                   RankPhase &phase) {
        for (const FunctionText *function : profile.functions.items()) {
            if (!expander.uses(*function)) {
                continue;
            }
            used_.insert(function);
            if (options_.function_plans && function->parameters.empty() && !findings_.has_errors()) {
                FunctionPlan one{function->name.text, {}, {}};
                std::vector<Output> outputs;
                outputs.push_back({one.name, expander.expand(*function, span), span, false});
                one.plan = compile(outputs, expander, inputs, one.columns);
                phase.functions.push_back(std::move(one));
            }
        }
    }

    // Checks the functions that no phase and no feature uses. With arguments they are checked where they are called.
    void unused_functions(const WholeProfile &profile) {
        if (findings_.has_errors()) {
            return;  // what is wrong may be why they are not used
        }
        Findings found(set_.sources, set_.options.limits);
        InputTable inputs(set_, profile, options_, found);
        Expander expander(set_, profile, inputs, Expander::Place::global_phase, found);
        for (const FunctionText *function : profile.functions.items()) {
            if (function->parameters.empty() && !used_.contains(function) && !found.full()) {
                const Span span = function->name.span;
                const Output output{function->name.text, expander.expand(*function, span), span, false};
                static_cast<void>(check(output, expander, inputs, found));
            }
        }
        // A profile without phases is there to be inherited: its heirs may define what it misses.
        const auto is_missing = [](const WholePhase &phase) { return phase.expression == nullptr; };
        const bool is_base = std::all_of(std::begin(profile.phases), std::end(profile.phases), is_missing);
        // Heirs may bring names along, too, and engines have more of them than anyone knows.
        findings_.take_over(found, options_.check_unused_functions && !is_base ? Severity::error : Severity::warning,
                            Severity::warning, "in a function that nothing uses: ");
    }

    void normalizers(const Expander &expander, const InputTable &inputs, GlobalPhase &phase) {
        std::vector<Output> outputs;
        for (const Expander::NormalizerUse &use : expander.normalizers()) {
            phase.normalizers.push_back(use.normalizer);
            phase.normalizers.back().output = outputs.size();
            outputs.push_back({use.normalizer.name, use.value, use.span});
        }
        if (!outputs.empty()) {
            phase.normalized.plan = compile(outputs, expander, inputs, phase.normalized.columns);
        }
    }

    void features(const WholeProfile &profile, InputTable &inputs, FeatureOutputs &features) {
        Expander expander(set_, profile, inputs, Expander::Place::features, findings_);
        std::vector<Output> outputs;
        std::unordered_set<std::string_view> known;
        const auto add = [&](const WholeFeatures &list, std::vector<std::string> &names) {
            for (const FeatureText *feature : list.features) {
                names.push_back(feature->name.text);
                if (known.insert(feature->name.text).second) {
                    outputs.push_back(
                        {feature->name.text, expander.expand(feature->expression), feature->name.span, false});
                }
            }
        };
        add(profile.match_features, features.match);
        add(profile.summary_features, features.summary);
        for (const FunctionText *function : profile.functions.items()) {
            if (expander.uses(*function)) {
                used_.insert(function);
            }
        }
        if (!outputs.empty()) {
            features.plan = compile(outputs, expander, inputs, features.columns);
        }
    }

    // The expression with its types; nothing after a report.
    std::optional<sema::TypedExpression> check(const Output &output, const Expander &expander, const InputTable &inputs,
                                               Findings &findings) const {
        if (output.expression.node == nullptr || findings.full()) {
            return std::nullopt;
        }
        const syntax::Ast ast(joined_, Arena(), output.expression.node, {}, set_.options.dialect);
        const std::vector<sema::Definition> definitions = expander.definitions(output.expression);
        const std::vector<std::string> assumed = inputs.assumed_numbers();
        auto checked = sema::check(
            ast, inputs.schema(),
            {set_.options.seed, set_.options.limits, definitions, unknown_name_hint, assumed, undeclared_type_hint});
        if (!checked) {
            findings.take_over(checked.error().issues(), 0, output.span);
            return std::nullopt;
        }
        findings.take_over(checked->warnings(), 0, output.span);
        if (output.must_be_number && !checked->type().is_scalar()) {
            findings.error(
                output.span,
                fmt::format("'{}' must be a number, but this is {}", output.name, checked->type().to_string()),
                "reduce it, for example with sum(...)");
            return std::nullopt;
        }
        return *std::move(checked);
    }

    std::optional<Plan> compile(const std::vector<Output> &outputs, const Expander &expander, const InputTable &inputs,
                                std::vector<ColumnNeed> &columns) {
        std::vector<sema::TypedExpression> typed;
        for (const Output &output : outputs) {
            if (auto checked = check(output, expander, inputs, findings_)) {
                typed.push_back(*std::move(checked));
            }
        }
        if (findings_.has_errors() || typed.size() != outputs.size()) {
            return std::nullopt;
        }
        std::vector<NamedTyped> named;
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            named.push_back({outputs[i].name, &typed[i]});
        }
        auto plan = compile_typed(named, source_, {}, compile_options_);
        if (!plan) {
            findings_.take_over(plan.error().issues(), 0, outputs.front().span);
            return std::nullopt;
        }
        for (const InputDeclaration &input : plan->document_inputs()) {
            columns.push_back(inputs.column(input.name));
        }
        return *std::move(plan);
    }

    // Those of rank-properties that are not of features that Tenrex computes itself.
    void properties(const WholeProfile &profile, RankProfile::Content &content) {
        for (const PropertyText *property : profile.properties.items()) {
            const std::string &name = property->name.text;
            if (name.starts_with("freshness(") || name.starts_with("query(")) {
                continue;
            }
            content.feature_properties.push_back({name, property->value.text});
            const std::size_t dot = name.rfind('.');
            const std::string_view feature = std::string_view(name).substr(0, dot);
            const auto is_the_feature = [&](const ColumnNeed &need) { return need.name == feature; };
            const bool is_used = std::any_of(content.columns.begin(), content.columns.end(), is_the_feature);
            const std::string_view setting =
                dot == std::string::npos ? std::string_view() : std::string_view(name).substr(dot + 1);
            if (!feature.starts_with("bm25(") || !is_used ||
                (setting != "k1" && setting != "b" && setting != "averageFieldLength")) {
                findings_.warning(property->name.span, fmt::format("the property {} has no effect here", name));
                continue;
            }
            const bool from_zero = setting != "averageFieldLength";
            const std::optional<double> value = amount_of(property->value.text);
            if (!value || (*value == 0 && !from_zero)) {
                findings_.error(property->value.span,
                                fmt::format("{} must be a number {}, not '{}'", name,
                                            from_zero ? "from 0 on" : "above 0", clipped_name(property->value.text)));
            }
        }
    }

    static void gather_columns(RankProfile::Content &content) {
        std::unordered_set<std::string_view> known;
        std::vector<const std::vector<ColumnNeed> *> lists{&content.first.columns, &content.second.columns,
                                                           &content.global.normalized.columns, &content.global.columns,
                                                           &content.features.columns};
        for (const RankPhase *phase : {&content.first, &content.second, static_cast<RankPhase *>(&content.global)}) {
            for (const FunctionPlan &function : phase->functions) {
                lists.push_back(&function.columns);  // the phase's own plan may have optimized them away
            }
        }
        for (const std::vector<ColumnNeed> *list : lists) {
            for (const ColumnNeed &need : *list) {
                const bool of_document = need.source == ColumnSource::attribute ||
                                         need.source == ColumnSource::labels || need.source == ColumnSource::structs ||
                                         need.source == ColumnSource::host || need.source == ColumnSource::random;
                if (of_document && known.insert(need.name).second) {
                    content.columns.push_back(need);
                }
            }
        }
    }

    const ProfileSet::Content &set_;
    const ProfileOptions &options_;
    Findings &findings_;
    std::shared_ptr<const std::string> joined_;
    std::shared_ptr<const SourceText> source_;  // of the profile
    CompileOptions compile_options_;
    std::unordered_set<const FunctionText *> used_;  // by phases and features
};

}  // namespace

}  // namespace profile

Result<RankProfile> compile_profile(const ProfileSet &set, std::string_view name, const ProfileOptions &options) {
    return guarded([&]() -> Result<RankProfile> {
        const ProfileSet::Content &content = set.content();
        const auto &profiles = content.file.profiles;
        const auto text = std::find_if(profiles.begin(), profiles.end(),
                                       [&](const profile::ProfileText &one) { return one.name.text == name; });
        if (text == profiles.end()) {
            std::vector<std::string_view> candidates;
            candidates.reserve(profiles.size());
            for (const profile::ProfileText &one : profiles) {
                candidates.push_back(one.name.text);
            }
            const std::string_view near = nearest(name, candidates);
            return Error(fmt::format("there is no rank-profile '{}'", name),
                         near.empty() ? fmt::format("there are: {}", fmt::join(candidates, ", "))
                                      : fmt::format("did you mean '{}'?", near));
        }
        profile::Findings findings(content.sources, content.options.limits);
        auto compiled = profile::ProfileCompiler(content, options, findings).run(*text);
        if (findings.has_errors()) {
            return findings.take_error();
        }
        const auto result = std::make_shared<RankProfile::Content>(*compiled);
        result->warnings = findings.take();
        return RankProfile(result);
    });
}

}  // namespace tenrex

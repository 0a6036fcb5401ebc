#include "tools/rank/rank_report.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "tools/terminal.h"

namespace tenrex::tool {

namespace {

std::string counted(std::size_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

double rate(std::size_t count, double seconds) {
    return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

void report_problems(const LoadReport &loaded, bool skip_bad) {
    for (const DocumentProblem &problem : loaded.problems) {
        print_failure(problem.message());
    }
    if (skip_bad && loaded.bad > 0) {
        print_failure(fmt::format("{} skipped", counted(loaded.bad, "bad document")));
    }
}

// A document without the value has NaN. A text that is missing equals no other, and features of engines have a value
// for documents that do not match.
bool is_nan_if_missing(const DocumentLayout &layout, std::size_t column) {
    const ColumnNeed &need = layout.columns()[column];
    const Attribute *const attribute = layout.attribute(column);
    const bool has_value = attribute != nullptr && (attribute->kind == AttributeKind::string || attribute->is_bool);
    const bool is_of_engine = need.source == ColumnSource::host && engine_feature(need.name);
    return need.type.is_scalar() && !has_value && !is_of_engine;
}

}  // namespace

void report_loading(const LoadReport &loaded, const DocumentLayout &layout, bool skip_bad, bool all) {
    report_problems(loaded, skip_bad);
    if (loaded.bad > 0 && !skip_bad) {
        return;
    }
    const std::size_t documents = loaded.store.documents();
    if (documents == 0) {
        print_warning("there are no documents");
        return;
    }
    for (std::size_t i = 0; i < loaded.missing.size(); ++i) {
        const std::string &field = layout.fields()[i].name;
        if (loaded.missing[i] == documents) {
            const Attribute *const attribute = layout.attribute(layout.fields()[i].columns.front());
            const bool may_be_made = attribute != nullptr && attribute->embedded && !layout.fields()[i].is_made;
            print_warning(fmt::format("no document has a value for the field \"{}\"{}", field,
                                      may_be_made ? "; --embedder NAME=DIR makes it as the schema says" : ""));
        } else if (all && loaded.missing[i] > 0) {
            print_failure(
                fmt::format("field \"{}\": {} without a value", field, counted(loaded.missing[i], "document")));
        }
    }
    if (all) {
        print_failure(fmt::format("loaded {} in {:.3f} s: {:.0f} documents/s, {:.0f} MB/s of JSON; {:.0f} bytes each",
                                  counted(documents, "document"), loaded.seconds, rate(documents, loaded.seconds),
                                  rate(loaded.bytes, loaded.seconds) / 1e6,
                                  static_cast<double>(loaded.store.memory_bytes()) / static_cast<double>(documents)));
    }
}

void report_nan_scores(const NanScores &scores, const RankProfile &profile, const LoadReport &loaded,
                       const DocumentLayout &layout) {
    const std::size_t documents = loaded.store.documents();
    const GlobalPhase &global = profile.global_phase();
    std::set<std::string_view> read;  // columns of those phases
    for (const auto &[has_nan, phase] : {std::pair(scores.first, &profile.first_phase()),
                                         {scores.second, &profile.second_phase()},
                                         {scores.global, &global.normalized},
                                         {scores.global, static_cast<const RankPhase *>(&global)}}) {
        for (const ColumnNeed &need : phase->columns) {
            if (has_nan) {
                read.insert(need.name);
            }
        }
    }
    for (std::size_t i = 0; i < loaded.missing.size(); ++i) {
        const bool lack_some = loaded.missing[i] > 0 && loaded.missing[i] < documents;
        for (const std::size_t column : layout.fields()[i].columns) {
            const std::string &name = layout.columns()[column].name;
            if (lack_some && read.contains(name) && is_nan_if_missing(layout, column)) {
                print_warning(
                    fmt::format("{} of {} documents {} no value for the field \"{}\", and scores that are computed "
                                "from it are NaN: "
                                "they come last. if(isNan({}), 0, {}) gives a value",
                                loaded.missing[i], documents, loaded.missing[i] == 1 ? "has" : "have",
                                layout.fields()[i].name, name, name));
                break;
            }
        }
    }
}

void report_embedding(const std::vector<FieldEmbedding::Made> &made, bool all) {
    for (const FieldEmbedding::Made &each : made) {
        if (each.cut_texts != 0) {
            print_warning(
                fmt::format("field \"{}\": {} of {} texts have more tokens than are taken; their ends were cut off",
                            each.field, each.cut_texts, each.texts));
        }
        if (all) {
            print_failure(fmt::format("embedded {} for the field \"{}\" in {:.3f} s: {:.0f} texts/s",
                                      counted(each.texts, "text"), each.field, each.seconds,
                                      rate(each.texts, each.seconds)));
        }
    }
}

void RankTimes::add(const RankedList &list) {
    ++queries_;
    for (const PhaseTime &time : list.times) {
        const auto phase = std::find_if(phases_.begin(), phases_.end(), [&](const PhaseTime &known) {
            return std::string_view(known.phase) == time.phase;
        });
        if (phase == phases_.end()) {
            phases_.push_back(time);
        } else {
            phase->documents += time.documents;
            phase->seconds += time.seconds;
        }
    }
    // Every query has the same functions in the same order; a phase without hits has them, too.
    functions_.resize(list.function_times.size());
    for (std::size_t i = 0; i < functions_.size(); ++i) {
        const FunctionTime &time = list.function_times[i];
        functions_[i].phase = time.phase;
        functions_[i].function = time.function;
        functions_[i].documents += time.documents;
        functions_[i].seconds += time.seconds;
    }
}

std::string RankTimes::functions() const {
    if (functions_.empty()) {
        return {};
    }
    std::string text = "\nfunctions, each evaluated alone: what functions share is counted for each of them";
    for (const FunctionTime &time : functions_) {
        text += fmt::format("\n  {:<14}{:>12} documents  {:<28}{:>10.1f} ns each", time.phase, time.documents,
                            time.function,
                            time.seconds * 1e9 / static_cast<double>(std::max<std::size_t>(time.documents, 1)));
    }
    return text;
}

std::string RankTimes::summary() const {
    double seconds = 0;
    std::string text;
    for (const PhaseTime &phase : phases_) {
        seconds += phase.seconds;
        text += fmt::format("\n  {:<14}{:>12} {:<9} {:>12.3f} ms {:>12.1f} ns each {:>14.0f} {}/s", phase.phase,
                            phase.documents, phase.unit, phase.seconds * 1e3,
                            phase.documents > 0 ? phase.seconds * 1e9 / static_cast<double>(phase.documents) : 0.0,
                            rate(phase.documents, phase.seconds), phase.unit);
    }
    return fmt::format("ranked for {} in {:.3f} ms: {:.1f} queries/s{}{}",
                       queries_ == 1 ? "1 query" : fmt::format("{} queries", queries_), seconds * 1e3,
                       rate(queries_, seconds), text, functions());
}

std::string recall_text(const std::vector<VectorRetriever> &retrievers) {
    std::string text;
    for (const VectorRetriever &retriever : retrievers) {
        if (const auto recall = retriever.recall()) {
            text += fmt::format("\nnearestNeighbor({},{}) found {:.2f} % of what an exact search finds",
                                retriever.argument().attribute, retriever.argument().query, 100 * *recall);
        }
    }
    return text;
}

std::string explain_phases(const RankProfile &profile) {
    std::string text;
    const auto append = [&](std::string_view phase, const std::optional<Plan> &plan) {
        if (plan) {
            text += fmt::format("{}{}\n{}", text.empty() ? "" : "\n", phase, plan->explain());
        }
    };
    append("== first phase", profile.first_phase().plan);
    append("== second phase", profile.second_phase().plan);
    append("== global phase, arguments of normalizers", profile.global_phase().normalized.plan);
    append("== global phase", profile.global_phase().plan);
    append("== match features and summary features", profile.features().plan);
    return text;
}

}  // namespace tenrex::tool

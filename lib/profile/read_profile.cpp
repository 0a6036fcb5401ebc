// The block of a rank profile.
#include <algorithm>
#include <functional>
#include <iterator>
#include <span>

#include "lib/profile/reader.h"
#include "lib/profile/vocabulary.h"
#include "lib/support/diagnostics.h"
#include "lib/support/format.h"
#include "lib/types/characters.h"
#include "lib/types/quoted_text.h"

namespace tenrex::profile {

namespace {

// Settings of a profile that an engine with an index and nodes has a use for, but scoring has not.
constexpr std::string_view unused_settings[] = {"approximate-threshold",
                                                "diversity",
                                                "exploration-slack",
                                                "filter-first-exploration",
                                                "filter-first-threshold",
                                                "filter-threshold",
                                                "ignore-default-rank-features",
                                                "match-phase",
                                                "min-hits-per-thread",
                                                "mutate",
                                                "num-search-partitions",
                                                "num-threads-per-search",
                                                "post-filter-threshold",
                                                "prefetch-tensors",
                                                "rank",
                                                "rank-features",
                                                "rank-type",
                                                "significance",
                                                "sort-features",
                                                "strict",
                                                "target-hits-max-adjustment-factor",
                                                "termwise-limit",
                                                "weakand",
                                                "weight"};
constexpr std::string_view profile_settings[] = {"constants",    "first-phase",  "function",        "global-phase",
                                                 "inputs",       "macro",        "onnx-model",      "match-features",
                                                 "rank-profile", "second-phase", "rank-properties", "summary-features"};
constexpr std::string_view phase_settings[] = {"expression", "rank-score-drop-limit", "rerank-count"};
constexpr std::string_view unused_phase_settings[] = {"keep-rank-count", "total-keep-rank-count", "total-rerank-count"};

bool contains(std::span<const std::string_view> names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

// Of a name that begins no known setting.
void skip_unknown(Reader &in, const Word &name, std::string_view where, std::span<const std::string_view> known,
                  std::span<const std::string_view> unused) {
    if (contains(unused, name.text)) {
        in.findings().warning(name.span, fmt::format("{} has no effect here and is skipped", name.text));
    } else {
        std::vector<std::string_view> candidates(known.begin(), known.end());
        candidates.insert(candidates.end(), unused.begin(), unused.end());
        const std::string_view near = nearest(name.text, candidates);
        in.findings().warning(name.span,
                              fmt::format("unknown setting '{}' of {} is skipped", clipped(name.text), where),
                              near.empty() ? std::string() : fmt::format("did you mean '{}'?", near));
    }
    in.skip_setting();
}

// Reads "{ setting ... }". Each setting begins with a word, which `read` gets; false from it: go on behind the setting.
bool read_block(Reader &in, std::string_view what, const std::function<bool(const Word &)> &read) {
    in.skip();
    const std::uint32_t open = in.position();
    if (!in.expect('{', fmt::format("and the settings of {}", what))) {
        in.skip_setting();
        return true;
    }
    const auto end = in.block_end(open);
    if (!end) {
        return false;
    }
    while (in.next() != '}' && in.position() < *end) {
        const Word name = in.word();
        if (name.text.empty()) {
            in.unexpected(fmt::format("a setting of {}", what));
            in.skip_setting();
            if (in.position() == name.span.begin) {
                in.move_to(in.position() + 1);
            }
            continue;
        }
        if (!read(name)) {
            in.skip_setting();
        }
    }
    in.move_to(*end + 1);
    return true;
}

constexpr std::string_view file_prefix = "file:";

// Up to the end of the line, without white space at the end.
std::uint32_t line_length(std::string_view text) {
    text = text.substr(0, text.find('\n'));
    return static_cast<std::uint32_t>(text.find_last_not_of(" \t\r") + 1);
}

// "file:name", which is the whole span.
void read_file_name(Reader &in, Span span, ExpressionText &expression) {
    expression.span = span;
    const std::string_view text = in.text(span);
    const std::size_t begin = text.find_first_not_of(" \t", file_prefix.size());
    if (begin == std::string_view::npos) {
        in.findings().error(span, "file: names no file");
        return;
    }
    expression.file = {std::string(text.substr(begin)), {span.begin + static_cast<std::uint32_t>(begin), span.end}};
}

// "expression: text", "expression: file:name" or the same between braces, behind the word. False: a mistake.
bool read_expression(Reader &in, const Word &setting, std::string_view what,
                     std::optional<ExpressionText> &expression) {
    if (expression) {
        in.findings().error(setting.span, fmt::format("{} has a second expression", what));
        return false;
    }
    if (in.next() == '{') {
        const std::uint32_t open = in.position();
        const auto end = in.block_end(open);
        if (!end) {
            return false;
        }
        in.move_to(open + 1);
        const Span inside{open + 1, *end};
        expression.emplace();
        in.skip();
        const std::string_view text = in.text({std::min(in.position(), *end), *end});
        if (text.starts_with(file_prefix)) {
            read_file_name(in, {in.position(), in.position() + line_length(text)}, *expression);
        } else {
            expression->span = inside;
        }
        in.move_to(*end + 1);
        return true;
    }
    in.move_to(setting.span.end);
    if (in.next_on_line() != ':') {
        return in.unexpected("':' or '{' after expression");
    }
    Word value;
    if (!in.setting_value(setting, value)) {
        return false;
    }
    expression.emplace();
    expression->span = value.span;
    if (value.text.starts_with(file_prefix)) {
        read_file_name(in, value.span, *expression);
    }
    return true;
}

// "name(a, b) { expression ... }", behind the word.
bool read_function(Reader &in, ProfileText &profile) {
    FunctionText function;
    if (!in.expect_word("the name of a function", function.name)) {
        return false;
    }
    if (function.name.text == "inline" && in.next() != '(') {
        // What it asks for is what always happens: everything is computed once.
        if (!in.expect_word("the name of a function", function.name)) {
            return false;
        }
    }
    const Word &name = function.name;
    if (!is_callable_name(name.text)) {
        in.findings().error(
            name.span,
            fmt::format("'{}' cannot be the name of a function: expressions could not call it", clipped(name.text)),
            "names consist of letters, digits, '_', '@' and '$'");
    }
    if (!in.expect('(', "after the name of the function")) {
        return false;
    }
    while (!in.take(')')) {
        Word parameter;
        if ((!function.parameters.empty() && !in.expect(',', "or ')' in the list of arguments")) ||
            !in.expect_word("the name of an argument", parameter)) {
            return false;
        }
        if (!is_callable_name(parameter.text)) {
            in.findings().error(parameter.span,
                                fmt::format("'{}' cannot be the name of an argument", clipped(parameter.text)),
                                "names consist of letters, digits, '_', '@' and '$'");
        }
        function.parameters.push_back(std::move(parameter));
    }
    const std::string what = fmt::format("function '{}'", name.text);
    constexpr std::string_view settings[] = {"expression"};
    std::optional<ExpressionText> expression;
    const std::size_t errors = in.findings().errors();
    const bool closed = read_block(in, what, [&](const Word &setting) {
        if (setting.text == "expression") {
            return read_expression(in, setting, what, expression);
        }
        skip_unknown(in, setting, what, settings, {});
        return true;
    });
    if (expression) {
        function.expression = *std::move(expression);
        profile.functions.push_back(std::move(function));
    } else if (in.findings().errors() == errors) {
        in.findings().error(name.span, fmt::format("{} has no expression", what));
    }
    return closed;
}

bool read_phase(Reader &in, PhaseNumber number, PhaseText &phase) {
    const std::string what(phase_names[number]);
    return read_block(in, what, [&](const Word &setting) {
        if (setting.text == "expression") {
            return read_expression(in, setting, what, phase.expression);
        }
        if (setting.text == "rerank-count" && number != first_phase) {
            std::uint64_t count = 0;
            const bool good = in.setting_count(setting, count);
            phase.rerank_count = good ? std::optional(count) : phase.rerank_count;
            return good;
        }
        if (setting.text == "rerank-count") {
            in.findings().warning(setting.span, "rerank-count has no effect here: the first phase scores every match");
            return false;
        }
        if (setting.text == "rank-score-drop-limit") {
            double limit = 0;
            const bool good = in.setting_number(setting, limit);
            phase.drop_limit = good ? std::optional(limit) : phase.drop_limit;
            return good;
        }
        skip_unknown(in, setting, what, phase_settings, unused_phase_settings);
        return true;
    });
}

// Behind the name of a profile: what it inherits. False: a mistake.
bool read_parents(Reader &in, ProfileText &profile) {
    if (in.next() == '{') {
        return true;
    }
    const Word inherits = in.word();
    if (inherits.text != "inherits") {
        in.move_to(inherits.span.begin);
        return in.unexpected(fmt::format("'{{' or inherits after rank-profile {}", profile.name.text));
    }
    return read_names(in, profile.parents);
}

// A profile within another one, whose name stands in front of its own.
void check_inner(Reader &in, const Word &outer, ProfileText &profile) {
    const auto is_outer = [&](const Word &parent) { return parent.text == outer.text; };
    if (std::none_of(profile.parents.begin(), profile.parents.end(), is_outer)) {
        in.findings().error(
            profile.name.span,
            fmt::format("rank-profile '{}' stands within '{}', so it must inherit it", profile.name.text, outer.text),
            fmt::format("write rank-profile {} inherits {}", profile.name.text, outer.text));
    }
    profile.name.text = fmt::format("{}.{}", outer.text, profile.name.text);
}

// outer: null, or the name of the profile around.
bool read_profile(Reader &in, std::vector<ProfileText> &profiles, const Word *outer, std::size_t depth) {
    ProfileText profile;
    if (!in.expect_word("the name of the profile", profile.name) || !read_parents(in, profile)) {
        in.skip_setting();
        return true;
    }
    constexpr std::size_t deepest = 16;
    if (depth > deepest) {
        in.findings().error(profile.name.span,
                            fmt::format("profiles stand within each other more than {} levels deep", deepest));
        return false;
    }
    if (outer != nullptr) {
        check_inner(in, *outer, profile);
    }
    const std::string what = fmt::format("rank-profile {}", profile.name.text);
    std::vector<ProfileText> inner;
    const bool closed = read_block(in, what, [&](const Word &setting) {
        const std::string_view name = setting.text;
        for (const PhaseNumber number : {first_phase, second_phase, global_phase}) {
            if (name == phase_names[number]) {
                return read_phase(in, number, profile.phases[number]);
            }
        }
        if (name == "rank-profile") {
            return read_profile(in, inner, &profile.name, depth + 1);
        }
        if (name == "function" || name == "macro") {
            return read_function(in, profile);
        }
        if (name == "inputs") {
            return read_inputs(in, profile);
        }
        if (name == "constants") {
            return read_constants(in, profile.constants);
        }
        if (name == "rank-properties") {
            return read_properties(in, profile.properties);
        }
        if (name == "match-features") {
            return read_features(in, setting, profile.match_features);
        }
        if (name == "summary-features") {
            return read_features(in, setting, profile.summary_features);
        }
        if (name == "onnx-model") {
            return read_network(in, profile.networks);
        }
        skip_unknown(in, setting, what, profile_settings, unused_settings);
        return true;
    });
    profiles.push_back(std::move(profile));
    profiles.insert(profiles.end(), std::make_move_iterator(inner.begin()), std::make_move_iterator(inner.end()));
    return closed;
}

}  // namespace

bool read_profile(Reader &in, std::vector<ProfileText> &profiles) {
    return read_profile(in, profiles, nullptr, 1);
}

}  // namespace tenrex::profile

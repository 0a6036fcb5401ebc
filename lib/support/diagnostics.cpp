#include "lib/support/diagnostics.h"

#include <algorithm>

#include "lib/support/utf8.h"

namespace tenrex {

namespace {

constexpr std::size_t excerpt_before = 60;  // bytes of the line shown in front of the span, at most
constexpr std::size_t excerpt_after = 60;   // bytes of the line shown from the start of the span on, at most

// Moves a cut into the line so that it does not split a code point.
std::size_t character_start(std::string_view text, std::size_t at) {
    while (at < text.size() && is_continuation_byte(text[at])) {
        ++at;
    }
    return at;
}

// A control character would spoil the terminal or the alignment of the caret.
std::string printable(std::string_view text) {
    std::string result(text);
    for (char &c : result) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
            c = ' ';
        }
    }
    return result;
}

// Fills in line, column, excerpt and caret of an issue from its span.
void locate(std::string_view source, Issue &issue) {
    const std::size_t begin = std::min<std::size_t>(issue.span.begin, source.size());
    const std::size_t end = std::clamp<std::size_t>(issue.span.end, begin, source.size());
    const std::string_view before = source.substr(0, begin);
    const std::size_t newline = before.rfind('\n');
    const std::size_t line_begin = newline == std::string_view::npos ? 0 : newline + 1;
    const std::size_t line_end = std::min(source.find('\n', begin), source.size());
    issue.line = 1 + static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n'));
    issue.column = 1 + static_cast<std::uint32_t>(count_code_points(source.substr(line_begin, begin - line_begin)));

    std::size_t from = line_begin;
    std::size_t to = line_end;
    std::string_view left_mark, right_mark;
    if (begin - line_begin > excerpt_before) {
        from = std::min(character_start(source, begin - excerpt_before), begin);
        left_mark = "...";
    }
    if (line_end - begin > excerpt_after) {
        to = std::min(character_start(source, begin + excerpt_after), line_end);
        right_mark = "...";
    }
    issue.excerpt.append(left_mark).append(printable(source.substr(from, to - from))).append(right_mark);
    issue.caret = static_cast<std::uint32_t>(left_mark.size() + count_code_points(source.substr(from, begin - from)));
    const std::size_t covered = count_code_points(source.substr(begin, std::min(end, to) - begin));
    issue.caret_length = static_cast<std::uint32_t>(std::max<std::size_t>(covered, 1));
}

}  // namespace

void Diagnostics::error(Span span, std::string message, std::string hint) {
    add(Severity::error, span, std::move(message), std::move(hint), false);
}

void Diagnostics::warning(Span span, std::string message, std::string hint) {
    add(Severity::warning, span, std::move(message), std::move(hint), false);
}

void Diagnostics::error_at_end(std::string message, std::string hint) {
    const auto end = static_cast<std::uint32_t>(source_.size());
    add(Severity::error, {end, end}, std::move(message), std::move(hint), true);
}

void Diagnostics::add(Severity severity, Span span, std::string message, std::string hint, bool at_end) {
    const bool is_error = severity == Severity::error;
    // The first error is kept even if warnings have filled the list.
    if (issues_.size() >= most_ && !(is_error && errors_ == 0)) {
        return;
    }
    errors_ += is_error;
    Issue &issue = issues_.emplace_back();
    issue.severity = severity;
    issue.span = span;
    issue.message = std::move(message);
    issue.hint = std::move(hint);
    issue.at_end = at_end;
    locate(source_, issue);
}

std::vector<Issue> Diagnostics::take() {
    std::stable_sort(issues_.begin(), issues_.end(),
                     [](const Issue &a, const Issue &b) { return a.span.begin < b.span.begin; });
    errors_ = 0;
    return std::move(issues_);
}

}  // namespace tenrex

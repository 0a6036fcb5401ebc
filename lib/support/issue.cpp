#include <tenrex/issue.h>

#include <algorithm>
#include <iterator>

#include "lib/support/format.h"

namespace tenrex {

namespace {

struct Palette {
    std::string_view bold, error, warning, caret, hint, reset;
};
constexpr Palette no_colors{};
constexpr Palette ansi{"\x1b[1m", "\x1b[1;31m", "\x1b[1;33m", "\x1b[1;32m", "\x1b[36m", "\x1b[0m"};

// An issue about no text at all, such as a missing file, has no excerpt and an empty span.
bool has_position(const Issue &issue) {
    return !issue.excerpt.empty() || issue.span.end != 0 || issue.at_end;
}

}  // namespace

std::string render(const Issue &issue, std::string_view source_name, RenderOptions options) {
    source_name = issue.source_name.empty() ? source_name : issue.source_name;
    const Palette &palette = options.color ? ansi : no_colors;
    const bool is_error = issue.severity == Severity::error;
    std::string text;
    auto out = std::back_inserter(text);
    text += palette.bold;
    if (!source_name.empty()) {
        fmt::format_to(out, "{}:", source_name);
    }
    if (has_position(issue)) {
        fmt::format_to(out, "{}:{}:", issue.line, issue.column);
    }
    if (!text.empty() && text.back() == ':') {
        text += ' ';
    }
    text += palette.reset;
    fmt::format_to(out, "{}{}:{} {}{}{}\n", is_error ? palette.error : palette.warning, is_error ? "error" : "warning",
                   palette.reset, palette.bold, issue.message, palette.reset);
    if (!issue.excerpt.empty()) {
        fmt::format_to(out, "  {}\n", issue.excerpt);
        fmt::format_to(out, "  {:{}}{}^{:~<{}}{}\n", "", issue.caret, palette.caret, "",
                       std::max<std::uint32_t>(issue.caret_length, 1) - 1, palette.reset);
    }
    if (!issue.hint.empty()) {
        fmt::format_to(out, "  {}hint:{} {}\n", palette.hint, palette.reset, issue.hint);
    }
    return text;
}

Error::Error(std::string message, std::string hint) {
    Issue issue;
    issue.message = std::move(message);
    issue.hint = std::move(hint);
    issues_.push_back(std::move(issue));
}

Error::Error(std::vector<Issue> issues, std::string source_name)
    : issues_(std::move(issues)), source_name_(std::move(source_name)) {}

std::string Error::message() const {
    const auto first =
        std::find_if(issues_.begin(), issues_.end(), [](const Issue &i) { return i.severity == Severity::error; });
    if (first == issues_.end()) {
        return {};
    }
    std::string text;
    auto out = std::back_inserter(text);
    if (const std::string &name = first->source_name.empty() ? source_name_ : first->source_name; !name.empty()) {
        fmt::format_to(out, "{}:", name);
    }
    if (has_position(*first)) {
        fmt::format_to(out, "{}:{}:", first->line, first->column);
    }
    if (!text.empty()) {
        text += ' ';
    }
    text += first->message;
    if (!first->hint.empty()) {
        fmt::format_to(out, " ({})", first->hint);
    }
    return text;
}

std::string Error::render(RenderOptions options) const {
    std::string text;
    for (const Issue &issue : issues_) {
        text += tenrex::render(issue, source_name_, options);
    }
    return text;
}

bool Error::incomplete() const noexcept {
    bool any = false;
    for (const Issue &issue : issues_) {
        if (issue.severity == Severity::error) {
            if (!issue.at_end) {
                return false;
            }
            any = true;
        }
    }
    return any;
}

}  // namespace tenrex

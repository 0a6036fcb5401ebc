#include "lib/profile/reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <tenrex/formats.h>

#include "lib/support/format.h"
#include "lib/support/utf8.h"
#include "lib/types/characters.h"
#include "lib/types/quoted_text.h"
#include "lib/types/type_reader.h"

namespace tenrex::profile {

namespace {

constexpr bool is_word_char(char c) noexcept {
    return is_identifier_char(c) || c == '-';
}

constexpr bool opens(char c) noexcept {
    return c == '{' || c == '[' || c == '(';
}
constexpr bool closes(char c) noexcept {
    return c == '}' || c == ']' || c == ')';
}
constexpr bool ends_literal(char c) noexcept {
    return is_digit(c) || closes(c) || is_quote(c);
}

}  // namespace

void Reader::skip() noexcept {
    while (position_ < text_.size() && (is_space(text_[position_]) || text_[position_] == '#')) {
        if (text_[position_] == '#') {
            position_ = static_cast<std::uint32_t>(std::min(text_.find('\n', position_), text_.size()));
        } else {
            ++position_;
        }
    }
}

bool Reader::at_end() noexcept {
    skip();
    return position_ == text_.size();
}

char Reader::next() noexcept {
    return at_end() ? '\0' : text_[position_];
}

char Reader::next_on_line() noexcept {
    while (position_ < text_.size() && is_space(text_[position_]) && text_[position_] != '\n') {
        ++position_;
    }
    if (position_ < text_.size() && text_[position_] == '#') {
        position_ = static_cast<std::uint32_t>(std::min(text_.find('\n', position_), text_.size()));
    }
    return position_ < text_.size() ? text_[position_] : '\0';
}

bool Reader::take(char c) noexcept {
    if (next() != c || at_end()) {
        return false;
    }
    ++position_;
    return true;
}

Word Reader::word() {
    skip();
    const std::uint32_t begin = position_;
    while (position_ < text_.size() && is_word_char(text_[position_])) {
        ++position_;
    }
    const Span span{begin, position_};
    return {std::string(text(span)), span};
}

bool Reader::expect_word(std::string_view what, Word &found) {
    found = word();
    return !found.text.empty() || unexpected(what);
}

bool Reader::expect(char c, std::string_view after) {
    return take(c) || unexpected(fmt::format("'{}' {}", c, after));
}

bool Reader::unexpected(std::string_view what, std::string_view hint) {
    skip();
    if (at_end()) {
        findings_.error_at_end({position_, position_}, fmt::format("expected {}, but the text ends here", what),
                               std::string(hint));
        return false;
    }
    std::uint32_t end = position_;
    while (end < text_.size() && is_word_char(text_[end])) {
        ++end;
    }
    if (end == position_) {
        ++end;
        while (end < text_.size() && is_continuation_byte(text_[end])) {
            ++end;
        }
    }
    const Span span{position_, end};
    findings_.error(span, fmt::format("expected {}, but found '{}'", what, clipped(text(span))), std::string(hint));
    return false;
}

// A '#' where the label of a tensor's cell may stand begins a label if something that ends labels comes behind it.
bool Reader::begins_label(std::uint32_t at) const noexcept {
    std::uint32_t before = at;
    while (before > begin_ && is_space(text_[before - 1])) {
        --before;
    }
    if (before == begin_ || (text_[before - 1] != '{' && text_[before - 1] != ',')) {
        return false;
    }
    std::size_t end = at;
    while (end < text_.size() && !ends_bare_label(text_[end])) {
        ++end;
    }
    return end < text_.size() && text_[end] == ':';
}

std::uint32_t Reader::behind(std::uint32_t at) const noexcept {
    const char c = text_[at];
    if (c == '\\') {
        return std::min(at + 2, static_cast<std::uint32_t>(text_.size()));
    }
    if (is_quote(c)) {
        std::uint32_t end = at + 1;
        while (end < text_.size() && text_[end] != c && text_[end] != '\n') {
            end += text_[end] == '\\' ? 2 : 1;
        }
        // A quote that is not closed on its line is part of a label.
        return end < text_.size() && text_[end] == c ? end + 1 : at + 1;
    }
    if (c == '#' && !begins_label(at)) {
        return static_cast<std::uint32_t>(std::min(text_.find('\n', at), text_.size()));
    }
    return at + 1;
}

Span Reader::value(bool over_lines) {
    next_on_line();
    const std::uint32_t begin = position_;
    std::uint32_t end = begin;
    std::size_t depth = 0;
    while (position_ < text_.size()) {
        const char c = text_[position_];
        if ((c == '\n' && (depth == 0 || !over_lines)) || (c == '}' && depth == 0)) {
            break;
        }
        const std::uint32_t next = behind(position_);
        const bool is_comment = c == '#' && next > position_ + 1;
        // Only braces count on a line: what else is open there, the expression knows better.
        const bool counts = over_lines || c == '{' || c == '}';
        depth += opens(c) && counts;
        depth -= closes(c) && counts && depth > 0;
        position_ = next;
        if (!is_space(c) && !is_comment) {
            end = next;
        }
    }
    return {begin, end};
}

std::optional<std::uint32_t> Reader::block_end(std::uint32_t open) {
    std::size_t depth = 0;
    for (std::uint32_t at = open; at < text_.size(); at = behind(at)) {
        depth += text_[at] == '{';
        depth -= text_[at] == '}';
        if (depth == 0) {
            return at;
        }
    }
    const auto [line, column] = [&] {
        const std::string_view before = text_.substr(begin_, open - begin_);
        const std::size_t newline = before.rfind('\n');
        return std::pair{1 + std::count(before.begin(), before.end(), '\n'),
                         1 + count_code_points(before.substr(newline == std::string_view::npos ? 0 : newline + 1))};
    }();
    const auto end = static_cast<std::uint32_t>(text_.size());
    findings_.error_at_end({end, end}, fmt::format("the '{{' at {}:{} is not closed", line, column));
    position_ = end;
    return std::nullopt;
}

bool Reader::setting_value(const Word &setting, Word &found) {
    if (next_on_line() != ':') {
        return unexpected(fmt::format("':' after {}", setting.text));
    }
    ++position_;
    const Span span = value(false);
    found = {std::string(text(span)), span};
    if (found.text.empty()) {
        findings_.error(setting.span, fmt::format("{} has no value", setting.text));
        return false;
    }
    return true;
}

bool Reader::setting_word(const Word &setting, Word &found) {
    if (!setting_value(setting, found)) {
        return false;
    }
    const std::size_t blank = std::min(found.text.find_first_of(" \t"), found.text.size());
    const std::size_t next = std::min(found.text.find_first_not_of(" \t", blank), found.text.size());
    if (next < found.text.size() && is_letter(found.text[next])) {  // another setting
        found.text.resize(blank);
        found.span.end = found.span.begin + static_cast<std::uint32_t>(blank);
        position_ = found.span.end;
    }
    return true;
}

bool Reader::setting_number(const Word &setting, double &value) {
    Word written;
    if (!setting_word(setting, written)) {
        return false;
    }
    const char *end = written.text.data() + written.text.size();
    const auto result = std::from_chars(written.text.data(), end, value);
    if (result.ec != std::errc() || result.ptr != end || std::isnan(value)) {
        findings_.error(written.span,
                        fmt::format("{} must be a number, not '{}'", setting.text, clipped(written.text)));
        return false;
    }
    return true;
}

bool Reader::setting_count(const Word &setting, std::uint64_t &value) {
    Word written;
    if (!setting_word(setting, written)) {
        return false;
    }
    const char *end = written.text.data() + written.text.size();
    const auto result = std::from_chars(written.text.data(), end, value);
    if (result.ec != std::errc() || result.ptr != end) {
        findings_.error(written.span, fmt::format("{} must be a whole number of hits, not '{}'", setting.text,
                                                  clipped(written.text)));
        return false;
    }
    return true;
}

void Reader::skip_setting() {
    while (position_ < text_.size()) {
        const char c = next_on_line();
        if (c == '{') {
            const auto end = block_end(position_);
            position_ = end ? *end + 1 : position_;
            return;
        }
        if (c == '\n') {
            const std::uint32_t line_end = position_;
            if (next() != '{') {
                position_ = line_end;
                return;
            }
            continue;
        }
        if (c == '}' || c == '\0') {
            return;
        }
        position_ = behind(position_);
    }
}

Span Reader::literal_text() {
    const std::uint32_t begin = position_;
    if (next_on_line() == '\n') {
        const char first = next();
        const bool is_literal = first == '{' || first == '[' || first == '-' || is_digit(first);
        position_ = is_literal ? position_ : begin;
    }
    const Span all = value(true);
    constexpr std::string_view type = "tensor";
    if (is_name_start(text(all).empty() ? '\0' : text_[all.begin]) && !text(all).starts_with(type)) {
        return all;  // the name of a file
    }
    // Another entry may follow on the line: a name behind a blank.
    std::size_t depth = 0;
    std::uint32_t end = all.begin;
    for (std::uint32_t at = all.begin, next = at; at < all.end; at = next) {
        const char c = text_[at];
        next = behind(at);
        if (depth == 0 && end < at && is_name_start(c) && ends_literal(text_[end - 1])) {
            position_ = at;
            return {all.begin, end};
        }
        depth += opens(c);
        depth -= closes(c) && depth > 0;
        end = is_space(c) ? end : next;
    }
    return all;
}

bool Reader::type(std::optional<TensorType> &type) {
    if (next_on_line() == '\n') {
        return true;
    }
    TextReader in(text_);
    in.seek(position_);
    if (!begins_with_type(in)) {
        return true;
    }
    in.seek(position_);
    WrittenType written;
    if (!read_type(in, limits_, written, TypeOf::declaration)) {
        const Error error = in.take_error();
        findings_.take_over(error.issues(), 0, {position_, position_ + 1});
        return false;
    }
    position_ = static_cast<std::uint32_t>(in.position());
    type = std::move(written.type);
    return true;
}

std::optional<Tensor> Reader::literal(Span span, const TensorType &type) {
    auto tensor = from_literal(text(span), type, limits_);
    if (!tensor) {
        findings_.take_over(tensor.error().issues(), span.begin, span);
        return std::nullopt;
    }
    return *std::move(tensor);
}

}  // namespace tenrex::profile

#include "lib/syntax/scanner.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "lib/support/format.h"
#include "lib/support/utf8.h"
#include "lib/types/number.h"
#include "lib/types/quoted_text.h"

namespace tenrex::syntax {

namespace {

constexpr bool is_hex_digit(char c) noexcept {
    return hex_digit(c) >= 0;
}

constexpr bool is_one_of(std::string_view run, std::string_view characters) noexcept {
    return run.size() == 1 && characters.find(run.front()) != std::string_view::npos;
}

// The number of hexadecimal digits, rounded to a double.
double hexadecimal_value(std::string_view digits) noexcept {
    double value = 0;
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::hex);
    return result.ec == std::errc::result_out_of_range ? std::numeric_limits<double>::infinity() : value;
}

}  // namespace

void Scanner::skip_space_here() {
    const char *data = text_.data();
    for (;;) {
        while (is_space(data[position_])) {
            ++position_;
        }
        if (data[position_] != '#') {
            return;
        }
        const std::uint32_t begin = position_;
        position_ = static_cast<std::uint32_t>(std::min<std::size_t>(text_.find('\n', begin), size_));
        const bool carriage_return = text_[position_ - 1] == '\r';
        if (comments_.empty() || comments_.back().begin < begin) {  // after going back, a comment is met again
            comments_.push_back({begin, position_ - carriage_return});
        }
    }
}

void Scanner::skip_space_before_label(std::string_view followers) {
    for (;;) {
        while (is_space(current())) {
            ++position_;
        }
        if (current() != '#') {
            return;
        }
        const std::uint32_t begin = position_;
        label_run();
        while (is_space(current())) {
            ++position_;
        }
        const bool is_label = !at_end() && followers.find(current()) != std::string_view::npos;
        position_ = begin;
        if (is_label) {
            return;
        }
        skip_space_here();
    }
}

std::string_view Scanner::name_run() noexcept {
    const std::uint32_t begin = position_;
    while (has_class(current(), name_class)) {
        ++position_;
    }
    return text(begin, position_);
}

std::string_view Scanner::label_run() noexcept {
    const std::uint32_t begin = position_;
    while (position_ < size_ && !has_class(current(), label_end_class)) {
        ++position_;
    }
    return text(begin, position_);
}

bool Scanner::number(double &value, bool octal) {
    const std::uint32_t begin = position_;
    const char *data = text_.data();
    if (data[begin] == '0' && (data[begin + 1] | 0x20) == 'x') {
        return hexadecimal(value, begin);
    }
    bool whole = true;
    std::uint32_t at = begin;
    while (is_digit(data[at])) {
        ++at;
    }
    if (data[at] == '.') {
        whole = false;
        do {
            ++at;
        } while (is_digit(data[at]));
    }
    if ((data[at] | 0x20) == 'e') {
        const std::uint32_t digits = at + 1 + (data[at + 1] == '+' || data[at + 1] == '-');
        if (!is_digit(data[digits])) {
            position_ = digits;
            name_run();
            return fail({begin, position_},
                        fmt::format("the exponent of '{}' has no digits", clipped(text(begin, position_))),
                        "an exponent looks like 1e6 or 1e-6");
        }
        whole = false;
        at = digits;
        while (is_digit(data[at])) {
            ++at;
        }
    }
    position_ = at;
    const std::string_view suffix = name_run();
    bool is_float = !whole;
    if (suffix == "in") {
        position_ = at;  // the operator: 1in[1]
    } else if (is_one_of(suffix, "fFdD")) {
        is_float = true;
    } else if (!suffix.empty() && !(whole && is_one_of(suffix, "lL"))) {
        return bad_number(begin);
    }
    if (current() == '.') {
        return bad_number(begin);
    }
    const std::string_view digits = text(begin, at);
    if (octal && !is_float && digits.size() > 1 && digits.front() == '0') {
        const std::size_t bad = digits.find_first_of("89");
        if (bad != std::string_view::npos) {
            return fail({begin, at},
                        fmt::format("'{}' is not an octal number: it has the digit {}", clipped(digits), digits[bad]),
                        "in the Java dialect a leading zero makes a number octal");
        }
        value = 0;
        for (const char digit : digits) {
            value = 8 * value + (digit - '0');
        }
        return true;
    }
    if (whole && digits.size() <= 15) {
        std::int64_t sum = 0;
        for (const char digit : digits) {
            sum = 10 * sum + (digit - '0');
        }
        value = static_cast<double>(sum);
        return true;
    }
    value = read_decimal(digits).value;
    return true;
}

bool Scanner::hexadecimal(double &value, std::uint32_t begin) {
    position_ = begin + 2;
    while (is_hex_digit(current())) {
        ++position_;
    }
    const std::string_view digits = text(begin + 2, position_);
    const std::uint32_t end = position_;
    const std::string_view suffix = name_run();
    if (digits.empty()) {
        return fail({begin, position_}, fmt::format("'{}' has no hexadecimal digits", clipped(text(begin, position_))),
                    "a hexadecimal number looks like 0x1F");
    }
    if (suffix == "in") {
        position_ = end;
    } else if ((!suffix.empty() && !is_one_of(suffix, "lL")) || current() == '.') {
        return bad_number(begin);
    }
    value = hexadecimal_value(digits);
    return true;
}

bool Scanner::bad_number(std::uint32_t begin) {
    position_ = begin;
    while (has_class(current(), name_class) || current() == '.') {
        ++position_;
    }
    const std::string_view run = text(begin, position_);
    const bool grouped = run.find_first_not_of("0123456789_") == std::string_view::npos;
    return fail({begin, position_}, fmt::format("'{}' is not a number", clipped(run)),
                grouped                                   ? "digits are written without '_'"
                : run.find('.') == std::string_view::npos ? "a name cannot begin with a digit"
                                                          : "");
}

bool Scanner::quoted(std::string_view &value, Arena &arena) {
    const std::uint32_t begin = position_;
    const std::size_t close = closing_quote(text_, begin);
    if (close == std::string_view::npos) {
        position_ = size_;
        return unclosed(begin);
    }
    value = text_.substr(begin + 1, close - begin - 1);
    if (value.find('\\') != std::string_view::npos) {
        std::string plain;
        if (auto problem = unescape(value, plain)) {
            return fail({static_cast<std::uint32_t>(begin + 1 + problem->begin),
                         static_cast<std::uint32_t>(begin + 1 + problem->end)},
                        std::move(problem->message), std::move(problem->hint));
        }
        value = arena.copy(std::string_view(plain));
    }
    position_ = static_cast<std::uint32_t>(close + 1);
    return true;
}

Failed Scanner::fail(Span span, std::string message, std::string hint) {
    if (!failure_) {
        failure_.emplace(Failure{span, std::move(message), std::move(hint), false});
    }
    return {};
}

Failed Scanner::expected(std::string_view what, std::string hint) {
    skip_space();
    if (!failure_) {
        const Span span = found_span();
        std::string message =
            at_end() ? fmt::format("expected {}, but the text ends here", what)
                     : fmt::format("expected {}, but found '{}'", what, clipped(text(span.begin, span.end)));
        failure_.emplace(Failure{span, std::move(message), std::move(hint), at_end()});
    }
    return {};
}

Failed Scanner::unclosed(std::uint32_t open) {
    if (!failure_) {
        const std::string_view before = text_.substr(0, open);
        const std::size_t newline = before.rfind('\n');
        const std::size_t line_begin = newline == std::string_view::npos ? 0 : newline + 1;
        const auto line = 1 + std::count(before.begin(), before.end(), '\n');
        const std::size_t column = 1 + count_code_points(before.substr(line_begin));
        const char c = text_[open];
        std::string message = is_quote(c)
                                  ? fmt::format("the string that begins at {}:{} has no closing quote", line, column)
                                  : fmt::format("the '{}' at {}:{} is not closed", c, line, column);
        failure_.emplace(Failure{{size_, size_}, std::move(message), {}, true});
    }
    return {};
}

Span Scanner::found_span() const noexcept {
    std::uint32_t end = position_;
    if (at_end()) {
        return {position_, position_};
    }
    if (has_class(current(), name_class)) {
        while (end < size_ && has_class(text_[end], name_class)) {
            ++end;
        }
        return {position_, end};
    }
    constexpr std::string_view doubled[] = {"==", "!=", "~=", "<=", ">=", "&&", "||"};
    for (const std::string_view pair : doubled) {
        if (text_.substr(position_, 2) == pair) {
            return {position_, position_ + 2};
        }
    }
    ++end;
    while (end < size_ && is_continuation_byte(text_[end])) {
        ++end;
    }
    return {position_, end};
}

}  // namespace tenrex::syntax

// A position in a text that is being read, and the first error. What the readers of types, literals and JSON share.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <tenrex/issue.h>

#include "lib/types/characters.h"

namespace tenrex {

// A text that was read: a label or a string.
struct TextToken {
    std::string_view text;  // in the source, or in `unescaped` if it was written with escapes
    std::string unescaped;
    std::size_t begin = 0;  // where it is written, with its quotes
    std::size_t end = 0;
};

class TextReader {
public:
    enum class Space { any, json };  // JSON knows no vertical tabs and form feeds

    explicit TextReader(std::string_view text, Space space = Space::any) noexcept : text_(text), space_(space) {}

    std::string_view text() const noexcept { return text_; }
    std::string_view rest() const noexcept { return text_.substr(position_); }
    std::size_t position() const noexcept { return position_; }
    bool at_end() const noexcept { return position_ == text_.size(); }
    void seek(std::size_t position) noexcept { position_ = position; }
    void advance(std::size_t count) noexcept { position_ += count; }

    void skip_space() noexcept {
        while (position_ < text_.size() && is_blank(text_[position_])) {
            ++position_;
        }
    }
    // The next character that is no white space; NUL at the end.
    char next() noexcept {
        skip_space();
        return peek();
    }
    char peek() const noexcept { return position_ < text_.size() ? text_[position_] : '\0'; }
    // Goes beyond the next character if it is `c`.
    bool accept(char c) noexcept {
        if (next() != c || at_end()) {
            return false;
        }
        ++position_;
        return true;
    }
    bool expect(char c) { return accept(c) || unexpected(std::string{'\'', c, '\''}); }

    // A name of letters, digits and '_' here; empty if there is none.
    std::string_view name() noexcept;

    // What stands here, for a message.
    std::string_view token() const noexcept;

    // These keep the first error and return false.
    bool fail(std::size_t begin, std::size_t end, std::string message, std::string hint = {});
    // Something else was expected here.
    bool unexpected(std::string_view expected, std::string hint = {});
    // After an element of a list: goes beyond ',', or beyond the closing bracket and is done.
    bool read_separator(char close, bool &done);
    // The text ends too early: more of it could mend that.
    bool fail_at_end(std::string message, std::string hint = {});
    // The text may not go on here.
    bool expect_end(std::string_view after);

    // The first error; there must be one.
    Error take_error() { return *std::move(error_); }

private:
    bool is_blank(char c) const noexcept { return is_space(c) && (space_ == Space::any || (c != '\v' && c != '\f')); }
    std::string_view text_;
    std::size_t position_ = 0;
    Space space_;
    std::optional<Error> error_;
};

// The bytes from begin to end of a text, as a span.
Span span_of(std::size_t begin, std::size_t end) noexcept;

}  // namespace tenrex

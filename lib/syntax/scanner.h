// Reads the tokens of an expression, one at a time, as the parser asks for them: what a character means depends on
// where it stands (labels, names and numbers overlap), so there is no list of tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/issue.h>

#include "lib/support/arena.h"
#include "lib/syntax/character_class.h"

namespace tenrex::syntax {

// The first thing that is wrong with a text.
struct Failure {
    Span span;
    std::string message;
    std::string hint;
    bool at_end;  // more text could mend it
};

// What a function of the parser returns when it has failed: false, or no node.
struct Failed {
    constexpr operator bool() const noexcept { return false; }
    template <class T>
    constexpr operator T *() const noexcept {
        return nullptr;
    }
};

class Scanner {
public:
    // The byte behind the text must be 0.
    explicit Scanner(std::string_view text) noexcept : text_(text), size_(static_cast<std::uint32_t>(text.size())) {}

    std::string_view text() const noexcept { return text_; }
    std::string_view text(std::uint32_t begin, std::uint32_t end) const noexcept {
        return text_.substr(begin, end - begin);
    }
    std::uint32_t position() const noexcept { return position_; }
    void move_to(std::uint32_t position) noexcept { position_ = position; }
    void advance(std::uint32_t bytes = 1) noexcept { position_ += bytes; }
    bool at_end() const noexcept { return position_ >= size_; }
    // The byte here, or a few bytes ahead; 0 at the end.
    char current() const noexcept { return text_.data()[position_]; }
    char ahead(std::uint32_t bytes) const noexcept {
        return position_ + bytes < size_ ? text_.data()[position_ + bytes] : '\0';
    }

    // White space and comments.
    void skip_space() {
        const char c = current();
        if (is_space(c) || c == '#') {
            skip_space_here();
        }
    }
    // The same where a label stands: a '#' begins a label, not a comment, if one of the followers comes behind it.
    void skip_space_before_label(std::string_view followers);
    // The character, if it is the next one behind white space.
    bool take(char c) {
        skip_space();
        if (current() != c) {
            return false;
        }
        ++position_;
        return true;
    }

    // The run of name characters here; it may be empty.
    std::string_view name_run() noexcept;
    // The label without quotes here: everything up to white space, ':', ',' or '}'; it may be empty.
    std::string_view label_run() noexcept;
    // The number here; the current character is a digit. Octal: a leading zero makes a whole number octal.
    bool number(double &value, bool octal);
    // The quoted string here, unescaped; the current character is the opening quote.
    bool quoted(std::string_view &value, Arena &arena);

    // Comments met so far.
    std::vector<Span> &comments() noexcept { return comments_; }

    // Notes what is wrong; the first failure counts.
    [[gnu::cold]] Failed fail(Span span, std::string message, std::string hint = {});
    // "expected ..., but found ...": what stands here is wrong.
    [[gnu::cold]] Failed expected(std::string_view what, std::string hint = {});
    // The text ended before the closing counterpart of the character at `open`.
    [[gnu::cold]] Failed unclosed(std::uint32_t open);
    const std::optional<Failure> &failure() const noexcept { return failure_; }
    void forget_failure() noexcept { failure_.reset(); }
    void replace_failure(Failure failure) { failure_ = std::move(failure); }

    // The token here.
    Span found_span() const noexcept;

private:
    void skip_space_here();
    bool bad_number(std::uint32_t begin);
    bool hexadecimal(double &value, std::uint32_t begin);

    std::string_view text_;
    std::uint32_t size_;
    std::uint32_t position_ = 0;
    std::vector<Span> comments_;
    std::optional<Failure> failure_;
};

}  // namespace tenrex::syntax

#include "lib/types/text_reader.h"

#include <algorithm>
#include <limits>

#include "lib/support/diagnostics.h"
#include "lib/support/format.h"
#include "lib/types/quoted_text.h"
#include "lib/types/utf8_text.h"

namespace tenrex {

namespace {

constexpr std::size_t longest_token = 200;  // bytes of a token that are looked at for a message

}  // namespace

Span span_of(std::size_t begin, std::size_t end) noexcept {
    constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
    return {static_cast<std::uint32_t>(std::min(begin, most)), static_cast<std::uint32_t>(std::min(end, most))};
}

std::string_view TextReader::name() noexcept {
    const std::string_view text = rest();
    if (text.empty() || !is_name_start(text.front())) {
        return {};
    }
    std::size_t length = 1;
    while (length < text.size() && is_name_char(text[length])) {
        ++length;
    }
    position_ += length;
    return text.substr(0, length);
}

std::string_view TextReader::token() const noexcept {
    const std::string_view text = rest().substr(0, longest_token);
    std::size_t length = 0;
    while (length < text.size() && (is_name_char(text[length]) || text[length] == '.')) {
        ++length;
    }
    if (length == 0) {
        length = std::max<std::size_t>(utf8_length(text), 1);
    }
    return text.substr(0, length);
}

bool TextReader::fail(std::size_t begin, std::size_t end, std::string message, std::string hint) {
    if (!error_) {
        Diagnostics diagnostics(text_);
        diagnostics.error(span_of(begin, end), std::move(message), std::move(hint));
        error_ = diagnostics.take_error();
    }
    return false;
}

bool TextReader::unexpected(std::string_view expected, std::string hint) {
    skip_space();
    if (!at_end()) {
        const std::string_view found = token();
        return fail(position_, position_ + found.size(),
                    fmt::format("expected {}, but found '{}'", expected, clipped(found)), std::move(hint));
    }
    return fail_at_end(fmt::format("expected {}, but the text ends here", expected), std::move(hint));
}

bool TextReader::fail_at_end(std::string message, std::string hint) {
    if (!error_) {
        Diagnostics diagnostics(text_);
        diagnostics.error_at_end(std::move(message), std::move(hint));
        error_ = diagnostics.take_error();
    }
    return false;
}

bool TextReader::read_separator(char close, bool &done) {
    done = accept(close);
    return done || accept(',') || unexpected(fmt::format("',' or '{}'", close));
}

bool TextReader::expect_end(std::string_view after) {
    skip_space();
    if (at_end()) {
        return true;
    }
    const std::string_view found = token();
    return fail(position_, position_ + found.size(), fmt::format("unexpected '{}' after {}", clipped(found), after));
}

}  // namespace tenrex

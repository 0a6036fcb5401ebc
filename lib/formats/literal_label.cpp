#include "lib/formats/literal_label.h"

#include <tenrex/formats.h>

#include "lib/support/format.h"
#include "lib/types/quoted_text.h"

namespace tenrex {

namespace {

constexpr std::string_view how_to_write = "a label is a word, or any text in quotes";

}  // namespace

bool read_quoted(TextReader &in, std::string_view what, TextToken &text) {
    const std::size_t open = in.position();
    const std::size_t close = closing_quote(in.text(), open);
    if (close == std::string_view::npos) {
        return in.fail_at_end(fmt::format("the {} in quotes does not end: {}", what, clipped(in.rest())),
                              fmt::format("end it with {}", in.peek()));
    }
    const std::string_view body = in.text().substr(open + 1, close - open - 1);
    text.text = body;
    if (body.find('\\') != std::string_view::npos) {
        text.unescaped.clear();
        if (auto problem = unescape(body, text.unescaped)) {
            return in.fail(open + 1 + problem->begin, open + 1 + problem->end, std::move(problem->message),
                           std::move(problem->hint));
        }
        text.text = text.unescaped;
    }
    in.seek(close + 1);
    return true;
}

bool read_label(TextReader &in, TextToken &label) {
    in.skip_space();
    label.begin = in.position();
    if (is_quote(in.peek())) {
        if (!read_quoted(in, "label", label)) {
            return false;
        }
        if (label.text.empty()) {
            return in.fail(label.begin, in.position(), "a label must not be empty");
        }
    } else {
        const std::string_view rest = in.rest();
        std::size_t length = 0;
        while (length < rest.size() && !ends_bare_label(rest[length])) {
            ++length;
        }
        if (length == 0) {
            return in.unexpected("a label", std::string(how_to_write));
        }
        label.text = rest.substr(0, length);
        in.advance(length);
    }
    label.end = in.position();
    return true;
}

std::string quoted_label(std::string_view label) {
    std::string out;
    append_label(out, label);
    return out;
}

}  // namespace tenrex

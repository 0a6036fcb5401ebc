#include "lib/types/literal_label.h"

#include "lib/support/format.h"
#include "lib/types/quoted_text.h"

namespace tenrex {

namespace {

constexpr std::string_view how_to_write = "a label is a word, or any text in quotes";

bool read_quoted(TextReader &in, TextToken &label) {
    const std::size_t open = in.position();
    const std::size_t close = closing_quote(in.text(), open);
    if (close == std::string_view::npos) {
        return in.fail_at_end(fmt::format("the label in quotes does not end: {}", clipped(in.rest())),
                              fmt::format("end it with {}", in.peek()));
    }
    const std::string_view body = in.text().substr(open + 1, close - open - 1);
    label.text = body;
    if (body.find('\\') != std::string_view::npos) {
        label.unescaped.clear();
        if (auto problem = unescape(body, label.unescaped)) {
            return in.fail(open + 1 + problem->begin, open + 1 + problem->end, std::move(problem->message),
                           std::move(problem->hint));
        }
        label.text = label.unescaped;
    }
    in.seek(close + 1);
    return true;
}

}  // namespace

bool read_label(TextReader &in, TextToken &label) {
    in.skip_space();
    label.begin = in.position();
    if (is_quote(in.peek())) {
        if (!read_quoted(in, label)) {
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

}  // namespace tenrex

#include "tools/text/text_lines.h"

#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "tools/rank/json_cursor.h"

namespace tenrex::tool {

namespace {

// The place as an issue of one line.
Error error_in(std::string_view line, std::size_t position, std::string message, std::string hint = {}) {
    Issue issue;
    issue.span = {static_cast<std::uint32_t>(position), static_cast<std::uint32_t>(position)};
    issue.column = 1;
    for (const char c : line.substr(0, position)) {
        issue.column += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
    }
    issue.message = std::move(message);
    issue.hint = std::move(hint);
    return Error(std::vector<Issue>{std::move(issue)});
}

}  // namespace

Result<TextLine> read_text_line(std::string_view line, PairUse pair) {
    constexpr const char *form = "a line is {\"text\": \"...\"}, or {\"text\": \"...\", \"pair\": \"...\"} with --pair";
    JsonCursor json(line);
    TextLine result;
    bool has_text = false;
    std::string_view name;
    std::string_view value;
    for (bool more = json.enter_object(name); more; more = json.next_member(name)) {
        const bool is_text = name == "text";
        const std::size_t at = json.position();
        if (name == "pair" && pair == PairUse::forbidden) {
            return error_in(line, at, "the line has a pair", "read pairs with --pair");
        }
        if (!is_text && (name != "pair" || pair == PairUse::ignored)) {
            json.skip(value);
        } else if (json.string(value)) {
            has_text |= is_text;
            (is_text ? result.text : result.pair.emplace()) = value;
        }
    }
    if (json.failed() || !json.finish()) {
        return error_in(line, json.position(), json.failed() ? json.problem() : "something stands behind the object",
                        form);
    }
    if (!has_text || (pair == PairUse::needed && !result.pair)) {
        return error_in(line, 0, fmt::format("the line lacks \"{}\"", has_text ? "pair" : "text"), form);
    }
    return result;
}

Error TextLines::error_at_line(const Error &error) const {
    return Error(error.issues(), fmt::format("{}:{}", file_.name(), lines_.line_number()));
}

Result<std::optional<TextLine>> TextLines::next() {
    for (;;) {
        switch (lines_.next()) {
            case LineReader::Event::line:
                if (lines_.line().find_first_not_of(" \t\r") == std::string_view::npos) {
                    continue;
                }
                if (auto line = read_text_line(lines_.line(), pair_)) {
                    return std::optional(*std::move(line));
                } else {
                    return error_at_line(line.error());
                }
            case LineReader::Event::too_long:
                return error_at_line(Error(fmt::format("the line is longer than {} bytes", longest_line)));
            case LineReader::Event::failure:
                failed_ = true;
                return Error(fmt::format("{} cannot be read: {}", file_.name(), std::strerror(lines_.error())));
            case LineReader::Event::end:
                return std::optional<TextLine>();
        }
    }
}

}  // namespace tenrex::tool

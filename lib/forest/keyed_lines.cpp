#include "lib/forest/keyed_lines.h"

#include <algorithm>
#include <charconv>
#include <type_traits>

#include "lib/types/number.h"
#include "lib/types/quoted_text.h"

namespace tenrex::forest {

void KeyedLines::fail(std::string_view where, std::string message, std::string hint) const {
    const auto begin = static_cast<std::size_t>(where.data() - source_.data());
    throw Broken{error_at(source_, FileKind::text, begin, begin + where.size(), std::move(message), std::move(hint))};
}

void KeyedLines::fail_at_end() const {
    fail(source_.substr(source_.size()), "the file ends before 'end of trees'", "the file is cut off: copy it again");
}

std::optional<std::string_view> KeyedLines::next_line() noexcept {
    if (at_ >= source_.size()) {
        return std::nullopt;
    }
    const std::size_t end = std::min(source_.find('\n', at_), source_.size());
    std::string_view line = source_.substr(at_, end - at_);
    at_ = std::min(end + 1, source_.size());
    if (line.ends_with('\r')) {
        line.remove_suffix(1);
    }
    return line;
}

KeyedLines::Part KeyedLines::next_part() {
    Part part;
    for (;;) {
        const std::size_t begin = at_;
        const auto line = next_line();
        if (!line) {
            fail_at_end();
        }
        if (line->empty() && !part.empty()) {
            return part;
        }
        if (line->starts_with("Tree=") || *line == "end of trees") {
            at_ = begin;
            return part;
        }
        const std::size_t sign = std::min(line->find('='), line->size());
        part[line->substr(0, sign)] = line->substr(std::min(sign + 1, line->size()));
    }
}

std::string_view KeyedLines::value(const Part &part, std::string_view key, std::string_view where) const {
    const auto found = part.find(key);
    if (found == part.end()) {
        fail(where, fmt::format("the line '{}=' is missing", key), "the file is damaged, or of another version");
    }
    return found->second;
}

template <class T>
std::vector<T> KeyedLines::numbers(std::string_view text) const {
    std::vector<T> values;
    while (!text.empty()) {
        if (text.front() == ' ') {
            text.remove_prefix(1);
            continue;
        }
        T value{};
        std::size_t length = 0;
        if constexpr (std::is_floating_point_v<T>) {
            const NumberText number = read_number(text);
            value = number.value;
            length = number.length;
        } else {
            const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
            length = read.ec == std::errc() ? static_cast<std::size_t>(read.ptr - text.data()) : 0;
        }
        if (length == 0 || (length < text.size() && text[length] != ' ')) {
            const std::string_view word = text.substr(0, text.find(' '));
            fail(word, fmt::format("'{}' is not a number that may stand here", clipped(word)));
        }
        values.push_back(value);
        text.remove_prefix(length);
    }
    return values;
}

template std::vector<double> KeyedLines::numbers(std::string_view text) const;
template std::vector<std::int32_t> KeyedLines::numbers(std::string_view text) const;
template std::vector<std::uint32_t> KeyedLines::numbers(std::string_view text) const;

}  // namespace tenrex::forest

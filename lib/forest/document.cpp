#include "lib/forest/document.h"

#include <cmath>
#include <type_traits>

#include "lib/support/diagnostics.h"
#include "lib/support/format.h"
#include "lib/types/characters.h"
#include "lib/types/number.h"
#include "lib/types/quoted_text.h"
#include "lib/types/text_reader.h"

namespace tenrex::forest {

Error error_at(std::string_view source, FileKind kind, std::size_t begin, std::size_t end, std::string message,
               std::string hint) {
    if (kind == FileKind::binary) {
        return Error(fmt::format("byte {}: {}", begin, message), std::move(hint));
    }
    Diagnostics diagnostics(source);
    diagnostics.error(span_of(begin, end), std::move(message), std::move(hint));
    return diagnostics.take_error();
}

namespace {

std::string_view kind_name(Document::Kind kind) noexcept {
    using Kind = Document::Kind;
    switch (kind) {
        case Kind::null:
            return "null";
        case Kind::number:
            return "a number";
        case Kind::text:
            return "a string";
        case Kind::object:
            return "an object";
        case Kind::list:
            return "a list";
        case Kind::numbers:
            return "a list of numbers";
    }
    __builtin_unreachable();
}

bool is_blank(char c) noexcept {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

// Reads the number at `at`, which words of JSON may stand for, and goes behind it.
bool read_item(const char *&at, const char *end, double &value) {
    const std::string_view rest(at, static_cast<std::size_t>(end - at));
    constexpr std::size_t most_digits = 64;
    for (const auto &[word, meaning] : {std::pair<std::string_view, double>{"true", 1}, {"false", 0}}) {
        if (rest.starts_with(word)) {
            at += word.size();
            value = meaning;
            return true;
        }
    }
    const NumberText number = read_number(rest.substr(0, most_digits));
    at += number.length;
    value = number.value;
    return number.length != 0;
}

bool read_item(const char *&at, const char *end, std::int32_t &value) {
    // Most have few digits.
    constexpr std::ptrdiff_t most_digits = 9;
    const bool is_negative = *at == '-';
    const char *const first = at + (is_negative ? 1 : 0);
    const char *behind = first;
    std::int32_t digits = 0;
    for (; behind != end && is_digit(*behind) && behind - first < most_digits; ++behind) {
        digits = digits * 10 + (*behind - '0');
    }
    if (behind != first && (behind == end || *behind == ',' || is_blank(*behind))) {
        value = is_negative ? -digits : digits;
        at = behind;
        return true;
    }
    double number = 0;
    if (!read_item(at, end, number) || !(number >= INT32_MIN && number <= INT32_MAX) || number != std::trunc(number)) {
        return false;
    }
    value = static_cast<std::int32_t>(number);
    return true;
}

template <class T>
bool convert(double number, T &value) {
    if constexpr (std::is_same_v<T, std::int32_t>) {
        if (!(number >= INT32_MIN && number <= INT32_MAX) || number != std::trunc(number)) {
            return false;
        }
    }
    value = static_cast<T>(number);
    return true;
}

template <class T>
constexpr std::string_view wanted = std::is_same_v<T, double> ? "a number" : "a whole number below 2^31";

}  // namespace

Document::Id Document::find(Id object, std::string_view key) const noexcept {
    if (kind(object) == Kind::object) {
        for (Id id = first(object); id != none; id = next(id)) {
            if (nodes_[id].key == key) {
                return id;
            }
        }
    }
    return none;
}

Error Document::error(Id id, std::string message, std::string hint) const {
    const Node &node = nodes_[id];
    return error_at(source_, file_kind_, node.begin, node.end, std::move(message), std::move(hint));
}

Result<Document::Id> Document::member(Id object, std::string_view key) const {
    const Id found = find(object, key);
    if (found != none) {
        return found;
    }
    if (kind(object) != Kind::object) {
        return error(object, fmt::format("here is {}, but an object with the member \"{}\" is expected",
                                         kind_name(kind(object)), key));
    }
    return error(object, fmt::format("the object lacks the member \"{}\"", key),
                 "the file may be of another version of the trainer, or of another program");
}

Result<std::string_view> Document::text(Id id) const {
    if (kind(id) != Kind::text) {
        return error(id, fmt::format("here is {}, but a string is expected", kind_name(kind(id))));
    }
    return nodes_[id].text;
}

Result<double> Document::number(Id id) const {
    const Node &node = nodes_[id];
    if (node.kind == Kind::number) {
        return node.number;
    }
    if (node.kind == Kind::text) {
        const NumberText number = read_number(node.text);
        if (number.length != 0 && number.length == node.text.size()) {
            return number.value;
        }
        return error(id, fmt::format("the text \"{}\" is no number", clipped(node.text)));
    }
    return error(id, fmt::format("here is {}, but a number is expected", kind_name(node.kind)));
}

Result<std::int64_t> Document::integer(Id id, std::int64_t least, std::int64_t most) const {
    const Result<double> value = number(id);
    if (!value) {
        return value.error();
    }
    if (!(*value >= static_cast<double>(least) && *value <= static_cast<double>(most)) ||
        *value != std::trunc(*value)) {
        return error(id, fmt::format("{} is no whole number from {} to {}", *value, least, most));
    }
    return static_cast<std::int64_t>(*value);
}

template <class T>
Result<std::vector<T>> Document::read_numbers(Id id) const {
    const Node &node = nodes_[id];
    std::vector<T> values;
    if (node.kind == Kind::list) {
        for (Id item = node.first; item != none; item = next(item)) {
            const Result<double> value = number(item);
            if (!value) {
                return value.error();
            }
            if (!convert(*value, values.emplace_back())) {
                return error(item, fmt::format("{} is not {}", *value, wanted<T>));
            }
        }
        return values;
    }
    if (node.kind != Kind::numbers) {
        return error(id, fmt::format("here is {}, but a list of numbers is expected", kind_name(node.kind)));
    }
    const char *const begin = node.text.data();
    const char *const end = begin + node.text.size();
    const auto place = [&](const char *at) { return static_cast<std::size_t>(at - source_.data()); };
    if (node.type != 0) {
        const std::size_t size = ubjson_size(node.type);
        values.reserve(node.text.size() / size);
        for (const char *at = begin; at != end; at += size) {
            if (!convert(ubjson_number(node.type, at), values.emplace_back())) {
                return error_at(source_, file_kind_, place(at), place(at) + size,
                                fmt::format("here is not {}", wanted<T>));
            }
        }
        return values;
    }
    // An item and its comma take so many bytes at least; few numbers with a fraction have less than twice as many.
    values.reserve(node.text.size() / (std::is_same_v<T, double> ? 4 : 2) + 1);
    const auto skip_blanks = [&](const char *at) {
        while (at != end && is_blank(*at)) {
            ++at;
        }
        return at;
    };
    for (const char *at = skip_blanks(begin); at != end;) {
        if (!read_item(at, end, values.emplace_back())) {
            return error_at(source_, file_kind_, place(at), place(at) + 1,
                            fmt::format("{} is expected here", wanted<T>));
        }
        at = skip_blanks(at);
        if (at != end && (*at != ',' || skip_blanks(at + 1) == end)) {
            return error_at(source_, file_kind_, place(at), place(at) + 1,
                            "a comma between two numbers is expected here");
        }
        at = at == end ? end : skip_blanks(at + 1);
    }
    return values;
}

Result<std::vector<double>> Document::numbers(Id id) const {
    return read_numbers<double>(id);
}

Result<std::vector<std::int32_t>> Document::integers(Id id) const {
    return read_numbers<std::int32_t>(id);
}

}  // namespace tenrex::forest

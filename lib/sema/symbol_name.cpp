#include "lib/sema/symbol_name.h"

#include <algorithm>

#include "lib/support/format.h"

namespace tenrex::sema {

namespace {

constexpr bool is_space(char c) noexcept {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

constexpr bool is_name_char(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '@' ||
           c == '$';
}

// Position behind the string that begins at `at`; npos if it does not end.
std::size_t skip_string(std::string_view text, std::size_t at) noexcept {
    for (std::size_t i = at + 1; i < text.size(); ++i) {
        if (text[i] == '\\') {
            ++i;
        } else if (text[i] == '"') {
            return i + 1;
        }
    }
    return std::string_view::npos;
}

// Position behind the parenthesis that matches the one at `at`; npos if there is none.
std::size_t skip_parentheses(std::string_view text, std::size_t at) noexcept {
    std::size_t open = 0;
    for (std::size_t i = at; i < text.size();) {
        if (text[i] == '"') {
            i = skip_string(text, i);
            if (i == std::string_view::npos) {
                return i;
            }
            continue;
        }
        open += text[i] == '(';
        if (text[i] == ')' && --open == 0) {
            return i + 1;
        }
        ++i;
    }
    return std::string_view::npos;
}

std::size_t skip_name(std::string_view text, std::size_t at, bool dots) noexcept {
    while (at < text.size() && (is_name_char(text[at]) || (dots && text[at] == '.'))) {
        ++at;
    }
    return at;
}

}  // namespace

bool is_normal_name(std::string_view name) noexcept {
    if (name.starts_with('$')) {
        return false;
    }
    for (char c : name) {
        if (is_space(c)) {
            return false;  // perhaps inside quotes: the slow way decides
        }
    }
    return true;
}

std::string normal_name(std::string_view name) {
    std::string result;
    result.reserve(name.size() + 8);
    for (std::size_t i = 0; i < name.size();) {
        if (name[i] == '"') {
            const std::size_t end = std::min(skip_string(name, i), name.size());
            result.append(name.substr(i, end - i));
            i = end;
            continue;
        }
        if (!is_space(name[i])) {
            result += name[i];
        }
        ++i;
    }
    if (result.starts_with('$')) {
        result = "query(" + result.substr(1) + ")";
    }
    return result;
}

NameProblem split_name(std::string_view normal, NameParts &parts) {
    parts = {};
    if (normal.empty()) {
        return {"a name must not be empty", {}};
    }
    const std::size_t base_end = skip_name(normal, 0, false);
    parts.base = normal.substr(0, base_end);
    std::size_t at = base_end;
    if (parts.base.empty()) {
        return {fmt::format("'{}' is no name: it must begin with a letter, '_' or '@'", normal), {}};
    }
    const char first = parts.base.front();
    if (first >= '0' && first <= '9') {
        return {fmt::format("'{}' is no name: it begins with a digit, so an expression would read a number", normal),
                {}};
    }
    if (at < normal.size() && normal[at] == '(') {
        const std::size_t end = skip_parentheses(normal, at);
        if (end == std::string_view::npos) {
            return {fmt::format("'{}' is no name: a parenthesis or quote is not closed", normal), {}};
        }
        parts.is_call = true;
        parts.arguments = normal.substr(at + 1, end - at - 2);
        at = end;
    }
    if (at < normal.size() && normal[at] == '.') {
        const std::size_t end = skip_name(normal, at + 1, true);
        parts.output = normal.substr(at + 1, end - at - 1);
        at = end;
    }
    if (at < normal.size()) {
        return {fmt::format("'{}' is no name: '{}' does not belong there", normal, normal.substr(at)),
                "names look like bm25(title), attribute(a), query(q).out or price"};
    }
    return {};
}

}  // namespace tenrex::sema

#include "tools/rank/retrieve_argument.h"

#include <charconv>
#include <optional>
#include <vector>

#include <fmt/format.h>

namespace tenrex::tool {

namespace {

constexpr const char *forms =
    "write nearestNeighbor(FIELD,QUERY) or userQuery(), with {targetHits:100} in front of it if you like";

std::string_view without_spaces(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\"'");
    return begin == std::string_view::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\"'") + 1 - begin);
}

std::vector<std::string_view> split(std::string_view text) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t comma = text.find(',');
        parts.push_back(without_spaces(text.substr(0, comma)));
        if (comma == std::string_view::npos) {
            return parts;
        }
        text.remove_prefix(comma + 1);
    }
}

std::optional<std::size_t> number(std::string_view text) {
    std::size_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    constexpr std::size_t most = 1'000'000;
    return problem == std::errc() && end == text.data() + text.size() && value <= most ? std::optional(value)
                                                                                       : std::nullopt;
}

// name:value of what stands in braces.
std::optional<Error> annotate(RetrieveArgument &argument, std::string_view annotation) {
    const std::size_t colon = annotation.find(':');
    const std::string_view name = without_spaces(annotation.substr(0, colon));
    const std::string_view value = colon == std::string_view::npos ? "" : without_spaces(annotation.substr(colon + 1));
    if (name == "targetHits" || name == "hnsw.exploreAdditionalHits") {
        const auto count = number(value);
        if (!count || (name == "targetHits" && *count == 0)) {
            return Error(fmt::format("{} needs a number up to a million, found \"{}\"", name, value));
        }
        (name == "targetHits" ? argument.target_hits : argument.explored_beyond) = *count;
        return std::nullopt;
    }
    if (name == "approximate" && (value == "true" || value == "false")) {
        argument.approximate = value == "true";
        return std::nullopt;
    }
    return Error(fmt::format("\"{}\" is not known here", annotation),
                 "targetHits, approximate (true or false) and hnsw.exploreAdditionalHits are");
}

}  // namespace

Result<RetrieveArgument> parse_retrieve(std::string_view text) {
    RetrieveArgument argument;
    std::string_view rest = without_spaces(text);
    if (rest.starts_with('{')) {
        const std::size_t close = rest.find('}');
        if (close == std::string_view::npos) {
            return Error(fmt::format("\"{}\" has no closing brace", text), forms);
        }
        for (const std::string_view annotation : split(rest.substr(1, close - 1))) {
            if (const auto error = annotate(argument, annotation)) {
                return *error;
            }
        }
        rest = without_spaces(rest.substr(close + 1));
    }
    const std::size_t open = rest.find('(');
    if (open == std::string_view::npos || !rest.ends_with(')')) {
        return Error(fmt::format("\"{}\" is no call", text), forms);
    }
    const std::string_view name = without_spaces(rest.substr(0, open));
    const std::string_view inside = without_spaces(rest.substr(open + 1, rest.size() - open - 2));
    if (name == "userQuery" && inside.empty()) {
        return argument;
    }
    const std::vector<std::string_view> parts = split(inside);
    if (name != "nearestNeighbor" || parts.size() != 2 || parts[0].empty() || parts[1].empty()) {
        return Error(fmt::format("\"{}\" retrieves nothing that is known", text), forms);
    }
    argument.attribute = parts[0];
    argument.query = parts[1];
    return argument;
}

}  // namespace tenrex::tool

#include "tools/function_help.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tenrex/formats.h>
#include <tenrex/language.h>

#include "tools/evaluation.h"

namespace tenrex::tool {

namespace {

void list(std::string &text, std::string_view heading, const std::vector<FunctionHelp> &entries) {
    std::size_t width = 0;
    for (const FunctionHelp &entry : entries) {
        width = std::max(width, entry.signature.size());
    }
    width = std::min<std::size_t>(width, 40);
    text += fmt::format("{}{}\n", text.empty() ? "" : "\n", heading);
    for (const FunctionHelp &entry : entries) {
        text += fmt::format("  {:<{}}  {}\n", entry.signature, width, entry.summary);
    }
}

void explain(std::string &text, const std::vector<FunctionHelp> &entries, std::string_view name) {
    for (const FunctionHelp &entry : entries) {
        if (entry.name == name) {
            text += fmt::format("{}\n  {}\n", entry.signature, entry.summary);
        }
    }
}

constexpr std::size_t shortest_word = 2;  // a letter is in every line

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool contains(std::string_view text, std::string_view word) {
    return std::search(text.begin(), text.end(), word.begin(), word.end(),
                       [](char a, char b) { return lower(a) == lower(b); }) != text.end();
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] != b[j - 1] ? 1 : 0);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

std::string list_functions() {
    std::string text;
    list(text, "Functions", functions());
    list(text, "Operators, those that bind tightest first", operators());
    list(text, "Aggregators of reduce", aggregators());
    return text;
}

std::optional<std::string> explain_function(std::string_view name) {
    std::string text;
    explain(text, functions(), name);
    explain(text, operators(), name);
    if (text.empty()) {
        explain(text, aggregators(), name);
    }
    if (text.empty()) {
        return std::nullopt;
    }
    const std::string_view example = example_of(name);
    if (!example.empty()) {
        text += fmt::format("\n  example  {}\n", example);
        const auto checked = check(example, {}, {});
        const auto value = checked ? evaluate(*checked, Engine::reference) : Result<Tensor>(checked.error());
        if (value) {
            text += fmt::format("  result   {}\n", to_literal(*value));
        }
    }
    return text;
}

std::optional<std::string> search_functions(std::string_view word) {
    std::string text;
    for (const auto &[heading, entries] : {std::pair("Functions", &functions()),
                                           {"Operators", &operators()},
                                           {"Aggregators of reduce", &aggregators()}}) {
        std::vector<FunctionHelp> found;
        std::copy_if(entries->begin(), entries->end(), std::back_inserter(found), [&](const FunctionHelp &entry) {
            return contains(entry.name, word) || contains(entry.summary, word);
        });
        if (!found.empty()) {
            list(text, heading, found);
        }
    }
    const std::string_view instead = instead_of(word);
    if (!instead.empty()) {
        text = fmt::format("there is no {}: {}\n{}{}", word, instead, text.empty() ? "" : "\n", text);
    }
    return text.empty() || word.size() < shortest_word ? std::nullopt : std::optional(std::move(text));
}

std::string suggest_function(std::string_view name) {
    std::string_view best;
    std::size_t least = name.size() > 64 ? 0 : std::max<std::size_t>(2, (name.size() + 2) / 3);
    for (const FunctionHelp &entry : functions()) {
        const std::size_t distance = least == 0 ? 1 : edit_distance(name, entry.name);
        if (distance < least) {
            least = distance;
            best = entry.name;
        }
    }
    return best.empty() ? std::string() : fmt::format("; did you mean \"{}\"?", best);
}

std::string_view example_of(std::string_view function) {
    const auto found = std::find_if(functions().begin(), functions().end(),
                                    [&](const FunctionHelp &entry) { return entry.name == function; });
    return found == functions().end() ? std::string_view() : found->example;
}

}  // namespace tenrex::tool

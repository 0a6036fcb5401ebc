#include "tools/repl/completion.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <tenrex/cell_type.h>
#include <tenrex/language.h>

#include "tools/repl/commands.h"

namespace tenrex::tool {

namespace {

bool is_word_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
           c == '@';
}

std::size_t word_begin(std::string_view text, std::size_t end) {
    while (end > 0 && is_word_char(text[end - 1])) {
        --end;
    }
    return end;
}

void add_dimensions(std::vector<std::string> &words, const Session &session) {
    for (const auto &[name, value] : session.inputs()) {
        for (const Dimension &dimension : value.type().dimensions()) {
            words.push_back(dimension.name);
        }
    }
}

void add_cell_types(std::vector<std::string> &words) {
    for (CellType type : all_cell_types) {
        words.emplace_back(name(type));
    }
}

void add_functions(std::vector<std::string> &words, std::string_view behind) {
    for (const FunctionHelp &function : functions()) {
        words.emplace_back(std::string(function.name).append(behind));
    }
}

void add_inputs(std::vector<std::string> &words, const Session &session) {
    for (const auto &[name, value] : session.inputs()) {
        words.push_back(name);
    }
}

// The call or bracket that the cursor is in: its name, and the bracket itself.
struct Enclosing {
    std::string_view name;
    char bracket = '\0';
    std::size_t commas = 0;  // arguments before the one at the cursor
    std::string_view first;  // the first argument, if there is one before
};

Enclosing enclosing(std::string_view text, std::size_t end) {
    std::size_t closed = 0;
    std::size_t first_comma = 0;
    Enclosing found;
    for (std::size_t i = end; i-- > 0;) {
        const char c = text[i];
        if (c == ')' || c == '}' || c == ']') {
            ++closed;
        } else if (c == '(' || c == '{' || c == '[') {
            if (closed == 0) {
                const std::size_t begin = word_begin(text, i);
                found.name = text.substr(begin, i - begin);
                found.bracket = c;
                found.first = found.commas == 0 ? "" : text.substr(i + 1, first_comma - i - 1);
                return found;
            }
            --closed;
        } else if (c == ',' && closed == 0) {
            ++found.commas;
            first_comma = i;
        }
    }
    return {};
}

// Whether the argument at the cursor is a dimension and nothing else, as the signature of the function says. That of
// max and min may also be a value.
bool takes_dimension(const Enclosing &place) {
    for (const FunctionHelp &function : functions()) {
        std::string_view rest = function.signature;
        if (function.name != place.name || rest.find(") or ") != std::string_view::npos) {
            continue;
        }
        for (std::size_t i = 0; !rest.empty(); ++i) {
            const std::size_t comma = std::min(rest.find(','), rest.size());
            if (rest.substr(0, comma).find("dimension") != std::string_view::npos) {
                return place.commas >= i;
            }
            rest.remove_prefix(std::min(comma + 1, rest.size()));
        }
    }
    return false;
}

// The dimensions of the first argument, if it is right as it stands and the function takes one tensor; else all.
void add_dimensions_of(std::vector<std::string> &words, const Enclosing &place, const Session &session) {
    const auto checked = session.check(place.first, 0);
    if (!checked || checked->expression.type().is_scalar()) {
        add_dimensions(words, session);
        return;
    }
    for (const Dimension &dimension : checked->expression.type().dimensions()) {
        words.push_back(dimension.name);
    }
}

// The candidates that continue the text from `start` on.
Completion matching(std::string_view text, std::size_t start, std::size_t cursor, std::vector<std::string> words) {
    const std::string_view prefix = text.substr(start, cursor - start);
    std::erase_if(words, [&](const std::string &word) { return !word.starts_with(prefix); });
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    return {start, std::move(words)};
}

Completion complete_file(std::string_view text, std::size_t start, std::size_t cursor) {
    namespace fs = std::filesystem;
    const std::string typed(text.substr(start, cursor - start));
    const std::size_t slash = typed.rfind('/');
    const std::string directory = slash == std::string::npos ? "" : typed.substr(0, slash + 1);
    const bool hidden = typed.size() > directory.size() && typed[directory.size()] == '.';
    std::vector<std::string> words;
    std::error_code error;
    for (fs::directory_iterator entry(directory.empty() ? "." : directory, error), end; !error && entry != end;
         entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (!name.starts_with('.') || hidden) {
            std::error_code ignored;
            words.push_back(directory + name + (entry->is_directory(ignored) ? "/" : ""));
        }
    }
    return matching(text, start, cursor, std::move(words));
}

// Names of inputs may contain parentheses and dots, so the text that one continues may begin before the last word:
// "query(e" is on its way to "query(embedding)". The longest text wins.
Completion complete_input(std::string_view text, std::size_t cursor, const Session &session) {
    std::vector<std::string> names;
    add_inputs(names, session);
    std::size_t longest = 0;
    for (const std::string &name : names) {
        longest = std::max(longest, name.size());
    }
    for (std::size_t start = cursor > longest ? cursor - longest : 0; start < cursor; ++start) {
        const bool boundary = start == 0 || !is_word_char(text[start - 1]);
        if (boundary && is_word_char(text[start])) {
            Completion found = matching(text, start, cursor, names);
            if (!found.candidates.empty()) {
                return found;
            }
        }
    }
    return {};
}

Completion complete_expression(std::string_view text, std::size_t begin, std::size_t cursor, const Session &session) {
    const std::size_t start = word_begin(text, cursor);
    const std::string_view before = text.substr(begin, start - std::min(begin, start));
    std::vector<std::string> words;
    if (before.ends_with("tensor<") || before.ends_with("range<") || before.ends_with("diag<")) {
        add_cell_types(words);
        return matching(text, start, cursor, std::move(words));
    }
    const Enclosing place = enclosing(before, before.size());
    if (place.bracket == '{' && !before.ends_with(':')) {
        add_dimensions(words, session);
        return matching(text, start, cursor, std::move(words));
    }
    if (place.bracket == '(' && place.commas >= 1) {
        if (place.name == "reduce" && place.commas == 1) {
            for (const FunctionHelp &aggregator : aggregators()) {
                words.emplace_back(aggregator.name);
            }
            return matching(text, start, cursor, std::move(words));
        }
        if (place.name == "cell_cast" || (place.name == "unpack_bits" && place.commas == 1)) {
            add_cell_types(words);
            return matching(text, start, cursor, std::move(words));
        }
        if (place.name == "rename" || takes_dimension(place)) {
            add_dimensions_of(words, place, session);
            return matching(text, start, cursor, std::move(words));
        }
        add_dimensions(words, session);  // max(t, x)
    }
    Completion inputs = complete_input(text, cursor, session);
    if (!inputs.candidates.empty() && inputs.start < start) {
        return inputs;
    }
    add_inputs(words, session);
    add_functions(words, "(");
    words.emplace_back("tensor");
    return matching(text, start, cursor, std::move(words));
}

}  // namespace

Completion complete(std::string_view text, std::size_t cursor, const Session &session) {
    cursor = std::min(cursor, text.size());
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin != std::string_view::npos && begin < cursor && text[begin] == ':') {
        const std::size_t end = std::min(text.find_first_of(" \t", begin), text.size());
        std::vector<std::string> words;
        if (cursor <= end) {
            for (const ReplCommand &command : repl_commands()) {
                words.push_back(":" + std::string(command.name) + (command.arguments.empty() ? "" : " "));
            }
            return matching(text, begin, cursor, std::move(words));
        }
        const ReplCommand *command = find_repl_command(text.substr(begin + 1, end - begin - 1));
        const std::size_t argument = std::min(text.find_first_not_of(" \t", end), cursor);
        switch (command == nullptr ? ArgumentKind::none : command->kind) {
            case ArgumentKind::none:
                return {cursor, {}};
            case ArgumentKind::file:
                return complete_file(text, argument, cursor);
            case ArgumentKind::input:
                add_inputs(words, session);
                break;
            case ArgumentKind::function:
                add_functions(words, "");
                break;
            case ArgumentKind::dialect:
                words = {"core", "java"};
                break;
            case ArgumentKind::on_off:
                words = {"off", "on"};
                break;
            case ArgumentKind::format:
                words = value_format_names();
                std::erase(words, std::string("binary"));
                words.emplace_back("default");
                break;
            case ArgumentKind::expression:
                return complete_expression(text, argument, cursor, session);
        }
        return matching(text, argument, cursor, std::move(words));
    }
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos) {
        const std::size_t value = text.find_first_not_of(" \t", equals + 1);
        if (value != std::string_view::npos && value < cursor && text[value] == '@') {
            return complete_file(text, value + 1, cursor);
        }
    }
    return complete_expression(text, 0, cursor, session);
}

std::string common_prefix(const std::vector<std::string> &candidates) {
    if (candidates.empty()) {
        return {};
    }
    std::string prefix = candidates.front();
    for (const std::string &candidate : candidates) {
        prefix.resize(static_cast<std::size_t>(
            std::mismatch(prefix.begin(), prefix.end(), candidate.begin(), candidate.end()).first - prefix.begin()));
    }
    return prefix;
}

}  // namespace tenrex::tool

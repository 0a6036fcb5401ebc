// What the program tells about the functions, operators and aggregators of the language.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tenrex::tool {

// All of them, a line each.
std::string list_functions();
// Signature, summary, and an example with its result; nothing if there is no function, operator or aggregator of that
// name.
std::optional<std::string> explain_function(std::string_view name);
// What has the word in its name or its summary, a line each, and what to write for a name of other languages; nothing
// if there is nothing of it.
std::optional<std::string> search_functions(std::string_view word);
// The name of a function most like the given one, as "; did you mean \"...\"?"; empty if none is near.
std::string suggest_function(std::string_view name);
// Letters to replace, add or leave out until the words are the same.
std::size_t edit_distance(std::string_view a, std::string_view b);
// An expression that shows the function, or empty.
std::string_view example_of(std::string_view function);

}  // namespace tenrex::tool

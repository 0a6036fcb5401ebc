// The names of inputs and features, and how they are compared.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tenrex::sema {

// The form in which names are compared: white space outside quotes removed, "$name" written as "query(name)".
std::string normal_name(std::string_view name);
// True if normal_name(name) is the name itself.
bool is_normal_name(std::string_view name) noexcept;

// A name in its parts: "fieldMatch(title).completeness" is base, arguments "title" and output.
struct NameParts {
    std::string_view base;
    std::string_view arguments;  // between the parentheses
    std::string_view output;     // behind the dot
    bool is_call = false;
};

struct NameProblem {
    std::string message;  // empty: the name is good
    std::string hint;
};
// Takes a normal name apart and says what is wrong with it, if anything.
NameProblem split_name(std::string_view normal, NameParts &parts);

}  // namespace tenrex::sema

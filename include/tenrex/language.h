// The vocabulary of the language, for help, completion and documentation.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <tenrex/export.h>

namespace tenrex {

struct FunctionHelp {
    std::string_view name;
    std::string_view signature;  // "softmax(t, dimension)"
    std::string_view summary;
    std::string_view example;  // "softmax(tensor(x[3]):[1,2,3], x)", which needs no inputs; empty for all but functions
};

// A name that other languages have, and what to write instead of it here.
struct ForeignName {
    std::string_view name;
    std::string_view instead;  // "write log(a)/log(2)"
};

// All functions with a name, sorted by it: scalar functions, tensor functions, `if` and `switch`.
TENREX_EXPORT const std::vector<FunctionHelp> &functions();
// All operators, tightest first.
TENREX_EXPORT const std::vector<FunctionHelp> &operators();
// The aggregators of reduce.
TENREX_EXPORT const std::vector<FunctionHelp> &aggregators();
// Sorted by name.
TENREX_EXPORT std::span<const ForeignName> foreign_names() noexcept;
// What to write instead of a name, however it is capitalized; empty if nothing is known of it.
TENREX_EXPORT std::string_view instead_of(std::string_view name) noexcept;

}  // namespace tenrex

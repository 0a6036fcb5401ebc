// The scalar functions and operators as an enumeration with their facts, from functions.def.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tenrex {

enum class ScalarFunction : std::uint8_t {
#define TENREX_FUNCTION(id, name, arity, from, to, summary, example) id,
#define TENREX_OPERATOR(id, symbol, arity, precedence, java_precedence, summary) id,
#include "lib/support/functions.def"
};

struct ScalarFunctionInfo {
    ScalarFunction id;
    std::string_view name;  // "sqrt", "+"
    std::uint8_t arity;     // 1 or 2
    bool is_operator;
    std::uint8_t precedence;       // of an operator
    std::uint8_t java_precedence;  // of an operator in the Java dialect
    double from, to;               // where tests draw arguments from
    std::string_view summary;
    std::string_view example;  // of a function that is no operator
};

inline constexpr ScalarFunctionInfo scalar_function_table[] = {
#define TENREX_FUNCTION(id, name, arity, from, to, summary, example) \
    {ScalarFunction::id, name, arity, false, 0, 0, from, to, summary, example},
#define TENREX_OPERATOR(id, symbol, arity, precedence, java_precedence, summary) \
    {ScalarFunction::id, symbol, arity, true, precedence, java_precedence, -10, 10, summary, {}},
#include "lib/support/functions.def"
};

constexpr const ScalarFunctionInfo &info(ScalarFunction function) noexcept {
    return scalar_function_table[static_cast<std::size_t>(function)];
}

// The named function (not an operator) of that name.
constexpr std::optional<ScalarFunction> scalar_function_from_name(std::string_view name) noexcept {
    for (const ScalarFunctionInfo &entry : scalar_function_table) {
        if (!entry.is_operator && entry.name == name) {
            return entry.id;
        }
    }
    return std::nullopt;
}

}  // namespace tenrex

// What is meant by values in the places of dimensions, as functions of other languages take them.
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

namespace tenrex::syntax {

struct ValueHabit {
    std::string_view function;
    bool of_tensors;  // else only of numbers, which have no dimensions
    std::string_view hint;
};

inline constexpr ValueHabit value_habits[] = {
    {"avg", false, "the mean of two numbers is (a + b) / 2"},
    {"max", true, "max of three values is max(max(a, b), c)"},
    {"min", true, "min of three values is min(min(a, b), c)"},
    {"prod", false, "numbers are multiplied with a * b"},
    {"sum", false, "numbers are added with a + b"},
};

// Empty if nothing is known of the function.
constexpr std::string_view hint_of_values(std::string_view function, bool of_number) noexcept {
    const auto *const habit =
        std::find_if(std::begin(value_habits), std::end(value_habits),
                     [&](const ValueHabit &one) { return one.function == function && (of_number || one.of_tensors); });
    return habit == std::end(value_habits) ? std::string_view() : habit->hint;
}

}  // namespace tenrex::syntax

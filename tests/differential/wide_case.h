// A random expression in a random arrangement: how it is compiled, and how its documents come. What is right is what
// three evaluations agree on: the reference evaluator, the plan without optimizations of each document alone, and the
// plan of the arrangement for a whole block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "tests/differential/arrangement.h"
#include "tests/reference/random_expression.h"

namespace tenrex::differential {

random::RandomExpression wide_expression(std::uint64_t seed, random::Numbers numbers);

// What cases had, counted: layouts of columns, settings, what the oracle did not decide.
using Counts = std::map<std::string, std::size_t>;

// What is wrong with what is compiled, or nothing; counts if wanted.
std::string problem(const random::RandomExpression &expression, random::Numbers numbers, const Arrangement &arrangement,
                    Counts *counts = nullptr);
// Such problems say that the oracle has no value: nothing is known of what is compiled.
inline constexpr std::string_view no_value = "the reference evaluator gives no value: ";
bool is_wrong(std::string_view problem);

}  // namespace tenrex::differential

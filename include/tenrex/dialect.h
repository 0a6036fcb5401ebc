// Which meaning a text has where the two ranking-expression languages differ.
#pragma once

#include <cstdint>

namespace tenrex {

enum class Dialect : std::uint8_t {
    core,  // the C++ evaluator's meaning: the default
    java   // the Java evaluator's: operator precedence, `in`, joining mapped with indexed, branches of `if`, concat,
           // merge
};

}  // namespace tenrex

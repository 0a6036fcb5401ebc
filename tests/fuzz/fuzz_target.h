// What a fuzz program is made of: one function that feeds bytes to the library and checks what must always hold.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include <tenrex/limits.h>

namespace tenrex::fuzz {

// Defined by each fuzz program. Any crash, sanitizer finding or failed require() is a bug of the library.
void run(std::string_view bytes);

// Ends the program with the text of what does not hold.
void require(bool holds, std::string_view what);

// Limits small enough that one run takes milliseconds however large the sizes that the bytes speak of.
Limits small_limits();

// Bytes of an expression with inputs: expression NUL name NUL value NUL name NUL value ...
struct ExpressionBytes {
    std::string_view expression;
    std::vector<std::pair<std::string_view, std::string_view>> inputs;
};
ExpressionBytes split(std::string_view bytes);

}  // namespace tenrex::fuzz

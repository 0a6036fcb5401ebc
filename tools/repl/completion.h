// What may stand at the cursor: functions, inputs, dimensions, aggregators, cell types, :commands, files.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tools/repl/session.h"

namespace tenrex::tool {

struct Completion {
    std::size_t start = 0;                // where the text that candidates replace begins; it ends at the cursor
    std::vector<std::string> candidates;  // sorted, each begins with that text
};

Completion complete(std::string_view text, std::size_t cursor, const Session &session);

// What all candidates have in common at their beginning.
std::string common_prefix(const std::vector<std::string> &candidates);

}  // namespace tenrex::tool

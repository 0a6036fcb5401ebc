// The tree of a gather.
#include <algorithm>

#include "lib/ir/payloads.h"

namespace tenrex::ir {

std::size_t Gather::source_count() const noexcept {
    std::size_t count = 0;
    for (const Operation &operation : operations) {
        count = operation.chooses() ? count : std::max<std::size_t>(count, operation.operand + std::size_t{1});
    }
    return count;
}

bool Gather::is_tree() const noexcept {
    std::size_t missing = 1;
    for (const Operation &operation : operations) {
        if (missing == 0) {
            return false;
        }
        operation.chooses() ? ++missing : --missing;
    }
    return missing == 0;
}

std::vector<std::array<std::uint32_t, 2>> Gather::branches() const {
    std::vector<std::array<std::uint32_t, 2>> result(operations.size());
    // From the back: what follows where a choice holds has been seen last.
    std::vector<std::uint32_t> seen;
    seen.reserve(operations.size());
    for (auto number = static_cast<std::uint32_t>(operations.size()); number-- > 0;) {
        if (operations[number].chooses()) {
            const std::uint32_t holds = seen.back();
            seen.pop_back();
            result[number] = {seen.back(), holds};
            seen.pop_back();
        }
        seen.push_back(number);
    }
    return result;
}

}  // namespace tenrex::ir

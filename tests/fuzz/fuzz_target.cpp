#include "tests/fuzz/fuzz_target.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace tenrex::fuzz {

void require(bool holds, std::string_view what) {
    if (!holds) {
        std::fprintf(stderr, "does not hold: %.*s\n", static_cast<int>(what.size()), what.data());
        std::abort();
    }
}

Limits small_limits() {
    Limits limits;
    limits.expression_bytes = 1 << 16;
    limits.nodes = 1 << 14;
    limits.block_cells = 1 << 12;
    limits.tensor_cells = 1 << 12;
    limits.value_bytes = 1 << 16;
    limits.evaluation_cells = 1 << 12;
    limits.evaluation_steps = 1 << 18;
    return limits;
}

ExpressionBytes split(std::string_view bytes) {
    std::vector<std::string_view> sections;
    constexpr std::size_t most_sections = 17;
    while (sections.size() < most_sections) {
        const std::size_t end = bytes.find('\0');
        sections.push_back(bytes.substr(0, end));
        if (end == std::string_view::npos) {
            break;
        }
        bytes.remove_prefix(end + 1);
    }
    ExpressionBytes result;
    result.expression = sections.front();
    for (std::size_t i = 1; i + 1 < sections.size(); i += 2) {
        result.inputs.emplace_back(sections[i], sections[i + 1]);
    }
    return result;
}

}  // namespace tenrex::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    tenrex::fuzz::run({reinterpret_cast<const char *>(data), size});
    return 0;
}

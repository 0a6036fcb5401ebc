// Estimates of work and texts about kernels that several steps share.
#pragma once

#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "lib/kernels/elementwise/elementwise_kernels.h"
#include "lib/kernels/registry.h"
#include "lib/program/blocks.h"
#include "lib/program/step.h"
#include "lib/support/format.h"
#include "lib/support/function_facts.h"

namespace tenrex::program {

// Of one that is no scalar function: 1.
inline double operations_for_cell(kernels::ElementwiseOperation operation) {
    const auto number = static_cast<std::size_t>(operation);
    return number < std::size(function_facts_table) ? function_facts_table[number].operations : 1;
}

// One block of the target from one block of each operand.
inline Work blockwise(const Target &target, std::span<const BlockUse> operands, double flops) {
    Work work{flops, 0, static_cast<double>(target.bytes), target.index && !target.of_shared, target.of_shared};
    for (const BlockUse &operand : operands) {
        work.bytes_read += static_cast<double>(operand.bytes);
    }
    return work;
}

// A block of the target is copied from elsewhere.
inline Work copying(const Target &target) {
    Work work = blockwise(target, {}, 0);
    work.bytes_read = work.bytes_written;
    return work;
}

// Addresses of so many labels are read, and as many made.
inline Work addressing(std::size_t read, std::size_t written) {
    return {0, static_cast<double>(read * sizeof(Label)), static_cast<double>(written * sizeof(Label)), true};
}

template <class K>
std::string list_candidates(const std::vector<kernels::Candidate<K>> &candidates) {
    std::string text;
    for (const kernels::Candidate<K> &candidate : candidates) {
        text += fmt::format("{:<9}{}: {}\n", candidate.verdict == kernels::Verdict::chosen ? "chosen" : "not",
                            full_name(*candidate.kernel), explain(candidate));
    }
    return text;
}

}  // namespace tenrex::program

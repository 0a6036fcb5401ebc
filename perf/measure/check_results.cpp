#include <bit>
#include <cstdint>
#include <span>

#include <fmt/format.h>

#include "perf/measure/measure.h"
#include "perf/measure/workload.h"
#include "tests/conformance/comparison.h"

namespace tenrex::perf {

namespace {

constexpr double oracle_seconds = 1;

// The oracle's values of the first documents.
Result<std::vector<BoundedTensor>> expected_values(const Workload &workload) {
    std::vector<BoundedTensor> expected;
    const double start = thread_seconds();
    for (const std::vector<NamedTensor> &document : workload.samples()) {
        std::vector<NamedTensor> values = document;
        values.insert(values.end(), workload.query_values().begin(), workload.query_values().end());
        auto value = workload.expression().evaluate_reference_bounded(values);
        if (!value) {
            return std::move(value).error();
        }
        expected.push_back(*std::move(value));
        if (thread_seconds() - start > oracle_seconds) {
            break;
        }
    }
    return expected;
}

std::string compare_with_oracle(const Workload &workload, const std::vector<BoundedTensor> &expected) {
    const std::size_t samples = expected.size();
    Context context(workload.plan());
    const std::vector<Column> columns = workload.columns();
    const auto actual = workload.query().evaluate_tensors({samples, columns}, context);
    if (!actual) {
        return actual.error().render();
    }
    const std::size_t outputs = workload.plan().outputs().size();
    for (std::size_t i = 0; i < samples; ++i) {
        const std::string text = conformance::difference((*actual)[(outputs - 1) * samples + i], expected[i]);
        if (!text.empty()) {
            return fmt::format("document {}: {}", i, text);
        }
    }
    return {};
}

std::string compare_block_sizes(const Workload &workload) {
    const auto one = all_scores(workload, 1);
    const auto many = all_scores(workload, 64);
    if (!one || !many) {
        return (one ? many : one).error().render();
    }
    for (std::size_t i = 0; i < one->size(); ++i) {
        // The same bits, whether they are a number or not.
        if (std::bit_cast<std::uint64_t>((*one)[i]) != std::bit_cast<std::uint64_t>((*many)[i])) {
            return fmt::format("document {}: {} in a block of one, {} in a block of 64", i, (*one)[i], (*many)[i]);
        }
    }
    return {};
}

}  // namespace

Verdict check_results(const Workload &workload) {
    Verdict verdict;
    const Result<std::vector<BoundedTensor>> expected = expected_values(workload);
    if (expected) {
        verdict.mistake = compare_with_oracle(workload, *expected);
    } else {
        verdict.unchecked = expected.error().message();
    }
    if (verdict.mistake.empty()) {
        verdict.mistake = compare_block_sizes(workload);
    }
    return verdict;
}

}  // namespace tenrex::perf

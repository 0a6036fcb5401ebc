// A small neural network over 10,000 documents, step by step from naive to compiled: what each optimization, blocks of
// documents and wider instructions add. One thread.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "perf/expressions/case_file.h"
#include "perf/measure/evaluation_timing.h"

namespace tenrex::perf {
namespace {

struct Rung {
    std::string what;
    CompileOptions options;
    std::size_t block_size = 1;
};

std::vector<Rung> ladder() {
    std::vector<Rung> rungs;
    CompileOptions options;
    options.max_isa = "baseline";
    const std::vector<std::string_view> passes = optimization_names();
    options.disabled_passes.assign(passes.begin(), passes.end());
    rungs.push_back({"compiled, no optimization", options, 1});
    for (const std::string_view pass : passes) {
        options.disabled_passes.erase(options.disabled_passes.begin());
        rungs.push_back({fmt::format("+ {}", pass), options, 1});
    }
    rungs.push_back({"+ blocks of 64 documents", options, 64});
    for (const char *isa : {"avx2", "native"}) {
        options.max_isa = isa;
        rungs.push_back({fmt::format("+ {} instructions", isa), options, 64});
    }
    return rungs;
}

// The greatest difference relative to the larger of 1 and the number.
double difference(const std::vector<double> &actual, const std::vector<double> &expected) {
    double greatest = 0;
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const double relative = std::fabs(actual[i] - expected[i]) / std::max(1.0, std::fabs(expected[i]));
        greatest = relative <= greatest ? greatest : relative;  // a NaN is the greatest
    }
    return greatest;
}

void print_row(const std::string &what, double nanoseconds, double before, double naive, double off) {
    std::puts(fmt::format("{:<34} {:>12.1f} {:>9.2f} {:>9} {:>9.0f} {:>11.1e}", what, nanoseconds, nanoseconds / 100,
                          fmt::format("{:.2f}", before / nanoseconds), naive / nanoseconds, off)
                  .c_str());
    std::fflush(stdout);
}

int fail(const Error &error) {
    std::fputs((error.render() + "\n").c_str(), stderr);
    return 1;
}

int run() {
    const Result<std::vector<Case>> cases = read_cases(TENREX_CASES);
    if (!cases) {
        return fail(cases.error());
    }
    const auto seed =
        std::find_if(cases->begin(), cases->end(), [](const Case &described) { return described.name == "seed.nn"; });
    if (seed == cases->end()) {
        return fail(Error("there is no case 'seed.nn'"));
    }
    WorkloadOptions options;
    options.documents = seed->documents;
    options.samples = seed->documents;
    const Result<Workload> workload = Workload::make(*seed, options);
    if (!workload) {
        return fail(workload.error());
    }
    std::vector<double> expected;
    const double start = thread_seconds();
    for (const std::vector<NamedTensor> &document : workload->samples()) {
        const Result<Tensor> value = workload->expression().evaluate_reference(document);
        if (!value) {
            return fail(value.error());
        }
        expected.push_back(value->as_double());
    }
    const double naive = (thread_seconds() - start) * 1e9 / static_cast<double>(expected.size());

    std::puts(fmt::format("A neural network, 7 attributes -> 14 -> 1, for {} documents, one thread\n\n"
                          "{:<34} {:>12} {:>9} {:>9} {:>9} {:>11}",
                          expected.size(), "", "ns/document", "ms in all", "x before", "x naive", "difference")
                  .c_str());
    print_row("naive, the reference evaluator", naive, naive, naive, 0);
    double before = naive;
    bool equal = true;
    for (const Rung &rung : ladder()) {
        options.compile = rung.options;
        options.samples = 0;
        const Result<Workload> compiled = Workload::make(*seed, options);
        if (!compiled) {
            return fail(compiled.error());
        }
        const Result<std::vector<double>> scores = all_scores(*compiled, rung.block_size);
        const Result<Timing> timing = time_blocks(*compiled, rung.block_size, {15, 0.01});
        if (!scores || !timing) {
            return fail(scores ? timing.error() : scores.error());
        }
        const double off = difference(*scores, expected);
        equal = equal && off <= 1e-9;
        print_row(rung.what, timing->least, before, naive, off);
        before = timing->least;
    }
    if (!equal) {
        return fail(Error("the scores differ from those of the reference evaluator"));
    }
    return 0;
}

}  // namespace
}  // namespace tenrex::perf

int main() {
    return tenrex::perf::run();
}

// A small neural network over 10,000 documents, step by step from naive to compiled: what stages, each optimization,
// blocks of documents and wider instructions add. One thread.
#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "perf/expressions/case_file.h"
#include "perf/expressions/ladder.h"

namespace tenrex::perf {
namespace {

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
    const Result<std::vector<RungFigures>> rungs =
        measure_ladder(*seed, {seed->documents, seed->documents, 5, {3, 0.01}});
    if (!rungs) {
        return fail(rungs.error());
    }
    std::puts(fmt::format("A neural network, 7 attributes -> 14 -> 1, for {} documents, one thread\n\n"
                          "{:<48} {:>12} {:>9} {:>9} {:>9} {:>11}",
                          seed->documents, "", "ns/document", "ms in all", "x before", "x naive", "difference")
                  .c_str());
    bool equal = true;
    const double naive = rungs->front().nanoseconds;
    double before = naive;
    for (const RungFigures &rung : *rungs) {
        std::puts(fmt::format("{:<48} {:>12.1f} {:>9.2f} {:>9.2f} {:>9.0f} {:>11}", rung.what, rung.nanoseconds,
                              rung.nanoseconds * 1e-6 * static_cast<double>(seed->documents), before / rung.nanoseconds,
                              naive / rung.nanoseconds, rung.difference ? fmt::format("{:.1e}", *rung.difference) : "")
                      .c_str());
        before = rung.nanoseconds;
        equal = equal && rung.difference.value_or(0) <= 1e-9;
    }
    return equal ? 0 : fail(Error("the scores differ from those of the reference evaluator"));
}

}  // namespace
}  // namespace tenrex::perf

int main() {
    return tenrex::perf::run();
}

// What the programs with Google Benchmark do once their benchmarks are registered.
#pragma once

#include <benchmark/benchmark.h>

namespace tenrex::perf {

// Runs those that the arguments choose; the exit status of the program.
inline int run_benchmarks(int argc, char **argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 1;
    }
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}

}  // namespace tenrex::perf

// Times what surrounds evaluating: from text to plan, exchange formats, loading and ranking documents, tokens of texts.
//
//   components_benchmark --benchmark_filter='^parse'
//
// Times are of the processor, by all threads. A figure for each document is the counter "document", in seconds.
#include "perf/benchmark_main.h"
#include "perf/components/components.h"

int main(int argc, char **argv) {
    tenrex::perf::add_expressions();
    tenrex::perf::add_formats();
    tenrex::perf::add_ranking();
    tenrex::perf::add_tokenizers();
    return tenrex::perf::run_benchmarks(argc, argv);
}

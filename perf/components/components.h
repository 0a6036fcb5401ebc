// Benchmarks of what surrounds evaluating; each function registers its own with Google Benchmark.
#pragma once

namespace tenrex::perf {

void add_expressions();  // parse, check and compile
void add_formats();      // read and write values
void add_ranking();      // load documents and rank them
void add_tokenizers();   // texts to tokens

}  // namespace tenrex::perf

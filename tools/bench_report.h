// What `tenrex bench` prints.
#pragma once

#include <string>

#include "perf/measure/figures.h"

namespace tenrex::tool {

// For people: a table with a row for each size of block, and with a profile one with a row for each step.
std::string bench_text(const perf::Figures &figures, const perf::MeasureOptions &options, const perf::Peaks &peaks);
// The same in a few lines.
std::string bench_summary(const perf::Figures &figures, const perf::MeasureOptions &options);
// One object on one line.
std::string bench_json(const perf::Figures &figures, const perf::MeasureOptions &options, const perf::Peaks &peaks,
                       const std::string &expression);

}  // namespace tenrex::tool

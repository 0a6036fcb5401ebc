// Figures as one JSON object, the same for the program, the benchmarks and the history.
#pragma once

#include <nlohmann/json.hpp>

#include "perf/measure/figures.h"

namespace tenrex::perf {

nlohmann::ordered_json to_json(const Figures &figures);
nlohmann::ordered_json to_json(const Peaks &peaks);

}  // namespace tenrex::perf

// Functions that never fall, or never rise, with one of their operands: the best of their values is the value of the
// best operand.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "lib/ir/graph.h"
#include "optimizer/ranges.h"

namespace tenrex::optimizer {

struct Monotone {
    std::size_t operand = 0;  // the one that has the dimensions
    bool rises = true;        // or else falls
    bool keeps_zero = false;  // 0 gives 0, of the same sign
    bool is_costly = false;
};

// Nothing if the largest (or smallest) value of the node over these dimensions may differ from the value of the
// operand's largest or smallest cell. Cells that are NaN are passed over unless all are. So a function must give NaN
// for NaN alone; or for others only where they are the last to be chosen, as log gives it below 0; or a number for NaN,
// if that is the last to be chosen.
std::optional<Monotone> monotone_in(const ir::Graph &graph, Ranges &ranges, ir::NodeId id,
                                    const std::vector<std::string> &dimensions, bool largest);

}  // namespace tenrex::optimizer

// What a gather is put together from: choices, and peeks at indexes that are computed.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "optimizer/fuse.h"

namespace tenrex::optimizer {

struct GatherPart {
    // Its operands are nodes, as long as not all operands of the gather are known.
    ir::Gather::Operation operation;
    // Of a choice: where it holds, and where it does not. Of a peek: its source.
    std::vector<ir::NodeId> reads;
};

// The choice or peek that a node is, if its numbers are known before its stage.
std::optional<GatherPart> known_part(const Patterns &patterns, ir::NodeId id);
// The same if the documents split its indexes: a choice by a number, or by a comparison of the index with a number, or
// a peek at the index to which numbers are added, with cells along one dimension.
std::optional<GatherPart> split_part(const Patterns &patterns, ir::NodeId id);
// Why the node is neither, although nearly; empty: it has nothing of either.
std::string_view why_no_part(const Patterns &patterns, ir::NodeId id);

}  // namespace tenrex::optimizer

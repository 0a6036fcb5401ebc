// Bits that a contraction reads where they are packed.
#pragma once

#include <optional>

#include "lib/lower/context.h"
#include "optimizer/packed_bits.h"

namespace tenrex::lower {

// The packed bits that a node without a value stands for.
inline std::optional<ir::NodeId> bits_read_in_place(const Context &context, ir::NodeId node) {
    return context.is_needed(node) ? std::nullopt : optimizer::packed_bits(context.graph(), node);
}

}  // namespace tenrex::lower

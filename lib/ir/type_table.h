// The types of the nodes of a graph, one object for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <tenrex/limits.h>
#include <tenrex/result.h>
#include <tenrex/tensor_type.h>

#include "lib/ir/infer.h"
#include "lib/ir/ops.h"
#include "lib/ir/payloads.h"
#include "lib/support/id_map.h"
#include "lib/support/stable_list.h"

namespace tenrex::ir {

class TypeTable {
public:
    // The object for an equal type.
    const TensorType *intern(const TensorType &type);
    const TensorType *scalar();
    // That of a result, or an error if it is beyond the limits. operand_types are of this table.
    Result<const TensorType *> inferred(Op op, CellType cell_type, std::span<const TensorType *const> operand_types,
                                        const Payload &payload, const Limits &limits);
    // What a caller puts the types of operands into.
    std::pmr::vector<const TensorType *> &operand_types() noexcept {
        room_.operand_types.clear();
        return room_.operand_types;
    }

private:
    StableList<TensorType> types_;
    IdMap index_;  // by hash
    const TensorType *scalar_ = nullptr;
    InferenceRoom room_;
};

}  // namespace tenrex::ir

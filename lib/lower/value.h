// Where the values of nodes are in a plan.
#pragma once

#include <string>
#include <vector>

#include <tenrex/tensor_type.h>

#include "lib/kernels/matmul/matmul_kernels.h"
#include "lib/program/blocks.h"
#include "lib/program/value.h"

namespace tenrex::lower {

using program::BlockAccess;
using program::BlockUse;
using program::CellsSlot;
using program::IndexedCells;
using program::IndexSlot;
using program::MapSlot;
using program::TableSlot;
using program::Target;
using program::WeightsSlot;

// Where the value of a node is.
struct Value {
    IndexSlot index;  // none: the node's type has no mapped dimensions
    CellsSlot cells;
    CellType cell_type = CellType::f64;
    // If there is a map, the cells have an index of their own, and the map leads from `index` to it.
    MapSlot map;
    IndexSlot cells_index;
    const kernels::MatmulKernel *packed_for = nullptr;  // that reads the cells, which have an order of its own
};

// A value and its type.
struct Operand {
    Value value;
    const TensorType *type;
};

// The common index of some operands, and how to get at the blocks of each from it.
struct Joined {
    struct Operand {
        BlockAccess access = BlockAccess::dense;
        MapSlot map;
    };
    IndexSlot index;
    std::vector<Operand> operands;
};

// An index and the names of its labels.
struct NamedIndex {
    IndexSlot slot;
    std::vector<std::string> names;
    friend bool operator==(const NamedIndex &, const NamedIndex &) = default;
};

// Names of the mapped dimensions, in order.
std::vector<std::string> mapped_names(const TensorType &type);

}  // namespace tenrex::lower

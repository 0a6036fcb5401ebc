// A compiled graph: three programs and the values that they make. Immutable once made, shared by any number of threads.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <tenrex/label.h>
#include <tenrex/limits.h>
#include <tenrex/result.h>
#include <tenrex/tensor.h>
#include <tenrex/tensor_type.h>
#include <tenrex/weight_store.h>

#include "lib/program/memory_planner.h"
#include "lib/program/step.h"
#include "lib/program/value.h"

namespace tenrex::program {

// A named value that comes in or goes out.
struct Port {
    std::string name;
    TensorType type;
    Stage stage = Stage::constant;  // of an output: when it is known
    CellsSlot cells;
    IndexSlot index;  // none: dense
    std::size_t block_bytes = 0;
    // Of an output with several open dimensions: a double for each of them, in the order of their names.
    std::vector<CellsSlot> sizes = {};
};

// A constant tensor and the values that hold it.
struct ConstantValue {
    std::shared_ptr<const Tensor> tensor;
    CellsSlot cells;
    IndexSlot index;
};

// What some cells of a store are, for explain.
struct CellsInfo {
    std::uint32_t number = 0;
    TensorType type;
    CellType cell_type = CellType::f64;  // of the cells, if not that of the type
};

// How many values of each kind a store has.
struct StoreShape {
    std::uint32_t cells = 0, indexes = 0, maps = 0, tables = 0, weights = 0, tiles = 0;
    std::vector<CellsInfo> infos;
    std::vector<PlannedCells> planned;
    std::size_t planned_bytes = 0;
    std::vector<BufferedCells> buffered;  // only of documents
    std::size_t buffers = 0;
    std::size_t tile_bytes = 0;
};

struct Plan {
    Program programs[3];
    StoreShape shapes[3];
    std::vector<Port> inputs;  // of queries and documents
    std::vector<Port> outputs;
    std::vector<ConstantValue> constants;
    std::vector<Placement> placements;
    std::shared_ptr<LabelTable> labels;    // of constants, queries and documents
    std::shared_ptr<WeightStore> weights;  // of packed constants
    HeldLabels own_labels;                 // those of constants, and those that are written in expressions
    std::size_t piece = 1;                 // documents that a program works on at a time
    Limits limits;
    MemoryBudget constant_memory;
    Store constant_store;  // what the constant program made
};

// Makes all values of the store that the stage's program writes to, gives planned cells their memory, and makes what
// the steps need. What the values take while the program runs counts in the budget, which outlives the store.
void prepare(Store &store, const Plan &plan, Stage stage, MemoryBudget &budget);

// The memory for the values of so many documents, or of a query, beside the planned cells: twice that of the cells that
// the limits allow, as cells have labels and steps need tables. Several documents at a time get half of it, so that one
// document alone is never refused because of its neighbours.
std::size_t most_memory(const Limits &limits, std::size_t documents);

// So many documents are a piece at most: what a step costs beside its kernel is then little for each of them, even if
// that has one cell.
inline constexpr std::size_t most_documents = 512;

// Chooses the size of a piece and lays out the planned cells. Error: those of a program go beyond the limits.
Status plan_memory(Plan &plan);

}  // namespace tenrex::program

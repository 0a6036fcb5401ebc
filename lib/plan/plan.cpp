#include "lib/plan/plan.h"

#include <algorithm>

namespace tenrex::plan {

namespace {

// What the cells of a piece of documents should fit in: beyond the first level of the cache there is little to gain
// from longer runs, and longer runs are what makes up for the cost of a step.
constexpr std::size_t piece_bytes = std::size_t{48} << 10;
constexpr std::size_t most_documents = 64;
constexpr std::size_t alignment = 64;

std::size_t aligned(std::size_t bytes) noexcept {
    return (bytes + alignment - 1) / alignment * alignment;
}

// Gives each range of steps the lowest memory that no overlapping one has. Returns the bytes needed.
std::size_t lay_out(std::vector<PlannedCells> &planned, std::size_t documents) {
    std::vector<const PlannedCells *> placed;
    std::size_t total = 0;
    std::vector<PlannedCells *> order;
    for (PlannedCells &cells : planned) {
        order.push_back(&cells);
    }
    std::sort(order.begin(), order.end(),
              [](const PlannedCells *a, const PlannedCells *b) { return a->first_step < b->first_step; });
    for (PlannedCells *cells : order) {
        std::erase_if(placed, [&](const PlannedCells *other) { return other->last_step < cells->first_step; });
        std::sort(placed.begin(), placed.end(),
                  [](const PlannedCells *a, const PlannedCells *b) { return a->offset < b->offset; });
        const std::size_t bytes = aligned(cells->bytes * documents);
        cells->offset = 0;
        for (const PlannedCells *other : placed) {
            if (other->offset >= cells->offset + bytes) {
                break;
            }
            cells->offset = std::max(cells->offset, other->offset + aligned(other->bytes * documents));
        }
        placed.push_back(cells);
        total = std::max(total, cells->offset + bytes);
    }
    return total;
}

}  // namespace

void prepare(Store &store, const StoreShape &shape, Stage stage) {
    store.cells.resize(shape.cells);
    store.indexes.resize(shape.indexes);
    store.maps.resize(shape.maps);
    store.tables.resize(shape.tables);
    store.weights.resize(shape.weights);
    std::byte *const memory = store.planned.room(std::max<std::size_t>(1, shape.planned_bytes));
    for (const PlannedCells &planned : shape.planned) {
        Cells &cells = store.cells[planned.number];
        cells.data = memory + planned.offset;
        cells.stride = stage == Stage::document ? static_cast<std::ptrdiff_t>(planned.bytes) : 0;
    }
}

void plan_memory(Plan &plan) {
    for (Stage stage : {Stage::constant, Stage::query}) {
        StoreShape &shape = plan.shapes[static_cast<int>(stage)];
        // Later programs read them at any time.
        for (PlannedCells &cells : shape.planned) {
            cells.last_step = ~std::size_t{0};
        }
        shape.planned_bytes = lay_out(shape.planned, 1);
    }
    StoreShape &shape = plan.shapes[static_cast<int>(Stage::document)];
    const std::size_t one = lay_out(shape.planned, 1);
    plan.piece = std::clamp<std::size_t>(piece_bytes / std::max<std::size_t>(1, one), 1, most_documents);
    shape.planned_bytes = lay_out(shape.planned, plan.piece);
}

}  // namespace tenrex::plan

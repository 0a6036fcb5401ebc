#include "lib/plan/plan.h"

#include <algorithm>

namespace tenrex::plan {

namespace {

// What the cells of a piece of documents should fit in: beyond the first level of the cache there is little to gain
// from longer runs, and longer runs are what makes up for the cost of a step.
constexpr std::size_t piece_bytes = std::size_t{48} << 10;

}  // namespace

void prepare(Store &store, const Plan &plan, Stage stage) {
    const StoreShape &shape = plan.shapes[static_cast<int>(stage)];
    store.cells.resize(shape.cells);
    store.indexes.resize(shape.indexes);
    store.maps.resize(shape.maps);
    store.tables.resize(shape.tables);
    store.weights.resize(shape.weights);
    store.tiles.resize(shape.tiles);
    std::byte *const memory = store.planned.room(std::max<std::size_t>(1, shape.planned_bytes));
    for (const PlannedCells &planned : shape.planned) {
        Cells &cells = store.cells[planned.number];
        cells.data = memory + planned.offset;
        cells.stride = stage == Stage::document ? static_cast<std::ptrdiff_t>(planned.bytes) : 0;
    }
    for (const auto &step : plan.programs[static_cast<int>(stage)]) {
        step->prepare(store);
    }
}

bool plan_memory(Plan &plan) {
    const std::uint64_t most_bytes = plan.limits.evaluation_cells * sizeof(double);
    for (Stage stage : {Stage::constant, Stage::query}) {
        // Later programs read them at any time.
        StoreShape &shape = plan.shapes[static_cast<int>(stage)];
        shape.planned_bytes = lay_out_for_good(shape.planned);
        if (shape.planned_bytes > most_bytes) {
            return false;
        }
    }
    StoreShape &shape = plan.shapes[static_cast<int>(Stage::document)];
    const std::size_t one = lay_out_by_lifetime(shape.planned, 1);
    if (one > most_bytes) {
        return false;
    }
    plan.piece = std::clamp<std::size_t>(piece_bytes / std::max<std::size_t>(1, one), 1, most_documents);
    shape.planned_bytes = lay_out_by_lifetime(shape.planned, plan.piece);
    return true;
}

}  // namespace tenrex::plan

#include "lib/plan/plan.h"

#include <algorithm>

#include "lib/plan/cache_line.h"

namespace tenrex::plan {

namespace {

// What the cells of a piece of documents should fit in: beyond the first level of the cache there is little to gain
// from longer runs, and longer runs are what makes up for the cost of a step.
constexpr std::size_t piece_bytes = std::size_t{48} << 10;

// One after the other, for good. Returns the bytes needed.
std::size_t lay_out_for_good(std::vector<PlannedCells> &planned) {
    std::size_t total = 0;
    for (PlannedCells &cells : planned) {
        cells.offset = total;
        total += whole_lines(cells.bytes);
    }
    return total;
}

// Gives each range of steps the lowest memory that no overlapping one has. Returns the bytes needed.
std::size_t lay_out(std::vector<PlannedCells> &planned, std::size_t documents) {
    // If more are needed at a time, the others get memory for good: the search must not grow with their square.
    constexpr std::size_t most_placed = 512;
    std::vector<const PlannedCells *> placed;  // by offset
    std::size_t total = 0;
    std::vector<PlannedCells *> order;
    order.reserve(planned.size());
    for (PlannedCells &cells : planned) {
        order.push_back(&cells);
    }
    std::sort(order.begin(), order.end(),
              [](const PlannedCells *a, const PlannedCells *b) { return a->first_step < b->first_step; });
    for (PlannedCells *cells : order) {
        std::erase_if(placed, [&](const PlannedCells *other) { return other->last_step < cells->first_step; });
        const std::size_t bytes = whole_lines(cells->bytes * documents);
        if (placed.size() == most_placed) {
            cells->offset = total;
            total += bytes;
            continue;
        }
        cells->offset = 0;
        auto next = placed.begin();
        for (; next != placed.end() && (*next)->offset < cells->offset + bytes; ++next) {
            cells->offset = std::max(cells->offset, (*next)->offset + whole_lines((*next)->bytes * documents));
        }
        placed.insert(next, cells);
        total = std::max(total, cells->offset + bytes);
    }
    return total;
}

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
    const std::size_t one = lay_out(shape.planned, 1);
    if (one > most_bytes) {
        return false;
    }
    plan.piece = std::clamp<std::size_t>(piece_bytes / std::max<std::size_t>(1, one), 1, most_documents);
    shape.planned_bytes = lay_out(shape.planned, plan.piece);
    return true;
}

}  // namespace tenrex::plan

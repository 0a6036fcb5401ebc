#include "lib/program/plan.h"

#include <algorithm>

#include "lib/program/cache_line.h"
#include "lib/support/format.h"

namespace tenrex::program {

namespace {

// What the cells of a piece of documents should fit in: beyond the first level of the cache there is little to gain
// from longer runs, and longer runs are what makes up for the cost of a step.
constexpr std::size_t piece_bytes = std::size_t{48} << 10;
// Documents of a piece whose values have a size that is not known before.
constexpr std::size_t most_unplanned_documents = 64;

// Of cells that are planned.
std::size_t most_bytes(const Limits &limits) {
    constexpr std::uint64_t most_cells = uncountable_bytes / (4 * sizeof(double));
    return std::min(limits.evaluation_cells, most_cells) * sizeof(double);
}

// What fits in a line of the cache, as numbers do, is not counted: a tensor as large as the limit may stand beside
// numbers.
bool is_beyond(const StoreShape &shape, std::size_t bytes, const Limits &limits) {
    const auto lines = std::count_if(shape.planned.begin(), shape.planned.end(),
                                     [](const PlannedCells &cells) { return cells.bytes <= sizeof(CacheLine); });
    return bytes > most_bytes(limits) + static_cast<std::size_t>(lines) * sizeof(CacheLine);
}

Error beyond_limits(const StoreShape &shape, std::size_t bytes, const Limits &limits) {
    const auto is_smaller = [](const PlannedCells &a, const PlannedCells &b) { return a.bytes < b.bytes; };
    const auto largest = std::max_element(shape.planned.begin(), shape.planned.end(), is_smaller);
    const auto info = std::find_if(shape.infos.begin(), shape.infos.end(),
                                   [&](const CellsInfo &cells) { return cells.number == largest->number; });
    const std::string type =
        info == shape.infos.end() ? "" : fmt::format(", the largest has type {}", info->type.to_string());
    return Error(fmt::format(
        "the expression is too large: values that are held at a time need room for {} cells of 8 bytes{}; the limit "
        "evaluation_cells is {}",
        bytes / sizeof(double), type, limits.evaluation_cells));
}

}  // namespace

void prepare(Store &store, const Plan &plan, Stage stage, MemoryBudget &budget) {
    const StoreShape &shape = plan.shapes[static_cast<int>(stage)];
    store.cells.resize(shape.cells);
    store.indexes.resize(shape.indexes);
    store.maps.resize(shape.maps);
    store.tables.resize(shape.tables);
    store.weights.resize(shape.weights);
    store.tiles.resize(shape.tiles);
    store.buffers.resize(shape.buffers);
    store.count_in(budget);
    for (const BufferedCells &buffered : shape.buffered) {
        store.cells[buffered.number].shared = &store.buffers[buffered.buffer];
    }
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

std::size_t most_memory(const Limits &limits, std::size_t documents) {
    // Fewer bytes than these are not worth counting: every array has at least a line of the cache.
    constexpr std::size_t least = std::size_t{1} << 20;
    return std::max(least, most_bytes(limits)) * (documents == 1 ? 2 : 1);
}

Status plan_memory(Plan &plan) {
    for (Stage stage : {Stage::constant, Stage::query}) {
        // Later programs read them at any time.
        StoreShape &shape = plan.shapes[static_cast<int>(stage)];
        shape.planned_bytes = lay_out_for_good(shape.planned);
        if (is_beyond(shape, shape.planned_bytes, plan.limits)) {
            return beyond_limits(shape, shape.planned_bytes, plan.limits);
        }
    }
    StoreShape &shape = plan.shapes[static_cast<int>(Stage::document)];
    const std::size_t one = lay_out_by_lifetime(shape.planned, 1);
    if (is_beyond(shape, one, plan.limits)) {
        return beyond_limits(shape, one, plan.limits);
    }
    // What is not planned is as large as the documents make it.
    const bool all_planned = shape.buffered.empty() && shape.indexes == 0;
    plan.piece = std::clamp<std::size_t>(piece_bytes / std::max<std::size_t>(1, one), 1,
                                         all_planned ? most_documents : most_unplanned_documents);
    shape.planned_bytes = lay_out_by_lifetime(shape.planned, plan.piece);
    shape.buffers = share_buffers(shape.buffered);
    return {};
}

}  // namespace tenrex::program

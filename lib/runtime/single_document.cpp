// Blocks of one document that want a score: what each of them costs beside its steps is here. Whatever is not as it
// mostly is goes the way of larger blocks, which also finds out what is wrong.
#include <cstring>
#include <new>

#include "lib/kernels/tile/tile_kernels.h"
#include "lib/program/run.h"
#include "lib/runtime/plan_content.h"

namespace tenrex {

namespace {

// The product of a number and the size of a column takes as long as the rest of what is done with it.
const Column &at_offset(const Column *columns, std::size_t bytes) noexcept {
    return *reinterpret_cast<const Column *>(reinterpret_cast<const std::byte *>(columns) + bytes);
}

void copy_cell(CellType type, std::byte *to, const std::byte *from) noexcept {
    type == CellType::f64 ? std::memcpy(to, from, sizeof(double)) : std::memcpy(to, from, sizeof(float));
}

}  // namespace

void Context::Content::find_places() {
    for (const PlacedPort &port : plan->placed_ports) {
        placed.push_back({port.column, store.tiles[port.placement.tiles].data() + port.placement.offset});
    }
    const program::Program &program = plan->plan->programs[static_cast<int>(Stage::document)];
    if (program.size() == 1 && program.front()->result() == plan->score) {
        formula = program.front()->single_formula(store);
    }
}

bool Query::Content::score_one(const Block &block, Context::Content *context, double *score) const noexcept try {
    const Plan::Content &content = *plan;
    if (!content.score || !fits(block, context)) {
        return false;
    }
    const Column *const columns = block.columns.data();
    program::Cells *const all_cells = context->store.cells.data();
    const DensePort *const ports = content.dense_ports.data();
    for (std::size_t i = 0; i < content.unplaced_ports; ++i) {
        if (!load_plain(all_cells[ports[i].cells], columns[ports[i].column], block.first)) {
            return false;
        }
    }
    const auto first = static_cast<std::ptrdiff_t>(block.first);
    const auto place = [&](const PlacedColumn *begin, const PlacedColumn *end, auto cell) {
#pragma GCC unroll 4
        for (const PlacedColumn *placed = begin; placed != end; ++placed) {
            const Column &column = at_offset(columns, placed->column);
            if (!column.plain_) {
                return false;
            }
            std::memcpy(&cell, static_cast<const std::byte *>(column.cells_) + first * column.stride_, sizeof(cell));
            std::memcpy(placed->place, &cell, sizeof(cell));
        }
        return true;
    };
    const PlacedColumn *const doubles = context->placed.data();
    const PlacedColumn *const floats = doubles + content.placed_doubles;
    if (!place(doubles, floats, double()) || !place(floats, doubles + context->placed.size(), float())) {
        return false;
    }
    for (const std::uint32_t number : content.sparse_columns) {
        if (!load_other(content.document_ports[number], columns[number], block.first, 1, *context)) {
            return false;
        }
    }
    if (const program::SingleFormula &formula = context->formula; !formula.operations.empty()) {
        for (const program::SingleFormula::EarlierCell &cell : formula.earlier) {
            const program::Store &earlier = cell.from.stage == Stage::query ? store : content.plan->constant_store;
            copy_cell(cell.type, cell.place, earlier.cells[cell.from.number].data);
        }
        kernels::compute_single_cells(formula.operations, formula.cells);
        std::memcpy(score, formula.result, sizeof(double));
        return true;
    }
    program::Frame &frame = frame_of(*context);
    frame.documents = 1;
    frame.are_placed = true;
    if (!program::run_program(content.plan->programs[static_cast<int>(Stage::document)], frame)) {
        return false;
    }
    std::memcpy(score, frame.cells(content.score).data, sizeof(double));
    return true;
} catch (const std::bad_alloc &) {
    // What earlier documents needed may be in the way.
    context->release();
    return false;
}

}  // namespace tenrex

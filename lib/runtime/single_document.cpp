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
    placed_floats = placed.cbegin() + static_cast<std::ptrdiff_t>(plan->placed_doubles);
    const program::Program &program = plan->plan->programs[static_cast<int>(Stage::document)];
    if (plan->score && program.size() == 1 && program.front()->result() == plan->score) {
        formula = program.front()->single_formula(store);
    }
    is_formula = formula.operations != nullptr && plan->unplaced_ports == 0 && plan->sparse_columns.empty();
}

// The cells of a document, where a formula reads them; false if a column does not have them.
inline bool Query::Content::place(const Context::Content &context, const Block &block) noexcept {
    const Column *const columns = block.columns.data();
    const auto first = static_cast<std::ptrdiff_t>(block.first);
    const auto put = [&](auto begin, auto end, auto cell) {
        for (; begin != end; ++begin) {
            const Column &column = at_offset(columns, begin->column);
            if (!column.plain_) {
                return false;
            }
            std::memcpy(&cell, static_cast<const std::byte *>(column.cells_) + first * column.stride_, sizeof(cell));
            std::memcpy(begin->place, &cell, sizeof(cell));
        }
        return true;
    };
    return put(context.placed.cbegin(), context.placed_floats, double()) &&
           put(context.placed_floats, context.placed.cend(), float());
}

inline bool Query::Content::score_one(const Block &block, Context::Content *context, double *score) const noexcept try {
    const Plan::Content &content = *plan;
    if (!content.score) {
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
    if (!place(*context, block)) {
        return false;
    }
    for (const std::uint32_t number : content.sparse_columns) {
        if (!load_other(content.document_ports[number], columns[number], block.first, 1, *context)) {
            return false;
        }
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

// Once for all documents that a context computes for a query; so it is kept out of what calls it.
[[gnu::noinline]] void Query::Content::place_earlier(Context::Content &context) const noexcept {
    for (const program::SingleFormula::EarlierCell &cell : context.formula.earlier) {
        const program::Store &earlier = cell.from.stage == Stage::query ? store : plan->plan->constant_store;
        copy_cell(cell.type, cell.place, earlier.cells[cell.from.number].data);
    }
    context.placed_query = serial;
}

// The formula of a context, whose cells of the document are in their places.
inline void Query::Content::compute(Context::Content &context, double *score) const noexcept {
    if (context.placed_query != serial) {
        place_earlier(context);
    }
    const program::SingleFormula &formula = context.formula;
    kernels::compute_single_cells(formula.operations, formula.cells);
    std::memcpy(score, formula.result, sizeof(double));
}

// What a function keeps over a call it saves first, which costs as much as an operation of a formula. So this one keeps
// little: whatever is no formula is done by functions of its own.
Status Query::evaluate(const Block &block, Context &context, std::span<double> scores) const {
    Context::Content *const own = context.content_.get();
    if (block.documents != 1 || scores.empty() || !content_->fits(block, own)) {
        return evaluate_block(block, context, scores);
    }
    if (!own->is_formula) {
        return evaluate_steps(block, context, scores);
    }
    if (!Content::place(*own, block)) {
        return evaluate_block(block, context, scores);
    }
    content_->compute(*own, scores.data());
    return {};
}

[[gnu::noinline]] Status Query::evaluate_steps(const Block &block, Context &context, std::span<double> scores) const {
    if (content_->score_one(block, context.content_.get(), scores.data())) {
        return {};
    }
    return evaluate_block(block, context, scores);
}

}  // namespace tenrex

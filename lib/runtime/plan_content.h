// What the handles of the public interface hold.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <tenrex/plan.h>

#include "lib/ir/graph.h"
#include "lib/kernels/isa.h"
#include "lib/program/piece_size.h"
#include "lib/program/plan.h"
#include "lib/runtime/source_text.h"
#include "optimizer/pass_manager.h"

namespace tenrex {

// Where the column of a document input goes.
struct DocumentPort {
    std::uint32_t input = 0;   // its place in plan->inputs
    std::uint32_t cells = 0;   // of the store
    std::uint32_t index = 0;   // of the store, if labels are not 0
    std::uint32_t labels = 0;  // of an address
    bool has_rows = false;     // of open dimensions: the labels are the indexes of a row
    std::size_t block_bytes = 0;
};

// The same for one without labels, in a few bytes: all of them are read for every block.
struct DensePort {
    std::uint32_t column = 0;
    std::uint32_t cells = 0;  // of the store
};

// The column of a document on its own whose cell a formula has a place for.
struct PlacedPort {
    std::size_t column = 0;  // bytes from the first one
    program::Placement placement;
};

// Where an output is computed.
struct OutputPlace {
    bool is_own = false;     // in cells of known size that no output before it has
    std::size_t offset = 0;  // of those, in Store::planned
};

struct Plan::Content {
    ir::Graph graph;
    std::shared_ptr<const SourceText> source;  // for explain; may be null
    std::shared_ptr<const program::Plan> plan;
    std::array<std::vector<Span>, 3> step_spans;  // by stage, of each step of the plan
    std::vector<Output> outputs;
    std::vector<OutputPlace> output_places;  // of each
    std::vector<InputDeclaration> document_inputs, query_inputs;
    std::vector<DocumentPort> document_ports;
    std::size_t document_columns = 0;      // how many there are, without a division
    std::vector<DensePort> dense_ports;    // of those without labels; last those that are only placed
    std::size_t unplaced_ports = 0;        // how many others there are
    std::vector<PlacedPort> placed_ports;  // the doubles first
    std::size_t placed_doubles = 0;
    std::vector<std::uint32_t> sparse_columns;  // the numbers of the others
    program::CellsSlot score;                   // the first output, if it is a scalar
    std::vector<std::size_t> query_ports;       // of each, its place in plan->inputs
    std::vector<Issue> warnings;
    std::vector<optimizer::PassReport> passes;
    kernels::Isa isa;
};

struct Query::Content {
    std::shared_ptr<const Plan::Content> plan;
    std::uint64_t serial;          // no other query has it, not even one that is gone; never 0
    program::MemoryBudget memory;  // of the store
    program::Store store;
    HeldLabels labels;  // of the query's values
    program::LabelTexts texts;
    std::vector<Tensor> tensors;  // what the store points into

    explicit Content(std::shared_ptr<const Plan::Content> of_plan);
    // Nothing is to be said against a block; its columns are looked at when they are loaded.
    bool fits(const Block &block, const Context::Content *context) const noexcept;
    program::Frame &frame_of(Context::Content &context) const noexcept;
    // The score of one document of a block that fits; false if something is not as it mostly is (single_document.cpp).
    // The second one is for plans that are a formula and nothing else, whose cells have been placed.
    bool score_one(const Block &block, Context::Content *context, double *score) const noexcept;
    void compute(Context::Content &context, double *score) const noexcept;
    // The cells of the query and of constants, where that formula reads them.
    void place_earlier(Context::Content &context) const noexcept;
    // The cells of a document, where a formula reads them; false if a column does not have them.
    static bool place(const Context::Content &context, const Block &block) noexcept;
    // Plain cells from a document on; false if the column has none.
    static bool load_plain(program::Cells &cells, const Column &column, std::size_t first) noexcept;
    // One of them whose rows are not those of its sizes, which several open dimensions have.
    static std::optional<std::size_t> document_without_sizes(const DocumentPort &port, const Column &column,
                                                             std::size_t first, std::size_t documents) noexcept;
    // Some documents of a block; false if a column does not fit.
    static bool load(const Plan::Content &plan, const Block &block, std::size_t first, std::size_t documents,
                     Context::Content &own);
    // Some documents of a column that has addresses, or whose cells a function of the caller makes; false if it does
    // not fit.
    static bool load_other(const DocumentPort &port, const Column &column, std::size_t first, std::size_t documents,
                           Context::Content &own);
};

// The same in a context.
struct PlacedColumn {
    std::size_t column = 0;
    std::byte *place = nullptr;
};

struct Context::Content {
    std::shared_ptr<const Plan::Content> plan;
    std::vector<PlacedColumn> placed;                         // in the order of the plan's
    std::vector<PlacedColumn>::const_iterator placed_floats;  // behind the doubles
    program::SingleFormula formula;  // if the document program is nothing else and makes the score
    bool is_formula = false;         // and it reads nothing but what has its place
    std::uint64_t placed_query = 0;  // `serial` of that whose cells are in their places
    program::MemoryBudget memory;    // of the arrays below that grow
    program::PieceSize piece;
    program::Store store;
    program::Scratch scratch;
    std::vector<program::Growing<std::byte>> computed;  // cells of columns that are filled on demand
    program::Frame frame;

    void find_places();
    // Gives back the memory of all values whose size was found when they were computed.
    void release() noexcept;
};

// The rest is for every document on its own, so it is to be part of what calls it.

inline bool Query::Content::fits(const Block &block, const Context::Content *context) const noexcept {
    return context != nullptr && context->plan.get() == plan.get() && block.columns.size() == plan->document_columns;
}

inline program::Frame &Query::Content::frame_of(Context::Content &context) const noexcept {
    context.frame.labels = &texts;
    context.frame.stores[static_cast<int>(Stage::query)] = const_cast<program::Store *>(&store);  // it is only read
    context.frame.too_large = false;
    context.frame.unequal = nullptr;
    context.frame.are_placed = false;
    context.placed_query = 0;  // steps place what they read
    return context.frame;
}

inline bool Query::Content::load_plain(program::Cells &cells, const Column &column, std::size_t first) noexcept {
    cells.data = const_cast<std::byte *>(static_cast<const std::byte *>(column.cells_)) +
                 static_cast<std::ptrdiff_t>(first) * column.stride_;
    cells.stride = column.stride_;
    return column.plain_;
}

}  // namespace tenrex

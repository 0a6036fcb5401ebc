// What the handles of the public interface hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <tenrex/plan.h>

#include "lib/ir/graph.h"
#include "lib/kernels/isa.h"
#include "lib/plan/plan.h"
#include "optimizer/pass_manager.h"

namespace tenrex {

// Where the column of a document input goes.
struct DocumentPort {
    std::uint32_t input = 0;   // its place in plan->inputs
    std::uint32_t cells = 0;   // of the store
    std::uint32_t index = 0;   // of the store, if labels are not 0
    std::uint32_t labels = 0;  // of an address
    std::size_t block_bytes = 0;
};

// The same for one without labels, in a few bytes: all of them are read for every block.
struct DensePort {
    std::uint32_t column = 0;
    std::uint32_t cells = 0;  // of the store
};

struct Plan::Content {
    ir::Graph graph;
    std::shared_ptr<const plan::Plan> plan;
    std::vector<Output> outputs;
    std::vector<InputDeclaration> document_inputs, query_inputs;
    std::vector<DocumentPort> document_ports;
    std::vector<DensePort> dense_ports;         // of those without labels
    std::vector<std::uint32_t> sparse_columns;  // the numbers of the others
    plan::CellsSlot score;                      // the first output, if it is a scalar
    std::vector<std::size_t> query_ports;       // of each, its place in plan->inputs
    std::vector<Issue> warnings;
    std::vector<optimizer::PassReport> passes;
    kernels::Isa isa;
};

struct Query::Content {
    std::shared_ptr<const Plan::Content> plan;
    plan::Store store;
    LabelTable labels;            // those that the plan does not know
    std::vector<Label> own;       // all of them
    std::size_t known = 0;        // how many the plan's table had
    std::vector<Tensor> tensors;  // what the store points into

    // Nothing is to be said against a block; its columns are looked at when they are loaded.
    bool fits(const Block &block, const Context::Content *context) const noexcept;
    plan::Frame &frame_of(Context::Content &context) const noexcept;
    bool score_one(const Block &block, Context::Content *context, double *score) const;
    static bool load_plain(plan::Cells &cells, const Column &column, std::size_t first) noexcept;
    static bool load(const Plan::Content &plan, const Block &block, std::size_t first, std::size_t documents,
                     Context::Content &own);
    static bool load_other(const DocumentPort &port, const Column &column, std::size_t first, std::size_t documents,
                           Context::Content &own);
};

struct Context::Content {
    std::shared_ptr<const Plan::Content> plan;
    plan::Store store;
    plan::Scratch scratch;
    std::vector<plan::Growing<std::byte>> computed;  // cells of columns that are filled on demand
    plan::LabelTexts texts{nullptr, nullptr};        // of the query that is evaluated
    plan::Frame frame;
};

}  // namespace tenrex

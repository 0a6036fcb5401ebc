#include <algorithm>
#include <cstring>

#include <tenrex/formats.h>

#include "lib/program/run.h"
#include "lib/runtime/guarded.h"
#include "lib/runtime/plan_content.h"
#include "lib/support/format.h"

namespace tenrex {

Context::Context(const Plan &plan) : content_(std::make_unique<Content>()) {
    content_->plan = plan.content_;
    const program::Plan &compiled = *plan.content_->plan;
    content_->memory.allow(program::most_memory(compiled.limits, 1));
    content_->piece = program::PieceSize(compiled.piece);
    program::prepare(content_->store, compiled, Stage::document, content_->memory);
    content_->scratch.count_in(content_->memory);
    content_->computed.resize(compiled.inputs.size());
    for (auto &cells : content_->computed) {
        cells.count_in(content_->memory);
    }
    content_->frame = program::make_frame(compiled, nullptr, &content_->store, content_->scratch, nullptr);
    content_->find_places();
}

void Context::Content::release() noexcept {
    store.release();
    scratch.release();
    for (auto &cells : computed) {
        cells.release();
    }
}

Context::Context(Context &&) noexcept = default;
Context &Context::operator=(Context &&) noexcept = default;
Context::~Context() = default;

std::size_t Context::memory_bytes() const noexcept {
    std::size_t bytes = content_->store.memory_bytes() + content_->scratch.memory_bytes();
    for (const auto &cells : content_->computed) {
        bytes += cells.memory_bytes();
    }
    return bytes;
}

Status Query::check(const Block &block, const Context &context) const {
    if (context.content_ == nullptr || context.content_->plan != content_->plan) {
        return Error("the context was made for another plan");
    }
    if (block.columns.size() != content_->plan->document_inputs.size()) {
        return Error(fmt::format("the block has {} columns, the plan has {} document inputs", block.columns.size(),
                                 content_->plan->document_inputs.size()));
    }
    const DocumentPort *const ports = content_->plan->document_ports.data();
    for (std::size_t i = 0; i < block.columns.size(); ++i) {
        const Column &column = block.columns[i];
        const InputDeclaration &input = content_->plan->document_inputs[i];
        const bool has_addresses = ports[i].labels != 0;
        if (has_addresses == (column.offsets_ != nullptr)) {
            const bool needs_cells =
                has_addresses ? column.offsets_[block.first + block.documents] != column.offsets_[block.first]
                              : block.documents != 0 && column.fill_ == nullptr;
            if (needs_cells && (column.cells_ == nullptr || (has_addresses && column.labels_ == nullptr))) {
                return Error(fmt::format("the column for '{}' has no {}", input.name,
                                         column.cells_ == nullptr ? "cells" : "labels"));
            }
            continue;
        }
        return Error(fmt::format("the column for '{}' does not fit its type {}: {}", input.name, input.type.to_string(),
                                 has_addresses ? "it has no addresses" : "it has addresses"));
    }
    return {};
}

// Kept out of the loop over all columns.
[[gnu::noinline]] bool Query::Content::load_other(const DocumentPort &port, const Column &column, std::size_t first,
                                                  std::size_t documents, Context::Content &own) {
    program::Cells &cells = own.store.cells[port.cells];
    const bool has_addresses = port.labels != 0;
    if (has_addresses != (column.offsets_ != nullptr) || (!has_addresses && column.fill_ == nullptr)) {
        return false;
    }
    if (!has_addresses) {
        cells.data = own.computed[port.input].room(documents * port.block_bytes);
        cells.stride = static_cast<std::ptrdiff_t>(port.block_bytes);
        (*column.fill_)(first, documents, cells.data);
        return true;
    }
    const std::uint64_t *const offsets = column.offsets_ + first;
    program::Index &index = own.store.indexes[port.index];
    program::block_number(offsets[documents] - offsets[0]);  // then those of fewer documents can be numbered, too
    std::uint32_t *const from_first = index.own_offsets.room(documents + 1);
    for (std::size_t i = 0; i <= documents; ++i) {
        from_first[i] = static_cast<std::uint32_t>(offsets[i] - offsets[0]);
    }
    if (from_first[documents] != 0 && (column.labels_ == nullptr || column.cells_ == nullptr)) {
        return false;
    }
    index.offsets = from_first;
    index.labels = column.labels_ + offsets[0] * port.labels;
    index.shared = false;
    index.sorted = column.sorted_ && port.labels == 1;
    cells.data = const_cast<std::byte *>(static_cast<const std::byte *>(column.cells_)) + offsets[0] * port.block_bytes;
    return true;
}

[[gnu::noinline]] bool Query::Content::load(const Plan::Content &plan, const Block &block, std::size_t first,
                                            std::size_t documents, Context::Content &own) {
    program::Cells *const all_cells = own.store.cells.data();
    const Column *const columns = block.columns.data();
    const auto load_column = [&](std::uint32_t number) {
        return load_other(plan.document_ports[number], columns[number], first, documents, own);
    };
    for (const DensePort port : plan.dense_ports) {
        if (!load_plain(all_cells[port.cells], columns[port.column], first) && !load_column(port.column)) {
            return false;
        }
    }
    return std::all_of(plan.sparse_columns.begin(), plan.sparse_columns.end(), load_column);
}

// Calls run_steps(program, frame) for each piece, and then visit(first, frame); the outputs of its documents are in the
// frame.
template <class RunSteps, class Visit>
Status Query::run(const Block &block, Context &context, const RunSteps &run_steps, const Visit &visit) const {
    const Plan::Content &content = *content_->plan;
    const program::Plan &plan = *content.plan;
    if (!content_->fits(block, context.content_.get()) || block.documents == 0) {
        if (Status status = check(block, context); !status) {
            return status;
        }
    }
    Context::Content &own = *context.content_;
    program::Frame &frame = content_->frame_of(own);
    for (std::size_t first = 0; first < block.documents;) {
        const std::size_t documents = std::min(own.piece.documents(), block.documents - first);
        const bool is_fresh = own.memory.taken() == 0;
        frame.documents = documents;
        own.memory.allow(program::most_memory(plan.limits, documents));
        try {
            if (!Content::load(content, block, block.first + first, documents, own)) {
                return check(block, context);
            }
            if (!run_steps(plan.programs[static_cast<int>(Stage::document)], frame)) {
                return program::too_large("a value of a document", plan.limits);
            }
        } catch (const program::BeyondBudget &) {
            own.release();
            if (!own.piece.make_smaller(documents) && is_fresh) {
                return program::too_much("the values of a document", plan.limits);
            }
            continue;
        }
        visit(first, frame);
        first += documents;
        if (own.piece.was_evaluated(own.memory.taken(), program::most_memory(plan.limits, 2))) {
            own.release();
        }
    }
    return {};
}

namespace {

void copy_scores(const program::Frame &frame, const program::Port &port, double *scores) {
    const std::byte *cell = frame.cells(port.cells).data;
    const std::ptrdiff_t stride = frame.cells(port.cells).stride;
    for (double *const end = scores + frame.documents; scores != end; ++scores, cell += stride) {
        std::memcpy(scores, cell, sizeof(double));
    }
}

Status no_scalar(const program::Port &port) {
    const std::string what = port.name.empty() ? "expression" : fmt::format("output '{}'", port.name);
    return Error(fmt::format("the {} has type {}, scores must be scalars", what, port.type.to_string()),
                 "reduce it to a scalar, or ask for tensors");
}

// The value of one document as a tensor of its own.
Tensor tensor_of(const program::Frame &frame, const program::Port &port, std::size_t document,
                 const LabelTable &labels) {
    TensorBuilder builder(port.type);
    const std::size_t bytes = port.block_bytes;
    const program::Cells &cells = frame.cells(port.cells);
    if (!port.index) {
        std::memcpy(builder.cells(0), cells.data + static_cast<std::ptrdiff_t>(document) * cells.stride, bytes);
        return std::move(builder).build();
    }
    const program::Index &index = frame.index(port.index);
    const std::size_t width = port.type.mapped_count();
    std::vector<std::string> texts(width);
    std::vector<std::string_view> address(width);
    for (std::uint32_t block = index.begin(document); block < index.end(document); ++block) {
        for (std::size_t i = 0; i < width; ++i) {
            texts[i] = labels.text(index.labels[block * width + i]);
            address[i] = texts[i];
        }
        std::memcpy(builder.cells(builder.block(address)), cells.data + block * bytes, bytes);
    }
    return std::move(builder).build();
}

}  // namespace

Status Query::evaluate(const Block &block, Context &context, std::span<double> scores) const {
    // Before anything that costs as much as a step does.
    if (block.documents == 1 && !scores.empty() && content_->score_one(block, context.content_.get(), scores.data())) {
        return {};
    }
    return guarded([&] { return evaluate_pieces(block, context, scores); });
}

Status Query::evaluate_pieces(const Block &block, Context &context, std::span<double> scores) const {
    const program::Port &port = content_->plan->plan->outputs.front();
    if (!port.type.is_scalar()) {
        return no_scalar(port);
    }
    if (scores.size() < block.documents) {
        return Error(fmt::format("there is room for {} scores of {} documents", scores.size(), block.documents));
    }
    return run(block, context, program::run_program, [&](std::size_t first, const program::Frame &frame) {
        copy_scores(frame, port, scores.data() + first);
    });
}

Status Query::evaluate(const Block &block, Context &context, std::span<const std::span<double>> scores) const {
    return guarded([&]() -> Status {
        const std::vector<program::Port> &ports = content_->plan->plan->outputs;
        if (scores.size() != ports.size()) {
            return Error(fmt::format("there is room for {} outputs of {}", scores.size(), ports.size()));
        }
        for (std::size_t i = 0; i < ports.size(); ++i) {
            if (!ports[i].type.is_scalar()) {
                return no_scalar(ports[i]);
            }
            if (scores[i].size() < block.documents) {
                return Error(
                    fmt::format("there is room for {} scores of {} documents", scores[i].size(), block.documents));
            }
        }
        return run(block, context, program::run_program, [&](std::size_t first, const program::Frame &frame) {
            for (std::size_t i = 0; i < ports.size(); ++i) {
                copy_scores(frame, ports[i], scores[i].data() + first);
            }
        });
    });
}

Result<std::vector<Tensor>> Query::evaluate_tensors(const Block &block, Context &context) const {
    return guarded([&]() -> Result<std::vector<Tensor>> {
        const std::vector<program::Port> &ports = content_->plan->plan->outputs;
        std::vector<Tensor> tensors;
        if (block.documents > tensors.max_size() / ports.size()) {
            throw std::bad_alloc();
        }
        tensors.resize(ports.size() * block.documents);
        const Status status =
            run(block, context, program::run_program, [&](std::size_t first, const program::Frame &frame) {
                for (std::size_t i = 0; i < ports.size(); ++i) {
                    for (std::size_t document = 0; document < frame.documents; ++document) {
                        tensors[i * block.documents + first + document] =
                            tensor_of(frame, ports[i], document, *content_->plan->plan->labels);
                    }
                }
            });
        if (!status) {
            return status.error();
        }
        return tensors;
    });
}

Status Query::profile(const Block &block, Context &context, std::span<double> seconds) const {
    return guarded([&]() -> Status {
        const std::size_t steps = content_->plan->plan->programs[static_cast<int>(Stage::document)].size();
        if (seconds.size() != steps) {
            return Error(fmt::format("there is room for the times of {} steps of {}", seconds.size(), steps));
        }
        const auto run_steps = [&](const program::Program &program, program::Frame &frame) {
            return program::time_program(program, frame, seconds);
        };
        return run(block, context, run_steps, [](std::size_t, const program::Frame &) {});
    });
}

}  // namespace tenrex

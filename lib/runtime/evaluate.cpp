#include <algorithm>
#include <cstring>

#include <tenrex/formats.h>

#include "lib/program/run.h"
#include "lib/runtime/guarded.h"
#include "lib/runtime/output_sizes.h"
#include "lib/runtime/plan_content.h"
#include "lib/runtime/run_pieces.h"
#include "lib/storage/open_rows.h"
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

Context::Context(const Plan &plan, Executor &executor) : Context(plan) {
    content_->frame.executor = executor.concurrency() > 1 ? &executor : nullptr;
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

std::optional<std::size_t> Query::Content::document_without_sizes(const DocumentPort &port, const Column &column,
                                                                  std::size_t first, std::size_t documents) noexcept {
    if (!port.has_rows || port.labels == 1) {
        return std::nullopt;
    }
    for (std::size_t document = first; document < first + documents; ++document) {
        if (column.sizes_ == nullptr) {
            return document;
        }
        const std::span<const std::uint64_t> sizes(column.sizes_ + document * port.labels, port.labels);
        const bool none = std::all_of(sizes.begin(), sizes.end(), [](std::uint64_t size) { return size == 0; });
        std::uint64_t rows = none ? 0 : 1;
        for (const std::uint64_t size : sizes) {
            if (__builtin_mul_overflow(rows, size, &rows) || (size == 0 && !none)) {
                return document;
            }
        }
        if (rows != column.offsets_[document + 1] - column.offsets_[document]) {
            return document;
        }
    }
    return std::nullopt;
}

namespace {

Error bad_sizes(const InputDeclaration &input, bool are_missing, std::size_t document) {
    if (are_missing) {
        return Error(fmt::format("the column for '{}' has no sizes, and its type {} has several open dimensions",
                                 input.name, input.type.to_string()),
                     "give them to Column::ragged, one for each open dimension of each document");
    }
    return Error(
        fmt::format("the sizes in the column for '{}' are not those of the rows of document {}", input.name, document),
        "their product is the number of rows, and one is 0 only if all are");
}

}  // namespace

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
            const bool needs_labels = has_addresses && !ports[i].has_rows;
            if (needs_cells && (column.cells_ == nullptr || (needs_labels && column.labels_ == nullptr))) {
                return Error(fmt::format("the column for '{}' has no {}", input.name,
                                         column.cells_ == nullptr ? "cells" : "labels"));
            }
            if (const auto bad = Content::document_without_sizes(ports[i], column, block.first, block.documents)) {
                return bad_sizes(input, column.sizes_ == nullptr, *bad);
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
    if ((from_first[documents] != 0 && ((column.labels_ == nullptr && !port.has_rows) || column.cells_ == nullptr)) ||
        document_without_sizes(port, column, first, documents)) {
        return false;
    }
    index.offsets = from_first;
    if (!port.has_rows) {
        index.labels = column.labels_ + offsets[0] * port.labels;
    } else {
        index.labels = port.labels == 1
                           ? program::number_rows(index, documents)
                           : program::number_rows(index, documents, port.labels, column.sizes_ + first * port.labels);
    }
    index.shared = false;
    index.sorted = port.labels == 1 && (port.has_rows || column.sorted_);
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

namespace {

// The value of one document as a tensor of its own.
Tensor tensor_of(const program::Frame &frame, const program::Port &port, std::size_t document,
                 const LabelTable &labels) {
    const std::size_t bytes = port.block_bytes;
    const program::Cells &cells = frame.cells(port.cells);
    if (port.type.has_open()) {
        const program::Index &rows = frame.index(port.index);
        std::vector<std::uint64_t> sizes(port.type.open_count());
        read_sizes(frame, port, document, sizes);
        TensorBuilder builder(type_with_sizes(port.type, sizes));
        const RowLayout layout(builder.type(), port.type);
        for (std::uint32_t block = rows.begin(document); block < rows.end(document); ++block) {
            layout.copy_from_row(cells.data + block * bytes, row_number(rows.labels + block * sizes.size(), sizes),
                                 builder.cells(0));
        }
        return std::move(builder).build();
    }
    TensorBuilder builder(port.type);
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

// Makes all outputs tensors.
class TensorMaker {
public:
    TensorMaker(const program::Plan &plan, std::size_t documents, std::vector<Tensor> &tensors)
        : plan_(plan), documents_(documents), tensors_(tensors) {}

    template <class Own>
    void begin(std::size_t, Own &) noexcept {}
    bool steps(const program::Program &program, program::Frame &frame) { return program::run_program(program, frame); }
    bool end(std::size_t first, const program::Frame &frame) {
        for (std::size_t i = 0; i < plan_.outputs.size(); ++i) {
            for (std::size_t document = 0; document < frame.documents; ++document) {
                tensors_[i * documents_ + first + document] =
                    tensor_of(frame, plan_.outputs[i], document, *plan_.labels);
            }
        }
        return true;
    }
    Status failure() const { return {}; }

private:
    const program::Plan &plan_;
    std::size_t documents_;
    std::vector<Tensor> &tensors_;
};

// Times the steps.
class StepTimer {
public:
    explicit StepTimer(std::span<double> seconds) : seconds_(seconds) {}

    template <class Own>
    void begin(std::size_t, Own &) noexcept {}
    bool steps(const program::Program &program, program::Frame &frame) {
        return program::time_program(program, frame, seconds_);
    }
    bool end(std::size_t, const program::Frame &) noexcept { return true; }
    Status failure() const { return {}; }

private:
    std::span<double> seconds_;
};

}  // namespace

Result<std::vector<Tensor>> Query::evaluate_tensors(const Block &block, Context &context) const {
    return guarded([&]() -> Result<std::vector<Tensor>> {
        const std::vector<program::Port> &ports = content_->plan->plan->outputs;
        std::vector<Tensor> tensors;
        if (block.documents > tensors.max_size() / ports.size()) {
            throw std::bad_alloc();
        }
        tensors.resize(ports.size() * block.documents);
        if (const Status status = run(block, context, TensorMaker(*content_->plan->plan, block.documents, tensors));
            !status) {
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
        return run(block, context, StepTimer(seconds));
    });
}

}  // namespace tenrex

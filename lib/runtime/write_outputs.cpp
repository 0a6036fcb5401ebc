// Scores and values that are written into memory of the caller. Where they can be computed there, they are: the cells
// of the output are that memory while the steps run.
#include <cstring>

#include "lib/runtime/guarded.h"
#include "lib/runtime/output_sizes.h"
#include "lib/runtime/run_pieces.h"
#include "lib/storage/open_rows.h"
#include "lib/support/format.h"

namespace tenrex {

namespace {

std::string output_text(const program::Port &port) {
    return port.name.empty() ? "the expression" : fmt::format("the output '{}'", port.name);
}

Status no_scalar(const program::Port &port) {
    return Error(fmt::format("{} has type {}, scores must be scalars", output_text(port), port.type.to_string()),
                 "reduce it to a scalar, or ask for tensors");
}

Status no_room(std::size_t scores, std::size_t documents) {
    return Error(fmt::format("there is room for {} scores of {} documents", scores, documents));
}

template <std::size_t bytes>
void copy_cells(std::byte *to, std::size_t to_stride, const std::byte *from, std::ptrdiff_t from_stride,
                std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; ++i, to += to_stride, from += from_stride) {
        std::memcpy(to, from, bytes);
    }
}

void copy_blocks(std::byte *to, std::size_t to_stride, const std::byte *from, std::ptrdiff_t from_stride,
                 std::size_t bytes, std::size_t count) noexcept {
    if (bytes == sizeof(double)) {
        copy_cells<sizeof(double)>(to, to_stride, from, from_stride, count);
        return;
    }
    for (std::size_t i = 0; i < count; ++i, to += to_stride, from += from_stride) {
        std::memcpy(to, from, bytes);
    }
}

}  // namespace

template <class ColumnOf>
class Query::OutputWriter {
public:
    OutputWriter(const Plan::Content &plan, std::size_t count, const ColumnOf &column_of) noexcept
        : plan_(plan), count_(count), column_of_(column_of) {}
    OutputWriter(const OutputWriter &) = delete;
    OutputWriter &operator=(const OutputWriter &) = delete;
    // The cells are where they were.
    ~OutputWriter() {
        for (std::size_t i = 0; store_ != nullptr && i < count_; ++i) {
            if (plan_.output_places[i].is_own) {
                cells_of(i).data = store_->planned.data() + plan_.output_places[i].offset;
            }
        }
    }

    void begin(std::size_t first, Context::Content &own) noexcept {
        store_ = &own.store;
        for (std::size_t i = 0; i < count_; ++i) {
            const OutputColumn &column = column_of_(i);
            if (is_computed_there(i, column)) {
                cells_of(i).data = static_cast<std::byte *>(column.cells_) + first * column.stride_;
            }
        }
    }
    bool steps(const program::Program &program, program::Frame &frame) { return program::run_program(program, frame); }
    bool end(std::size_t first, const program::Frame &frame) noexcept {
        for (std::size_t i = 0; i < count_; ++i) {
            const OutputColumn &column = column_of_(i);
            if (is_computed_there(i, column)) {
                continue;
            }
            const program::Port &port = plan_.plan->outputs[i];
            if (port.index) {
                if (!copy_sparse(port, column, first, frame)) {
                    failed_ = i;
                    return false;
                }
                continue;
            }
            const program::Cells &cells = frame.cells(port.cells);
            copy_blocks(static_cast<std::byte *>(column.cells_) + first * column.stride_, column.stride_, cells.data,
                        cells.stride, port.block_bytes, frame.documents);
        }
        return true;
    }
    Status failure() const {
        return Error(
            fmt::format("{} has more than {} blocks; those of document {} have no room",
                        output_text(plan_.plan->outputs[failed_]), column_of_(failed_).capacity_, failed_document_),
            "give them more memory, or evaluate fewer documents at a time");
    }

private:
    // Steps write values without gaps, each cell at a multiple of its size.
    bool is_computed_there(std::size_t output, const OutputColumn &column) const noexcept {
        const program::Port &port = plan_.plan->outputs[output];
        const std::uintptr_t within_cell = byte_size(port.type.cell_type()) - 1;  // the sizes are powers of two
        return plan_.output_places[output].is_own && column.stride_ == port.block_bytes &&
               (reinterpret_cast<std::uintptr_t>(column.cells_) & within_cell) == 0;
    }
    program::Cells &cells_of(std::size_t output) const noexcept {
        return store_->cells[plan_.plan->outputs[output].cells.number];
    }
    // The offsets of the documents before are there.
    bool copy_sparse(const program::Port &port, const OutputColumn &column, std::size_t first,
                     const program::Frame &frame) noexcept {
        const program::Index &index = frame.index(port.index);
        const std::byte *const cells = frame.cells(port.cells).data;
        const std::size_t labels = port.type.mapped_count();
        std::uint64_t *const offsets = column.offsets_ + first;
        for (std::size_t document = 0; document < frame.documents; ++document) {
            const std::size_t begin = index.begin(document);
            const std::size_t blocks = index.end(document) - begin;
            const std::uint64_t before = offsets[document];
            if (blocks > column.capacity_ - before) {
                failed_document_ = first + document;
                return false;
            }
            if (port.type.has_open()) {
                const std::size_t open = port.type.open_count();
                std::uint64_t rows = 0;
                const std::span<std::uint64_t> sizes(open == 1 ? &rows : column.sizes_ + (first + document) * open,
                                                     open);
                read_sizes(frame, port, document, sizes);
                // Rows may come in any order; their labels tell the places.
                for (std::size_t block = begin; block < begin + blocks; ++block) {
                    const std::uint64_t row = before + row_number(index.labels + block * open, sizes);
                    std::memcpy(static_cast<std::byte *>(column.cells_) + row * port.block_bytes,
                                cells + block * port.block_bytes, port.block_bytes);
                }
            } else if (blocks != 0) {
                std::memcpy(column.labels_ + before * labels, index.labels + begin * labels,
                            blocks * labels * sizeof(Label));
                std::memcpy(static_cast<std::byte *>(column.cells_) + before * port.block_bytes,
                            cells + begin * port.block_bytes, blocks * port.block_bytes);
            }
            offsets[document + 1] = before + blocks;
        }
        return true;
    }

    const Plan::Content &plan_;
    std::size_t count_;
    const ColumnOf &column_of_;
    program::Store *store_ = nullptr;
    std::size_t failed_ = 0;
    std::size_t failed_document_ = 0;
};

template <class ColumnOf>
Status Query::write(const Block &block, Context &context, std::size_t count, const ColumnOf &column_of) const {
    return run(block, context, OutputWriter<ColumnOf>(*content_->plan, count, column_of));
}

Status Query::check(const OutputColumn &output, const Plan::Content &plan, std::size_t number, std::size_t documents) {
    const program::Port &port = plan.plan->outputs[number];
    const bool has_rows = port.type.has_open();
    const bool is_sparse = port.type.has_mapped() || has_rows;
    const auto refused = [&](const std::string &reason, std::string hint = {}) {
        return Error(fmt::format("the memory for {} does not fit its type {}: {}", output_text(port),
                                 port.type.to_string(), reason),
                     std::move(hint));
    };
    if (is_sparse != (output.offsets_ != nullptr)) {
        return refused(is_sparse ? "it has no offsets" : "it has offsets",
                       fmt::format("describe it with OutputColumn::{}", has_rows    ? "ragged"
                                                                        : is_sparse ? "sparse"
                                                                                    : "dense"));
    }
    if (port.type.open_count() > 1 && output.sizes_ == nullptr) {
        return refused("it has no sizes", "give OutputColumn::ragged room for those of each document");
    }
    if (is_sparse) {
        return output.capacity_ != 0 && (output.cells_ == nullptr || (output.labels_ == nullptr && !has_rows))
                   ? refused(output.cells_ == nullptr ? "it has no cells" : "it has no labels")
                   : Status();
    }
    if (documents == 0) {
        return {};
    }
    if (output.cells_ == nullptr) {
        return refused("it has no cells");
    }
    if (documents > 1 && output.stride_ < port.block_bytes) {
        return refused(fmt::format("a value has {} bytes, the stride is {}", port.block_bytes, output.stride_));
    }
    std::size_t last = 0;
    std::size_t end = 0;
    if (__builtin_mul_overflow(documents - 1, output.stride_, &last) ||
        __builtin_add_overflow(last, port.block_bytes, &end) || end > output.capacity_) {
        return refused(fmt::format("{} documents with a stride of {} bytes do not fit in {} bytes", documents,
                                   output.stride_, output.capacity_),
                       "give them more memory, or evaluate fewer documents at a time");
    }
    return {};
}

// Kept out of what calls it for a document on its own.
[[gnu::noinline]] Status Query::evaluate_block(const Block &block, Context &context, std::span<double> scores) const {
    return guarded([&]() -> Status {
        const program::Port &port = content_->plan->plan->outputs.front();
        if (!port.type.is_scalar()) {
            return no_scalar(port);
        }
        if (scores.size() < block.documents) {
            return no_room(scores.size(), block.documents);
        }
        const auto column = OutputColumn::dense(scores.data(), sizeof(double), scores.size_bytes());
        return write(block, context, 1, [&](std::size_t) -> const OutputColumn & { return column; });
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
                return no_room(scores[i].size(), block.documents);
            }
        }
        return write(block, context, ports.size(), [&](std::size_t i) {
            return OutputColumn::dense(scores[i].data(), sizeof(double), scores[i].size_bytes());
        });
    });
}

Status Query::evaluate(const Block &block, Context &context, std::span<const OutputColumn> outputs) const {
    return guarded([&]() -> Status {
        const std::size_t count = content_->plan->outputs.size();
        if (outputs.size() != count) {
            return Error(fmt::format("there is memory for {} outputs of {}", outputs.size(), count));
        }
        for (std::size_t i = 0; i < count; ++i) {
            if (Status status = check(outputs[i], *content_->plan, i, block.documents); !status) {
                return status;
            }
        }
        for (const OutputColumn &output : outputs) {
            if (output.offsets_ != nullptr) {
                output.offsets_[0] = 0;
            }
        }
        return write(block, context, count, [&](std::size_t i) -> const OutputColumn & { return outputs[i]; });
    });
}

}  // namespace tenrex

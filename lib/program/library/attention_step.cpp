#include "lib/program/library/attention_step.h"

#include <algorithm>

#include "lib/program/work.h"
#include "lib/support/format.h"

namespace tenrex::program {

namespace {

constexpr std::size_t expected_rows = 64;  // of an index, for estimates

// How many rows a document has.
std::size_t row_count(const Frame &frame, const AttentionStep::Rows &rows, std::size_t document) {
    if (!rows.index) {
        return rows.count;
    }
    const Index &index = frame.index(rows.index);
    return index.end(document) - index.begin(document);
}

kernels::Attention::Rows rows_of(const Frame &frame, const AttentionStep::Rows &rows, std::size_t document) {
    const Cells &cells = frame.cells(rows.cells);
    const std::byte *const first = rows.index ? cells.data + frame.index(rows.index).begin(document) * rows.bytes
                                              : cells.data + static_cast<std::ptrdiff_t>(document) * cells.stride;
    return {first, rows.row, rows.head, rows.cell};
}

std::size_t expected_count(const AttentionStep::Rows &rows) {
    return rows.index ? expected_rows : rows.count;
}

}  // namespace

void AttentionStep::run(Frame &frame) const {
    std::byte *const target = make_room(frame, shape_.target);
    if (target == nullptr) {
        return;
    }
    kernels::Attention call = call_;
    for (std::size_t document = 0; document < frame.documents; ++document) {
        call.query_count = row_count(frame, shape_.queries, document);
        call.key_count = row_count(frame, shape_.keys, document);
        call.queries = rows_of(frame, shape_.queries, document);
        call.keys = rows_of(frame, shape_.keys, document);
        call.values = rows_of(frame, shape_.values, document);
        if (shape_.mask) {
            call.mask = rows_of(frame, *shape_.mask, document);
        }
        const std::size_t first = shape_.target.index ? frame.index(shape_.target.index).begin(document) : document;
        call.out = target + first * shape_.target.bytes;
        call.room =
            frame.scratch->bytes.room(kernels::attention_room(*kernel_, call.key_count, shape_.width, shape_.columns));
        kernel_->function(call);
    }
}

std::string AttentionStep::describe() const {
    return fmt::format("attention: {} heads of {} cells, values of {}{}", shape_.heads, shape_.width, shape_.columns,
                       shape_.mask ? ", with a mask" : "");
}

std::string AttentionStep::reasons(kernels::Isa isa) const {
    return list_candidates(kernels::attention_candidates(shape_.width, isa));
}

Work AttentionStep::work() const {
    const auto queries = static_cast<double>(shape_.queries.index ? 1 : shape_.queries.count);
    const auto keys = static_cast<double>(expected_count(shape_.keys));
    // Of a score beside the products: scale, comparison, difference, power, sum.
    constexpr double of_score = 5;
    const double flops = queries * keys * static_cast<double>(shape_.heads) *
                         (2 * static_cast<double>(shape_.width + shape_.columns) + of_score);
    return {flops, static_cast<double>(shape_.queries.bytes + shape_.keys.bytes + shape_.values.bytes),
            static_cast<double>(shape_.target.bytes), static_cast<bool>(shape_.target.index)};
}

}  // namespace tenrex::program

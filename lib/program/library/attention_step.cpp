#include "lib/program/library/attention_step.h"

#include <algorithm>

#include "lib/program/cache_line.h"
#include "lib/program/parts.h"
#include "lib/program/work.h"
#include "lib/support/format.h"
#include "lib/support/function_facts.h"

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
    std::size_t most_keys = 0, most_pairs = 0;
    double scores = 0;  // of a head
    for (std::size_t document = 0; document < frame.documents; ++document) {
        const std::size_t keys = row_count(frame, shape_.keys, document);
        const std::size_t pairs = keys * row_count(frame, shape_.queries, document);
        most_keys = std::max(most_keys, keys);
        most_pairs = std::max(most_pairs, pairs);
        scores += static_cast<double>(pairs);
    }
    // The heads of all documents, one after the other.
    const double of_score = kernel_->cost.per_cell * static_cast<double>(shape_.width + shape_.columns);
    const double of_head = of_score * scores / static_cast<double>(frame.documents);
    const Parts parts(frame, frame.documents * shape_.heads, of_head);
    const std::size_t pair_bytes = shape_.pairs ? whole_lines(most_pairs * shape_.pairs->heads * sizeof(float)) : 0;
    const std::size_t room_bytes =
        pair_bytes + whole_lines(kernels::attention_room(*kernel_, most_keys, shape_.width, shape_.columns));
    std::byte *const rooms = frame.scratch->bytes.room(parts.threads() * room_bytes);
    parts.run([&](std::size_t thread, std::size_t first, std::size_t count) {
        while (count != 0) {
            const std::size_t head = first % shape_.heads;
            const std::size_t heads = std::min(count, shape_.heads - head);
            std::byte *const room = rooms + thread * room_bytes;
            run_heads(frame, first / shape_.heads, head, heads, target, reinterpret_cast<float *>(room),
                      room + pair_bytes);
            first += heads;
            count -= heads;
        }
    });
}

// Some heads of a document.
void AttentionStep::run_heads(const Frame &frame, std::size_t document, std::size_t first, std::size_t count,
                              std::byte *target, float *pairs, std::byte *room) const {
    const auto rows = [&](const Rows &of_all, CellType type) {
        kernels::Attention::Rows own = rows_of(frame, of_all, document);
        own.cells = static_cast<const std::byte *>(own.cells) +
                    static_cast<std::ptrdiff_t>(first) * own.head * static_cast<std::ptrdiff_t>(byte_size(type));
        return own;
    };
    kernels::Attention call = call_;
    call.heads = count;
    call.query_count = row_count(frame, shape_.queries, document);
    call.key_count = row_count(frame, shape_.keys, document);
    call.queries = rows(shape_.queries, kernel_->type);
    call.keys = rows(shape_.keys, kernel_->type);
    call.values = rows(shape_.values, kernel_->type);
    if (shape_.mask) {
        call.mask = rows(*shape_.mask, CellType::f32);
    } else if (shape_.pairs) {
        call.mask = mask_of_pairs(frame, document, first, call, pairs);
    }
    const std::size_t block = shape_.target.index ? frame.index(shape_.target.index).begin(document) : document;
    call.out = reinterpret_cast<float *>(target + block * shape_.target.bytes) +
               static_cast<std::ptrdiff_t>(first) * call_.out_head;
    call.room = room;
    kernel_->function(call);
}

kernels::Attention::Rows AttentionStep::mask_of_pairs(const Frame &frame, std::size_t document, std::size_t first,
                                                      const kernels::Attention &call, float *cells) const {
    const Pairs &pairs = *shape_.pairs;
    const Index &index = frame.index(pairs.index);
    const std::uint32_t *const queries = frame.map(pairs.queries).of.data();
    const std::uint32_t *const keys = frame.map(pairs.keys).of.data();
    const std::uint32_t first_query = frame.index(shape_.queries.index).begin(document);
    const std::uint32_t first_key = frame.index(shape_.keys.index).begin(document);
    const std::size_t of_head = call.query_count * call.key_count;
    const std::size_t heads = std::min(pairs.heads, call.heads);
    const Blocks mask(frame, pairs.mask);
    for (std::uint32_t block = index.begin(document); block < index.end(document); ++block) {
        const auto *const own = reinterpret_cast<const float *>(mask.at(document, block)) +
                                static_cast<std::ptrdiff_t>(pairs.heads == 1 ? 0 : first) * pairs.head;
        float *const to = cells + (queries[block] - first_query) * call.key_count + (keys[block] - first_key);
        for (std::size_t head = 0; head < heads; ++head) {
            to[head * of_head] = own[static_cast<std::ptrdiff_t>(head) * pairs.head];
        }
    }
    return {cells, static_cast<std::ptrdiff_t>(call.key_count),
            pairs.heads == 1 ? 0 : static_cast<std::ptrdiff_t>(of_head), 1};
}

std::string AttentionStep::describe() const {
    return fmt::format("attention: {} heads of {} cells, values of {}{}{}", shape_.heads, shape_.width, shape_.columns,
                       shape_.mask || shape_.pairs ? ", with a mask" : "",
                       kernel_->type == CellType::bf16 ? ", in bfloat16" : "");
}

std::string AttentionStep::reasons(kernels::Isa isa) const {
    return list_candidates(kernels::attention_candidates(kernel_->type, shape_.width, isa));
}

Work AttentionStep::work() const {
    const auto queries = static_cast<double>(shape_.queries.index ? 1 : shape_.queries.count);
    const auto keys = static_cast<double>(expected_count(shape_.keys));
    // Of a score beside the products: scale, comparison, difference, power, sum.
    constexpr double of_score = 4 + facts(ScalarFunction::exp).operations;
    const double flops = queries * keys * static_cast<double>(shape_.heads) *
                         (2 * static_cast<double>(shape_.width + shape_.columns) + of_score);
    return {flops, static_cast<double>(shape_.queries.bytes + shape_.keys.bytes + shape_.values.bytes),
            static_cast<double>(shape_.target.bytes), static_cast<bool>(shape_.target.index)};
}

}  // namespace tenrex::program

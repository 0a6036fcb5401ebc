#include "lib/program/library/matmul_steps.h"

#include <algorithm>
#include <cstring>

#include "lib/program/library/matrix_blocks.h"
#include "lib/program/library/pack_steps.h"
#include "lib/program/library/shared_product.h"
#include "lib/program/sparse/index_writer.h"
#include "lib/support/format.h"
#include "lib/support/function_facts.h"

namespace tenrex::program {

namespace {

// Rows that are converted at a time: enough to keep the kernel busy, few enough to stay in the first level of the
// cache.
constexpr std::size_t converted_bytes = std::size_t{16} << 10;

std::size_t columns(const Frame &frame, const MatmulShape &shape) {
    return shape.b_columns ? frame.index(shape.b_columns).end(0) : shape.b.n;
}

// Blocks of a that a document has, and where they begin.
struct Rows {
    const std::byte *first;
    std::size_t blocks;
    std::size_t number;  // of the first block, counted over the documents even if they share the blocks
};
Rows rows_of(const Frame &frame, const MatmulShape &shape, std::size_t document) {
    const Cells &a = frame.cells(shape.a);
    const std::size_t bytes = shape.b.batch * shape.rows * shape.a_row_cells * byte_size(shape.a_type);
    if (!shape.a_index) {
        return {a.data + static_cast<std::ptrdiff_t>(document) * a.stride, 1, document};
    }
    const Index &index = frame.index(shape.a_index);
    const std::size_t begin = index.begin(document);
    const std::size_t blocks = index.end(document) - begin;
    return {a.data + begin * bytes, blocks, index.shared ? document * blocks : begin};
}

const std::byte *bias_of(const Frame &frame, const MatmulShape &shape) {
    return shape.bias ? frame.cells(shape.bias).data : nullptr;
}

// The columns for a document, as the kernel reads them.
const std::byte *packed_for(Frame &frame, const MatmulShape &shape, std::size_t n, std::size_t document) {
    if (shape.packed) {
        return frame.cells(shape.packed).data;
    }
    const Cells &matrix = frame.cells(shape.unpacked);
    // Columns with an index come with the query at the latest, so that all documents have the same.
    const std::ptrdiff_t stride = shape.b_columns ? 0 : matrix.stride;
    const std::byte *const unpacked = matrix.data + static_cast<std::ptrdiff_t>(document) * stride;
    if (shape.in_place) {
        return unpacked;
    }
    std::byte *const packed = frame.scratch->more_bytes.room(shape.b.batch * packed_cells(*shape.kernel, shape.b.k, n) *
                                                             byte_size(shape.kernel->type));
    pack_matrices(*shape.kernel, shape.b, n, unpacked, packed);
    return packed;
}

// Calls visit(rows, how many, number of the first) with rows in the kernel's type, piece by piece if they must be
// converted. Successive rows are k cells apart.
template <class Visit>
void for_each_rows(Frame &frame, const MatmulShape &shape, const std::byte *rows, std::size_t count,
                   const Visit &visit) {
    if (shape.convert == nullptr) {
        visit(rows, count, 0);
        return;
    }
    const std::size_t row_bytes = shape.a_row_cells * byte_size(shape.a_type);
    const std::size_t converted_row = shape.b.k * byte_size(shape.kernel->type);
    const std::size_t most = std::max<std::size_t>(8, converted_bytes / converted_row);
    std::byte *const room = frame.scratch->bytes.room(std::min(most, std::max<std::size_t>(1, count)) * converted_row);
    for (std::size_t first = 0; first < count; first += most) {
        const std::size_t some = std::min(most, count - first);
        shape.convert->function({rows + first * row_bytes, 0, room, 0, 1, some * shape.a_row_cells});
        visit(room, some, first);
    }
}

// For the rows from one on. row: its number among those of the document, or among all of an index.
kernels::MatmulScaling scaling_of(const Frame &frame, const MatmulShape &shape, std::size_t document, std::size_t row) {
    const auto floats = [&](CellsSlot slot, bool by_row) {
        const Cells &cells = frame.cells(slot);
        const std::byte *const first =
            cells.data + (by_row && !shape.a_index ? static_cast<std::ptrdiff_t>(document) * cells.stride : 0);
        return reinterpret_cast<const float *>(first) + (by_row ? row : 0);
    };
    const ScalingCells &own = shape.scaling;
    return {floats(own.row_scale, true), floats(own.column_scale, false), floats(own.row_offset, true),
            floats(own.column_offset, false)};
}

bool is_scaled(const MatmulShape &shape) {
    return static_cast<bool>(shape.scaling.row_scale);
}

// Whether the numbers of the rows of all documents follow each other.
bool are_contiguous(const Frame &frame, const MatmulShape &shape) {
    const auto follow = [&](CellsSlot slot) {
        return frame.cells(slot).stride == static_cast<std::ptrdiff_t>(shape.rows * sizeof(float));
    };
    return !is_scaled(shape) || shape.a_index || frame.documents == 1 ||
           (follow(shape.scaling.row_scale) && follow(shape.scaling.row_offset));
}

// What a step says of the activation, and how many operations it is.
struct ActivationInfo {
    const char *text;
    double operations;
};
ActivationInfo info_of(kernels::MatmulActivation activation) {
    switch (activation) {
        case kernels::MatmulActivation::none:
            return {"", 0};
        case kernels::MatmulActivation::relu:
            return {", relu", 1};
        case kernels::MatmulActivation::gelu:
            return {", gelu", 4 + facts(ScalarFunction::erf).operations};
        case kernels::MatmulActivation::gelu_tanh:
            return {", gelu by tanh", 8 + facts(ScalarFunction::tanh).operations};
    }
    return {"", 0};
}

std::string text_of(const MatmulShape &shape) {
    return fmt::format("{}{} rows of {} by {}{}{}{}{}{}",
                       shape.b.batch > 1 ? fmt::format("{} times ", shape.b.batch) : "",
                       shape.a_index ? "all" : fmt::format("{}", shape.rows), shape.b.k,
                       shape.b_columns ? "all columns" : fmt::format("{} columns", shape.b.n),
                       shape.in_place ? ", nothing packed" : "",
                       shape.convert != nullptr ? fmt::format(", {}", full_name(*shape.convert)) : "",
                       is_scaled(shape) ? ", scaled by row and column" : "", shape.bias ? ", with a bias" : "",
                       info_of(shape.activation).text);
}

std::string reasons_of(const MatmulShape &shape, kernels::Isa isa) {
    return list_candidates(kernels::matmul_candidates(shape.cells, shape.b.k, shape.expected_columns(), isa));
}

// Of one block of rows, and one column if the columns are blocks themselves.
Work work_of(const MatmulShape &shape, const Target &target) {
    const auto rows = static_cast<double>(shape.b.batch * shape.rows);
    const auto k = static_cast<double>(shape.b.k);
    const double n = shape.b_columns ? 1 : static_cast<double>(shape.b.n);
    return {
        (2 * k + (is_scaled(shape) ? 4 : 0) + (shape.bias ? 1 : 0) + info_of(shape.activation).operations) * rows * n,
        rows * static_cast<double>(shape.a_row_cells * byte_size(shape.a_type)) +
            static_cast<double>(shape.b.batch) * k * n * static_cast<double>(byte_size(shape.kernel->type)),
        static_cast<double>(target.bytes),
        static_cast<bool>(shape.a_index),
        static_cast<bool>(shape.b_columns),
        2 * k * rows * n};
}

}  // namespace

MatmulStep::MatmulStep(MatmulShape shape, Target target)
    : shape_(shape),
      target_(target),
      has_plain_rows_(shape.packed && !shape.a_index && !shape.b_columns && shape.rows == 1 && shape.b.batch == 1 &&
                      shape.convert == nullptr && !is_scaled(shape)) {}

void MatmulStep::run_document(Frame &frame, std::size_t document, const std::byte *rows, std::size_t blocks,
                              std::size_t first_row, std::byte *target) const {
    const std::size_t n = columns(frame, shape_);
    const std::size_t width = byte_size(shape_.kernel->type);
    const std::size_t out_row = n * byte_size(shape_.kernel->out());
    const std::byte *const packed = packed_for(frame, shape_, n, document);
    // From one matrix of a batch to the next.
    const std::ptrdiff_t matrix =
        static_cast<std::ptrdiff_t>(width) *
        (shape_.in_place ? shape_.b.batch_stride
                         : static_cast<std::ptrdiff_t>(packed_cells(*shape_.kernel, shape_.b.k, n)));
    const auto k = static_cast<std::ptrdiff_t>(shape_.b.k);
    kernels::MatmulScaling scaling;
    const std::byte *const maps = shape_.packed ? frame.cells(shape_.packed).maps : nullptr;
    kernels::MatmulBlocks not_zero;
    const auto multiply_rows = [&](const std::byte *some, std::size_t count, std::size_t first, std::size_t number,
                                   std::byte *out) {
        if (maps != nullptr) {
            not_zero = blocks_of_matrix(*shape_.kernel, shape_.b, maps, number);
        }
        if (is_scaled(shape_)) {
            scaling = scaling_of(frame, shape_, document, first_row + first);
        }
        multiply(frame, *shape_.kernel,
                 {some, k, 1, packed + static_cast<std::ptrdiff_t>(number) * matrix, count, n, shape_.b.k,
                  bias_of(frame, shape_), out, static_cast<std::ptrdiff_t>(n), shape_.activation,
                  shape_.in_place ? shape_.b.k_stride : 0, is_scaled(shape_) ? &scaling : nullptr,
                  maps != nullptr ? &not_zero : nullptr});
    };
    if (n == 0) {
        return;
    }
    for_each_rows(frame, shape_, rows, blocks * shape_.b.batch * shape_.rows,
                  [&](const std::byte *some, std::size_t count, std::size_t first) {
                      if (shape_.b.batch == 1) {
                          multiply_rows(some, count, first, 0, target + first * out_row);
                          return;
                      }
                      // Rows of one batch after the other: `rows` at a time belong to the same matrix.
                      std::size_t done = 0;
                      while (done < count) {
                          const std::size_t row = first + done;
                          const std::size_t of_batch = std::min(count - done, shape_.rows - row % shape_.rows);
                          const std::size_t batch = row / shape_.rows % shape_.b.batch;
                          multiply_rows(some + done * shape_.b.k * width, of_batch, row, batch, target + row * out_row);
                          done += of_batch;
                      }
                  });
}

void MatmulStep::run(Frame &frame) const {
    std::byte *const target = make_room(frame, target_);
    if (target == nullptr) {
        return;
    }
    const Cells &a = frame.cells(shape_.a);
    if (has_plain_rows_) {
        // A row of each document, wherever it is: what short products need is little more than the kernel.
        const auto width = static_cast<std::ptrdiff_t>(byte_size(shape_.kernel->type));
        if (frame.documents == 1 || a.stride % width == 0) {
            const auto n = static_cast<std::ptrdiff_t>(shape_.b.n);
            const Cells &packed = frame.cells(shape_.packed);
            kernels::MatmulBlocks not_zero;
            if (packed.maps != nullptr) {
                not_zero = blocks_of_matrix(*shape_.kernel, shape_.b, packed.maps, 0);
            }
            multiply(frame, *shape_.kernel,
                     {a.data, a.stride / width, 1, packed.data, frame.documents, shape_.b.n, shape_.b.k,
                      bias_of(frame, shape_), target, n, shape_.activation, 0, nullptr,
                      packed.maps != nullptr ? &not_zero : nullptr});
            return;
        }
    }
    const std::size_t block_cells =
        shape_.b.batch * shape_.rows * columns(frame, shape_) * byte_size(shape_.kernel->out());
    const std::size_t a_bytes = shape_.b.batch * shape_.rows * shape_.a_row_cells * byte_size(shape_.a_type);
    const bool shared = shape_.a_index && frame.index(shape_.a_index).shared && frame.documents != 1;
    const bool contiguous = shape_.a_index ? !shared : a.stride == static_cast<std::ptrdiff_t>(a_bytes);
    if (shape_.packed && contiguous && are_contiguous(frame, shape_)) {
        // The rows of all documents at once.
        const std::size_t blocks =
            shape_.a_index ? frame.index(shape_.a_index).end(frame.documents - 1) : frame.documents;
        run_document(frame, 0, a.data, blocks, 0, target);
        return;
    }
    for (std::size_t document = 0; document < frame.documents; ++document) {
        const Rows rows = rows_of(frame, shape_, document);
        const std::size_t first_row = shape_.a_index ? frame.index(shape_.a_index).begin(document) * shape_.rows : 0;
        run_document(frame, document, rows.first, rows.blocks, first_row, target + rows.number * block_cells);
    }
}

std::string MatmulStep::describe() const {
    return fmt::format("product of matrices: {}", text_of(shape_));
}

std::string MatmulStep::reasons(kernels::Isa isa) const {
    return reasons_of(shape_, isa);
}

Work MatmulStep::work() const {
    return work_of(shape_, target_);
}

double MatmulStep::left_out(const Store &constants) const {
    const bool is_constant = shape_.packed && shape_.packed.stage == Stage::constant;
    const std::byte *const maps = is_constant ? constants.cells[shape_.packed.number].maps : nullptr;
    return maps != nullptr ? share_of_zeros(*shape_.kernel, shape_.b, maps) : 0;
}

void MatmulExtremeStep::run(Frame &frame) const {
    std::byte *const target = make_room(frame, target_);
    if (target == nullptr) {
        return;
    }
    const std::size_t n = columns(frame, shape_);
    const auto k = static_cast<std::ptrdiff_t>(shape_.b.k);
    const std::size_t row_bytes = shape_.b.k * byte_size(shape_.kernel->type);
    const std::size_t group_bytes = (shape_.b_columns ? n : 1) * target_.bytes;
    const Index *const index = target_.index ? &frame.index(target_.index) : nullptr;
    for (std::size_t document = 0; document < frame.documents && n != 0; ++document) {
        const Rows rows = rows_of(frame, shape_, document);
        std::byte *const out = target + (index != nullptr ? index->begin(document) : document) * target_.bytes;
        if (rows.blocks == 0) {
            if (index == nullptr) {
                std::memset(out, 0, target_.bytes);
            }
            continue;
        }
        const std::byte *const packed = packed_for(frame, shape_, n, document);
        const std::size_t block_bytes = shape_.rows * shape_.a_row_cells * byte_size(shape_.a_type);
        const GroupedRows groups =
            grouped(frame, groups_, {shape_.a_index, rows.first, rows.blocks, shape_.rows, block_bytes}, document);
        std::size_t group = 0;
        std::size_t group_begin = 0;
        for_each_rows(
            frame, shape_, groups.first, rows.blocks * shape_.rows,
            [&](const std::byte *some, std::size_t count, std::size_t first) {
                const std::size_t end = first + count;
                for (std::size_t row = first; row < end;) {
                    const std::size_t last = std::min<std::size_t>(end, groups.ends[group]);
                    shape_.kernel->reduce({reduction_, some + (row - first) * row_bytes, k, 1, packed, last - row, n,
                                           shape_.b.k, out + group * group_bytes, row != group_begin});
                    row = last;
                    if (last == groups.ends[group]) {
                        ++group;
                        group_begin = last;
                    }
                }
            });
    }
}

std::string MatmulExtremeStep::describe() const {
    return fmt::format("{} of products{}: {}", reduction_ == kernels::MatmulReduction::max ? "largest" : "smallest",
                       groups_.index ? " by groups of rows" : "", text_of(shape_));
}

std::string MatmulExtremeStep::reasons(kernels::Isa isa) const {
    return reasons_of(shape_, isa);
}

Work MatmulExtremeStep::work() const {
    return work_of(shape_, target_);
}

void ReplicateWhereStep::run(Frame &frame) const {
    const Index &shared = frame.index(shared_);
    const Index *const where = where_ ? &frame.index(where_) : nullptr;
    IndexWriter writer(frame, result_, width_, &frame.map(map_));
    for (std::size_t document = 0; document < frame.documents; ++document) {
        if (where == nullptr || where->begin(document) != where->end(document)) {
            for (std::uint32_t block = 0; block < shared.end(0); ++block) {
                std::copy_n(shared.labels + block * width_, width_, writer.add(block));
            }
        }
        writer.end_document();
    }
}

}  // namespace tenrex::program

#include "lib/program/dense/elementwise_step.h"

#include <algorithm>

#include "lib/program/gathered_blocks.h"
#include "lib/program/parts.h"

namespace tenrex::program {

namespace {

// An operand's blocks for some of the result: where they are if they follow each other, else copies in the room.
const std::byte *operand_in_order(const Frame &frame, const BlockUse &use, std::size_t first, std::size_t count,
                                  std::byte *room) {
    const std::byte *const cells = frame.cells(use.cells).data;
    return use.access == BlockAccess::same
               ? cells + first * use.bytes
               : blocks_in_order(cells, use.bytes, frame.map(use.map).of.data() + first, count, room);
}

}  // namespace

ElementwiseStep::ElementwiseStep(const kernels::ElementwiseKernel *kernel, std::vector<BlockUse> operands,
                                 LoopNest<4> nest, Target target, std::string text)
    : kernel_(kernel),
      operands_(std::move(operands)),
      nest_(std::move(nest)),
      target_(target),
      cell_bytes_(byte_size(kernel->type)),
      text_(std::move(text)) {
    for (std::size_t i = 0; i < operands_.size(); ++i) {
        if (nest_.run().size > 1 && nest_.run().strides[i + 1] == 0) {
            fixed_ |= 1u << i;
        }
    }
    const bool are_blocks = std::all_of(operands_.begin(), operands_.end(), [&](const BlockUse &use) {
        return use.access != BlockAccess::dense && (use.bytes == cell_bytes_ || use.bytes == target_.bytes);
    });
    if (are_blocks && fixed_ != 0 && nest_.is_single_run()) {
        tiles_ = RowTiles::make(*kernel_, nest_.run().size);
    }
}

std::string ElementwiseStep::reasons(kernels::Isa isa) const {
    return list_candidates(kernels::elementwise_candidates(kernel_->operation, kernel_->type, isa));
}

void ElementwiseStep::run_block(const kernels::Elementwise &block) const {
    if (nest_.is_single_run()) {
        kernel_->function(block);
        return;
    }
    const auto width = static_cast<std::ptrdiff_t>(cell_bytes_);
    const auto *const a = static_cast<const std::byte *>(block.a);
    const auto *const b = static_cast<const std::byte *>(block.b);
    const auto *const c = static_cast<const std::byte *>(block.c);
    auto *const out = static_cast<std::byte *>(block.out);
    nest_.for_each_run([&](const std::array<std::ptrdiff_t, 4> &offsets) {
        kernel_->function({a + offsets[1] * width, b + offsets[2] * width, c + offsets[3] * width,
                           out + offsets[0] * width, block.length, block.fixed});
    });
}

// All cells of the result, from operands that have as many or are one cell.
void ElementwiseStep::run_cells(const Frame &frame, const kernels::Elementwise &call) const {
    // A thread is not worth fewer, and this is asked for very short ones.
    constexpr std::size_t grain = 4096;
    if (frame.executor == nullptr || call.length <= grain) {
        kernel_->function(call);
        return;
    }
    const Parts parts(frame, call.length, kernel_->cost.of(call.length) / static_cast<double>(call.length), grain);
    parts.run([&](std::size_t, std::size_t first, std::size_t count) {
        const auto from = [&](const void *cells, std::uint32_t operand) {
            const bool is_one = cells == nullptr || (call.fixed >> operand & 1U) != 0;
            return is_one ? cells : static_cast<const std::byte *>(cells) + first * cell_bytes_;
        };
        kernel_->function({from(call.a, 0), from(call.b, 1), from(call.c, 2),
                           static_cast<std::byte *>(call.out) + first * cell_bytes_, count, call.fixed});
    });
}

void ElementwiseStep::run(Frame &frame) const {
    if (target_.index) {
        run_indexed(frame);
    } else {
        run_dense(frame);
    }
}

void ElementwiseStep::run_dense(Frame &frame) const {
    std::byte *const out = make_room(frame, target_);
    // Filled member by member and handed on as it is: a copy would have to wait for the members.
    kernels::Elementwise call;
    const void **const in[3] = {&call.a, &call.b, &call.c};
    std::ptrdiff_t strides[3] = {};
    // All documents are one run if every operand goes on where its last document ended, or is one cell for all.
    bool one_run = nest_.is_single_run();
    for (std::size_t i = 0; i < operands_.size(); ++i) {
        const Cells &cells = frame.cells(operands_[i].cells);
        *in[i] = cells.data;
        strides[i] = cells.stride;
        const bool is_fixed = operands_[i].bytes == cell_bytes_ && cells.stride == 0;
        call.fixed |= is_fixed ? 1u << i : 0;
        one_run &= is_fixed ||
                   (operands_[i].bytes == target_.bytes && cells.stride == static_cast<std::ptrdiff_t>(target_.bytes));
    }
    call.out = out;
    if (one_run) {
        call.length = frame.documents * nest_.run().size;
        run_cells(frame, call);
        return;
    }
    call.length = nest_.run().size;
    call.fixed = fixed_;
    for (std::size_t document = 0; document < frame.documents; ++document) {
        run_block(call);
        call.out = static_cast<std::byte *>(call.out) + target_.bytes;
        for (std::size_t i = 0; i < operands_.size(); ++i) {
            *in[i] = static_cast<const std::byte *>(*in[i]) + strides[i];
        }
    }
}

// The operand's blocks in the order of the result's, so that they can be read in one go. A single cell is repeated to
// so many bytes.
Blocks ElementwiseStep::gathered(Frame &frame, const BlockUse &use, std::size_t bytes, std::size_t count,
                                 std::size_t operand) const {
    std::byte *const room = frame.scratch->gathered[operand].room(std::max<std::size_t>(1, count * bytes));
    const std::byte *const cells = frame.cells(use.cells).data;
    const std::uint32_t *const map = use.access == BlockAccess::mapped ? frame.map(use.map).of.data() : nullptr;
    if (bytes == use.bytes) {
        return Blocks(blocks_in_order(cells, bytes, map, count, room), bytes);
    }
    repeat_cells(cells, cell_bytes_, map, count, bytes / cell_bytes_, room);
    return Blocks(room, bytes);
}

// Some blocks at a time, each a row of a tile.
void ElementwiseStep::run_tiles(Frame &frame, std::byte *out) const {
    const std::size_t count = block_count(frame, target_);
    const std::size_t blocks = tiles_->rows_of_tile();
    RowTiles::Operand rows[3];
    for (std::size_t first = 0; first < count; first += blocks) {
        const std::size_t now = std::min(blocks, count - first);
        for (std::size_t i = 0; i < operands_.size(); ++i) {
            const BlockUse &use = operands_[i];
            std::byte *const room = frame.scratch->gathered[i].room(blocks * use.bytes);
            rows[i] = {operand_in_order(frame, use, first, now, room), use.bytes != target_.bytes};
        }
        tiles_->run({rows, operands_.size()}, out + first * target_.bytes, now);
    }
}

void ElementwiseStep::run_indexed(Frame &frame) const {
    // A call of the kernel for each block costs less than to repeat a cell so often.
    constexpr std::size_t long_run = 32;
    std::byte *const out = make_room(frame, target_);
    if (out == nullptr) {
        return;
    }
    if (tiles_) {
        run_tiles(frame, out);
        return;
    }
    const std::size_t count = block_count(frame, target_);
    const std::size_t run = nest_.run().size;
    Blocks operands[3];
    // The blocks of a document are one run if every operand has its cells in the same order, or one cell for all.
    bool one_run = nest_.is_single_run();
    bool all_documents = true;
    std::uint32_t fixed = 0;
    for (std::size_t i = 0; i < operands_.size(); ++i) {
        const BlockUse &use = operands_[i];
        operands[i] = Blocks(frame, use);
        if (use.access == BlockAccess::dense) {
            one_run &= use.bytes == cell_bytes_;
            fixed |= 1u << i;
            all_documents &= operands[i].document_stride() == 0;
        } else {
            one_run &= use.bytes == target_.bytes || run < long_run;
        }
    }
    for (std::size_t i = 0; i < operands_.size() && one_run; ++i) {
        const BlockUse &use = operands_[i];
        const bool repeated = use.bytes != target_.bytes;
        if (use.access == BlockAccess::mapped || (use.access == BlockAccess::same && repeated)) {
            operands[i] = gathered(frame, use, repeated ? target_.bytes : use.bytes, count, i);
        }
    }
    // Filled member by member, as above.
    kernels::Elementwise call;
    const void **const in[3] = {&call.a, &call.b, &call.c};
    const auto set_block = [&](std::size_t document, std::size_t block) {
        call.out = out + block * target_.bytes;
        for (std::size_t i = 0; i < operands_.size(); ++i) {
            *in[i] = operands[i].at(document, block);
        }
    };
    call.fixed = one_run ? fixed : fixed_;
    if (one_run && all_documents) {
        if (count != 0) {
            set_block(0, 0);
            call.length = count * run;
            run_cells(frame, call);
        }
        return;
    }
    const Index &index = frame.index(target_.index);
    for (std::size_t document = 0; document < frame.documents; ++document) {
        const std::uint32_t begin = index.begin(document);
        const std::uint32_t end = index.end(document);
        if (one_run && begin != end) {
            set_block(document, begin);
            call.length = (end - begin) * run;
            run_cells(frame, call);
            continue;
        }
        call.length = run;
        for (std::uint32_t block = begin; block < end; ++block) {
            set_block(document, block);
            run_block(call);
        }
    }
}

}  // namespace tenrex::program

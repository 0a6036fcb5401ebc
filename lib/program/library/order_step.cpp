#include "lib/program/library/order_step.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "lib/program/library/cell_order.h"

namespace tenrex::program {

Work OrderStep::work() const {
    // A sort of the cells.
    const std::size_t count = target_.bytes / sizeof(double);
    const auto cells = static_cast<double>(count);
    return blockwise(target_, {&operand_, 1}, cells * std::ceil(std::log2(cells + 1)));
}

void OrderStep::run(Frame &frame) const {
    std::byte *const cells = make_room(frame, target_);
    if (cells == nullptr) {
        return;
    }
    for (std::size_t document = 0; document < frame.documents; ++document) {
        if (!index_) {
            const auto block = static_cast<std::uint32_t>(document);
            rank_document(frame, document, block, block + 1, cells);
        } else {
            const Index &index = frame.index(index_);
            rank_document(frame, document, index.begin(document), index.end(document), cells);
        }
    }
}

void OrderStep::rank_document(Frame &frame, std::size_t document, std::uint32_t begin, std::uint32_t end,
                              std::byte *cells) const {
    const std::size_t blocks = end - begin;
    const std::size_t cells_inside = inside_.runs() * inside_.run().size;
    const Blocks operand(frame, operand_);
    // The blocks by group.
    std::uint32_t *const order = frame.scratch->blocks.room(blocks);
    std::iota(order, order + blocks, begin);
    const std::uint32_t *const groups = groups_ ? frame.map(groups_).of.data() : nullptr;
    if (groups != nullptr) {
        std::sort(order, order + blocks, [&](std::uint32_t a, std::uint32_t b) { return groups[a] < groups[b]; });
    }
    const AddressOrder address_order(*frame.labels, index_ ? frame.index(index_).labels : nullptr, width_, ranked_,
                                     by_number_);
    struct Ranked {
        double cell;
        std::uint32_t block;
        std::uint32_t place;  // within the block: by index
        std::byte *rank;
    };
    const auto comes_before = [&](const Ranked &a, const Ranked &b) {
        const Order by_cell = order_of(a.cell, b.cell, ascending_);
        if (by_cell != Order::equal) {
            return by_cell == Order::before;
        }
        return a.block == b.block ? a.place < b.place : address_order(a.block, b.block);
    };
    std::size_t first = 0;
    while (first < blocks) {
        std::size_t last = first + 1;
        while (last < blocks && (groups == nullptr || groups[order[last]] == groups[order[first]])) {
            ++last;
        }
        const std::size_t count = (last - first) * cells_inside;
        auto *const ranked = reinterpret_cast<Ranked *>(frame.scratch->bytes.room(count * sizeof(Ranked)));
        // The groups within the blocks begin at an offset each.
        const auto rank_group = [&](std::ptrdiff_t offset) {
            Ranked *next = ranked;
            for (std::size_t b = first; b < last; ++b) {
                const std::byte *const source = operand.at(document, order[b]);
                std::byte *const target = cells + order[b] * target_.bytes;
                const auto &run = inside_.run();
                std::uint32_t place = 0;
                inside_.for_each_run([&](const std::array<std::ptrdiff_t, 1> &at) {
                    for (std::size_t i = 0; i < run.size; ++i, ++next, ++place) {
                        const std::ptrdiff_t byte = (offset + at[0] + static_cast<std::ptrdiff_t>(i) * run.strides[0]) *
                                                    static_cast<std::ptrdiff_t>(sizeof(double));
                        *next = {0, order[b], place, target + byte};
                        std::memcpy(&next->cell, source + byte, sizeof(double));
                    }
                });
            }
            std::sort(ranked, ranked + count, comes_before);
            for (std::size_t rank = 0; rank < count; ++rank) {
                const auto number_of_rank = static_cast<double>(rank);
                std::memcpy(ranked[rank].rank, &number_of_rank, sizeof(double));
            }
        };
        const auto &outer = outside_.run();
        outside_.for_each_run([&](const std::array<std::ptrdiff_t, 1> &at) {
            for (std::size_t i = 0; i < outer.size; ++i) {
                rank_group(at[0] + static_cast<std::ptrdiff_t>(i) * outer.strides[0]);
            }
        });
        first = last;
    }
}

}  // namespace tenrex::program

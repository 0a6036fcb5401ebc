#include "lib/program/library/order_step.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>

#include "lib/program/library/cell_order.h"
#include "lib/program/sort_by_bytes.h"

namespace tenrex::program {

namespace {

struct Ranked {
    std::uint64_t key;    // of its cell
    std::uint64_t place;  // of its rank, in bytes
};

}  // namespace

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
    const auto block_of = [&](const Ranked &cell) { return static_cast<std::uint32_t>(cell.place / target_.bytes); };
    const auto comes_before = [&](const Ranked &a, const Ranked &b) {
        const std::uint32_t block_a = block_of(a), block_b = block_of(b);
        return block_a == block_b ? a.place < b.place : address_order(block_a, block_b);
    };
    std::size_t first = 0;
    while (first < blocks) {
        std::size_t last = first + 1;
        while (last < blocks && (groups == nullptr || groups[order[last]] == groups[order[first]])) {
            ++last;
        }
        const std::size_t count = (last - first) * cells_inside;
        auto *const ranked = reinterpret_cast<Ranked *>(frame.scratch->bytes.room(2 * count * sizeof(Ranked)));
        // The groups within the blocks begin at an offset each.
        const auto rank_group = [&](std::ptrdiff_t offset) {
            Ranked *next = ranked;
            for (std::size_t b = first; b < last; ++b) {
                const std::byte *const source = operand.at(document, order[b]);
                const std::size_t target = order[b] * target_.bytes;
                const auto &run = inside_.run();
                inside_.for_each_run([&](const std::array<std::ptrdiff_t, 1> &at) {
                    for (std::size_t i = 0; i < run.size; ++i, ++next) {
                        const auto byte = static_cast<std::size_t>(
                            (offset + at[0] + static_cast<std::ptrdiff_t>(i) * run.strides[0]) *
                            static_cast<std::ptrdiff_t>(sizeof(double)));
                        double cell;
                        std::memcpy(&cell, source + byte, sizeof(double));
                        *next = {key_of(cell, ascending_), target + byte};
                    }
                });
            }
            sort_by_bytes(std::span(ranked, count), ranked + count, [](const Ranked &each) { return each.key; });
            for (std::size_t rank = 0; rank < count;) {
                const std::size_t equal = rank;
                while (rank < count && ranked[rank].key == ranked[equal].key) {
                    ++rank;
                }
                if (rank - equal > 1) {
                    std::sort(ranked + equal, ranked + rank, comes_before);
                }
                for (std::size_t i = equal; i < rank; ++i) {
                    const auto number = static_cast<double>(i);
                    std::memcpy(cells + ranked[i].place, &number, sizeof(double));
                }
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

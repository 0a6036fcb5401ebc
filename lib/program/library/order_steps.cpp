#include "lib/program/library/order_steps.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "lib/program/sparse/index_writer.h"

namespace tenrex::program {

namespace {

// Whether an address comes before another, by the texts of the labels at some positions.
class AddressOrder {
public:
    AddressOrder(const LabelTexts &texts, const Label *labels, std::size_t width, Positions positions,
                 bool by_number = false) noexcept
        : texts_(texts), labels_(labels), width_(width), positions_(positions), by_number_(by_number) {}
    bool operator()(std::uint32_t a, std::uint32_t b) const noexcept {
        for (const std::uint16_t position : positions_) {
            const Label x = labels_[a * width_ + position];
            const Label y = labels_[b * width_ + position];
            if (x != y) {
                return by_number_ ? x < y : texts_.compare(x, y) < 0;
            }
        }
        return false;
    }

private:
    const LabelTexts &texts_;
    const Label *labels_;
    std::size_t width_;
    Positions positions_;
    bool by_number_;
};

enum class Order : std::uint8_t { before, equal, after };

// Labels are compared only where this leaves it open: their texts take much longer.
template <class Cell>
Order order_of(Cell a, Cell b, bool ascending) noexcept {
    if (a < b) {
        return ascending ? Order::before : Order::after;
    }
    if (b < a) {
        return ascending ? Order::after : Order::before;
    }
    const bool a_is_nan = std::isnan(a), b_is_nan = std::isnan(b);
    return a_is_nan == b_is_nan ? Order::equal : (b_is_nan ? Order::before : Order::after);
}

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

TopStep::TopStep(IndexedCells ranked, CellType ranked_type, CellsSlot kept, BlockUse count, std::size_t width,
                 bool ascending, Target target)
    : ranked_(ranked),
      ranked_type_(ranked_type),
      kept_(kept),
      count_(count),
      positions_(width),
      ascending_(ascending),
      target_(target) {
    std::iota(positions_.begin(), positions_.end(), std::uint16_t{0});
}

Work TopStep::work() const {
    Work work = copying(target_);
    work.flops = 1;
    return work;
}

namespace {

// How many ranks are below the number.
std::uint32_t ranks_below(double number, std::uint32_t ranks) noexcept {
    if (!(number > 0)) {
        return 0;
    }
    return number < ranks ? static_cast<std::uint32_t>(std::ceil(number)) : ranks;
}

// The cells of blocks in their order.
template <class Cell, bool ascending>
class RankedCells {
public:
    RankedCells(const std::byte *cells, const AddressOrder &addresses) noexcept
        : cells_(cells), addresses_(addresses) {}

    // Whether the block comes after one with that cell, whatever the labels are: most blocks do.
    bool is_behind(std::uint32_t block, Cell other) const noexcept {
        return ascending ? cell(block) > other : cell(block) < other;
    }
    bool operator()(std::uint32_t a, std::uint32_t b) const noexcept {
        const Order by_cell = order_of(cell(a), cell(b), ascending);
        return by_cell == Order::equal ? addresses_(a, b) : by_cell == Order::before;
    }
    Cell cell(std::uint32_t block) const noexcept {
        Cell result;
        std::memcpy(&result, cells_ + block * sizeof(Cell), sizeof(Cell));
        return result;
    }

private:
    const std::byte *cells_;
    const AddressOrder &addresses_;
};

// The last of the first `count` blocks in the order; 0 < count < end - begin.
template <class Cells>
std::uint32_t last_of_first(Scratch &scratch, std::uint32_t begin, std::uint32_t end, std::uint32_t count,
                            const Cells &before) {
    // Up to so many are kept sorted while the blocks pass by.
    constexpr std::uint32_t few = 16;
    if (count > few) {
        std::uint32_t *const order = scratch.blocks.room(end - begin);
        std::iota(order, order + (end - begin), begin);
        std::nth_element(order, order + count - 1, order + (end - begin), before);
        return order[count - 1];
    }
    std::uint32_t first[few];
    std::uint32_t known = 0;
    auto last_cell = before.cell(begin);
    for (std::uint32_t block = begin; block < end; ++block) {
        if (known == count && (before.is_behind(block, last_cell) || !before(block, first[count - 1]))) {
            continue;
        }
        std::uint32_t place = known < count ? known++ : count - 1;
        for (; place > 0 && before(block, first[place - 1]); --place) {
            first[place] = first[place - 1];
        }
        first[place] = block;
        last_cell = before.cell(first[known - 1]);
    }
    return first[count - 1];
}

}  // namespace

void TopStep::run(Frame &frame) const {
    if (ranked_type_ == CellType::f64) {
        ascending_ ? run_as<double, true>(frame) : run_as<double, false>(frame);
    } else {
        ascending_ ? run_as<float, true>(frame) : run_as<float, false>(frame);
    }
}

template <class Cell, bool ascending>
void TopStep::run_as(Frame &frame) const {
    const std::size_t width = positions_.size();
    const Index &index = frame.index(ranked_.index);
    const AddressOrder addresses(*frame.labels, index.labels, width, positions_);
    const RankedCells<Cell, ascending> before(frame.cells(ranked_.cells).data, addresses);
    const std::byte *const kept = frame.cells(kept_).data;
    const Blocks counts(frame, count_);
    std::byte *const cells = room_for(frame, target_, blocks_of(frame, index));
    IndexWriter writer(frame, target_.index, width);
    for (std::size_t document = 0; document < frame.documents; ++document) {
        const std::uint32_t begin = index.begin(document);
        const std::uint32_t end = index.end(document);
        double number;
        std::memcpy(&number, counts.at(document, document), sizeof(number));
        const std::uint32_t count = ranks_below(number, end - begin);
        if (count != 0) {
            const bool all = count == end - begin;
            const std::uint32_t last = all ? begin : last_of_first(*frame.scratch, begin, end, count, before);
            const Cell last_cell = before.cell(last);
            for (std::uint32_t block = begin; block < end; ++block) {
                if (all || !(before.is_behind(block, last_cell) || before(last, block))) {
                    std::memcpy(cells + writer.count() * target_.bytes, kept + block * target_.bytes, target_.bytes);
                    std::copy_n(index.labels + block * width, width, writer.add());
                }
            }
        }
        writer.end_document();
    }
}

}  // namespace tenrex::program

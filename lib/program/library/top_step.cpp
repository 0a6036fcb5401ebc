#include "lib/program/library/top_step.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "lib/program/copy_bytes.h"
#include "lib/program/library/cell_order.h"
#include "lib/program/sparse/index_writer.h"

namespace tenrex::program {

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
    // Calls visit(block) for those that are not behind a cell, which visit() may change. Eight at a time: of many
    // blocks few are not.
    template <class Visit>
    void for_each_not_behind(std::uint32_t begin, std::uint32_t end, const Cell &other, const Visit &visit) const {
        constexpr std::uint32_t together = 8;
        while (begin < end) {
            const std::uint32_t next = std::min(begin + together, end);
            bool all_behind = next - begin == together;
            if (all_behind) {
                for (std::uint32_t i = 0; i < together; ++i) {
                    all_behind &= is_behind(begin + i, other);
                }
            }
            for (; !all_behind && begin < next; ++begin) {
                if (!is_behind(begin, other)) {
                    visit(begin);
                }
            }
            begin = next;
        }
    }
    // Those up to a block in the order.
    template <class Visit>
    void for_each_up_to(std::uint32_t last, std::uint32_t begin, std::uint32_t end, const Visit &visit) const {
        for_each_not_behind(begin, end, cell(last), [&](std::uint32_t block) {
            if (!(*this)(last, block)) {
                visit(block);
            }
        });
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
    const auto keep = [&](std::uint32_t block) {
        std::uint32_t place = known < count ? known++ : count - 1;
        for (; place > 0 && before(block, first[place - 1]); --place) {
            first[place] = first[place - 1];
        }
        first[place] = block;
    };
    for (std::uint32_t i = 0; i < count; ++i) {
        keep(begin++);
    }
    auto last_cell = before.cell(first[count - 1]);
    before.for_each_not_behind(begin, end, last_cell, [&](std::uint32_t block) {
        if (before(block, first[count - 1])) {
            keep(block);
            last_cell = before.cell(first[count - 1]);
        }
    });
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
            const auto take = [&](std::uint32_t block) {
                copy_bytes(cells + writer.count() * target_.bytes, kept + block * target_.bytes, target_.bytes);
                std::copy_n(index.labels + block * width, width, writer.add());
            };
            if (count == end - begin) {
                for (std::uint32_t block = begin; block < end; ++block) {
                    take(block);
                }
            } else {
                before.for_each_up_to(last_of_first(*frame.scratch, begin, end, count, before), begin, end, take);
            }
        }
        writer.end_document();
    }
}

}  // namespace tenrex::program

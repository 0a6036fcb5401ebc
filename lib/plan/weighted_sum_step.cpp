#include "lib/plan/weighted_sum_step.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include <fmt/format.h>

#include "lib/plan/label_search.h"

namespace tenrex::plan {

namespace {

template <class Cell>
double load(const std::byte *cells, std::size_t i) noexcept {
    Cell cell;
    std::memcpy(&cell, cells + i * sizeof(Cell), sizeof(Cell));
    return static_cast<double>(cell);
}

}  // namespace

WeightedSumStep::WeightedSumStep(const Shape &shape, const kernels::ElementwiseKernel *multiply)
    : shape_(shape), multiply_(multiply), key_(shape.width) {
    std::iota(key_.begin(), key_.end(), std::uint16_t{0});
}

void WeightedSumStep::run(Frame &frame) const {
    if (shape_.cell_type == CellType::f64) {
        run_as<double>(frame);
    } else {
        run_as<float>(frame);
    }
}

std::size_t WeightedSumStep::find(Frame &frame, std::size_t document, std::uint32_t *outer_blocks,
                                  std::uint32_t *inner_blocks) const {
    const Index &outer = frame.index(shape_.outer.index);
    const Index &inner = frame.index(shape_.inner.index);
    const std::uint32_t begin = outer.begin(document);
    const std::uint32_t end = outer.end(document);
    AddressTable &own_table = frame.scratch->table;
    if (!shape_.inner_table) {
        own_table.build(inner.labels, shape_.width, key_, inner.begin(document), inner.end(document));
    }
    const AddressTable &table = shape_.inner_table ? frame.table(shape_.inner_table) : own_table;
    std::size_t count = 0;
    constexpr std::uint32_t few = 2;
    if (shape_.inner_table && shape_.width == 1 &&
        (inner.end(0) <= few || (outer.sorted && is_better_searched(inner.end(0), end - begin)))) {
        for (std::uint32_t block = 0; block < inner.end(0); ++block) {
            const std::size_t found = find_label(outer.labels + begin, end - begin, inner.labels[block], outer.sorted);
            outer_blocks[count] = begin + static_cast<std::uint32_t>(found);
            inner_blocks[count] = block;
            count += found != end - begin ? 1 : 0;
        }
        return count;
    }
    if (const LabelPlaces *const places = table.places(); places != nullptr) {
        for (std::uint32_t block = begin; block < end; ++block) {
            const LabelPlaces::Slot &slot = places->of(outer.labels[block]);
            outer_blocks[count] = block;
            inner_blocks[count] = static_cast<std::uint32_t>(slot.content);
            count += slot.holds(outer.labels[block]) ? 1 : 0;
        }
        return count;
    }
    for (std::uint32_t block = begin; block < end; ++block) {
        const std::uint32_t match = table.first(outer.labels + block * shape_.width, key_);
        outer_blocks[count] = block;
        inner_blocks[count] = match;
        count += match != AddressTable::none ? 1 : 0;
    }
    return count;
}

template <class Cell>
void WeightedSumStep::run_as(Frame &frame) const {
    const Index &outer = frame.index(shape_.outer.index);
    const Index &inner = frame.index(shape_.inner.index);
    const std::byte *const outer_cells = frame.cells(shape_.outer.cells).data;
    const std::byte *const inner_cells = frame.cells(shape_.inner.cells).data;
    const std::byte *const blocks = shape_.blocks_outside ? outer_cells : inner_cells;
    const std::byte *const weights = shape_.blocks_outside ? inner_cells : outer_cells;
    const std::size_t length = shape_.length;
    const std::size_t bytes = length * sizeof(Cell);
    double *const sums = frame.scratch->numbers.room(length);
    std::byte *target = frame.cells(shape_.target).data;
    for (std::size_t document = 0; document < frame.documents; ++document, target += bytes) {
        // Few shared labels may be looked for in few blocks: then there are more of them.
        const std::size_t most =
            std::max(outer.end(document) - outer.begin(document), inner.end(document) - inner.begin(document)) +
            std::size_t{1};
        std::uint32_t *const outer_blocks = frame.scratch->blocks.room(2 * most);
        std::uint32_t *const inner_blocks = outer_blocks + most;
        const std::size_t count = find(frame, document, outer_blocks, inner_blocks);
        const std::uint32_t *const block_of = shape_.blocks_outside ? outer_blocks : inner_blocks;
        const std::uint32_t *const weight_of = shape_.blocks_outside ? inner_blocks : outer_blocks;
        if (count == 0) {
            std::memset(target, 0, bytes);
            continue;
        }
        if (count == 1) {
            // The product is exact in double, so that this rounds as the sum of one product would.
            multiply_->function(
                {blocks + block_of[0] * bytes, weights + weight_of[0] * sizeof(Cell), nullptr, target, length, 2});
            continue;
        }
        for (std::size_t match = 0; match < count; ++match) {
            const std::byte *const block = blocks + block_of[match] * bytes;
            const double weight = load<Cell>(weights, weight_of[match]);
            if (match == 0) {
                for (std::size_t i = 0; i < length; ++i) {
                    sums[i] = load<Cell>(block, i) * weight;
                }
            } else {
                for (std::size_t i = 0; i < length; ++i) {
                    sums[i] += load<Cell>(block, i) * weight;
                }
            }
        }
        for (std::size_t i = 0; i < length; ++i) {
            const auto cell = static_cast<Cell>(sums[i]);
            std::memcpy(target + i * sizeof(Cell), &cell, sizeof(Cell));
        }
    }
}

std::string WeightedSumStep::describe() const {
    return fmt::format("sum of blocks of {} cells with weights", shape_.length);
}

}  // namespace tenrex::plan

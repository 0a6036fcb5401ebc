#include "lib/program/sparse/sparse_dot_step.h"

#include <cstring>
#include <new>
#include <numeric>

#include "lib/program/cell.h"
#include "lib/program/library/row_pair_work.h"
#include "lib/program/pair.h"
#include "lib/program/sparse/label_search.h"
#include "lib/support/format.h"

namespace tenrex::program {

SparseDotStep::SparseDotStep(Side outer, Side inner, TableSlot inner_table, WeightsSlot weights, std::size_t width,
                             std::size_t length, kernels::RowPairChoice choice, CellsSlot target)
    : outer_(outer),
      inner_(inner),
      inner_table_(inner_table),
      weights_(weights),
      key_(width),
      length_(length),
      choice_(choice),
      target_(target) {
    std::iota(key_.begin(), key_.end(), std::uint16_t{0});
}

double SparseDotStep::dot(const std::byte *outer, const std::byte *inner) const noexcept {
    alignas(double) std::byte number[sizeof(double)];
    choice_.run({outer, 0, inner, 0, 1, length_, number});
    if (choice_.kernel->out == CellType::f64) {
        return *std::launder(reinterpret_cast<double *>(number));
    }
    return load_cell<float>(number, 0);
}

namespace {

template <class Cell>
double product(const std::byte *a, const std::byte *b) noexcept {
    return load_cell<Cell>(a, 0) * load_cell<Cell>(b, 0);
}

}  // namespace

template <class Cell>
double SparseDotStep::search(const Index &outer, std::size_t document, const std::byte *outer_cells, const Index &inner,
                             const std::byte *inner_cells) const noexcept {
    const std::uint32_t begin = outer.begin(document);
    const std::size_t count = outer.end(document) - begin;
    const Label *const labels = outer.labels + begin;
    const std::byte *const cells = outer_cells + begin * sizeof(Cell);
    const std::size_t wanted = inner.end(0);
    Pair<double> sums[4] = {};
    std::size_t number = 0;
    for (; number + 8 <= wanted; number += 8) {
        const auto found = search_sorted<8>(labels, count, inner.labels + number);
        for (std::size_t lane = 0; lane < 8; lane += 2) {
            const std::size_t first = found[lane];
            const std::size_t second = found[lane + 1];
            const Pair<std::uint64_t> there = {static_cast<std::uint64_t>(labels[first]),
                                               static_cast<std::uint64_t>(labels[second])};
            const auto own =
                load_pair<std::uint64_t>(reinterpret_cast<const std::byte *>(inner.labels + number + lane));
            const Pair<double> numbers = {load_cell<Cell>(cells, first), load_cell<Cell>(cells, second)};
            const Pair<double> weights = load_cells<Cell>(inner_cells + (number + lane) * sizeof(Cell));
            sums[lane / 2] += masked(numbers * weights, equal(there, own));
        }
    }
    double rest = 0;
    for (; number < wanted; ++number) {
        const std::size_t found = search_sorted<1>(labels, count, inner.labels + number)[0];
        rest += labels[found] == inner.labels[number]
                    ? load_cell<Cell>(cells, found) * load_cell<Cell>(inner_cells, number)
                    : 0;
    }
    const Pair<double> sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    return sum[0] + sum[1] + rest;
}

void SparseDotStep::run(Frame &frame) const {
    const Index &outer = frame.index(outer_.index);
    const Index &inner = frame.index(inner_.index);
    const std::byte *const outer_cells = frame.cells(outer_.cells).data;
    const std::byte *const inner_cells = frame.cells(inner_.cells).data;
    std::byte *const target = frame.cells(target_).data;
    if (weights_ && frame.weights(weights_).usable) {
        const WeightTable &weights = frame.weights(weights_).table;
        for (std::size_t document = 0; document < frame.documents; ++document) {
            const std::uint32_t begin = outer.begin(document);
            const std::size_t count = outer.end(document) - begin;
            const std::byte *const cells = outer_cells + begin * outer_.bytes;
            const bool single = outer_.bytes == sizeof(float);
            double sum;
            if (outer.sorted && is_better_searched(inner.end(0), count)) {
                sum = single ? search<float>(outer, document, outer_cells, inner, inner_cells)
                             : search<double>(outer, document, outer_cells, inner, inner_cells);
            } else {
                sum = single ? weights.dot<float>(outer.labels + begin, cells, count)
                             : weights.dot<double>(outer.labels + begin, cells, count);
            }
            std::memcpy(target + document * sizeof(double), &sum, sizeof(sum));
        }
        return;
    }
    AddressTable &own_table = frame.scratch->table;
    const AddressTable &table = inner_table_ ? frame.table(inner_table_) : own_table;
    const std::size_t width = key_.size();
    const auto sum_documents = [&](const auto &product_of) {
        for (std::size_t document = 0; document < frame.documents; ++document) {
            if (!inner_table_) {
                own_table.build(inner.labels, width, key_, inner.begin(document), inner.end(document));
            }
            double sum = 0;
            for (std::uint32_t block = outer.begin(document); block < outer.end(document); ++block) {
                const std::uint32_t match = table.first(outer.labels + block * width, key_);
                if (match != AddressTable::none) {
                    sum += product_of(outer_cells + block * outer_.bytes, inner_cells + match * inner_.bytes);
                }
            }
            std::memcpy(target + document * sizeof(double), &sum, sizeof(sum));
        }
    };
    if (length_ == 1 && outer_.bytes == sizeof(float) && inner_.bytes == sizeof(float)) {
        sum_documents(product<float>);
    } else if (length_ == 1 && outer_.bytes == sizeof(double) && inner_.bytes == sizeof(double)) {
        sum_documents(product<double>);
    } else {
        sum_documents([this](const std::byte *a, const std::byte *b) { return dot(a, b); });
    }
}

std::string SparseDotStep::describe() const {
    return fmt::format("sparse dot product over {} labels, blocks of {} cells", key_.size(), length_);
}

std::string SparseDotStep::reasons(kernels::Isa isa) const {
    return reasons_of(choice_, length_, isa);
}

Work SparseDotStep::work() const {
    return {flops_of(choice_, length_),
            static_cast<double>(outer_.bytes + inner_.bytes + 2 * key_.size() * sizeof(Label)), sizeof(double), true};
}

void BuildWeightsStep::run(Frame &frame) const {
    const Index &index = frame.index(index_);
    const std::byte *const cells = frame.cells(cells_).data;
    Weights &result = frame.weights(result_);
    const std::size_t count = index.end(0);
    result.usable = cell_type_ == CellType::f32 ? result.table.build<float>(index.labels, cells, count)
                                                : result.table.build<double>(index.labels, cells, count);
}

}  // namespace tenrex::program

#include "lib/program/move/gather_steps.h"

#include <algorithm>
#include <cstring>

#include "lib/program/copy_bytes.h"
#include "lib/support/format.h"

namespace tenrex::program {

namespace {

using Entry = GatherIndices::Entry;
using Run = GatherIndices::Run;

// Finds where each cell comes from.
class IndexWalk {
public:
    IndexWalk(const Frame &frame, const GatherRule &rule) : frame_(frame), rule_(rule), at_(rule.sizes.size(), 0) {}

    Entry here() const {
        const GatherRule::Operation *operation = &rule_.operations.front();
        while (operation->is_choice) {
            operation = &rule_.operations[operation->when[number(operation->condition) != 0 ? 1 : 0]];
        }
        std::ptrdiff_t cell = static_cast<std::ptrdiff_t>(operation->base) + offset(operation->strides);
        for (const GatherRule::Index &index : operation->indexes) {
            const double chosen = number(index.numbers);  // truncated, so down to -1 it is 0
            if (!(chosen > -1 && chosen < static_cast<double>(index.size))) {
                return {rule_.sources, 0};
            }
            cell += static_cast<std::ptrdiff_t>(chosen) * static_cast<std::ptrdiff_t>(index.stride);
        }
        return {operation->source, static_cast<std::int32_t>(cell)};
    }
    // Goes on to the next cell; false behind the last.
    bool advance() {
        for (std::size_t i = at_.size(); i-- > 0;) {
            if (++at_[i] < static_cast<std::ptrdiff_t>(rule_.sizes[i])) {
                return true;
            }
            at_[i] = 0;
        }
        return false;
    }

private:
    std::ptrdiff_t offset(const GatherRule::Strides &strides) const {
        std::ptrdiff_t sum = 0;
        for (std::size_t i = 0; i < at_.size(); ++i) {
            sum += at_[i] * strides[i];
        }
        return sum;
    }
    double number(const GatherRule::Numbers &numbers) const {
        double value;
        std::memcpy(
            &value,
            frame_.cells(numbers.cells).data + offset(numbers.strides) * static_cast<std::ptrdiff_t>(sizeof(double)),
            sizeof(double));
        return value;
    }

    const Frame &frame_;
    const GatherRule &rule_;
    std::vector<std::ptrdiff_t> at_;
};

// Adds an entry to the last run, or begins another.
void append(Run *&last, const Entry &entry) {
    if (last->count != 0 && last->first.source == entry.source) {
        const std::int32_t stride = (entry.cell - last->first.cell) / static_cast<std::int32_t>(last->count);
        const bool continues = last->first.cell + stride * static_cast<std::int32_t>(last->count) == entry.cell;
        if (continues && (last->count == 1 || stride == last->stride)) {
            last->stride = stride;
            ++last->count;
            return;
        }
    }
    last += last->count != 0 ? 1 : 0;
    *last = {entry, 0, 1};
}

}  // namespace

Work ListIndicesStep::work() const {
    std::size_t cells = 1;
    for (const std::size_t size : rule_.sizes) {
        cells *= size;
    }
    return {0, 0, static_cast<double>(cells * sizeof(Entry))};
}

void ListIndicesStep::run(Frame &frame) const {
    std::size_t cells = 1;
    for (const std::size_t size : rule_.sizes) {
        cells *= size;
    }
    Cells &result = frame.cells(indices_);
    // Runs as long as there are few, since they may be as many as the cells.
    const std::size_t most_runs = cells / GatherIndices::entries_in_run;
    result.data =
        result.own.room(sizeof(GatherIndices) + std::max((most_runs + 2) * sizeof(Run), cells * sizeof(Entry)));
    auto *const header = reinterpret_cast<GatherIndices *>(result.data);
    auto *const runs = reinterpret_cast<Run *>(result.data + sizeof(GatherIndices));
    Run *last = runs;
    *last = {};
    IndexWalk walk(frame, rule_);
    bool more = true;
    while (more && static_cast<std::size_t>(last - runs) <= most_runs) {
        append(last, walk.here());
        more = walk.advance();
    }
    if (!more) {
        *header = {static_cast<std::uint32_t>(last - runs + 1), 0, 0};
        return;
    }
    auto *entry = reinterpret_cast<Entry *>(result.data + sizeof(GatherIndices));
    IndexWalk all(frame, rule_);
    bool has_one_source = true;
    do {
        *entry = all.here();
        has_one_source &= entry->source == 0;
        ++entry;
    } while (all.advance());
    *header = {0, static_cast<std::uint32_t>(cells), has_one_source ? 1U : 0U};
}

std::string GatherStep::describe() const {
    return fmt::format("gather from {} values", sources_.size());
}

void GatherStep::run(Frame &frame) const {
    switch (cell_bytes_) {
        case 1:
            return run_as<std::uint8_t>(frame);
        case 2:
            return run_as<std::uint16_t>(frame);
        case 4:
            return run_as<std::uint32_t>(frame);
        default:
            return run_as<std::uint64_t>(frame);
    }
}

template <class Cell>
void GatherStep::run_as(Frame &frame) const {
    Blocks sources[most_sources];
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        sources[i] = Blocks(frame, sources_[i]);
    }
    const Cell zero{};
    const std::byte *blocks[most_sources + 1];
    blocks[sources_.size()] = reinterpret_cast<const std::byte *>(&zero);
    const Cells &lists = frame.cells(indices_);
    const auto load = [&](const std::byte *block, std::ptrdiff_t cell) {
        Cell value;
        std::memcpy(&value, block + cell * static_cast<std::ptrdiff_t>(sizeof(Cell)), sizeof(Cell));
        return value;
    };
    for_each_block(frame, target_, [&](std::size_t document, std::size_t block, std::byte *target) {
        for (std::size_t i = 0; i < sources_.size(); ++i) {
            blocks[i] = sources[i].at(document, block);
        }
        const std::byte *const list = lists.data + static_cast<std::ptrdiff_t>(document) * lists.stride;
        const GatherIndices header = *reinterpret_cast<const GatherIndices *>(list);
        const auto *const runs = reinterpret_cast<const Run *>(list + sizeof(GatherIndices));
        const auto *const entries = reinterpret_cast<const Entry *>(list + sizeof(GatherIndices));
        auto *cells = reinterpret_cast<Cell *>(target);
        for (const Run *run = runs; run != runs + header.runs; ++run) {
            const std::byte *const from = blocks[run->first.source];
            if (run->stride == 1) {
                copy_bytes(reinterpret_cast<std::byte *>(cells),
                           from + run->first.cell * static_cast<std::ptrdiff_t>(sizeof(Cell)),
                           run->count * sizeof(Cell));
            } else if (run->stride == 0) {
                std::fill_n(cells, run->count, load(from, run->first.cell));
            } else {
                for (std::uint32_t i = 0; i < run->count; ++i) {
                    cells[i] = load(from, run->first.cell + static_cast<std::ptrdiff_t>(i) * run->stride);
                }
            }
            cells += run->count;
        }
        const Entry *const end = entries + header.entries;
        if (header.has_one_source != 0) {
            const std::byte *const from = blocks[0];
#pragma GCC unroll 4
            for (const Entry *entry = entries; entry != end; ++entry) {
                *cells++ = load(from, entry->cell);
            }
        } else {
            for (const Entry *entry = entries; entry != end; ++entry) {
                *cells++ = load(blocks[entry->source], entry->cell);
            }
        }
    });
}

}  // namespace tenrex::program

#include "tools/rank/phase_scorer.h"

#include <algorithm>

namespace tenrex::tool {

PhaseColumns::PhaseColumns(const DocumentLayout &layout, const std::vector<ColumnNeed> &needs,
                           const std::vector<Normalizer> &normalizers, std::uint64_t seed, TextFeatures *texts)
    : seed_(seed) {
    const auto position = [](const auto &list, const std::string &name) {
        const auto found =
            std::find_if(list.begin(), list.end(), [&](const auto &entry) { return entry.name == name; });
        return static_cast<std::size_t>(found - list.begin());
    };
    for (const ColumnNeed &need : needs) {
        const std::size_t index = need.source == ColumnSource::normalizer ? position(normalizers, need.name)
                                                                          : position(layout.columns(), need.name);
        const bool may_be_computed = texts != nullptr && need.source == ColumnSource::host;
        inputs_.push_back({need.source, index, need.name, may_be_computed ? texts->values(need.name) : nullptr});
    }
}

void PhaseColumns::set(Block &block, const DocumentSegment &segment, std::size_t first, std::uint64_t number) const {
    block.columns_.clear();
    block.fills_.clear();
    for (const Input &input : inputs_) {
        if (input.values != nullptr) {
            block.columns_.push_back(Column::dense(input.values->data() + number, sizeof(double)));
            continue;
        }
        switch (input.source) {
            case ColumnSource::attribute:
            case ColumnSource::labels:
            case ColumnSource::structs:
            case ColumnSource::host:
                block.columns_.push_back(segment.column(input.index).column(first, block.fills_));
                break;
            case ColumnSource::random:
                block.fills_.emplace_back([this, &input, number](std::size_t begin, std::size_t count, void *cells) {
                    for (std::size_t i = 0; i < count; ++i) {
                        static_cast<double *>(cells)[i] = random_number(seed_, number + begin + i, input.name);
                    }
                });
                block.columns_.push_back(Column::computed(block.fills_.back()));
                break;
            case ColumnSource::first_phase:
            case ColumnSource::second_phase:
            case ColumnSource::normalizer:
                break;
        }
    }
}

void PhaseColumns::begin(Block &block) const {
    block.gathered_.resize(inputs_.size());
    for (GatheredColumn &column : block.gathered_) {
        column.clear();
    }
}

void PhaseColumns::add(Block &block, const DocumentStore &store, std::uint64_t document, const HitScores &hit) const {
    const DocumentStore::Place place = store.place(document);
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        const Input &input = inputs_[i];
        GatheredColumn &column = block.gathered_[i];
        if (input.values != nullptr) {
            column.add((*input.values)[document]);
            continue;
        }
        switch (input.source) {
            case ColumnSource::attribute:
            case ColumnSource::labels:
            case ColumnSource::structs:
            case ColumnSource::host:
                place.segment->column(input.index).gather(place.document, column);
                break;
            case ColumnSource::random:
                column.add(random_number(seed_, document, input.name));
                break;
            case ColumnSource::first_phase:
                column.add(hit.first_phase);
                break;
            case ColumnSource::second_phase:
                column.add(hit.second_phase);
                break;
            case ColumnSource::normalizer:
                column.add(hit.normalized[input.index]);
                break;
        }
    }
}

void PhaseColumns::end(Block &block) const {
    block.columns_.clear();
    for (const GatheredColumn &column : block.gathered_) {
        block.columns_.push_back(column.column());
    }
}

std::size_t PhaseColumns::Block::bytes() const noexcept {
    std::size_t bytes = 0;
    for (const GatheredColumn &column : gathered_) {
        bytes += column.bytes();
    }
    return bytes;
}

PhaseScorer::PhaseScorer(const std::optional<Plan> &plan, PhaseColumns columns, std::size_t threads)
    : plan_(plan), columns_(std::move(columns)) {
    for (std::size_t i = 0; plan && i < threads; ++i) {
        contexts_.emplace_back(*plan);
    }
}

}  // namespace tenrex::tool

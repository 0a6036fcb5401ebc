#include "tools/rank/phase_scorer.h"

#include <algorithm>

namespace tenrex::tool {

PhaseColumns::PhaseColumns(const DocumentLayout &layout, const std::vector<ColumnNeed> &needs,
                           const std::vector<Normalizer> &normalizers, std::uint64_t seed)
    : seed_(seed) {
    const auto position = [](const auto &list, const std::string &name) {
        const auto found =
            std::find_if(list.begin(), list.end(), [&](const auto &entry) { return entry.name == name; });
        return static_cast<std::size_t>(found - list.begin());
    };
    for (const ColumnNeed &need : needs) {
        const std::size_t index = need.source == ColumnSource::normalizer ? position(normalizers, need.name)
                                                                          : position(layout.columns(), need.name);
        inputs_.push_back({need.source, index, need.name});
    }
}

void PhaseColumns::set(Block &block, const DocumentSegment &segment, std::size_t first, std::uint64_t number) const {
    block.columns_.clear();
    block.fills_.clear();
    for (const Input &input : inputs_) {
        switch (input.source) {
            case ColumnSource::attribute:
            case ColumnSource::labels:
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
                block.columns_.push_back(Column::dense(&block.hit_.first_phase, 0));
                break;
            case ColumnSource::second_phase:
                block.columns_.push_back(Column::dense(&block.hit_.second_phase, 0));
                break;
            case ColumnSource::normalizer:
                block.columns_.push_back(Column::dense(&block.hit_.normalized[input.index], 0));
                break;
        }
    }
}

void PhaseColumns::set(Block &block, const DocumentStore &store, std::uint64_t document, const HitScores &hit) const {
    block.hit_ = hit;
    const DocumentStore::Place place = store.place(document);
    set(block, *place.segment, place.document, document);
}

PhaseScorer::PhaseScorer(const std::optional<Plan> &plan, PhaseColumns columns, std::size_t threads)
    : plan_(plan), columns_(std::move(columns)) {
    for (std::size_t i = 0; plan && i < threads; ++i) {
        contexts_.emplace_back(*plan);
    }
}

}  // namespace tenrex::tool

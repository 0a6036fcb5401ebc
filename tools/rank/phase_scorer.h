// What evaluating one plan of a profile for documents of a store takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <tenrex/plan.h>
#include <tenrex/rank_profile.h>

#include "tools/rank/document_store.h"
#include "tools/rank/text_features.h"

namespace tenrex::tool {

// What a plan needs of a hit beside its document.
struct HitScores {
    double first_phase = 0;
    double second_phase = 0;
    std::span<const double> normalized;  // in the order of GlobalPhase::normalizers
};

// One plan with its columns: which memory each of its inputs reads. Threads may share it.
class PhaseColumns {
public:
    // normalizers: those of the global phase, whose results the plan may read. texts: features that are computed of
    // them, or null.
    PhaseColumns(const DocumentLayout &layout, const std::vector<ColumnNeed> &needs,
                 const std::vector<Normalizer> &normalizers, std::uint64_t seed, TextFeatures *texts);

    // Describes the columns of a thread's current block.
    class Block {
    public:
        std::span<const Column> columns() const noexcept { return columns_; }
        // Of gathered documents.
        std::size_t bytes() const noexcept;

    private:
        friend class PhaseColumns;
        std::vector<Column> columns_;
        std::deque<Column::Fill> fills_;
        std::vector<GatheredColumn> gathered_;
    };
    // The documents of a segment from number `first` on; `number` is that of the first in the store. For a plan that
    // needs no scores of hits.
    void set(Block &block, const DocumentSegment &segment, std::size_t first, std::uint64_t number) const;
    // Gathers hits, whose documents lie anywhere: begin, add for each, end.
    void begin(Block &block) const;
    void add(Block &block, const DocumentStore &store, std::uint64_t document, const HitScores &hit) const;
    void end(Block &block) const;

private:
    struct Input {
        ColumnSource source;
        std::size_t index;  // of the segment's column, or of the normalizer
        std::string name;
        const std::vector<double> *values;  // of all documents, if the feature is computed of texts
    };
    std::vector<Input> inputs_;
    std::uint64_t seed_;
};

// A phase of a profile with what evaluating it takes: its columns, and a context for each thread.
class PhaseScorer {
public:
    // Without a plan the profile does not have the phase.
    PhaseScorer(const std::optional<Plan> &plan, PhaseColumns columns, std::size_t threads);

    const std::optional<Plan> &plan() const noexcept { return plan_; }
    const PhaseColumns &columns() const noexcept { return columns_; }
    Context &context(std::size_t thread) noexcept { return contexts_[thread]; }

private:
    std::optional<Plan> plan_;
    PhaseColumns columns_;
    std::vector<Context> contexts_;
};

}  // namespace tenrex::tool

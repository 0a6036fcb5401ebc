// Steps that find the addresses of results.
#pragma once

#include <cstdint>
#include <vector>

#include "lib/program/sparse/index_writer.h"
#include "lib/program/sparse/matches.h"
#include "lib/program/step.h"
#include "lib/program/work.h"

namespace tenrex::program {

// The addresses of a natural join: each block of `outer` with each block of `inner` that has the same labels for the
// shared dimensions.
class JoinIndexStep : public Step {
public:
    // Where a label of the result comes from.
    struct Source {
        bool inner = false;
        std::uint16_t position = 0;
    };
    // outer_map, inner_map: from the result.
    JoinIndexStep(Matcher matcher, MapSlot outer_map, MapSlot inner_map, std::vector<Source> labels, IndexSlot result)
        : matcher_(std::move(matcher)),
          outer_map_(outer_map),
          inner_map_(inner_map),
          labels_(std::move(labels)),
          result_(result) {}
    void run(Frame &frame) const override;
    std::string describe() const override;
    Work work() const override { return addressing(matcher_.outer().width, labels_.size()); }

private:
    Matcher matcher_;
    MapSlot outer_map_, inner_map_;
    std::vector<Source> labels_;
    IndexSlot result_;
};

// A table of the blocks of a shared index by some of their labels.
class BuildTableStep : public Step {
public:
    BuildTableStep(IndexSlot index, std::size_t width, std::vector<std::uint16_t> key, TableSlot result)
        : index_(index), width_(width), key_(std::move(key)), result_(result) {}
    void run(Frame &frame) const override;
    std::string describe() const override { return "table of labels"; }
    Work work() const override { return addressing(width_, key_.size()); }

private:
    IndexSlot index_;
    std::size_t width_;
    std::vector<std::uint16_t> key_;
    TableSlot result_;
};

// A copy of a shared index for each document.
class ReplicateIndexStep : public Step {
public:
    ReplicateIndexStep(IndexSlot shared, std::size_t width, IndexSlot result, MapSlot map)
        : shared_(shared), width_(width), result_(result), map_(map) {}
    void run(Frame &frame) const override;
    std::string describe() const override { return "addresses for each document"; }
    Work work() const override { return addressing(width_, width_); }

private:
    IndexSlot shared_;
    std::size_t width_;
    IndexSlot result_;
    MapSlot map_;
};

// result[i] = inner[outer[i]], for all blocks of an index.
class ComposeMapsStep : public Step {
public:
    ComposeMapsStep(IndexSlot index, MapSlot outer, MapSlot inner, MapSlot result)
        : index_(index), outer_(outer), inner_(inner), result_(result) {}
    void run(Frame &frame) const override;
    std::string describe() const override { return "blocks of blocks"; }
    Work work() const override { return {0, 2 * sizeof(std::uint32_t), sizeof(std::uint32_t), true}; }

private:
    IndexSlot index_;
    MapSlot outer_, inner_, result_;
};

// The distinct addresses that are left when only some labels are kept, and for each block the one that it belongs to.
class GroupIndexStep : public Step {
public:
    GroupIndexStep(IndexSlot index, std::size_t width, std::vector<std::uint16_t> kept, IndexSlot result,
                   MapSlot groups)
        : index_(index), width_(width), kept_(std::move(kept)), result_(result), groups_(groups) {
        for (std::size_t i = 0; i < kept_.size(); ++i) {
            own_.push_back(static_cast<std::uint16_t>(i));
        }
    }
    void run(Frame &frame) const override;
    std::string describe() const override { return "groups of addresses"; }
    Work work() const override { return addressing(width_, kept_.size()); }

private:
    bool is_in(const Label *group, const Label *address) const noexcept;
    // Of one document, where more than one label is kept.
    void group_by_address(const Index &index, std::uint32_t begin, std::uint32_t end, AddressTable &table,
                          IndexWriter &writer, std::uint32_t *groups) const;

    IndexSlot index_;
    std::size_t width_;
    std::vector<std::uint16_t> kept_;
    std::vector<std::uint16_t> own_;  // the positions of the labels in the result
    IndexSlot result_;
    MapSlot groups_;
};

// The same addresses with their labels in another order.
class PermuteIndexStep : public Step {
public:
    PermuteIndexStep(IndexSlot index, std::vector<std::uint16_t> from, IndexSlot result)
        : index_(index), from_(std::move(from)), result_(result) {}
    void run(Frame &frame) const override;
    std::string describe() const override { return "labels in another order"; }
    Work work() const override { return addressing(from_.size(), from_.size()); }

private:
    IndexSlot index_;
    std::vector<std::uint16_t> from_;
    IndexSlot result_;
};

}  // namespace tenrex::program

// The addresses of sparse values while a graph becomes a plan: joins of them, the maps between them, and what is known
// of which are made of which, so that nothing is searched twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "lib/ir/graph.h"
#include "lib/lower/value.h"

namespace tenrex::lower {

class Context;

class Addresses {
public:
    explicit Addresses(Context &context) : context_(context) {}

    // The natural join of the operands' addresses, for a result of that stage.
    Joined join(std::span<const Operand> operands, Stage stage);
    Joined join(std::span<const ir::NodeId> nodes, Stage stage);
    NamedIndex index_of(ir::NodeId node) const;
    // The index for values of a later stage: the documents get copies of their own.
    std::pair<IndexSlot, MapSlot> at_stage(IndexSlot index, std::size_t width, Stage stage);
    // With the maps to a and b; none if the result is that index.
    std::tuple<NamedIndex, MapSlot, MapSlot> join_pair(const NamedIndex &a, const NamedIndex &b);
    // The addresses of an index are those of another, or some of them.
    void note_part(IndexSlot index, IndexSlot all, std::size_t width, MapSlot map);
    // The addresses of an index are the rows of an open dimension. What is grouped by it keeps rows without a block.
    void note_rows(IndexSlot index) { rows_.insert(index); }
    // A step of cells will join the addresses of two nodes.
    void expect_join(ir::NodeId a, ir::NodeId b) { expected_.insert(std::minmax(a, b)); }
    // Joins them if that is expected: then another step need not search, either.
    void join_if_expected(ir::NodeId a, ir::NodeId b);
    // No step is needed to find the addresses that are in both.
    bool is_join_known(const NamedIndex &a, const NamedIndex &b) const;
    // From an index to those of a and b, if it is known to be their join; all have the same names.
    std::optional<std::pair<MapSlot, MapSlot>> maps_of_join(IndexSlot a, IndexSlot b, IndexSlot joined,
                                                            const std::vector<std::string> &names) const;
    // The addresses that are left when only some labels are kept, and the map to them.
    const std::pair<IndexSlot, MapSlot> &grouped(IndexSlot index, std::size_t width, std::vector<std::uint16_t> kept);
    MapSlot compose(IndexSlot index, MapSlot outer, MapSlot inner);
    TableSlot table_of(IndexSlot index, std::size_t width, const std::vector<std::uint16_t> &key);
    // The documents have copies of an index that they share, or some of them have. What is computed on it is computed
    // for each block of the shared one.
    void note_copies(IndexSlot index) { of_shared_.insert(index); }
    bool is_of_shared(IndexSlot index) const { return of_shared_.contains(index); }
    // Whether there is a table of one side of a join earlier than of the other: what documents share has one before
    // there are documents, which holds for their copies of it, too.
    bool has_earlier_table(IndexSlot index, IndexSlot other) const {
        return index.stage != other.stage ? index.stage < other.stage
                                          : originals_.contains(index) && !originals_.contains(other);
    }
    // The table that is there before the documents; none if there is none.
    TableSlot early_table_of(IndexSlot index, std::size_t width, const std::vector<std::uint16_t> &key);

private:
    // Each address of an index is made of one of another: of its labels at these positions.
    struct Part {
        IndexSlot index;
        std::vector<std::uint16_t> positions;
        MapSlot map;
    };
    void note_part(IndexSlot index, Part part) { parts_[index].push_back(std::move(part)); }
    void note_part(IndexSlot index, const NamedIndex &own, MapSlot map, const std::vector<std::string> &names);
    // From one index to another that its addresses are known to be made of; no slot: they are the same.
    std::optional<MapSlot> map_to_part(const NamedIndex &from, const NamedIndex &to);
    // The maps on the way.
    std::optional<std::vector<MapSlot>> path_to_part(const NamedIndex &from, const NamedIndex &to) const;

    Context &context_;
    std::set<std::pair<ir::NodeId, ir::NodeId>> expected_;
    std::set<IndexSlot> rows_;
    std::map<std::pair<IndexSlot, Stage>, std::pair<IndexSlot, MapSlot>> copies_;
    std::map<IndexSlot, IndexSlot> originals_;  // of those copies
    std::set<IndexSlot> of_shared_;
    std::map<std::tuple<IndexSlot, std::vector<std::string>, IndexSlot, std::vector<std::string>>,
             std::tuple<NamedIndex, MapSlot, MapSlot>>
        joins_;
    std::map<std::tuple<IndexSlot, MapSlot, MapSlot>, MapSlot> compositions_;
    std::map<IndexSlot, std::vector<Part>> parts_;
    std::map<std::pair<IndexSlot, std::vector<std::uint16_t>>, TableSlot> tables_;
    std::map<std::pair<IndexSlot, std::vector<std::uint16_t>>, std::pair<IndexSlot, MapSlot>> groups_;
};

}  // namespace tenrex::lower

#include "lib/lower/addresses.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <tuple>

#include "lib/lower/context.h"
#include "lib/program/sparse/index_steps.h"
#include "lib/program/sparse/matches.h"

namespace tenrex::lower {

using namespace program;

namespace {

std::uint16_t position(const std::vector<std::string> &names, const std::string &name) {
    return static_cast<std::uint16_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

bool has(const std::vector<std::string> &names, const std::string &name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::vector<std::string> mapped_names(const TensorType &type) {
    std::vector<std::string> names;
    for (const Dimension &dimension : type.dimensions()) {
        if (dimension.is_mapped()) {
            names.push_back(dimension.name);
        }
    }
    return names;
}

Joined Addresses::join(std::span<const ir::NodeId> nodes, Stage stage) {
    return join(context_.operands(nodes), stage);
}

NamedIndex Addresses::index_of(ir::NodeId node) const {
    return {context_.value(node).index, mapped_names(context_.type(node))};
}

Joined Addresses::join(std::span<const Operand> operands, Stage stage) {
    Joined result;
    result.operands.resize(operands.size());
    const auto is_dense = [](const Operand &operand) { return !operand.value.index && !operand.value.map; };
    if (std::all_of(operands.begin(), operands.end(), is_dense)) {
        return result;
    }
    NamedIndex common;
    std::vector<NamedIndex> indexes;  // of the operands that have one
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const NamedIndex own{operands[i].value.index, mapped_names(*operands[i].type)};
        indexes.push_back(own);
        if (!own.slot) {
            continue;
        }
        Joined::Operand &operand = result.operands[i];
        operand.access = BlockAccess::same;
        if (!common.slot) {
            common = own;
            continue;
        }
        const auto earlier = std::find(indexes.begin(), indexes.end() - 1, own);
        if (earlier != indexes.end() - 1) {
            operand = result.operands[static_cast<std::size_t>(earlier - indexes.begin())];
            continue;
        }
        auto [joined, from_common, from_own] = join_pair(common, own);
        for (std::size_t k = 0; k < i; ++k) {
            Joined::Operand &other = result.operands[k];
            if (from_common && other.access == BlockAccess::same) {
                other = {BlockAccess::mapped, from_common};
            } else if (from_common && other.access == BlockAccess::mapped) {
                other.map = compose(joined.slot, from_common, other.map);
            }
        }
        operand = {from_own ? BlockAccess::mapped : BlockAccess::same, from_own};
        common = joined;
    }
    if (common.slot) {
        const auto [index, map] = at_stage(common.slot, common.names.size(), stage);
        for (Joined::Operand &operand : result.operands) {
            if (map && operand.access == BlockAccess::same) {
                operand = {BlockAccess::mapped, map};
            } else if (map && operand.access == BlockAccess::mapped) {
                operand.map = compose(index, map, operand.map);
            }
        }
        common.slot = index;
    }
    // An operand whose cells have an index of their own.
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const MapSlot own = operands[i].value.map;
        Joined::Operand &operand = result.operands[i];
        if (own && operand.access == BlockAccess::same) {
            operand = {BlockAccess::mapped, own};
        } else if (own && operand.access == BlockAccess::mapped) {
            operand.map = compose(common.slot, operand.map, own);
        }
    }
    result.index = common.slot;
    return result;
}

std::pair<IndexSlot, MapSlot> Addresses::at_stage(IndexSlot index, std::size_t width, Stage stage) {
    if (stage != Stage::document || index.stage == Stage::document) {
        return {index, MapSlot()};
    }
    const auto [found, is_new] = copies_.try_emplace({index, stage});
    if (is_new) {
        found->second = {context_.new_index(stage), context_.new_map(stage)};
        context_.add_step<ReplicateIndexStep>(stage, index, width, found->second.first, found->second.second);
        note_part(found->second.first, index, width, found->second.second);
        originals_.emplace(found->second.first, index);
        note_copies(found->second.first);
    }
    return found->second;
}

std::tuple<NamedIndex, MapSlot, MapSlot> Addresses::join_pair(const NamedIndex &a, const NamedIndex &b) {
    if (const std::optional<MapSlot> map = map_to_part(a, b)) {
        return {a, MapSlot(), *map};
    }
    if (const std::optional<MapSlot> map = map_to_part(b, a)) {
        return {b, *map, MapSlot()};
    }
    const auto [found, is_new] = joins_.try_emplace({a.slot, a.names, b.slot, b.names});
    if (!is_new) {
        return found->second;
    }
    // The outer side decides the order. What the documents share goes inside, where its table is made once.
    const bool swapped = has_earlier_table(a.slot, b.slot);
    const NamedIndex &outer = swapped ? b : a;
    const NamedIndex &inner = swapped ? a : b;
    const Stage stage = outer.slot.stage;
    NamedIndex result{context_.new_index(stage), {}};
    std::set_union(a.names.begin(), a.names.end(), b.names.begin(), b.names.end(), std::back_inserter(result.names));
    Matcher::Side outer_side{outer.slot, outer.names.size(), {}};
    Matcher::Side inner_side{inner.slot, inner.names.size(), {}};
    const MapSlot outer_map = context_.new_map(stage);
    const MapSlot inner_map = context_.new_map(stage);
    std::vector<JoinIndexStep::Source> labels;
    for (const std::string &name : result.names) {
        const bool in_outer = has(outer.names, name);
        labels.push_back({!in_outer, position(in_outer ? outer.names : inner.names, name)});
        if (in_outer && has(inner.names, name)) {
            outer_side.key.push_back(position(outer.names, name));
            inner_side.key.push_back(position(inner.names, name));
        }
    }
    const TableSlot table = early_table_of(inner.slot, inner.names.size(), inner_side.key);
    found->second = {result, swapped ? inner_map : outer_map, swapped ? outer_map : inner_map};
    note_part(result.slot, outer, outer_map, result.names);
    note_part(result.slot, inner, inner_map, result.names);
    context_.add_step<JoinIndexStep>(stage, Matcher(std::move(outer_side), std::move(inner_side), table), outer_map,
                                     inner_map, std::move(labels), result.slot);
    return found->second;
}

void Addresses::note_part(IndexSlot index, const NamedIndex &own, MapSlot map, const std::vector<std::string> &names) {
    std::vector<std::uint16_t> positions;
    for (const std::string &name : own.names) {
        positions.push_back(position(names, name));
    }
    note_part(index, {own.slot, std::move(positions), map});
}

void Addresses::note_part(IndexSlot index, IndexSlot all, std::size_t width, MapSlot map) {
    std::vector<std::uint16_t> positions(width);
    std::iota(positions.begin(), positions.end(), std::uint16_t{0});
    note_part(index, {all, std::move(positions), map});
}

// Parts have parts: they are looked through from the nearest on. An address has one block of each, so that joining with
// a part adds nothing and loses nothing.
std::optional<std::vector<MapSlot>> Addresses::path_to_part(const NamedIndex &from, const NamedIndex &to) const {
    struct Reached {
        Part part;  // its positions are those of `from`
        std::size_t before;
    };
    constexpr std::size_t most = 64;
    std::vector<Reached> reached;
    std::vector<std::uint16_t> own(from.names.size());
    std::iota(own.begin(), own.end(), std::uint16_t{0});
    reached.push_back({{from.slot, std::move(own), {}}, 0});
    for (std::size_t i = 0; i < reached.size() && i < most; ++i) {
        const std::vector<std::uint16_t> positions = reached[i].part.positions;
        const bool found =
            reached[i].part.index == to.slot && positions.size() == to.names.size() &&
            std::equal(positions.begin(), positions.end(), to.names.begin(),
                       [&](std::uint16_t at, const std::string &name) { return from.names[at] == name; });
        if (found) {
            std::vector<MapSlot> path;
            for (std::size_t at = i; at != 0; at = reached[at].before) {
                path.insert(path.begin(), reached[at].part.map);
            }
            return path;
        }
        const auto parts = parts_.find(reached[i].part.index);
        if (parts == parts_.end()) {
            continue;
        }
        for (Part part : parts->second) {
            for (std::uint16_t &at : part.positions) {
                at = positions[at];
            }
            reached.push_back({std::move(part), i});
        }
    }
    return std::nullopt;
}

std::optional<MapSlot> Addresses::map_to_part(const NamedIndex &from, const NamedIndex &to) {
    const std::optional<std::vector<MapSlot>> path = path_to_part(from, to);
    if (!path) {
        return std::nullopt;
    }
    MapSlot result;
    for (const MapSlot map : *path) {
        result = result ? compose(from.slot, result, map) : map;
    }
    return result;
}

void Addresses::join_if_expected(ir::NodeId a, ir::NodeId b) {
    if (expected_.contains(std::minmax(a, b))) {
        join_pair(index_of(a), index_of(b));
    }
}

bool Addresses::is_join_known(const NamedIndex &a, const NamedIndex &b) const {
    return path_to_part(a, b) || path_to_part(b, a) || joins_.contains({a.slot, a.names, b.slot, b.names}) ||
           joins_.contains({b.slot, b.names, a.slot, a.names});
}

std::optional<std::pair<MapSlot, MapSlot>> Addresses::maps_of_join(IndexSlot a, IndexSlot b, IndexSlot joined,
                                                                   const std::vector<std::string> &names) const {
    if (const auto found = joins_.find({a, names, b, names}); found != joins_.end()) {
        const auto &[index, a_map, b_map] = found->second;
        return index.slot == joined ? std::optional(std::pair(a_map, b_map)) : std::nullopt;
    }
    if (const auto found = joins_.find({b, names, a, names}); found != joins_.end()) {
        const auto &[index, b_map, a_map] = found->second;
        return index.slot == joined ? std::optional(std::pair(a_map, b_map)) : std::nullopt;
    }
    return std::nullopt;
}

const std::pair<IndexSlot, MapSlot> &Addresses::grouped(IndexSlot index, std::size_t width,
                                                        std::vector<std::uint16_t> kept) {
    const auto [found, is_new] = groups_.try_emplace({index, kept});
    if (!is_new) {
        return found->second;
    }
    for (const Part &part : parts_[index]) {
        if (part.map && part.positions == kept && part.index.stage == index.stage && rows_.contains(part.index)) {
            found->second = {part.index, part.map};
            return found->second;
        }
    }
    found->second = {context_.new_index(index.stage), context_.new_map(index.stage)};
    note_part(index, {found->second.first, kept, found->second.second});
    context_.add_step<GroupIndexStep>(index.stage, index, width, std::move(kept), found->second.first,
                                      found->second.second);
    return found->second;
}

MapSlot Addresses::compose(IndexSlot index, MapSlot outer, MapSlot inner) {
    const auto [found, is_new] = compositions_.try_emplace({index, outer, inner});
    if (is_new) {
        const Stage stage = std::max({index.stage, outer.stage, inner.stage});
        found->second = context_.new_map(stage);
        context_.add_step<ComposeMapsStep>(stage, index, outer, inner, found->second);
    }
    return found->second;
}

TableSlot Addresses::table_of(IndexSlot index, std::size_t width, const std::vector<std::uint16_t> &key) {
    const auto [found, is_new] = tables_.try_emplace({index, key});
    if (is_new) {
        found->second = context_.new_table(index.stage);
        context_.add_step<BuildTableStep>(index.stage, index, width, key, found->second);
    }
    return found->second;
}

TableSlot Addresses::early_table_of(IndexSlot index, std::size_t width, const std::vector<std::uint16_t> &key) {
    if (const auto copied = originals_.find(index); copied != originals_.end()) {
        return table_of(copied->second, width, key);
    }
    return index.stage != Stage::document ? table_of(index, width, key) : TableSlot();
}

}  // namespace tenrex::lower

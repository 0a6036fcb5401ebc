// Generators that peek at indexes, or choose between such peeks: the places of all cells are listed, once if they are
// known before the documents are, and one step takes the cells from there.
#include <algorithm>

#include "lib/ir/blocks.h"
#include "lib/plan/gather_steps.h"
#include "lib/plan/lowering.h"

namespace tenrex::plan {

namespace {

// Places are numbers of 32 bits.
constexpr std::size_t most_cells = std::size_t{1} << 30;

}  // namespace

// The choice or peek whose places are known before the stage of its value, if the node is one.
std::optional<ir::NodeId> Lowering::with_known_places(ir::NodeId id) const {
    const ir::Node &node = graph_[id];
    const auto is_known = [&](ir::NodeId number) { return stage(number) < node.stage && !type(number).has_mapped(); };
    if (node.op == ir::Op::select) {
        return is_known(node.operands[0]) ? std::optional(id) : std::nullopt;
    }
    // Where no index exists a block is missing, unless it is filled in: with zeros, as a cell without a place.
    const ir::NodeId peek_id = node.op == ir::Op::fill ? node.operands[0] : id;
    const ir::Node &peek = graph_[peek_id];
    if (peek.op != ir::Op::peek || peek.operands.size() == 1) {
        return std::nullopt;
    }
    const ir::NodeId source = peek.operands[0];
    const bool is_filled = node.op == ir::Op::fill && ir::has_blocks_of(graph_, source, node.operands[1]);
    const auto is_indexed = [&](const ir::PeekPart &part) {
        return type(source).dimensions()[*type(source).find(part.dimension)].is_indexed();
    };
    const std::vector<ir::PeekPart> &parts = peek.as<ir::Peek>().parts;
    const bool finds_places = (is_filled || !peek.type->has_mapped()) &&
                              std::all_of(parts.begin(), parts.end(), is_indexed) &&
                              std::all_of(peek.operands.begin() + 1, peek.operands.end(), is_known);
    return finds_places ? std::optional(peek_id) : std::nullopt;
}

// The condition, or the indexes.
std::vector<ir::NodeId> Lowering::numbers_of_places(const ir::Node &node) {
    if (node.op == ir::Op::select) {
        return {node.operands[0]};
    }
    return {node.operands.begin() + 1, node.operands.end()};
}

// The value before it was widened, if cells may be taken from there.
ir::NodeId Lowering::source_of(ir::NodeId id) const {
    const ir::Node &node = graph_[id];
    const bool widened = node.op == ir::Op::cast && node.type->cell_type() == CellType::f64;
    return widened ? node.operands[0] : id;
}

// What a peek at a range of indexes has become.
bool Lowering::is_range(ir::NodeId id) const {
    while (graph_[id].op == ir::Op::rename || graph_[id].op == ir::Op::cast) {
        id = graph_[id].operands[0];
    }
    return graph_[id].op == ir::Op::slice;
}

// The choices and peeks that lead from the root to values whose cells are taken.
std::optional<Lowering::Gather> Lowering::gather_tree(ir::NodeId root, const std::vector<std::uint32_t> &uses,
                                                      bool splits) const {
    const auto part_at = [&](ir::NodeId id) -> std::optional<ir::NodeId> {
        if (splits) {
            return has_splits(graph_[id]) ? std::optional(id) : std::nullopt;
        }
        return with_known_places(id);
    };
    const std::vector<Dimension> &dimensions = type(root).dimensions();
    const auto lengths = std::count_if(dimensions.begin(), dimensions.end(),
                                       [](const Dimension &dimension) { return dimension.size != 1; });
    if (!part_at(root) || (splits && (lengths != 1 || type(root).has_mapped()))) {
        return std::nullopt;
    }
    Gather gather;
    gather.splits = splits;
    struct Pending {
        ir::NodeId node;
        std::uint32_t reader = 0;  // the choice that it is for
        bool when = false;
    };
    std::vector<Pending> pending{{root}};
    while (!pending.empty()) {
        const auto [read, reader, when] = pending.back();
        pending.pop_back();
        const auto number = static_cast<std::uint32_t>(gather.operations.size());
        if (number == GatherStep::most_operations) {
            return std::nullopt;
        }
        if (number != 0) {
            gather.operations[reader].when[when ? 1 : 0] = number;
        }
        // What something else reads, too, is a value of its own.
        const bool is_alone = read == root || (uses[read] == 1 && stage(read) == stage(root));
        const std::optional<ir::NodeId> part = is_alone ? part_at(read) : std::nullopt;
        gather.operations.push_back({part.value_or(source_of(read)), part.has_value(), {0, 0}});
        const ir::Node &node = graph_[part.value_or(read)];
        if (part) {
            const std::vector<ir::NodeId> numbers = splits ? numbers_of_splits(node) : numbers_of_places(node);
            gather.numbers.insert(gather.numbers.end(), numbers.begin(), numbers.end());
        }
        if (part && node.op == ir::Op::select) {
            pending.push_back({node.operands[2], number, false});
            pending.push_back({node.operands[1], number, true});
            continue;
        }
        const ir::NodeId source = part ? node.operands[0] : source_of(read);
        gather.peeks |= part || is_range(source);
        if (std::find(gather.sources.begin(), gather.sources.end(), source) == gather.sources.end()) {
            gather.sources.push_back(source);
        }
    }
    return gather;
}

bool Lowering::is_worth_gathering(const Gather &gather, const TensorType &result) const {
    // Where all cells stay in place, the kernels for choices are as good. What a source would cost to convert may be
    // too much.
    const std::vector<ir::NodeId> &sources = gather.sources;
    const bool alike = std::all_of(sources.begin(), sources.end(), [&](ir::NodeId source) {
        return type(source).cell_type() == type(sources[0]).cell_type();
    });
    const bool converts_much = !alike && std::any_of(sources.begin(), sources.end(), [&](ir::NodeId source) {
        return type(source).cell_type() != result.cell_type() && type(source).block_cells() > 4 * result.block_cells();
    });
    const bool is_small = result.block_cells() <= most_cells &&
                          std::all_of(sources.begin(), sources.end(),
                                      [&](ir::NodeId source) { return type(source).block_cells() <= most_cells; });
    return gather.peeks && sources.size() <= GatherStep::most_sources && is_small && !converts_much;
}

std::optional<Lowering::Gather> Lowering::gathered(ir::NodeId id, const std::vector<std::uint32_t> &uses) const {
    // Rounded, cells are taken from rounded sources; dimensions of size 1 change nothing.
    ir::NodeId root = id;
    for (const ir::Op around : {ir::Op::cast, ir::Op::join_addresses}) {
        const ir::Node &node = graph_[root];
        if (node.op != around) {
            continue;
        }
        const bool same_cells = type(node.operands[0]).block_cells() == node.type->block_cells();
        if (around == ir::Op::join_addresses && (node.type->has_mapped() || !same_cells)) {
            continue;
        }
        root = node.operands[0];
        if (uses[root] != 1) {
            return std::nullopt;
        }
    }
    for (const bool splits : {false, true}) {
        std::optional<Gather> gather = gather_tree(root, uses, splits);
        if (gather && is_worth_gathering(*gather, type(id))) {
            return gather;
        }
    }
    return std::nullopt;
}

CellsSlot Lowering::list_places(const ir::Node &node, const Gather &gather) {
    std::vector<std::string> names;
    GatherRule rule;
    rule.sources = static_cast<std::uint32_t>(gather.sources.size());
    for (const Dimension &dimension : node.type->dimensions()) {
        if (dimension.is_indexed()) {
            names.push_back(dimension.name);
            rule.sizes.push_back(dimension.size);
        }
    }
    const auto strides = [&](ir::NodeId operand) {
        GatherRule::Strides result;
        for (const std::string &name : names) {
            result.push_back(static_cast<std::ptrdiff_t>(stride_of(type(operand), name)));
        }
        return result;
    };
    Stage known = Stage::constant;
    const auto numbers = [&](ir::NodeId operand) {
        known = std::max(known, stage(operand));
        return GatherRule::Numbers{in_order(operand, CellType::f64).cells, strides(operand)};
    };
    for (const Gather::Operation &part : gather.operations) {
        const ir::Node &own = graph_[part.node];
        GatherRule::Operation &operation = rule.operations.emplace_back();
        if (part.is_part && own.op == ir::Op::select) {
            operation.is_choice = true;
            operation.condition = numbers(own.operands[0]);
            operation.when = part.when;
            continue;
        }
        const ir::NodeId source = part.is_part ? own.operands[0] : part.node;
        const auto found = std::find(gather.sources.begin(), gather.sources.end(), source);
        operation.source = static_cast<std::uint32_t>(found - gather.sources.begin());
        operation.strides = strides(source);
        if (!part.is_part) {
            continue;
        }
        for (const ir::PeekPart &peeked : own.as<ir::Peek>().parts) {
            const std::size_t stride = stride_of(type(source), peeked.dimension);
            // What another source has under the name of a dimension that is gone is another dimension.
            if (const auto gone = std::find(names.begin(), names.end(), peeked.dimension); gone != names.end()) {
                operation.strides[static_cast<std::size_t>(gone - names.begin())] = 0;
            }
            if (peeked.computed == 0) {
                operation.base += peeked.index * stride;
            } else {
                const Dimension &dimension = type(source).dimensions()[*type(source).find(peeked.dimension)];
                operation.indexes.push_back({numbers(own.operands[peeked.computed]), stride, dimension.size});
            }
        }
    }
    const CellsSlot places = new_cells(known);
    add_step<ListPlacesStep>(known, std::move(rule), places);
    return places;
}

Value Lowering::gather(const ir::Node &node, const Gather &gather) {
    const bool alike = std::all_of(gather.sources.begin(), gather.sources.end(), [&](ir::NodeId source) {
        return values_[source].cell_type == values_[gather.sources[0]].cell_type;
    });
    const CellType wanted = node.type->cell_type();
    const CellType cell_type = alike ? values_[gather.sources[0]].cell_type : wanted;
    const Joined joined = join(gather.sources, node.stage);
    std::vector<BlockUse> sources;
    for (std::size_t i = 0; i < gather.sources.size(); ++i) {
        sources.push_back(use(gather.sources[i], cell_type, joined.operands[i]));
    }
    const CellsSlot places = gather.splits ? list_pieces(node, gather) : list_places(node, gather);
    note_use(places);
    const Target to = target(node.stage, joined.index, *node.type, cell_type);
    add_step<GatherStep>(node.stage, std::move(sources), places, byte_size(cell_type), to);
    return converted(written(to, cell_type), *node.type, wanted);
}

}  // namespace tenrex::plan

// Generators that peek at indexes which are known before the documents are, or choose between such peeks by tests that
// are: the places of all cells are listed once, and one step takes the cells from there.
#include <algorithm>

#include "lib/ir/blocks.h"
#include "lib/plan/gather_steps.h"
#include "lib/plan/lowering.h"

namespace tenrex::plan {

namespace {

// Places are numbers of 32 bits.
constexpr std::size_t most_cells = std::size_t{1} << 30;
// Choices inside each other are looked at one after the other for each cell.
constexpr std::size_t most_operations = 256;

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
    const bool finds_places = (is_filled || !peek.type->has_mapped()) && type(source).block_cells() <= most_cells &&
                              std::all_of(peek.attributes->parts.begin(), peek.attributes->parts.end(), is_indexed) &&
                              std::all_of(peek.operands.begin() + 1, peek.operands.end(), is_known);
    return finds_places ? std::optional(peek_id) : std::nullopt;
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

std::optional<Lowering::Gather> Lowering::gathered(ir::NodeId id, const std::vector<std::uint32_t> &uses) const {
    // Rounded, cells are taken from rounded sources.
    const ir::NodeId root = graph_[id].op == ir::Op::cast ? graph_[id].operands[0] : id;
    if ((root != id && uses[root] != 1) || !with_known_places(root)) {
        return std::nullopt;
    }
    Gather gather;
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
        if (number == most_operations) {
            return std::nullopt;
        }
        if (number != 0) {
            gather.operations[reader].when[when ? 1 : 0] = number;
        }
        // What something else reads, too, is a value of its own.
        const bool is_alone = read == root || (uses[read] == 1 && stage(read) == stage(root));
        const std::optional<ir::NodeId> found = is_alone ? with_known_places(read) : std::nullopt;
        const bool is_part = found.has_value();
        const ir::Node &node = graph_[found.value_or(read)];
        gather.operations.push_back({is_part ? *found : source_of(read), is_part, {0, 0}});
        if (is_part && node.op == ir::Op::select) {
            gather.numbers.push_back(node.operands[0]);
            pending.push_back({node.operands[2], number, false});
            pending.push_back({node.operands[1], number, true});
            continue;
        }
        if (is_part) {
            gather.peeks = true;
            gather.numbers.insert(gather.numbers.end(), node.operands.begin() + 1, node.operands.end());
        }
        const ir::NodeId source = is_part ? node.operands[0] : source_of(read);
        gather.peeks |= !is_part && is_range(source);
        if (std::find(gather.sources.begin(), gather.sources.end(), source) == gather.sources.end()) {
            gather.sources.push_back(source);
        }
    }
    // Where all cells stay in place, the kernels for choices are as good. What a source would cost to convert may be
    // too much.
    const CellType cell_type = type(id).cell_type();
    const bool alike = std::all_of(gather.sources.begin(), gather.sources.end(), [&](ir::NodeId source) {
        return type(source).cell_type() == type(gather.sources[0]).cell_type();
    });
    const bool converts_much =
        !alike && std::any_of(gather.sources.begin(), gather.sources.end(), [&](ir::NodeId source) {
            return type(source).cell_type() != cell_type && type(source).block_cells() > 4 * type(id).block_cells();
        });
    const bool is_worth_it = gather.peeks && gather.sources.size() <= GatherStep::most_sources && !converts_much;
    return is_worth_it ? std::optional(std::move(gather)) : std::nullopt;
}

Value Lowering::gather(const ir::Node &node, const Gather &gather) {
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
        for (const ir::PeekPart &peeked : own.attributes->parts) {
            const std::size_t stride = stride_of(type(source), peeked.dimension);
            if (peeked.computed == 0) {
                operation.base += peeked.index * stride;
            } else {
                const Dimension &dimension = type(source).dimensions()[*type(source).find(peeked.dimension)];
                operation.indexes.push_back({numbers(own.operands[peeked.computed]), stride, dimension.size});
            }
        }
    }
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
    const CellsSlot places = new_cells(known);
    add_step<ListPlacesStep>(known, std::move(rule), places);
    const Target to = target(node.stage, joined.index, *node.type, cell_type);
    add_step<GatherStep>(node.stage, std::move(sources), places, byte_size(cell_type), to);
    return converted(written(to, cell_type), *node.type, wanted);
}

}  // namespace tenrex::plan

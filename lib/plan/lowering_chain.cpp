// Operations on cells that one step computes together.
//
// A chain is a set of nodes with the same dimensions and stage, and if they have addresses, with the same ones. No path
// may leave it and come back, since its step runs once. Levels see to that: they never fall along a path, and rise
// where it leaves a node of a chain for anything but a node of the same chain. So nodes of one level and one form are a
// chain.
#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>

#include "lib/plan/lowering.h"

namespace tenrex::plan {

namespace {

// A larger set is searched.
constexpr std::size_t most_members = 16;
// More cells are not written out over and over.
constexpr std::size_t most_repeated = 1024;

bool is_arithmetic(CellType type) {
    return type == CellType::f32 || type == CellType::f64;
}

// Whether some cells over and over are those of blocks: they have the last dimensions of these.
bool repeats(const TensorType &cells, const TensorType &blocks) {
    const std::vector<Dimension> &dimensions = cells.dimensions();
    return cells.block_cells() <= most_repeated &&
           std::all_of(dimensions.begin(), dimensions.end(), [&](const Dimension &dimension) {
               return dimension.size == 1 || stride_of(cells, dimension.name) == stride_of(blocks, dimension.name);
           });
}

}  // namespace

// The operands that the node's operation reads: those of a product that it is taken together with come first.
std::span<const ir::NodeId> Lowering::operands_of(ir::NodeId id) const {
    const auto product = products_.find(id);
    return product == products_.end() ? graph_[id].operands : std::span<const ir::NodeId>(product->second.operands);
}

// The node whose addresses all operands with addresses have, as far as chains lead. Nothing: there may be more than
// one.
std::optional<ir::NodeId> Lowering::common_origin(ir::NodeId id, const std::vector<ir::NodeId> &origins) const {
    std::optional<ir::NodeId> origin;
    for (const ir::NodeId operand : operands_of(id)) {
        if (type(operand).has_mapped()) {
            if (origin && *origin != origins[operand]) {
                return std::nullopt;
            }
            origin = origins[operand];
        }
    }
    return origin;
}

bool Lowering::fits_chain(ir::NodeId id, const std::vector<ir::NodeId> &origins) const {
    const ir::Node &node = graph_[id];
    const auto has_few_members = [&] {
        const std::vector<double> &members = node.as<ir::InSet>().members;
        return !members.empty() && members.size() <= most_members;
    };
    const bool computes_cells = node.op == ir::Op::apply || node.op == ir::Op::select || node.op == ir::Op::cast ||
                                (node.op == ir::Op::in_set && has_few_members());
    const bool has_addresses = node.type->has_mapped();
    if (!needed_[id] || !computes_cells || node.stage == Stage::constant || !is_arithmetic(node.type->cell_type()) ||
        (has_addresses && !common_origin(id, origins))) {
        return false;
    }
    const std::size_t cells = node.type->block_cells();
    const std::span<const ir::NodeId> operands = operands_of(id);
    return std::all_of(operands.begin(), operands.end(), [&](ir::NodeId operand) {
        const TensorType &own = type(operand);
        if (has_addresses) {
            // All documents are one run.
            return own.has_mapped()
                       ? own.dimensions() == node.type->dimensions() && stage(operand) == node.stage
                       : own.block_cells() == 1 || (stage(operand) < node.stage && repeats(own, *node.type));
        }
        return !own.has_mapped() && (own.block_cells() == cells || own.block_cells() == 1 ||
                                     (stage(operand) < node.stage && repeats(own, *node.type)));
    });
}

// The nodes that fit, by stage, dimensions and addresses: equal numbers for equal ones, 0 for those that do not fit.
std::vector<std::uint32_t> Lowering::forms(const std::vector<std::uint32_t> &uses) const {
    struct Form {
        const TensorType *type;
        Stage stage;
        ir::NodeId origin;  // of the addresses; of dense values, that of no node
        auto operator<=>(const Form &) const = default;
    };
    const auto dense = static_cast<ir::NodeId>(graph_.size());
    std::vector<std::uint32_t> forms(graph_.size(), 0);
    std::vector<ir::NodeId> origins(graph_.size());
    std::map<Form, std::uint32_t> known_forms;
    std::vector<Form> distinct;
    for (ir::NodeId id = 0; id < graph_.size(); ++id) {
        origins[id] = id;
        if (uses[id] == 0 || !fits_chain(id, origins)) {
            continue;
        }
        if (type(id).has_mapped()) {
            origins[id] = *common_origin(id, origins);
        }
        const Form form{graph_[id].type, stage(id), type(id).has_mapped() ? origins[id] : dense};
        const auto [known, is_new] = known_forms.try_emplace(form, 0);
        if (is_new) {
            // Types that differ in their cell types alone are one form.
            const auto same = std::find_if(distinct.begin(), distinct.end(), [&](const Form &other) {
                return other.stage == form.stage && other.origin == form.origin &&
                       other.type->dimensions() == form.type->dimensions();
            });
            known->second = static_cast<std::uint32_t>(same - distinct.begin()) + 1;
            if (same == distinct.end()) {
                distinct.push_back(form);
            }
        }
        forms[id] = known->second;
    }
    // A product that is part of a sum is computed where the sum is.
    for (const auto &[sum, product] : products_) {
        forms[product.node] = forms[sum];
    }
    return forms;
}

void Lowering::find_chains() {
    const std::size_t count = graph_.size();
    const std::vector<std::uint32_t> uses = graph_.use_counts();
    const std::vector<std::uint32_t> form = forms(uses);
    std::vector<std::uint32_t> level(count, 0);
    for (ir::NodeId id = 0; id < count; ++id) {
        for (const ir::NodeId operand : graph_[id].operands) {
            level[id] = std::max(level[id], level[operand] + (form[operand] != 0 && form[operand] != form[id] ? 1 : 0));
        }
    }
    // What only a later chain reads belongs there.
    std::vector<std::uint32_t> latest(count, ~std::uint32_t{0});
    for (const ir::GraphOutput &output : graph_.outputs()) {
        latest[output.node] = 0;
    }
    for (ir::NodeId id = static_cast<ir::NodeId>(count); id-- > 0;) {
        if (uses[id] == 0) {
            continue;
        }
        if (form[id] != 0) {
            level[id] = std::max(level[id], latest[id]);
        }
        for (const ir::NodeId operand : graph_[id].operands) {
            const bool same = form[id] != 0 && form[operand] == form[id];
            latest[operand] = std::min(latest[operand], same ? level[id] : 0);
        }
    }
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<ir::NodeId>> chains;  // by level and form
    for (ir::NodeId id = 0; id < count; ++id) {
        if (form[id] != 0) {
            chains[{level[id], form[id]}].push_back(id);
        }
    }
    chain_of_.assign(count, no_chain);
    for (auto &[key, nodes] : chains) {
        const auto steps = std::count_if(nodes.begin(), nodes.end(), [&](ir::NodeId id) { return needed_[id]; });
        // A chain has a shorter way for single cells of documents on their own, also if it is but one operation.
        const TensorType &shape = type(nodes.front());
        const bool is_number =
            stage(nodes.front()) == Stage::document && !shape.has_mapped() && shape.block_cells() == 1;
        // So it has for float cells that are widened for it: they stay in the cache.
        const bool is_widened = std::any_of(nodes.begin(), nodes.end(), [&](ir::NodeId id) {
            const ir::Node &node = graph_[id];
            return node.op == ir::Op::apply && needed_[id] && node.type->cell_type() != CellType::f64 &&
                   computed_in(node, node.as<ir::Apply>().function) == CellType::f64;
        });
        if (steps < (is_number || is_widened ? 1 : 2)) {
            alone_.insert(nodes.begin(), nodes.end());
            continue;
        }
        for (const ir::NodeId id : nodes) {
            chain_of_[id] = static_cast<std::uint32_t>(chains_.size());
        }
        chains_.push_back(std::move(nodes));
    }
    find_outputs_of_chains(uses);
}

// Those that anything but their own chain reads.
void Lowering::find_outputs_of_chains(const std::vector<std::uint32_t> &uses) {
    leaves_chain_.assign(graph_.size(), false);
    for (const ir::GraphOutput &output : graph_.outputs()) {
        leaves_chain_[output.node] = true;
    }
    for (ir::NodeId id = 0; id < graph_.size(); ++id) {
        if (uses[id] == 0) {
            continue;
        }
        for (const ir::NodeId operand : graph_[id].operands) {
            if (graph_[operand].is_number() ? chain_of_[id] == no_chain : chain_of_[operand] != chain_of_[id]) {
                leaves_chain_[operand] = true;
            }
        }
    }
}

// Their operations have numbers in them: only what another step reads becomes a value.
void Lowering::leave_numbers_to_chains() {
    for (ir::NodeId id = 0; id < graph_.size(); ++id) {
        if (graph_[id].is_number() && !leaves_chain_[id]) {
            needed_[id] = false;
        }
    }
}

// Nodes in an order in which each comes after what it reads, chains as a whole: near that of their numbers, since
// values live from the step that makes them to the last that reads them.
std::vector<Lowering::Unit> Lowering::units() const {
    const std::size_t count = graph_.size();
    std::vector<Unit> order;
    if (chains_.empty()) {
        for (ir::NodeId id = 0; id < count; ++id) {
            order.push_back({id, no_chain});
        }
        return order;
    }
    const auto unit_of = [&](ir::NodeId id) { return chain_of_[id] == no_chain ? id : chains_[chain_of_[id]].back(); };
    std::vector<std::uint32_t> waits_for(count, 0);
    // Those of all units one after the other; first[unit + 1] is where those of a unit end.
    std::vector<std::uint32_t> first(count + 2, 0);
    std::vector<ir::NodeId> readers;
    const auto for_each_reader = [&](const auto &use) {
        for (ir::NodeId id = 0; id < count; ++id) {
            const ir::NodeId reader = unit_of(id);
            for (const ir::NodeId operand : graph_[id].operands) {
                if (const ir::NodeId unit = unit_of(operand); unit != reader) {
                    use(unit, reader);
                }
            }
        }
    };
    for_each_reader([&](ir::NodeId unit, ir::NodeId reader) {
        ++first[unit + 2];
        ++waits_for[reader];
    });
    std::partial_sum(first.begin(), first.end(), first.begin());
    readers.resize(first.back());
    for_each_reader([&](ir::NodeId unit, ir::NodeId reader) { readers[first[unit + 1]++] = reader; });
    std::priority_queue<ir::NodeId, std::vector<ir::NodeId>, std::greater<>> ready;
    for (ir::NodeId id = 0; id < count; ++id) {
        if (unit_of(id) == id && waits_for[id] == 0) {
            ready.push(id);
        }
    }
    while (!ready.empty()) {
        const ir::NodeId id = ready.top();
        ready.pop();
        order.push_back({id, chain_of_[id]});
        for (std::uint32_t i = first[id]; i < first[id + 1]; ++i) {
            if (--waits_for[readers[i]] == 0) {
                ready.push(readers[i]);
            }
        }
    }
    return order;
}

}  // namespace tenrex::plan

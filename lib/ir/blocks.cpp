#include "lib/ir/blocks.h"

#include <algorithm>

#include "lib/ir/contraction.h"

namespace tenrex::ir {

namespace {

bool is_mapped(const TensorType &type, const std::string &name) {
    const auto position = type.find(name);
    return position && type.dimensions()[*position].is_mapped();
}

// Whether no address is left out or becomes one with others.
bool keeps_labels(const TensorType &operand, const std::vector<std::string> &gone) {
    return std::none_of(gone.begin(), gone.end(), [&](const std::string &name) { return is_mapped(operand, name); });
}

}  // namespace

bool AddressOrigins::are_same(NodeId a, NodeId b) {
    of(std::max(a, b));
    return all_[a].own == all_[b].own;
}

bool AddressOrigins::are_same_rows(NodeId a, NodeId b) {
    of(std::max(a, b));
    return graph_[a].type->mapped_count() == 1 && graph_[b].type->mapped_count() == 1 &&
           all_[a].own.root == all_[b].own.root;
}

bool AddressOrigins::are_pairs(NodeId pairs, const std::string &first_name, NodeId first,
                               const std::string &second_name, NodeId second) {
    of(std::max({pairs, first, second}));
    const auto has_rows = [&](const std::string &name, NodeId rows) {
        const Addresses &own = all_[rows];
        return own.within.size() == 1 && own.is_product && all_[pairs].labels(name) == own.within.front();
    };
    return all_[pairs].within.size() == 2 && first_name != second_name && all_[pairs].is_product &&
           has_rows(first_name, first) && has_rows(second_name, second);
}

const AddressOrigins::Addresses &AddressOrigins::of(NodeId id) {
    // Operands come before what reads them, so nothing is asked for that is not there.
    while (all_.size() <= id) {
        all_.push_back(found(static_cast<NodeId>(all_.size())));
    }
    return all_[id];
}

AddressOrigins::Addresses AddressOrigins::found(NodeId id) const {
    Addresses result{origin(id), itself(id).names, {}};
    result.within = labels_within(id, result.own);
    result.is_product = is_product(id, result);
    return result;
}

NodeId AddressOrigins::operand_with(const Node &node, const Origin &own) const {
    return *std::find_if(node.operands.begin(), node.operands.end(),
                         [&](NodeId operand) { return has_mapped(operand) && all_[operand].own.root == own.root; });
}

std::vector<AddressOrigins::Labels> AddressOrigins::labels_within(NodeId id, const Origin &own) const {
    const Node &node = graph_[id];
    std::vector<Labels> within;
    for (const std::string &name : itself(id).names) {
        if (own.root == id) {
            within.push_back(labels_of(id, name));
            continue;
        }
        // The dimension that stands for the same one of the root.
        const Addresses &like = all_[operand_with(node, own)];
        const auto place = std::find(own.names.begin(), own.names.end(), name) - own.names.begin();
        within.push_back(like.labels(like.own.names[static_cast<std::size_t>(place)]));
        // After a check of sizes they are the numbers that the others have.
        if (node.op == Op::same_size && node.as<SameSize>().what == name && all_[node.operands[1]].is_product) {
            within.back() = all_[node.operands[1]].within.front();
        }
    }
    return within;
}

bool AddressOrigins::is_product(NodeId id, const Addresses &own) const {
    const Node &node = graph_[id];
    if (own.within.empty() || own.own.root != id) {
        const Addresses *const like = own.within.empty() ? nullptr : &all_[operand_with(node, own.own)];
        return like != nullptr && like->is_product && like->within.size() == own.within.size();
    }
    if (own.within.size() == 1 && own.within.front() == Labels{id, 0}) {
        return true;
    }
    if (node.op == Op::input) {
        return graph_.inputs()[node.as<Input>().index].declared.has_value();
    }
    const auto is_made_of_products = [&](const auto &has_same_labels) {
        return std::all_of(node.operands.begin(), node.operands.end(), [&](NodeId operand) {
            return !has_mapped(operand) || (all_[operand].is_product && has_same_labels(all_[operand]));
        });
    };
    if (node.op == Op::reduce) {
        // Of an input all sizes are 0 or none, so that no label is lost with those that are gone.
        return is_made_of_products([&](const Addresses &operand) {
            return std::all_of(operand.within.begin(), operand.within.end(), [&](const Labels &labels) {
                return labels.root == operand.within.front().root && graph_[labels.root].op == Op::input;
            });
        });
    }
    const bool sums_no_label =
        node.op == Op::contract && std::all_of(node.operands.begin(), node.operands.end(), [&](NodeId operand) {
            return keeps_labels(*graph_[operand].type, node.as<Contract>().dimensions);
        });
    return (has_trait(node.op, Trait::joins) || sums_no_label) && is_made_of_products([&](const Addresses &operand) {
               return std::all_of(operand.names.begin(), operand.names.end(),
                                  [&](const std::string &name) { return operand.labels(name) == own.labels(name); });
           });
}

AddressOrigins::Origin AddressOrigins::itself(NodeId id) const {
    Origin own{id, {}};
    for (const Dimension &dimension : graph_[id].type->dimensions()) {
        if (dimension.is_mapped()) {
            own.names.push_back(dimension.name);
        }
    }
    return own;
}

const AddressOrigins::Labels &AddressOrigins::Addresses::labels(const std::string &name) const {
    return within[static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin())];
}

AddressOrigins::Labels AddressOrigins::labels_of(NodeId id, const std::string &dimension) const {
    const Node &node = graph_[id];
    const bool leaves_out = node.op == Op::contract || node.op == Op::reduce || node.op == Op::peek ||
                            node.op == Op::filter || has_trait(node.op, Trait::joins);
    for (const NodeId operand : node.operands) {
        if (leaves_out && is_mapped(*graph_[operand].type, dimension)) {
            return all_[operand].labels(dimension);
        }
    }
    const std::vector<std::string> names = itself(id).names;
    const auto place = std::find(names.begin(), names.end(), dimension);
    return {id, static_cast<std::size_t>(place - names.begin())};
}

AddressOrigins::Origin AddressOrigins::common(NodeId id, std::span<const NodeId> operands) const {
    const Origin *same = nullptr;
    for (const NodeId operand : operands) {
        if (has_mapped(operand)) {
            if (same != nullptr && *same != all_[operand].own) {
                return itself(id);
            }
            same = &all_[operand].own;
        }
    }
    return same == nullptr ? itself(id) : *same;
}

AddressOrigins::Origin AddressOrigins::renamed(const Node &node) const {
    const auto &[from, to] = node.as<Rename>();
    Origin result = all_[node.operands[0]].own;
    for (std::string &name : result.names) {
        const auto found = std::find(from.begin(), from.end(), name);
        name = found == from.end() ? name : to[static_cast<std::size_t>(found - from.begin())];
    }
    return result;
}

// A computed index may not exist, and if none does the block is missing.
AddressOrigins::Origin AddressOrigins::peeked(NodeId id, const Node &node) const {
    const TensorType &operand = *graph_[node.operands[0]].type;
    const std::vector<PeekPart> &parts = node.as<Peek>().parts;
    const bool keeps = std::all_of(parts.begin(), parts.end(), [&](const PeekPart &part) {
        return part.computed == 0 && !is_mapped(operand, part.dimension);
    });
    return keeps ? common(id, node.operands) : itself(id);
}

AddressOrigins::Origin AddressOrigins::filled(NodeId id, const Node &node) const {
    const Addresses &value = all_[node.operands[0]];
    const Origin &wanted = all_[node.operands[1]].own;
    const bool is_part =
        value.within.size() == 1 && wanted.names.size() == 1 && value.within.front() == Labels{wanted.root, 0};
    return value.own == wanted || is_part ? wanted : itself(id);
}

AddressOrigins::Origin AddressOrigins::with_size(const Node &node) const {
    const Origin &before = all_[node.operands[0]].own;
    const bool is_compared = before.names.size() == 1 && before.root == all_[node.operands[2]].own.root;
    return is_compared ? Origin{all_[node.operands[1]].own.root, before.names} : before;
}

AddressOrigins::Origin AddressOrigins::origin(NodeId id) const {
    const Node &node = graph_[id];
    if (!node.type->has_mapped() || node.operands.empty()) {
        return itself(id);
    }
    const TensorType &operand = *graph_[node.operands[0]].type;
    switch (node.op) {
        case Op::rename:
            return renamed(node);
        case Op::peek:
            return peeked(id, node);
        case Op::same_size:
            return with_size(node);
        case Op::fill:
            return filled(id, node);
        case Op::reduce:
            return keeps_labels(operand, node.as<Reduce>().dimensions) ? all_[node.operands[0]].own : itself(id);
        case Op::normalize:
        case Op::round:
        case Op::attention:
            return all_[node.operands[0]].own;
        case Op::contract: {
            const bool one_sided = operand.has_mapped() != has_mapped(node.operands[1]);
            return one_sided ? all_[node.operands[operand.has_mapped() ? 0 : 1]].own : common(id, node.operands);
        }
        default: {
            const bool keeps = has_trait(node.op, Trait::keeps_blocks) || has_trait(node.op, Trait::joins);
            return keeps ? common(id, node.operands) : itself(id);
        }
    }
}

}  // namespace tenrex::ir

#include <algorithm>

#include "lib/ir/builder.h"
#include "lib/support/format.h"

namespace tenrex::ir {

NodeId Builder::cast(NodeId node, CellType cell_type) {
    if (type(node).cell_type() == cell_type || type(node).is_scalar()) {
        return node;
    }
    return add(Op::cast, cell_type, {node});
}

NodeId Builder::rename(NodeId node, std::vector<std::string> from, std::vector<std::string> to) {
    return add(Op::rename, type(node).cell_type(), {node}, Rename{std::move(from), std::move(to)});
}

NodeId Builder::apply(ScalarFunction function, CellType cell_type, std::initializer_list<NodeId> operands) {
    return add(Op::apply, cell_type, operands, Apply{function});
}

NodeId Builder::filter(NodeId node, NodeId keep) {
    const NodeId all = lacks_scope_dimension(node, keep) ? join_addresses(node, keep) : node;
    return add(Op::filter, type(all).cell_type(), {all, keep});
}

NodeId Builder::join_addresses(NodeId value, NodeId with) {
    const std::vector<Dimension> &dimensions = type(with).dimensions();
    const bool says_nothing_new =
        !type(with).has_mapped() && std::all_of(dimensions.begin(), dimensions.end(), [&](const Dimension &dimension) {
            return type(value).find(dimension.name).has_value();
        });
    return says_nothing_new ? value : add(Op::join_addresses, type(value).cell_type(), {value, with});
}

bool Builder::has_scope_dimension(NodeId node) const {
    const std::vector<Dimension> &dimensions = type(node).dimensions();
    return std::any_of(dimensions.begin(), dimensions.end(), [&](const Dimension &d) { return is_scope_name(d.name); });
}

bool Builder::lacks_scope_dimension(NodeId node, NodeId other) const {
    const std::vector<Dimension> &dimensions = type(other).dimensions();
    return std::any_of(dimensions.begin(), dimensions.end(),
                       [&](const Dimension &d) { return is_scope_name(d.name) && !type(node).find(d.name); });
}

void Builder::align(std::span<NodeId> nodes, const Scope &scope) {
    const auto part = [&](NodeId node, const std::vector<std::string> &kept) {
        std::vector<std::string> others;
        for (const Dimension &dimension : type(node).dimensions()) {
            if (std::find(kept.begin(), kept.end(), dimension.name) == kept.end()) {
                others.push_back(dimension.name);
            }
        }
        return others.empty() ? node : aggregate(node, Aggregator::count, std::move(others), CellType::f64);
    };
    std::vector<std::string_view> all;  // the scope dimensions of the nodes
    for (const NodeId node : nodes) {
        for (const Dimension &dimension : type(node).dimensions()) {
            if (is_scope_name(dimension.name) && std::find(all.begin(), all.end(), dimension.name) == all.end()) {
                all.push_back(dimension.name);
            }
        }
    }
    const auto lacks_one = [&](NodeId node) {
        return std::any_of(all.begin(), all.end(), [&](std::string_view name) { return !type(node).find(name); });
    };
    for (NodeId &node : nodes) {
        // After the first one the others get all of them at once: a literal has many nodes.
        for (std::size_t i = 0; i < nodes.size() && !error_ && lacks_one(node); ++i) {
            const NodeId other = nodes[i];
            std::vector<std::string> mapped, indexed;
            for (const Dimension &dimension : type(other).dimensions()) {
                if (is_scope_name(dimension.name) && !type(node).find(dimension.name)) {
                    (dimension.is_mapped() ? mapped : indexed).push_back(dimension.name);
                }
            }
            if (!mapped.empty()) {
                // Those of the scope: for some of them the other may have no blocks.
                for (const Dimension &dimension : type(node).dimensions()) {
                    if (is_scope_name(dimension.name) && dimension.is_mapped()) {
                        mapped.push_back(dimension.name);
                    }
                }
                node = join_addresses(node, part(*scope.anchor, mapped));
            }
            if (!indexed.empty()) {
                node = join_addresses(node, part(other, indexed));
            }
        }
    }
}

NodeId Builder::filled(NodeId node, const Scope &scope) {
    if (!scope.anchor || !type(node).has_mapped()) {
        return node;
    }
    return add(Op::fill, type(node).cell_type(), {node, *scope.anchor});
}

NodeId Builder::aggregate(NodeId node, Aggregator aggregator, std::vector<std::string> over, CellType cell_type) {
    return add(Op::reduce, cell_type, {node}, Reduce{aggregator, std::move(over)});
}

NodeId Builder::add(Op op, CellType cell_type, std::span<const NodeId> operands, Payload payload) {
    if (error_) {
        return graph_.constant(0);  // as the operands may be, which have other types than they should
    }
    if (!sizes_.empty()) {
        const bool joins = op != Op::branch && op != Op::same_size && op != Op::append && op != Op::fill;
        const std::vector<NodeId> all =
            joins ? with_same_sizes(operands) : std::vector<NodeId>(operands.begin(), operands.end());
        const Result<NodeId> node = graph_.add(op, cell_type, all, type_limits_, Payload(payload), span_);
        if (node) {
            inherit_sizes(*node, op, all, payload);
            return *node;
        }
    }
    const Result<NodeId> node = graph_.add(op, cell_type, operands, type_limits_, std::move(payload), span_);
    if (!node) {
        const Issue &issue = node.error().issues().front();
        fail_too_large(issue.message, issue.hint);
        return graph_.constant(0);
    }
    return *node;
}

void Builder::fail_too_large(const std::string &reason, std::string hint) {
    if (!error_) {
        error_ = Error(fmt::format("the value of a part of the expression is too large: {}", reason), std::move(hint));
    }
}

std::string Builder::fresh_name() {
    return fmt::format("{}{}", scope_prefix_, fresh_names_++);
}

}  // namespace tenrex::ir

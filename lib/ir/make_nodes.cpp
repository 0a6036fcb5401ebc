#include <algorithm>

#include "lib/ir/builder.h"
#include "lib/support/format.h"

namespace tenrex::ir {

NodeId Builder::cast(NodeId node, CellType cell_type) {
    if (type(node).cell_type() == cell_type || type(node).is_scalar()) {
        return node;
    }
    return add(Op::cast, cell_type, type(node).dimensions(), {node});
}

NodeId Builder::rename(NodeId node, std::vector<std::string> from, std::vector<std::string> to) {
    std::vector<Dimension> dimensions = type(node).dimensions();
    for (Dimension &dimension : dimensions) {
        const auto found = std::find(from.begin(), from.end(), dimension.name);
        if (found != from.end()) {
            dimension.name = to[static_cast<std::size_t>(found - from.begin())];
        }
    }
    return add(Op::rename, type(node).cell_type(), std::move(dimensions), {node},
               Rename{std::move(from), std::move(to)});
}

NodeId Builder::apply(ScalarFunction function, CellType cell_type, std::initializer_list<NodeId> operands) {
    const std::span<const NodeId> list(operands.begin(), operands.size());
    return add(Op::apply, cell_type, joined(list), list, Apply{function});
}

NodeId Builder::filter(NodeId node, NodeId keep) {
    const NodeId all = lacks_frame_dimension(node, keep) ? join_addresses(node, keep) : node;
    return add(Op::filter, type(all).cell_type(), type(all).dimensions(), {all, keep});
}

NodeId Builder::join_addresses(NodeId value, NodeId with) {
    const NodeId operands[] = {value, with};
    std::vector<Dimension> dimensions = joined(operands);
    if (!type(with).has_mapped() && dimensions.size() == type(value).dimensions().size()) {
        return value;
    }
    return add(Op::join_addresses, type(value).cell_type(), std::move(dimensions), operands);
}

bool Builder::has_frame_dimension(NodeId node) const {
    const std::vector<Dimension> &dimensions = type(node).dimensions();
    return std::any_of(dimensions.begin(), dimensions.end(), [&](const Dimension &d) { return is_frame_name(d.name); });
}

bool Builder::lacks_frame_dimension(NodeId node, NodeId other) const {
    const std::vector<Dimension> &dimensions = type(other).dimensions();
    return std::any_of(dimensions.begin(), dimensions.end(),
                       [&](const Dimension &d) { return is_frame_name(d.name) && !type(node).find(d.name); });
}

void Builder::align(std::span<NodeId> nodes, const Frame &frame) {
    const auto part = [&](NodeId node, const std::vector<std::string> &kept) {
        std::vector<std::string> others;
        for (const Dimension &dimension : type(node).dimensions()) {
            if (std::find(kept.begin(), kept.end(), dimension.name) == kept.end()) {
                others.push_back(dimension.name);
            }
        }
        return others.empty() ? node : aggregate(node, Aggregator::count, std::move(others), CellType::f64);
    };
    for (NodeId &node : nodes) {
        for (NodeId other : nodes) {
            std::vector<std::string> mapped, indexed;
            for (const Dimension &dimension : type(other).dimensions()) {
                if (is_frame_name(dimension.name) && !type(node).find(dimension.name)) {
                    (dimension.is_mapped() ? mapped : indexed).push_back(dimension.name);
                }
            }
            if (!mapped.empty()) {
                // Those of the frame: for some of them the other may have no blocks.
                for (const Dimension &dimension : type(node).dimensions()) {
                    if (is_frame_name(dimension.name) && dimension.is_mapped()) {
                        mapped.push_back(dimension.name);
                    }
                }
                node = join_addresses(node, part(*frame.anchor, mapped));
            }
            if (!indexed.empty()) {
                node = join_addresses(node, part(other, indexed));
            }
        }
    }
}

NodeId Builder::filled(NodeId node, const Frame &frame) {
    if (!frame.anchor || !type(node).has_mapped()) {
        return node;
    }
    return add(Op::fill, type(node).cell_type(), type(node).dimensions(), {node, *frame.anchor});
}

NodeId Builder::aggregate(NodeId node, Aggregator aggregator, std::vector<std::string> over, CellType cell_type) {
    std::vector<Dimension> kept;
    for (const Dimension &dimension : type(node).dimensions()) {
        if (std::find(over.begin(), over.end(), dimension.name) == over.end()) {
            kept.push_back(dimension);
        }
    }
    return add(Op::reduce, cell_type, std::move(kept), {node}, Reduce{aggregator, std::move(over)});
}

NodeId Builder::add(Op op, CellType cell_type, std::vector<Dimension> dimensions, std::span<const NodeId> operands,
                    Payload payload) {
    if (dimensions.empty()) {
        cell_type = CellType::f64;
    }
    const Result<TensorType> made = TensorType::make(cell_type, std::move(dimensions), type_limits_);
    if (!made) {
        const Issue &issue = made.error().issues().front();
        fail_too_large(issue.message, issue.hint);
        return graph_.constant(0);
    }
    return graph_.add(op, *made, operands, std::move(payload), span_);
}

void Builder::fail_too_large(const std::string &reason, std::string hint) {
    if (!error_) {
        error_ = Error(fmt::format("the value of a part of the expression is too large: {}", reason), std::move(hint));
    }
}

std::string Builder::fresh_name() {
    return fmt::format("{}{}", frame_prefix_, fresh_names_++);
}

std::vector<Dimension> Builder::joined(std::span<const NodeId> operands) const {
    std::vector<Dimension> result = type(operands[0]).dimensions();
    for (NodeId operand : operands.subspan(1)) {
        for (const Dimension &dimension : type(operand).dimensions()) {
            const auto same = [&](const Dimension &other) { return other.name == dimension.name; };
            if (std::none_of(result.begin(), result.end(), same)) {
                result.push_back(dimension);
            }
        }
    }
    return result;
}

}  // namespace tenrex::ir

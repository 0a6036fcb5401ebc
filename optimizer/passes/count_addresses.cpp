// A count looks at no cell: count(f(a,b)) is that of the addresses that a and b have in common, each with its block of
// cells. Factors without a label in common are counted one by one, and without labels the counts are known.
#include <algorithm>
#include <vector>

#include "optimizer/make_nodes.h"
#include "optimizer/matcher.h"
#include "optimizer/passes/passes.h"
#include "optimizer/rewrite.h"

namespace tenrex::optimizer {

namespace {

bool share_labels(const TensorType &a, const TensorType &b) {
    return std::any_of(a.dimensions().begin(), a.dimensions().end(), [&](const Dimension &dimension) {
        return dimension.is_mapped() && b.find(dimension.name).has_value();
    });
}

class Counting {
public:
    Counting(ir::Graph &graph, Span span) : graph_(graph), span_(span) {}

    // The values whose natural join has the addresses and dimensions of the node: those with labels, and those without
    // that bring dimensions that no other has.
    std::vector<ir::NodeId> parts(ir::NodeId id) const {
        constexpr std::size_t most = 16;
        std::vector<ir::NodeId> all, found;
        all.push_back(id);
        for (std::size_t i = 0; i < all.size() && i < most; ++i) {
            const ir::Node &node = graph_[all[i]];
            if (!ir::has_trait(node.op, ir::Trait::joins)) {
                found.push_back(all[i]);
                continue;
            }
            for (const ir::NodeId operand : node.operands) {
                if (std::find(all.begin(), all.end(), operand) == all.end()) {
                    all.push_back(operand);
                }
            }
        }
        if (all.size() > most) {
            return {id};
        }
        for (std::size_t i = 0; i < found.size();) {
            std::vector<ir::NodeId> others = found;
            others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
            const TensorType &type = *graph_[found[i]].type;
            if (!type.has_mapped() && !others.empty() &&
                joined_without(graph_, others, {}).size() == joined_without(graph_, found, {}).size()) {
                found = std::move(others);
            } else {
                ++i;
            }
        }
        std::sort(found.begin(), found.end());
        return found;
    }

    // The number of all cells of the join.
    ir::NodeId count_all(std::vector<ir::NodeId> parts) {
        const std::vector<Dimension> dimensions = joined_without(graph_, parts, {});
        std::vector<ir::NodeId> factors;
        std::vector<ir::NodeId> with_labels;
        double counted = 1;  // cells of a block of each factor
        while (!parts.empty()) {
            const ir::NodeId joined = join(take_connected(parts));
            if (graph_[joined].type->has_mapped()) {
                std::vector<std::string> names;
                for (const Dimension &dimension : graph_[joined].type->dimensions()) {
                    names.push_back(dimension.name);
                }
                counted *= static_cast<double>(graph_[joined].type->block_cells());
                factors.push_back(count(joined, std::move(names), TensorType()));
                with_labels.push_back(joined);
            }
        }
        double once = 1;  // cells of a block of all factors, without repeating dimensions
        double more = 1;  // those that are in no factor
        const std::vector<Dimension> known = joined_without(graph_, with_labels, {});
        for (const Dimension &dimension : dimensions) {
            if (dimension.is_indexed()) {
                const bool in_factor = std::find(known.begin(), known.end(), dimension) != known.end();
                (in_factor ? once : more) *= static_cast<double>(dimension.size);
            }
        }
        if (factors.empty()) {
            return graph_.constant(more);
        }
        ir::NodeId result = factors[0];
        for (std::size_t i = 1; i < factors.size(); ++i) {
            result = combined(ScalarFunction::multiply, result, factors[i]);
        }
        result = more != 1 ? combined(ScalarFunction::multiply, result, graph_.constant(more)) : result;
        return counted != once ? combined(ScalarFunction::divide, result, graph_.constant(counted / once)) : result;
    }

    ir::NodeId count(ir::NodeId operand, std::vector<std::string> dimensions, const TensorType &type) {
        return graph_.add(ir::Op::reduce, type, {&operand, 1}, ir::Reduce{Aggregator::count, std::move(dimensions)},
                          span_);
    }

    // Nothing but the addresses and dimensions of the natural join.
    ir::NodeId join(const std::vector<ir::NodeId> &parts) {
        ir::NodeId result = parts[0];
        for (std::size_t i = 1; i < parts.size(); ++i) {
            const ir::NodeId operands[] = {result, parts[i]};
            const CellType cell_type = graph_[result].type->cell_type();
            result = graph_.add(ir::Op::join_addresses, cell_type, operands, {}, span_);
        }
        return result;
    }

private:
    ir::NodeId combined(ScalarFunction function, ir::NodeId a, ir::NodeId b) {
        return add_apply(graph_, function, CellType::f64, {a, b}, span_);
    }
    // Takes the first part and all that have labels in common with it, or with those taken.
    std::vector<ir::NodeId> take_connected(std::vector<ir::NodeId> &parts) const {
        std::vector<ir::NodeId> taken = {parts.front()};
        parts.erase(parts.begin());
        for (std::size_t i = 0; i < taken.size(); ++i) {
            for (auto part = parts.begin(); part != parts.end();) {
                if (share_labels(*graph_[*part].type, *graph_[taken[i]].type)) {
                    taken.push_back(*part);
                    part = parts.erase(part);
                } else {
                    ++part;
                }
            }
        }
        return taken;
    }

    ir::Graph &graph_;
    Span span_;
};

// A tensor without labels, the same number in each cell.
ir::NodeId filled(ir::Graph &graph, const TensorType &type, double number) {
    TensorBuilder builder(type);
    for (std::size_t i = 0; i < type.block_cells(); ++i) {
        builder.set(0, i, number);
    }
    return graph.constant(std::move(builder).build());
}

}  // namespace

void count_addresses(ir::Graph &graph, PassRun &run) {
    rewrite(graph, run.uses, [&](ir::NodeId id, std::span<const ir::NodeId> operands) -> std::optional<ir::NodeId> {
        const ir::Node node = graph[id];
        if (!is_reduction(node, Aggregator::count)) {
            return std::nullopt;
        }
        const TensorType &operand = *graph[operands[0]].type;
        if (!operand.has_mapped() && !node.type->is_scalar()) {
            return filled(graph, *node.type,
                          static_cast<double>(operand.block_cells()) / static_cast<double>(node.type->block_cells()));
        }
        Counting counting(graph, node.span);
        const std::vector<ir::NodeId> parts = counting.parts(operands[0]);
        if (node.type->is_scalar() && (parts.size() > 1 || !graph[parts[0]].type->has_mapped())) {
            return counting.count_all(parts);
        }
        return counting.count(counting.join(parts), node.as<ir::Reduce>().dimensions, *node.type);
    });
}

}  // namespace tenrex::optimizer

// Operations on renamed values become renamed operations on values: op(rename(x), rename(y)) is rename(op(x, y)). What
// happens once per block of map_subspaces or filter_subspaces is built under other names; afterwards it looks as if
// written without them, so that every other pass finds its patterns. Renames of renames are one, and those that change
// nothing are gone.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/types/derived_type.h"
#include "optimizer/passes/passes.h"
#include "optimizer/rewrite.h"

namespace tenrex::optimizer {

namespace {

// Old to new names in the order of the old ones, without those that stay. They are parts of the graph.
using Names = std::vector<std::pair<std::string_view, std::string_view>>;

Names::const_iterator find(const Names &names, std::string_view name) {
    return std::find_if(names.begin(), names.end(), [&](const auto &pair) { return pair.first == name; });
}

bool has_old(const Names &names, std::string_view name) {
    return find(names, name) != names.end();
}

std::string_view renamed(const Names &names, std::string_view name) {
    const auto found = find(names, name);
    return found == names.end() ? name : found->second;
}

Names names_of(const ir::Node &rename) {
    Names names;
    const auto &[from, to] = rename.as<ir::Rename>();
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (from[i] != to[i]) {
            names.emplace_back(from[i], to[i]);
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

Names inverse(const Names &names) {
    Names back;
    back.reserve(names.size());
    for (const auto &[from, to] : names) {
        back.emplace_back(to, from);
    }
    std::sort(back.begin(), back.end());
    return back;
}

std::string last_indexed(const TensorType &type) {
    std::string last;
    for (const Dimension &dimension : type.dimensions()) {
        last = dimension.is_indexed() ? dimension.name : last;
    }
    return last;
}

std::optional<TensorType> with_names(const TensorType &type, const Names &names) {
    std::vector<Dimension> dimensions = type.dimensions();
    for (Dimension &dimension : dimensions) {
        if (const auto found = find(names, dimension.name); found != names.end()) {
            dimension.name = found->second;
        }
    }
    Result<TensorType> made = derived_type(type.cell_type(), std::move(dimensions));
    return made ? std::optional(*std::move(made)) : std::nullopt;
}

ir::NodeId add_rename(ir::Graph &graph, ir::NodeId node, const TensorType &type, const Names &names, Span span) {
    ir::Rename rename;
    for (const auto &[from, to] : names) {
        if (graph[node].type->find(from)) {
            rename.from.emplace_back(from);
            rename.to.emplace_back(to);
        }
    }
    return rename.from.empty() ? node : graph.add(ir::Op::rename, type, {&node, 1}, std::move(rename), span);
}

std::optional<ir::NodeId> merge_renames(ir::Graph &graph, const ir::Node &node, ir::NodeId operand) {
    Names names = names_of(node);
    ir::NodeId source = operand;
    const ir::Node inner = graph[operand];
    if (inner.op == ir::Op::rename) {
        const Names inner_names = names_of(inner);
        Names both;
        for (const Dimension &dimension : graph[inner.operands[0]].type->dimensions()) {
            const std::string_view name = renamed(names, renamed(inner_names, dimension.name));
            if (name != dimension.name) {
                both.emplace_back(dimension.name, name);
            }
        }
        names = std::move(both);
        source = inner.operands[0];
    } else if (!names.empty()) {
        return std::nullopt;
    }
    return add_rename(graph, source, *node.type, names, node.span);
}

// The operation under the names that its operands have before they are renamed.
std::optional<ir::NodeId> hoist(ir::Graph &graph, const ir::Node &node, std::span<const ir::NodeId> operands) {
    Names names;  // old to new, of the first operand that is renamed
    for (const ir::NodeId operand : operands) {
        if (graph[operand].op == ir::Op::rename) {
            names = names_of(graph[operand]);
            break;
        }
    }
    if (names.empty()) {
        return std::nullopt;
    }
    const Names back = inverse(names);
    std::vector<ir::NodeId> sources;
    for (const ir::NodeId operand : operands) {
        const ir::Node &source = graph[operand];
        if (source.op == ir::Op::rename && names_of(source) == names) {
            sources.push_back(source.operands[0]);
            continue;
        }
        for (const Dimension &dimension : source.type->dimensions()) {
            if (has_old(names, dimension.name) || has_old(back, dimension.name)) {
                return std::nullopt;
            }
        }
        sources.push_back(operand);
    }
    // No name may come to stand for two dimensions, also among those that the operation removes.
    for (const ir::NodeId source : sources) {
        for (const Dimension &dimension : graph[source].type->dimensions()) {
            if (has_old(back, dimension.name) && !has_old(names, dimension.name)) {
                return std::nullopt;
            }
        }
    }
    const std::optional<TensorType> type = with_names(*node.type, back);
    // Nor may a dimension that the operation makes have the name of one that is renamed.
    const auto keeps_name = [&](const Dimension &dimension) {
        return renamed(names, renamed(back, dimension.name)) == dimension.name;
    };
    if (!type || !std::all_of(node.type->dimensions().begin(), node.type->dimensions().end(), keeps_name)) {
        return std::nullopt;
    }
    // Bits lie side by side along the last dimension.
    if (node.op == ir::Op::unpack_bits && last_indexed(*type) != renamed(back, node.as<ir::UnpackBits>().dimension)) {
        return std::nullopt;
    }
    const ir::NodeId result = graph.add(
        node.op, *type, sources,
        ir::with_names(*node.payload, [&](const std::string &name) { return std::string(renamed(back, name)); }),
        node.span);
    return add_rename(graph, result, *node.type, names, node.span);
}

}  // namespace

void hoist_renames(ir::Graph &graph, PassRun &run) {
    rewrite(graph, run.uses, [&](ir::NodeId id, std::span<const ir::NodeId> operands) -> std::optional<ir::NodeId> {
        const ir::Node node = graph[id];
        if (node.op == ir::Op::rename) {
            return merge_renames(graph, node, operands[0]);
        }
        return ir::has_trait(node.op, ir::Trait::ignores_names) ? hoist(graph, node, operands) : std::nullopt;
    });
}

}  // namespace tenrex::optimizer

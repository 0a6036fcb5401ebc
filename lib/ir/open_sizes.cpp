// Open dimensions: values of different sizes under one type.
#include <algorithm>
#include <utility>

#include "lib/ir/builder.h"
#include "lib/support/format.h"
#include "lib/types/derived_type.h"

namespace tenrex::ir {

std::span<const Builder::OpenSize> Builder::sizes_of(NodeId node) const {
    const auto found = sizes_.find(node);
    return found == sizes_.end() ? std::span<const OpenSize>() : std::span<const OpenSize>(found->second);
}

const Builder::OpenSize *Builder::size_of(NodeId node, std::string_view dimension) const {
    const std::span<const OpenSize> all = sizes_of(node);
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const OpenSize &size) { return size.dimension == dimension; });
    return found == all.end() ? nullptr : &*found;
}

void Builder::note_sizes(NodeId node, std::vector<OpenSize> sizes) {
    if (!sizes.empty()) {
        sizes_[node] = std::move(sizes);
    }
}

void Builder::inherit_sizes(NodeId node, Op op, std::span<const NodeId> operands, const Payload &payload) {
    std::vector<OpenSize> result;
    const TensorType &own = type(node);
    const auto is_known = [&](const std::string &name) {
        return std::any_of(result.begin(), result.end(), [&](const OpenSize &size) { return size.dimension == name; });
    };
    const Rename *const rename = std::get_if<Rename>(&payload);
    // Of the operands of same_size the first is the value.
    for (const NodeId operand : op == Op::same_size ? operands.first(1) : operands) {
        for (OpenSize size : sizes_of(operand)) {
            if (rename != nullptr) {
                const auto at = std::find(rename->from.begin(), rename->from.end(), size.dimension);
                size.dimension = at == rename->from.end()
                                     ? size.dimension
                                     : rename->to[static_cast<std::size_t>(at - rename->from.begin())];
            }
            const auto position = own.find(size.dimension);
            if (!position || !own.dimensions()[*position].is_mapped()) {
                continue;
            }
            if (is_known(size.dimension)) {
                const auto other = std::find_if(result.begin(), result.end(), [&](const OpenSize &known) {
                    return known.dimension == size.dimension;
                });
                if (op == Op::branch && other->rows != size.rows) {
                    // The size is that of the branch that is chosen.
                    other->rows = node;
                    other->source = "an if";
                    if (own.mapped_count() != 1) {
                        fail_open("a choice among values of different sizes that have labels or other open dimensions");
                    }
                }
                continue;
            }
            result.push_back(std::move(size));
        }
    }
    note_sizes(node, std::move(result));
}

NodeId Builder::with_size(NodeId node, const OpenSize &own, NodeId rows, const std::string &source) {
    const OpenSize before = own;
    std::vector<OpenSize> sizes(sizes_of(node).begin(), sizes_of(node).end());
    const NodeId operands[] = {node, rows, before.rows};
    const NodeId result =
        add(Op::same_size, type(node).cell_type(), operands, SameSize{before.dimension, source, before.source});
    for (OpenSize &size : sizes) {
        if (size.dimension == before.dimension) {
            size.rows = rows;
            size.source = source;
        }
    }
    note_sizes(result, std::move(sizes));
    return result;
}

std::vector<NodeId> Builder::with_same_sizes(std::span<const NodeId> operands) {
    std::vector<NodeId> result(operands.begin(), operands.end());
    // A known size first: then the others become known, too.
    for (NodeId &node : result) {
        for (const NodeId other : operands) {
            for (const Dimension &dimension : type(other).dimensions()) {
                const OpenSize *const own = size_of(node, dimension.name);
                if (own == nullptr || dimension.is_mapped()) {
                    continue;
                }
                const NodeId known = graph_.constant(index_vector(dimension.name, dimension.size, true));
                const NodeId same = with_size(node, *own, known, "a tensor of the expression");
                const Dimension indexed = dimension;
                node = add(Op::to_indexed, type(same).cell_type(), {same}, ToIndexed{{indexed}});
            }
        }
    }
    for (std::size_t i = 1; i < result.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            // The one with fewer dimensions is compared: it is a mask mostly, and the other the end of a pattern.
            const bool is_larger = type(result[i]).dimensions().size() > type(result[k]).dimensions().size();
            NodeId &compared = result[is_larger ? k : i];
            const NodeId other = result[is_larger ? i : k];
            const std::vector<OpenSize> sizes(sizes_of(other).begin(), sizes_of(other).end());
            for (const OpenSize &size : sizes) {
                const OpenSize *const own = size_of(compared, size.dimension);
                if (own != nullptr && own->rows != size.rows) {
                    compared = with_size(compared, *own, size.rows, size.source);
                }
            }
        }
    }
    return result;
}

void Builder::add_sizes(NodeId root) {
    std::vector<OpenSize> sizes(sizes_of(root).begin(), sizes_of(root).end());
    std::sort(sizes.begin(), sizes.end(),
              [](const OpenSize &a, const OpenSize &b) { return a.dimension < b.dimension; });
    for (OpenSize &size : sizes) {
        const TensorType &rows = type(size.rows);
        std::vector<std::string> all;
        for (const Dimension &dimension : rows.dimensions()) {
            all.push_back(dimension.name);
        }
        // A count is that of all cells.
        const auto cells_of_row = static_cast<double>(rows.block_cells());
        NodeId count = aggregate(size.rows, Aggregator::count, std::move(all), CellType::f64);
        if (cells_of_row != 1) {
            count = apply(ScalarFunction::divide, CellType::f64, {count, graph_.constant(cells_of_row)});
        }
        graph_.add_output({"", count, std::nullopt, std::move(size.dimension)});
    }
}

NodeId Builder::filled_rows(NodeId node) {
    std::optional<NodeId> rows;
    const std::vector<OpenSize> sizes(sizes_of(node).begin(), sizes_of(node).end());
    for (const OpenSize &size : sizes) {
        NodeId own = size.rows;
        const std::string &name = size_of(own, size.dimension) != nullptr ? size.dimension : sizes_of(own)[0].dimension;
        if (name != size.dimension) {
            // Another dimension of it may have that name.
            own = type(own).find(size.dimension) ? aggregate(own, Aggregator::count, {size.dimension}, CellType::f64)
                                                 : own;
            own = rename(own, {name}, {size.dimension});
        }
        rows = rows ? join_addresses(*rows, own) : own;
    }
    return rows ? add(Op::fill, type(node).cell_type(), {node, *rows}) : node;
}

NodeId Builder::without_rows(NodeId node) {
    std::vector<std::string> rows;
    for (const OpenSize &size : sizes_of(node)) {
        rows.push_back(size.dimension);
    }
    return rows.empty() ? node : aggregate(node, Aggregator::count, std::move(rows), CellType::f64);
}

NodeId Builder::as_rows(NodeId node, const std::string &dimension) {
    if (size_of(node, dimension) != nullptr) {
        return node;
    }
    return type(node).find(dimension) ? add(Op::to_mapped, type(node).cell_type(), {node}, ToMapped{{dimension}})
                                      : join_addresses(node, graph_.constant(index_vector(dimension, 1, true)));
}

NodeId Builder::append(const sema::ConcatExpr &expr, const Scope &scope) {
    const std::string dimension(expr.dimension);
    if (expr.type->has_mapped() || expr.type->open_count() != 1 || has_scope_dimension(at(*expr.a, scope)) ||
        has_scope_dimension(at(*expr.b, scope))) {
        fail_open("a concat along one of several open or mapped dimensions");
        return at(*expr.a, scope);
    }
    NodeId both[] = {as_rows(at(*expr.a, scope), dimension), as_rows(at(*expr.b, scope), dimension)};
    for (std::size_t i = 0; i < 2; ++i) {
        std::vector<Dimension> lacking;
        for (const Dimension &other : type(both[1 - i]).dimensions()) {
            if (!type(both[i]).find(other.name)) {
                lacking.push_back(other);
            }
        }
        if (!lacking.empty()) {
            const TensorType zeros = known_type(CellType::i8, std::move(lacking));
            both[i] = join_addresses(both[i], graph_.constant(TensorBuilder(zeros).build()));
        }
        both[i] = cast(both[i], expr.type->cell_type());
    }
    const NodeId result = add(Op::append, expr.type->cell_type(), both, Append{dimension});
    note_sizes(result, {{dimension, result, "a concat"}});
    return result;
}

std::optional<TensorType> Builder::declared(const TensorType &type, std::string_view what) {
    if (!type.has_open()) {
        return std::nullopt;
    }
    if (type.has_mapped()) {
        fail_open(fmt::format("{} of type {}, with labels beside an open dimension,", what, type.to_string()));
    }
    return type;
}

std::vector<Builder::OpenSize> Builder::sizes_of_input(NodeId node, const sema::InputUse &use) {
    std::vector<OpenSize> sizes;
    for (const Dimension &dimension : use.type.dimensions()) {
        if (dimension.is_open()) {
            sizes.push_back({dimension.name, node, fmt::format("'{}'", use.name)});
        }
    }
    if (sizes.size() == 1) {
        return sizes;
    }
    // The rows of one are the blocks of the input, counted over the others.
    for (OpenSize &size : sizes) {
        std::vector<std::string> others;
        for (const Dimension &dimension : use.type.dimensions()) {
            if (dimension.name != size.dimension) {
                others.push_back(dimension.name);
            }
        }
        size.rows = aggregate(node, Aggregator::count, std::move(others), CellType::f64);
        note_sizes(size.rows, {size});
    }
    return sizes;
}

void Builder::fail_open(std::string what) {
    if (!error_) {
        error_ = Error(fmt::format("{} is not compiled", what), "the reference evaluator takes it");
    }
}

}  // namespace tenrex::ir

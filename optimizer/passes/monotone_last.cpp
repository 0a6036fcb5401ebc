// The largest f(x) is f of the largest x if f never falls, and of the smallest if it never rises: dot products and
// distances are compared, and only the best one is scaled, squashed or turned into a closeness. So the reduction reads
// what a kernel may reduce as it computes it, and f is computed once. What f gives for the best x is its value there,
// within the error of f, however its kernels round neighbours.
#include <algorithm>
#include <optional>
#include <vector>

#include "lib/types/derived_type.h"
#include "optimizer/make_nodes.h"
#include "optimizer/matcher.h"
#include "optimizer/monotone.h"
#include "optimizer/passes/passes.h"
#include "optimizer/ranges.h"
#include "optimizer/rewrite.h"

namespace tenrex::optimizer {

namespace {

std::vector<std::string> names_of(const TensorType &type) {
    std::vector<std::string> names;
    for (const Dimension &dimension : type.dimensions()) {
        names.push_back(dimension.name);
    }
    return names;
}

class Moving {
public:
    Moving(ir::Graph &graph, std::span<const std::uint32_t> uses) : graph_(graph), ranges_(graph), uses_(uses) {
        uses_of_new_.reserve(2 * uses.size());
    }

    std::optional<ir::NodeId> operator()(ir::NodeId id, std::span<const ir::NodeId> operands) {
        const ir::Node node = graph_[id];  // a copy: adding nodes moves them
        for (std::size_t i = 0; i < operands.size(); ++i) {
            if (operands[i] >= uses_of_new_.size()) {
                uses_of_new_.resize(operands[i] + std::size_t{1}, 1);
            }
            uses_of_new_[operands[i]] = uses_[node.operands[i]];
        }
        return is_extreme(node) ? moved(node, operands[0]) : std::nullopt;
    }

private:
    // Functions around what is to be reduced, the outermost first.
    struct Path {
        std::vector<ir::NodeId> functions;
        ir::NodeId source;
        bool largest;  // of the source
        bool keeps_zero = true;
        bool is_costly = false;
        bool rounds = false;  // a cell type other than double is on the way
    };

    bool is_used_once(ir::NodeId id) const { return id >= uses_of_new_.size() || uses_of_new_[id] == 1; }

    // The type of the best cells of the node.
    TensorType reduced(ir::NodeId id, const std::vector<std::string> &dimensions) const {
        return known_type(decay(graph_[id].type->cell_type()), joined_without(graph_, {id}, dimensions));
    }

    // Kernels find the best of the numbers that the rows of one operand give.
    bool is_best_of_rows(const ir::Node &source, const std::vector<std::string> &dimensions) const {
        const auto are_of = [&](ir::NodeId operand) {
            return joined_without(graph_, {operand}, dimensions).size() + dimensions.size() ==
                   graph_[operand].type->dimensions().size();
        };
        const auto are_not_of = [&](ir::NodeId operand) {
            return joined_without(graph_, {operand}, dimensions).size() == graph_[operand].type->dimensions().size();
        };
        return source.op == ir::Op::contract && ((are_of(source.operands[0]) && are_not_of(source.operands[1])) ||
                                                 (are_of(source.operands[1]) && are_not_of(source.operands[0])));
    }

    // Plans do not store a join of labels of which the reduction leaves fewer.
    bool is_reduced_at_once(ir::NodeId id, const ir::Node &reduction) const {
        const ir::Node &joined = graph_[id];
        return joined.op == ir::Op::apply && joined.operands.size() == 2 &&
               graph_[joined.operands[0]].type->has_mapped() && graph_[joined.operands[1]].type->has_mapped() &&
               joined.type->mapped_count() != reduction.type->mapped_count();
    }

    Path path(const ir::Node &node, ir::NodeId operand) {
        const auto &[aggregator, dimensions] = node.as<ir::Reduce>();
        Path path{{}, operand, aggregator == Aggregator::max};
        while (is_used_once(path.source)) {
            const auto function = monotone_in(graph_, ranges_, path.source, dimensions, path.largest);
            if (!function) {
                break;
            }
            const ir::NodeId next = graph_[path.source].operands[function->operand];
            if (is_reduced_at_once(path.source, node) && graph_[next].op != ir::Op::contract) {
                break;
            }
            // Groups without a cell have no address. If another operand alone brought the address, they would have one.
            if (node.type->has_mapped() && graph_[next].type->has_mapped() && !reduced(next, dimensions).has_mapped()) {
                break;
            }
            path.rounds |= graph_[path.source].type->cell_type() != CellType::f64;
            path.keeps_zero &= function->keeps_zero;
            path.is_costly |= function->is_costly;
            path.largest = path.largest == function->rises;
            path.functions.push_back(path.source);
            path.source = next;
        }
        return path;
    }

    std::optional<ir::NodeId> moved(const ir::Node &node, ir::NodeId operand) {
        const Path found = path(node, operand);
        if (found.functions.empty()) {
            return std::nullopt;
        }
        const std::vector<std::string> &dimensions = node.as<ir::Reduce>().dimensions;
        const TensorType best_type = reduced(found.source, dimensions);
        // No cells at all give 0, whatever the function makes of it.
        const bool needs_count =
            graph_[found.source].type->has_mapped() && !best_type.has_mapped() && !found.keeps_zero;
        const bool needs_cell = best_type.is_scalar() && found.rounds;
        const bool saves_join = best_type.is_scalar() && !node.type->is_scalar();
        if ((needs_count || needs_cell) && !saves_join && !is_worth_more(found, node)) {
            return std::nullopt;
        }
        const std::optional<ir::NodeId> count = needs_count ? count_of(found.source, node.span) : std::nullopt;
        if (needs_count && !count) {
            return std::nullopt;
        }
        const ir::NodeId best =
            graph_.add(ir::Op::reduce, best_type, {&found.source, 1},
                       ir::Reduce{found.largest ? Aggregator::max : Aggregator::min, dimensions}, node.span);
        const std::string cell = unused_name(*node.type);
        ir::NodeId result = needs_cell ? one_cell(best, cell, node.span) : best;
        // The cells, the functions and the choice are one step of a plan.
        const CellType best_cell = decay(graph_[found.source].type->cell_type());
        result = applied(found, needs_cell ? add_cast(graph_, result, best_cell, node.span) : result);
        result = add_cast(graph_, result, node.type->cell_type(), node.span);
        if (count) {
            const ir::NodeId choice[] = {*count, result, graph_.constant(0)};
            const TensorType type = *graph_[result].type;
            result = graph_.add(ir::Op::select, type, choice, ir::Choice(), node.span);
        }
        return needs_cell ? add_first_cells(graph_, result, {cell}, node.span) : result;
    }

    // A few more operations for each document pay if a kernel finds the best of what it computes, or if the function
    // would take longer for all cells.
    bool is_worth_more(const Path &path, const ir::Node &reduction) const {
        const ir::Node &source = graph_[path.source];
        if (is_used_once(path.source) && (is_best_of_rows(source, reduction.as<ir::Reduce>().dimensions) ||
                                          is_reduced_at_once(path.source, reduction))) {
            return true;
        }
        constexpr double few_labels = 8;
        double cells = 1;
        for (const Dimension &dimension : source.type->dimensions()) {
            if (contains(reduction.as<ir::Reduce>().dimensions, dimension.name)) {
                cells *= dimension.is_mapped() ? few_labels : static_cast<double>(dimension.size);
            }
        }
        return path.is_costly && cells >= few_labels;
    }

    // A number that is 0 only if the node has no cell: counted where the labels come from, in inputs of which no two
    // have a label in common. Nothing if they come from elsewhere.
    std::optional<ir::NodeId> count_of(ir::NodeId id, Span span) {
        std::vector<ir::NodeId> open{id}, inputs;
        while (!open.empty()) {
            const ir::NodeId next = open.back();
            open.pop_back();
            const ir::Node &node = graph_[next];
            if (!node.type->has_mapped() || contains_node(inputs, next)) {
                continue;
            }
            switch (node.op) {
                case ir::Op::input:
                case ir::Op::constant:
                    inputs.push_back(next);
                    break;
                case ir::Op::apply:
                case ir::Op::cast:
                case ir::Op::contract:
                case ir::Op::slice:
                case ir::Op::unpack_bits:
                    open.insert(open.end(), node.operands.begin(), node.operands.end());
                    break;
                default:
                    return std::nullopt;
            }
        }
        std::vector<std::string> labels;
        std::optional<ir::NodeId> product;
        for (const ir::NodeId input : inputs) {
            for (const Dimension &dimension : graph_[input].type->dimensions()) {
                if (dimension.is_mapped()) {
                    if (contains(labels, dimension.name)) {
                        return std::nullopt;
                    }
                    labels.push_back(dimension.name);
                }
            }
            const ir::NodeId count = graph_.add(ir::Op::reduce, TensorType(), {&input, 1},
                                                ir::Reduce{Aggregator::count, names_of(*graph_[input].type)}, span);
            product =
                product ? add_apply(graph_, ScalarFunction::multiply, CellType::f64, {*product, count}, span) : count;
        }
        return product;
    }

    static bool contains_node(const std::vector<ir::NodeId> &nodes, ir::NodeId id) {
        return std::find(nodes.begin(), nodes.end(), id) != nodes.end();
    }

    static std::string unused_name(const TensorType &type) {
        std::string name = "_m";
        while (type.find(name)) {
            name.insert(0, 1, '_');
        }
        return name;
    }

    // A number is double: what is to be rounded like the cells of a tensor is a cell of one.
    ir::NodeId one_cell(ir::NodeId number, const std::string &name, Span span) {
        TensorBuilder one(known_type(CellType::f64, {Dimension{name, 1}}));
        const TensorType type = one.type();
        const ir::NodeId operands[] = {number, graph_.constant(std::move(one).build())};
        return graph_.add(ir::Op::join_addresses, type, operands, {}, span);
    }

    ir::NodeId applied(const Path &path, ir::NodeId best) {
        ir::NodeId inner = path.source;
        for (auto id = path.functions.rbegin(); id != path.functions.rend(); ++id) {
            const ir::Node node = graph_[*id];  // a copy: adding nodes moves them
            const CellType cell_type = node.type->cell_type();
            if (node.op == ir::Op::cast) {
                best = add_cast(graph_, best, cell_type, node.span);
            } else {
                std::vector<ir::NodeId> operands(node.operands.begin(), node.operands.end());
                std::replace(operands.begin(), operands.end(), inner, best);
                best = add_apply(graph_, node.as<ir::Apply>().function, cell_type, std::move(operands), node.span);
            }
            inner = *id;
        }
        return best;
    }

    ir::Graph &graph_;
    Ranges ranges_;
    std::span<const std::uint32_t> uses_;
    std::vector<std::uint32_t> uses_of_new_;  // by new node; what this pass has made is used once
};

}  // namespace

void monotone_last(ir::Graph &graph, PassRun &run) {
    bool has_function = false;
    for (ir::NodeId id = 0; id < graph.size(); ++id) {
        if (is_extreme(graph[id])) {
            const ir::Op of = graph[graph[id].operands[0]].op;
            has_function |= of == ir::Op::apply || of == ir::Op::cast;
        }
    }
    if (!has_function) {
        return;
    }
    Moving moving(graph, run.uses);
    rewrite(graph, run.uses, [&](ir::NodeId id, std::span<const ir::NodeId> operands) { return moving(id, operands); });
}

}  // namespace tenrex::optimizer

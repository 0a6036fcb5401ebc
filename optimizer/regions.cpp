#include "optimizer/regions.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "lib/ir/schedule.h"
#include "lib/types/block_layout.h"
#include "optimizer/cell_precision.h"

namespace tenrex::optimizer {

namespace {

// A larger set is searched.
constexpr std::size_t most_members = 16;
// Shorter rows are aggregated by a step of their own: for many documents at a time, a kernel takes them as they are.
constexpr std::size_t least_row = 64;
constexpr ir::NodeId no_origin = ~std::uint32_t{0};

bool computes_cells(const ir::Node &node) {
    switch (node.op) {
        case ir::Op::apply:
        case ir::Op::multiply_add:
        case ir::Op::select:
        case ir::Op::cast:
            return true;
        case ir::Op::in_set: {
            const std::size_t members = node.as<ir::InSet>().members.size();
            return members != 0 && members <= most_members;
        }
        default:
            return false;
    }
}

// Finds the regions of a graph.
class Finder {
public:
    explicit Finder(const Patterns &patterns)
        : patterns_(patterns),
          precision_(patterns.graph()),
          form_(patterns.graph().size(), 0),
          is_aggregated_(patterns.graph().size(), false) {
        for (ir::NodeId id = 0; id < form_.size(); ++id) {
            if (patterns.uses(id) != 0 && aggregates_rows(patterns, id) &&
                patterns.uses(patterns[id].operands[0]) == 1) {
                is_aggregated_[patterns[id].operands[0]] = true;
            }
        }
    }

    // The operations of each region, in their order.
    std::vector<std::vector<ir::NodeId>> run() {
        std::vector<std::vector<ir::NodeId>> regions;
        const std::size_t found = find_forms();
        if (found == 0) {
            return regions;
        }
        if (found == 1) {  // as in many expressions: there is nothing to put in order
            const auto only = static_cast<ir::NodeId>(
                std::find_if(form_.begin(), form_.end(), [](std::uint32_t form) { return form != 0; }) - form_.begin());
            if (is_worth_it_alone(only)) {
                regions.push_back({only});
            }
            return regions;
        }
        const std::vector<std::uint32_t> level = levels();
        const std::vector<ir::NodeId> order = ir::schedule(patterns_.graph());
        std::vector<ir::NodeId> nodes;
        nodes.reserve(order.size());
        std::copy_if(order.begin(), order.end(), std::back_inserter(nodes),
                     [&](ir::NodeId id) { return form_[id] != 0; });
        const auto region_of = [&](ir::NodeId id) { return std::pair(level[id], form_[id]); };
        std::stable_sort(nodes.begin(), nodes.end(),
                         [&](ir::NodeId a, ir::NodeId b) { return region_of(a) < region_of(b); });
        for (auto begin = nodes.begin(), end = begin; begin != nodes.end(); begin = end) {
            end = std::find_if(begin, nodes.end(), [&](ir::NodeId id) { return region_of(id) != region_of(*begin); });
            if (end - begin > 1 || is_worth_it_alone(*begin)) {
                regions.emplace_back(begin, end);
            }
        }
        return regions;
    }

private:
    const TensorType &type(ir::NodeId id) const { return patterns_.type(id); }

    // Whether a region reads the cells of the operand where they are, or as often as it needs them.
    bool is_readable(const ir::Node &node, ir::NodeId operand) const {
        const TensorType &own = type(operand);
        if (own.has_mapped()) {
            return has_same_labels(own, *node.type) && patterns_[operand].stage == node.stage;
        }
        // With addresses all documents are one run.
        return !node.type->has_mapped() || own.block_cells() == 1 || patterns_[operand].stage < node.stage;
    }

    bool fits(ir::NodeId id) const {
        const ir::Node &node = patterns_[id];
        const CellType cell_type = node.type->cell_type();
        if (!computes_cells(node) || node.stage == Stage::constant ||
            (cell_type != CellType::f32 && cell_type != CellType::f64)) {
            return false;
        }
        const bool is_one_region = !node.type->has_mapped() || patterns_.common_origin(id);
        const bool are_readable = std::all_of(node.operands.begin(), node.operands.end(),
                                              [&](ir::NodeId operand) { return is_readable(node, operand); });
        if (is_one_region && are_readable) {
            return true;
        }
        if (std::any_of(node.operands.begin(), node.operands.end(),
                        [&](ir::NodeId operand) { return form_[operand] != 0; })) {
            patterns_.refuse(id, is_one_region ? "beside labels an operand of the documents has none"
                                               : "the operands have the labels of several values");
        }
        return false;
    }

    // By stage, dimensions and addresses: equal numbers for equal ones, 0 for what fits no region. How many fit.
    std::size_t find_forms() {
        struct Form {
            const TensorType *type;
            Stage stage;
            ir::NodeId origin;  // of the addresses; `no_origin` of dense values
            auto operator<=>(const Form &) const = default;
        };
        std::map<Form, std::uint32_t> known_forms;
        std::vector<Form> distinct;
        Form last{nullptr, Stage::constant, no_origin};
        std::uint32_t last_number = 0;
        std::size_t count = 0;
        for (ir::NodeId id = 0; id < form_.size(); ++id) {
            if (patterns_.uses(id) == 0 || !fits(id)) {
                continue;
            }
            const Form form{&type(id), patterns_[id].stage, type(id).has_mapped() ? patterns_.origin(id) : no_origin};
            if (form != last) {  // operations that follow each other are often alike
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
                last = form;
                last_number = known->second;
            }
            form_[id] = last_number;
            ++count;
        }
        return count;
    }

    std::vector<std::uint32_t> levels() const {
        const ir::Graph &graph = patterns_.graph();
        std::vector<std::uint32_t> level(form_.size(), 0);
        for (ir::NodeId id = 0; id < form_.size(); ++id) {
            for (const ir::NodeId operand : graph[id].operands) {
                const bool leaves = form_[operand] != 0 && form_[operand] != form_[id];
                level[id] = std::max(level[id], level[operand] + (leaves ? 1 : 0));
            }
        }
        // What only a later region reads belongs there.
        std::vector<std::uint32_t> latest(form_.size(), no_origin);
        for (const ir::GraphOutput &output : graph.outputs()) {
            latest[output.node] = 0;
        }
        for (auto id = static_cast<ir::NodeId>(form_.size()); id-- > 0;) {
            if (patterns_.uses(id) == 0) {
                continue;
            }
            if (form_[id] != 0) {
                level[id] = std::max(level[id], latest[id]);
            }
            for (const ir::NodeId operand : graph[id].operands) {
                const bool same = form_[id] != 0 && form_[operand] == form_[id];
                latest[operand] = std::min(latest[operand], same ? level[id] : 0);
            }
        }
        return level;
    }

    bool is_worth_it_alone(ir::NodeId id) const {
        const ir::Node &node = patterns_[id];
        // Single cells of documents on their own have a shorter way.
        if (node.stage == Stage::document && !node.type->has_mapped() && node.type->block_cells() == 1) {
            return true;
        }
        if (is_aggregated_[id]) {
            return true;  // nor are its results written out
        }
        // Cells that are broadcast are not written out.
        if (std::any_of(node.operands.begin(), node.operands.end(), [&](ir::NodeId operand) {
                return type(operand).block_cells() != 1 && type(operand).block_cells() != node.type->block_cells();
            })) {
            return true;
        }
        // Float cells that are widened for an operation stay in the cache, and so do those whose numbers may need it.
        return (node.op == ir::Op::apply || node.op == ir::Op::multiply_add) &&
               node.type->cell_type() != CellType::f64 &&
               (precision_.computed_in(node) == CellType::f64 || precision_.has_unknown_numbers(node));
    }

    const Patterns &patterns_;
    CellPrecision precision_;
    std::vector<std::uint32_t> form_;  // by node
    std::vector<bool> is_aggregated_;  // by node: rows of its cells, by the only node that reads it
};

}  // namespace

bool aggregates_rows(const Patterns &patterns, ir::NodeId id) {
    const ir::Node &node = patterns[id];
    if (node.op != ir::Op::reduce) {
        return false;
    }
    const Aggregator aggregator = node.as<ir::Reduce>().aggregator;
    const std::optional<std::size_t> length = row_length(patterns.type(node.operands[0]), *node.type);
    return aggregator != Aggregator::median && aggregator != Aggregator::count && length && *length >= least_row;
}

std::vector<std::vector<ir::NodeId>> find_regions(const Patterns &patterns) {
    return Finder(patterns).run();
}

}  // namespace tenrex::optimizer

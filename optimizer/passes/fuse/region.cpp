// Operations cell by cell become regions: what is computed together, some cells at a time, with no memory but the
// results.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "optimizer/passes/passes.h"
#include "optimizer/regions.h"

namespace tenrex::optimizer {

namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};
// Most operations have no more operands.
constexpr std::size_t few = 8;

// Puts regions in the place of their operations.
class Maker {
public:
    Maker(ir::Graph &graph, const Patterns &patterns, std::vector<std::vector<ir::NodeId>> regions)
        : graph_(graph), regions_(std::move(regions)), nodes_(graph.size()) {
        for (std::uint32_t region = 0; region < regions_.size(); ++region) {
            for (const ir::NodeId id : regions_[region]) {
                nodes_[id].region = region;
            }
        }
        stack_.reserve(graph.size());
        operands_.reserve(few);
        find_results(patterns);
    }

    void run() {
        for (const ir::GraphOutput &output : graph_.outputs()) {
            make(output.node);
        }
        for (std::size_t i = 0; i < graph_.outputs().size(); ++i) {
            graph_.redirect_output(i, nodes_[graph_.outputs()[i].node].standing);
        }
    }

private:
    // Of a node.
    struct Own {
        std::uint32_t region = none;
        ir::NodeId standing = none;  // for it
        ir::NodeId in_body = none;   // of what the region that is made has read
        bool leaves = false;         // its region
    };

    // What anything but its own region reads.
    void find_results(const Patterns &patterns) {
        for (const ir::GraphOutput &output : graph_.outputs()) {
            nodes_[output.node].leaves = true;
        }
        for (ir::NodeId id = 0; id < graph_.size(); ++id) {
            for (const ir::NodeId operand : graph_[id].operands) {
                nodes_[operand].leaves =
                    nodes_[operand].leaves || (patterns.uses(id) != 0 && nodes_[operand].region != nodes_[id].region);
            }
        }
    }

    bool is_read_by(std::uint32_t region, ir::NodeId operand) const {
        return nodes_[operand].region != region && !graph_[operand].is_number();
    }

    // Without recursion: formulas are as deep as users write them.
    void make(ir::NodeId root) {
        stack_.push_back(root);
        while (!stack_.empty()) {
            const ir::NodeId id = stack_.back();
            if (nodes_[id].standing != none) {
                stack_.pop_back();
                continue;
            }
            const std::size_t before = stack_.size();
            const std::uint32_t region = nodes_[id].region;
            const auto push_missing = [&](ir::NodeId node) {
                for (const ir::NodeId operand : graph_[node].operands) {
                    if (nodes_[operand].standing == none && (region == none || is_read_by(region, operand))) {
                        stack_.push_back(operand);
                    }
                }
            };
            if (region == none) {
                push_missing(id);
            } else {
                std::for_each(regions_[region].begin(), regions_[region].end(), push_missing);
            }
            if (stack_.size() != before) {
                std::reverse(stack_.begin() + static_cast<std::ptrdiff_t>(before), stack_.end());
            } else if (region == none) {
                copy(id);
            } else {
                make_region(regions_[region]);
            }
        }
    }

    void copy(ir::NodeId id) {
        operands_.clear();
        bool changed = false;
        for (const ir::NodeId operand : graph_[id].operands) {
            operands_.push_back(nodes_[operand].standing);
            changed |= nodes_[operand].standing != operand;
        }
        nodes_[id].standing = changed ? graph_.with_operands(id, operands_) : id;
    }

    void make_region(const std::vector<ir::NodeId> &nodes) {
        const auto body = std::make_shared<ir::Graph>(graph_.beside());
        const std::uint32_t own = nodes_[nodes.front()].region;
        std::vector<ir::NodeId> read, results, operands;
        read.reserve(nodes.size() + 1);
        // Inputs come first, so that the numbers of the body's first nodes are those of the operands.
        for (const ir::NodeId id : nodes) {
            for (const ir::NodeId operand : graph_[id].operands) {
                if (is_read_by(own, operand) && nodes_[operand].in_body == none) {
                    nodes_[operand].in_body = static_cast<ir::NodeId>(read.size());
                    read.push_back(operand);
                }
            }
        }
        body->reserve(read.size() + 2 * nodes.size(), read.size());
        operands.reserve(read.size());
        for (const ir::NodeId operand : read) {
            const ir::Node &source = graph_[operand];
            body->input(body->add_input({std::to_string(operands.size()), *source.type, source.stage}));
            operands.push_back(nodes_[operand].standing);
        }
        for (const ir::NodeId id : nodes) {
            operands_.clear();
            for (const ir::NodeId operand : graph_[id].operands) {
                const ir::Node &source = graph_[operand];
                operands_.push_back(source.is_number() ? body->constant(source.number()) : nodes_[operand].in_body);
            }
            nodes_[id].in_body = body->add_like(graph_, id, operands_);
            if (nodes_[id].leaves) {
                body->add_output({"", nodes_[id].in_body});
                results.push_back(id);
            }
        }
        const auto forget = [&](ir::NodeId id) { nodes_[id].in_body = none; };
        std::for_each(read.begin(), read.end(), forget);
        std::for_each(nodes.begin(), nodes.end(), forget);
        const ir::Node first = graph_[results.front()];
        const ir::NodeId region = graph_.add(ir::Op::region, *first.type, operands, ir::Region{body}, first.span);
        nodes_[results.front()].standing = region;
        for (std::uint32_t i = 1; i < results.size(); ++i) {
            const ir::Node result = graph_[results[i]];
            nodes_[results[i]].standing =
                graph_.add(ir::Op::region_result, *result.type, {&region, 1}, ir::RegionResult{i}, result.span);
        }
        // Those that nothing else reads are gone; they count as done.
        for (const ir::NodeId id : nodes) {
            nodes_[id].standing = nodes_[id].standing == none ? region : nodes_[id].standing;
        }
    }

    ir::Graph &graph_;
    std::vector<std::vector<ir::NodeId>> regions_;
    std::vector<Own> nodes_;
    std::vector<ir::NodeId> stack_, operands_;
};

}  // namespace

void fuse_region(ir::Graph &graph, PassRun &run) {
    const Patterns patterns(graph, run);
    std::vector<std::vector<ir::NodeId>> regions = find_regions(patterns);
    if (!regions.empty()) {
        Maker(graph, patterns, std::move(regions)).run();
    }
}

}  // namespace tenrex::optimizer

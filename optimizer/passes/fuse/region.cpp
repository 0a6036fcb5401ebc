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
        : graph_(graph),
          regions_(std::move(regions)),
          region_of_(graph.size(), none),
          leaves_(graph.size(), false),
          standing_(graph.size(), none),
          in_body_(graph.size(), none) {
        for (std::uint32_t region = 0; region < regions_.size(); ++region) {
            for (const ir::NodeId id : regions_[region]) {
                region_of_[id] = region;
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
            graph_.redirect_output(i, standing_[graph_.outputs()[i].node]);
        }
    }

private:
    // What anything but its own region reads.
    void find_results(const Patterns &patterns) {
        for (const ir::GraphOutput &output : graph_.outputs()) {
            leaves_[output.node] = true;
        }
        for (ir::NodeId id = 0; id < graph_.size(); ++id) {
            for (const ir::NodeId operand : graph_[id].operands) {
                leaves_[operand] =
                    leaves_[operand] || (patterns.uses(id) != 0 && region_of_[operand] != region_of_[id]);
            }
        }
    }

    bool is_read_by(std::uint32_t region, ir::NodeId operand) const {
        return region_of_[operand] != region && !graph_[operand].is_number();
    }

    // Without recursion: formulas are as deep as users write them.
    void make(ir::NodeId root) {
        stack_.push_back(root);
        while (!stack_.empty()) {
            const ir::NodeId id = stack_.back();
            if (standing_[id] != none) {
                stack_.pop_back();
                continue;
            }
            const std::size_t before = stack_.size();
            const std::uint32_t region = region_of_[id];
            const auto push_missing = [&](ir::NodeId node) {
                for (const ir::NodeId operand : graph_[node].operands) {
                    if (standing_[operand] == none && (region == none || is_read_by(region, operand))) {
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
            operands_.push_back(standing_[operand]);
            changed |= standing_[operand] != operand;
        }
        standing_[id] = changed ? graph_.with_operands(id, operands_) : id;
    }

    void make_region(const std::vector<ir::NodeId> &nodes) {
        const auto body = std::make_shared<ir::Graph>();
        const std::uint32_t own = region_of_[nodes.front()];
        std::vector<ir::NodeId> read, results, operands;
        read.reserve(nodes.size() + 1);
        // Inputs come first, so that the numbers of the body's first nodes are those of the operands.
        for (const ir::NodeId id : nodes) {
            for (const ir::NodeId operand : graph_[id].operands) {
                if (is_read_by(own, operand) && in_body_[operand] == none) {
                    in_body_[operand] = static_cast<ir::NodeId>(read.size());
                    read.push_back(operand);
                }
            }
        }
        body->reserve(read.size() + 2 * nodes.size(), read.size());
        operands.reserve(read.size());
        for (const ir::NodeId operand : read) {
            const ir::Node &source = graph_[operand];
            body->input(body->add_input({std::to_string(operands.size()), *source.type, source.stage}));
            operands.push_back(standing_[operand]);
        }
        for (const ir::NodeId id : nodes) {
            const ir::Node &node = graph_[id];
            operands_.clear();
            for (const ir::NodeId operand : node.operands) {
                const ir::Node &source = graph_[operand];
                operands_.push_back(source.is_number() ? body->constant(source.number()) : in_body_[operand]);
            }
            in_body_[id] = body->add(node.op, *node.type, operands_, *node.payload, node.span);
            if (leaves_[id]) {
                body->add_output({"", in_body_[id]});
                results.push_back(id);
            }
        }
        const auto forget = [&](ir::NodeId id) { in_body_[id] = none; };
        std::for_each(read.begin(), read.end(), forget);
        std::for_each(nodes.begin(), nodes.end(), forget);
        const ir::Node first = graph_[results.front()];
        const ir::NodeId region = graph_.add(ir::Op::region, *first.type, operands, ir::Region{body}, first.span);
        standing_[results.front()] = region;
        for (std::uint32_t i = 1; i < results.size(); ++i) {
            const ir::Node result = graph_[results[i]];
            standing_[results[i]] =
                graph_.add(ir::Op::region_result, *result.type, {&region, 1}, ir::RegionResult{i}, result.span);
        }
        // Those that nothing else reads are gone; they count as done.
        for (const ir::NodeId id : nodes) {
            standing_[id] = standing_[id] == none ? region : standing_[id];
        }
    }

    ir::Graph &graph_;
    std::vector<std::vector<ir::NodeId>> regions_;
    std::vector<std::uint32_t> region_of_;  // by node, as the next ones
    std::vector<bool> leaves_;
    std::vector<ir::NodeId> standing_;
    std::vector<ir::NodeId> in_body_;  // of what the region that is made has read
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

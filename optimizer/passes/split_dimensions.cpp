// Peeks at every index of some dimensions, in their order, split them or join them: a reshape, of which no cell moves.
// Where that happened to each row of an open dimension, no row is left to be filled in.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "lib/ir/blocks.h"
#include "lib/ir/reshape.h"
#include "optimizer/known_vectors.h"
#include "optimizer/make_nodes.h"
#include "optimizer/passes/passes.h"
#include "optimizer/rewrite.h"

namespace tenrex::optimizer {

namespace {

// Parts of a peek whose indexes have dimensions in common, or single ones.
struct PartGroup {
    std::vector<std::size_t> parts;
    std::vector<Dimension> dimensions;  // of the indexes
    bool is_known = true;
};

class Splitting {
public:
    explicit Splitting(ir::Graph &graph) : graph_(graph), known_(graph) {}

    std::optional<ir::NodeId> of_peek(const ir::Node &node, std::span<const ir::NodeId> operands) {
        const std::vector<ir::PeekPart> &parts = node.as<ir::Peek>().parts;
        ir::NodeId source = operands[0];
        std::vector<bool> gone(parts.size());
        std::vector<ir::PeekPart> rest;
        for (const PartGroup &group : groups_of(parts, operands)) {
            if (std::optional<ir::Reshape> reshape = reshape_of(group, parts, operands)) {
                source = graph_.add(ir::Op::reshape, graph_[source].type->cell_type(), {&source, 1},
                                    *std::move(reshape), node.span);
                for (const std::size_t part : group.parts) {
                    gone[part] = true;
                }
            }
        }
        if (source == operands[0]) {
            return std::nullopt;
        }
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (!gone[i]) {
                rest.push_back(parts[i]);
            }
        }
        return rest.empty() ? add_cast(graph_, source, node.type->cell_type(), node.span)
                            : add_rest_of_peek(graph_, node, operands, source, std::move(rest));
    }

private:
    // Of the computed parts.
    std::vector<PartGroup> groups_of(const std::vector<ir::PeekPart> &parts, std::span<const ir::NodeId> operands) {
        const TensorType &source = *graph_[operands[0]].type;
        std::vector<PartGroup> groups;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (parts[i].computed == 0) {
                continue;
            }
            const TensorType &indexes = *graph_[operands[parts[i].computed]].type;
            PartGroup own{{i}, indexes.dimensions()};
            own.is_known = !indexes.has_mapped() &&
                           source.dimensions()[*source.find(parts[i].dimension)].is_indexed() &&
                           std::none_of(own.dimensions.begin(), own.dimensions.end(),
                                        [&](const Dimension &dimension) { return source.find(dimension.name); });
            for (auto other = groups.begin(); other != groups.end();) {
                if (have_common(own, *other)) {
                    join(own, *other);
                    other = groups.erase(other);
                } else {
                    ++other;
                }
            }
            groups.push_back(std::move(own));
        }
        return groups;
    }
    static bool have_common(const PartGroup &a, const PartGroup &b) {
        return std::any_of(a.dimensions.begin(), a.dimensions.end(), [&](const Dimension &dimension) {
            return std::find(b.dimensions.begin(), b.dimensions.end(), dimension) != b.dimensions.end();
        });
    }
    static void join(PartGroup &group, const PartGroup &other) {
        group.parts.insert(group.parts.begin(), other.parts.begin(), other.parts.end());
        for (const Dimension &dimension : other.dimensions) {
            if (std::find(group.dimensions.begin(), group.dimensions.end(), dimension) == group.dimensions.end()) {
                group.dimensions.push_back(dimension);
            }
        }
        group.is_known &= other.is_known;
    }

    // The index of a part for each of the `count` indexes of the group's dimensions, which a row-major type has in its
    // order. Empty: not all are known, or one does not exist.
    std::vector<std::uint64_t> indexes_of(ir::NodeId indexes, const std::vector<Dimension> &dimensions,
                                          std::size_t count, std::uint64_t size) {
        std::vector<std::uint64_t> found;
        const std::vector<double> *const cells = known_.of(indexes);
        if (cells == nullptr) {
            return found;
        }
        const CellPlaces places(dimensions, *graph_[indexes].type);
        found.reserve(count);
        for (std::size_t i = 0; i < count; ++i) {
            const double index = (*cells)[places.of(i)];  // truncated by the peek
            if (!(index > -1 && index < static_cast<double>(size))) {
                return {};
            }
            found.push_back(static_cast<std::uint64_t>(std::max(index, 0.0)));
        }
        return found;
    }

    std::optional<ir::Reshape> reshape_of(const PartGroup &group, const std::vector<ir::PeekPart> &parts,
                                          std::span<const ir::NodeId> operands) {
        constexpr std::size_t most_parts = 4;
        if (!group.is_known || group.dimensions.empty() || group.parts.size() > most_parts) {
            return std::nullopt;
        }
        if (group.parts.size() == 1 && group.dimensions.size() == 1) {  // a range, if it moves no cell
            return std::nullopt;
        }
        const TensorType &source = *graph_[operands[0]].type;
        std::vector<std::size_t> order = group.parts;
        std::vector<std::vector<std::uint64_t>> indexes(parts.size());
        std::vector<std::uint64_t> sizes(parts.size());
        constexpr std::size_t most = std::size_t{1} << 20;
        std::size_t cells = 1, places = 1;
        for (const std::size_t part : order) {
            sizes[part] = source.dimensions()[*source.find(parts[part].dimension)].size;
            cells *= sizes[part];
        }
        for (const Dimension &dimension : group.dimensions) {
            places *= dimension.size;
        }
        if (places != cells || places > most) {
            return std::nullopt;
        }
        for (const std::size_t part : order) {
            indexes[part] = indexes_of(operands[parts[part].computed], group.dimensions, places, sizes[part]);
            if (indexes[part].empty()) {
                return std::nullopt;
            }
        }
        std::sort(order.begin(), order.end());
        do {
            std::vector<std::uint64_t> linear(cells);
            for (const std::size_t part : order) {
                for (std::size_t i = 0; i < cells; ++i) {
                    linear[i] = linear[i] * sizes[part] + indexes[part][i];
                }
            }
            if (std::optional<std::vector<Dimension>> becomes = in_order(group.dimensions, linear)) {
                return reshape(order, parts, sizes, *std::move(becomes));
            }
        } while (std::next_permutation(order.begin(), order.end()));
        return std::nullopt;
    }

    // The dimensions in the order in which they count to these numbers, which then are 0, 1, 2 and so on.
    static std::optional<std::vector<Dimension>> in_order(const std::vector<Dimension> &dimensions,
                                                          const std::vector<std::uint64_t> &linear) {
        struct Step {
            Dimension dimension;
            std::size_t stride;   // among the numbers
            std::uint64_t moves;  // how far they go with each index
        };
        std::vector<Step> steps;
        std::size_t stride = linear.size();
        for (const Dimension &dimension : dimensions) {
            stride /= dimension.size;
            steps.push_back({dimension, stride, dimension.size == 1 ? linear.size() : linear[stride]});
        }
        std::stable_sort(steps.begin(), steps.end(), [](const Step &a, const Step &b) { return a.moves > b.moves; });
        std::vector<Dimension> ordered;
        ordered.reserve(steps.size());
        for (Step &step : steps) {
            ordered.push_back(std::move(step.dimension));
        }
        for (std::size_t i = 0; i < linear.size(); ++i) {
            std::size_t place = 0;
            for (std::size_t k = 0; k < steps.size(); ++k) {
                place = place * ordered[k].size + i / steps[k].stride % ordered[k].size;
            }
            if (linear[i] != place) {
                return std::nullopt;
            }
        }
        return ordered;
    }

    static std::optional<ir::Reshape> reshape(const std::vector<std::size_t> &order,
                                              const std::vector<ir::PeekPart> &parts,
                                              const std::vector<std::uint64_t> &sizes, std::vector<Dimension> becomes) {
        ir::Reshape result{{}, std::move(becomes)};
        std::vector<std::uint64_t> before;
        std::vector<std::uint64_t> after;
        for (const std::size_t part : order) {
            result.dimensions.push_back(parts[part].dimension);
            before.push_back(sizes[part]);
        }
        for (const Dimension &dimension : result.becomes) {
            after.push_back(dimension.size);
        }
        return ir::common_parts(before, after) ? std::optional(std::move(result)) : std::nullopt;
    }

    ir::Graph &graph_;
    KnownVectors known_;
};

}  // namespace

void split_dimensions(ir::Graph &graph, PassRun &run) {
    Splitting splitting(graph);
    ir::AddressOrigins addresses(graph);
    rewrite(graph, run.uses, [&](ir::NodeId id, std::span<const ir::NodeId> operands) -> std::optional<ir::NodeId> {
        const ir::Node node = graph[id];  // a copy: adding nodes moves them
        if (node.op == ir::Op::peek) {
            return splitting.of_peek(node, operands);
        }
        if (node.op == ir::Op::fill && addresses.is_filled(operands[0], operands[1])) {
            return operands[0];
        }
        return std::nullopt;
    });
}

}  // namespace tenrex::optimizer

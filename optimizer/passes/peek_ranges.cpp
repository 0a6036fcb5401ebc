// A generator that peeks at its own indexes, all of them or from some index on, takes a range: a slice whose dimension
// has another name. Where that happened to each block of a value, no block is left to be filled in.
#include <algorithm>
#include <string>
#include <vector>

#include "lib/ir/blocks.h"
#include "optimizer/known_vectors.h"
#include "optimizer/make_nodes.h"
#include "optimizer/passes/passes.h"
#include "optimizer/rewrite.h"

namespace tenrex::optimizer {

namespace {

// The first of the indexes that follow each other, if they do and all of them exist.
std::optional<std::uint64_t> range_begin(const std::vector<double> &indexes, std::uint64_t size) {
    const double first = indexes.front();
    if (!(first > -1 && first < static_cast<double>(size)) ||
        size - static_cast<std::uint64_t>(first) < indexes.size()) {
        return std::nullopt;
    }
    const auto begin = static_cast<std::int64_t>(first);
    for (std::size_t i = 0; i < indexes.size(); ++i) {
        const double index = indexes[i];  // truncated by the peek
        if (!(index > -1 && index < static_cast<double>(size)) ||
            static_cast<std::int64_t>(index) != begin + static_cast<std::int64_t>(i)) {
            return std::nullopt;
        }
    }
    return static_cast<std::uint64_t>(begin);
}

struct IndexRange {
    std::string dimension;
    std::string new_name;
    std::uint64_t begin, size;
};

class RangePeeks {
public:
    explicit RangePeeks(ir::Graph &graph) : graph_(graph), known_(graph) {}

    std::optional<ir::NodeId> of_peek(const ir::Node &node, std::span<const ir::NodeId> operands) {
        std::vector<IndexRange> ranges;
        std::vector<ir::PeekPart> others;
        for (const ir::PeekPart &part : node.as<ir::Peek>().parts) {
            if (auto range = range_of(part, operands)) {
                ranges.push_back(*std::move(range));
            } else {
                others.push_back(part);
            }
        }
        if (ranges.empty()) {
            return std::nullopt;
        }
        ir::NodeId source = operands[0];
        for (const IndexRange &range : ranges) {
            const TensorType &type = *graph_[source].type;
            if (type.dimensions()[*type.find(range.dimension)].size != range.size) {
                source = add_slice(graph_, source, range.dimension, range.begin, range.size, node.span);
            }
        }
        source = renamed(source, ranges, node.span);
        if (!others.empty()) {
            return add_rest_of_peek(graph_, node, operands, source, std::move(others));
        }
        return *graph_[source].type == *node.type ? source
                                                  : graph_.add(ir::Op::cast, *node.type, {&source, 1}, {}, node.span);
    }

private:
    std::optional<IndexRange> range_of(const ir::PeekPart &part, std::span<const ir::NodeId> operands) {
        if (part.computed == 0) {
            return std::nullopt;
        }
        const TensorType &source = *graph_[operands[0]].type;
        const Dimension &dimension = source.dimensions()[*source.find(part.dimension)];
        const TensorType &chooser = *graph_[operands[part.computed]].type;
        if (dimension.is_mapped() || chooser.dimensions().size() != 1 || source.find(chooser.dimensions()[0].name)) {
            return std::nullopt;
        }
        // Of two dimensions at one index, cells are taken across.
        const std::string &name = chooser.dimensions()[0].name;
        const auto readers = std::count_if(operands.begin() + 1, operands.end(), [&](ir::NodeId operand) {
            return graph_[operand].type->find(name).has_value();
        });
        const std::vector<double> *const indexes = readers == 1 ? known_.of(operands[part.computed]) : nullptr;
        if (indexes == nullptr) {
            return std::nullopt;
        }
        const auto begin = range_begin(*indexes, dimension.size);
        return begin ? std::optional(IndexRange{part.dimension, name, *begin, indexes->size()}) : std::nullopt;
    }

    ir::NodeId renamed(ir::NodeId source, const std::vector<IndexRange> &ranges, Span span) {
        ir::Rename rename;
        for (const IndexRange &range : ranges) {
            rename.from.push_back(range.dimension);
            rename.to.push_back(range.new_name);
        }
        return graph_.add(ir::Op::rename, graph_[source].type->cell_type(), {&source, 1}, std::move(rename), span);
    }

    ir::Graph &graph_;
    KnownVectors known_;
};

}  // namespace

void peek_ranges(ir::Graph &graph, PassRun &run) {
    RangePeeks ranges(graph);
    ir::AddressOrigins addresses(graph);
    rewrite(graph, run.uses, [&](ir::NodeId id, std::span<const ir::NodeId> operands) -> std::optional<ir::NodeId> {
        const ir::Node node = graph[id];  // a copy: adding nodes moves them
        if (node.op == ir::Op::peek) {
            return ranges.of_peek(node, operands);
        }
        if (node.op == ir::Op::fill && addresses.is_filled(operands[0], operands[1])) {
            return operands[0];
        }
        return std::nullopt;
    });
}

}  // namespace tenrex::optimizer

// What a plan reads of its document inputs, told by the graph: ranges, single cells and labels that are looked up.
#include <algorithm>

#include "lib/runtime/plan_content.h"

namespace tenrex {

namespace {

constexpr std::size_t all_blocks = 0;

DocumentRead all_of(const TensorType &type) {
    return {type.block_cells(), all_blocks};
}

// Of two readers of one value the one that reads more: what both read comes once.
DocumentRead more_of(const DocumentRead &a, const DocumentRead &b) {
    DocumentRead more = {std::max(a.cells, b.cells), std::max(a.blocks, b.blocks), false, a.joined || b.joined};
    const auto reads_all = [](const DocumentRead &read) { return read.blocks == all_blocks && !read.matching; };
    if (a.cells != 0 && b.cells != 0) {
        more.matching = !reads_all(a) && !reads_all(b) && (a.matching || b.matching);
        more.blocks = reads_all(a) || reads_all(b) || more.matching ? all_blocks : more.blocks;
        return more;
    }
    return a.cells != 0 ? a : b;
}

// Whether the labels of `value` must be found among those of `other`, which a query or constant brings.
bool joins_labels(const TensorType &value, const ir::Node &other) {
    return other.stage != Stage::document &&
           std::any_of(value.dimensions().begin(), value.dimensions().end(), [&](const Dimension &dimension) {
               return dimension.is_mapped() && other.type->find(dimension.name).has_value();
           });
}

// Whether a join of the two then only needs the blocks of `value` whose labels are found.
bool needs_matching(const TensorType &value, const ir::Node &other) {
    return joins_labels(value, other) &&
           std::all_of(value.dimensions().begin(), value.dimensions().end(), [&](const Dimension &dimension) {
               return dimension.is_indexed() || other.type->find(dimension.name).has_value();
           });
}

// No more cells of a source than are taken.
DocumentRead read_by_gather(const ir::Node &gather, const TensorType &value) {
    const bool is_source_of_cells = !value.has_mapped() && !gather.type->has_mapped();
    return is_source_of_cells ? DocumentRead{std::min(value.block_cells(), gather.type->block_cells()), all_blocks}
                              : all_of(value);
}

DocumentRead read_by_peek(const ir::Node &peek, const TensorType &value) {
    const std::size_t results = peek.type->block_cells();
    const std::vector<ir::PeekPart> &parts = peek.as<ir::Peek>().parts;
    const auto stays = [&](const Dimension &dimension) {
        return dimension.is_mapped() && std::none_of(parts.begin(), parts.end(), [&](const ir::PeekPart &part) {
                   return part.dimension == dimension.name;
               });
    };
    if (peek.type->has_mapped() || std::any_of(value.dimensions().begin(), value.dimensions().end(), stays)) {
        return all_of(value);
    }
    const std::size_t cells = std::min(value.block_cells(), results);
    return {cells, value.has_mapped() ? std::max<std::size_t>(results / cells, 1) : all_blocks};
}

bool joins(ir::Op op) {
    return ir::has_trait(op, ir::Trait::joins) || op == ir::Op::contract || op == ir::Op::row_extreme ||
           op == ir::Op::join_reduce;
}

// The cells and blocks of its operand of that number that a node reads, if so much is read of the node itself.
DocumentRead cells_read_by(const ir::Graph &graph, const ir::Node &node, std::size_t operand,
                           const DocumentRead &of_node) {
    const TensorType &value = *graph[node.operands[operand]].type;
    switch (node.op) {
        case ir::Op::cast:
        case ir::Op::rename:
        case ir::Op::slice:
            return of_node;
        case ir::Op::peek:
            return operand == 0 ? read_by_peek(node, value) : all_of(value);
        case ir::Op::gather:
            return operand < node.as<ir::Gather>().source_count() ? read_by_gather(node, value) : all_of(value);
        default:
            break;
    }
    const bool meets_labels = joins(node.op) && std::ranges::any_of(node.operands, [&](ir::NodeId other) {
                                  return other != node.operands[operand] && needs_matching(value, graph[other]);
                              });
    return {value.block_cells(), all_blocks, meets_labels};
}

// The same, and whether labels must be found: by the node, or by those that read what has the operand's labels.
DocumentRead read_by(const ir::Graph &graph, const ir::Node &node, std::size_t operand, const DocumentRead &of_node) {
    const TensorType &value = *graph[node.operands[operand]].type;
    DocumentRead read = cells_read_by(graph, node, operand, of_node);
    const bool joined_later = of_node.joined && value.has_mapped() && node.type->has_mapped();
    read.joined =
        joined_later ||
        ((joins(node.op) || node.op == ir::Op::merge) &&
         std::ranges::any_of(node.operands, [&](ir::NodeId other) { return joins_labels(value, graph[other]); }));
    return read;
}

}  // namespace

std::vector<DocumentRead> Plan::document_reads() const {
    const ir::Graph &graph = content_->graph;
    const std::vector<std::uint32_t> uses = graph.use_counts();
    std::vector<DocumentRead> reads(graph.size());
    for (const ir::GraphOutput &output : graph.outputs()) {
        reads[output.node] = all_of(*graph[output.node].type);
    }
    std::vector<DocumentRead> of_inputs(content_->document_inputs.size());
    for (auto id = static_cast<ir::NodeId>(graph.size()); id-- > 0;) {
        if (uses[id] == 0) {
            continue;
        }
        const ir::Node &node = graph[id];
        for (std::size_t i = 0; i < node.operands.size(); ++i) {
            DocumentRead &read = reads[node.operands[i]];
            read = more_of(read, read_by(graph, node, i, reads[id]));
        }
        if (node.op == ir::Op::input && node.stage == Stage::document) {
            const std::string &name = graph.inputs()[node.as<ir::Input>().index].name;
            for (std::size_t i = 0; i < of_inputs.size(); ++i) {
                if (content_->document_inputs[i].name == name) {
                    of_inputs[i] = reads[id];
                }
            }
        }
    }
    return of_inputs;
}

}  // namespace tenrex

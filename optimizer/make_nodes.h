// New nodes with the types that follow from their operands.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lib/ir/graph.h"

namespace tenrex::optimizer {

// The natural join of the operands, cell by cell.
ir::NodeId add_apply(ir::Graph &graph, ScalarFunction function, CellType cell_type, std::vector<ir::NodeId> operands,
                     Span span);
// The sum of a*b over dimensions that both have. In double if one of them is, or if that is asked for.
ir::NodeId add_contraction(ir::Graph &graph, ir::NodeId a, ir::NodeId b, std::vector<std::string> summed,
                           bool in_double, Span span);
// Indexes [begin, begin + size) of an indexed dimension.
ir::NodeId add_slice(ir::Graph &graph, ir::NodeId operand, const std::string &dimension, std::uint64_t begin,
                     std::uint64_t size, Span span);
// The cells at index 0 of indexed dimensions, which go.
ir::NodeId add_first_cells(ir::Graph &graph, ir::NodeId operand, const std::vector<std::string> &dimensions, Span span);
// What a peek gives of another value by some of its parts, with the operands that these have.
ir::NodeId add_rest_of_peek(ir::Graph &graph, const ir::Node &peek, std::span<const ir::NodeId> operands,
                            ir::NodeId source, std::vector<ir::PeekPart> parts);
// The operand itself if it has that cell type. A scalar keeps its own.
ir::NodeId add_cast(ir::Graph &graph, ir::NodeId operand, CellType cell_type, Span span);

// The dimensions of the natural join that are not among those named.
std::vector<Dimension> joined_without(const ir::Graph &graph, const std::vector<ir::NodeId> &operands,
                                      const std::vector<std::string> &without);
bool is_double(const ir::Graph &graph, ir::NodeId node);
bool contains(const std::vector<std::string> &names, const std::string &name);

}  // namespace tenrex::optimizer

#include "lib/lower/weights.h"

#include <algorithm>
#include <utility>

#include "lib/lower/operations.h"
#include "lib/types/block_layout.h"

namespace tenrex::lower {

namespace {

bool is_dense_constant(const ir::Node &node) {
    return node.op == ir::Op::constant && !node.is_number() && !node.type->has_mapped();
}

bool renames_constant(const ir::Graph &graph, const ir::Node &node) {
    return node.op == ir::Op::rename && is_dense_constant(graph[node.operands[0]]);
}

// Whether each cell of the other type is one of these, too.
bool holds_all(CellType type, CellType narrow) {
    return type == CellType::f64 || (type == CellType::f32 && narrow != CellType::f64);
}

// What the operand of a renaming calls these dimensions.
std::vector<std::string> names_before(const ir::Rename &rename, std::vector<std::string> names) {
    for (std::string &name : names) {
        const auto found = std::find(rename.to.begin(), rename.to.end(), name);
        if (found != rename.to.end()) {
            name = rename.from[static_cast<std::size_t>(found - rename.to.begin())];
        }
    }
    return names;
}

}  // namespace

std::vector<bool> without_weights(const ir::Graph &graph, std::vector<bool> needed) {
    std::vector<bool> is_read(graph.size(), false);
    for (const ir::GraphOutput &output : graph.outputs()) {
        is_read[output.node] = true;
    }
    for (auto id = static_cast<ir::NodeId>(graph.size()); id-- > 0;) {
        const ir::Node &node = graph[id];
        if (!needed[id] || node.op == ir::Op::pack_matrix || (!is_read[id] && renames_constant(graph, node))) {
            continue;
        }
        for (const ir::NodeId operand : node.operands) {
            is_read[operand] = true;
        }
    }
    for (ir::NodeId id = 0; id < graph.size(); ++id) {
        if (!is_read[id] && (is_dense_constant(graph[id]) || renames_constant(graph, graph[id]))) {
            needed[id] = false;
        }
    }
    return needed;
}

std::optional<Weights> weights_of(const Context &context, ir::NodeId b,
                                  const ir::ContractionDimensions::Group &dimensions,
                                  const kernels::MatmulKernel &kernel) {
    const ir::Graph &graph = context.graph();
    const CellType cell_type = graph[b].type->cell_type();
    if (context.is_needed(b) || (cell_type != kernel.type && !holds_all(kernel.type, cell_type))) {
        return std::nullopt;
    }
    const bool is_renamed = graph[b].op == ir::Op::rename;
    const ir::Node &constant = is_renamed ? graph[graph[b].operands[0]] : graph[b];
    const auto stride = [&](const std::vector<std::string> &names) {
        return common_stride(*constant.type, is_renamed ? names_before(graph[b].as<ir::Rename>(), names) : names);
    };
    const auto batch = stride(dimensions.batch);
    const auto k = stride(dimensions.summed);
    const auto n = stride(dimensions.columns);
    if (!batch || !k || !n) {
        return std::nullopt;
    }
    const TensorType &type = *graph[b].type;
    const auto *const convert = cell_type == kernel.type
                                    ? nullptr
                                    : kernels::choose_conversion(kernels::ConversionOperation::convert, cell_type,
                                                                 kernel.type, type.block_cells(), context.isa());
    return Weights{constant.as<ir::Constant>().value,
                   convert,
                   {cells_of(type, dimensions.batch), cells_of(type, dimensions.summed),
                    cells_of(type, dimensions.columns), *batch, *k, *n}};
}

void add_value(Context &context, ir::NodeId node) {
    const ir::Node &own = context.graph()[node];
    if (context.value(node).cells) {
        return;
    }
    if (own.op == ir::Op::rename) {
        add_value(context, own.operands[0]);
    }
    context.value(node) = own.op == ir::Op::rename ? lower_rename(context, own) : lower_constant(context, own);
}

}  // namespace tenrex::lower

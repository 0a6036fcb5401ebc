// Dimensions that are split or joined.
#include "lib/ir/reshape.h"

#include <algorithm>

#include "lib/lower/block_part.h"
#include "lib/lower/operations.h"
#include "lib/program/layout.h"
#include "lib/types/block_layout.h"

namespace tenrex::lower {

using namespace program;

namespace {

// A loop over a part of a dimension: how far cells are apart along it.
struct PartLoop {
    std::size_t size;
    std::ptrdiff_t stride;
};

// The parts of each dimension, in the order of all of them.
std::vector<std::vector<PartLoop>> loops_of(const TensorType &type, const std::vector<std::string> &names,
                                            const std::vector<std::uint64_t> &parts) {
    std::vector<std::vector<PartLoop>> loops;
    auto next = parts.begin();
    for (const std::string &name : names) {
        auto rest = static_cast<std::ptrdiff_t>(cells_of(type, {name}));
        const auto stride = static_cast<std::ptrdiff_t>(stride_of(type, name));
        std::vector<PartLoop> &own = loops.emplace_back();
        while (rest > 1) {
            rest /= static_cast<std::ptrdiff_t>(*next);
            own.push_back({*next++, rest * stride});
        }
    }
    return loops;
}

}  // namespace

Value lower_reshape(Context &context, const ir::Node &node) {
    const ir::NodeId operand = node.operands[0];
    const TensorType &from = context.type(operand);
    const auto &[gone, becomes] = node.as<ir::Reshape>();
    std::vector<std::uint64_t> sizes_before;
    sizes_before.reserve(gone.size());
    for (const std::string &name : gone) {
        sizes_before.push_back(cells_of(from, {name}));
    }
    std::vector<std::uint64_t> sizes;
    std::vector<std::string> names;
    for (const Dimension &dimension : becomes) {
        sizes.push_back(dimension.size);
        names.push_back(dimension.name);
    }
    const std::vector<std::uint64_t> parts = *ir::common_parts(sizes_before, sizes);
    std::vector<PartLoop> reads;
    for (const std::vector<PartLoop> &own : loops_of(from, gone, parts)) {
        reads.insert(reads.end(), own.begin(), own.end());
    }
    const std::vector<std::vector<PartLoop>> writes = loops_of(*node.type, names, parts);
    // What is written is gone through in its order, what is read in that of the parts.
    std::vector<std::size_t> first_part;
    for (std::size_t i = 0, part = 0; i < writes.size(); part += writes[i++].size()) {
        first_part.push_back(part);
    }
    CopyNest nest(byte_size(context.value(operand).cell_type), context.isa());
    for (const Dimension &dimension : node.type->dimensions()) {
        const auto place = std::find(names.begin(), names.end(), dimension.name);
        if (place != names.end()) {
            const auto i = static_cast<std::size_t>(place - names.begin());
            for (std::size_t part = 0; part < writes[i].size(); ++part) {
                nest.add(writes[i][part].size, writes[i][part].stride, reads[first_part[i] + part].stride);
            }
        } else if (dimension.is_indexed()) {
            nest.add(dimension.size, static_cast<std::ptrdiff_t>(stride_of(*node.type, dimension.name)),
                     static_cast<std::ptrdiff_t>(stride_of(from, dimension.name)));
        }
    }
    return part_of_block(context, operand, context.value(operand).index, node, std::move(nest), 0);
}

}  // namespace tenrex::lower

// Operations that move cells.
#include <algorithm>

#include "lib/plan/cell_steps.h"
#include "lib/plan/copy_steps.h"
#include "lib/plan/index_steps.h"
#include "lib/plan/lowering.h"
#include "lib/types/derived_type.h"

namespace tenrex::plan {

Value Lowering::part(ir::NodeId operand, IndexSlot index, const ir::Node &node, CopyNest nest, std::size_t first_cell) {
    const CellType cell_type = values_[operand].cell_type;
    const std::size_t first_byte = first_cell * byte_size(cell_type);
    const bool contiguous = nest.contiguous_bytes() == node.type->block_cells() * byte_size(cell_type);
    if (contiguous && node.type->block_cells() == type(operand).block_cells()) {
        Value same = values_[operand];
        same.index = index;
        if (!same.map) {
            same.cells_index = index;
        }
        return same;
    }
    const BlockUse from = own_use(operand, cell_type);
    if (contiguous && !index) {
        const CellsSlot view = new_cells(from.cells.stage);
        views_[view] = from.cells;
        shape(view.stage).infos.push_back({view.number, *node.type, cell_type});
        add_step<AliasStep>(view.stage, from.cells, first_byte, view);
        return {index, view, cell_type, {}, {}};
    }
    std::vector<CopyPart> parts;
    parts.push_back({from, std::move(nest), first_byte, 0});
    const Target to = target(std::max(from.cells.stage, index.stage), index, *node.type, cell_type);
    add_step<CopyStep>(to.cells.stage, std::move(parts), to);
    return written(to, cell_type);
}

Value Lowering::rename(const ir::Node &node) {
    const ir::NodeId operand = node.operands[0];
    const std::vector<std::string> &from = node.as<ir::Rename>().from;
    const std::vector<std::string> &to = node.as<ir::Rename>().to;
    const auto old_name = [&](const std::string &name) {
        const auto found = std::find(to.begin(), to.end(), name);
        return found == to.end() ? name : from[static_cast<std::size_t>(found - to.begin())];
    };
    std::vector<std::uint16_t> positions;
    CopyNest nest(byte_size(values_[operand].cell_type));
    for (const Dimension &dimension : node.type->dimensions()) {
        const std::string old = old_name(dimension.name);
        if (dimension.is_mapped()) {
            positions.push_back(label_position(type(operand), old));
        } else {
            nest.add(dimension.size, static_cast<std::ptrdiff_t>(stride_of(*node.type, dimension.name)),
                     static_cast<std::ptrdiff_t>(stride_of(type(operand), old)));
        }
    }
    IndexSlot index = values_[operand].index;
    if (!std::is_sorted(positions.begin(), positions.end())) {
        const IndexSlot permuted = new_index(index.stage);
        add_step<PermuteIndexStep>(index.stage, index, std::move(positions), permuted);
        index = permuted;
    }
    return part(operand, index, node, std::move(nest), 0);
}

Value Lowering::slice(const ir::Node &node) {
    const ir::NodeId operand = node.operands[0];
    const CellType cell_type = values_[operand].cell_type;
    CopyNest nest(byte_size(cell_type));
    for (const Dimension &dimension : node.type->dimensions()) {
        if (dimension.is_indexed()) {
            nest.add(dimension.size, static_cast<std::ptrdiff_t>(stride_of(*node.type, dimension.name)),
                     static_cast<std::ptrdiff_t>(stride_of(type(operand), dimension.name)));
        }
    }
    const ir::Slice &slice = node.as<ir::Slice>();
    const std::size_t first = slice.begin * stride_of(type(operand), slice.dimension);
    return part(operand, values_[operand].index, node, std::move(nest), first);
}

Value Lowering::concat(const ir::Node &node) {
    const std::string &along = node.as<ir::Concat>().dimension;
    const CellType cell_type = node.type->cell_type();
    const Joined joined = join(node.operands, node.stage);
    std::vector<CopyPart> parts;
    std::size_t first = 0;
    for (std::size_t i = 0; i < 2; ++i) {
        const TensorType &source = type(node.operands[i]);
        const auto found = source.find(along);
        const std::size_t size = found ? source.dimensions()[*found].size : 1;
        const CellType storage = cell_type;
        CopyNest nest(byte_size(storage));
        for (const Dimension &dimension : node.type->dimensions()) {
            if (dimension.is_indexed()) {
                nest.add(dimension.name == along ? size : dimension.size,
                         static_cast<std::ptrdiff_t>(stride_of(*node.type, dimension.name)),
                         static_cast<std::ptrdiff_t>(stride_of(source, dimension.name)));
            }
        }
        parts.push_back({use(node.operands[i], storage, joined.operands[i]), std::move(nest), 0,
                         first * stride_of(*node.type, along) * byte_size(storage)});
        first += size;
    }
    const Target to = target(node.stage, joined.index, *node.type, cell_type);
    add_step<CopyStep>(node.stage, std::move(parts), to);
    return written(to, cell_type);
}

Value Lowering::unpack_bits(const ir::Node &node) {
    const ir::NodeId operand = node.operands[0];
    const CellType cell_type = node.type->cell_type();
    const IndexedCells cells = in_order(operand, CellType::i8);
    const std::size_t length = type(operand).block_cells();
    const BlockUse from{cells.cells, cells.index ? BlockAccess::same : BlockAccess::dense, {}, length};
    const auto operation = node.as<ir::UnpackBits>().lowest_first ? kernels::ConversionOperation::unpack_bits_little
                                                                  : kernels::ConversionOperation::unpack_bits_big;
    // To float if no kernel writes the cell type itself.
    const kernels::ConversionKernel *kernel =
        kernels::choose_conversion(operation, CellType::i8, cell_type, length, isa_);
    const CellType unpacked = kernel != nullptr ? cell_type : CellType::f32;
    if (kernel == nullptr) {
        kernel = kernels::choose_conversion(operation, CellType::i8, unpacked, length, isa_);
    }
    const Target to = target(node.stage, cells.index, *node.type, unpacked);
    add_step<ConvertStep>(node.stage, from, length, kernel, to);
    return converted(written(to, unpacked), *node.type, cell_type);
}

Value Lowering::pack(const ir::Node &node) {
    const ir::Pack &pack = node.as<ir::Pack>();
    const CellType cell_type = node.type->cell_type();
    const TensorType &value_type = type(node.operands[0]);
    const Joined joined = join(node.operands, node.stage);

    // The literal's own dimensions are those that its values lack.
    std::vector<PackStep::ResultLabel> labels;
    std::vector<Dimension> own;
    std::uint16_t known = 0, joint = 0;
    for (const Dimension &dimension : node.type->dimensions()) {
        const bool of_values = value_type.find(dimension.name).has_value();
        if (dimension.is_mapped()) {
            labels.push_back({!of_values, of_values ? joint++ : known++});
        }
        if (!of_values) {
            own.push_back(dimension);
        }
    }
    const TensorType own_type = known_type(cell_type, own);
    std::vector<std::vector<Label>> addresses;
    if (known != 0) {
        for (const std::vector<std::string> &address : pack.addresses) {
            std::vector<Label> &interned = addresses.emplace_back();
            for (const std::string &label : address) {
                interned.push_back(plan_.own_labels.hold(label));
            }
        }
    }
    std::vector<PackStep::Place> places;
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
        // The cell's index within the literal's own block, taken apart and put together within the result's.
        std::size_t rest = pack.cells[i].index;
        std::size_t cell = 0;
        for (const Dimension &dimension : own) {
            if (dimension.is_indexed()) {
                const std::size_t stride = stride_of(own_type, dimension.name);
                cell += rest / stride * stride_of(*node.type, dimension.name);
                rest %= stride;
            }
        }
        CopyNest nest(byte_size(cell_type));
        for (const Dimension &dimension : value_type.dimensions()) {
            if (dimension.is_indexed()) {
                nest.add(dimension.size, static_cast<std::ptrdiff_t>(stride_of(*node.type, dimension.name)),
                         static_cast<std::ptrdiff_t>(stride_of(value_type, dimension.name)));
            }
        }
        places.push_back({use(node.operands[i], cell_type, joined.operands[i]), std::move(nest), pack.cells[i].block,
                          cell * byte_size(cell_type)});
    }
    const IndexSlot index = addresses.empty() ? joined.index : new_index(node.stage);
    const Target to = target(node.stage, index, *node.type, cell_type);
    add_step<PackStep>(node.stage, joined.index, value_type.mapped_count(), std::move(places), std::move(addresses),
                       std::move(labels), to);
    return written(to, cell_type);
}

}  // namespace tenrex::plan

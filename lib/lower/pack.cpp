// A tensor of scalars, or of values that go under labels.
#include "lib/lower/operations.h"
#include "lib/program/layout.h"
#include "lib/program/move/pack_step.h"
#include "lib/types/block_layout.h"
#include "lib/types/derived_type.h"

namespace tenrex::lower {

using namespace program;

Value lower_pack(Context &context, const ir::Node &node) {
    const ir::Pack &pack = node.as<ir::Pack>();
    const CellType cell_type = node.type->cell_type();
    const TensorType &value_type = context.type(node.operands[0]);
    const Joined joined = context.addresses().join(node.operands, node.stage);

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
                interned.push_back(context.plan().own_labels.hold(label));
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
        CopyNest nest(byte_size(cell_type), context.isa());
        for (const Dimension &dimension : value_type.dimensions()) {
            if (dimension.is_indexed()) {
                nest.add(dimension.size, static_cast<std::ptrdiff_t>(stride_of(*node.type, dimension.name)),
                         static_cast<std::ptrdiff_t>(stride_of(value_type, dimension.name)));
            }
        }
        places.push_back({context.use(node.operands[i], cell_type, joined.operands[i]), std::move(nest),
                          pack.cells[i].block, cell * byte_size(cell_type)});
    }
    const IndexSlot index = addresses.empty() ? joined.index : context.new_index(node.stage);
    const Target to = context.target(node.stage, index, *node.type, cell_type);
    context.add_step<PackStep>(node.stage, joined.index, value_type.mapped_count(), std::move(places),
                               std::move(addresses), std::move(labels), to);
    return context.written(to, cell_type);
}

}  // namespace tenrex::lower

// A function of the user, cell by cell.
#include "lib/lower/elementwise.h"
#include "lib/lower/operations.h"
#include "lib/program/dense/user_step.h"

namespace tenrex::lower {

using namespace program;

Value lower_user(Context &context, const ir::Node &node) {
    const std::vector<Operand> operands = context.operands(node.operands);
    const Joined joined = context.addresses().join(operands, node.stage);
    std::vector<BlockUse> uses;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        uses.push_back(context.use(operands[i], CellType::f64, joined.operands[i]));
    }
    auto nest = joined_nest<1 + UserStep::most_operands>(*node.type, operands);
    const Target to = context.target(node.stage, joined.index, *node.type, CellType::f64);
    context.add_step<UserStep>(node.stage, node.as<ir::User>().function, std::move(uses), std::move(nest), to);
    return context.converted(context.written(to, CellType::f64), *node.type, node.type->cell_type());
}

}  // namespace tenrex::lower

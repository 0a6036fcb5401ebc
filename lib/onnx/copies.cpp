#include "lib/onnx/copies.h"

#include <utility>

namespace tenrex::onnx {

bool import_before_copies(const Operator &rule, NodeContext &context) {
    std::optional<Shape> shape = Shape();
    std::vector<const Value *> inputs(context.inputs());
    bool has_copies = false;
    for (std::size_t i = 0; i < context.inputs() && shape; ++i) {
        if (context.has_input(i)) {
            const Value &input = context.input(i);
            inputs[i] = input.copied ? input.copied.get() : &input;
            has_copies |= input.copied != nullptr;
            shape = broadcast(*shape, input.shape);
        }
    }
    if (!shape || !has_copies) {
        return rule.import(context);
    }
    context.set_inputs(std::move(inputs));
    if (!rule.import(context)) {
        return false;
    }
    std::vector<Value> results = std::exchange(context.results(), {});
    for (Value &result : results) {
        const bool is_whole = result.shape == *shape || result.text.empty();
        if (!(is_whole ? context.output_value(std::move(result)) : context.output_copies(result, *shape))) {
            return false;
        }
    }
    return true;
}

}  // namespace tenrex::onnx

// What holds for a network that was imported from any bytes.
#pragma once

#include <string>
#include <vector>

#include <tenrex/expression.h>
#include <tenrex/onnx.h>
#include <tenrex/plan.h>

#include "tests/fuzz/fuzz_target.h"

namespace tenrex::fuzz {

// A value of the type with two indexes in open dimensions, and a third of the numbers that are near 0.
inline Tensor some_value(const TensorType &type) {
    std::vector<Dimension> dimensions = type.dimensions();
    for (Dimension &dimension : dimensions) {
        dimension = dimension.is_open() ? Dimension::indexed(dimension.name, 2) : dimension;
    }
    TensorBuilder builder(*TensorType::make(type.cell_type(), std::move(dimensions)));
    for (std::size_t i = 0; i < builder.type().block_cells(); ++i) {
        builder.set(0, i, static_cast<double>(i % 3) - 1);
    }
    return std::move(builder).build();
}

inline void check_imported(const OnnxModel &model, const Limits &limits) {
    Schema schema;
    std::vector<NamedTensor> inputs;
    for (const OnnxModel::Port &input : model.inputs()) {
        if (input.symbol.empty()) {
            return;  // nothing can be declared by that name
        }
        schema.document(input.symbol, input.type);
        inputs.emplace_back(input.symbol, some_value(input.type));
    }
    model.add_to(schema);
    ExpressionOptions options;
    options.limits = limits;
    for (const OnnxModel::Port &output : model.outputs()) {
        const auto expression = Expression::parse(output.symbol, schema, options);
        if (!expression) {  // two outputs or inputs of one name, or a name that is no symbol
            require(!expression.error().render().empty(), "an error renders");
            continue;
        }
        if (const auto value = expression->evaluate_reference(inputs); !value) {
            require(!value.error().message().empty(), "an error has a message");
        }
        if (const auto plan = compile(*expression); !plan) {
            require(!plan.error().message().empty(), "an error has a message");
        }
    }
}

}  // namespace tenrex::fuzz

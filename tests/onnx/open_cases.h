// Small models over an input whose length comes with the values.
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>
#include <tenrex/onnx.h>
#include <tenrex/tenrex.h>

#include "tests/onnx/evaluated.h"
#include "tests/onnx/model_writer.h"

namespace tenrex::onnx {

// What an operator makes of x = 0, 1, 2, ... of three and of one token, by both evaluators.
struct Case {
    std::string name;
    std::vector<std::string> nodes;
    std::vector<std::string> initializers;
    std::string expected;  // of three tokens
};

inline std::string value_of(const Case &one, std::size_t length, bool compiled) {
    const ModelParts parts{
        one.nodes, one.initializers, {port("x", {"batch", "sequence", "2"})}, {port("out", {"batch"})}};
    const auto model = OnnxModel::read(onnx::model(parts), {.name = "m"});
    if (!model) {
        return model.error().render();
    }
    std::string cells;
    for (std::size_t i = 0; i < length; ++i) {
        cells += fmt::format("{}[{},{}]", i == 0 ? "" : ",", 2 * i, 2 * i + 1);
    }
    const auto x = from_literal(fmt::format("tensor<float>(d0[1],d1[{}],d2[2]):[[{}]]", length, cells),
                                *TensorType::parse("tensor<float>(d0[1],d1[],d2[2])"));
    const auto expression = Expression::parse("onnx(m)", schema_with(*model));
    if (!expression) {
        return expression.error().render();
    }
    if (compiled) {
        const auto plan = compile(*expression);
        const auto values = plan ? evaluated(*plan, {{{"x", *x}}}) : Result<std::vector<Tensor>>(plan.error());
        return values ? to_literal(values->front()) : values.error().render();
    }
    const auto value = expression->evaluate_reference({{"x", *x}});
    return value ? to_literal(*value) : value.error().render();
}

}  // namespace tenrex::onnx

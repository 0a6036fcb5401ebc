// Writes nodes with trees, and evaluates what was read of them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <tenrex/expression.h>
#include <tenrex/onnx.h>

#include "tests/onnx/model_writer.h"

namespace tenrex::onnx {

inline std::string integers(std::string_view name, const std::vector<std::int64_t> &values) {
    std::string bytes = bytes_field(1, name);
    for (const std::int64_t value : values) {
        bytes += number_field(8, static_cast<std::uint64_t>(value));
    }
    return bytes + number_field(20, 7);
}

inline std::string floats(std::string_view name, const std::vector<float> &values) {
    return bytes_field(1, name) +
           bytes_field(7, {reinterpret_cast<const char *>(values.data()), values.size() * sizeof(float)}) +
           number_field(20, 6);
}

inline std::string texts(std::string_view name, const std::vector<std::string> &values) {
    std::string bytes = bytes_field(1, name);
    for (const std::string &value : values) {
        bytes += bytes_field(9, value);
    }
    return bytes + number_field(20, 8);
}

inline std::string text(std::string_view name, std::string_view value) {
    return bytes_field(1, name) + bytes_field(4, value) + number_field(20, 3);
}

inline std::string file(const std::string &node) {
    return model({{node}, {}, {value_info("x", {0, 2})}, {value_info("y", {0, 1})}, 17});
}

inline std::vector<double> values_of(const Forest &forest, const std::vector<double> &row, const char *expression) {
    Schema schema;
    std::vector<NamedTensor> inputs;
    for (std::size_t i = 0; i < row.size(); ++i) {
        schema.document("f" + std::to_string(i));
        inputs.emplace_back("f" + std::to_string(i), Tensor(row[i]));
    }
    schema.forest("m", forest);
    const auto parsed = Expression::parse(expression, schema);
    if (!parsed) {
        ADD_FAILURE() << parsed.error().render();
        return {};
    }
    const auto value = parsed->evaluate_reference(inputs);
    if (!value) {
        ADD_FAILURE() << value.error().render();
        return {};
    }
    std::vector<double> cells;
    for (std::size_t i = 0; i < value->type().block_cells(); ++i) {
        cells.push_back(value->cell(i));
    }
    return cells;
}

}  // namespace tenrex::onnx

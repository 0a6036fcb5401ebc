// Tensor functions and aggregators as enumerations with their facts, from the .def files beside this one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tenrex {

enum class TensorFunction : std::uint8_t {
#define TENREX_TENSOR_FUNCTION(id, name, form, signature, summary, example) id,
#include "lib/syntax/tensor_functions.def"
};

enum class TensorFunctionForm : std::uint8_t { primitive, surface };

struct TensorFunctionInfo {
    TensorFunction id;
    std::string_view name;
    TensorFunctionForm form;
    std::string_view signature;
    std::string_view summary;
    std::string_view example;
};

inline constexpr TensorFunctionInfo tensor_function_table[] = {
#define TENREX_TENSOR_FUNCTION(id, name, form, signature, summary, example) \
    {TensorFunction::id, name, TensorFunctionForm::form, signature, summary, example},
#include "lib/syntax/tensor_functions.def"
};

constexpr const TensorFunctionInfo &info(TensorFunction function) noexcept {
    return tensor_function_table[static_cast<std::size_t>(function)];
}

constexpr std::optional<TensorFunction> tensor_function_from_name(std::string_view name) noexcept {
    for (const TensorFunctionInfo &entry : tensor_function_table) {
        if (entry.name == name) {
            return entry.id;
        }
    }
    return std::nullopt;
}

enum class Aggregator : std::uint8_t {
#define TENREX_AGGREGATOR(id, name, summary) id,
#include "lib/syntax/aggregators.def"
};

struct AggregatorInfo {
    Aggregator id;
    std::string_view name;
    std::string_view summary;
};

inline constexpr AggregatorInfo aggregator_table[] = {
#define TENREX_AGGREGATOR(id, name, summary) {Aggregator::id, name, summary},
#include "lib/syntax/aggregators.def"
};

constexpr const AggregatorInfo &info(Aggregator aggregator) noexcept {
    return aggregator_table[static_cast<std::size_t>(aggregator)];
}

constexpr std::optional<Aggregator> aggregator_from_name(std::string_view name) noexcept {
    for (const AggregatorInfo &entry : aggregator_table) {
        if (entry.name == name) {
            return entry.id;
        }
    }
    return std::nullopt;
}

}  // namespace tenrex

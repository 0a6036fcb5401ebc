// How the products of a network with its weights are computed.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tenrex {

// f32: as the model says. bf16: weights and what they are multiplied with are rounded to bfloat16, sums are float.
// int8: both are rounded to whole numbers from -127 to 127, weights with a scale for each column, what they are
// multiplied with with a scale for each row, so that what is computed of a document depends on that document alone; the
// sums are exact.
enum class ModelPrecision : std::uint8_t { f32, bf16, int8 };

// "f32", "bf16", "int8"
constexpr std::string_view name(ModelPrecision precision) noexcept {
    return precision == ModelPrecision::f32 ? "f32" : precision == ModelPrecision::bf16 ? "bf16" : "int8";
}

// Nothing: no precision has that name.
constexpr std::optional<ModelPrecision> precision_from_name(std::string_view text) noexcept {
    for (const ModelPrecision precision : {ModelPrecision::f32, ModelPrecision::bf16, ModelPrecision::int8}) {
        if (text == name(precision)) {
            return precision;
        }
    }
    return std::nullopt;
}

}  // namespace tenrex

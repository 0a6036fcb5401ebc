// Cell types: what one cell of a tensor is stored as.
//
//   tenrex::CellType t = tenrex::CellType::bf16;
//   tenrex::name(t);        // "bfloat16"
//   tenrex::byte_size(t);   // 2
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace tenrex {

// A bfloat16 number: the upper 16 bits of an IEEE float.
struct BFloat16 {
    std::uint16_t bits = 0;

    constexpr BFloat16() = default;
    // Truncates: the lower 16 bits are dropped without rounding. A NaN stays a NaN.
    constexpr explicit BFloat16(float value) noexcept
        : bits(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16)) {
        if (value != value) {
            bits |= 0x40;  // a NaN whose payload was in the lower half would become an infinity
        }
    }
    constexpr operator float() const noexcept { return std::bit_cast<float>(std::uint32_t{bits} << 16); }
};

enum class CellType : std::uint8_t {
#define TENREX_CELL_TYPE(id, name, storage, wire) id,
#include <tenrex/cell_types.def>
#undef TENREX_CELL_TYPE
};

inline constexpr CellType all_cell_types[] = {
#define TENREX_CELL_TYPE(id, name, storage, wire) CellType::id,
#include <tenrex/cell_types.def>
#undef TENREX_CELL_TYPE
};

// The name used in type specifications: "double", "float", "bfloat16", "int8".
constexpr std::string_view name(CellType type) noexcept {
    constexpr std::string_view names[] = {
#define TENREX_CELL_TYPE(id, name, storage, wire) name,
#include <tenrex/cell_types.def>
#undef TENREX_CELL_TYPE
    };
    return names[static_cast<std::size_t>(type)];
}

// The cell type of that name, or nothing.
constexpr std::optional<CellType> cell_type_from_name(std::string_view text) noexcept {
    for (CellType type : all_cell_types) {
        if (name(type) == text) {
            return type;
        }
    }
    return std::nullopt;
}

// Calls visitor(T{}) with the storage type T of `type` and returns what it returns.
template <class Visitor>
constexpr decltype(auto) visit_cell_type(CellType type, Visitor &&visitor) {
    switch (type) {
#define TENREX_CELL_TYPE(id, name, storage, wire) \
    case CellType::id:                            \
        return std::forward<Visitor>(visitor)(storage{});
#include <tenrex/cell_types.def>
#undef TENREX_CELL_TYPE
    }
    __builtin_unreachable();
}

constexpr std::size_t byte_size(CellType type) noexcept {
    return visit_cell_type(type, [](auto cell) { return sizeof(cell); });
}

// The cell type that arithmetic gives: double stays double, everything else becomes float.
constexpr CellType decay(CellType type) noexcept {
    return type == CellType::f64 ? CellType::f64 : CellType::f32;
}

// Converts a number to storage type T: float rounds to nearest, bfloat16 truncates, int8 truncates towards zero and
// wraps modulo 256 (out of the int32 range it saturates there first; NaN gives 0).
template <class T>
constexpr T to_cell(double value) noexcept {
    if constexpr (sizeof(T) == 1) {
        if (!(value > -2147483648.0)) {
            return T{0};  // NaN, or the low byte of the smallest int32
        }
        const std::int32_t whole = value >= 2147483647.0 ? 2147483647 : static_cast<std::int32_t>(value);
        return static_cast<T>(static_cast<std::uint8_t>(whole & 0xff));
    } else if constexpr (sizeof(T) == 2) {
        return T(static_cast<float>(value));
    } else {
        return static_cast<T>(value);
    }
}

}  // namespace tenrex

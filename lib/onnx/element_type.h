// The element types of ONNX and the cells that hold their values: a table, element_types.def.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <tenrex/cell_type.h>

namespace tenrex::onnx {

enum class ElementType : std::uint8_t {
#define TENREX_ELEMENT_TYPE(id, number, name, bytes, stored, cell_type, kind) id,
#include "lib/onnx/element_types.def"
};

enum class ElementKind : std::uint8_t { real, integer, boolean, other };

struct ElementTypeInfo {
    ElementType type;
    std::int64_t number;  // in files
    std::string_view name;
    std::size_t bytes;  // of an element in raw data
    CellType cell_type;
    ElementKind kind;
    // The number that the bytes of an element are, or an integer in a list: small elements stand there as the integers
    // that their bits are.
    double (*from_bytes)(const char *bytes) noexcept;
    double (*from_integer)(std::int64_t integer) noexcept;
};

const ElementTypeInfo &info(ElementType type) noexcept;
// Nothing: no type has that number.
std::optional<ElementType> element_type_from_number(std::int64_t number) noexcept;

// Those that are not negative.
constexpr bool is_unsigned(ElementType type) noexcept {
    return type == ElementType::u8 || type == ElementType::u16 || type == ElementType::u32 || type == ElementType::u64;
}

}  // namespace tenrex::onnx

#include "lib/onnx/element_type.h"

namespace tenrex::onnx {

namespace {

constexpr ElementTypeInfo element_type_table[] = {
#define TENREX_ELEMENT_TYPE(id, number, name, bytes, cell_type, kind) \
    {ElementType::id, number, name, bytes, CellType::cell_type, ElementKind::kind},
#include "lib/onnx/element_types.def"
};

}  // namespace

const ElementTypeInfo &info(ElementType type) noexcept {
    return element_type_table[static_cast<std::size_t>(type)];
}

std::optional<ElementType> element_type_from_number(std::int64_t number) noexcept {
    for (const ElementTypeInfo &row : element_type_table) {
        if (row.number == number) {
            return row.type;
        }
    }
    return std::nullopt;
}

}  // namespace tenrex::onnx

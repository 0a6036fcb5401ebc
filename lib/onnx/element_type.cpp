#include "lib/onnx/element_type.h"

#include <bit>
#include <cstring>
#include <type_traits>

namespace tenrex::onnx {

namespace {

static_assert(std::endian::native == std::endian::little, "elements in files are little endian");

struct Half {
    std::uint16_t bits;
};
struct BFloat16 {
    std::uint16_t bits;
};
// Texts and complex numbers, which are never read.
struct NoNumber {
    std::uint16_t bits;
};

template <class Number>
double as_number(Number number) noexcept {
    return static_cast<double>(number);
}

double as_number(Half half) noexcept {
    const std::uint32_t sign = static_cast<std::uint32_t>(half.bits & 0x8000U) << 16;
    const std::uint32_t exponent = (half.bits >> 10) & 0x1fU;
    const std::uint32_t fraction = half.bits & 0x3ffU;
    if (exponent == 0) {  // zero or denormal: fraction * 2^-24
        const float magnitude = static_cast<float>(fraction) * 0x1p-24F;
        return sign == 0 ? magnitude : -magnitude;
    }
    const std::uint32_t widened = exponent == 0x1f ? 0xffU : exponent + 112;
    return std::bit_cast<float>(sign | widened << 23 | fraction << 13);
}

double as_number(BFloat16 number) noexcept {
    return std::bit_cast<float>(static_cast<std::uint32_t>(number.bits) << 16);
}

double as_number(NoNumber) noexcept {
    return 0;
}

template <class Stored>
double number_from_bytes(const char *bytes) noexcept {
    Stored stored;
    std::memcpy(&stored, bytes, sizeof(Stored));
    return as_number(stored);
}

template <class Stored>
double number_from_integer(std::int64_t integer) noexcept {
    if constexpr (std::is_arithmetic_v<Stored>) {
        return as_number(static_cast<Stored>(integer));
    } else {
        return as_number(Stored{static_cast<std::uint16_t>(integer)});
    }
}

constexpr ElementTypeInfo element_type_table[] = {
#define TENREX_ELEMENT_TYPE(id, number, name, bytes, stored, cell_type, kind) \
    {ElementType::id,                                                         \
     number,                                                                  \
     name,                                                                    \
     bytes,                                                                   \
     CellType::cell_type,                                                     \
     ElementKind::kind,                                                       \
     number_from_bytes<stored>,                                               \
     number_from_integer<stored>},
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

// Operators on the bits of whole numbers. Of 64 bits those count that a double holds.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "lib/onnx/operators.h"

namespace tenrex::onnx {

namespace {

int bits_of(ElementType type) noexcept {
    return static_cast<int>(8 * info(type).bytes);
}

// `form` has the operands as {0} and {1}, and the bits that both have as {2}.
bool import_of_common_bits(NodeContext &context, std::string_view form) {
    const Value &a = context.input(0);
    const Value &b = context.input(1);
    const auto shape = broadcast(a.shape, b.shape);
    if (!shape || info(a.type).kind != ElementKind::integer) {
        return context.fail(fmt::format("inputs of shapes {} and {} are no whole numbers that fit each other",
                                        context.text_of(a.shape), context.text_of(b.shape)));
    }
    constexpr int exact = 53;  // and one for the sign
    const bool is_signed = !is_unsigned(a.type);
    const int bits = std::min(bits_of(a.type), exact + (is_signed ? 1 : 0));
    const std::string values[] = {aligned(a, *shape), aligned(b, *shape)};
    const auto bit_of = [&](const std::string &value) {
        return fmt::format("join({},tensor(bit[{}])(bit),f(x,i)(floor(ldexp(x,-i))-2*floor(ldexp(x,-i-1))))", value,
                           bits);
    };
    // A negative number has all the bits above those of its own, as floor has them.
    const std::string common =
        fmt::format("reduce({}*{}*tensor(bit[{}])({}ldexp(1,bit)),sum,bit)", bit_of(values[0]), bit_of(values[1]), bits,
                    is_signed ? fmt::format("if(bit=={},-1,1)*", bits - 1) : "");
    return context.output(a.type, *shape, fmt::format(fmt::runtime(form), values[0], values[1], common));
}

}  // namespace

// Bits that are shifted out are gone; of as many as the type has, or of a negative number, all are.
bool import_bit_shift(NodeContext &context) {
    const Value &x = context.input(0);
    const auto shape = broadcast(x.shape, context.input(1).shape);
    if (!shape) {
        return context.fail(fmt::format("the shapes of its inputs, {} and {}, cannot be broadcast to each other",
                                        context.text_of(x.shape), context.text_of(context.input(1).shape)));
    }
    const int bits = bits_of(x.type);
    const bool left = context.text("direction", "") == "LEFT";
    const std::string shifted = !left       ? "floor(ldexp(x,-y))"
                                : bits < 64 ? wrapped(x.type, "ldexp(x,y)")
                                            : fmt::format("fmod(ldexp(x,y),{})", std::ldexp(1.0, bits));
    return context.output(x.type, *shape,
                          fmt::format("join({},{},f(x,y)(if(y<0||y>={},{},{})))", aligned(x, *shape),
                                      aligned(context.input(1), *shape), bits, left ? "0" : "if(x<0,-1,0)", shifted));
}

bool import_bitwise_and(NodeContext &context) {
    return import_of_common_bits(context, "{2}");
}

bool import_bitwise_or(NodeContext &context) {
    return import_of_common_bits(context, "({0}+{1}-{2})");
}

bool import_bitwise_xor(NodeContext &context) {
    return import_of_common_bits(context, "({0}+{1}-2*{2})");
}

bool import_bitwise_not(NodeContext &context) {
    const Value &x = context.input(0);
    const std::string largest = is_unsigned(x.type) ? number_text(std::ldexp(1.0, bits_of(x.type)) - 1) : "-1";
    return context.output(x.type, x.shape, fmt::format("({}-{})", largest, x.text));
}

}  // namespace tenrex::onnx

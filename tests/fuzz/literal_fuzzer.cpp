// Any text as a literal, alone and of a known type (type NUL literal), and as hex: a value or an error; a value's text
// gives the value back.
#include <string>

#include <tenrex/formats.h>

#include "tests/fuzz/fuzz_target.h"

namespace tenrex::fuzz {

namespace {

void check(const Result<Tensor> &tensor) {
    if (!tensor) {
        require(!tensor.error().render().empty(), "an error renders");
        return;
    }
    for (const LiteralStyle style : {LiteralStyle::shortest, LiteralStyle::verbose}) {
        const std::string text = to_literal(*tensor, style);
        const Result<Tensor> again = from_literal(text);
        require(again.has_value(), "a written literal can be read: " + text);
        require(*again == *tensor, "a written literal means the same: " + text);
    }
}

}  // namespace

void run(std::string_view bytes) {
    const Limits limits = small_limits();
    check(from_literal(bytes, limits));
    const ExpressionBytes parts = split(bytes);
    if (const Result<TensorType> type = TensorType::parse(parts.expression, limits); type && !parts.inputs.empty()) {
        check(from_literal(parts.inputs[0].first, *type, limits));
        check(from_hex(parts.inputs[0].second, *type, limits));
    }
}

}  // namespace tenrex::fuzz

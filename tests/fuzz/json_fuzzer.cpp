// Any text as JSON, alone and of a known type (type NUL json NUL): a value or an error; a value's JSON gives the value
// back in every form.
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
    using Form = JsonOptions::Form;
    for (const Form form : {Form::shortest, Form::cells, Form::hex}) {
        const std::string typed = to_json(*tensor, {.form = form, .typed = true});
        const Result<Tensor> again = from_json(typed);
        require(again.has_value(), "written JSON can be read: " + typed);
        require(*again == *tensor, "written JSON means the same: " + typed);
        const std::string direct = to_json(*tensor, {.form = form, .typed = false});
        const Result<Tensor> known = from_json(direct, tensor->type());
        require(known.has_value(), "JSON of a known type can be read: " + direct);
        require(*known == *tensor, "JSON of a known type means the same: " + direct);
    }
}

}  // namespace

void run(std::string_view bytes) {
    const Limits limits = small_limits();
    check(from_json(bytes, limits));
    const ExpressionBytes parts = split(bytes);
    if (const Result<TensorType> type = TensorType::parse(parts.expression, limits); type && !parts.inputs.empty()) {
        check(from_json(parts.inputs[0].first, *type, limits));
    }
}

}  // namespace tenrex::fuzz

// Any text: a type specification or an error; a type's canonical text gives the same type.
#include <string>

#include <tenrex/tensor_type.h>

#include "tests/fuzz/fuzz_target.h"

namespace tenrex::fuzz {

void run(std::string_view bytes) {
    const Result<TensorType> type = TensorType::parse(bytes);
    if (!type) {
        require(!type.error().render().empty(), "an error renders");
        return;
    }
    const std::string text = type->to_string();
    const Result<TensorType> again = TensorType::parse(text);
    require(again.has_value(), "canonical text is a type: " + text);
    require(*again == *type, "canonical text means the same type: " + text);
    require(again->to_string() == text, "canonical text is stable: " + text);
}

}  // namespace tenrex::fuzz

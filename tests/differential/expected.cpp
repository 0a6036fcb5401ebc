#include "tests/differential/expected.h"

#include <utility>

#include "tests/conformance/comparison.h"

namespace tenrex::differential {

Result<Expected> Expected::make(const Expression &expression, const std::vector<NamedTensor> &values) {
    auto value = expression.evaluate_reference(values);
    if (!value) {
        return value.error();
    }
    return Expected(*std::move(value));
}

std::string Expected::difference(const Tensor &found) const {
    return found == value_ ? "" : conformance::difference(found, value_, 0.0) + " (exactly)";
}

bool Expected::is_determined() const {
    return true;
}

}  // namespace tenrex::differential

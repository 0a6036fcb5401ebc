#include "tests/differential/expected.h"

#include <cmath>
#include <utility>

#include "tests/conformance/comparison.h"

namespace tenrex::differential {

Result<Expected> Expected::make(const Expression &expression, const std::vector<NamedTensor> &values,
                                random::Numbers numbers) {
    if (numbers == random::Numbers::exact) {
        auto value = expression.evaluate_reference(values);
        return value ? Result<Expected>(Expected(*std::move(value))) : value.error();
    }
    auto value = expression.evaluate_reference_bounded(values);
    return value ? Result<Expected>(Expected(*std::move(value))) : value.error();
}

std::string Expected::difference(const Tensor &found) const {
    if (const auto *exact = std::get_if<Tensor>(&value_)) {
        return found == *exact ? "" : conformance::difference(found, *exact, 0.0) + " (exactly)";
    }
    return conformance::difference(found, std::get<BoundedTensor>(value_));
}

bool Expected::is_determined() const {
    const auto *bounded = std::get_if<BoundedTensor>(&value_);
    if (bounded == nullptr || bounded->bound.cell_count() == 0) {
        return true;
    }
    for (std::size_t cell = 0; cell < bounded->bound.cell_count(); ++cell) {
        if (std::isfinite(bounded->bound.cell(cell))) {
            return true;
        }
    }
    return false;
}

}  // namespace tenrex::differential

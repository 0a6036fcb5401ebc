// What an expression may give for a document: the value of the reference evaluator, and how far each cell may be from
// it.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include <tenrex/expression.h>

#include "tests/reference/random_source.h"

namespace tenrex::differential {

class Expected {
public:
    // With exact numbers every evaluation gives the same, and no bounds are asked for.
    static Result<Expected> make(const Expression &expression, const std::vector<NamedTensor> &values,
                                 random::Numbers numbers);

    // What is wrong with a value, or nothing.
    std::string difference(const Tensor &found) const;
    // Whether some cell may not be any number.
    bool is_determined() const;

private:
    explicit Expected(std::variant<Tensor, BoundedTensor> value) : value_(std::move(value)) {}
    std::variant<Tensor, BoundedTensor> value_;
};

}  // namespace tenrex::differential

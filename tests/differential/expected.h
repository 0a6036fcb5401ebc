// What an expression may give for a document: the value of the reference evaluator, and how far each cell may be from
// it.
#pragma once

#include <string>
#include <vector>

#include <tenrex/expression.h>

namespace tenrex::differential {

class Expected {
public:
    static Result<Expected> make(const Expression &expression, const std::vector<NamedTensor> &values);

    // What is wrong with a value, or nothing.
    std::string difference(const Tensor &found) const;
    // Whether some of its cells may not be any number.
    bool is_determined() const;
    const Tensor &value() const noexcept { return value_; }

private:
    explicit Expected(Tensor value) : value_(std::move(value)) {}
    Tensor value_;
};

}  // namespace tenrex::differential

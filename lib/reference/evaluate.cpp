#include "lib/reference/evaluate.h"

#include <new>
#include <stdexcept>

#include "lib/reference/evaluator.h"
#include "lib/support/format.h"

namespace tenrex::reference {

namespace {

Error error_at(Span where, std::string message, std::string hint) {
    Issue issue;
    issue.span = where;
    issue.message = std::move(message);
    issue.hint = std::move(hint);
    return Error(std::vector<Issue>{std::move(issue)});
}

std::optional<Error> check_inputs(const sema::TypedExpression &expression, std::span<const Tensor> inputs) {
    const std::vector<sema::InputUse> &uses = expression.inputs();
    if (inputs.size() != uses.size()) {
        return Error(fmt::format("the expression has {} inputs, but {} values were given", uses.size(), inputs.size()));
    }
    for (std::size_t i = 0; i < uses.size(); ++i) {
        if (uses[i].value == nullptr && !inputs[i].type().fits(uses[i].type)) {
            return error_at(uses[i].first_use,
                            fmt::format("the value of '{}' is of type {}, but the input was declared as {}",
                                        uses[i].name, inputs[i].type().to_string(), uses[i].type.to_string()),
                            "give a value of the declared type");
        }
    }
    return std::nullopt;
}

Result<BoundedTensor> run(const sema::TypedExpression &expression, std::span<const Tensor> inputs, const Limits &limits,
                          bool bounds) {
    Span where;
    try {
        if (auto error = check_inputs(expression, inputs)) {
            return *std::move(error);
        }
        Evaluator evaluator(expression, inputs, limits, bounds);
        try {
            return evaluator.result();
        } catch (...) {
            where = evaluator.where();
            throw;
        }
    } catch (const Failure &failure) {
        return error_at(where, failure.message, failure.hint);
    } catch (const std::bad_alloc &) {
        return error_at(where, "there is not enough memory for the result of this operation",
                        "make the tensors smaller");
    } catch (const std::length_error &) {
        return error_at(where, "the result of this operation is larger than memory can be", "make the tensors smaller");
    } catch (...) {
        return error_at(where, "a user function threw an exception", "user functions must not throw");
    }
}

}  // namespace

Result<Tensor> evaluate(const sema::TypedExpression &expression, std::span<const Tensor> inputs, const Limits &limits) {
    auto result = run(expression, inputs, limits, false);
    return result ? Result<Tensor>(std::move(result->value)) : Result<Tensor>(std::move(result).error());
}

Result<BoundedTensor> evaluate_bounded(const sema::TypedExpression &expression, std::span<const Tensor> inputs,
                                       const Limits &limits) {
    return run(expression, inputs, limits, true);
}

}  // namespace tenrex::reference

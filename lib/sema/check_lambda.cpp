// Lambdas: a scope of their own, and only scalar code in those of map, join and merge.

#include "lib/sema/checker.h"
#include "lib/support/format.h"

namespace tenrex::sema {

Expr *Checker::check_lambda(const syntax::Lambda &lambda, ScopeKind kind, std::string_view function,
                            const TensorType *parameter) {
    scopes_.push_back({kind, function, parameters_.size()});
    for (const syntax::Name &name : lambda.parameters) {
        push_parameter(name.text, parameter);
    }
    Expr *body = check(*lambda.body);
    pop_parameters(scopes_.back().first);
    scopes_.pop_back();
    return body;
}

std::nullptr_t Checker::tensor_in_lambda(const syntax::Node &node, std::string_view what) {
    return fail(node.span,
                fmt::format("'{}' works on tensors, but the lambda of {} computes with one number at a time", what,
                            scopes_.back().function),
                "take it out of the lambda, or use map_subspaces, whose lambda gets a dense block");
}

}  // namespace tenrex::sema

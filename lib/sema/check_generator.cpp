// Types as written, and tensors generated from them.

#include "lib/sema/checker.h"
#include "lib/support/format.h"

namespace tenrex::sema {

const TensorType *Checker::type_of_spec(const syntax::TypeSpec &spec) {
    std::vector<Dimension> dimensions;
    dimensions.reserve(spec.dimensions.size());
    for (const syntax::DimensionSpec &dimension : spec.dimensions) {
        dimensions.push_back({std::string(dimension.name.text), dimension.size});
    }
    return type_of(TensorType::make(spec.cell_type, std::move(dimensions), options_.limits), spec.span);
}

const TensorType *Checker::type_of(const Result<TensorType> &type, Span span) {
    if (!type) {
        const Issue &issue = type.error().issues().front();
        return fail(span, issue.message, issue.hint);
    }
    return builder_.intern(*type);
}

std::uint32_t Checker::next_slot() const noexcept {
    return static_cast<std::uint32_t>(parameters_.size() - scopes_.back().first);
}

Expr *Checker::generate(const syntax::TypeSpec &spec, const TensorType *type, Expr *body, Span span) {
    std::vector<std::uint32_t> positions;
    for (const syntax::DimensionSpec &dimension : spec.dimensions) {
        positions.push_back(static_cast<std::uint32_t>(*type->find(dimension.name.text)));
    }
    return builder_.generate(next_slot(), positions, body, type, span);
}

Expr *Checker::check_scalar(const syntax::Node &node, std::string_view what) {
    Expr *value = check(node);
    if (value != nullptr && !value->type->is_scalar()) {
        return fail(node.span, fmt::format("{} must be a number, but this is {}", what, value->type->to_string()),
                    "reduce it, or take one cell with {...}");
    }
    return value;
}

Expr *Checker::check_generator(const syntax::GeneratorNode &node) {
    const TensorType *type = type_of_spec(*node.type);
    const std::size_t outer = parameters_.size();
    for (const syntax::DimensionSpec &dimension : node.type->dimensions) {
        push_parameter(dimension.name.text, builder_.scalar_type());
    }
    Expr *body = check_scalar(*node.body, "the cell of a generator");
    pop_parameters(outer);
    return type == nullptr || body == nullptr ? nullptr : generate(*node.type, type, body, node.span);
}

}  // namespace tenrex::sema

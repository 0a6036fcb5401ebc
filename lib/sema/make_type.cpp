#include "lib/sema/make_type.h"

#include <utility>

#include "lib/types/derived_type.h"

namespace tenrex::sema {

namespace {

TypeOrProblem type_or_problem(Result<TensorType> type) {
    if (!type) {
        const Issue &issue = type.error().issues().front();
        return TypeProblem{issue.message, issue.hint};
    }
    return *std::move(type);
}

}  // namespace

TypeOrProblem make_type(CellType cell_type, std::vector<Dimension> dimensions, const Limits &limits) {
    return dimensions.empty() ? TensorType()
                              : type_or_problem(TensorType::make(cell_type, std::move(dimensions), limits));
}

TypeOrProblem make_type(CellType cell_type, std::vector<Dimension> dimensions) {
    return type_or_problem(derived_type(cell_type, std::move(dimensions)));
}

}  // namespace tenrex::sema

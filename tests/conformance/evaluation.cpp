#include "tests/conformance/evaluation.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "tests/conformance/comparison.h"
#include "tests/conformance/written_outputs.h"

namespace tenrex::conformance {

Result<std::vector<Tensor>> evaluate_every_way(const Plan &plan, const Query &query, const Block &block,
                                               Context &context) {
    Result<std::vector<Tensor>> tensors = query.evaluate_tensors(block, context);
    if (!tensors) {
        return tensors;
    }
    if (std::string text = difference_as_written(plan, query, block, context, *tensors); !text.empty()) {
        return Error(std::move(text));
    }
    if (!plan.outputs().front().type.is_scalar()) {
        return tensors;
    }
    std::vector<double> together(block.documents);
    if (Status status = query.evaluate(block, context, together); !status) {
        return status.error();
    }
    for (std::size_t document = 0; document < block.documents; ++document) {
        double alone = 0;
        const Block one{1, block.columns, block.first + document};
        if (Status status = query.evaluate(one, context, {&alone, 1}); !status) {
            return status.error();
        }
        const double expected = (*tensors)[document].as_double();
        if (!is_same(together[document], expected) || !is_same(alone, expected)) {
            return Error(fmt::format("document {} is {} as a tensor, {} as a score and {} alone", document, expected,
                                     together[document], alone));
        }
    }
    return tensors;
}

}  // namespace tenrex::conformance

#include "tests/optimizer/values.h"

#include <algorithm>
#include <numeric>

#include <tenrex/formats.h>

#include "tests/conformance/comparison.h"
#include "tests/differential/case.h"

namespace tenrex::optimizer {

std::vector<Tensor> literals(const std::vector<std::string> &texts) {
    std::vector<Tensor> tensors;
    for (const std::string &text : texts) {
        const auto tensor = from_literal(text);
        EXPECT_TRUE(tensor) << text << ": " << tensor.error().message();
        tensors.push_back(tensor ? *tensor : Tensor());
    }
    return tensors;
}

Values random_values(const std::string &name, Stage stage, const std::string &type, std::size_t documents,
                     random::Numbers numbers, std::uint64_t seed) {
    Values values{name, stage, {}};
    random::Source source(seed);
    for (std::size_t i = 0; i < documents; ++i) {
        values.of_documents.push_back(random::tensor(source, *TensorType::parse(type), numbers));
    }
    return values;
}

std::string wrong_value(const std::string &text, const std::vector<Values> &inputs, Agreement agreement,
                        std::string *graph, std::string *plan) {
    differential::Case described{text, {}, {}};
    std::size_t documents = 1;
    for (const Values &input : inputs) {
        const Tensor &first = input.of_documents.front();
        if (input.stage == Stage::constant) {
            described.schema.constant(input.name, first);
        } else if (input.stage == Stage::query) {
            described.schema.query(input.name, first.type().to_string());
        } else {
            described.schema.document(input.name, first.type().to_string());
            documents = std::max(documents, input.of_documents.size());
        }
    }
    for (std::size_t i = 0; i < documents; ++i) {
        auto &values = described.documents.emplace_back();
        for (const Values &input : inputs) {
            if (input.stage != Stage::constant) {
                const bool shared = input.stage == Stage::query || input.of_documents.size() == 1;
                values.emplace_back(input.name, input.of_documents[shared ? 0 : i]);
            }
        }
    }
    return wrong_value(described, agreement, graph, plan);
}

std::string wrong_value(const differential::Case &described, Agreement agreement, std::string *graph,
                        std::string *plan) {
    const std::size_t documents = described.documents.size();
    const auto reference = Expression::parse(described.text, described.schema);
    if (!reference) {
        return reference.error().message();
    }
    const auto compiled = differential::Compiled::make(described, {"", "", false});
    if (!compiled) {
        return compiled.error().message();
    }
    if (graph != nullptr) {
        *graph = compiled->plan().graph();
    }
    if (plan != nullptr) {
        *plan = compiled->plan().explain();
    }
    std::vector<std::size_t> order(documents);
    std::iota(order.begin(), order.end(), std::size_t{0});
    Context context(compiled->plan());
    const auto found = differential::evaluate(*compiled, described, order, context);
    if (!found) {
        return found.error().message();
    }
    for (std::size_t i = 0; i < documents; ++i) {
        const auto expected = reference->evaluate_reference_bounded(described.documents[i]);
        if (!expected) {
            return expected.error().message();
        }
        const auto alone = differential::evaluate(*compiled, described, {&order[i], 1}, context);
        if (!alone || !(alone->front() == (*found)[i])) {
            return "document " + std::to_string(i) + " has another value alone\n" + compiled->plan().graph();
        }
        const std::string difference = agreement == Agreement::exact
                                           ? conformance::difference((*found)[i], expected->value, 0)
                                           : conformance::difference((*found)[i], *expected);
        if (!difference.empty()) {
            return "document " + std::to_string(i) + ": " + difference + "\n" + compiled->plan().graph();
        }
    }
    return {};
}

}  // namespace tenrex::optimizer

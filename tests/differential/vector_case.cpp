#include "tests/differential/vector_case.h"

#include <cstdlib>
#include <string_view>

#include <tenrex/formats.h>

#include "tests/conformance/vectors.h"

namespace tenrex::differential {

namespace {

// Some of the blocks, with cells that are near those of the given value.
Tensor another(const Tensor &tensor, random::Source &source) {
    const TensorType &type = tensor.type();
    TensorBuilder builder(type);
    std::vector<std::string> labels(type.mapped_count());
    for (std::size_t block = 0; block < tensor.blocks(); ++block) {
        if (type.has_mapped() && source.chance(25)) {
            continue;
        }
        for (std::size_t i = 0; i < labels.size(); ++i) {
            labels[i] = tensor.label(block, i);
        }
        const std::vector<std::string_view> address(labels.begin(), labels.end());
        const std::size_t made = builder.block(address);
        for (std::size_t i = 0; i < type.block_cells(); ++i) {
            const double cell = tensor.cell(block * type.block_cells() + i);
            builder.set(made, i, source.chance(50) ? cell : cell + static_cast<double>(source.below(3)));
        }
    }
    return std::move(builder).build();
}

}  // namespace

std::vector<VectorCase> vector_cases(std::size_t documents, Stage stage, std::size_t step) {
    const std::vector<conformance::Vector> vectors = conformance::read_vectors();
    std::vector<VectorCase> cases;
    for (std::size_t i = 0; i < vectors.size(); i += step) {
        const conformance::Vector &vector = vectors[i];
        if (!vector.expect) {
            continue;
        }
        VectorCase &made = cases.emplace_back(VectorCase{vector.id, {vector.expression, {}, {{}}}});
        std::vector<NamedTensor> &first = made.described.documents.front();
        for (const auto &[name, literal] : vector.inputs) {
            const Tensor value = *from_literal(literal);
            first.emplace_back(name, value);
            if (stage == Stage::constant) {
                made.described.schema.constant(name, value);
            } else if (stage == Stage::query) {
                made.described.schema.query(name, value.type());
            } else {
                made.described.schema.document(name, value.type());
            }
        }
        random::Source source(i);
        while (made.described.documents.size() < documents) {
            std::vector<NamedTensor> values = made.described.documents.front();
            for (NamedTensor &value : values) {
                value.second = another(value.second, source);
            }
            made.described.documents.push_back(std::move(values));
        }
    }
    return cases;
}

bool full_run() {
    return std::getenv("TENREX_FULL_MATRIX") != nullptr;
}

}  // namespace tenrex::differential

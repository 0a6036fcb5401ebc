#include "perf/measure/case.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include <tenrex/cell_type.h>
#include <tenrex/label.h>

namespace tenrex::perf {

namespace {

// The greatest number for what does not fit.
std::size_t product_of(std::size_t a, std::size_t b) {
    std::size_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::size_t>::max() : product;
}

}  // namespace

InputRecipe::InputRecipe(std::string input_name, Stage input_stage, TensorType input_type)
    : name(std::move(input_name)), stage(input_stage), type(std::move(input_type)) {
    if (type.cell_type() == CellType::i8) {
        lowest = -128;
        highest = 127;
        whole = true;
    }
}

std::size_t InputRecipe::blocks() const {
    if (value) {
        return value->blocks();
    }
    return std::accumulate(labels.begin(), labels.end(), std::size_t{1}, [](std::size_t product, const auto &range) {
        return product_of(product, range.second.count);
    });
}

std::size_t InputRecipe::rows() const {
    return std::accumulate(lengths.begin(), lengths.end(), std::size_t{1}, [](std::size_t product, const auto &range) {
        return product_of(product, range.second.most);
    });
}

std::size_t InputRecipe::bytes() const {
    const std::size_t block = product_of(rows(), type.block_cells() * byte_size(type.cell_type()));
    return product_of(blocks(), block + type.mapped_count() * sizeof(Label));
}

std::size_t Case::document_bytes() const {
    std::size_t bytes = 0;
    for (const InputRecipe &input : inputs) {
        bytes += input.stage == Stage::document ? input.bytes() : 0;
    }
    return bytes;
}

std::size_t Case::document_blocks() const {
    std::size_t blocks = 0;
    for (const InputRecipe &input : inputs) {
        blocks += input.stage == Stage::document && (input.type.has_mapped() || input.type.has_open())
                      ? input.blocks() * input.rows()
                      : 0;
    }
    return blocks;
}

Case Case::small() const {
    Case result = *this;
    for (InputRecipe &input : result.inputs) {
        std::vector<Dimension> dimensions = input.type.dimensions();
        for (Dimension &dimension : dimensions) {
            const auto size = check_sizes.find(dimension.name);
            dimension.size = size == check_sizes.end() ? dimension.size : size->second;
        }
        input.type = *TensorType::make(input.type.cell_type(), std::move(dimensions));
    }
    return result;
}

}  // namespace tenrex::perf

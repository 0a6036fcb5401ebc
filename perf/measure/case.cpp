#include "perf/measure/case.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <tenrex/cell_type.h>
#include <tenrex/label.h>

namespace tenrex::perf {

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
    return std::accumulate(labels.begin(), labels.end(), std::size_t{1},
                           [](std::size_t product, const auto &range) { return product * range.second.count; });
}

std::size_t InputRecipe::bytes() const {
    return blocks() * (type.block_cells() * byte_size(type.cell_type()) + type.mapped_count() * sizeof(Label));
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
        blocks += input.stage == Stage::document && input.type.has_mapped() ? input.blocks() : 0;
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

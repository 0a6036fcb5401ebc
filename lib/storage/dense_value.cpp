#include "lib/storage/dense_value.h"

#include <cstring>
#include <utility>

#include "lib/storage/open_rows.h"
#include "lib/support/format.h"

namespace tenrex {

Result<Tensor> from_cells(std::string_view type, const void *cells, std::size_t bytes) {
    auto of_value = TensorType::parse(type);
    if (!of_value) {
        return std::move(of_value).error();
    }
    if (of_value->has_mapped()) {
        return Error(fmt::format("the type {} has mapped dimensions", of_value->to_string()));
    }
    const std::size_t needed = of_value->block_cells() * byte_size(of_value->cell_type());
    const bool tells_size = of_value->open_count() == 1 && needed != 0 && bytes % needed == 0;
    if (!tells_size && (of_value->has_open() || bytes != needed)) {
        return Error(fmt::format("a value of type {} has {} bytes, not {}", of_value->to_string(), needed, bytes));
    }
    const std::uint64_t rows[] = {tells_size ? bytes / needed : 0};
    TensorBuilder builder(tells_size ? type_with_sizes(*of_value, rows) : *of_value);
    std::memcpy(builder.cells(0), cells, bytes);
    return std::move(builder).build();
}

}  // namespace tenrex

#include "lib/formats/layout.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "lib/support/format.h"
#include "lib/types/quoted_text.h"

namespace tenrex {

std::vector<DimensionLayout> layout_of(const TensorType &type) {
    std::vector<DimensionLayout> layout;
    std::size_t mapped = 0;
    for (const Dimension &dimension : type.dimensions()) {
        layout.push_back({dimension.name, dimension.size, mapped, 0, dimension.kind});
        mapped += dimension.is_mapped();
    }
    std::size_t stride = 1;
    for (auto dimension = layout.rbegin(); dimension != layout.rend(); ++dimension) {
        dimension->stride = stride;
        stride *= dimension->is_mapped() ? 1 : static_cast<std::size_t>(dimension->size);
    }
    return layout;
}

std::string too_few_elements(std::uint64_t count, const DimensionLayout &dimension, const TensorType &type) {
    return dimension.size == type.block_cells()
               ? too_few_cells(count, type)
               : fmt::format("the list has {} of the {} elements of dimension {} of a {}", count, dimension.size,
                             dimension.to_string(), type.to_string());
}

std::string too_few_cells(std::uint64_t count, const TensorType &type) {
    return fmt::format("the list has {} of the {} cells of a {}{}", count, type.block_cells(),
                       type.has_mapped() ? "block of a " : "", type.to_string());
}

void AddressText::set(std::size_t mapped, TextToken &token) {
    if (token.text.data() == token.unescaped.data()) {
        unescaped_[mapped].swap(token.unescaped);
        labels_[mapped] = unescaped_[mapped];
    } else {
        labels_[mapped] = token.text;
    }
}

bool read_index(TextReader &in, const TextToken &label, const DimensionLayout &dimension, std::uint64_t &index) {
    const bool negative = label.text.starts_with('-');
    const std::string_view digits = label.text.substr(negative ? 1 : 0);
    const std::string name = clipped(dimension.name);
    if (dimension.size == 0) {
        return in.fail(label.begin, label.end,
                       fmt::format("index {} is outside of dimension '{}' of size 0", clipped(label.text), name),
                       "a dimension of size 0 has no cells");
    }
    if (digits.empty() || !std::all_of(digits.begin(), digits.end(), is_digit)) {
        return in.fail(
            label.begin, label.end, fmt::format("'{}' is not an index of dimension '{}'", clipped(label.text), name),
            fmt::format("'{}' is indexed: its labels are the numbers from 0 to {}", name, dimension.size - 1));
    }
    const auto error = std::from_chars(digits.data(), digits.data() + digits.size(), index).ec;
    if (negative || error != std::errc() || index >= dimension.size) {
        return in.fail(
            label.begin, label.end,
            fmt::format("index {} is outside of dimension '{}' of size {}", clipped(label.text), name, dimension.size),
            fmt::format("indexes go from 0 to {}", dimension.size - 1));
    }
    return true;
}

}  // namespace tenrex

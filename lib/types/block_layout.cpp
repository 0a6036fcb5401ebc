#include "lib/types/block_layout.h"

namespace tenrex {

std::size_t stride_of(const TensorType &type, std::string_view dimension) noexcept {
    std::size_t stride = 1;
    const std::vector<Dimension> &dimensions = type.dimensions();
    for (std::size_t i = dimensions.size(); i-- > 0;) {
        if (dimensions[i].name == dimension) {
            return dimensions[i].is_mapped() ? 0 : stride;
        }
        if (dimensions[i].is_indexed()) {
            stride *= dimensions[i].size;
        }
    }
    return 0;
}

std::optional<std::ptrdiff_t> common_stride(const TensorType &type, const std::vector<std::string> &dimensions) {
    std::ptrdiff_t stride = 1;
    std::size_t expected = 0;
    for (std::size_t i = dimensions.size(); i-- > 0;) {
        const std::size_t size = type.dimensions()[*type.find(dimensions[i])].size;
        const std::size_t own = stride_of(type, dimensions[i]);
        if (size == 1) {
            continue;
        }
        if (expected == 0) {
            stride = static_cast<std::ptrdiff_t>(own);
        } else if (own != expected) {
            return std::nullopt;
        }
        expected = own * size;
    }
    return stride;
}

std::size_t cells_of(const TensorType &type, const std::vector<std::string> &dimensions) noexcept {
    std::size_t product = 1;
    for (const std::string &name : dimensions) {
        product *= type.dimensions()[*type.find(name)].size;
    }
    return product;
}

std::vector<std::string> nontrivial(const TensorType &type, std::initializer_list<std::vector<std::string>> groups) {
    std::vector<std::string> names;
    for (const std::vector<std::string> &group : groups) {
        for (const std::string &name : group) {
            if (type.dimensions()[*type.find(name)].size != 1) {
                names.push_back(name);
            }
        }
    }
    return names;
}

std::optional<std::size_t> row_length(const TensorType &type, const TensorType &kept) noexcept {
    bool in_rows = type.mapped_count() == kept.mapped_count();
    bool seen_reduced = false;
    std::size_t length = 1;
    for (const Dimension &dimension : type.dimensions()) {
        if (dimension.is_mapped()) {
            continue;
        }
        const bool reduced = !kept.find(dimension.name);
        in_rows &= reduced || !seen_reduced || dimension.is_trivial();
        seen_reduced |= reduced && !dimension.is_trivial();
        length *= reduced ? dimension.size : 1;
    }
    return in_rows ? std::optional(length) : std::nullopt;
}

std::size_t block_bytes(const TensorType &type) noexcept {
    return type.block_cells() * byte_size(type.cell_type());
}

std::uint16_t label_position(const TensorType &type, std::string_view dimension) noexcept {
    std::uint16_t position = 0;
    for (const Dimension &other : type.dimensions()) {
        if (other.name == dimension) {
            break;
        }
        position = static_cast<std::uint16_t>(position + (other.is_mapped() ? 1 : 0));
    }
    return position;
}

}  // namespace tenrex

#include "lib/storage/open_rows.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/support/format.h"
#include "lib/types/derived_type.h"

namespace tenrex {

namespace {

TensorType with_open(const TensorType &declared, const auto &replacement) {
    if (!declared.has_open()) {
        return declared;
    }
    std::vector<Dimension> dimensions = declared.dimensions();
    for (Dimension &dimension : dimensions) {
        if (dimension.is_open()) {
            dimension = replacement(dimension.name);
        }
    }
    return known_type(declared.cell_type(), std::move(dimensions));
}

}  // namespace

TensorType type_of_rows(const TensorType &declared) {
    return with_open(declared, [](const std::string &name) { return Dimension{name}; });
}

TensorType type_with_sizes(const TensorType &declared, std::span<const std::uint64_t> sizes) {
    std::size_t next = 0;
    return with_open(declared, [&](const std::string &name) { return Dimension::indexed(name, sizes[next++]); });
}

RowLayout::RowLayout(const TensorType &value, const TensorType &declared) : part_bytes_(byte_size(value.cell_type())) {
    std::size_t step = part_bytes_;
    bool is_apart = false;
    for (std::size_t i = value.dimensions().size(); i-- > 0;) {
        const std::size_t size = value.dimensions()[i].size;
        if (declared.dimensions()[i].is_open()) {
            is_apart = true;
            rows_ *= size;
            sizes_.push_back(size);
            open_.push_back({size, step});
        } else if (is_apart && size != 1) {
            parts_ *= size;
            apart_.push_back({size, step});
        } else {
            part_bytes_ *= size;
        }
        step *= size;
    }
    std::reverse(sizes_.begin(), sizes_.end());
    std::reverse(open_.begin(), open_.end());
    std::reverse(apart_.begin(), apart_.end());
}

std::size_t RowLayout::place_of(std::span<const Axis> axes, std::size_t number) noexcept {
    if (axes.size() == 1) {
        return number * axes.front().step;
    }
    std::size_t place = 0;
    for (std::size_t i = axes.size(); i-- > 0; number /= axes[i].size) {
        place += number % axes[i].size * axes[i].step;
    }
    return place;
}

void RowLayout::copy_to_rows(const void *block, std::byte *rows) const noexcept {
    const auto *const from = static_cast<const std::byte *>(block);
    for (std::size_t row = 0; row < rows_; ++row) {
        const std::byte *const of_row = from + place_of(open_, row);
        for (std::size_t part = 0; part < parts_; ++part, rows += part_bytes_) {
            std::memcpy(rows, of_row + place_of(apart_, part), part_bytes_);
        }
    }
}

void RowLayout::copy_from_row(const std::byte *row, std::size_t number, void *block) const noexcept {
    std::byte *const to = static_cast<std::byte *>(block) + place_of(open_, number);
    for (std::size_t part = 0; part < parts_; ++part, row += part_bytes_) {
        std::memcpy(to + place_of(apart_, part), row, part_bytes_);
    }
}

Status check_sizes(const TensorType &value, const TensorType &declared) {
    if (declared.open_count() < 2) {
        return {};
    }
    const RowLayout layout(value, declared);
    const auto sizes = layout.sizes();
    if (layout.rows() == 0 && std::any_of(sizes.begin(), sizes.end(), [](std::uint64_t size) { return size != 0; })) {
        return Error(fmt::format("a value of type {} has no cells, but some of its sizes are not 0", value.to_string()),
                     fmt::format("of the open dimensions of {}, all have indexes, or none", declared.to_string()));
    }
    return {};
}

Tensor as_rows(const Tensor &value, const TensorType &declared) {
    const RowLayout layout(value.type(), declared);
    TensorBuilder builder(type_of_rows(declared));
    builder.reserve(layout.rows());
    std::vector<std::string> labels(layout.sizes().size());
    std::vector<std::string_view> address(labels.size());
    for (std::size_t row = 0; row < layout.rows(); ++row) {
        std::size_t rest = row;
        for (std::size_t i = labels.size(); i-- > 0; rest /= layout.sizes()[i]) {
            labels[i] = std::to_string(rest % layout.sizes()[i]);
            address[i] = labels[i];
        }
        builder.block(address);
    }
    if (layout.rows() != 0) {
        layout.copy_to_rows(value.view().cells(), static_cast<std::byte *>(builder.cells(0)));
    }
    return std::move(builder).build();
}

}  // namespace tenrex

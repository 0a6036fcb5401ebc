#include "lib/storage/open_rows.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

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

TensorType type_with_rows(const TensorType &declared, std::size_t rows) {
    return with_open(declared, [&](const std::string &name) { return Dimension::indexed(name, rows); });
}

RowLayout layout_of_rows(const TensorType &value, const TensorType &declared) {
    RowLayout layout{0, 1, byte_size(value.cell_type())};
    std::size_t *before = &layout.parts;
    for (std::size_t i = 0; i < value.dimensions().size(); ++i) {
        const std::size_t size = value.dimensions()[i].size;
        if (declared.dimensions()[i].is_open()) {
            layout.rows = size;
            before = &layout.part_bytes;
        } else {
            *before *= size;
        }
    }
    return layout;
}

void copy_to_rows(const RowLayout &layout, const void *block, std::byte *rows) noexcept {
    const auto *from = static_cast<const std::byte *>(block);
    for (std::size_t part = 0; part < layout.parts; ++part) {
        for (std::size_t row = 0; row < layout.rows; ++row, from += layout.part_bytes) {
            std::memcpy(rows + row * layout.row_bytes() + part * layout.part_bytes, from, layout.part_bytes);
        }
    }
}

void copy_from_row(const RowLayout &layout, const std::byte *row, std::size_t number, void *block) noexcept {
    auto *const to = static_cast<std::byte *>(block);
    for (std::size_t part = 0; part < layout.parts; ++part) {
        std::memcpy(to + (part * layout.rows + number) * layout.part_bytes, row + part * layout.part_bytes,
                    layout.part_bytes);
    }
}

Tensor as_rows(const Tensor &value, const TensorType &declared) {
    const RowLayout layout = layout_of_rows(value.type(), declared);
    TensorBuilder builder(type_of_rows(declared));
    builder.reserve(layout.rows);
    for (std::size_t row = 0; row < layout.rows; ++row) {
        const std::string label = std::to_string(row);
        const std::string_view address[] = {label};
        builder.block(address);
    }
    if (layout.rows != 0) {
        copy_to_rows(layout, value.view().cells(), static_cast<std::byte *>(builder.cells(0)));
    }
    return std::move(builder).build();
}

}  // namespace tenrex

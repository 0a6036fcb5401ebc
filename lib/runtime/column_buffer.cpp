#include <tenrex/column_buffer.h>

#include <algorithm>
#include <cstring>

#include "lib/runtime/guarded.h"
#include "lib/storage/open_rows.h"
#include "lib/support/format.h"

namespace tenrex {

ColumnBuffer::ColumnBuffer(TensorType type, std::shared_ptr<LabelTable> labels)
    : type_(std::move(type)), labels_(std::move(labels)), offsets_{0} {}

ColumnBuffer::ColumnBuffer(TensorType type, std::shared_ptr<HeldLabels> labels)
    : type_(std::move(type)), held_(std::move(labels)), offsets_{0} {}

Status ColumnBuffer::append(const Tensor &tensor) {
    if (!tensor.type().fits(type_)) {
        return Error(fmt::format("a value of type {} does not fit a column of type {}", tensor.type().to_string(),
                                 type_.to_string()));
    }
    return guarded([&]() -> Status {
        if (Status status = check_sizes(tensor.type(), type_); !status) {
            return status;
        }
        const TensorView view = tensor.view();
        const std::size_t bytes = view.cell_count() * byte_size(type_.cell_type());
        const auto *const cells = static_cast<const std::byte *>(view.cells());
        if (type_.has_open()) {
            const RowLayout layout(tensor.type(), type_);
            const std::size_t before = cells_.size();
            cells_.resize(before + bytes);
            layout.copy_to_rows(cells, cells_.data() + before);
            if (layout.sizes().size() > 1) {
                sizes_.insert(sizes_.end(), layout.sizes().begin(), layout.sizes().end());
            }
            offsets_.push_back(offsets_.back() + layout.rows());
            ++documents_;
            return {};
        }
        const auto own = [&](Label label) {
            if (is_numeric(label)) {
                return label;
            }
            const std::string_view text = view.labels()->stored_text(label);
            return held_ ? held_->hold(text) : labels_->intern(text);
        };
        if (type_.mapped_count() == 1) {
            order_.clear();
            for (std::size_t block = 0; block < view.blocks(); ++block) {
                order_.emplace_back(own(view.address(block)[0]), block);
            }
            std::sort(order_.begin(), order_.end());
            const std::size_t block_bytes = view.blocks() == 0 ? 0 : bytes / view.blocks();
            for (const auto &[label, block] : order_) {
                addresses_.push_back(label);
                cells_.insert(cells_.end(), cells + block * block_bytes, cells + (block + 1) * block_bytes);
            }
        } else {
            cells_.insert(cells_.end(), cells, cells + bytes);
            for (std::size_t block = 0; block < view.blocks() && type_.has_mapped(); ++block) {
                for (const Label label : view.address(block)) {
                    addresses_.push_back(own(label));
                }
            }
        }
        if (type_.has_mapped()) {
            offsets_.push_back(offsets_.back() + view.blocks());
        }
        ++documents_;
        return {};
    });
}

void ColumnBuffer::append(double value) {
    const auto *const bytes = reinterpret_cast<const std::byte *>(&value);
    cells_.insert(cells_.end(), bytes, bytes + sizeof(value));
    ++documents_;
}

Column ColumnBuffer::column() const noexcept {
    return column(0);
}

Column ColumnBuffer::column(std::size_t first) const noexcept {
    if (type_.has_open()) {
        const bool has_sizes = type_.open_count() > 1;
        return Column::ragged(offsets_.data() + first, cells_.data(),
                              has_sizes ? sizes_.data() + first * type_.open_count() : nullptr);
    }
    if (type_.has_mapped()) {
        return Column::sparse(offsets_.data() + first, addresses_.data(), cells_.data(), type_.mapped_count() == 1);
    }
    const std::size_t bytes = type_.block_cells() * byte_size(type_.cell_type());
    return Column::dense(cells_.data() + first * bytes, static_cast<std::ptrdiff_t>(bytes));
}

std::size_t ColumnBuffer::memory_bytes() const noexcept {
    return cells_.capacity() + (offsets_.capacity() + sizes_.capacity()) * sizeof(std::uint64_t) +
           addresses_.capacity() * sizeof(Label) + order_.capacity() * sizeof(order_[0]);
}

}  // namespace tenrex

#include "tests/conformance/written_outputs.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "lib/types/number.h"
#include "tests/conformance/comparison.h"

namespace tenrex::conformance {

namespace {

constexpr std::byte untouched{0xA5};
constexpr std::uint64_t no_size = 0xA5A5;

// Where the cells of a value are that has open dimensions, which make the rows, and others, which make the cells of a
// row: runs of cells lie beside each other in both.
class PlacesInRows {
public:
    PlacesInRows(const TensorType &declared, const TensorType &value) {
        std::size_t cells = 1, rows = declared.block_cells();
        for (std::size_t i = value.dimensions().size(); i-- > 0;) {
            const bool is_open = declared.dimensions()[i].is_open();
            const std::size_t size = value.dimensions()[i].size;
            std::size_t &before = is_open ? rows : cells;
            if (axes_.empty() && !is_open) {
                run_ *= size;
            } else {
                axes_.push_back({size, before});
            }
            before *= size;
        }
    }
    std::size_t run() const { return run_; }
    // The number of the cell, counted through all rows, that the run with that number begins with.
    std::size_t place(std::size_t number) const {
        std::size_t place = 0;
        for (const Axis &axis : axes_) {
            place += number % axis.size * axis.stride;
            number /= axis.size;
        }
        return place;
    }

private:
    struct Axis {
        std::size_t size, stride;
    };
    std::vector<Axis> axes_;  // beyond the runs, the innermost first
    std::size_t run_ = 1;
};

std::vector<std::uint64_t> open_sizes(const TensorType &declared, const TensorType &value) {
    std::vector<std::uint64_t> sizes;
    for (std::size_t i = 0; i < value.dimensions().size(); ++i) {
        if (declared.dimensions()[i].is_open()) {
            sizes.push_back(value.dimensions()[i].size);
        }
    }
    return sizes;
}

std::size_t rows_of(const TensorType &declared, const TensorType &value) {
    std::size_t rows = 1;
    for (const std::uint64_t size : open_sizes(declared, value)) {
        rows *= size;
    }
    return rows;
}

// Memory for the values of an output; what lies around them is looked at, too.
class Room {
public:
    Room(const Plan::Output &output, std::span<const Tensor> tensors, std::size_t gap, std::size_t misalignment)
        : type_(output.type),
          bytes_(output.type.block_cells() * byte_size(output.type.cell_type())),
          stride_(bytes_ + gap),
          begin_(misalignment),
          tensors_(tensors) {
        for (const Tensor &tensor : tensors) {
            blocks_ += type_.has_open() ? rows_of(type_, tensor.type()) : tensor.blocks();
        }
        const std::size_t used = has_offsets()     ? blocks_ * bytes_
                                 : tensors.empty() ? 0
                                                   : (tensors.size() - 1) * stride_ + bytes_;
        // Exactly as large, so that sanitizers see what goes beyond.
        size_ = begin_ + used;
        cells_ = std::make_unique<std::byte[]>(size_);
        std::fill_n(cells_.get(), size_, untouched);
        labels_.resize(blocks_ * type_.mapped_count());
        offsets_.resize(tensors.size() + 1);
        sizes_.resize(tensors.size() * type_.open_count(), no_size);
    }
    OutputColumn column() {
        if (type_.has_open()) {
            return OutputColumn::ragged(offsets_.data(), cells_.get() + begin_, blocks_, sizes_.data());
        }
        return type_.has_mapped()
                   ? OutputColumn::sparse(offsets_.data(), labels_.data(), cells_.get() + begin_, blocks_)
                   : OutputColumn::dense(cells_.get() + begin_, stride_, size_ - begin_);
    }
    std::string difference(const LabelTable &labels) const {
        for (std::size_t i = 0; i < tensors_.size(); ++i) {
            const std::string text = difference_of(i, labels);
            if (!text.empty()) {
                return fmt::format("document {}: {}", i, text);
            }
        }
        return {};
    }

private:
    bool has_offsets() const { return type_.has_mapped() || type_.has_open(); }
    std::string difference_of_rows(std::size_t document) const {
        const Tensor &tensor = tensors_[document];
        const std::size_t open = type_.open_count();
        const std::vector<std::uint64_t> sizes = open_sizes(type_, tensor.type());
        const auto own = std::span(sizes_).subspan(document * open, open);
        if (open > 1 && !std::equal(sizes.begin(), sizes.end(), own.begin())) {
            return fmt::format("the sizes {} were written, they are {}", fmt::join(own, ","), fmt::join(sizes, ","));
        }
        if (offsets_[document + 1] - offsets_[document] != rows_of(type_, tensor.type())) {
            return fmt::format("{} rows were written", offsets_[document + 1] - offsets_[document]);
        }
        const std::byte *const rows = cells_.get() + begin_ + offsets_[document] * bytes_;
        const std::size_t cell_bytes = byte_size(type_.cell_type());
        const PlacesInRows places(type_, tensor.type());
        const auto *const cells = static_cast<const std::byte *>(tensor.view().cells());
        const std::size_t bytes = places.run() * cell_bytes, end = tensor.cell_count() * cell_bytes;
        std::string text;
        for (std::size_t number = 0; text.empty() && number * bytes < end; ++number) {
            const std::byte *const written = rows + places.place(number) * cell_bytes;
            if (std::memcmp(written, cells + number * bytes, bytes) != 0) {
                text = difference_of_cells(tensor, number * places.run(), written, places.run());
            }
        }
        return text;
    }
    std::string difference_of_cells(const Tensor &tensor, std::size_t first, const std::byte *written,
                                    std::size_t count) const {
        const CellType type = type_.cell_type();
        const auto *const cells = static_cast<const std::byte *>(tensor.view().cells()) + first * byte_size(type);
        const std::size_t i = first_different_cell(type, written, cells, count);
        return i == count ? std::string()
                          : fmt::format("cell {} is {} where it was written, else {}", first + i,
                                        load_cell(type, written, i), load_cell(type, cells, i));
    }
    std::string difference_of(std::size_t document, const LabelTable &labels) const {
        if (type_.has_open()) {
            return difference_of_rows(document);
        }
        const Tensor &tensor = tensors_[document];
        if (type_.has_mapped() && offsets_[document + 1] - offsets_[document] != tensor.blocks()) {
            return fmt::format("{} blocks were written, there are {}", offsets_[document + 1] - offsets_[document],
                               tensor.blocks());
        }
        const std::size_t first = type_.has_mapped() ? offsets_[document] : 0;
        const std::byte *const cells =
            cells_.get() + begin_ + (type_.has_mapped() ? first * bytes_ : document * stride_);
        const std::size_t width = type_.mapped_count();
        const TensorView written(type_, &labels, labels_.data() + first * width, tensor.blocks(), cells);
        for (std::size_t block = 0; block < tensor.blocks(); ++block) {
            for (std::size_t i = 0; i < width; ++i) {
                if (written.label(block, i) != tensor.label(block, i)) {
                    return fmt::format("label '{}' was written, it is '{}'", written.label(block, i),
                                       tensor.label(block, i));
                }
            }
        }
        if (std::string text = difference_of_cells(tensor, 0, cells, tensor.cell_count()); !text.empty()) {
            return text;
        }
        const bool has_gap = !type_.has_mapped() && document + 1 != tensors_.size();
        const auto is_untouched = [](std::byte byte) { return byte == untouched; };
        if ((has_gap && !std::all_of(cells + bytes_, cells + stride_, is_untouched)) ||
            !std::all_of(cells_.get(), cells_.get() + begin_, is_untouched)) {
            return "something was written beside the value";
        }
        return {};
    }

    TensorType type_;
    std::size_t bytes_, stride_, begin_;
    std::span<const Tensor> tensors_;
    std::size_t blocks_ = 0;
    std::size_t size_ = 0;
    std::unique_ptr<std::byte[]> cells_;
    std::vector<Label> labels_;
    std::vector<std::uint64_t> offsets_;
    std::vector<std::uint64_t> sizes_;  // of open dimensions
};

}  // namespace

std::string difference_as_written(const Plan &plan, const Query &query, const Block &block, Context &context,
                                  std::span<const Tensor> tensors) {
    struct Layout {
        std::size_t gap, misalignment;
    };
    for (const Layout layout : {Layout{0, 0}, Layout{0, 1}, Layout{5, 0}, Layout{64, 3}}) {
        std::deque<Room> rooms;
        std::vector<OutputColumn> columns;
        for (std::size_t i = 0; i < plan.outputs().size(); ++i) {
            Room &room = rooms.emplace_back(plan.outputs()[i], tensors.subspan(i * block.documents, block.documents),
                                            layout.gap, layout.misalignment);
            columns.push_back(room.column());
        }
        if (const Status status = query.evaluate(block, context, columns); !status) {
            return status.error().message();
        }
        for (std::size_t i = 0; i < rooms.size(); ++i) {
            const std::string text = rooms[i].difference(*plan.labels());
            if (!text.empty()) {
                return fmt::format("output {} with a gap of {} at {}, {}", i, layout.gap, layout.misalignment, text);
            }
        }
    }
    return {};
}

}  // namespace tenrex::conformance

// Tensors without mapped dimensions: the cells of all documents, one after the other.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

#include "tools/rank/feature_column.h"
#include "tools/rank/tensor_json.h"

namespace tenrex::tool {

namespace {

class DenseColumn : public FeatureColumn {
public:
    DenseColumn(const TensorType &type, std::size_t documents)
        : type_(type), bytes_(type_.block_cells() * byte_size(type_.cell_type())), room_(documents) {
        cells_ = std::make_unique_for_overwrite<std::byte[]>(documents * bytes_);
    }

    bool read(JsonCursor &json, SegmentLabels &, ValueProblem &problem) override {
        const std::size_t begin = (json.kind(), json.position());
        std::byte *const cells = cells_.get() + count_ * bytes_;
        if (!read_flat_cells(json, type_, cells)) {
            const auto tensor = read_tensor(json, begin, type_, problem);
            if (!tensor) {
                return false;
            }
            std::memcpy(cells, tensor->view().cells(), bytes_);
        }
        ++count_;
        return true;
    }
    Status take_rows(const NpyView &rows, std::uint64_t first, std::size_t count) override;
    void add_cells(std::string_view cells) override {
        std::memcpy(cells_.get() + count_++ * bytes_, cells.data(), bytes_);
    }
    void add_missing() override { std::memset(cells_.get() + count_++ * bytes_, 0, bytes_); }
    void truncate(std::size_t documents) override { count_ = documents; }
    void finish(const SegmentLabels &) override {
        if (count_ < room_) {
            auto exact = std::make_unique_for_overwrite<std::byte[]>(count_ * bytes_);
            std::memcpy(exact.get(), cells_.get(), count_ * bytes_);
            cells_ = std::move(exact);
            room_ = count_;
        }
    }

    Column column(std::size_t first, std::deque<Column::Fill> &) const override {
        return Column::dense(cells_.get() + first * bytes_, static_cast<std::ptrdiff_t>(bytes_));
    }
    void gather(std::size_t document, GatheredColumn &into) const override { into.add(cells(document)); }
    std::span<const std::byte> cells(std::size_t document) const noexcept override {
        return {cells_.get() + document * bytes_, bytes_};
    }
    std::size_t memory_bytes() const noexcept override { return room_ * bytes_; }

private:
    TensorType type_;
    std::size_t bytes_;  // of one document
    std::unique_ptr<std::byte[]> cells_;
    std::size_t room_;
    std::size_t count_ = 0;
};

// Error: a cell of that type cannot hold the number.
template <class T>
Status convert(std::span<const double> numbers, T *cells) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if constexpr (std::is_integral_v<T>) {
            const double number = numbers[i];
            if (!(number >= std::numeric_limits<T>::min() && number <= std::numeric_limits<T>::max()) ||
                number != std::trunc(number)) {
                return Error(fmt::format("it has {}, which is no int8 cell", number),
                             "those are whole numbers from -128 to 127");
            }
            cells[i] = static_cast<T>(number);
        } else if constexpr (std::is_same_v<T, BFloat16>) {
            cells[i] = BFloat16(static_cast<float>(numbers[i]));
        } else {
            cells[i] = static_cast<T>(numbers[i]);
        }
    }
    return {};
}

Status DenseColumn::take_rows(const NpyView &rows, std::uint64_t first, std::size_t count) {
    std::vector<std::uint64_t> shape;
    for (const Dimension &dimension : type_.dimensions()) {
        shape.push_back(dimension.size);
    }
    if (!std::equal(shape.begin(), shape.end(), rows.shape().begin() + 1, rows.shape().end())) {
        return Error(fmt::format("it is {}, and a row of the array has the shape ({})", type_.to_string(),
                                 fmt::join(rows.shape().begin() + 1, rows.shape().end(), ",")),
                     "its axes are the dimensions in the order of their names");
    }
    const std::size_t width = type_.block_cells();
    std::vector<double> numbers(width);
    for (std::size_t i = 0; i < count; ++i, ++count_) {
        if (Status status = rows.copy((first + i) * width, numbers); !status) {
            return status;
        }
        std::byte *const to = cells_.get() + count_ * bytes_;
        Status status = visit_cell_type(type_.cell_type(), [&]<class T>(T) {
            return convert(std::span<const double>(numbers), reinterpret_cast<T *>(to));
        });
        if (!status) {
            return status;
        }
    }
    return {};
}

}  // namespace

std::unique_ptr<FeatureColumn> make_dense_column(const TensorType &type, std::size_t documents) {
    return std::make_unique<DenseColumn>(type, documents);
}

}  // namespace tenrex::tool

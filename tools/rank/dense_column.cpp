// Tensors without mapped dimensions: the cells of all documents, one after the other.
#include <cstring>

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

}  // namespace

std::unique_ptr<FeatureColumn> make_dense_column(const TensorType &type, std::size_t documents) {
    return std::make_unique<DenseColumn>(type, documents);
}

}  // namespace tenrex::tool

// Tensors with an open dimension: the rows of all documents, one after the other.
#include <algorithm>
#include <cstring>

#include "tools/rank/feature_column.h"
#include "tools/rank/tensor_json.h"

namespace tenrex::tool {

namespace {

class RaggedColumn : public FeatureColumn {
public:
    RaggedColumn(const TensorType &type, std::size_t documents)
        : type_(type), bytes_(type_.block_cells() * byte_size(type_.cell_type())) {
        const auto is_open = [](const Dimension &dimension) { return dimension.is_open(); };
        open_ = static_cast<std::size_t>(std::find_if(type_.dimensions().begin(), type_.dimensions().end(), is_open) -
                                         type_.dimensions().begin());
        offsets_.reserve(documents + 1);
        offsets_.push_back(0);
    }

    bool read(JsonCursor &json, SegmentLabels &, ValueProblem &problem) override {
        const std::size_t begin = (json.kind(), json.position());
        if (type_.open_count() > 1) {
            return problem.refuse(json, "values with several open dimensions are not read here", begin);
        }
        const auto tensor = read_tensor(json, begin, type_, problem);
        if (!tensor) {
            return false;
        }
        add_rows(*tensor);
        return true;
    }
    void add_cells(std::string_view cells) override {
        const auto bytes = std::as_bytes(std::span(cells));
        cells_.insert(cells_.end(), bytes.begin(), bytes.end());
        offsets_.push_back(cells_.size() / bytes_);
    }
    void add_missing() override { offsets_.push_back(offsets_.back()); }
    void truncate(std::size_t documents) override {
        offsets_.resize(documents + 1);
        cells_.resize(offsets_.back() * bytes_);
    }
    void finish(const SegmentLabels &) override {
        offsets_.shrink_to_fit();
        cells_.shrink_to_fit();
    }

    Column column(std::size_t first, std::deque<Column::Fill> &) const override {
        return Column::ragged(offsets_.data() + first, cells_.data());
    }
    void gather(std::size_t document, GatheredColumn &into) const override {
        const std::size_t rows = offsets_[document + 1] - offsets_[document];
        into.add({}, std::span(cells_).subspan(offsets_[document] * bytes_, rows * bytes_), rows, false);
    }
    std::size_t memory_bytes() const noexcept override {
        return offsets_.capacity() * sizeof(std::uint64_t) + cells_.capacity();
    }

private:
    // The value has the open dimension somewhere among its dimensions; in rows it is the first.
    void add_rows(const Tensor &value) {
        std::size_t parts = 1;
        std::size_t part_bytes = byte_size(type_.cell_type());
        for (std::size_t i = 0; i < type_.dimensions().size(); ++i) {
            const std::size_t size = i == open_ ? 1 : value.type().dimensions()[i].size;
            (i < open_ ? parts : part_bytes) *= size;
        }
        const std::size_t rows = value.type().dimensions()[open_].size;
        const std::size_t before = cells_.size();
        cells_.resize(before + rows * bytes_);
        const auto *from = static_cast<const std::byte *>(value.view().cells());
        for (std::size_t part = 0; part < parts; ++part) {
            for (std::size_t row = 0; row < rows; ++row, from += part_bytes) {
                std::memcpy(cells_.data() + before + row * bytes_ + part * part_bytes, from, part_bytes);
            }
        }
        offsets_.push_back(offsets_.back() + rows);
    }

    TensorType type_;
    std::size_t bytes_;     // of a row
    std::size_t open_ = 0;  // which dimension is open
    std::vector<std::uint64_t> offsets_;
    std::vector<std::byte> cells_;
};

}  // namespace

std::unique_ptr<FeatureColumn> make_ragged_column(const TensorType &type, std::size_t documents) {
    return std::make_unique<RaggedColumn>(type, documents);
}

}  // namespace tenrex::tool

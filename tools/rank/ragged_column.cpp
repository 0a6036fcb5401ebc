// Tensors with open dimensions: the rows of all documents, one after the other.
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
        offsets_.reserve(documents + 1);
        offsets_.push_back(0);
    }

    bool read(JsonCursor &json, SegmentLabels &, ValueProblem &problem) override {
        const std::size_t begin = (json.kind(), json.position());
        const auto tensor = read_tensor(json, begin, type_, problem);
        if (!tensor) {
            return false;
        }
        const std::vector<std::uint64_t> sizes = sizes_of(tensor->type());
        const auto none = std::count(sizes.begin(), sizes.end(), 0U);
        if (none != 0 && static_cast<std::size_t>(none) != sizes.size()) {
            return problem.refuse(json, "of several open dimensions all have indexes, or none", begin);
        }
        add_rows(*tensor, sizes);
        return true;
    }
    void add_cells(std::string_view cells) override {
        const auto bytes = std::as_bytes(std::span(cells));
        cells_.insert(cells_.end(), bytes.begin(), bytes.end());
        add_sizes(std::vector<std::uint64_t>{cells.size() / bytes_});
    }
    void add_missing() override { add_sizes(std::vector<std::uint64_t>(type_.open_count(), 0)); }
    void truncate(std::size_t documents) override {
        offsets_.resize(documents + 1);
        sizes_.resize(documents * type_.open_count());
        cells_.resize(offsets_.back() * bytes_);
    }
    void finish(const SegmentLabels &) override {
        offsets_.shrink_to_fit();
        sizes_.shrink_to_fit();
        cells_.shrink_to_fit();
    }

    Column column(std::size_t first, std::deque<Column::Fill> &) const override {
        return Column::ragged(offsets_.data() + first, cells_.data(), sizes_.data() + first * type_.open_count());
    }
    void gather(std::size_t document, GatheredColumn &into) const override {
        const std::size_t rows = offsets_[document + 1] - offsets_[document];
        const std::size_t open = type_.open_count();
        into.add_rows(std::span(cells_).subspan(offsets_[document] * bytes_, rows * bytes_), rows,
                      std::span(sizes_).subspan(document * open, open));
    }
    std::size_t memory_bytes() const noexcept override {
        return (offsets_.capacity() + sizes_.capacity()) * sizeof(std::uint64_t) + cells_.capacity();
    }

private:
    std::vector<std::uint64_t> sizes_of(const TensorType &value) const {
        std::vector<std::uint64_t> sizes;
        for (std::size_t i = 0; i < value.dimensions().size(); ++i) {
            if (type_.dimensions()[i].is_open()) {
                sizes.push_back(value.dimensions()[i].size);
            }
        }
        return sizes;
    }
    void add_sizes(const std::vector<std::uint64_t> &sizes) {
        std::uint64_t rows = 1;
        for (const std::uint64_t size : sizes) {
            rows *= size;
        }
        offsets_.push_back(offsets_.back() + rows);
        sizes_.insert(sizes_.end(), sizes.begin(), sizes.end());
    }
    // The value has the open dimensions somewhere among its dimensions; in rows they come first.
    void add_rows(const Tensor &value, const std::vector<std::uint64_t> &sizes) {
        add_sizes(sizes);
        const std::vector<Dimension> &dimensions = value.type().dimensions();
        const std::size_t before = cells_.size();
        cells_.resize(offsets_.back() * bytes_);
        // The last dimensions that are not open lie side by side in a row, too.
        std::size_t inner = dimensions.size();
        std::size_t part_bytes = byte_size(type_.cell_type());
        for (; !type_.dimensions()[inner - 1].is_open(); --inner) {
            part_bytes *= dimensions[inner - 1].size;
        }
        const auto *from = static_cast<const std::byte *>(value.view().cells());
        for (std::size_t part = 0; part < (cells_.size() - before) / part_bytes; ++part, from += part_bytes) {
            std::size_t rest = part;
            std::size_t row = 0, rows = 1, place = 0, bytes = part_bytes;
            for (std::size_t i = inner; i-- > 0; rest /= dimensions[i].size) {
                const std::size_t size = dimensions[i].size;
                const bool is_open = type_.dimensions()[i].is_open();
                (is_open ? row : place) += rest % size * (is_open ? rows : bytes);
                (is_open ? rows : bytes) *= size;
            }
            std::memcpy(cells_.data() + before + row * bytes_ + place, from, part_bytes);
        }
    }

    TensorType type_;
    std::size_t bytes_;  // of a row
    std::vector<std::uint64_t> offsets_;
    std::vector<std::uint64_t> sizes_;  // of each document as many as there are open dimensions
    std::vector<std::byte> cells_;
};

}  // namespace

std::unique_ptr<FeatureColumn> make_ragged_column(const TensorType &type, std::size_t documents) {
    return std::make_unique<RaggedColumn>(type, documents);
}

}  // namespace tenrex::tool

// Tensors with mapped dimensions: the blocks of all documents, one after the other.
#include <algorithm>
#include <cstring>

#include "tools/rank/feature_column.h"
#include "tools/rank/tensor_json.h"

namespace tenrex::tool {

namespace {

using Kind = JsonCursor::Kind;

// These members of an object say that it is not the content itself.
bool is_reserved(std::string_view name) {
    return name == "type" || name == "cells" || name == "values" || name == "blocks";
}

class SparseColumn : public FeatureColumn {
public:
    SparseColumn(const TensorType &type, SparseForm form, std::size_t documents)
        : type_(type), form_(form), block_bytes_(type.block_cells() * byte_size(type.cell_type())) {
        offsets_.reserve(documents + 1);
        offsets_.push_back(0);
    }

    bool read(JsonCursor &json, SegmentLabels &labels, ValueProblem &problem) override {
        const bool read = form_ == SparseForm::tensor ? read_tensor_value(json, labels, problem)
                          : form_ == SparseForm::labels || form_ == SparseForm::weighted_set
                              ? read_set(json, labels, problem)
                              : read_array(json, problem);
        if (read) {
            offsets_.push_back(labels_.size() / type_.mapped_count());
        } else {
            drop_unfinished();
        }
        return read;
    }
    void add_cells(std::string_view cells) override {
        const auto *const bytes = reinterpret_cast<const std::byte *>(cells.data());
        cells_.insert(cells_.end(), bytes, bytes + cells.size());
        const std::uint64_t blocks = cells.size() / block_bytes_;
        for (std::uint64_t block = 0; block < blocks; ++block) {
            labels_.push_back(numeric_label(block));
        }
        offsets_.push_back(offsets_.back() + blocks);
    }
    void add_missing() override { offsets_.push_back(offsets_.back()); }
    void truncate(std::size_t documents) override {
        offsets_.resize(documents + 1);
        drop_unfinished();
    }
    void finish(const SegmentLabels &labels) override;

    Column column(std::size_t first, std::deque<Column::Fill> &) const override {
        return Column::sparse(offsets_.data() + first, labels_.data(), cells_.data(), type_.mapped_count() == 1);
    }
    void gather(std::size_t document, GatheredColumn &into) const override {
        const std::size_t begin = offsets_[document], blocks = offsets_[document + 1] - begin;
        const std::size_t mapped = type_.mapped_count();
        into.add(std::span(labels_).subspan(begin * mapped, blocks * mapped),
                 std::span(cells_).subspan(begin * block_bytes_, blocks * block_bytes_), blocks, mapped == 1);
    }
    std::size_t memory_bytes() const noexcept override {
        return offsets_.capacity() * sizeof(offsets_[0]) + labels_.capacity() * sizeof(Label) + cells_.capacity();
    }

private:
    void drop_unfinished() {
        labels_.resize(offsets_.back() * type_.mapped_count());
        cells_.resize(offsets_.back() * block_bytes_);
    }
    void add_number(Label label, double value);
    bool read_tensor_value(JsonCursor &json, SegmentLabels &labels, ValueProblem &problem);
    bool read_direct(JsonCursor &json, SegmentLabels &labels);
    bool read_set(JsonCursor &json, SegmentLabels &labels, ValueProblem &problem);
    bool read_array(JsonCursor &json, ValueProblem &problem);

    TensorType type_;
    SparseForm form_;
    std::size_t block_bytes_;
    std::vector<std::uint64_t> offsets_;
    std::vector<Label> labels_;
    std::vector<std::byte> cells_;
};

void SparseColumn::add_number(Label label, double value) {
    labels_.push_back(label);
    const auto *const bytes = reinterpret_cast<const std::byte *>(&value);
    cells_.insert(cells_.end(), bytes, bytes + sizeof(value));
}

// The content of a tensor with one mapped dimension: {"a":1} or {"a":[1,2]}. False for every other form.
bool SparseColumn::read_direct(JsonCursor &json, SegmentLabels &labels) {
    if (type_.mapped_count() != 1 || json.kind() != Kind::object) {
        return false;
    }
    JsonCursor ahead = json;
    std::string_view name;
    for (bool more = ahead.enter_object(name); more; more = ahead.next_member(name)) {
        if (name.empty() || is_reserved(name)) {
            return false;
        }
        labels_.push_back(labels.add(name));
        const std::size_t end = cells_.size();
        cells_.resize(end + block_bytes_);
        double value = 0;
        if (type_.has_indexed()) {
            if (ahead.kind() != Kind::array || !read_flat_cells(ahead, type_, cells_.data() + end)) {
                return false;
            }
        } else if (ahead.kind() == Kind::number && ahead.number(value)) {
            visit_cell_type(type_.cell_type(), [&](auto zero) {
                const auto cell = to_cell<decltype(zero)>(value);
                std::memcpy(cells_.data() + end, &cell, sizeof(cell));
            });
        } else {
            return false;
        }
    }
    if (ahead.failed()) {
        return false;
    }
    json.rewind(ahead.position());
    return true;
}

bool SparseColumn::read_tensor_value(JsonCursor &json, SegmentLabels &labels, ValueProblem &problem) {
    const std::size_t begin = (json.kind(), json.position());
    if (read_direct(json, labels)) {
        return true;
    }
    drop_unfinished();
    const auto tensor = read_tensor(json, begin, type_, problem);
    if (!tensor) {
        return false;
    }
    const TensorView view = tensor->view();
    for (std::size_t block = 0; block < view.blocks(); ++block) {
        for (const Label label : view.address(block)) {
            labels_.push_back(is_numeric(label) ? label : labels.add(view.labels()->stored_text(label)));
        }
    }
    const auto *const cells = static_cast<const std::byte *>(view.cells());
    cells_.insert(cells_.end(), cells, cells + view.blocks() * block_bytes_);
    return true;
}

bool SparseColumn::read_set(JsonCursor &json, SegmentLabels &labels, ValueProblem &problem) {
    SetReader reader(json);
    while (reader.next()) {
        add_number(labels.add(reader.key()), reader.weight());
    }
    return reader.succeeded(problem);
}

bool SparseColumn::read_array(JsonCursor &json, ValueProblem &problem) {
    const std::size_t begin = (json.kind(), json.position());
    std::uint64_t index = 0;
    for (bool more = json.enter_array(); more; more = json.next_element()) {
        double value = 0;
        if (!(form_ == SparseForm::array_of_strings ? read_text(json, value, problem)
                                                    : read_number(json, value, problem))) {
            return false;
        }
        add_number(numeric_label(index++), value);
    }
    return !json.failed() || problem.refuse(json, {}, begin);
}

// With one mapped dimension the labels of each document come to ascend, and each is there once.
void SparseColumn::finish(const SegmentLabels &labels) {
    std::transform(labels_.begin(), labels_.end(), labels_.begin(), [&](Label label) { return labels.id(label); });
    if (type_.mapped_count() == 1) {
        std::vector<Label> sorted;
        std::vector<std::byte> cells;
        sorted.reserve(labels_.size());
        cells.reserve(cells_.size());
        std::vector<std::pair<Label, std::size_t>> order;
        for (std::size_t document = 0; document + 1 < offsets_.size(); ++document) {
            order.clear();
            for (std::size_t block = offsets_[document]; block < offsets_[document + 1]; ++block) {
                order.emplace_back(labels_[block], block);
            }
            std::sort(order.begin(), order.end());
            offsets_[document] = sorted.size();
            for (const auto &[label, block] : order) {
                const std::byte *const from = cells_.data() + block * block_bytes_;
                if (sorted.size() == offsets_[document] || sorted.back() != label) {
                    sorted.push_back(label);
                    cells.insert(cells.end(), from, from + block_bytes_);
                } else if (form_ == SparseForm::labels) {
                    double count = 0;
                    std::memcpy(&count, cells.data() + cells.size() - sizeof(count), sizeof(count));
                    ++count;
                    std::memcpy(cells.data() + cells.size() - sizeof(count), &count, sizeof(count));
                }
            }
        }
        offsets_.back() = sorted.size();
        labels_ = std::move(sorted);
        cells_ = std::move(cells);
    }
    labels_.shrink_to_fit();
    cells_.shrink_to_fit();
    offsets_.shrink_to_fit();
}

}  // namespace

std::unique_ptr<FeatureColumn> make_sparse_column(const TensorType &type, SparseForm form, std::size_t documents) {
    return std::make_unique<SparseColumn>(type, form, documents);
}

}  // namespace tenrex::tool

#include "tools/rank/feature_column.h"

#include <limits>
#include <utility>

namespace tenrex::tool {

Status FeatureColumn::take_rows(const NpyView &, std::uint64_t, std::size_t) {
    return Error("its values are no rows of an array", "numbers and tensors without labels are");
}

Label SegmentLabels::add(std::string_view text) {
    if (const auto number = canonical_number(text)) {
        return numeric_label(*number);
    }
    const auto found = numbers_.find(text);
    if (found != numbers_.end()) {
        return Label{stand_in | found->second};
    }
    const std::size_t number = texts_.size();
    texts_.emplace_back(text);
    numbers_.emplace(texts_.back(), number);
    return Label{stand_in | number};
}

void SegmentLabels::intern(LabelTable &table) {
    ids_.reserve(texts_.size());
    for (const std::string &text : texts_) {
        ids_.push_back(table.intern(text));
    }
}

void GatheredColumn::clear() {
    documents_ = 0;
    cells_.clear();
    offsets_.clear();
    labels_.clear();
    sizes_.clear();
}

void GatheredColumn::add(double number) {
    add(std::as_bytes(std::span(&number, 1)));
}

void GatheredColumn::add(std::span<const std::byte> cells) {
    ++documents_;
    cells_.insert(cells_.end(), cells.begin(), cells.end());
}

void GatheredColumn::add(std::span<const Label> labels, std::span<const std::byte> cells, std::size_t blocks,
                         bool sorted) {
    if (offsets_.empty()) {
        offsets_.push_back(0);
    }
    offsets_.push_back(offsets_.back() + blocks);
    labels_.insert(labels_.end(), labels.begin(), labels.end());
    sorted_ = sorted;
    add(cells);
}

void GatheredColumn::add_rows(std::span<const std::byte> cells, std::size_t rows,
                              std::span<const std::uint64_t> sizes) {
    sizes_.insert(sizes_.end(), sizes.begin(), sizes.end());
    add({}, cells, rows, false);
}

Column GatheredColumn::column() const noexcept {
    if (!sizes_.empty()) {
        return Column::ragged(offsets_.data(), cells_.data(), sizes_.data());
    }
    if (!offsets_.empty()) {
        return Column::sparse(offsets_.data(), labels_.data(), cells_.data(), sorted_);
    }
    const std::size_t stride = documents_ > 0 ? cells_.size() / documents_ : 0;
    return Column::dense(cells_.data(), static_cast<std::ptrdiff_t>(stride));
}

namespace {

// A column of what the JSON of the field itself is.
std::unique_ptr<FeatureColumn> make_plain_column(const ColumnNeed &need, const Attribute *attribute,
                                                 std::size_t documents) {
    if (need.source == ColumnSource::labels) {
        return make_sparse_column(need.type, SparseForm::labels, documents);
    }
    if (attribute != nullptr) {
        switch (attribute->kind) {
            case AttributeKind::string:
                return make_text_column(documents);
            case AttributeKind::array:
                return make_sparse_column(
                    need.type, attribute->of_strings ? SparseForm::array_of_strings : SparseForm::array_of_numbers,
                    documents);
            case AttributeKind::weighted_set:
                return make_sparse_column(need.type, SparseForm::weighted_set, documents);
            case AttributeKind::number:
            case AttributeKind::tensor:
                break;
        }
    }
    const auto of_engine = need.source == ColumnSource::host ? engine_feature(need.name) : std::nullopt;
    const bool is_bool = attribute != nullptr && attribute->is_bool;
    const double missing = of_engine ? of_engine->value : is_bool ? 0 : std::numeric_limits<double>::quiet_NaN();
    return need.type.is_scalar()    ? make_number_column(documents, missing)
           : need.type.has_open()   ? make_ragged_column(need.type, documents)
           : need.type.has_mapped() ? make_sparse_column(need.type, SparseForm::tensor, documents)
                                    : make_dense_column(need.type, documents);
}

}  // namespace

std::unique_ptr<FeatureColumn> make_feature_column(const ColumnNeed &need, const Attribute *attribute,
                                                   std::size_t documents) {
    if (need.source == ColumnSource::structs) {
        return make_struct_tensor_column(need, documents);
    }
    auto column = make_plain_column(need, attribute, documents);
    const bool of_struct = attribute != nullptr && attribute->of_struct;
    return of_struct ? make_member_column(*attribute, std::move(column)) : std::move(column);
}

}  // namespace tenrex::tool

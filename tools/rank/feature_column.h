// The values of one feature for a segment of documents, read from JSON into the memory that plans evaluate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <tenrex/label.h>
#include <tenrex/plan.h>
#include <tenrex/rank_profile.h>

#include "tools/npz/npy_array.h"
#include "tools/rank/json_cursor.h"
#include "tools/rank/value_reader.h"

namespace tenrex::tool {

// The texts of labels of one segment. Threads read segments side by side; in the order of the segments, the texts get
// the ids of the table that all share.
class SegmentLabels {
public:
    // A stand-in for the id, unless the label is a number.
    Label add(std::string_view text);
    void intern(LabelTable &table);
    // The id that a stand-in became.
    Label id(Label label) const noexcept { return is_numeric(label) ? label : ids_[index(label)]; }

private:
    static constexpr std::uint64_t stand_in = std::uint64_t{1} << 63;
    static std::size_t index(Label label) noexcept { return static_cast<std::uint64_t>(label) & ~stand_in; }

    std::deque<std::string> texts_;
    std::unordered_map<std::string_view, std::size_t> numbers_;
    std::vector<Label> ids_;
};

// Values of documents that lie anywhere, brought together as a column.
class GatheredColumn {
public:
    void clear();
    // The next document: a number, the cells of a dense value, or the blocks of a sparse one.
    void add(double number);
    void add(std::span<const std::byte> cells);
    void add(std::span<const Label> labels, std::span<const std::byte> cells, std::size_t blocks, bool sorted);
    // The rows of a value with open dimensions, and the size of each of them.
    void add_rows(std::span<const std::byte> cells, std::size_t rows, std::span<const std::uint64_t> sizes);

    // Valid until something is added.
    Column column() const noexcept;
    std::size_t bytes() const noexcept { return cells_.size() + labels_.size() * sizeof(Label); }

private:
    std::size_t documents_ = 0;
    std::vector<std::byte> cells_;
    std::vector<std::uint64_t> offsets_;  // empty of dense values
    std::vector<Label> labels_;
    std::vector<std::uint64_t> sizes_;  // empty but of values with open dimensions
    bool sorted_ = false;
};

// Texts as the words in them.
struct SegmentTexts {
    std::unordered_map<std::string, std::uint32_t> numbers;  // of the words, in the order in which they came
    std::vector<std::uint32_t> words;                        // text by text
    std::vector<std::size_t> ends;                           // of each document, where its words end
};

class FeatureColumn {
public:
    virtual ~FeatureColumn() = default;

    // Takes the value of the next document. False if it is wrong; then `problem` tells, and nothing was added.
    virtual bool read(JsonCursor &json, SegmentLabels &labels, ValueProblem &problem) = 0;
    // Takes the rows of an array as the values of the next documents. Error: the field has other values.
    virtual Status take_rows(const NpyView &rows, std::uint64_t first, std::size_t count);
    // Takes the cells of the next document as they are in memory: those of a tensor without labels, or blocks under the
    // labels 0, 1, ...
    virtual void add_cells(std::string_view) {}
    // The next document has no value.
    virtual void add_missing() = 0;
    // Forgets all but the first documents.
    virtual void truncate(std::size_t documents) = 0;
    // Nothing will be added any more: gives back what is not needed. The labels have their ids.
    virtual void finish(const SegmentLabels &labels) = 0;

    // The documents from number `first` on. What the column refers to beyond its own memory is kept in `fills`.
    virtual Column column(std::size_t first, std::deque<Column::Fill> &fills) const = 0;
    // Adds the value of one document.
    virtual void gather(std::size_t document, GatheredColumn &into) const = 0;
    // The cells of a document, of a dense column.
    virtual std::span<const std::byte> cells(std::size_t) const noexcept { return {}; }
    // The texts of a document, of a column of strings; nothing: it has no value.
    virtual std::optional<std::span<const std::string>> strings(std::size_t) const noexcept { return std::nullopt; }
    // The words of a column of texts; null of others.
    virtual const SegmentTexts *texts() const noexcept { return nullptr; }
    virtual std::size_t memory_bytes() const noexcept = 0;
};

// A column with room for that many documents. attribute: the one that the need names, or null.
std::unique_ptr<FeatureColumn> make_feature_column(const ColumnNeed &need, const Attribute *attribute,
                                                   std::size_t documents);

// missing: what a document without the value has.
std::unique_ptr<FeatureColumn> make_number_column(std::size_t documents, double missing);
std::unique_ptr<FeatureColumn> make_text_column(std::size_t documents);
std::unique_ptr<FeatureColumn> make_words_column(std::size_t documents);
// Of a text for each document, or of a list of texts.
std::unique_ptr<FeatureColumn> make_string_column(std::size_t documents);
std::unique_ptr<FeatureColumn> make_string_lists_column(std::size_t documents);
std::unique_ptr<FeatureColumn> make_dense_column(const TensorType &type, std::size_t documents);
// Of a type with open dimensions and no mapped ones.
std::unique_ptr<FeatureColumn> make_ragged_column(const TensorType &type, std::size_t documents);
// What the JSON of a sparse column's documents is.
enum class SparseForm {
    tensor,
    array_of_numbers,  // the elements under the labels 0, 1, ...
    array_of_strings,  // their string_number() under the labels 0, 1, ...
    weighted_set,      // the weights under the keys
    labels             // the number of occurrences under the elements
};
// Of a struct or an array of structs in the JSON the member that the attribute names; `column` is of its type.
std::unique_ptr<FeatureColumn> make_member_column(const Attribute &attribute, std::unique_ptr<FeatureColumn> column);
// Of an array of structs a member as labels and another as cells.
std::unique_ptr<FeatureColumn> make_struct_tensor_column(const ColumnNeed &need, std::size_t documents);
std::unique_ptr<FeatureColumn> make_sparse_column(const TensorType &type, SparseForm form, std::size_t documents);

}  // namespace tenrex::tool

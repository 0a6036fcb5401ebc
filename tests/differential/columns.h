// Columns of documents laid out in every way that a caller may: packed, with gaps, not aligned, one for all documents,
// computed, shared by two inputs, after other documents, with labels that ascend or not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include <tenrex/plan.h>

#include "tests/reference/random_expression.h"

namespace tenrex::differential {

// The values of the documents of one input, with the blocks of each in the order in which all its columns have them.
class InputValues {
public:
    // Which order that is depends on `source`. Interns the labels.
    InputValues(const InputDeclaration &input, const random::RandomExpression &expression, LabelTable &labels,
                random::Source source);

    const TensorType &type() const noexcept { return type_; }
    std::size_t bytes(std::size_t document) const noexcept { return documents_[document].cells.size(); }
    bool ascends() const noexcept { return ascends_; }
    // Whether all documents have the same cells and labels.
    bool is_same_for(std::span<const std::size_t> order) const;
    bool operator==(const InputValues &other) const { return type_ == other.type_ && documents_ == other.documents_; }

private:
    friend class Columns;
    struct Document {
        std::vector<Label> labels;
        std::vector<std::byte> cells;
        std::size_t blocks = 0;
        bool operator==(const Document &) const = default;
    };
    TensorType type_;
    std::vector<Document> documents_;
    bool ascends_ = false;  // the columns may say so: one mapped dimension, ascending labels in all documents
};

// The columns for a block whose document i has the values of documents order[i]; they own their memory.
class Columns {
public:
    // Any layouts, or packed ones after no other documents.
    enum class Layout { packed, any };
    Columns(std::span<const InputValues> inputs, std::span<const std::size_t> order, Layout layout,
            random::Source source);
    Columns(const Columns &) = delete;
    Columns &operator=(const Columns &) = delete;

    Block block() const noexcept { return {documents_, columns_, first_}; }
    // How each column is laid out, for messages and counts.
    const std::vector<std::string> &layouts() const noexcept { return layouts_; }

private:
    void add(const InputValues &input, std::span<const std::size_t> order, Layout layout, random::Source &source);
    void add_sparse(const InputValues &input, std::span<const std::size_t> order, std::size_t offset);
    std::byte *room(std::size_t bytes, std::size_t offset);

    std::size_t documents_;
    std::size_t first_ = 0;
    std::vector<Column> columns_;
    std::vector<std::string> layouts_;
    std::deque<std::vector<std::byte>> cells_;  // deques: columns point to what they hold
    std::deque<std::vector<Label>> labels_;
    std::deque<std::vector<std::uint64_t>> offsets_;
    std::deque<Column::Fill> fills_;
};

}  // namespace tenrex::differential

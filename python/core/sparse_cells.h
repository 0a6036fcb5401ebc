// The values of many documents for an input with mapped dimensions, checked, with all that they need to stay valid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include <tenrex/label.h>
#include <tenrex/plan.h>
#include <tenrex/tensor_type.h>

#include "python/core/python.h"

namespace tenrex::python {

// The labels of some documents, which stay in their table as long as this lives. With the GIL, for one thread at a
// time.
class LabelHolder {
public:
    explicit LabelHolder(std::shared_ptr<LabelTable> table) : held_(std::move(table)) {}

    const std::shared_ptr<LabelTable> &table() const noexcept { return held_.table(); }
    // Writes the ids of texts, or of numbers that are no less than 0, to a buffer of 64-bit numbers.
    void hold(const py::sequence &labels, const py::object &ids);
    // The same for texts that lie one after the other in UTF-8; text i is [offsets[i], offsets[i+1]).
    void hold_texts(const py::object &offsets, const py::object &bytes, const py::object &ids);
    // The id of one text.
    Label hold(std::string_view text);

private:
    HeldLabels held_;
};

// Blocks of documents, as Column::sparse describes them, in memory of their own.
struct SparseBlocks {
    std::vector<std::uint64_t> offsets = {0};
    std::vector<Label> labels;
    std::vector<std::byte> cells;
};

class SparseCells {
public:
    // offsets: 64-bit numbers, one more than documents; document d has the blocks from offsets[d] to offsets[d+1].
    // labels: 64-bit ids, one for each block and mapped dimension. Both are copied and put in order; the addresses of a
    // document must differ. cells: blocks one after the other, which are borrowed if they need no other order.
    // single: it is one value, and no column of one document.
    SparseCells(const TensorType &type, std::shared_ptr<LabelHolder> holder, const py::object &offsets,
                const py::object &labels, const py::object &cells, bool single);
    // The same of blocks that fit the type.
    SparseCells(const TensorType &type, std::shared_ptr<LabelHolder> holder, SparseBlocks blocks, bool single);

    const TensorType &type() const noexcept { return type_; }
    const std::shared_ptr<LabelHolder> &holder() const noexcept { return holder_; }
    std::size_t documents() const noexcept { return offsets_.size() - 1; }
    std::size_t blocks() const noexcept { return offsets_.back(); }
    bool single() const noexcept { return single_; }
    Column column() const noexcept;
    // Those of some documents, by their numbers.
    std::shared_ptr<SparseCells> take(const py::object &documents) const;
    // The value of one document.
    Tensor tensor(std::size_t document) const;

private:
    SparseCells(const SparseCells &all, const std::vector<std::uint64_t> &documents);
    void put_in_order();
    const std::byte *cells() const noexcept;

    TensorType type_;
    std::shared_ptr<LabelHolder> holder_;
    bool single_ = false;
    std::vector<std::uint64_t> offsets_;
    std::vector<Label> labels_;
    std::vector<std::byte> own_cells_;  // if they are not borrowed
    BufferView borrowed_;
};

}  // namespace tenrex::python

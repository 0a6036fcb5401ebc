// Documents' values as a column, collected tensor by tensor.
//
//   tenrex::ColumnBuffer buffer(type, plan->labels());
//   buffer.append(tensor);   // the next document
//   tenrex::Column column = buffer.column();
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <tenrex/export.h>
#include <tenrex/label.h>
#include <tenrex/plan.h>
#include <tenrex/tensor.h>

namespace tenrex {

class TENREX_EXPORT ColumnBuffer {
public:
    // labels: the table of the plans that will read the column.
    ColumnBuffer(TensorType type, std::shared_ptr<LabelTable> labels);

    const TensorType &type() const noexcept { return type_; }
    std::size_t documents() const noexcept { return documents_; }
    // The value of the next document, which must have the column's type.
    Status append(const Tensor &tensor);
    // A scalar, for a column of type double.
    void append(double value);
    // Describes what has been appended so far; appending more makes it invalid.
    Column column() const noexcept;
    // The same without the first documents.
    Column column(std::size_t first) const noexcept;
    std::size_t memory_bytes() const noexcept;

private:
    TensorType type_;
    std::shared_ptr<LabelTable> labels_;
    std::size_t documents_ = 0;
    std::vector<std::byte> cells_;
    std::vector<std::uint64_t> offsets_;
    std::vector<Label> addresses_;                      // with one mapped dimension: ascending within each document
    std::vector<std::pair<Label, std::size_t>> order_;  // of the blocks of the last document
};

}  // namespace tenrex

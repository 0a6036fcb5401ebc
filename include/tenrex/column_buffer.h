// Documents' values as a column, collected tensor by tensor.
//
//   tenrex::ColumnBuffer buffer(type, plan->labels());
//   buffer.append(tensor);   // the next document
//   tenrex::Column column = buffer.column();
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include <tenrex/export.h>
#include <tenrex/label.h>
#include <tenrex/plan.h>
#include <tenrex/tensor.h>

namespace tenrex {

// Begins with a cache line: vectors of documents whose size is a multiple of one then lie in one line each.
template <class T>
struct CacheLineAllocator {
    using value_type = T;
    static constexpr std::align_val_t alignment{64};

    CacheLineAllocator() = default;
    template <class Other>
    explicit CacheLineAllocator(const CacheLineAllocator<Other> &) noexcept {}
    T *allocate(std::size_t count) { return static_cast<T *>(::operator new(count * sizeof(T), alignment)); }
    void deallocate(T *memory, std::size_t) noexcept { ::operator delete(memory, alignment); }
    friend bool operator==(const CacheLineAllocator &, const CacheLineAllocator &) = default;
};

class TENREX_EXPORT ColumnBuffer {
public:
    // labels: the table of the plans that will read the column.
    ColumnBuffer(TensorType type, std::shared_ptr<LabelTable> labels);
    // For documents that come and go: their labels are held, and not interned. Not for several threads at a time.
    ColumnBuffer(TensorType type, std::shared_ptr<HeldLabels> labels);

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
    std::shared_ptr<LabelTable> labels_;  // one of them
    std::shared_ptr<HeldLabels> held_;
    std::size_t documents_ = 0;
    std::vector<std::byte, CacheLineAllocator<std::byte>> cells_;
    std::vector<std::uint64_t> offsets_;
    std::vector<std::uint64_t> sizes_;                  // of several open dimensions, for each document
    std::vector<Label> addresses_;                      // with one mapped dimension: ascending within each document
    std::vector<std::pair<Label, std::size_t>> order_;  // of the blocks of the last document
};

}  // namespace tenrex

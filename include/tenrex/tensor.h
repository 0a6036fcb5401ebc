// Tensor values. A value is a list of dense blocks; each block has an address, one label per mapped dimension, and
// type.block_cells() cells, the last indexed dimension innermost. Without mapped dimensions there is exactly one block;
// with them, and an indexed dimension of size 0, there is none.
//
//   tenrex::TensorBuilder builder(type);                       // tensor<float>(k{},x[2])
//   std::array<std::string_view, 1> address{"a"};
//   builder.set(builder.block(address), 0, 1.5);               // block {k:a} is [1.5, 0]
//   tenrex::Tensor tensor = std::move(builder).build();
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenrex/export.h>
#include <tenrex/label.h>
#include <tenrex/tensor_type.h>

namespace tenrex {

class AddressIndex;
class DerivedCells;
class MappedFile;

// Describes a value that something else owns. Nothing is copied; what it points to must outlive it.
class TENREX_EXPORT TensorView {
public:
    // addresses: blocks * type.mapped_count() labels, block by block, dimensions in the type's order. labels: the table
    // that gave them; may be null if all of them are numeric.
    // cells: blocks * type.block_cells() cells of the type's cell type; need not be aligned.
    TensorView(const TensorType &type, const LabelTable *labels, const Label *addresses, std::size_t blocks,
               const void *cells) noexcept
        : type_(&type), labels_(labels), addresses_(addresses), blocks_(blocks), cells_(cells) {}

    const TensorType &type() const noexcept { return *type_; }
    std::size_t blocks() const noexcept { return blocks_; }
    std::size_t cell_count() const noexcept { return blocks_ * type_->block_cells(); }
    const void *cells() const noexcept { return cells_; }
    const LabelTable *labels() const noexcept { return labels_; }
    std::span<const Label> address(std::size_t block) const noexcept {
        return {addresses_ + block * type_->mapped_count(), type_->mapped_count()};
    }
    // The text of the label of mapped dimension `mapped` (counted among the mapped ones) of a block.
    std::string label(std::size_t block, std::size_t mapped) const;
    // Cell number `index` of the whole value, converted to double.
    double cell(std::size_t index) const noexcept;

private:
    const TensorType *type_;
    const LabelTable *labels_;
    const Label *addresses_;
    std::size_t blocks_;
    const void *cells_;
};

// The number that a string stands for in expressions: equal texts have equal numbers, so that ==, != and `in` compare
// them. Never NaN or infinite.
TENREX_EXPORT double string_number(std::string_view text) noexcept;

class Tensor;
TENREX_EXPORT bool operator==(const Tensor &a, const Tensor &b);

// Owns a value. Immutable; copies share the storage.
class TENREX_EXPORT Tensor {
public:
    // The scalar 0.
    Tensor();
    // A scalar.
    explicit Tensor(double value);
    // A string: a scalar, the string_number() of the text, that knows the text.
    static Tensor string(std::string text);

    const TensorType &type() const noexcept { return storage_->type; }
    std::size_t blocks() const noexcept { return storage_->blocks; }
    std::size_t cell_count() const noexcept { return blocks() * type().block_cells(); }
    double cell(std::size_t index) const noexcept { return view().cell(index); }
    std::string label(std::size_t block, std::size_t mapped) const { return view().label(block, mapped); }
    // The value of a scalar.
    double as_double() const noexcept { return cell(0); }
    bool is_string() const noexcept { return storage_->text.has_value(); }
    // Of a string; empty of other values.
    std::string_view text() const noexcept {
        return is_string() ? std::string_view(*storage_->text) : std::string_view();
    }
    // The cells as their storage type; T must be that of the cell type. 64-byte aligned: of a weight that stands in a
    // file it is a copy, made at the first call, as are cells that are rounded from such.
    template <class T>
    std::span<const T> cells() const noexcept {
        const bool has_own = storage_->file == nullptr && storage_->derived == nullptr;
        return {reinterpret_cast<const T *>(has_own ? storage_->cells : aligned_cells()), cell_count()};
    }
    TensorView view() const noexcept;
    // Bytes of cells, addresses and labels, without cells that stand in a file.
    std::size_t memory_bytes() const noexcept;

    // Same type, same addresses, cells equal or both NaN; the order of the blocks does not matter.
    friend bool operator==(const Tensor &a, const Tensor &b);

private:
    friend class TensorBuilder;
    friend struct DerivedTensor;
    friend struct MappedTensor;
    struct Storage {
        TensorType type;
        LabelTable labels;
        std::vector<Label> addresses;
        std::size_t blocks = 0;
        std::size_t capacity = 0;                        // blocks that `cells` has room for
        std::byte *cells = nullptr;                      // zeros beyond the blocks in use
        std::optional<std::string> text;                 // of a string
        std::shared_ptr<const MappedFile> file;          // that holds the cells
        mutable std::atomic<std::byte *> copy{nullptr};  // of those, if somebody asked for it
        std::shared_ptr<DerivedCells> derived;           // the cells, if they can be made again

        explicit Storage(TensorType of) : type(std::move(of)) {}
        Storage(const Storage &) = delete;
        Storage &operator=(const Storage &) = delete;
        ~Storage();
        // Makes room for that many blocks.
        void reserve(std::size_t wanted);
    };
    static std::shared_ptr<Storage> scalar(double value);
    const std::byte *aligned_cells() const noexcept;
    explicit Tensor(std::shared_ptr<const Storage> storage) : storage_(std::move(storage)) {}
    std::shared_ptr<const Storage> storage_;
};

// Makes a Tensor block by block.
class TENREX_EXPORT TensorBuilder {
public:
    // Starts with no block, or with one block of zeros if the type has no mapped dimension.
    explicit TensorBuilder(TensorType type);
    TensorBuilder(const TensorBuilder &) = delete;
    TensorBuilder &operator=(const TensorBuilder &) = delete;
    ~TensorBuilder();

    const TensorType &type() const noexcept { return storage_->type; }
    std::size_t blocks() const noexcept { return storage_->blocks; }
    // The number of the block with that address, one label per mapped dimension; a new block is all zeros.
    std::size_t block(std::span<const std::string_view> address);
    bool has_block(std::span<const std::string_view> address) const;
    // Makes room for that many blocks, so that adding them moves no cells.
    void reserve(std::size_t blocks);
    // Number of cells is type().block_cells(); cell `index` counts within the block.
    void set(std::size_t block, std::size_t index, double value) noexcept;
    double get(std::size_t block, std::size_t index) const noexcept;
    // The raw cells of a block; valid until the next block is added.
    void *cells(std::size_t block) noexcept;
    Tensor build() &&;

private:
    std::shared_ptr<Tensor::Storage> storage_;
    std::unique_ptr<AddressIndex> index_;
    std::vector<Label> address_;  // of the block being looked up
};

}  // namespace tenrex

#include "lib/storage/derived_tensor.h"

#include <cassert>
#include <memory>
#include <utility>

#include "lib/storage/cell_memory.h"
#include "lib/storage/cells_hash.h"
#include "lib/types/block_layout.h"

namespace tenrex {

DerivedCells::DerivedCells(std::byte *cells, std::size_t bytes, Make make) noexcept
    : bytes_(bytes), make_(std::move(make)), cells_(cells) {
    if (cells_ != nullptr) {
        hash_ = cells_hash(cells_, bytes_);
    }
}

DerivedCells::~DerivedCells() {
    release_cells(cells_);
}

void DerivedCells::make_cells() {
    if (cells_ == nullptr) {
        // Making them may fail halfway.
        std::unique_ptr<std::byte, void (*)(std::byte *)> made(allocate_cells(bytes_), release_cells);
        make_(made.get());
        cells_ = made.release();
    }
}

const std::byte *DerivedCells::keep() noexcept {
    const std::scoped_lock lock(mutex_);
    make_cells();
    is_kept_ = true;
    return cells_;
}

const std::byte *DerivedCells::borrow() {
    const std::scoped_lock lock(mutex_);
    make_cells();
    ++borrowers_;
    return cells_;
}

void DerivedCells::give_back() noexcept {
    const std::scoped_lock lock(mutex_);
    --borrowers_;
    release_unused();
}

void DerivedCells::let_go() noexcept {
    const std::scoped_lock lock(mutex_);
    release_unused();
}

void DerivedCells::release_unused() noexcept {
    if (borrowers_ == 0 && !is_kept_) {
        release_cells(std::exchange(cells_, nullptr));
    }
}

std::array<std::uint64_t, 2> DerivedCells::hash() {
    const std::scoped_lock lock(mutex_);
    if (!hash_) {
        make_cells();
        hash_ = cells_hash(cells_, bytes_);
    }
    return *hash_;
}

std::optional<std::array<std::uint64_t, 2>> DerivedCells::known_hash() const noexcept {
    const std::scoped_lock lock(mutex_);
    return hash_;
}

std::size_t DerivedCells::memory_bytes() const noexcept {
    const std::scoped_lock lock(mutex_);
    return cells_ == nullptr ? 0 : bytes_;
}

std::string_view DerivedCells::ordered(std::string_view order) const noexcept {
    for (const OrderedCells &cells : ordered_) {
        if (cells.order == order) {
            return cells.bytes;
        }
    }
    return {};
}

Tensor DerivedTensor::make(Tensor value, DerivedCells::Make make) {
    assert(!value.type().has_mapped() && value.storage_.use_count() == 1);
    // Nobody else sees that it changes.
    auto &storage = const_cast<Tensor::Storage &>(*value.storage_);
    storage.derived = std::make_shared<DerivedCells>(storage.cells, block_bytes(storage.type), std::move(make));
    storage.cells = nullptr;
    storage.capacity = 0;
    return value;
}

Tensor DerivedTensor::make(TensorType type, DerivedCells::Make make) {
    assert(!type.has_mapped());
    auto storage = std::make_shared<Tensor::Storage>(std::move(type));
    storage->blocks = 1;
    storage->derived = std::make_shared<DerivedCells>(nullptr, block_bytes(storage->type), std::move(make));
    return Tensor(std::shared_ptr<const Tensor::Storage>(std::move(storage)));
}

void DerivedTensor::let_go(const Tensor &tensor) noexcept {
    if (DerivedCells *const cells = cells_of(tensor)) {
        cells->let_go();
    }
}

DerivedCells *DerivedTensor::cells_of(const Tensor &tensor) noexcept {
    return tensor.storage_->derived.get();
}

const void *DerivedTensor::identity(const Tensor &tensor) noexcept {
    return tensor.storage_.get();
}

BorrowedCells::BorrowedCells(const Tensor &tensor)
    : tensor_(tensor),
      derived_(DerivedTensor::cells_of(tensor)),
      cells_(derived_ != nullptr ? derived_->borrow() : static_cast<const std::byte *>(tensor.view().cells())) {}

BorrowedCells::~BorrowedCells() {
    if (derived_ != nullptr) {
        derived_->give_back();
    }
}

}  // namespace tenrex

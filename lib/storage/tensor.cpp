#include <tenrex/tensor.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>
#include <new>

#include "lib/storage/address_index.h"
#include "lib/storage/cell_memory.h"
#include "lib/storage/derived_tensor.h"
#include "lib/types/block_layout.h"
#include "lib/types/number.h"

namespace tenrex {

namespace {

bool equal_cells(CellType type, const std::byte *a, const std::byte *b, std::size_t count) noexcept {
    return visit_cell_type(type, [&](auto zero) {
        using T = decltype(zero);
        if constexpr (sizeof(T) == 1) {
            return std::memcmp(a, b, count) == 0;
        }
        for (std::size_t i = 0; i < count; ++i) {
            const double x = load_cell(type, a, i);
            const double y = load_cell(type, b, i);
            if (x != y && (x == x || y == y)) {
                return false;
            }
        }
        return true;
    });
}

}  // namespace

std::string TensorView::label(std::size_t block, std::size_t mapped) const {
    const Label label = address(block)[mapped];
    if (is_numeric(label)) {
        return std::to_string(static_cast<std::uint64_t>(label));
    }
    assert(labels_ != nullptr);
    return labels_->text(label);
}

double TensorView::cell(std::size_t index) const noexcept {
    return load_cell(type_->cell_type(), cells_, index);
}

Tensor::Storage::~Storage() {
    release_cells(file == nullptr ? cells : copy.load());
}

const std::byte *Tensor::aligned_cells() const noexcept {
    if (storage_->derived != nullptr) {
        return storage_->derived->keep();
    }
    std::byte *known = storage_->copy.load(std::memory_order_acquire);
    if (known == nullptr) {
        const std::size_t bytes = block_bytes(type());
        std::byte *const made = allocate_cells(bytes);
        std::memcpy(made, storage_->cells, bytes);
        if (!storage_->copy.compare_exchange_strong(known, made)) {
            release_cells(made);  // another thread was first
            return known;
        }
        known = made;
    }
    return known;
}

void Tensor::Storage::reserve(std::size_t wanted) {
    if (wanted <= capacity) {
        return;
    }
    const std::size_t bytes = block_bytes(type);
    if (bytes != 0 && wanted > std::numeric_limits<std::size_t>::max() / bytes) {
        throw std::bad_alloc();
    }
    std::byte *const larger = allocate_cells(wanted * bytes);
    if (cells != nullptr) {
        std::memcpy(larger, cells, blocks * bytes);
        release_cells(cells);
    }
    cells = larger;
    capacity = wanted;
}

Tensor::Tensor() : Tensor(0.0) {}

std::shared_ptr<Tensor::Storage> Tensor::scalar(double value) {
    auto storage = std::make_shared<Storage>(TensorType());
    storage->reserve(1);
    storage->blocks = 1;
    store_cell(CellType::f64, storage->cells, 0, value);
    return storage;
}

Tensor::Tensor(double value) : storage_(scalar(value)) {}

Tensor Tensor::string(std::string text) {
    auto storage = scalar(string_number(text));
    storage->text = std::move(text);
    return Tensor(std::shared_ptr<const Storage>(std::move(storage)));
}

TensorView Tensor::view() const noexcept {
    const std::byte *const cells = storage_->derived != nullptr ? storage_->derived->keep() : storage_->cells;
    return {storage_->type, &storage_->labels, storage_->addresses.data(), storage_->blocks, cells};
}

std::size_t Tensor::memory_bytes() const noexcept {
    return storage_->capacity * block_bytes(type()) + storage_->addresses.capacity() * sizeof(Label) +
           storage_->labels.memory_bytes() + (storage_->derived ? storage_->derived->memory_bytes() : 0) +
           (is_string() ? storage_->text->capacity() : 0);
}

bool operator==(const Tensor &a, const Tensor &b) {
    if (a.storage_ == b.storage_) {
        return true;
    }
    if (a.type() != b.type() || a.blocks() != b.blocks()) {
        return false;
    }
    const Tensor::Storage &x = *a.storage_;
    const Tensor::Storage &y = *b.storage_;
    const CellType cell_type = x.type.cell_type();
    const std::size_t cells = x.type.block_cells();
    const std::size_t width = x.type.mapped_count();
    if (width == 0) {
        return equal_cells(cell_type, BorrowedCells(a).data(), BorrowedCells(b).data(), cells);
    }
    AddressIndex index(width);
    for (std::size_t block = 0; block < y.blocks; ++block) {
        index.find_or_add({y.addresses.data() + block * width, width}, y.addresses.data(), block);
    }
    std::vector<Label> address(width);
    for (std::size_t block = 0; block < x.blocks; ++block) {
        for (std::size_t i = 0; i < width; ++i) {
            const Label label = x.addresses[block * width + i];
            const auto other = is_numeric(label) ? std::optional(label) : y.labels.find(x.labels.text(label));
            if (!other) {
                return false;
            }
            address[i] = *other;
        }
        const auto other = index.find(address, y.addresses.data());
        if (!other || !equal_cells(cell_type, x.cells + block * block_bytes(x.type),
                                   y.cells + *other * block_bytes(x.type), cells)) {
            return false;
        }
    }
    return true;
}

TensorBuilder::TensorBuilder(TensorType type) : storage_(std::make_shared<Tensor::Storage>(std::move(type))) {
    if (this->type().has_mapped()) {
        index_ = std::make_unique<AddressIndex>(this->type().mapped_count());
        address_.resize(this->type().mapped_count());
    } else {
        storage_->reserve(1);
        storage_->blocks = 1;
    }
}

TensorBuilder::~TensorBuilder() = default;

std::size_t TensorBuilder::block(std::span<const std::string_view> address) {
    assert(address.size() == type().mapped_count());
    if (index_ == nullptr) {
        return 0;
    }
    Tensor::Storage &storage = *storage_;
    for (std::size_t i = 0; i < address_.size(); ++i) {
        address_[i] = storage.labels.intern(address[i]);
    }
    const std::size_t found = index_->find_or_add(address_, storage.addresses.data(), storage.blocks);
    if (found == storage.blocks) {
        if (storage.blocks == storage.capacity) {
            storage.reserve(std::max<std::size_t>(2 * storage.capacity, 1));
        }
        storage.addresses.insert(storage.addresses.end(), address_.begin(), address_.end());
        ++storage.blocks;
    }
    return found;
}

bool TensorBuilder::has_block(std::span<const std::string_view> address) const {
    assert(address.size() == type().mapped_count());
    std::vector<Label> labels;
    for (std::string_view text : address) {
        const auto label = storage_->labels.find(text);
        if (!label) {
            return false;
        }
        labels.push_back(*label);
    }
    return index_ == nullptr || index_->find(labels, storage_->addresses.data()).has_value();
}

void TensorBuilder::reserve(std::size_t blocks) {
    storage_->reserve(blocks);
    storage_->addresses.reserve(blocks * type().mapped_count());
}

void TensorBuilder::set(std::size_t block, std::size_t index, double value) noexcept {
    assert(block < blocks() && index < type().block_cells());
    store_cell(type().cell_type(), storage_->cells, block * type().block_cells() + index, value);
}

double TensorBuilder::get(std::size_t block, std::size_t index) const noexcept {
    assert(block < blocks() && index < type().block_cells());
    return load_cell(type().cell_type(), storage_->cells, block * type().block_cells() + index);
}

void *TensorBuilder::cells(std::size_t block) noexcept {
    assert(block < blocks());
    return storage_->cells + block * block_bytes(type());
}

Tensor TensorBuilder::build() && {
    if (type().has_mapped() && type().has_empty()) {
        storage_->blocks = 0;  // a block without cells is not there
        storage_->addresses.clear();
    }
    return Tensor(std::move(storage_));
}

}  // namespace tenrex

#include "lib/storage/mapped_tensor.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <utility>

#include "lib/types/block_layout.h"

namespace tenrex {

Tensor MappedTensor::make(TensorType type, std::shared_ptr<const MappedFile> file, std::string_view cells) {
    assert(!type.has_mapped() && cells.size() == block_bytes(type));
    auto storage = std::make_shared<Tensor::Storage>(std::move(type));
    storage->blocks = 1;
    storage->file = std::move(file);
    // Nothing writes to the cells of a tensor.
    storage->cells = reinterpret_cast<std::byte *>(const_cast<char *>(cells.data()));
    return Tensor(std::shared_ptr<const Tensor::Storage>(std::move(storage)));
}

bool MappedTensor::is_one(const Tensor &tensor) noexcept {
    return tensor.storage_->file != nullptr;
}

void MappedTensor::let_go(const Tensor &tensor) noexcept {
    if (tensor.storage_->file != nullptr) {
        tensor.storage_->file->let_go({static_cast<const char *>(tensor.view().cells()), block_bytes(tensor.type())});
    }
}

void MappedTensor::let_go_around(const Tensor &tensor) noexcept {
    if (tensor.storage_->file == nullptr) {
        return;
    }
    constexpr std::size_t around = std::size_t{2} << 20;  // the largest piece that is usual
    const std::string_view file = tensor.storage_->file->bytes();
    const auto begin = static_cast<std::size_t>(static_cast<const char *>(tensor.view().cells()) - file.data());
    const std::size_t before = std::min(begin, around);
    tensor.storage_->file->let_go(file.substr(begin - before, before + block_bytes(tensor.type()) + around));
}

}  // namespace tenrex

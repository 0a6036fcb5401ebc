#include "lib/program/library/pack_steps.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "lib/program/library/matrix_blocks.h"
#include "lib/program/weight_store_content.h"
#include "lib/storage/derived_tensor.h"
#include "lib/storage/mapped_tensor.h"
#include "lib/support/format.h"
#include "lib/types/block_layout.h"

namespace tenrex::program {

namespace {

std::string packing_of(const MatrixShape &shape) {
    return fmt::format("packing of a matrix of {} x {}", shape.k, shape.n);
}

// Matrices that stand in a file as they are read; null: there are none.
const std::byte *in_file(const Tensor &weights, const std::string &order, std::size_t bytes) {
    const DerivedCells *const derived = DerivedTensor::cells_of(weights);
    const std::string_view cells = derived == nullptr ? std::string_view() : derived->ordered(order);
    const auto *const first = reinterpret_cast<const std::byte *>(cells.data());
    const bool fits = cells.size() == bytes && bytes != 0 &&
                      reinterpret_cast<std::uintptr_t>(first) % Growing<std::byte>::alignment == 0;
    return fits ? first : nullptr;
}

double bytes_of_matrices(const kernels::MatmulKernel &kernel, const MatrixShape &shape) {
    return static_cast<double>(shape.batch * shape.k * shape.n * byte_size(kernel.type));
}

}  // namespace

void pack_matrices(const kernels::MatmulKernel &kernel, const MatrixShape &shape, std::size_t n,
                   const std::byte *matrix, std::byte *packed) {
    const std::size_t width = byte_size(kernel.type);
    const std::size_t bytes = packed_cells(kernel, shape.k, n) * width;
    const std::ptrdiff_t step = shape.batch_stride * static_cast<std::ptrdiff_t>(width);
    for (std::size_t i = 0; i < shape.batch; ++i) {
        kernel.pack({matrix + static_cast<std::ptrdiff_t>(i) * step, shape.k_stride, shape.n_stride, shape.k, n,
                     packed + i * bytes});
    }
}

void PackMatrixStep::run(Frame &frame) const {
    const std::size_t n = index_ ? frame.index(index_).end(0) : shape_.n;
    Cells &packed = frame.cells(packed_);
    const std::size_t bytes = has_maps_ ? bytes_with_maps(*kernel_, shape_) : bytes_of_packed(*kernel_, shape_, n);
    packed.data = packed.own.room(std::max<std::size_t>(1, bytes));
    packed.stride = 0;
    pack_matrices(*kernel_, shape_, n, frame.cells(matrix_).data, packed.data);
    if (has_maps_) {
        map_matrices(*kernel_, shape_, packed.data);
        packed.maps = maps_of(*kernel_, shape_, packed.data);
    }
}

std::string PackMatrixStep::describe() const {
    return packing_of(shape_);
}

Work PackMatrixStep::work() const {
    const double bytes = bytes_of_matrices(*kernel_, shape_);
    return {0, bytes, bytes, static_cast<bool>(index_)};
}

// Of the weights' cells, which may stand anywhere in a file.
const std::byte *PackWeightsStep::cells_for_kernel(Frame &frame, const std::byte *cells) const {
    const std::size_t width = byte_size(kernel_->type);
    const std::size_t count = weights_->type().block_cells();
    if (convert_ == nullptr && reinterpret_cast<std::uintptr_t>(cells) % width == 0) {
        return cells;
    }
    std::byte *const room = frame.scratch->bytes.room(count * width);
    if (convert_ != nullptr) {
        convert_->function({cells, 0, room, 0, 1, count});
    } else {
        std::memcpy(room, cells, count * width);
    }
    return room;
}

void PackWeightsStep::run(Frame &frame) const {
    const auto pack = [&](std::byte *to) {
        const BorrowedCells borrowed(*weights_);
        pack_matrices(*kernel_, shape_, shape_.n, cells_for_kernel(frame, borrowed.data()), to);
        map_matrices(*kernel_, shape_, to);
    };
    const std::size_t bytes = bytes_with_maps(*kernel_, shape_);
    Cells &cells = frame.cells(packed_);
    cells.stride = 0;
    if (const std::byte *const ready = in_file(*weights_, order_of(shape_, *kernel_), bytes)) {
        cells.data = const_cast<std::byte *>(ready);  // it is only read, and there as long as the step has the weights
        cells.maps = maps_of(*kernel_, shape_, ready);
        return;
    }
    std::shared_ptr<const PackedWeights> packed;
    if (store_ == nullptr) {
        // A plan packs a constant once, so there is nothing to find, and its hash may take longer than packing it.
        const auto own = std::make_shared<PackedWeights>();
        own->make(bytes, pack);
        packed = own;
    } else {
        WeightStore::Content &store = store_->content();
        packed = store.find_or_pack(store.key(*weights_, shape_, *kernel_), bytes, pack);
    }
    DerivedTensor::let_go(*weights_);
    MappedTensor::let_go(*weights_);
    cells.data = const_cast<std::byte *>(packed->cells.data());  // it is only read
    cells.maps = maps_of(*kernel_, shape_, cells.data);
    frame.stores[static_cast<int>(packed_.stage)]->weights_held.push_back(std::move(packed));
}

std::string PackWeightsStep::describe() const {
    return convert_ == nullptr ? packing_of(shape_) : fmt::format("{}, {}", packing_of(shape_), full_name(*convert_));
}

Work PackWeightsStep::work() const {
    const double bytes = bytes_of_matrices(*kernel_, shape_);
    return {0, bytes, bytes};
}

}  // namespace tenrex::program

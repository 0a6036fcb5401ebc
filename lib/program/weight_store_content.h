// What a WeightStore holds: matrices packed for a kernel, by what they were packed of.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include <tenrex/tensor.h>
#include <tenrex/weight_store.h>

#include "lib/kernels/matmul/matmul_kernels.h"
#include "lib/program/growing.h"
#include "lib/program/matrix_shape.h"

namespace tenrex::program {

// Cells that plans share.
struct PackedWeights {
    std::mutex making;
    bool is_made = false;
    Growing<std::byte> cells;
    std::size_t bytes = 0;  // of them

    // Calls pack(to) with room for so many bytes, unless it was made before.
    void make(std::size_t size, const std::function<void(std::byte *to)> &pack);
};

// What of: a hash of the cells that nobody outside can foresee, where the matrices stand in them, and for which kernel.
struct WeightKey {
    std::array<std::uint64_t, 2> hash;
    MatrixShape shape;
    const kernels::MatmulKernel *kernel;

    friend auto operator<=>(const WeightKey &, const WeightKey &) = default;
};

// In which order a kernel reads such matrices, for OrderedCells.
std::string order_of(const MatrixShape &shape, const kernels::MatmulKernel &kernel);

}  // namespace tenrex::program

namespace tenrex {

struct WeightStore::Content {
    static std::array<std::uint64_t, 2> hash(const Tensor &tensor);
    program::WeightKey key(const Tensor &tensor, const program::MatrixShape &shape,
                           const kernels::MatmulKernel &kernel) const;
    // Makes it if there is no such entry.
    std::shared_ptr<const program::PackedWeights> find_or_pack(const program::WeightKey &key, std::size_t bytes,
                                                               const std::function<void(std::byte *to)> &pack);

    std::mutex mutex;
    std::map<program::WeightKey, std::weak_ptr<program::PackedWeights>> entries;
    std::size_t look_at = 64;  // so many entries are a reason to leave out those that nobody has
    Statistics statistics;
};

}  // namespace tenrex

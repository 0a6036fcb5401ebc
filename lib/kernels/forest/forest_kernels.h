// The kernels of decision forests as data, and the choice among them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <tenrex/cell_type.h>

#include "lib/kernels/forest/forest.h"
#include "lib/kernels/registry.h"

namespace tenrex::kernels {

// The function sums blocks, the cost of a cell is that of a split. The others take one document.
struct ForestKernel : Kernel<ForestBlockFunction> {
    CellType type;         // of the sums: double or float
    double cost_of_level;  // of a tree that a document walks through
    ForestRankFunction *rank_block;
    ForestRankFunction *rank_one;
    ForestWalkFunction *walk;
    ForestWalkFunction *walk_leaves;
};

std::span<const ForestKernel> forest_kernels() noexcept;

const ForestKernel *choose_forest(CellType type, std::size_t splits, Isa isa) noexcept;
std::vector<Candidate<ForestKernel>> forest_candidates(CellType type, std::size_t splits, Isa isa);

}  // namespace tenrex::kernels

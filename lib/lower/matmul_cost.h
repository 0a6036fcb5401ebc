// What products of matrices cost, and what else passes ask about kernels.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lib/ir/contraction.h"
#include "lib/kernels/isa.h"
#include "lib/kernels/matmul/matmul_kernels.h"
#include "optimizer/costs.h"

namespace tenrex::lower {

// What the kernel is chosen for: rows of a times columns of b, summed over k.
kernels::MatmulCells matmul_cells(CellType a, CellType b, Stage stage_of_b, CellType result, std::size_t k);

// Whether the kernel reads the columns of b where they are, as it does for few rows of a document.
bool are_in_place(const TensorType &b, Stage stage_of_b, const ir::ContractionDimensions::Group &dimensions,
                  const kernels::MatmulKernel &kernel, std::size_t rows);

class KernelCosts : public optimizer::Costs {
public:
    explicit KernelCosts(kernels::Isa isa) : isa_(isa) {}
    double product(const ir::Graph &graph, const ir::Node &contraction, ir::NodeId rows,
                   ir::NodeId columns) const override;
    // Measured in blocks of 64 and of one, with trees of 4 to 128 leaves: both are equally fast with 120 to 150 splits.
    std::uint64_t least_splits() const override { return 128; }

private:
    kernels::Isa isa_;
};

}  // namespace tenrex::lower

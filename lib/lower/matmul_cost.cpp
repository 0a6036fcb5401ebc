#include "lib/lower/matmul_cost.h"

#include <algorithm>
#include <string>
#include <vector>

#include "lib/lower/contract_matmul.h"
#include "lib/types/block_layout.h"

namespace tenrex::lower {

kernels::MatmulCells matmul_cells(CellType a, CellType b, Stage stage_of_b, CellType result, std::size_t k) {
    const CellType widened = ir::multiplied_in(a, b, k);
    // As they are stored if the products are rounded to float cells anyway. What each document brings is packed faster
    // once it is widened.
    const bool as_stored = a == b && stage_of_b != Stage::document && result != CellType::f64;
    // int8 cells have kernels on all CPUs, and sums of more of them than float could add are still exact.
    const bool only_stored = as_stored && a == CellType::i8 && widened == CellType::f64;
    return {only_stored ? a : widened, as_stored ? a : widened};
}

bool are_in_place(const TensorType &b, Stage stage_of_b, const ir::ContractionDimensions::Group &dimensions,
                  const kernels::MatmulKernel &kernel, std::size_t rows) {
    // For more rows a document's columns are packed, which many tiles read faster.
    constexpr std::size_t few_rows = 32;
    return stage_of_b == Stage::document && !b.has_mapped() && rows <= few_rows && kernel.k_tile == 1 &&
           cells_of(b, dimensions.columns) % kernel.column_tile == 0 && common_stride(b, dimensions.batch) &&
           common_stride(b, dimensions.summed) && common_stride(b, dimensions.columns) == 1;
}

double KernelCosts::product(const ir::Graph &graph, const ir::Node &contraction, ir::NodeId rows,
                            ir::NodeId columns) const {
    constexpr double copied_cell = 0.15;  // nanoseconds, as are the costs of the kernels
    constexpr double call = 15;
    const ir::Node &a = graph[rows];
    const ir::Node &b = graph[columns];
    const ir::ContractionDimensions::Group dimensions =
        ir::contraction_dimensions(*a.type, *b.type, contraction.as<ir::Contract>().dimensions)->indexed;
    const auto &[summed, batch, row_names, column_names] = dimensions;
    const std::size_t k = cells_of(*a.type, summed);
    const std::size_t n = cells_of(*b.type, column_names);
    const std::size_t row_count = cells_of(*a.type, batch) * cells_of(*a.type, row_names);
    const kernels::MatmulCells cells =
        matmul_cells(a.type->cell_type(), b.type->cell_type(), b.stage, contraction.type->cell_type(), k);
    const kernels::MatmulKernel &kernel = *kernels::choose_matmul(cells, k, n, isa_);
    double cost = static_cast<double>(row_count) * matmul_cost(kernel, cells, k, n, isa_);
    const std::vector<std::string> a_order = nontrivial(*a.type, {batch, row_names, summed});
    if (a.stage == Stage::document && !std::is_sorted(a_order.begin(), a_order.end())) {
        cost += copied_cell * static_cast<double>(a.type->block_cells());
    }
    if (b.stage == Stage::document &&
        !are_in_place(*b.type, b.stage, dimensions, kernel, cells_of(*a.type, row_names))) {
        const bool in_place =
            common_stride(*b.type, batch) && common_stride(*b.type, summed) && common_stride(*b.type, column_names);
        cost += call + (in_place ? 1 : 2) * copied_cell * static_cast<double>(b.type->block_cells());
    }
    const std::vector<std::string> order = nontrivial(*contraction.type, {batch, row_names, column_names});
    const bool is_sorted = std::is_sorted(order.begin(), order.end());
    return cost + (is_sorted ? 0 : copied_cell * static_cast<double>(contraction.type->block_cells()));
}

}  // namespace tenrex::lower

// Aggregates of rows whose cells come part by part.
#pragma once

#include <cstddef>
#include <span>

#include <tenrex/cell_type.h>

#include "lib/syntax/tensor_function.h"

namespace tenrex::program {

// What the parts of each row give, from the first to the last, becomes one number for the row.
class RowTotals {
public:
    // parts: of each row; cells: in each row; to: where the number of the first row goes, as a cell of type f32 or f64.
    RowTotals(Aggregator aggregator, std::size_t parts, std::size_t cells, CellType type, std::byte *to) noexcept
        : aggregator_(aggregator), parts_(parts), cells_(static_cast<double>(cells)), type_(type), to_(to) {}

    // Those of the next parts, which may belong to some rows.
    void add(std::span<const double> parts) noexcept;

private:
    Aggregator aggregator_;
    std::size_t parts_;
    double cells_;
    CellType type_;
    std::byte *to_;
    std::size_t seen_ = 0;  // parts of the current row
    double total_ = 0;
};

}  // namespace tenrex::program

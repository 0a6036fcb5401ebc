// The kernels that rewrite rows as data: which exist for an operation and cell types, and which to take.
//
//   const ConversionKernel *kernel =
//       choose_conversion(ConversionOperation::convert, CellType::bf16, CellType::f32, 768, allowed_isa());
//   kernel->function({cells, 1536, floats, 3072, rows, 768});
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <tenrex/cell_type.h>

#include "lib/kernels/convert/convert.h"
#include "lib/kernels/registry.h"

namespace tenrex::kernels {

enum class ConversionOperation : std::uint8_t {
    convert,  // every cell as to_cell() says; all pairs of different cell types
    // A cell becomes (cell - middle) * factor, rounded to a whole number, the even one of two; as an int8 cell.
    round_whole,
    round_nearest,  // to the nearest bfloat16, the even one of two, unless it is as large as float can be
    // Eight cells, 0 or 1, from every int8 cell: first its most significant bit (big), or its least (little).
    unpack_bits_big,
    unpack_bits_little,
};

std::string_view name(ConversionOperation operation) noexcept;

struct ConversionKernel : Kernel<RowConversionFunction> {
    ConversionOperation operation;
    CellType from;
    CellType to;
};

std::span<const ConversionKernel> conversion_kernels() noexcept;

// The cheapest kernel for rows of `length` cells; null if none exists for these cell types.
const ConversionKernel *choose_conversion(ConversionOperation operation, CellType from, CellType to, std::size_t length,
                                          Isa isa) noexcept;

// The same with everything that was considered, the chosen one first.
std::vector<Candidate<ConversionKernel>> conversion_candidates(ConversionOperation operation, CellType from,
                                                               CellType to, std::size_t length, Isa isa);

}  // namespace tenrex::kernels

#include "lib/kernels/convert/convert_kernels.h"

#define TENREX_KERNEL(operation, from, to, target, function, per_row, per_cell) \
    namespace tenrex::kernels::target {                                         \
    RowConversionFunction function;                                             \
    }
#include "lib/kernels/convert/kernels.def"
#undef TENREX_KERNEL

namespace tenrex::kernels {
namespace {

constexpr ConversionKernel kernels[] = {
#define TENREX_KERNEL(operation, from, to, target, function, per_row, per_cell) \
    {{#function, Target::target, Cost{per_row, per_cell}, target::function},    \
     ConversionOperation::operation,                                            \
     CellType::from,                                                            \
     CellType::to},
#include "lib/kernels/convert/kernels.def"
#undef TENREX_KERNEL
};

struct Matches {
    ConversionOperation operation;
    CellType from;
    CellType to;

    bool operator()(const ConversionKernel &kernel) const noexcept {
        return kernel.operation == operation && kernel.from == from && kernel.to == to;
    }
};

}  // namespace

std::string_view name(ConversionOperation operation) noexcept {
    switch (operation) {
        case ConversionOperation::convert:
            return "convert";
        case ConversionOperation::round_whole:
            return "round_whole";
        case ConversionOperation::round_nearest:
            return "round_nearest";
        case ConversionOperation::unpack_bits_big:
            return "unpack_bits_big";
        case ConversionOperation::unpack_bits_little:
            return "unpack_bits_little";
    }
    return {};
}

std::span<const ConversionKernel> conversion_kernels() noexcept {
    return kernels;
}

const ConversionKernel *choose_conversion(ConversionOperation operation, CellType from, CellType to, std::size_t length,
                                          Isa isa) noexcept {
    return cheapest(conversion_kernels(), Matches{operation, from, to}, length, isa);
}

std::vector<Candidate<ConversionKernel>> conversion_candidates(ConversionOperation operation, CellType from,
                                                               CellType to, std::size_t length, Isa isa) {
    return candidates(conversion_kernels(), Matches{operation, from, to}, length, isa);
}

}  // namespace tenrex::kernels

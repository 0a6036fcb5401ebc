// The types that random expressions and their operands have.
#include <algorithm>

#include <fmt/format.h>

#include <tenrex/formats.h>

#include "tests/reference/random_pieces.h"

namespace tenrex::random {

TensorType PieceMaker::type_of(CellType cell_type, Dimensions dimensions) {
    return dimensions.empty() ? TensorType() : *TensorType::make(cell_type, std::move(dimensions));
}

TensorType PieceMaker::type() {
    if (wide() && source_.chance(40)) {
        return TensorType();
    }
    Dimensions dimensions =
        extra_dimensions(TensorType(), source_.below(std::min<std::size_t>(sizes_.most_dimensions, 5) + 1));
    return type_of(any_cell_type(), std::move(dimensions));
}

PieceMaker::Dimensions PieceMaker::dimensions(const TensorType &type, bool mapped, bool indexed) {
    Dimensions chosen;
    for (const Dimension &dimension : type.dimensions()) {
        if (dimension.is_mapped() ? mapped : indexed) {
            chosen.push_back(dimension);
        }
    }
    return chosen;
}

PieceMaker::Dimensions PieceMaker::extra_dimensions(const TensorType &type, std::size_t most) {
    Dimensions pool = sizes_.pool;
    source_.shuffle(pool);
    if (!sizes_.favoured.empty() && source_.chance(50)) {
        std::stable_partition(pool.begin(), pool.end(), [&](const Dimension &dimension) {
            return dimension.name == sizes_.favoured.front() || dimension.name == sizes_.favoured.back();
        });
    }
    Dimensions chosen;
    std::size_t cells = type.block_cells();
    std::size_t all = sizes_.cells(type) * repeated_;
    std::size_t mapped = type.mapped_count();
    for (const Dimension &dimension : pool) {
        if (chosen.size() == most || type.dimensions().size() + chosen.size() >= sizes_.most_dimensions) {
            break;
        }
        const bool fits =
            (dimension.is_mapped() ? mapped < sizes_.most_mapped : cells * dimension.size <= most_block_cells()) &&
            all * sizes_.extent(dimension) <= sizes_.most_cells;
        if (fits && !type.find(dimension.name)) {
            mapped += dimension.is_mapped();
            cells *= std::max<std::size_t>(dimension.size, 1);
            all *= sizes_.extent(dimension);
            chosen.push_back(dimension);
        }
    }
    return chosen;
}

CellType PieceMaker::cell_type_decaying_to(const TensorType &type) {
    std::vector<CellType> decaying;
    std::copy_if(std::begin(all_cell_types), std::end(all_cell_types), std::back_inserter(decaying),
                 [](CellType cell) { return decay(cell) == CellType::f32; });
    return type.is_scalar() ? any_cell_type()
                            : (type.cell_type() == CellType::f64 ? CellType::f64 : source_.pick(decaying));
}

// Types of two operands whose join has the type.
std::pair<TensorType, TensorType> PieceMaker::operand_types(const TensorType &type) {
    Dimensions a, b;
    for (const Dimension &dimension : type.dimensions()) {
        const std::size_t where = source_.below(4);
        if (where != 0) {
            a.push_back(dimension);
        }
        if (where != 1) {
            b.push_back(dimension);
        }
    }
    CellType first = cell_type_decaying_to(type);
    CellType second = cell_type_decaying_to(type);
    if (type.cell_type() == CellType::f64 && !a.empty() && !b.empty()) {
        (source_.chance(50) ? first : second) = any_cell_type();  // one double is enough
    }
    return {type_of(first, std::move(a)), type_of(second, std::move(b))};
}

TensorType PieceMaker::decayed(const TensorType &type) {
    return type_of(decay(type.cell_type()), type.dimensions());
}

// The type of an operation on cells of both.
TensorType PieceMaker::joined(const TensorType &a, const TensorType &b) {
    Dimensions all = a.dimensions();
    for (const Dimension &dimension : b.dimensions()) {
        if (!a.find(dimension.name)) {
            all.push_back(dimension);
        }
    }
    const auto is_double = [](const TensorType &type) {
        return !type.is_scalar() && type.cell_type() == CellType::f64;
    };
    return type_of(is_double(a) || is_double(b) ? CellType::f64 : CellType::f32, std::move(all));
}

std::string PieceMaker::spec(const TensorType &type) {
    Dimensions dimensions = type.dimensions();
    source_.shuffle(dimensions);
    std::string text;
    for (const Dimension &dimension : dimensions) {
        text += fmt::format("{}{}{}", text.empty() ? "" : ",", dimension.name,
                            dimension.is_mapped() ? "{}" : fmt::format("[{}]", dimension.size));
    }
    const bool plain = type.cell_type() == CellType::f64 && source_.chance(50);
    return fmt::format("tensor{}({})", plain ? "" : fmt::format("<{}>", name(type.cell_type())), text);
}

}  // namespace tenrex::random

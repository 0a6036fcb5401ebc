#include <tenrex/tensor_type.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "lib/support/format.h"
#include "lib/types/characters.h"
#include "lib/types/dimension_check.h"
#include "lib/types/quoted_text.h"
#include "lib/types/type_reader.h"

namespace tenrex {

namespace {

constexpr std::uint64_t addressable_cells = std::uint64_t{1} << 48;  // whatever the limits: bytes must not overflow

// The later one of two dimensions with the same name, if there are such.
std::optional<std::size_t> find_repeated(std::span<const Dimension> dimensions) {
    const auto comes_after = [](const Dimension &a, const Dimension &b) { return a.name < b.name; };
    if (std::adjacent_find(dimensions.begin(), dimensions.end(), std::not_fn(comes_after)) == dimensions.end()) {
        return std::nullopt;  // they are in order, as most are
    }
    std::vector<std::size_t> by_name(dimensions.size());
    std::iota(by_name.begin(), by_name.end(), std::size_t{0});
    std::stable_sort(by_name.begin(), by_name.end(),
                     [&](std::size_t a, std::size_t b) { return dimensions[a].name < dimensions[b].name; });
    const auto found = std::adjacent_find(by_name.begin(), by_name.end(), [&](std::size_t a, std::size_t b) {
        return dimensions[a].name == dimensions[b].name;
    });
    return found == by_name.end() ? std::nullopt : std::optional(found[1]);
}

}  // namespace

std::optional<DimensionProblem> check_dimensions(CellType cell_type, std::span<const Dimension> dimensions,
                                                 const Limits &limits) {
    if (dimensions.size() > limits.dimensions) {
        return DimensionProblem{dimensions.size() - 1,
                                fmt::format("the type has more than {} dimensions", limits.dimensions),
                                "the limit is called dimensions"};
    }
    if (dimensions.empty() && cell_type != CellType::f64) {
        return DimensionProblem{0, fmt::format("a type without dimensions cannot have {} cells", name(cell_type)),
                                "a number without dimensions is always a double"};
    }
    const std::uint64_t most_cells = std::min(limits.block_cells, addressable_cells);
    std::uint64_t cells = 1;  // as if no size were 0, so that the order of the dimensions does not matter
    for (std::size_t i = 0; i < dimensions.size(); ++i) {
        const Dimension &dimension = dimensions[i];
        if (!is_name(dimension.name)) {
            return DimensionProblem{i, fmt::format("'{}' is no name for a dimension", clipped(dimension.name)),
                                    "a name consists of letters, digits and '_' and does not begin with a digit"};
        }
        if (dimension.size > most_cells / cells) {
            return DimensionProblem{i,
                                    fmt::format("with dimension '{}' a dense block has more than {} cells",
                                                clipped(dimension.name), most_cells),
                                    "the limit is called block_cells"};
        }
        cells *= std::max<std::uint64_t>(dimension.size, 1);
    }
    if (const auto repeated = find_repeated(dimensions)) {
        return DimensionProblem{*repeated,
                                fmt::format("dimension '{}' is named twice", clipped(dimensions[*repeated].name)),
                                "give each dimension a name of its own"};
    }
    return std::nullopt;
}

Result<TensorType> TensorType::parse(std::string_view text, const Limits &limits) {
    TextReader in(text);
    WrittenType written;
    if (!read_type(in, limits, written) || !in.expect_end("the type")) {
        return in.take_error();
    }
    return std::move(written.type);
}

Result<TensorType> TensorType::make(CellType cell_type, std::vector<Dimension> dimensions, const Limits &limits) {
    if (auto problem = check_dimensions(cell_type, dimensions, limits)) {
        return Error(std::move(problem->message), std::move(problem->hint));
    }
    std::sort(dimensions.begin(), dimensions.end(),
              [](const Dimension &a, const Dimension &b) { return a.name < b.name; });
    TensorType type;
    for (const Dimension &dimension : dimensions) {
        type.mapped_count_ += dimension.is_mapped();
        type.open_count_ += dimension.is_open();
        type.block_cells_ *= dimension.kind == Dimension::Kind::indexed ? static_cast<std::size_t>(dimension.size) : 1;
    }
    type.dimensions_ = std::move(dimensions);
    type.cell_type_ = cell_type;
    return type;
}

std::optional<std::size_t> TensorType::find(std::string_view dimension_name) const noexcept {
    const auto found = std::lower_bound(dimensions_.begin(), dimensions_.end(), dimension_name,
                                        [](const Dimension &a, std::string_view b) { return a.name < b; });
    if (found == dimensions_.end() || found->name != dimension_name) {
        return std::nullopt;
    }
    return static_cast<std::size_t>(found - dimensions_.begin());
}

bool TensorType::fits(const TensorType &declared) const noexcept {
    return cell_type_ == declared.cell_type_ &&
           std::equal(dimensions_.begin(), dimensions_.end(), declared.dimensions_.begin(), declared.dimensions_.end(),
                      [](const Dimension &own, const Dimension &wanted) {
                          return (own == wanted && !own.is_open()) ||
                                 (wanted.is_open() && own.kind == Dimension::Kind::indexed && own.name == wanted.name);
                      });
}

std::string Dimension::to_string() const {
    switch (kind) {
        case Kind::mapped:
            return name + "{}";
        case Kind::indexed:
            return fmt::format("{}[{}]", name, size);
        case Kind::open:
            return name + "[]";
    }
    return name;
}

std::string TensorType::to_string() const {
    if (is_scalar()) {
        return "double";
    }
    std::string text = "tensor";
    if (cell_type_ != CellType::f64) {
        text.append(1, '<').append(name(cell_type_)).append(1, '>');
    }
    char separator = '(';
    for (const Dimension &dimension : dimensions_) {
        text += separator;
        text += dimension.to_string();
        separator = ',';
    }
    text += ')';
    return text;
}

}  // namespace tenrex

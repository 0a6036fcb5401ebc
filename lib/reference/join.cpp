// Operations on pairs of blocks: join, merge and concat.
#include <algorithm>
#include <cmath>

#include "lib/reference/operations.h"
#include "lib/reference/pairs.h"
#include "lib/reference/walk.h"

namespace tenrex::reference {

namespace {

double largest_known(const Origin &origin, std::span<const double> cells) noexcept {
    return origin.largest != 0.0 ? origin.largest : largest_of(cells);
}

bool is_inexact_in_float(const TensorType &type, const Origin &origin) noexcept {
    return origin.inexact_in_float || (origin.inexact && type.cell_type() != CellType::f64);
}

bool is_int8(const TensorType &type, const Origin &origin) noexcept {
    return type.cell_type() == CellType::i8 || origin.of_int8;
}

}  // namespace

double largest_of(std::span<const double> cells) noexcept {
    double largest = 1.0;
    for (const double cell : cells) {
        largest = std::isfinite(cell) ? std::max(largest, std::fabs(cell)) : undetermined;
    }
    return largest;
}

Origin origin_of_map(const TensorType &operand_type, const Origin &operand, double largest_cell,
                     const UnaryFunction &function) {
    Origin origin;
    if (function.kind == Kind::conversion) {
        origin = operand;
        origin.inexact_in_float = is_inexact_in_float(operand_type, operand);
        origin.of_int8 = is_int8(operand_type, operand);
        return origin;
    }
    // Kernels that aggregate see through products and differences, not through what is computed of their cells.
    origin.inexact = operand.inexact && function.kind != Kind::other;
    origin.inexact_in_float = is_inexact_in_float(operand_type, operand) && function.kind != Kind::other;
    origin.overflowed = operand.overflowed && function.kind != Kind::other;
    origin.computed = function.kind != Kind::product || function.scalar || !is_int8(operand_type, operand);
    const double largest = operand.largest != 0.0 ? operand.largest : largest_cell;
    if (function.kind == Kind::product && function.scalar) {
        origin.factors = operand.factors + 1.0;
        origin.terms = operand.terms;
        origin.largest = largest * largest_of({&function.scalar->value, 1});
    } else if (function.kind == Kind::product) {
        origin.factors = 2.0 * operand.factors;
        origin.terms = operand.terms * operand.terms;
        origin.largest = largest * largest;
    } else if (function.kind == Kind::sum) {
        origin.terms = operand.terms;
    }
    return origin;
}

Origin origin_of_join(const Blocks &a, const Blocks &b, Kind kind) {
    const Origin &x = a.origin();
    const Origin &y = b.origin();
    Origin origin;
    origin.inexact = (x.inexact || y.inexact) && kind != Kind::other;
    origin.inexact_in_float =
        (is_inexact_in_float(a.type(), x) || is_inexact_in_float(b.type(), y)) && kind != Kind::other;
    origin.overflowed = (x.overflowed || y.overflowed) && kind != Kind::other;
    origin.computed = kind != Kind::product || !is_int8(a.type(), x) || !is_int8(b.type(), y);
    if (kind == Kind::product) {
        origin.factors = x.factors + y.factors;
        origin.terms = x.terms * y.terms;
        origin.largest = largest_known(x, a.cells()) * largest_known(y, b.cells());
    } else if (kind == Kind::sum) {
        origin.terms = std::max(x.terms, y.terms);
    }
    return origin;
}

Number regrouped(CellType type, Number a, Number b, Number sum) noexcept {
    const double unit = type == CellType::f64 ? 0x1p-53 : 0x1p-24;
    const double magnitudes = std::fabs(a.value) + std::fabs(b.value);
    const bool whole = a.error == 0.0 && b.error == 0.0 && a.value == std::floor(a.value) &&
                       b.value == std::floor(b.value) && magnitudes * unit < 0.5;
    if (!whole && std::isfinite(magnitudes)) {
        sum.error += 2.0 * unit * magnitudes;
    }
    return sum;
}

Value join(Workspace &workspace, const TensorType &result, const Value &a, const Value &b,
           const BinaryFunction &function) {
    if (a.blocks() == nullptr && b.blocks() == nullptr) {
        return function.of(a.number(), b.number());
    }
    const BlockView left(workspace, a);
    const BlockView right(workspace, b);
    const bool regroups =
        workspace.bounds && function.kind == Kind::sum && (left->origin().terms > 1.0 || right->origin().terms > 1.0);
    Blocks target(workspace.budget, result);
    Walk<2> walk(result, {&left->type(), &right->type()});
    Matcher(result, *left, *right).for_each([&](auto &address, std::size_t block_a, std::size_t block_b) {
        workspace.budget.take_steps(result.block_cells());
        const std::size_t block = target.append(address);
        for (std::size_t i = 0; i < result.block_cells(); ++i, walk.next()) {
            const Number x = left->at(block_a, walk.offset(0));
            const Number y = right->at(block_b, walk.offset(1));
            const Number cell = function.of(x, y);
            target.set(block, i, regroups ? regrouped(result.cell_type(), x, y, cell) : cell);
        }
    });
    if (workspace.bounds) {
        target.add_origin(origin_of_join(*left, *right, function.kind));
    }
    return Value(std::move(target));
}

Value merge(Workspace &workspace, const TensorType &result, const Value &a, const Value &b,
            const BinaryFunction &function) {
    const BlockView left(workspace, a);
    const BlockView right(workspace, b);
    workspace.budget.take_steps(left->cells().size() + right->cells().size());
    Blocks target(workspace.budget, result);
    AddressIndex index;
    for (std::size_t block = 0; block < left->count(); ++block) {
        index.find_or_add(left->address(block));
        target.append(left->address(block));
        for (std::size_t i = 0; i < result.block_cells(); ++i) {
            target.set(block, i, left->at(block, i));
        }
    }
    for (std::size_t block = 0; block < right->count(); ++block) {
        const auto both = index.find(right->address(block));
        const std::size_t place = both ? *both : target.append(right->address(block));
        for (std::size_t i = 0; i < result.block_cells(); ++i) {
            const Number y = right->at(block, i);
            target.set(place, i, both ? function.of(left->at(*both, i), y) : y);
        }
    }
    target.add_origin(combined(left->origin(), right->origin()));
    return Value(std::move(target));
}

Value concat(Workspace &workspace, const TensorType &result, const Value &a, const Value &b,
             std::string_view dimension) {
    const BlockView left(workspace, a);
    const BlockView right(workspace, b);
    std::size_t axis = 0;  // of the dimension, among the indexed ones of the result
    for (const Dimension &d : result.dimensions()) {
        if (d.name == dimension) {
            break;
        }
        axis += d.is_indexed();
    }
    const auto at = left->type().find(dimension);
    const std::size_t first_of_b = at ? left->type().dimensions()[*at].size : 1;
    const std::size_t skipped = first_of_b * stride(right->type(), dimension);

    Blocks target(workspace.budget, result);
    Walk<2> walk(result, {&left->type(), &right->type()});
    Matcher(result, *left, *right).for_each([&](auto &address, std::size_t block_a, std::size_t block_b) {
        workspace.budget.take_steps(result.block_cells());
        const std::size_t block = target.append(address);
        for (std::size_t i = 0; i < result.block_cells(); ++i, walk.next()) {
            target.set(block, i,
                       walk.index(axis) < first_of_b ? left->at(block_a, walk.offset(0))
                                                     : right->at(block_b, walk.offset(1) - skipped));
        }
    });
    target.add_origin(combined(left->origin(), right->origin()));
    return Value(std::move(target));
}

}  // namespace tenrex::reference

#include <algorithm>
#include <cmath>
#include <limits>

#include "lib/reference/operations.h"
#include "lib/reference/pairs.h"
#include "lib/reference/walk.h"

namespace tenrex::reference {

namespace {

// An accumulator takes the cells of one group; result() is asked once, after at least one cell. Its Error takes the
// same cells with their errors, if errors are wanted; error() is that of a result, origin() that of results of so many
// cells.

template <class E>
struct Ordinary {
    using Error = E;
    static E no_error() { return E(); }
    static Origin origin(const Origin &, double) { return {}; }
    static double error(const E &cells, double result, const Origin &from, CellType type) {
        return cells.of(result, from, type);
    }
};
// Of what every evaluation has alike.
struct NoError {
    void add(Number) {}
    double of(double, const Origin &, CellType) const { return 0.0; }
    double count() const { return 0.0; }
};

struct Sum : Ordinary<SumError> {
    double total = 0.0;
    void add(double cell) { total += cell; }
    double result() const { return total; }
    static Origin origin(const Origin &from, double count) {
        Origin origin;
        origin.computed = from.computed;
        origin.factors = from.factors;
        origin.terms = from.terms * count;
        origin.largest = from.largest * count;
        return origin;
    }
};
struct Product : Ordinary<ProductError> {
    static Origin origin(const Origin &, double) {
        Origin origin;
        origin.computed = true;  // a product of products is one that rounds once
        return origin;
    }
    double total = 1.0;
    void add(double cell) { total *= cell; }
    double result() const { return total; }
};
struct Count : Ordinary<NoError> {
    std::uint64_t count = 0;
    void add(double) { ++count; }
    double result() const { return static_cast<double>(count); }
};
struct Average : Ordinary<SumError> {
    Sum sum;
    Count count;
    void add(double cell) {
        sum.add(cell);
        count.add(cell);
    }
    double result() const { return sum.result() / count.result(); }
    static double error(const SumError &cells, double result, const Origin &from, CellType type) {
        const double error = cells.of(result * cells.count(), from, type);
        const double division = std::isfinite(result) ? std::fabs(result) * 0x1p-52 : 0.0;
        return error == 0.0 ? 0.0 : error / cells.count() + division;
    }
    static Origin origin(const Origin &from, double number) { return Sum::origin(from, number); }
};
struct Largest : Ordinary<ExtremeError> {
    double best = std::numeric_limits<double>::quiet_NaN();
    void add(double cell) {
        if (std::isnan(best) || cell > best) {
            best = cell;
        }
    }
    double result() const { return best; }
    static ExtremeError no_error() { return ExtremeError(true); }
};
struct Smallest : Ordinary<ExtremeError> {
    double best = std::numeric_limits<double>::quiet_NaN();
    void add(double cell) {
        if (std::isnan(best) || cell < best) {
            best = cell;
        }
    }
    double result() const { return best; }
    static ExtremeError no_error() { return ExtremeError(false); }
};
struct Median : Ordinary<MedianError> {
    std::vector<double> cells;
    void add(double cell) { cells.push_back(cell); }
    double result() {
        if (std::any_of(cells.begin(), cells.end(), [](double cell) { return std::isnan(cell); })) {
            return std::numeric_limits<double>::quiet_NaN();
        }
        std::sort(cells.begin(), cells.end());
        const std::size_t middle = cells.size() / 2;
        return cells.size() % 2 == 1 ? cells[middle] : (cells[middle - 1] + cells[middle]) / 2.0;
    }
    static double error(const MedianError &cells, double result, const Origin &, CellType) {
        return cells.of(result, [](std::vector<double> ends) { return Median{{}, std::move(ends)}.result(); });
    }
};

// Takes the cells of blocks of one type and aggregates them. Of a block they may come a few at a time.
template <class Accumulator>
class Reducer {
public:
    Reducer(Workspace &workspace, const TensorType &source, const TensorType &result)
        : workspace_(workspace), result_(result), target_(workspace.budget, result), walk_(source, {&result}) {
        const std::vector<Dimension> &dimensions = source.dimensions();
        for (std::size_t i = 0, mapped = 0; i < dimensions.size(); ++i) {
            if (dimensions[i].is_mapped()) {
                if (result.find(dimensions[i].name)) {
                    kept_.push_back(mapped);
                }
                ++mapped;
            }
        }
        address_.resize(kept_.size());
    }

    void begin_block(std::span<const LabelId> address) {
        for (std::size_t i = 0; i < kept_.size(); ++i) {
            address_[i] = address[kept_[i]];
        }
        const std::size_t group = groups_.find_or_add(address_);
        if (group == target_.count()) {
            target_.append(address_);
            accumulators_.resize(accumulators_.size() + result_.block_cells());
            if (workspace_.bounds) {
                errors_.resize(accumulators_.size(), Accumulator::no_error());
            }
        }
        first_ = group * result_.block_cells();
    }

    // errors: null if there are none.
    void add(std::span<const double> cells, const double *errors) {
        workspace_.budget.take_steps(cells.size());
        for (std::size_t i = 0; i < cells.size(); ++i, walk_.next()) {
            const std::size_t place = first_ + walk_.offset(0);
            accumulators_[place].add(cells[i]);
            if (workspace_.bounds) {
                errors_[place].add({cells[i], errors == nullptr ? 0.0 : errors[i]});
            }
        }
    }

    Value result(const Origin &from, CellType cells) && {
        if (!result_.has_mapped() && target_.count() == 0) {
            target_.append({});
        }
        double most = 0.0;
        for (std::size_t i = 0; i < accumulators_.size(); ++i) {
            Number number{accumulators_[i].result()};
            if (workspace_.bounds) {
                number.error = Accumulator::error(errors_[i], number.value, from, cells);
                most = std::max(most, errors_[i].count());
            }
            target_.set(i / result_.block_cells(), i % result_.block_cells(), number);
        }
        if (workspace_.bounds) {
            target_.add_origin(Accumulator::origin(from, most));
        }
        return Value(std::move(target_));
    }

private:
    Workspace &workspace_;
    const TensorType &result_;
    std::vector<std::size_t> kept_;  // mapped dimensions of the operand that stay
    Blocks target_;
    Walk<1> walk_;
    AddressIndex groups_;
    std::vector<Accumulator> accumulators_;
    std::vector<typename Accumulator::Error> errors_;
    std::vector<LabelId> address_;
    std::size_t first_ = 0;
};

// Some cells that have been computed.
struct Cells {
    explicit Cells(std::size_t count) : values(count), errors(count) {}
    std::vector<double> values;
    std::vector<double> errors;

    void store_product(std::size_t i, CellType type, double a, double b, Origin &origin) {
        const double product = a * b;
        values[i] = rounded(type, product);
        origin.inexact |= values[i] != product || is_rounded_product(a, b);
        origin.overflowed |= std::isinf(values[i]) && std::isfinite(a) && std::isfinite(b);
    }
    // Each replaced by what `compute(index)` gives, as a cell of that type.
    template <class Compute>
    void store(std::size_t count, CellType type, Origin &origin, const Compute &compute) {
        for (std::size_t i = 0; i < count; ++i) {
            const Number number = compute(i);
            const Number cell = rounded(type, number);
            origin.note(number, cell);
            values[i] = cell.value;
            errors[i] = cell.error;
        }
    }
};

template <class Accumulator>
Value reduce_by(Workspace &workspace, const TensorType &result, const Computed &operand) {
    constexpr std::size_t most = 1024;  // cells that are computed at a time
    const BlockView left(workspace, operand.a);
    const bool joins = operand.b.has_value();
    const BlockView right(workspace, joins ? *operand.b : operand.a);
    const TensorType &first = joins ? *operand.joined : left->type();
    const TensorType &last = operand.steps.empty() ? first : *operand.steps.back().type;
    Reducer<Accumulator> reducer(workspace, last, result);
    if (first.has_empty()) {
        return std::move(reducer).result(left->origin(), last.cell_type());  // there are no cells
    }
    if (!joins && operand.steps.empty()) {
        for (std::size_t block = 0; block < left->count(); ++block) {
            reducer.begin_block(left->address(block));
            reducer.add(left->cells(block), left->errors(block));
        }
        return std::move(reducer).result(left->origin(), last.cell_type());
    }

    const Origin first_origin = joins ? origin_of_join(*left, *right, operand.function.kind) : left->origin();
    Origin origin = first_origin;
    const bool regroups = workspace.bounds && joins && operand.function.kind == Kind::sum && origin.terms > 1.0;
    // No call for each cell of what most reductions are made of.
    const bool multiplies = joins && operand.function.kind == Kind::product && left->is_exact() && right->is_exact();
    const TensorType *type = &first;
    std::vector<bool> step_regroups;
    for (const Computed::Step &step : operand.steps) {
        step_regroups.push_back(workspace.bounds && step.function.kind == Kind::sum && origin.terms > 1.0);
        origin = origin_of_map(*type, origin, 1.0, step.function);
        type = step.type;
    }
    // How large the cells before each step are is known when all have passed by; nothing else of `known` is taken.
    std::vector<double> largest_cells(operand.steps.size(), 1.0);
    const auto finish = [&] {
        Origin known = first_origin;
        for (std::size_t number = 0; number < operand.steps.size(); ++number) {
            known = origin_of_map(first, known, largest_cells[number], operand.steps[number].function);
        }
        origin.largest = known.largest;
        return std::move(reducer).result(origin, last.cell_type());
    };
    Cells cells(most);
    const auto add = [&](std::size_t count) {
        for (std::size_t number = 0; number < operand.steps.size(); ++number) {
            const Computed::Step &step = operand.steps[number];
            const CellType step_type = step.type->cell_type();
            workspace.budget.take_steps(count);
            if (workspace.bounds) {
                double &largest = largest_cells[number];
                largest = std::max(largest, largest_of(std::span(cells.values).first(count)));
            }
            cells.store(count, step_type, origin, [&](std::size_t i) {
                const Number cell{cells.values[i], cells.errors[i]};
                const Number computed = step.function.of(cell);
                return step_regroups[number] ? regrouped(step_type, cell, *step.function.scalar, computed) : computed;
            });
        }
        reducer.add(std::span(cells.values).first(count), cells.errors.data());
    };
    const std::size_t block_cells = first.block_cells();
    const auto in_parts = [&](const auto &compute) {
        for (std::size_t begin = 0; begin < block_cells; begin += most) {
            const std::size_t count = std::min(most, block_cells - begin);
            workspace.budget.take_steps(count);
            compute(begin, count);
            add(count);
        }
    };
    if (!joins) {
        for (std::size_t block = 0; block < left->count(); ++block) {
            reducer.begin_block(left->address(block));
            in_parts([&](std::size_t begin, std::size_t count) {
                for (std::size_t i = 0; i < count; ++i) {
                    const Number cell = left->at(block, begin + i);
                    cells.values[i] = cell.value;
                    cells.errors[i] = cell.error;
                }
            });
        }
        return finish();
    }
    const CellType cell_type = first.cell_type();
    Walk<2> walk(first, {&left->type(), &right->type()});
    Matcher(first, *left, *right).for_each([&](auto &address, std::size_t block_a, std::size_t block_b) {
        reducer.begin_block(address);
        in_parts([&](std::size_t, std::size_t count) {
            if (multiplies) {
                const std::span<const double> x = left->cells(block_a);
                const std::span<const double> y = right->cells(block_b);
                for (std::size_t i = 0; i < count; ++i, walk.next()) {
                    cells.store_product(i, cell_type, x[walk.offset(0)], y[walk.offset(1)], origin);
                }
                return;
            }
            cells.store(count, cell_type, origin, [&](std::size_t) {
                const Number x = left->at(block_a, walk.offset(0));
                const Number y = right->at(block_b, walk.offset(1));
                const Number cell = operand.function.of(x, y);
                walk.next();
                return regroups ? regrouped(cell_type, x, y, cell) : cell;
            });
        });
    });
    return finish();
}

}  // namespace

Value reduce(Workspace &workspace, const TensorType &result, const Value &operand, Aggregator aggregator) {
    return reduce(workspace, result, Computed{operand, std::nullopt, nullptr, {}, {}}, aggregator);
}

Value reduce(Workspace &workspace, const TensorType &result, const Computed &operand, Aggregator aggregator) {
    switch (aggregator) {
        case Aggregator::avg:
            return reduce_by<Average>(workspace, result, operand);
        case Aggregator::count:
            return reduce_by<Count>(workspace, result, operand);
        case Aggregator::max:
            return reduce_by<Largest>(workspace, result, operand);
        case Aggregator::median:
            return reduce_by<Median>(workspace, result, operand);
        case Aggregator::min:
            return reduce_by<Smallest>(workspace, result, operand);
        case Aggregator::prod:
            return reduce_by<Product>(workspace, result, operand);
        case Aggregator::sum:
            return reduce_by<Sum>(workspace, result, operand);
    }
    __builtin_unreachable();
}

}  // namespace tenrex::reference

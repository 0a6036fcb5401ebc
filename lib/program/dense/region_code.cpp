#include "lib/program/dense/region_code.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "lib/support/format.h"

namespace tenrex::program {

namespace {

using kernels::ElementwiseOperation;

// One summand of a sum, and the place of the next one.
struct Summand {
    std::uint32_t a, b;
    std::uint32_t next;
};

// The places of the first and the last summand. Empty: it is no sum, or part of another one.
struct Sum {
    std::uint32_t first, last;
    std::uint32_t size = 0;
};

class SumMerger {
public:
    explicit SumMerger(RegionCode &code)
        : code_(code), made_by_(code.values.size(), none), uses_(code.values.size(), 0), sums_(code.operations.size()) {
        summands_.reserve(2 * code.operations.size());
        for (std::uint32_t i = 0; i < code.operations.size(); ++i) {
            made_by_[code.operations[i].result] = i;
            for (const std::uint32_t operand : code.operations[i].operands) {
                ++uses_[operand];
            }
        }
    }

    void run() {
        const std::size_t count = code_.operations.size();
        for (std::uint32_t i = 0; i < count; ++i) {
            find_sum(i);
        }
        if (std::none_of(sums_.begin(), sums_.end(), [&](const Sum &sum) { return is_faster(sum); })) {
            return;
        }
        dropped_.assign(count, false);
        is_factor_.assign(code_.values.size(), false);
        for (std::uint32_t i = 0; i < count; ++i) {
            if (is_faster(sums_[i])) {
                replace(i);
            }
        }
        std::size_t kept = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if (!dropped_[i]) {
                std::swap(code_.operations[kept++], code_.operations[i]);
            }
        }
        code_.operations.resize(kept);
    }

private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    // All summands of a sum are kept until it is computed.
    static constexpr std::size_t most = 32;

    // Two summands are as fast as an operation, and three as two if they are no products.
    bool is_faster(const Sum &sum) const {
        if (sum.size != 3) {
            return sum.size > 3;
        }
        bool any_product = false;
        for_each(sum, [&](const Summand &summand) {
            const RegionValue &factor = code_.values[summand.b];
            any_product |= factor.kind != RegionValueKind::constant || std::fabs(factor.number) != 1;
        });
        return any_product;
    }

    template <class Function>
    void for_each(const Sum &sum, const Function &function) const {
        for (std::uint32_t i = 0, at = sum.first; i < sum.size; ++i, at = summands_[at].next) {
            function(summands_[at]);
        }
    }

    void append(Sum &sum, std::uint32_t a, std::uint32_t b) {
        const auto added = static_cast<std::uint32_t>(summands_.size());
        summands_.push_back({a, b, none});
        if (sum.size++ == 0) {
            sum.first = added;
        } else {
            summands_[sum.last].next = added;
        }
        sum.last = added;
    }

    // The operation that makes a value for one use only, if it is of that kind.
    std::uint32_t only_for_this(std::uint32_t value, std::initializer_list<ElementwiseOperation> kinds) const {
        const std::uint32_t maker = made_by_[value];
        if (maker == none || uses_[value] != 1 || code_.values[value].to) {
            return none;
        }
        const RegionOperation &operation = code_.operations[maker];
        const bool fits = operation.kind == RegionOperationKind::elementwise &&
                          std::find(kinds.begin(), kinds.end(), operation.elementwise) != kinds.end();
        return fits ? maker : none;
    }

    // The operation that makes a value for one use only, if it is a sum that can go on.
    std::uint32_t sum_of(std::uint32_t value) const {
        using enum ElementwiseOperation;
        const std::uint32_t maker = only_for_this(value, {add, subtract, multiply_add});
        return maker != none && sums_[maker].size < most ? maker : none;
    }

    std::uint32_t number(double number, CellType type) {
        RegionValue value;
        value.kind = RegionValueKind::constant;
        value.type = type;
        value.number = number;
        made_by_.push_back(none);
        uses_.push_back(1);
        return code_.add(value);
    }
    std::uint32_t one(CellType type) {
        std::uint32_t &known = ones_[type == CellType::f64 ? 1 : 0];
        return known = known != none ? known : number(1, type);
    }

    // The summands before the last one: those of a sum, a product, or the value itself.
    Sum first_summands(std::uint32_t value, CellType type) {
        Sum sum{none, none};
        if (const std::uint32_t part = sum_of(value); part != none) {
            std::swap(sum, sums_[part]);
            return sum;
        }
        const std::uint32_t product = only_for_this(value, {ElementwiseOperation::multiply});
        if (product != none) {
            const std::vector<std::uint32_t> &factors = code_.operations[product].operands;
            append(sum, factors[0], factors[1]);
        } else {
            append(sum, value, one(type));
        }
        return sum;
    }

    void find_sum(std::uint32_t i) {
        using enum ElementwiseOperation;
        if (code_.operations[i].kind != RegionOperationKind::elementwise) {
            return;
        }
        const CellType type = code_.type_of(code_.operations[i]);
        const std::vector<std::uint32_t> &operands = code_.operations[i].operands;
        switch (code_.operations[i].elementwise) {
            case multiply_add:
                sums_[i] = first_summands(operands[2], type);
                append(sums_[i], operands[0], operands[1]);
                break;
            case add: {
                // Of two sums the longer one goes on.
                const std::uint32_t a = sum_of(operands[0]);
                const std::uint32_t b = sum_of(operands[1]);
                const bool second = b != none && (a == none || sums_[b].size > sums_[a].size);
                sums_[i] = first_summands(operands[second ? 1 : 0], type);
                append(sums_[i], operands[second ? 0 : 1], one(type));
                break;
            }
            case subtract: {
                sums_[i] = first_summands(operands[0], type);
                append_subtracted(sums_[i], operands[1], type);
                break;
            }
            default:
                break;
        }
    }

    // What is added instead of the value that is subtracted is the same but for the sign.
    void append_subtracted(Sum &sum, std::uint32_t value, CellType type) {
        const std::uint32_t product = only_for_this(value, {ElementwiseOperation::multiply});
        if (product != none) {
            const std::vector<std::uint32_t> &factors = code_.operations[product].operands;
            for (const std::size_t k : {0, 1}) {
                const RegionValue &factor = code_.values[factors[k]];
                if (factor.kind == RegionValueKind::constant) {
                    append(sum, number(-factor.number, type), factors[1 - k]);
                    return;
                }
            }
        }
        append(sum, value, number(-1, type));
    }

    // Makes the operation a sum, and drops those whose results it does not need any more.
    void replace(std::uint32_t i) {
        std::vector<std::uint32_t> factors;
        factors.reserve(2 * sums_[i].size);
        for_each(sums_[i], [&](const Summand &summand) {
            factors.push_back(summand.a);
            factors.push_back(summand.b);
        });
        for (const std::uint32_t factor : factors) {
            is_factor_[factor] = true;
        }
        std::vector<std::uint32_t> unneeded = code_.operations[i].operands;
        while (!unneeded.empty()) {
            const std::uint32_t value = unneeded.back();
            unneeded.pop_back();
            const std::uint32_t maker = made_by_[value];
            if (maker != none && uses_[value] == 1 && !code_.values[value].to && !is_factor_[value]) {
                dropped_[maker] = true;
                const std::vector<std::uint32_t> &operands = code_.operations[maker].operands;
                unneeded.insert(unneeded.end(), operands.begin(), operands.end());
            }
        }
        for (const std::uint32_t factor : factors) {
            is_factor_[factor] = false;
        }
        code_.operations[i].kind = RegionOperationKind::sum_of_products;
        code_.operations[i].operands = std::move(factors);
    }

    RegionCode &code_;
    std::vector<std::uint32_t> made_by_;  // by value: an operation
    std::vector<std::uint32_t> uses_;     // by value
    std::vector<Sum> sums_;               // by operation
    std::vector<Summand> summands_;       // of all sums
    std::vector<bool> dropped_;           // by operation
    std::vector<bool> is_factor_;         // by value
    std::uint32_t ones_[2] = {none, none};
};

}  // namespace

std::string RegionCode::name_of(const RegionOperation &operation) const {
    switch (operation.kind) {
        case RegionOperationKind::elementwise:
            return std::string(kernels::name(operation.elementwise));
        case RegionOperationKind::convert:
            return fmt::format("convert {} to {}", tenrex::name(values[operation.operands[0]].type),
                               tenrex::name(type_of(operation)));
        case RegionOperationKind::in_set:
            return fmt::format("membership in a set of {}", operation.operands.size() - 1);
        case RegionOperationKind::sum_of_products:
            return fmt::format("sum of {} products", operation.operands.size() / 2);
        case RegionOperationKind::choice: {
            constexpr const char *names[] = {"less", "less_equal", "equal"};
            return fmt::format("choice if {}", names[static_cast<std::size_t>(operation.comparison)]);
        }
    }
    return {};
}

void merge_sums(RegionCode &code) {
    if (code.operations.size() > 1) {  // of one operation there are two summands at most
        SumMerger(code).run();
    }
}

std::uint32_t assign_rooms(RegionCode &code) {
    constexpr std::size_t never = ~std::size_t{0};
    std::vector<std::size_t> last_use(code.values.size(), never);
    for (std::size_t i = 0; i < code.operations.size(); ++i) {
        for (const std::uint32_t operand : code.operations[i].operands) {
            last_use[operand] = i;
        }
    }
    std::uint32_t rooms = 0;
    std::vector<std::uint32_t> free;
    free.reserve(code.values.size());
    const auto take = [&] {
        if (free.empty()) {
            return rooms++;
        }
        const std::uint32_t room = free.back();
        free.pop_back();
        return room;
    };
    for (RegionValue &value : code.values) {
        if (value.kind == RegionValueKind::converted) {
            value.room = take();
        }
    }
    for (std::size_t i = 0; i < code.operations.size(); ++i) {
        const RegionOperation &operation = code.operations[i];
        const auto release = [&] {
            for (const std::uint32_t operand : operation.operands) {
                if (last_use[operand] == i && code.values[operand].has_room()) {
                    free.push_back(code.values[operand].room);
                    last_use[operand] = never;  // it may be an operand twice
                }
            }
        };
        RegionValue &result = code.values[operation.result];
        // A conversion must not write where it still reads.
        const bool in_place = operation.kind != RegionOperationKind::convert;
        if (in_place) {
            release();
        }
        if (result.has_room()) {
            result.room = take();
        }
        if (!in_place) {
            release();
        }
    }
    return rooms;
}

}  // namespace tenrex::program

#include <algorithm>
#include <optional>
#include <utility>

#include "lib/program/dense/region_code.h"

namespace tenrex::program {

namespace {

using kernels::ElementwiseOperation;
using kernels::TileComparison;

// A comparison in terms of those that there are: of which operands, and whether it chooses the other way round. NaN is
// neither less than, greater than nor equal to anything, so only `not equal` may be turned round.
struct Comparison {
    TileComparison kind;
    bool swap_operands = false;
    bool swap_results = false;
};

std::optional<Comparison> comparison_of(ElementwiseOperation operation) {
    switch (operation) {
        case ElementwiseOperation::less:
            return Comparison{TileComparison::less};
        case ElementwiseOperation::greater:
            return Comparison{TileComparison::less, true};
        case ElementwiseOperation::less_equal:
            return Comparison{TileComparison::less_equal};
        case ElementwiseOperation::greater_equal:
            return Comparison{TileComparison::less_equal, true};
        case ElementwiseOperation::equal:
            return Comparison{TileComparison::equal};
        case ElementwiseOperation::not_equal:
        case ElementwiseOperation::is_nan:  // of a number that does not equal itself
            return Comparison{TileComparison::equal, false, true};
        default:
            return std::nullopt;
    }
}

constexpr std::uint32_t no_operation = ~std::uint32_t{0};

bool is(const RegionOperation &operation, ElementwiseOperation elementwise) {
    return operation.kind == RegionOperationKind::elementwise && operation.elementwise == elementwise;
}

bool is_choice(const RegionOperation &operation) {
    return is(operation, ElementwiseOperation::select);
}

// A choice by "p and q" becomes one by p between a choice by q and the second result, if nothing else reads the
// condition: comparisons can be merged with those. In the same way for "or".
class ConditionSplitter {
public:
    explicit ConditionSplitter(RegionCode &code)
        : code_(code),
          made_by_(code.values.size(), no_operation),
          readers_(code.values.size()),
          is_split_(code.operations.size(), false) {
        for (std::uint32_t i = 0; i < code.operations.size(); ++i) {
            const RegionOperation &operation = code.operations[i];
            made_by_[operation.result] = i;
            for (std::size_t k = 0; k < operation.operands.size(); ++k) {
                Reader &reader = readers_[operation.operands[k]];
                reader.is_choice = is_choice(operation) && k == 2 &&
                                   code.values[operation.operands[k]].type == code.type_of(operation);
                reader.operation = i;
                ++reader.count;
            }
        }
    }

    void run() {
        for (std::size_t i = code_.operations.size(); i-- > 0;) {
            const RegionOperation &operation = code_.operations[i];
            const Reader &reader = readers_[operation.result];
            is_split_[i] =
                (is(operation, ElementwiseOperation::logical_and) || is(operation, ElementwiseOperation::logical_or)) &&
                reader.count == 1 && !code_.values[operation.result].to &&
                (reader.is_choice || is_split_[reader.operation]);
        }
        if (std::find(is_split_.begin(), is_split_.end(), true) == is_split_.end()) {
            return;
        }
        old_ = std::exchange(code_.operations, {});
        code_.operations.reserve(old_.size());
        for (std::size_t i = 0; i < old_.size(); ++i) {
            const std::vector<std::uint32_t> &operands = old_[i].operands;
            if (is_choice(old_[i]) && is_split_condition(operands[2])) {
                choose({operands[0], operands[1], operands[2], old_[i].result});
            } else if (!is_split_[i]) {
                code_.operations.push_back(std::move(old_[i]));
            }
        }
    }

private:
    // The only one is known.
    struct Reader {
        std::size_t count = 0;
        std::uint32_t operation = 0;
        bool is_choice = false;  // reads it as its condition
    };

    struct Choice {
        std::uint32_t first, second, condition, result;
    };

    bool is_split_condition(std::uint32_t value) const {
        return made_by_[value] != no_operation && is_split_[made_by_[value]];
    }

    // Not recursive: conditions may be as long as texts.
    void choose(const Choice &whole) {
        std::vector<Choice> pending = {whole};
        while (!pending.empty()) {
            const Choice choice = pending.back();
            pending.pop_back();
            if (!is_split_condition(choice.condition)) {
                RegionOperation &operation = code_.operations.emplace_back();
                operation.elementwise = ElementwiseOperation::select;
                operation.result = choice.result;
                operation.operands = {choice.first, choice.second, choice.condition};
                continue;
            }
            const RegionOperation &connection = old_[made_by_[choice.condition]];
            const bool is_and = connection.elementwise == ElementwiseOperation::logical_and;
            RegionValue value;
            value.type = code_.values[choice.result].type;
            const std::uint32_t inner = code_.add(value);
            pending.push_back(
                {is_and ? inner : choice.first, is_and ? choice.second : inner, connection.operands[0], choice.result});
            pending.push_back({choice.first, choice.second, connection.operands[1], inner});
        }
    }

    RegionCode &code_;
    std::vector<std::uint32_t> made_by_;  // by value
    std::vector<Reader> readers_;         // by value
    std::vector<bool> is_split_;          // by operation
    std::vector<RegionOperation> old_;
};

}  // namespace

void merge_choices(RegionCode &code) {
    if (std::none_of(code.operations.begin(), code.operations.end(), is_choice)) {
        return;
    }
    ConditionSplitter(code).run();
    // The comparisons that make a value, unless something else reads it than choices in its own cell type.
    std::vector<std::uint32_t> compared(code.values.size(), no_operation);
    for (std::uint32_t i = 0; i < code.operations.size(); ++i) {
        const RegionOperation &operation = code.operations[i];
        for (std::size_t k = 0; k < operation.operands.size(); ++k) {
            const std::uint32_t operand = operation.operands[k];
            if (!is_choice(operation) || k != 2 || code.values[operand].type != code.type_of(operation)) {
                compared[operand] = no_operation;
            }
        }
        const bool compares =
            operation.kind == RegionOperationKind::elementwise && comparison_of(operation.elementwise).has_value();
        compared[operation.result] = compares && !code.values[operation.result].to ? i : no_operation;
    }
    std::vector<bool> merged(code.operations.size(), false);
    for (RegionOperation &operation : code.operations) {
        const std::uint32_t maker = is_choice(operation) ? compared[operation.operands[2]] : no_operation;
        if (maker == no_operation) {
            continue;
        }
        const RegionOperation &comparing = code.operations[maker];
        const Comparison comparison = *comparison_of(comparing.elementwise);
        std::vector<std::uint32_t> operands = {operation.operands[0], operation.operands[1], comparing.operands.front(),
                                               comparing.operands.back()};
        if (comparison.swap_results) {
            std::swap(operands[0], operands[1]);
        }
        if (comparison.swap_operands) {
            std::swap(operands[2], operands[3]);
        }
        operation.kind = RegionOperationKind::choice;
        operation.comparison = comparison.kind;
        operation.operands = std::move(operands);
        merged[maker] = true;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < code.operations.size(); ++i) {
        if (!merged[i]) {
            std::swap(code.operations[kept++], code.operations[i]);
        }
    }
    code.operations.resize(kept);
}

}  // namespace tenrex::program

#include "lib/ir/infer_gather.h"

#include <algorithm>
#include <cstdint>

#include "lib/ir/dimension_views.h"
#include "lib/support/format.h"

namespace tenrex::ir {

namespace {

class GatherInference {
public:
    GatherInference(OperandTypes operands, const Gather &gather, DimensionViews &result)
        : operands_(operands), gather_(gather), sources_(gather.source_count()), result_(result) {}

    Problem run() {
        if (gather_.operations.size() > Gather::most_operations || !gather_.is_tree()) {
            return fmt::format("its {} operations are no tree", gather_.operations.size());
        }
        if (sources_ > std::min(operands_.size(), Gather::most_sources)) {
            return fmt::format("takes cells from operand {}", sources_ - 1);
        }
        Problem problem = start();
        for (auto operation = gather_.operations.begin(); !problem && operation != gather_.operations.end();
             ++operation) {
            problem = operation->chooses() ? choice(*operation) : source(*operation);
        }
        return problem;
    }

private:
    // The indexed dimensions of the result. What is repeated in one of them is in no operand.
    Problem start() {
        result_.clear();
        std::size_t along = 0;
        for (const Dimension &dimension : gather_.dimensions) {
            if (dimension.is_mapped() || !insert(result_, dimension.name, dimension.size)) {
                return fmt::format("has dimension {} twice, or without a size", dimension.name);
            }
            along += dimension.size > 1 ? 1 : 0;
        }
        return gather_.is_split && along != 1 ? Problem(fmt::format("splits {} dimensions", along)) : std::nullopt;
    }

    Problem has_no(std::string_view dimension) const {
        return fmt::format("has no dimension {} as its operand has", dimension);
    }
    bool has(const Dimension &dimension) const {
        const auto place = place_of(result_, dimension.name);
        return place != result_.end() && *place == dimension;
    }

    Problem choice(const Gather::Operation &operation) const {
        if (operation.kind == Gather::Kind::choice) {
            return number(operation.operand);
        }
        const bool compares =
            operation.function == ScalarFunction::less || operation.function == ScalarFunction::less_equal ||
            operation.function == ScalarFunction::greater || operation.function == ScalarFunction::greater_equal;
        if (!gather_.is_split || !compares) {
            return "compares indexes that are not split";
        }
        Problem problem = number(operation.operand);
        return problem ? problem : sum(operation.sum);
    }

    // What documents split is scalars; else there may be one for each cell.
    Problem number(std::uint32_t operand) const {
        if (operand < sources_ || operand >= operands_.size()) {
            return fmt::format("operand {} is no number", operand);
        }
        for (const Dimension &dimension : operands_[operand]->dimensions()) {
            if (gather_.is_split || dimension.is_mapped()) {
                return fmt::format("operand {} is more than a number", operand);
            }
            if (!has(dimension)) {
                return has_no(dimension.name);
            }
        }
        return std::nullopt;
    }

    Problem sum(const Gather::Sum &terms) const {
        if (gather_.is_split ? terms.size() > Gather::most_terms : terms.size() != 1 || terms[0].is_subtracted) {
            return fmt::format("computes an index from {} numbers", terms.size());
        }
        Problem problem;
        for (auto term = terms.begin(); !problem && term != terms.end(); ++term) {
            problem = number(term->operand);
        }
        return problem;
    }

    Problem source(const Gather::Operation &operation) {
        const TensorType &type = *operands_[operation.operand];
        if (Problem problem = peek(type, operation)) {
            return problem;
        }
        for (const Dimension &dimension : type.dimensions()) {
            const auto peeked = [&](const Gather::Part &part) { return part.dimension == dimension.name; };
            if (std::any_of(operation.parts.begin(), operation.parts.end(), peeked)) {
                continue;
            }
            if (dimension.is_mapped() && !gather_.is_split) {
                insert(result_, dimension.name, 0);
            }
            if (!has(dimension)) {
                return has_no(dimension.name);
            }
            if (gather_.is_split && operation.kind == Gather::Kind::peek && dimension.size != 1) {
                return fmt::format("peeks along a dimension beside {}", dimension.name);
            }
        }
        return std::nullopt;
    }

    Problem peek(const TensorType &type, const Gather::Operation &operation) const {
        const std::vector<Gather::Part> &parts = operation.parts;
        std::ptrdiff_t computed = 0;
        for (auto part = parts.begin(); part != parts.end(); ++part) {
            const Dimension *const dimension = find(type, part->dimension);
            if (dimension == nullptr || dimension->is_mapped()) {
                return fmt::format("its operand has no indexes along dimension {}", part->dimension);
            }
            if (std::any_of(parts.begin(), part,
                            [&](const Gather::Part &other) { return other.dimension == part->dimension; })) {
                return fmt::format("chooses along dimension {} twice", part->dimension);
            }
            if (!part->computed && part->index >= dimension->size) {
                return fmt::format("dimension {} has no index {}", part->dimension, part->index);
            }
            if (part->computed) {
                ++computed;
                if (Problem problem = sum(*part->computed)) {
                    return problem;
                }
            }
        }
        const bool peeks = operation.kind == Gather::Kind::peek;
        if (peeks ? computed == 0 || (gather_.is_split && computed != 1) : !parts.empty()) {
            return fmt::format("computes {} indexes of a source", computed);
        }
        return std::nullopt;
    }

    OperandTypes operands_;
    const Gather &gather_;
    std::size_t sources_;
    DimensionViews &result_;
};

}  // namespace

Problem gathered(OperandTypes operands, const Gather &gather, DimensionViews &result) {
    return GatherInference(operands, gather, result).run();
}

}  // namespace tenrex::ir

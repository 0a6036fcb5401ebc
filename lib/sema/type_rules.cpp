// Rules of operations on one tensor; those on two are in type_rules_pairs.cpp.
#include "lib/sema/type_rules.h"

#include <algorithm>
#include <utility>

#include <fmt/ranges.h>

#include "lib/sema/make_type.h"
#include "lib/support/diagnostics.h"
#include "lib/support/format.h"
#include "lib/types/derived_type.h"

namespace tenrex::sema {

namespace {

TypeProblem no_dimension(const TensorType &type, std::string_view name) {
    if (type.is_scalar()) {
        return {fmt::format("a double has no dimension '{}'", name), {}};
    }
    std::vector<std::string_view> names;
    for (const Dimension &dimension : type.dimensions()) {
        names.push_back(dimension.name);
    }
    const std::string_view near = nearest(name, names);
    return {fmt::format("{} has no dimension '{}'", type.to_string(), name),
            near.empty() ? fmt::format("its dimensions are {}", dimension_list(type))
                         : fmt::format("did you mean '{}'?", near)};
}

TypeProblem repeated(std::string_view name) {
    return {fmt::format("dimension '{}' is named twice", name), {}};
}

bool repeats(std::span<const std::string_view> names, std::size_t at) {
    return std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(at), names[at]) !=
           names.begin() + static_cast<std::ptrdiff_t>(at);
}

std::vector<Dimension> without(const TensorType &type, std::span<const std::string_view> names) {
    std::vector<Dimension> rest;
    for (const Dimension &dimension : type.dimensions()) {
        if (std::find(names.begin(), names.end(), dimension.name) == names.end()) {
            rest.push_back(dimension);
        }
    }
    return rest;
}

std::optional<TypeProblem> check_names(const TensorType &type, std::span<const std::string_view> names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!type.find(names[i])) {
            return no_dimension(type, names[i]);
        }
        if (repeats(names, i)) {
            return repeated(names[i]);
        }
    }
    return std::nullopt;
}

}  // namespace

std::string dimension_list(const TensorType &type) {
    std::vector<std::string_view> names;
    for (const Dimension &dimension : type.dimensions()) {
        names.push_back(dimension.name);
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

TypeOrProblem map_type(const TensorType &operand) {
    return known_type(decay(operand.cell_type()), operand.dimensions());
}

TypeOrProblem reduce_type(const TensorType &operand, std::span<const std::string_view> dimensions) {
    if (dimensions.empty()) {
        return TensorType();
    }
    if (auto problem = check_names(operand, dimensions)) {
        return *std::move(problem);
    }
    return known_type(decay(operand.cell_type()), without(operand, dimensions));
}

TypeOrProblem rename_type(const TensorType &operand, std::span<const std::string_view> from,
                          std::span<const std::string_view> to) {
    if (from.size() != to.size()) {
        return TypeProblem{fmt::format("{} dimensions get {} names", from.size(), to.size()),
                           "write one new name for each dimension"};
    }
    if (auto problem = check_names(operand, from)) {
        return *std::move(problem);
    }
    std::vector<Dimension> dimensions = without(operand, from);
    for (std::size_t i = 0; i < from.size(); ++i) {
        const bool taken = std::any_of(dimensions.begin(), dimensions.end(),
                                       [&](const Dimension &dimension) { return dimension.name == to[i]; });
        if (taken) {
            return TypeProblem{fmt::format("the result would have two dimensions '{}'", to[i]),
                               "rename the other one too"};
        }
        Dimension renamed = operand.dimensions()[*operand.find(from[i])];
        renamed.name = to[i];
        dimensions.push_back(std::move(renamed));
    }
    return make_type(operand.cell_type(), std::move(dimensions));
}

TypeOrProblem cell_cast_type(const TensorType &operand, CellType cell_type) {
    if (operand.is_scalar() && cell_type != CellType::f64) {
        return TypeProblem{"a number without dimensions is always a double",
                           "leave the cast out; cast a tensor before it is reduced to a number"};
    }
    return known_type(cell_type, operand.dimensions());
}

TypeOrProblem peek_type(const TensorType &operand, std::span<const std::string_view> dimensions) {
    if (auto problem = check_names(operand, dimensions)) {
        return *std::move(problem);
    }
    return known_type(operand.cell_type(), without(operand, dimensions));
}

TensorType block_type(const TensorType &operand) {
    std::vector<Dimension> dimensions;
    for (const Dimension &dimension : operand.dimensions()) {
        if (dimension.is_indexed()) {
            dimensions.push_back(dimension);
        }
    }
    return known_type(operand.cell_type(), std::move(dimensions));
}

TypeOrProblem map_subspaces_type(const TensorType &operand, const TensorType &lambda_result, const Limits &limits) {
    if (lambda_result.has_mapped()) {
        return TypeProblem{fmt::format("the lambda gives {}, which has mapped dimensions", lambda_result.to_string()),
                           "the lambda must give a number or a tensor with indexed dimensions"};
    }
    std::vector<Dimension> dimensions = lambda_result.dimensions();
    for (const Dimension &dimension : operand.dimensions()) {
        if (dimension.is_mapped()) {
            if (lambda_result.find(dimension.name)) {
                return TypeProblem{fmt::format("the lambda gives {}, but '{}' is a mapped dimension of {}",
                                               lambda_result.to_string(), dimension.name, operand.to_string()),
                                   "rename the dimension inside the lambda"};
            }
            dimensions.push_back(dimension);
        }
    }
    const CellType cell_type = lambda_result.is_scalar() ? decay(operand.cell_type()) : lambda_result.cell_type();
    return make_type(cell_type, std::move(dimensions), limits);
}

TypeOrProblem filter_subspaces_type(const TensorType &operand) {
    if (!operand.has_mapped()) {
        return TypeProblem{
            fmt::format("{} has no mapped dimension, so there are no blocks to choose from", operand.to_string()), {}};
    }
    return operand;
}

TensorType to_mapped_type(const TensorType &operand, std::span<const std::string_view> dimensions) {
    std::vector<Dimension> result = operand.dimensions();
    for (Dimension &dimension : result) {
        if (std::find(dimensions.begin(), dimensions.end(), dimension.name) != dimensions.end()) {
            dimension = {dimension.name};
        }
    }
    return known_type(operand.cell_type(), std::move(result));
}

TensorType cut_type(const TensorType &operand, std::string_view dimension, std::uint64_t begin, std::uint64_t end) {
    std::vector<Dimension> result = operand.dimensions();
    result[*operand.find(dimension)] = Dimension::indexed(std::string(dimension), end - begin);
    return known_type(operand.cell_type(), std::move(result));
}

}  // namespace tenrex::sema

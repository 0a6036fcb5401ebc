// Rules of operations on two tensors.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/ranges.h>

#include "lib/sema/make_type.h"
#include "lib/sema/type_rules.h"
#include "lib/support/format.h"
#include "lib/types/derived_type.h"

namespace tenrex::sema {

namespace {

std::string kind(const Dimension &dimension) {
    return dimension.is_mapped() ? "mapped"
           : dimension.is_open() ? "indexed with an open size"
                                 : fmt::format("indexed with size {}", dimension.size);
}

std::string difference(const Dimension &a, const Dimension &b) {
    if (a.is_indexed() && b.is_indexed() && !a.is_open() && !b.is_open()) {
        return fmt::format("dimension '{}' has size {} in the first and {} in the second", a.name, a.size, b.size);
    }
    return fmt::format("dimension '{}' is {} in the first and {} in the second", a.name, kind(a), kind(b));
}

// What the two types make of a dimension that both have; nothing if they do not agree.
enum class Sharing : std::uint8_t { equal, mapped_wins, smaller };

std::optional<Dimension> share(const Dimension &a, const Dimension &b, Sharing sharing) {
    if (a.kind == b.kind && a.size == b.size) {
        return a;
    }
    // Values must have the same size there. It is known then.
    if (a.is_indexed() && b.is_indexed() && (a.is_open() || b.is_open())) {
        return a.is_open() ? b : a;
    }
    if (sharing == Sharing::mapped_wins && (a.is_mapped() || b.is_mapped())) {
        return a.is_mapped() ? a : b;
    }
    if (sharing == Sharing::smaller && a.is_indexed() && b.is_indexed()) {
        return a.size < b.size ? a : b;
    }
    return std::nullopt;
}

// The union of the dimensions of both types without `except`; differences are added to the list.
std::vector<Dimension> natural_join(const TensorType &a, const TensorType &b, std::string_view except, Sharing sharing,
                                    std::vector<std::string> &differences) {
    std::vector<Dimension> result;
    result.reserve(a.dimensions().size() + b.dimensions().size());
    for (const Dimension &dimension : a.dimensions()) {
        if (dimension.name == except) {
            continue;
        }
        const auto position = b.find(dimension.name);
        if (!position) {
            result.push_back(dimension);
            continue;
        }
        const Dimension &other = b.dimensions()[*position];
        if (std::optional<Dimension> shared = share(dimension, other, sharing)) {
            result.push_back(*std::move(shared));
        } else {
            differences.push_back(difference(dimension, other));
        }
    }
    for (const Dimension &dimension : b.dimensions()) {
        if (dimension.name != except && !a.find(dimension.name)) {
            result.push_back(dimension);
        }
    }
    return result;
}

// The dimensions that only one of the two types has, as a reason.
std::string only_in_one(const TensorType &a, const TensorType &b) {
    std::vector<std::string> reasons;
    for (const Dimension &dimension : a.dimensions()) {
        if (!b.find(dimension.name)) {
            reasons.push_back(fmt::format("only the first has dimension '{}'", dimension.name));
        }
    }
    for (const Dimension &dimension : b.dimensions()) {
        if (!a.find(dimension.name)) {
            reasons.push_back(fmt::format("only the second has dimension '{}'", dimension.name));
        }
    }
    return fmt::format("{}", fmt::join(reasons, ", "));
}

constexpr std::string_view rename_hint = "use rename to keep the two apart";

}  // namespace

CellType unify(const TensorType &a, const TensorType &b) noexcept {
    if (a.is_scalar()) {
        return b.cell_type();
    }
    if (b.is_scalar() || a.cell_type() == b.cell_type()) {
        return a.cell_type();
    }
    return a.cell_type() == CellType::f64 || b.cell_type() == CellType::f64 ? CellType::f64 : CellType::f32;
}

TypeOrProblem join_type(const TensorType &a, const TensorType &b, bool java, const Limits &limits) {
    std::vector<std::string> differences;
    std::vector<Dimension> dimensions =
        natural_join(a, b, {}, java ? Sharing::mapped_wins : Sharing::equal, differences);
    if (!differences.empty()) {
        return TypeProblem{fmt::format("{}", fmt::join(differences, ", ")), std::string(rename_hint)};
    }
    return make_type(decay(unify(a, b)), std::move(dimensions), limits);
}

TypeOrProblem merge_type(const TensorType &a, const TensorType &b, bool java, const Limits &limits) {
    if (std::string reason = only_in_one(a, b); !reason.empty()) {
        return TypeProblem{std::move(reason), "merge needs the same dimensions on both sides; join does not"};
    }
    std::vector<std::string> differences;
    std::vector<Dimension> dimensions =
        natural_join(a, b, {}, java ? Sharing::mapped_wins : Sharing::equal, differences);
    if (!differences.empty()) {
        if (!java || a.dimensions().size() != 1) {
            return TypeProblem{fmt::format("{}", fmt::join(differences, ", ")),
                               "merge needs the same dimensions on both sides"};
        }
        const Dimension &first = a.dimensions().front();
        const Dimension &second = b.dimensions().front();
        dimensions.assign(1, first.size < second.size ? second : first);
    }
    return make_type(decay(unify(a, b)), std::move(dimensions), limits);
}

TypeOrProblem concat_type(const TensorType &a, const TensorType &b, std::string_view dimension, bool java,
                          const Limits &limits) {
    std::uint64_t size = 0;
    bool is_open = false;
    for (const TensorType *side : {&a, &b}) {
        const auto position = side->find(dimension);
        if (position && side->dimensions()[*position].is_mapped()) {
            return TypeProblem{fmt::format("dimension '{}' of {} is mapped", dimension, side->to_string()),
                               "concat needs an indexed dimension or one that is new; merge puts the cells of mapped "
                               "dimensions together"};
        }
        size += position ? side->dimensions()[*position].size : 1;
        is_open |= position && side->dimensions()[*position].is_open();
    }
    std::vector<std::string> differences;
    std::vector<Dimension> dimensions =
        natural_join(a, b, dimension, java ? Sharing::smaller : Sharing::equal, differences);
    if (!differences.empty()) {
        return TypeProblem{fmt::format("{}", fmt::join(differences, ", ")), std::string(rename_hint)};
    }
    dimensions.push_back(is_open ? Dimension::open(std::string(dimension))
                                 : Dimension::indexed(std::string(dimension), size));
    return make_type(unify(a, b), std::move(dimensions), limits);
}

TypeOrProblem conditional_type(const TensorType &when_true, const TensorType &when_false, bool java) {
    if (when_true == when_false) {
        return when_true;
    }
    if (std::string reason = only_in_one(when_true, when_false); !reason.empty()) {
        return TypeProblem{std::move(reason), "give both branches the same dimensions"};
    }
    std::vector<std::string> differences;
    std::vector<Dimension> dimensions =
        natural_join(when_true, when_false, {}, java ? Sharing::mapped_wins : Sharing::equal, differences);
    for (const Dimension &dimension : when_true.dimensions()) {
        const Dimension &other = when_false.dimensions()[*when_false.find(dimension.name)];
        if (dimension.is_indexed() && other.is_indexed() && dimension.is_open() != other.is_open()) {
            differences.push_back(difference(dimension, other));
        }
    }
    if (!differences.empty()) {
        return TypeProblem{fmt::format("{}", fmt::join(differences, ", ")), "give both branches the same dimensions"};
    }
    if (!java) {
        return TypeProblem{fmt::format("the cells are {} in the first and {} in the second",
                                       name(when_true.cell_type()), name(when_false.cell_type())),
                           fmt::format("use cell_cast(..., {}) on one branch", name(unify(when_true, when_false)))};
    }
    return known_type(unify(when_true, when_false), std::move(dimensions));
}

}  // namespace tenrex::sema

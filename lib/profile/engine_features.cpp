#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <tenrex/rank_profile.h>

#include "lib/sema/symbol_name.h"
#include "lib/types/characters.h"

namespace tenrex {

namespace {

struct EngineRow {
    std::string_view base;
    std::string_view output;
    double value;
    std::string_view type = "double";
};
constexpr EngineRow engine_rows[] = {
#define TENREX_ENGINE_FEATURE(base, output, value) {base, output, value},
#define TENREX_ENGINE_TENSOR(base, type) {base, "", 0, type},
#include "lib/profile/engine_features.def"
};

// "elementwise(feature,dimension,celltype)": the feature of each element of the field, under its number.
std::optional<TensorType> elementwise_type(std::string_view arguments) {
    CellType cell_type = CellType::f64;
    std::size_t comma = arguments.rfind(',');
    if (comma != std::string_view::npos) {
        if (const auto named = cell_type_from_name(arguments.substr(comma + 1))) {
            cell_type = *named;
            arguments = arguments.substr(0, comma);
            comma = arguments.rfind(',');
        }
    }
    const std::string_view dimension = comma == std::string_view::npos ? "" : arguments.substr(comma + 1);
    if (!is_name(dimension)) {
        return std::nullopt;
    }
    auto type = TensorType::make(cell_type, {Dimension{std::string(dimension), 0}});
    return type ? std::optional(*std::move(type)) : std::nullopt;
}

// "tensorFromLabelsWithOffset(attribute(name),label,offset)": a 1 for each element of an array, under its text and its
// number.
std::optional<TensorType> labels_with_offset_type(std::string_view arguments) {
    std::vector<Dimension> dimensions;
    for (int i = 0; i < 2; ++i) {
        const std::size_t comma = std::min(arguments.rfind(','), arguments.size());
        std::string_view name = arguments.substr(std::min(comma + 1, arguments.size()));
        if (name.size() > 2 && name.front() == '"' && name.back() == '"') {
            name = name.substr(1, name.size() - 2);
        }
        if (!is_name(name)) {
            return std::nullopt;
        }
        dimensions.push_back(Dimension{std::string(name), 0});
        arguments = arguments.substr(0, comma);
    }
    auto type = TensorType::make(CellType::f64, std::move(dimensions));
    return type ? std::optional(*std::move(type)) : std::nullopt;
}

}  // namespace

std::optional<EngineFeature> engine_feature(std::string_view name) {
    const std::string normal = sema::normal_name(name);
    sema::NameParts parts;
    sema::split_name(normal, parts);
    if (parts.base == "elementwise" && parts.is_call) {
        const auto type = elementwise_type(parts.arguments);
        return type ? std::optional(EngineFeature{*type, 0}) : std::nullopt;
    }
    if (parts.base == "tensorFromLabelsWithOffset" && parts.is_call) {
        const auto type = labels_with_offset_type(parts.arguments);
        return type ? std::optional(EngineFeature{*type, 0}) : std::nullopt;
    }
    for (const EngineRow &row : engine_rows) {
        if (row.base == parts.base && (row.output.empty() || row.output == parts.output)) {
            // Of a vector in a nearest neighbor search, not of a place on a map.
            const bool of_vectors = row.base == "distance" && parts.arguments.find(',') != std::string_view::npos;
            return EngineFeature{*TensorType::parse(row.type),
                                 of_vectors ? std::numeric_limits<double>::max() : row.value};
        }
    }
    return std::nullopt;
}

std::vector<HostFeature> needed_features(const ProfileSet &set, std::string_view name, const ProfileOptions &options) {
    std::map<std::string, TensorType, std::less<>> asked;
    ProfileOptions asking = options;
    asking.host_feature = [&](std::string_view feature) -> std::optional<TensorType> {
        if (options.host_feature) {
            if (auto given = options.host_feature(feature)) {
                return given;
            }
        }
        const auto known = engine_feature(feature);
        if (!known) {
            return std::nullopt;
        }
        asked.emplace(feature, known->type);
        return known->type;
    };
    const auto compiled = compile_profile(set, name, asking);
    std::vector<HostFeature> needs;
    for (const auto &one : asked) {
        // A profile without a first phase asks for what it can do without.
        const bool is_used = !compiled || std::any_of(compiled->columns().begin(), compiled->columns().end(),
                                                      [&](const ColumnNeed &need) { return need.name == one.first; });
        if (is_used) {
            needs.push_back({one.first, one.second});
        }
    }
    return needs;
}

}  // namespace tenrex

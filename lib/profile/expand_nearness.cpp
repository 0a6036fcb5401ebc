// How near the vectors of a document are to one of the query: closeness, distance, closest.
#include <algorithm>

#include "lib/profile/expander.h"
#include "lib/support/format.h"
#include "lib/types/quoted_text.h"

namespace tenrex::profile {

using syntax::Node;

namespace {

// On a sphere of the mean radius of the earth, by haversines, which lose no digits of short distances.
std::string distance_of_places(std::string_view a, std::string_view b, std::string_view dimension) {
    constexpr std::string_view radius = "6371.0088";
    constexpr std::string_view radians_per_degree = "0.017453292519943295";
    const auto radians = [&](std::string_view place, int index) {
        return fmt::format("{}{{{}:{}}}*{}", place, dimension, index, radians_per_degree);
    };
    const auto haversine = [&](int index) {
        return fmt::format("pow(sin(0.5*({}-{})),2)", radians(a, index), radians(b, index));
    };
    return fmt::format("(2*{}*asin(sqrt(min(1,{}+cos({})*cos({})*{}))))", radius, haversine(0), radians(a, 0),
                       radians(b, 0), haversine(1));
}

// Latitude and longitude, of one place or of several.
bool is_of_places(const TensorType &type) {
    const auto &dimensions = type.dimensions();
    const auto indexed = std::find_if(dimensions.begin(), dimensions.end(),
                                      [](const Dimension &dimension) { return dimension.is_indexed(); });
    return indexed != dimensions.end() && indexed->size == 2 &&
           std::none_of(indexed + 1, dimensions.end(), [](const Dimension &other) { return other.is_indexed(); });
}

}  // namespace

const Node *Expander::of_engine(const FeatureCall &feature) {
    const auto type = inputs_.host_feature(feature.text);
    if (!type) {
        return nullptr;
    }
    inputs_.document(feature.text, *type, ColumnSource::host, {});
    return symbol_node(feature.text, feature.span);
}

Expander::Compared Expander::compared(const FeatureCall &feature, std::string name, std::string_view label) {
    Compared vectors;
    if (!label.empty()) {
        const NearestNeighbor *neighbor = inputs_.neighbor_label(label);
        if (neighbor == nullptr) {
            fail(feature.span, fmt::format("there is no nearest neighbor search labelled '{}'", clipped_name(label)),
                 "labels are given with ProfileOptions::nearest_neighbors, or --nearest of the program");
            return {};
        }
        name = neighbor->attribute;
        vectors.query = fmt::format("query({})", neighbor->query);
    }
    const Attribute *found = attribute_argument(feature, name);
    if (found == nullptr) {
        return {};
    }
    vectors.attribute = *found;
    if (found->kind != AttributeKind::tensor || !found->type.has_indexed()) {
        fail(feature.span, fmt::format("'{}' compares vectors, but {}", feature.base, what_it_is(*found)),
             type_hint(*found));
        return {};
    }
    if (found->metric == DistanceMetric::geodegrees && !is_of_places(found->type)) {
        fail(feature.span,
             fmt::format("geodegrees is the distance of places, but {}: {}", what_it_is(*found),
                         found->type.to_string()),
             "a place is a latitude and a longitude: tensor(x[2])");
        return {};
    }
    if (vectors.query.empty()) {
        vectors.query = inputs_.neighbor(vectors.attribute, feature.span);
    }
    return vectors;
}

std::string Expander::distance_text(const Compared &vectors) {
    const std::string vector = fmt::format("attribute({})", vectors.attribute.name);
    const std::string &query = vectors.query;
    std::string indexed;
    for (const Dimension &dimension : vectors.attribute.type.dimensions()) {
        indexed += dimension.is_indexed() && !dimension.is_open() ? ',' + dimension.name : std::string();
    }
    const auto dot = [&](std::string_view a, std::string_view b) {
        return fmt::format("reduce({}*{},sum{})", a, b, indexed);
    };
    switch (vectors.attribute.metric) {
        case DistanceMetric::euclidean:
            break;
        case DistanceMetric::angular:
            return fmt::format("acos(max(-1,min(1,{}/sqrt({}*{}))))", dot(query, vector), dot(query, query),
                               dot(vector, vector));
        case DistanceMetric::prenormalized_angular:
            return fmt::format("(1-max(-1,min(1,{}/{})))", dot(query, vector), dot(query, query));
        case DistanceMetric::dotproduct:
            return fmt::format("(-{})", dot(query, vector));
        case DistanceMetric::hamming:
            return fmt::format("reduce(hamming({},{}),sum{})", query, vector, indexed);
        case DistanceMetric::geodegrees:
            return distance_of_places(query, vector, indexed.substr(1));
    }
    return fmt::format("sqrt(reduce(square({}-{}),sum{}))", query, vector, indexed);
}

// closeness and distance between an attribute and the query: (field,name), (label,name) or (name).
const Node *Expander::nearness(const FeatureCall &feature) {
    const bool closeness = feature.base == "closeness";
    if (!arguments(feature, 1, 2, fmt::format("{}(field,name) or {}(label,name)", feature.base, feature.base))) {
        return nullptr;
    }
    const std::string &name = feature.arguments.back();
    const bool by_label = feature.arguments.size() == 2 && feature.arguments[0] == "label";
    // What cannot be computed of vectors that are known is a feature of the engine: the label of a search, a place.
    const Attribute *const declared = by_label ? nullptr : inputs_.declared_attribute(name);
    const bool is_known =
        by_label ? inputs_.neighbor_label(name) != nullptr
                 : declared != nullptr && declared->kind == AttributeKind::tensor && inputs_.has_neighbor(*declared);
    if (const Node *given = is_known ? nullptr : of_engine(feature)) {
        return given;
    }
    if (!outputs(feature, {})) {
        return nullptr;
    }
    if (feature.arguments.size() == 2 && !by_label && feature.arguments[0] != "field") {
        return fail(feature.span, fmt::format("'{}' must be field or label", clipped_name(feature.arguments[0])),
                    fmt::format("usage: {}(field,name) or {}(label,name)", feature.base, feature.base));
    }
    const Compared vectors = compared(feature, name, by_label ? std::string_view(name) : std::string_view());
    if (vectors.query.empty()) {
        return nullptr;
    }
    const std::string distance = distance_text(vectors);
    const bool has_mapped = vectors.attribute.type.has_mapped() || vectors.attribute.type.has_open();
    // Of several vectors the nearest counts; a document without a vector is as far away as can be.
    if (closeness) {
        const std::string one = vectors.attribute.metric == DistanceMetric::dotproduct
                                    ? fmt::format("(-{})", distance)
                                    : fmt::format("1/(1+{})", distance);
        return defined(feature, has_mapped ? fmt::format("reduce({},max)", one) : one);
    }
    constexpr std::string_view farthest = "1.7976931348623157e308";
    return defined(feature, has_mapped ? fmt::format("if(reduce({0},count)==0,{1},reduce({0},min))", distance, farthest)
                                       : distance);
}

// closest(name) or closest(name,label): a 1 under the label of the vector that is nearest to that of the query.
const Node *Expander::closest(const FeatureCall &feature) {
    if (!arguments(feature, 1, 2, "closest(name) or closest(name,label)") || !outputs(feature, {})) {
        return nullptr;
    }
    std::string_view label = feature.arguments.size() == 2 ? std::string_view(feature.arguments[1]) : "";
    // The search of a label that nobody names is the only one that fits the attribute.
    const Attribute *const declared = inputs_.declared_attribute(feature.arguments[0]);
    if (inputs_.neighbor_label(label) == nullptr && declared != nullptr && declared->kind == AttributeKind::tensor &&
        inputs_.has_neighbor(*declared)) {
        label = {};
    }
    const Compared vectors = compared(feature, feature.arguments[0], label);
    if (vectors.query.empty()) {
        return nullptr;
    }
    if (!vectors.attribute.type.has_mapped()) {
        return fail(
            feature.span,
            fmt::format("'closest' tells which of several vectors is nearest, but '{}' has one for a document: {}",
                        vectors.attribute.name, vectors.attribute.type.to_string()),
            "give the attribute a mapped dimension");
    }
    return defined(feature, fmt::format("cell_cast(filter_subspaces(argmin({}),f(nearest)(nearest)),float)",
                                        distance_text(vectors)));
}

}  // namespace tenrex::profile

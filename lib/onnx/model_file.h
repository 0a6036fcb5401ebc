// What stands in an ONNX file: a graph of nodes over named tensors, read as it is. Texts and data of tensors are views
// of the bytes, which must outlive it.
//
//   Result<Model> model = read_model(bytes);
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <tenrex/result.h>

#include "lib/onnx/element_type.h"

namespace tenrex::onnx {

// A tensor with its elements: raw bytes, little endian, or a list of numbers.
struct TensorData {
    std::string_view name;
    ElementType type = ElementType::f32;
    std::vector<std::int64_t> dimensions;
    std::string_view raw;
    std::vector<float> floats;
    std::vector<double> doubles;
    std::vector<std::int64_t> integers;
    std::vector<std::string_view> texts;
    // Where the elements are if they are in another file: location, offset, length.
    std::vector<std::pair<std::string_view, std::string_view>> external;
    bool is_external = false;

    std::uint64_t elements() const noexcept;  // the product of the dimensions
};

// A number of indexes, or the name of one that comes with the values; both empty: nothing is known.
struct DimensionData {
    std::optional<std::int64_t> size;
    std::string_view name;
};

struct ValueInfo {
    std::string_view name;
    std::optional<ElementType> type;  // nothing: it is no tensor
    bool has_shape = false;
    std::vector<DimensionData> shape;
};

// A graph in an attribute, the body of a loop or of a branch, is noted, not read.
struct SubgraphData {};

using AttributeValue = std::variant<std::int64_t, float, std::string_view, TensorData, std::vector<std::int64_t>,
                                    std::vector<float>, std::vector<std::string_view>, SubgraphData>;

struct Attribute {
    std::string_view name;
    AttributeValue value;
};

struct Node {
    std::string_view name;
    std::string_view op;
    std::string_view domain;               // empty: ONNX's own
    std::vector<std::string_view> inputs;  // an empty name: the input is left out
    std::vector<std::string_view> outputs;
    std::vector<Attribute> attributes;

    const Attribute *find(std::string_view attribute) const noexcept;
};

struct OperatorSet {
    std::string_view domain;
    std::int64_t version = 0;
};

struct Model {
    std::string_view producer;
    std::string_view producer_version;
    std::vector<OperatorSet> operator_sets;
    std::string_view graph_name;
    std::vector<Node> nodes;
    std::vector<TensorData> initializers;
    std::vector<ValueInfo> inputs;  // also those that have an initializer
    std::vector<ValueInfo> outputs;
    bool has_functions = false;                      // operators that the model defines itself
    std::shared_ptr<std::deque<std::string>> texts;  // names that do not stand in the file
};

// Errors: bytes that are no such message, with the position; a size, type or number of fields that cannot be.
Result<Model> read_model(std::string_view bytes);
// A tensor alone, as test data is stored.
Result<TensorData> read_tensor(std::string_view bytes);

}  // namespace tenrex::onnx

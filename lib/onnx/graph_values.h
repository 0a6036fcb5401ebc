// The constants of a graph, and which node makes a value.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string_view>

#include "lib/onnx/model_file.h"

namespace tenrex::onnx {

class GraphValues {
public:
    // The model must outlive it.
    explicit GraphValues(const Model &model);
    GraphValues(const GraphValues &) = delete;
    GraphValues &operator=(const GraphValues &) = delete;

    // Null: it is none.
    const TensorData *constant(std::string_view value) const;
    // Nothing: no node makes it.
    std::optional<std::size_t> maker(std::string_view value) const;

private:
    std::map<std::string_view, const TensorData *> constants_;
    std::map<std::string_view, std::size_t> makers_;
    std::deque<TensorData> lists_;  // that stand in attributes as numbers
};

}  // namespace tenrex::onnx

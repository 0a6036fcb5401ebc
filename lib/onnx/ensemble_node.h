// The attributes of a node that holds a forest, and errors that name them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/result.h>

#include "lib/onnx/model_file.h"

namespace tenrex::onnx {

// Readers of attributes throw it; who begins to read a node returns the error.
struct BadEnsemble {
    Error error;
};

class EnsembleNode {
public:
    explicit EnsembleNode(const Node &node) : node_(node) {}

    const Node &node() const noexcept { return node_; }
    bool has(std::string_view name) const noexcept { return node_.find(name) != nullptr; }

    // Lists are empty, numbers and texts the given ones, if the attribute is left out. A list that may be left out but
    // is there has as many numbers as asked for.
    std::vector<std::int64_t> integers(std::string_view name) const;
    std::vector<std::string_view> texts(std::string_view name) const;
    std::int64_t integer(std::string_view name, std::int64_t otherwise) const;
    std::string_view text(std::string_view name, std::string_view otherwise) const;
    // The list of floats, or the tensor whose name ends in _as_tensor.
    std::vector<double> numbers(std::string_view name) const;
    // Whether these are doubles.
    bool has_doubles(std::string_view name) const;
    void check_size(std::string_view name, std::size_t size, std::size_t expected) const;

    [[noreturn]] void fail(std::string_view attribute, std::string message,
                           std::string hint = "the file is damaged") const;

private:
    // Fails if there is one of another kind.
    template <class T>
    T value(std::string_view name, T otherwise, std::string_view kind) const;
    template <class T>
    std::vector<T> list(std::string_view name) const;
    const TensorData *tensor(std::string_view name) const;

    const Node &node_;
};

}  // namespace tenrex::onnx

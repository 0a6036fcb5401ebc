// What is measured: an expression, and what its inputs look like.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tenrex/onnx.h>
#include <tenrex/schema.h>
#include <tenrex/tensor.h>
#include <tenrex/tensor_type.h>

namespace tenrex::perf {

struct LabelRange {
    std::uint64_t count = 0;
    std::uint64_t first = 0;
};

// The indexes of an open dimension: so many, drawn for each document (DrawnSizes).
struct LengthRange {
    std::uint64_t least = 64;
    std::uint64_t most = 64;
};

// Cells are random in [lowest, highest].
struct InputRecipe {
    InputRecipe() = default;
    InputRecipe(std::string input_name, Stage input_stage, TensorType input_type);

    std::string name;
    Stage stage = Stage::document;
    TensorType type;
    std::map<std::string, LabelRange> labels;
    std::map<std::string, LengthRange> lengths;  // of open dimensions
    double lowest = -1;
    double highest = 1;
    bool whole = false;
    bool is_string = false;       // values are a few different texts
    std::optional<Tensor> value;  // instead of random ones

    std::size_t blocks() const;
    // Of open dimensions, at the most; 1 if there are none.
    std::size_t rows() const;
    // Of one value, with its labels; of an open dimension of as many indexes as there may be.
    std::size_t bytes() const;
};

struct Case {
    std::string name;
    std::string expression;
    std::vector<InputRecipe> inputs;
    std::vector<std::pair<std::string, Forest>> forests;  // that the expression calls by these names
    std::vector<OnnxModel> networks;
    std::optional<double> target_ns;
    std::optional<std::pair<double, double>> peer_ns;
    std::size_t documents = 0;  // 0: not said
    std::map<std::string, std::uint64_t> check_sizes;

    std::size_t document_bytes() const;
    // Blocks of labels that a document has together.
    std::size_t document_blocks() const;
    // The same case with the sizes that it is checked with.
    Case small() const;
};

}  // namespace tenrex::perf

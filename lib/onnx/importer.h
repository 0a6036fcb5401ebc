// What becomes of a model while its nodes are imported, one after the other: the values by their names, and the
// definitions made so far. Each definition is checked when it is made.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <tenrex/expression.h>
#include <tenrex/schema.h>

#include "lib/onnx/import.h"
#include "lib/onnx/model_file.h"
#include "lib/onnx/open_sizes.h"
#include "lib/onnx/value.h"

namespace tenrex::onnx {

class Importer {
public:
    Importer(const Model &model, const ImportOptions &options)
        : model_(model), options_(options), open_sizes_(options.name) {}

    Result<ImportedModel> run();

    // The value of that name; null: nothing has it.
    const Value *find(std::string_view name) const;
    // A definition of its own for an expression of the type and shape; a constant if the operands are known.
    Result<Value> define(ElementType type, const Shape &shape, const std::string &text, bool operands_are_known);
    // A forest of its own over symbols; the symbol of its value.
    std::string add_forest(const Forest &forest, std::vector<std::string> features);
    // A value that is known. Sizes that come with the values may be among whole numbers.
    Result<Value> constant(ElementType type, const Shape &shape, std::vector<double> numbers);
    // A matrix of weights at the precision that was asked for: symbols. Null: it is computed from others.
    struct RoundedWeights {
        std::string cells;
        std::string scale, totals;  // of the columns, for int8
    };
    const RoundedWeights *rounded_weights(const Value &weights, std::size_t summed);
    // A matrix of whole numbers of 8 bits without its zero points, as int8 cells: parts whose rows follow each other,
    // each with so few that sums of products of bytes are exact in float. Null: it is computed, or goes beyond int8.
    struct ByteWeights {
        std::vector<std::string> parts;  // symbols
        std::int64_t rows_of_part = 0;   // the last one may have fewer
        std::string totals;              // of the columns, along d0
    };
    // zero: one for all or one for each column; null: 0.
    const ByteWeights *byte_weights(const Value &weights, const Value *zero);
    std::int64_t version(std::string_view domain) const;
    // Of sizes that are numbers or open; nothing: as OpenSizes says.
    std::optional<std::int64_t> sum_of_sizes(std::int64_t a, std::int64_t b);
    std::optional<std::int64_t> difference_of_sizes(std::int64_t a, std::int64_t b);
    const OpenSizes &open_sizes() const noexcept { return open_sizes_; }
    ModelPrecision precision() const noexcept { return options_.precision; }
    // A product of matrices that loops over axes of these sizes.
    void count_product(const Shape &loops) noexcept;

private:
    Status add_inputs();
    Status add_input(const ValueInfo &input);
    // The shape with a number for each axis, which is what the type says if there is one.
    Result<Shape> shape_of(const ValueInfo &input, const std::optional<TensorType> &given);
    // What is told of the axis, else one index for the first, which is that of a batch, and an open size for others.
    Result<std::int64_t> size_of_axis(const DimensionData &dimension, std::size_t axis,
                                      const std::optional<TensorType> &given);
    // Definitions of ones and indexes for open sizes that an input is the first to have.
    Status define_open_sizes(const Value &input, std::size_t defined);
    Status define_open_size(std::int64_t size, const std::string &ones);
    // A sum that has definitions from now on, if it is a size that was not there before.
    std::optional<std::int64_t> defined(std::optional<std::int64_t> size, std::size_t before);
    Status add_initializers();
    Status add_node(const Node &node, std::size_t number);
    Status add_outputs();
    Result<Value> weights(const TensorData &data, std::string_view external);
    // known: its elements, if they may be needed while importing.
    Result<Value> add_constant(ElementType type, const Shape &shape, Tensor tensor,
                               std::shared_ptr<const std::vector<double>> known);
    // The weights in fewer bits, if they stand in the file as floats, one way or the other.
    std::optional<RoundedWeights> round(const Value &weights, std::size_t summed);
    std::optional<ByteWeights> in_bytes(const Value &weights, const Value *zero);
    std::string add_rounded(Tensor tensor);
    // What weights are called in a packed model, by the symbol of their constant and by how they were changed; empty:
    // they have no name there.
    std::string origin(std::string_view change, std::string_view symbol) const;
    // Notes where a constant comes from.
    std::string add_rounded(Tensor tensor, const std::string &origin);
    std::string origin_of_bytes(const Value &weights, const Value *zero) const;
    // What a packed model says of so many columns; null: nothing.
    const WeightColumns *known_columns(const std::string &origin, std::size_t count) const;
    // Whether it has matrices of these weights.
    bool is_packed(const std::string &origin) const;
    // The same value, with the matrices that a packed model has of it.
    Tensor with_matrices(Tensor tensor, const std::string &origin) const;
    const Tensor *find_constant(std::string_view symbol) const;
    // Definitions and constants that no output depends on.
    void leave_out_unused();
    // Known whole numbers, some of which are open sizes: a definition that has them when values are there.
    Result<Value> add_sizes(ElementType type, const Shape &shape, std::shared_ptr<const std::vector<double>> known);
    // The tensors that stand for them while importing, of those that the text names.
    std::vector<NamedTensor> known_sizes(std::string_view text) const;
    // Without definitions of sizes that nothing uses.
    void leave_out_unused_sizes();

    const Model &model_;
    const ImportOptions &options_;
    OpenSizes open_sizes_;
    std::map<std::string, std::int64_t, std::less<>> sizes_;  // of axes with names
    ImportedModel result_;
    std::unordered_map<std::string_view, Value> values_;
    Schema schema_;  // all symbols so far, with their types
    std::map<std::pair<std::string, std::size_t>, std::optional<RoundedWeights>> rounded_weights_;
    std::map<std::pair<std::string, std::string>, std::optional<ByteWeights>> byte_weights_;
    std::vector<NamedTensor> sizes_as_numbers_;  // by the symbols of definitions of sizes
    std::size_t made_ = 0;
};

}  // namespace tenrex::onnx

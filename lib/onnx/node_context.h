// What the rule of an operator sees of its node: inputs, attributes, and a way to say what the outputs are.
//
//   bool import_relu(NodeContext &context) {
//       const Value &x = context.input(0);
//       return context.output(x.type, x.shape, fmt::format("relu({})", x.text));
//   }
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/onnx/expression_text.h"
#include "lib/onnx/importer.h"

namespace tenrex::onnx {

// What an operator takes: axes of known sizes only, open ones too, and open sizes among the elements too.
enum class AxesTaken : std::uint8_t { fixed, open, sizes };

class NodeContext {
public:
    // There are at least as many inputs as the operator needs.
    NodeContext(Importer &importer, const Node &node, std::vector<const Value *> inputs, std::int64_t version)
        : importer_(importer), node_(node), inputs_(std::move(inputs)), version_(version) {}

    const Node &node() const noexcept { return node_; }
    std::int64_t version() const noexcept { return version_; }
    std::size_t inputs() const noexcept { return inputs_.size(); }
    // Whether the operator may have these inputs. False: one has an open size, which has been told.
    bool takes(AxesTaken axes);
    bool has_input(std::size_t i) const noexcept { return i < inputs_.size() && inputs_[i] != nullptr; }
    const Value &input(std::size_t i) const noexcept { return *inputs_[i]; }
    // Null if the node does not have it.
    const Value *find_input(std::size_t i) const noexcept { return has_input(i) ? inputs_[i] : nullptr; }
    void set_inputs(std::vector<const Value *> inputs) noexcept { inputs_ = std::move(inputs); }
    std::size_t outputs() const noexcept { return node_.outputs.size(); }
    bool wants_output(std::size_t i) const noexcept { return i < outputs() && !node_.outputs[i].empty(); }

    // Attributes; if there is none of the name, the other value.
    std::int64_t integer(std::string_view name, std::int64_t otherwise) const;
    double real(std::string_view name, double otherwise) const;
    std::string_view text(std::string_view name, std::string_view otherwise) const;
    std::optional<std::vector<std::int64_t>> integers(std::string_view name) const;
    std::optional<std::vector<float>> reals(std::string_view name) const;
    const TensorData *tensor(std::string_view name) const;

    // The numbers of an input that decides a shape. Nothing: it is not known, which has been told.
    // Some may be open sizes.
    std::optional<std::vector<std::int64_t>> known_integers(std::size_t input);
    // From an attribute or, since later versions, an input; nothing in `list` if neither is there. False: told.
    bool integers_of(std::string_view attribute, std::size_t input, std::optional<std::vector<std::int64_t>> &list);
    // Axes from 0 of a tensor with so many, of which negative ones count from the end. Nothing: there is no such axis,
    // which has been told.
    std::optional<std::size_t> axis(std::int64_t axis, std::size_t rank);
    std::optional<Axes> axes(const std::vector<std::int64_t> &axes, std::size_t rank);

    // The next output. False: it is no value, which has been told.
    bool output(ElementType type, const Shape &shape, const std::string &text);
    bool output_known(ElementType type, const Shape &shape, std::vector<double> numbers);
    bool output_value(Value value);
    // With the elements of the value, broadcast to a shape. What computes with them may copy them later.
    bool output_copies(const Value &value, const Shape &shape);
    // Outputs from here on are no constants, though all inputs are known: a size that comes with the values is counted.
    void depends_on_values() noexcept { parts_are_known_ = parts_are_constant_ = false; }
    // A value between, which several outputs or parts of a text use.
    std::optional<Value> part(ElementType type, const Shape &shape, const std::string &text);
    // Numbers that the node itself has.
    std::optional<Value> known_part(ElementType type, const Shape &shape, std::vector<double> numbers);

    // Always false, so that a rule can return it.
    bool fail(std::string problem, std::string hint = {});
    // What has that shape, or these elements, has an open one, which the operator cannot take.
    bool fail_open(std::string_view what, const Shape &shape);

    // Declares a forest over symbols, one for each of its features, and gives the symbol of its value.
    std::string add_forest(const Forest &forest, std::vector<std::string> features) {
        return importer_.add_forest(forest, std::move(features));
    }

    // For what is told of the model: a product of matrices, as loops over axes of these sizes.
    void count_product(const Shape &loops) noexcept { importer_.count_product(loops); }

    const Importer::RoundedWeights *rounded_weights(const Value &weights, std::size_t summed) {
        return importer_.rounded_weights(weights, summed);
    }
    const Importer::ByteWeights *byte_weights(const Value &weights, const Value *zero) {
        return importer_.byte_weights(weights, zero);
    }
    // Of sizes that are numbers or open; nothing: as OpenSizes says.
    std::optional<std::int64_t> sum_of_sizes(std::int64_t a, std::int64_t b) { return importer_.sum_of_sizes(a, b); }
    std::optional<std::int64_t> difference_of_sizes(std::int64_t a, std::int64_t b) {
        return importer_.difference_of_sizes(a, b);
    }
    ModelPrecision precision() const noexcept { return importer_.precision(); }
    const OpenSizes &open_sizes() const noexcept;
    std::string text_of(const Shape &shape) const;

    const std::optional<Error> &error() const noexcept { return error_; }
    std::vector<Value> &results() noexcept { return results_; }

private:
    bool operands_are_known() const noexcept;
    bool operands_are_constant() const noexcept;

    Importer &importer_;
    const Node &node_;
    std::vector<const Value *> inputs_;
    std::int64_t version_;
    std::vector<Value> results_;
    bool parts_are_known_ = true;
    bool parts_are_constant_ = true;
    std::optional<Error> error_;
};

}  // namespace tenrex::onnx

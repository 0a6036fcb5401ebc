#include "lib/onnx/importer.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "lib/onnx/copies.h"
#include "lib/onnx/model_bytes.h"
#include "lib/onnx/node_context.h"
#include "lib/onnx/operators.h"

namespace tenrex::onnx {

namespace {

// More elements are not computed while importing.
constexpr std::uint64_t most_known = 4096;

std::string_view domain_name(std::string_view domain) {
    return domain.empty() ? "ai.onnx" : domain;
}

// "node 17 'encoder/MatMul', operator MatMul of opset 17: ..."
Error at_node(const Error &error, const Node &node, std::size_t number, std::int64_t version) {
    const Issue &issue = error.issues().front();
    const std::string named = node.name.empty() ? std::string() : fmt::format(" '{}'", node.name);
    return Error(fmt::format("node {}{}, operator {} of {} opset {}: {}", number, named, node.op,
                             domain_name(node.domain), version, issue.message),
                 issue.hint);
}

}  // namespace

Result<ImportedModel> import_model(std::string_view bytes, const ImportOptions &options) {
    std::function<Result<std::string_view>(std::string_view)> beside;
    if (options.files != nullptr) {
        beside = [&](std::string_view location) { return options.files->beside(location); };
    }
    const auto model = read_network(bytes, beside);
    if (!model) {
        return model.error();
    }
    ImportOptions own = options;
    if (const PackedModel *const packed = options.files == nullptr ? nullptr : options.files->packed()) {
        if (options.precision != ModelPrecision::f32 && options.precision != packed->precision) {
            return Error(fmt::format("the packed model is {}, and {} was asked for", name(packed->precision),
                                     name(options.precision)),
                         "leave the precision out, or pack the model at another one");
        }
        own.precision = packed->precision;
    }
    return Importer(*model, own).run();
}

Result<ImportedModel> Importer::run() {
    if (Status status = add_initializers(); !status) {
        return status.error();
    }
    if (Status status = add_inputs(); !status) {
        return status.error();
    }
    for (std::size_t i = 0; i < model_.nodes.size(); ++i) {
        if (Status status = add_node(model_.nodes[i], i); !status) {
            return status.error();
        }
    }
    if (Status status = add_outputs(); !status) {
        return status.error();
    }
    leave_out_unused_sizes();
    if (!rounded_weights_.empty() || !byte_weights_.empty()) {
        leave_out_unused();
    }
    return std::move(result_);
}

bool has_open_elements(ElementType type, const std::vector<double> &numbers) noexcept {
    return info(type).kind == ElementKind::integer && std::any_of(numbers.begin(), numbers.end(), is_open_element);
}

bool Value::has_open_elements() const noexcept {
    return known != nullptr && onnx::has_open_elements(type, *known);
}

const Value *Importer::find(std::string_view name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? nullptr : &found->second;
}

std::int64_t Importer::version(std::string_view domain) const {
    for (const OperatorSet &set : model_.operator_sets) {
        if (domain_name(set.domain) == domain_name(domain)) {
            return set.version;
        }
    }
    return 1;
}

Status Importer::add_initializers() {
    for (const TensorData &data : model_.initializers) {
        const auto external = external_bytes(data, options_.files);
        if (!external) {
            return external.error();
        }
        auto value = weights(data, *external);
        if (!value) {
            return value.error();
        }
        values_.insert_or_assign(data.name, *std::move(value));
    }
    return {};
}

Result<Value> Importer::weights(const TensorData &data, std::string_view external) {
    const std::string name = fmt::format("weights {}", data.name);
    const auto noted = [&](Result<Value> value) {
        if (value && !value->text.empty()) {
            result_.origins.insert_or_assign(value->text, name);
        }
        return value;
    };
    if (data.elements() <= most_known) {
        auto numbers = numbers_of(data, external);
        return numbers ? noted(constant(data.type, data.dimensions, *std::move(numbers)))
                       : Result<Value>(std::move(numbers).error());
    }
    auto tensor = tensor_of(data, external, options_.files);
    if (!tensor) {
        return std::move(tensor).error();
    }
    result_.weight_bytes.push_back(data.is_external ? external : data.raw);
    return noted(add_constant(data.type, data.dimensions, with_matrices(*std::move(tensor), name), nullptr));
}

Status Importer::add_node(const Node &node, std::size_t number) {
    const std::int64_t opset = version(node.domain);
    const Operator *rule = find_operator(node.domain, node.op);
    if (rule == nullptr) {
        return at_node(Error("the operator is not supported", "docs/onnx.md lists the operators that are"), node,
                       number, opset);
    }
    std::vector<const Value *> inputs;
    for (const std::string_view name : node.inputs) {
        const Value *value = name.empty() ? nullptr : find(name);
        if (value == nullptr && !name.empty()) {
            return at_node(Error(fmt::format("nothing before it makes its input '{}'", name),
                                 "nodes must stand in an order in which each comes after those that it reads"),
                           node, number, opset);
        }
        if (value != nullptr && !value->refusal.empty()) {
            return at_node(Error(fmt::format("its input '{}' cannot be had: {}", name, value->refusal)), node, number,
                           opset);
        }
        inputs.push_back(value);
    }
    std::size_t leading = 0;
    while (leading < inputs.size() && inputs[leading] != nullptr) {
        ++leading;
    }
    if (leading < rule->inputs) {
        return at_node(Error(fmt::format("it has {} of the {} inputs that it needs", leading, rule->inputs)), node,
                       number, opset);
    }
    NodeContext context(*this, node, std::move(inputs), opset);
    if (!context.takes(rule->axes) ||
        !(rule->is_elementwise ? import_before_copies(*rule, context) : rule->import(context))) {
        return at_node(*context.error(), node, number, opset);
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        if (node.outputs[i].empty()) {
            continue;
        }
        if (i >= context.results().size()) {
            return at_node(Error(fmt::format("its output '{}' is not supported", node.outputs[i])), node, number,
                           opset);
        }
        if (!values_.emplace(node.outputs[i], context.results()[i]).second) {
            return at_node(Error(fmt::format("another node makes '{}', too", node.outputs[i])), node, number, opset);
        }
    }
    return {};
}

Status Importer::add_outputs() {
    for (const ValueInfo &output : model_.outputs) {
        const Value *value = find(output.name);
        if (value == nullptr) {
            return Error(fmt::format("nothing in the model makes its output '{}'", output.name));
        }
        if (!value->refusal.empty()) {
            result_.refused.push_back({std::string(output.name), {}, value->refusal});
            continue;
        }
        auto type = type_of(value->type, value->shape);
        if (!type) {
            return Error(fmt::format("output '{}': {}", output.name, type.error().issues().front().message),
                         type.error().issues().front().hint);
        }
        result_.outputs.push_back(
            {std::string(output.name), value->text, {}, value->type, value->shape, *std::move(type)});
    }
    return {};
}

Result<Value> Importer::define(ElementType type, const Shape &shape, const std::string &text, bool operands_are_known) {
    const auto wanted = type_of(type, shape);
    if (!wanted) {
        return wanted.error();
    }
    ExpressionOptions options;
    options.limits = options_.limits;
    // A number has no cells, so one of type float is rounded by a cell of its own.
    const bool is_float = shape.empty() && info(type).cell_type == CellType::f32;
    auto expression =
        Expression::parse(is_float ? fmt::format("(tensor<float>(d0[1])({})){{d0:0}}", text) : text, schema_, options);
    if (expression && expression->type().cell_type() != wanted->cell_type()) {
        expression =
            Expression::parse(fmt::format("cell_cast({},{})", text, name(wanted->cell_type())), schema_, options);
    }
    if (!expression || expression->type() != *wanted) {
        return Error(fmt::format("the shapes do not fit: a {} was expected{}", wanted->to_string(),
                                 expression ? fmt::format(", but there is a {}", expression->type().to_string())
                                            : fmt::format("; {}", expression.error().issues().front().message)),
                     "was the model changed after it was exported?");
    }
    if (operands_are_known && elements_of(shape) <= most_known) {
        auto tensor = expression->evaluate_reference(known_sizes(text));
        if (!tensor) {
            return std::move(tensor).error();
        }
        std::vector<double> numbers;
        for (std::size_t i = 0; i < tensor->cell_count(); ++i) {
            numbers.push_back(tensor->cell(i));
        }
        if (has_open_elements(type, numbers)) {
            return add_sizes(type, shape, std::make_shared<const std::vector<double>>(std::move(numbers)));
        }
        return add_constant(type, shape, *std::move(tensor),
                            std::make_shared<const std::vector<double>>(std::move(numbers)));
    }
    const std::string symbol = fmt::format("onnx_value({},{})", options_.name, made_++);
    schema_.document(symbol, *wanted);
    result_.definitions.emplace_back(symbol, expression->to_string());
    return Value{type, shape, symbol, nullptr};
}

std::string Importer::add_forest(const Forest &forest, std::vector<std::string> features) {
    // Quoted, so that no name of a user's is the same.
    const std::string name = fmt::format("\"trees {} of {}\"", made_++, options_.name);
    schema_.forest(name, forest, features);
    result_.forests.push_back({name, forest, std::move(features)});
    return fmt::format("forest({})", name);
}

void Importer::count_product(const Shape &loops) noexcept {
    double count = 2;
    std::size_t open = 0;
    for (const std::int64_t size : loops) {
        open += is_open(size) ? 1 : 0;
        count *= is_open(size) ? 1 : static_cast<double>(size);
    }
    result_.flops[std::min(open, result_.flops.size() - 1)] += count;
}

Result<Value> Importer::constant(ElementType type, const Shape &shape, std::vector<double> numbers) {
    auto known = std::make_shared<const std::vector<double>>(std::move(numbers));
    if (known->empty()) {  // only decides shapes
        return Value{type, shape, {}, std::move(known)};
    }
    if (has_open_elements(type, *known)) {
        return add_sizes(type, shape, std::move(known));
    }
    auto tensor = tensor_of(type, shape, *known);
    return tensor ? add_constant(type, shape, *std::move(tensor), std::move(known))
                  : Result<Value>(std::move(tensor).error());
}

Result<Value> Importer::add_constant(ElementType type, const Shape &shape, Tensor tensor,
                                     std::shared_ptr<const std::vector<double>> known) {
    const std::string symbol = fmt::format("onnx_constant({},{})", options_.name, made_++);
    schema_.constant(symbol, tensor);
    result_.constants.emplace_back(symbol, std::move(tensor));
    const bool is_small = known != nullptr && known->size() <= most_known;
    return Value{type, shape, symbol, is_small ? std::move(known) : nullptr, nullptr, true};
}

Result<Value> Importer::add_sizes(ElementType type, const Shape &shape,
                                  std::shared_ptr<const std::vector<double>> known) {
    auto numbers = tensor_of(type, shape, *known);
    if (!numbers) {
        return std::move(numbers).error();
    }
    const std::string symbol = fmt::format("onnx_sizes({},{})", options_.name, made_++);
    schema_.document(symbol, numbers->type());
    result_.definitions.emplace_back(symbol, sizes_text(shape, *known, open_sizes_));
    sizes_as_numbers_.emplace_back(symbol, *std::move(numbers));
    return Value{type, shape, symbol, std::move(known)};
}

std::vector<NamedTensor> Importer::known_sizes(std::string_view text) const {
    std::vector<NamedTensor> named;
    for (const NamedTensor &each : sizes_as_numbers_) {
        if (text.find(each.first) != std::string_view::npos) {
            named.push_back(each);
        }
    }
    return named;
}

}  // namespace tenrex::onnx

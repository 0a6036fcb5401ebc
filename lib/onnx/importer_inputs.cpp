// The inputs of a model: what their shapes are, and the symbols that they become.
#include <fmt/format.h>

#include "lib/onnx/expression_text.h"
#include "lib/onnx/importer.h"
#include "lib/onnx/shape_text.h"

namespace tenrex::onnx {

namespace {

// How many indexes the axis has in a value of the type; 1 if the type does not say, nothing if it is open.
std::optional<std::int64_t> size_in(const TensorType &type, std::size_t axis) {
    const auto place = type.find(dimension_name(axis));
    const Dimension *dimension = place ? &type.dimensions()[*place] : nullptr;
    if (dimension != nullptr && dimension->is_open()) {
        return std::nullopt;
    }
    return dimension != nullptr && dimension->size > 0 ? static_cast<std::int64_t>(dimension->size) : 1;
}

}  // namespace

Status Importer::add_inputs() {
    for (const ValueInfo &input : model_.inputs) {
        // One that is known is the default of an input: files before version 4 list their weights.
        if (Status status = find(input.name) == nullptr ? add_input(input) : Status(); !status) {
            return status;
        }
    }
    return {};
}

Status Importer::add_input(const ValueInfo &input) {
    if (!input.type || info(*input.type).kind == ElementKind::other) {
        return Error(fmt::format("input '{}' is no tensor of numbers", input.name),
                     "inputs of strings, sequences and maps are not supported");
    }
    if (const auto given = options_.constants.find(input.name); given != options_.constants.end()) {
        std::vector<double> numbers;
        Shape shape;
        for (const Dimension &dimension : given->second.type().dimensions()) {
            shape.push_back(static_cast<std::int64_t>(dimension.size));
        }
        for (std::size_t i = 0; i < given->second.cell_count(); ++i) {
            numbers.push_back(given->second.cell(i));
        }
        auto value = constant(*input.type, shape, std::move(numbers));
        if (!value) {
            return value.error();
        }
        values_.insert_or_assign(input.name, *std::move(value));
        return {};
    }
    if (!input.has_shape) {
        return Error(fmt::format("input '{}' has no shape", input.name), "export the model with shapes");
    }
    const std::size_t defined = open_sizes_.count();
    const auto given = options_.type_of ? options_.type_of(input.name) : std::nullopt;
    auto shape = shape_of(input, given);
    if (!shape) {
        return std::move(shape).error();
    }
    ModelPort port{std::string(input.name), {}, {}, *input.type, *std::move(shape), {}};
    if (elements_of(port.shape) == 0) {  // only decides shapes
        values_.insert_or_assign(input.name, *constant(port.element_type, port.shape, {}));
        return {};
    }
    auto type = type_of(*input.type, port.shape);
    if (!type) {
        return Error(fmt::format("input '{}': {}", input.name, type.error().issues().front().message),
                     type.error().issues().front().hint);
    }
    port.type = *std::move(type);
    const auto mapped = options_.inputs.find(input.name);
    port.symbol = mapped == options_.inputs.end() ? port.name : mapped->second;
    port.inner = fmt::format("onnx_input({},{})", options_.name, made_++);
    std::string text = port.inner;
    schema_.document(text, port.type);
    if (given && given->cell_type() != port.type.cell_type()) {
        text = fmt::format("onnx_cells({},{})", options_.name, made_++);
        schema_.document(text, port.type);
        result_.definitions.emplace_back(
            text, fmt::format("cell_cast({},{})", port.inner, tenrex::name(port.type.cell_type())));
    }
    Value value{port.element_type, port.shape, text, nullptr};
    if (Status status = define_open_sizes(value, defined); !status) {
        return status;
    }
    values_.insert_or_assign(input.name, std::move(value));
    result_.inputs.push_back(std::move(port));
    return {};
}

Status Importer::define_open_sizes(const Value &input, std::size_t defined) {
    // A size that several axes have is that of each: the product of their ones is an error else.
    std::map<std::int64_t, std::string> ones;
    for (std::size_t axis = 0; axis < input.rank(); ++axis) {
        const std::int64_t size = input.shape[axis];
        if (!is_open(size) || size < open_size(defined)) {
            continue;
        }
        std::map<std::size_t, std::string> first;
        for (std::size_t other = 0; other < input.rank(); ++other) {
            if (other != axis) {
                first.emplace(other, "0");
            }
        }
        std::string &text = ones[size];
        text += fmt::format("{}map({},f(x)(1))", text.empty() ? "" : "*", taken(input, first, Axes(input.rank(), 0)));
    }
    for (const auto &[size, text] : ones) {
        if (Status status = define_open_size(size, text); !status) {
            return status;
        }
    }
    return {};
}

Status Importer::define_open_size(std::int64_t size, const std::string &ones) {
    const std::pair<std::string, std::string> made[] = {
        {open_sizes_.ones_symbol(size), fmt::format("cell_cast({},int8)", ones)},
        {open_sizes_.indexes_symbol(size), fmt::format("cell_order({},max)", open_sizes_.ones_symbol(size))}};
    for (const auto &[symbol, text] : made) {
        const auto expression = Expression::parse(text, schema_);
        if (!expression) {
            return expression.error();
        }
        schema_.document(symbol, expression->type());
        result_.definitions.emplace_back(symbol, expression->to_string());
    }
    return {};
}

std::optional<std::int64_t> Importer::defined(std::optional<std::int64_t> size, std::size_t before) {
    const bool is_new = open_sizes_.count() > before;
    return is_new && !define_open_size(*size, open_sizes_.ones_of_parts(*size)) ? std::nullopt : size;
}

std::optional<std::int64_t> Importer::sum_of_sizes(std::int64_t a, std::int64_t b) {
    const std::size_t before = open_sizes_.count();
    return defined(open_sizes_.sum(a, b), before);
}

std::optional<std::int64_t> Importer::difference_of_sizes(std::int64_t a, std::int64_t b) {
    const std::size_t before = open_sizes_.count();
    return defined(open_sizes_.difference(a, b), before);
}

Result<std::int64_t> Importer::size_of_axis(const DimensionData &dimension, std::size_t axis,
                                            const std::optional<TensorType> &given) {
    const std::string name(dimension.name);
    const auto known = sizes_.find(name);
    if (!name.empty() && known != sizes_.end()) {
        return known->second;
    }
    const auto told = options_.sizes.find(name);
    const bool is_told = !name.empty() && told != options_.sizes.end();
    std::optional<std::int64_t> size = is_told     ? std::optional(told->second)
                                       : given     ? size_in(*given, axis)
                                       : axis == 0 ? std::optional(std::int64_t{1})
                                                   : std::nullopt;
    if (!size || *size < 0) {
        if (open_sizes_.count() == most_open_sizes) {
            return Error(fmt::format("the model has more than {} axes without a size", most_open_sizes),
                         "say how many indexes they have, by the types of the inputs or by sizes");
        }
        size = open_sizes_.add(name);
    }
    if (!name.empty()) {
        sizes_.emplace(name, *size);
    }
    return *size;
}

Result<Shape> Importer::shape_of(const ValueInfo &input, const std::optional<TensorType> &given) {
    Shape shape;
    for (std::size_t axis = 0; axis < input.shape.size(); ++axis) {
        const DimensionData &dimension = input.shape[axis];
        const auto size = dimension.size ? Result<std::int64_t>(*dimension.size) : size_of_axis(dimension, axis, given);
        if (!size) {
            return size.error();
        }
        shape.push_back(*size);
    }
    if (!given) {
        return shape;
    }
    const auto wanted = type_of(*input.type, shape);
    if (!wanted || wanted->dimensions() != given->dimensions()) {
        return Error(fmt::format("input '{}' of the model has the shape {}, but what it is given is {}", input.name,
                                 shape_text(input.shape), given->to_string()),
                     wanted ? fmt::format("axis i is dimension d<i>: {}", wanted->to_string()) : std::string());
    }
    return shape;
}

}  // namespace tenrex::onnx

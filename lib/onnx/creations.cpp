// Operators that make tensors from shapes and numbers.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "lib/onnx/operators.h"

namespace tenrex::onnx {

namespace {

bool output_numbers(NodeContext &context, ElementType type, std::vector<double> numbers, bool is_list) {
    const Shape shape = is_list ? Shape{static_cast<std::int64_t>(numbers.size())} : Shape{};
    return context.output_known(type, shape, std::move(numbers));
}

// The elements of an attribute that is a tensor of one element; 0 of the type float if it is not there.
std::optional<std::pair<ElementType, double>> single_value(NodeContext &context) {
    const TensorData *data = context.tensor("value");
    if (data == nullptr) {
        return std::pair(ElementType::f32, 0.0);
    }
    const auto numbers = numbers_of(*data);
    if (!numbers || numbers->size() != 1) {
        context.fail("its value needs one element");
        return std::nullopt;
    }
    return std::pair(data->type, numbers->front());
}

}  // namespace

bool import_constant(NodeContext &context) {
    if (const TensorData *data = context.tensor("value")) {
        auto numbers = numbers_of(*data);
        return numbers ? context.output_known(data->type, data->dimensions, *std::move(numbers))
                       : context.fail(numbers.error().issues().front().message);
    }
    if (context.node().find("value_float") != nullptr) {
        return output_numbers(context, ElementType::f32, {context.real("value_float", 0)}, false);
    }
    if (context.node().find("value_int") != nullptr) {
        return output_numbers(context, ElementType::i64, {static_cast<double>(context.integer("value_int", 0))}, false);
    }
    if (const auto list = context.reals("value_floats")) {
        return output_numbers(context, ElementType::f32, {list->begin(), list->end()}, true);
    }
    if (const auto list = context.integers("value_ints")) {
        return output_numbers(context, ElementType::i64, {list->begin(), list->end()}, true);
    }
    return context.fail("its value is no tensor of numbers", "sparse tensors and strings are not supported");
}

bool import_constant_of_shape(NodeContext &context) {
    const auto shape = context.known_integers(0);
    const auto value = shape ? single_value(context) : std::nullopt;
    if (!value) {
        return false;
    }
    for (const std::int64_t size : *shape) {
        if (size < 0 && !is_open(size)) {
            return context.fail("a size is negative");
        }
    }
    if (elements_of(*shape) == 0) {
        return context.output_known(value->first, *shape, {});
    }
    return context.output(value->first, *shape,
                          has_open(*shape)
                              ? filled(value->second, *shape, context.open_sizes())
                              : generator(info(value->first).cell_type, *shape, number_text(value->second)));
}

bool import_eye_like(NodeContext &context) {
    const Value &x = context.input(0);
    const auto type = element_type_from_number(context.integer("dtype", info(x.type).number));
    if (!type || x.rank() != 2) {
        return context.fail("its input needs two axes");
    }
    const std::string test = fmt::format("d1-d0==({})", context.integer("k", 0));
    if (has_open(x.shape)) {
        return context.output(*type, x.shape,
                              fmt::format("join({},{},f(d0,d1)({}))", indexes_along(x.shape, 0, context.open_sizes()),
                                          indexes_along(x.shape, 1, context.open_sizes()), test));
    }
    return context.output(*type, x.shape, generator(info(*type).cell_type, x.shape, test));
}

bool import_one_hot(NodeContext &context) {
    const Value &index = context.input(0);
    const Value &values = context.input(2);
    const auto depth = context.known_integers(1);
    if (!depth || depth->size() != 1 || depth->front() <= 0) {
        return depth && context.fail("it needs one depth above 0");
    }
    const auto axis = context.axis(context.integer("axis", -1), index.rank() + 1);
    if (!axis) {
        return false;
    }
    Shape shape = index.shape;
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(*axis), depth->front());
    std::vector<std::string> in_index;
    for (std::size_t i = 0; i < index.rank(); ++i) {
        in_index.push_back(dimension_name(i < *axis ? i : i + 1));
    }
    if (has_open(shape)) {
        const std::string hot = fmt::format("join({0},tensor({1}[{2}])({1}),f(i,j)(j==i||j==i+{2}))",
                                            renamed(index.text, own_indexes(index.rank()), in_index),
                                            dimension_name(*axis), depth->front());
        // Not a sum of products, since one of the values may be infinite.
        return context.output(values.type, shape,
                              fmt::format("join({0},{1},f(h,x)(if(h,x,0)))+join({0},{2},f(h,x)(if(h,0,x)))", hot,
                                          cell_at(values.text, {"1"}), cell_at(values.text, {"0"})));
    }
    const std::string at = cell_at(index.text, in_index);
    const std::string is_hot = fmt::format("d{0}==({1})||d{0}==({1})+{2}", *axis, at, depth->front());
    return context.output(
        values.type, shape,
        generator(info(values.type).cell_type, shape,
                  fmt::format("if({},{},{})", is_hot, cell_at(values.text, {"1"}), cell_at(values.text, {"0"}))));
}

bool import_range(NodeContext &context) {
    for (std::size_t i = 0; i < 3; ++i) {
        if (context.input(i).known == nullptr || context.input(i).known->size() != 1) {
            return context.fail("how many numbers it makes is not known when the model is imported",
                                "give its inputs as constants when importing");
        }
    }
    const std::int64_t size = size_of(context.input(1).known->front());
    if (is_open(size) && !context.input(0).has_open_elements() && context.input(0).known->front() == 0 &&
        context.input(2).known->front() == 1) {
        return context.output(context.input(0).type, {size}, context.open_sizes().indexes(size, "d0"));
    }
    const std::int64_t first = size_of(context.input(0).known->front());
    const bool counts_on = context.input(2).known->front() == 1 && (is_open(size) || is_open(first));
    if (const auto count = counts_on ? context.difference_of_sizes(size, first) : std::nullopt) {
        return context.output(
            context.input(0).type, {*count},
            fmt::format("{}+{}", indexes_along({*count}, 0, context.open_sizes()), context.open_sizes().number(first)));
    }
    for (std::size_t i = 0; i < 3; ++i) {
        if (context.input(i).has_open_elements()) {
            return context.fail_open(fmt::format("input {}", i), *context.known_integers(i));
        }
    }
    const double start = context.input(0).known->front();
    const double end = context.input(1).known->front();
    const double step = context.input(2).known->front();
    const double count = std::ceil((end - start) / step);
    constexpr double most = 1e9;
    if (!(count <= most)) {
        return context.fail("it makes more numbers than a tensor may have");
    }
    const Shape shape{count > 0 ? static_cast<std::int64_t>(count) : 0};
    if (shape[0] == 0) {
        return context.output_known(context.input(0).type, shape, {});
    }
    return context.output(context.input(0).type, shape,
                          generator(info(context.input(0).type).cell_type, shape,
                                    fmt::format("{}+d0*{}", number_text(start), number_text(step))));
}

bool import_shape(NodeContext &context) {
    const Shape &shape = context.input(0).shape;
    const auto rank = static_cast<std::int64_t>(shape.size());
    const auto place = [&](std::int64_t axis) {
        return std::clamp<std::int64_t>(axis < 0 ? axis + rank : axis, 0, rank);
    };
    const std::int64_t begin = place(context.integer("start", 0));
    const std::int64_t end = place(context.integer("end", rank));
    std::vector<double> sizes;
    for (std::int64_t axis = begin; axis < end; ++axis) {
        sizes.push_back(element_of(shape[static_cast<std::size_t>(axis)]));
    }
    return output_numbers(context, ElementType::i64, std::move(sizes), true);
}

bool import_size(NodeContext &context) {
    const Shape &shape = context.input(0).shape;
    const auto size = has_open(shape) ? rest_of(shape, {}) : static_cast<std::int64_t>(elements_of(shape));
    return size ? output_numbers(context, ElementType::i64, {element_of(*size)}, false)
                : context.fail_open("the shape of its input", shape);
}

}  // namespace tenrex::onnx

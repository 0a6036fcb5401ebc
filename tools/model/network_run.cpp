#include "tools/model/network_run.h"

#include <map>
#include <vector>

#include <fmt/format.h>

#include <tenrex/column_buffer.h>
#include <tenrex/expression.h>
#include <tenrex/onnx.h>
#include <tenrex/plan.h>

#include "tools/input.h"
#include "tools/npz/npy_array.h"
#include "tools/npz/zip_archive.h"
#include "tools/thread_pool.h"

namespace tenrex::tool {

namespace {

constexpr std::size_t most_archive_bytes = std::size_t{1} << 32;

std::map<std::string_view, std::string_view> element_names() {
    return {{"float", "f4"}, {"double", "f8"},  {"int8", "i1"},    {"int16", "i2"},  {"int32", "i4"},
            {"int64", "i8"}, {"uint8", "u1"},   {"uint16", "u2"},  {"uint32", "u4"}, {"uint64", "u8"},
            {"bool", "b1"},  {"float16", "f4"}, {"bfloat16", "f4"}};
}

// Axis i is dimension d<i>. Whole numbers and booleans are doubles.
Result<Tensor> tensor_of(const NpyArray &array) {
    std::vector<Dimension> dimensions;
    for (const std::uint64_t size : array.shape) {
        if (size == 0) {
            return Error("it has no elements");
        }
        dimensions.push_back({fmt::format("d{}", dimensions.size()), size});
    }
    const bool is_scalar = dimensions.empty();
    const auto type =
        TensorType::make(array.element == "f4" && !is_scalar ? CellType::f32 : CellType::f64, std::move(dimensions));
    if (!type) {
        return type.error();
    }
    TensorBuilder builder(*type);
    for (std::size_t i = 0; i < array.cells.size(); ++i) {
        builder.set(0, i, array.cells[i]);
    }
    return std::move(builder).build();
}

Result<Tensor> value_of(const Expression &expression, const std::vector<NamedTensor> &inputs, const NetworkRun &how) {
    if (how.reference) {
        return expression.evaluate_reference(inputs);
    }
    const auto plan = compile(expression);
    if (!plan) {
        return plan.error();
    }
    std::vector<ColumnBuffer> buffers;
    std::vector<Column> columns;
    columns.reserve(plan->document_inputs().size());
    for (const InputDeclaration &input : plan->document_inputs()) {
        ColumnBuffer &buffer = buffers.emplace_back(input.type, plan->labels());
        for (const auto &[name, value] : inputs) {
            if (const Status status = name == input.name ? buffer.append(value) : Status(); !status) {
                return status.error();
            }
        }
    }
    for (const ColumnBuffer &buffer : buffers) {
        columns.push_back(buffer.column());
    }
    const auto query = plan->bind({});
    if (!query) {
        return query.error();
    }
    ThreadPool pool(how.threads);
    Context context(*plan, pool);
    auto values = query->evaluate_tensors({1, columns}, context);
    return values ? Result<Tensor>(std::move(values->front())) : Result<Tensor>(values.error());
}

NpyArray array_of(const Tensor &tensor, const OnnxModel::Port &port) {
    NpyArray array{std::string(element_names().at(port.element_type)), {}, {}};
    for (const Dimension &dimension : tensor.type().dimensions()) {
        array.shape.push_back(dimension.size);
    }
    for (std::size_t i = 0; i < tensor.cell_count(); ++i) {
        array.cells.push_back(tensor.cell(i));
    }
    return array;
}

}  // namespace

Result<std::vector<NamedTensor>> read_arrays(const std::string &path) {
    const auto bytes = read_all(path, most_archive_bytes);
    const auto entries = bytes ? read_zip(*bytes, most_archive_bytes) : Result<ArchiveEntries>(bytes.error());
    if (!entries) {
        return entries.error();
    }
    std::vector<NamedTensor> arrays;
    for (const auto &[name, content] : *entries) {
        constexpr std::string_view ending = ".npy";
        std::string_view stem = name;
        stem.remove_suffix(stem.ends_with(ending) ? ending.size() : 0);
        const auto array = read_npy(content);
        auto tensor = array ? tensor_of(*array) : Result<Tensor>(array.error());
        if (!tensor) {
            const Issue &issue = tensor.error().issues().front();
            return Error(fmt::format("array '{}': {}", stem, issue.message), issue.hint);
        }
        arrays.emplace_back(stem, *std::move(tensor));
    }
    return arrays;
}

Result<std::string> run_network(const ModelFile &file, const std::string &arrays, const NetworkRun &how) {
    const auto given = read_arrays(arrays);
    if (!given) {
        Error error = given.error();
        error.set_source_name(arrays);
        return error;
    }
    std::map<std::string_view, const Tensor *> by_name;
    for (const auto &[name, tensor] : *given) {
        by_name.emplace(name, &tensor);
    }
    OnnxOptions options = network_options(file.path);
    options.precision = how.precision;
    options.type_of = [&](std::string_view input) {
        const auto found = by_name.find(input);
        return found == by_name.end() ? std::nullopt : std::optional(found->second->type());
    };
    const auto model = load_network(file, options);
    if (!model) {
        Error error = model.error();
        error.set_source_name(file.path);
        return error;
    }
    Schema schema;
    for (const OnnxModel::Port &input : model->inputs()) {
        const auto found = by_name.find(input.name);
        if (found == by_name.end()) {
            return Error(fmt::format("there is no array for the input '{}'", input.name),
                         fmt::format("numpy.savez(\"inputs.npz\", **{{\"{}\": array}})", input.name));
        }
        schema.document(input.symbol, found->second->type());
    }
    model->add_to(schema);
    ArchiveEntries results;
    for (const OnnxModel::Port &output : model->outputs()) {
        const auto expression = Expression::parse(output.symbol, schema);
        const auto value = expression ? value_of(*expression, *given, how) : Result<Tensor>(expression.error());
        if (!value) {
            return value.error();
        }
        results.emplace_back(output.name + ".npy", write_npy(array_of(*value, output)));
    }
    return write_zip(results);
}

}  // namespace tenrex::tool

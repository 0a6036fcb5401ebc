#include "tools/model/precision_check.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tenrex/column_buffer.h>
#include <tenrex/onnx.h>
#include <tenrex/plan.h>

#include "tools/input.h"
#include "tools/model/changed_values.h"
#include "tools/model/network_run.h"

namespace tenrex::tool {

namespace {

constexpr std::size_t most_input_bytes = std::size_t{1} << 30;

using Rows = std::map<std::string, std::vector<double>, std::less<>>;  // numbers by the name of an input

Result<std::vector<Rows>> rows_of_arrays(const std::string &path) {
    const auto arrays = read_arrays(path);
    if (!arrays) {
        return arrays.error();
    }
    std::vector<Rows> all;
    for (const auto &[name, tensor] : *arrays) {
        const auto &dimensions = tensor.type().dimensions();
        const std::size_t rows = dimensions.empty() ? 1 : dimensions.front().size;
        if (!all.empty() && all.size() != rows) {
            return Error(fmt::format("array '{}' has {} rows, others have {}", name, rows, all.size()));
        }
        all.resize(rows);
        const std::size_t cells = tensor.cell_count() / rows;
        for (std::size_t i = 0; i < rows * cells; ++i) {
            all[i / cells][name].push_back(tensor.cell(i));
        }
    }
    return all;
}

bool add_numbers(const nlohmann::json &json, std::vector<double> &numbers) {
    if (json.is_number()) {
        numbers.push_back(json.get<double>());
        return true;
    }
    return json.is_array() && std::all_of(json.begin(), json.end(),
                                          [&](const nlohmann::json &part) { return add_numbers(part, numbers); });
}

Result<std::vector<Rows>> rows_of_lines(const std::string &path, const std::string &first_input) {
    const auto text = read_all(path, most_input_bytes);
    if (!text) {
        return text.error();
    }
    std::vector<Rows> all;
    std::size_t line_number = 0;
    for (std::size_t begin = 0; begin < text->size();) {
        const std::size_t end = std::min(text->find('\n', begin), text->size());
        const std::string_view line = std::string_view(*text).substr(begin, end - begin);
        begin = end + 1;
        ++line_number;
        if (line.find_first_not_of(" \t\r") == std::string_view::npos) {
            continue;
        }
        const auto json = nlohmann::json::parse(line, nullptr, false);
        Rows &rows = all.emplace_back();
        bool is_good = json.is_array() ? add_numbers(json, rows[first_input]) : json.is_object();
        if (json.is_object()) {
            for (const auto &[name, value] : json.items()) {
                is_good = is_good && add_numbers(value, rows[name]);
            }
        }
        if (!is_good) {
            return Error(fmt::format("line {} is neither a list of numbers nor an object of such lists", line_number),
                         "write {\"input_ids\":[101,7592,102]}");
        }
    }
    return all;
}

// What an encoder takes beside the numbers of its tokens, if it is not given.
double usual_number(std::string_view input) {
    return input == "attention_mask" ? 1 : 0;
}

// A plan for the first output, and all inputs in columns, one after the other.
class Evaluation {
public:
    static Result<Evaluation> make(const OnnxModel &model, const std::vector<Rows> &rows) {
        Schema schema;
        for (const OnnxModel::Port &input : model.inputs()) {
            schema.document(input.symbol, input.type);
        }
        model.add_to(schema);
        auto plan = compile(model.outputs().front().symbol, schema);
        if (!plan) {
            return plan.error();
        }
        auto query = plan->bind({});
        if (!query) {
            return query.error();
        }
        Evaluation evaluation(*std::move(plan), *std::move(query));
        for (const Rows &row : rows) {
            if (Status status = evaluation.add(row, model); !status) {
                return status.error();
            }
        }
        return evaluation;
    }

    Status run(std::vector<Tensor> &values, double &seconds) {
        values.clear();
        const auto begin = std::chrono::steady_clock::now();
        for (const std::vector<ColumnBuffer> &document : documents_) {
            std::vector<Column> columns;
            columns.reserve(document.size());
            for (const ColumnBuffer &buffer : document) {
                columns.push_back(buffer.column());
            }
            auto value = query_.evaluate_tensors({1, columns}, context_);
            if (!value) {
                return value.error();
            }
            values.push_back(std::move(value->front()));
        }
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
        seconds = std::min(seconds, passed.count());
        return {};
    }

private:
    Evaluation(Plan plan, Query query) : plan_(std::move(plan)), query_(std::move(query)), context_(plan_) {}

    Status add(const Rows &row, const OnnxModel &model) {
        std::vector<ColumnBuffer> &document = documents_.emplace_back();
        std::size_t length = 0;
        for (const OnnxModel::Port &input : model.inputs()) {
            const auto found = row.find(input.name);
            length = found == row.end() ? length : std::max(length, found->second.size());
        }
        for (const InputDeclaration &input : plan_.document_inputs()) {
            const auto port = std::find_if(model.inputs().begin(), model.inputs().end(),
                                           [&](const OnnxModel::Port &one) { return one.symbol == input.name; });
            const auto found = row.find(port->name);
            const std::vector<double> numbers =
                found == row.end() ? std::vector<double>(length, usual_number(port->name)) : found->second;
            auto type = type_with(input.type, numbers.size());
            if (!type) {
                return Error(fmt::format("input '{}' of the model is {}, which {} numbers do not fill", port->name,
                                         input.type.to_string(), numbers.size()));
            }
            TensorBuilder builder(*std::move(type));
            for (std::size_t i = 0; i < numbers.size(); ++i) {
                builder.set(0, i, numbers[i]);
            }
            if (Status status = document.emplace_back(input.type, plan_.labels()).append(std::move(builder).build());
                !status) {
                return status;
            }
        }
        return {};
    }

    // With a size for the open dimension, so that there are so many cells.
    static std::optional<TensorType> type_with(const TensorType &type, std::size_t cells) {
        std::vector<Dimension> dimensions = type.dimensions();
        std::size_t others = 1;
        for (const Dimension &dimension : dimensions) {
            others *= dimension.is_open() ? 1 : dimension.size;
        }
        for (Dimension &dimension : dimensions) {
            if (dimension.is_open()) {
                dimension = {dimension.name, cells / others};
            }
        }
        auto made =
            cells == 0 ? Result<TensorType>(Error("")) : TensorType::make(type.cell_type(), std::move(dimensions));
        return made && made->block_cells() == cells ? std::optional(*std::move(made)) : std::nullopt;
    }

    Plan plan_;
    Query query_;
    Context context_;
    std::vector<std::vector<ColumnBuffer>> documents_;
};

}  // namespace

Result<PrecisionCheck> check_precision(const ModelFile &file, const std::string &inputs, ModelPrecision precision) {
    const auto named = [](Error error, const std::string &name) {
        error.set_source_name(name);
        return error;
    };
    OnnxOptions options = network_options(file.path);
    const auto contents = network_contents(file);
    if (contents && contents->packed) {
        return named(Error("a packed model is at one precision, and there is nothing to compare it with",
                           fmt::format("check the model that it was made of, {}", contents->packed->source)),
                     file.path);
    }
    const auto whole = contents ? load_network(file, options) : Result<OnnxModel>(contents.error());
    options.precision = precision;
    const auto rounded = whole ? load_network(file, options) : Result<OnnxModel>(whole.error());
    if (!rounded) {
        return named(rounded.error(), file.path);
    }
    if (whole->inputs().empty()) {
        return named(Error("the model has no inputs"), file.path);
    }
    const auto rows =
        inputs.ends_with(".npz") ? rows_of_arrays(inputs) : rows_of_lines(inputs, whole->inputs().front().name);
    if (!rows || rows->empty()) {
        return named(rows ? Error("there are no inputs in the file") : rows.error(), inputs);
    }
    auto expected = Evaluation::make(*whole, *rows);
    auto found = expected ? Evaluation::make(*rounded, *rows) : Result<Evaluation>(expected.error());
    if (!found) {
        return named(found.error(), inputs);
    }
    std::vector<Tensor> values;
    std::vector<Tensor> others;
    double seconds[2] = {1e9, 1e9};
    for (int turn = 0; turn < 3; ++turn) {
        Status status = expected->run(values, seconds[0]);
        status = status ? found->run(others, seconds[1]) : status;
        if (!status) {
            return named(status.error(), inputs);
        }
    }
    const Cosines cosines = cosines_of(values, others);
    const auto count = static_cast<double>(values.size());
    const std::uint64_t bytes = precision == ModelPrecision::int8   ? contents->int8_bytes
                                : precision == ModelPrecision::bf16 ? contents->bfloat16_bytes
                                                                    : contents->float_bytes;
    std::string table = fmt::format(
        "inputs     {}\noutput     {}\ncosine     {:.6f} on average, {:.6f} at worst, of input {}\n{}"
        "weights    {} as {}, {} as f32\ntime       {:.3f} ms for an input, {:.3f} ms with f32, {:.2f} times as fast\n",
        values.size(), whole->outputs().front().name, cosines.mean, cosines.worst, cosines.worst_place + 1,
        ranks_text(values, others, "inputs"), megabytes(bytes), name(precision), megabytes(contents->float_bytes),
        seconds[1] * 1e3 / count, seconds[0] * 1e3 / count, seconds[0] / seconds[1]);
    return PrecisionCheck{std::move(table), cosines.worst};
}

}  // namespace tenrex::tool

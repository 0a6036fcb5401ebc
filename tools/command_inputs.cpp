#include "tools/command_inputs.h"

#include <algorithm>

#include <fmt/format.h>

#include "tools/exit_code.h"
#include "tools/input.h"
#include "tools/model/model_options.h"
#include "tools/terminal.h"

namespace tenrex::tool {

Result<std::string> canonical_name(const std::string &name) {
    Schema schema;
    schema.document(name);
    if (schema.error()) {
        return *schema.error();
    }
    return schema.inputs().front().name;
}

std::optional<int> InputReader::claim_standard_input() {
    if (standard_input_used_) {
        return parser_.usage_error("standard input can be read only once");
    }
    standard_input_used_ = true;
    return std::nullopt;
}

std::optional<int> InputReader::add_type(const std::string &argument) {
    const auto parts = split_argument(argument);
    if (!parts) {
        return parser_.usage_error(fmt::format("--type: expected NAME=TYPE, found \"{}\"", argument));
    }
    const auto name = canonical_name(parts->name);
    if (!name) {
        print_error(name.error());
        return rejected;
    }
    const auto type = parse_input_type(parts->text);
    if (!type) {
        Error error = type.error();
        error.set_source_name("type of " + *name);
        print_error(error);
        return rejected;
    }
    types_.emplace_back(*name, *type);
    return std::nullopt;
}

std::optional<int> InputReader::add_input(const std::string &argument, bool types_too) {
    const auto parts = split_argument(argument);
    if (!parts) {
        return parser_.usage_error(
            fmt::format("expected {}, found \"{}\"\nAn expression is one argument: write quotes around it.",
                        types_too ? "NAME=TYPE or NAME=VALUE" : "NAME=VALUE", argument));
    }
    const auto name = canonical_name(parts->name);
    if (!name) {
        print_error(name.error());
        return rejected;
    }
    if (types_too) {
        if (auto type = parse_input_type(parts->text)) {
            result_.inputs.emplace_back(*name, *std::move(type));
            return std::nullopt;
        }
    }
    if (parts->text == "@-") {
        if (const auto status = claim_standard_input()) {
            return status;
        }
    }
    const auto declared = std::find_if(types_.begin(), types_.end(), [&](const Input &t) { return t.name == *name; });
    std::optional<InputType> type;
    if (declared != types_.end()) {
        type = {declared->type, declared->is_string};
    }
    auto value = read_value_argument(parts->text, *name, type);
    if (const auto *failure = std::get_if<ValueFailure>(&value)) {
        print_error(failure->error);
        return failure->unreadable ? io_failure : rejected;
    }
    Input &input = result_.inputs.emplace_back(*name, std::get<Tensor>(std::move(value)));
    if (type && type->tensor.has_open()) {
        input.type = type->tensor;
    }
    return std::nullopt;
}

std::optional<int> InputReader::read_arguments(const std::string &expression_file, bool types_too) {
    auto argument = parser_.positional().begin();
    const auto end = parser_.positional().end();
    std::optional<int> status;
    if (!expression_file.empty()) {
        status = read_expression_file(expression_file);
    } else if (argument == end) {
        status = parser_.usage_error("no expression is given");
    } else if (*argument == "-") {
        status = read_expression_file(*argument++);
    } else {
        result_.expression = *argument++;
    }
    while (!status && argument != end) {
        status = add_input(*argument++, types_too);
    }
    return status;
}

std::optional<int> InputReader::read_expression(const std::string &expression_file) {
    const std::size_t most = expression_file.empty() ? 1 : 0;
    if (parser_.positional().size() > most) {
        return parser_.usage_error(
            fmt::format("unexpected argument \"{}\"\nInputs are given with the time at which they are known: --query, "
                        "--document or --constant.",
                        parser_.positional()[most]));
    }
    return read_arguments(expression_file, false);
}

std::optional<int> InputReader::read_expression_file(const std::string &path) {
    if (path == "-") {
        if (const auto status = claim_standard_input()) {
            return status;
        }
    }
    auto text = read_all(path, Limits{}.expression_bytes);
    if (!text) {
        print_error(text.error());
        return io_failure;
    }
    result_.expression = *std::move(text);
    result_.source_name = path == "-" ? "standard input" : path;
    return std::nullopt;
}

CommandInputs InputReader::take() && {
    for (Input &type : types_) {
        const auto same_name = [&](const Input &input) { return input.name == type.name; };
        if (std::none_of(result_.inputs.begin(), result_.inputs.end(), same_name)) {
            result_.inputs.push_back(std::move(type));
        }
    }
    return std::move(result_);
}

std::optional<int> read_models(const ArgumentParser &parser, const ModelArguments &arguments, ModelTable &models) {
    for (const std::string &argument : arguments.files) {
        const auto parts = split_argument(argument);
        if (!parts || parts->text.empty()) {
            return parser.usage_error(fmt::format("--model: expected NAME=FILE, found \"{}\"", argument));
        }
        int status = success;
        auto file = read_model(parts->text, status);
        if (!file) {
            return status;
        }
        if (file->is_network) {
            models.add_network(parts->name, *std::move(file), *precision_from_name(arguments.precision));
            continue;
        }
        auto forest = forest_in(*file, {}, status);
        if (!forest) {
            return status;
        }
        models.add(parts->name, *std::move(forest));
    }
    return std::nullopt;
}

std::optional<CheckedExpression> check_and_report(const CommandInputs &given, const EvaluationOptions &options) {
    auto checked = check(given.expression, given.inputs, options);
    if (!checked) {
        Error error = checked.error();
        if (!given.source_name.empty()) {
            error.set_source_name(given.source_name);
        }
        print_error(error);
        return std::nullopt;
    }
    for (const Issue &warning : checked->expression.warnings()) {
        print_warning(warning, given.source_name);
    }
    for (const std::string &name : checked->unused) {
        print_warning(fmt::format("input {} is given, but the expression does not use it", name));
    }
    return *std::move(checked);
}

}  // namespace tenrex::tool

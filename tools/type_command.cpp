// tenrex type: the type of an expression's result.
#include <unistd.h>

#include "tools/command.h"
#include "tools/command_inputs.h"
#include "tools/exit_code.h"
#include "tools/output.h"

namespace tenrex::tool {

namespace {

constexpr std::string_view details =
    "Checks EXPRESSION and prints the type of its result; nothing is evaluated. Each\n"
    "NAME=TYPE declares an input; NAME=VALUE declares one of the type that the value\n"
    "has (see 'tenrex eval --help'). EXPRESSION '-' is read from standard input.";

constexpr std::string_view examples =
    "Examples:\n"
    "  tenrex type 'sum(a*b,x)' a='tensor<float>(x[8])' b='tensor<int8>(k{},x[8])'\n"
    "  tenrex type 'bm25(title)*2' 'bm25(title)=double'\n";

}  // namespace

int run_type(const Command &command, const Arguments &arguments) {
    ArgumentParser parser(command, details, examples);
    std::string file;
    std::string dialect = "core";
    parser.add_file_option(file);
    parser.add_dialect_option(dialect);
    ModelArguments models;
    parser.add_model_option(models);
    if (const auto status = parser.parse(arguments)) {
        return *status;
    }
    InputReader reader(parser);
    if (const auto status = reader.read_arguments(file, true)) {
        return *status;
    }
    EvaluationOptions options;
    options.dialect = *dialect_from_name(dialect);
    if (const auto status = read_models(parser, models, options.models)) {
        return *status;
    }
    const auto checked = check_and_report(std::move(reader).take(), options);
    if (!checked) {
        return rejected;
    }
    Output out(STDOUT_FILENO);
    out.write(checked->expression.type().to_string() + '\n');
    return finish(out, success);
}

}  // namespace tenrex::tool

// The arguments that `eval`, `type` and `repl` share: the expression and its inputs.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tools/command.h"
#include "tools/evaluation.h"
#include "tools/value_argument.h"

namespace tenrex::tool {

// What a command works on, as given on the command line.
struct CommandInputs {
    std::string expression;
    std::string source_name;  // of the expression, if it came from a file
    std::vector<Input> inputs;
};

// Reads expressions and inputs, and reports what is wrong with them. The functions give the exit status of a failure.
class InputReader {
public:
    explicit InputReader(const ArgumentParser &parser) : parser_(parser) {}

    // "NAME=TYPE", declared apart from the values.
    std::optional<int> add_type(const std::string &argument);
    // "NAME=VALUE", or also "NAME=TYPE" where types are welcome.
    std::optional<int> add_input(const std::string &argument, bool types_too);
    // All arguments that are not options: the expression, unless it comes from a file, and inputs. The expression "-"
    // is read from standard input.
    std::optional<int> read_arguments(const std::string &expression_file, bool types_too);

    // The only argument is the expression, unless it comes from a file.
    std::optional<int> read_expression(const std::string &expression_file);

    // Everything read; the types that were declared without a value are inputs, too.
    CommandInputs take() &&;

private:
    std::optional<int> read_expression_file(const std::string &path);
    std::optional<int> claim_standard_input();

    const ArgumentParser &parser_;
    CommandInputs result_;
    std::vector<Input> types_;
    bool standard_input_used_ = false;
};

// Checks the expression; prints its errors or, if there are none, its warnings.
std::optional<CheckedExpression> check_and_report(const CommandInputs &given, const EvaluationOptions &options);

// Reads the models of --model NAME=FILE. The exit status of a failure, after a message.
std::optional<int> read_models(const ArgumentParser &parser, const ModelArguments &arguments, ModelTable &models);

// The name as a schema writes it: without white space, "$name" as "query(name)".
Result<std::string> canonical_name(const std::string &name);

}  // namespace tenrex::tool

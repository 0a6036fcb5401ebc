// tenrex repl: sets up a session and chooses how to talk with the user.
#include <unistd.h>

#include "tools/command.h"
#include "tools/command_inputs.h"
#include "tools/exit_code.h"
#include "tools/repl/console.h"
#include "tools/terminal.h"
#include "tools/value_format.h"

namespace tenrex::tool {

namespace {

constexpr std::string_view details =
    "Reads expressions, evaluates each and prints its value. `NAME = EXPRESSION` gives\n"
    "an input a value, `it` is the latest value, and :help lists the commands. At a\n"
    "terminal, lines can be edited, completed with the tab key and recalled, and an\n"
    "expression may span lines. Without a terminal, the lines are carried out as a\n"
    "script; the exit status is 1 if one of them was wrong.";

constexpr std::string_view examples =
    "Examples:\n"
    "  tenrex repl\n"
    "  tenrex repl q=@query.json 'bm25(title)=1.5'\n"
    "  printf 'a = 2\\na^10\\n' | tenrex repl\n"
    "  echo '{\"id\":1,\"input\":\"1+1\"}' | tenrex repl --json\n";

}  // namespace

int run_repl(const Command &command, const Arguments &arguments) {
    ArgumentParser parser(command, details, examples);
    bool json = false;
    std::string dialect = "core";
    std::string format;
    Session session;
    parser.add_flag("--json", json, "Speak JSON: one object in and one out per line");
    parser.add_dialect_option(dialect);
    parser.add_choice("--format", format, "FORMAT", {"literal", "verbose", "json", "hex", "table"},
                      "Print values as literal, verbose, json, hex or table\n"
                      "(default: table for a tensor on a terminal, else\nliteral)");
    parser.add_seed_option(session.options.seed);
    bool reference = false;
    parser.add_reference_option(reference);
    ModelArguments models;
    parser.add_model_option(models);
    if (const auto status = parser.parse(arguments)) {
        return *status;
    }
    session.options.dialect = *dialect_from_name(dialect);
    if (const auto status = read_models(parser, models, session.options.models)) {
        return *status;
    }
    session.engine = reference ? Engine::reference : Engine::compiled;
    session.format = value_format_from_name(format);

    InputReader reader(parser);
    for (const std::string &argument : parser.positional()) {
        if (const auto status = reader.add_input(argument, false)) {
            return *status;
        }
    }
    for (const Input &input : std::move(reader).take().inputs) {
        if (const Status status = session.assign(input.name, *input.value); !status) {
            print_error(status.error());
            return rejected;
        }
    }
    if (json) {
        return run_json(session);
    }
    return is_terminal(STDIN_FILENO) && is_terminal(STDOUT_FILENO) ? run_terminal(session) : run_script(session);
}

}  // namespace tenrex::tool

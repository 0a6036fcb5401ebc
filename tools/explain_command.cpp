// tenrex explain: what the compiler makes of an expression.
#include <unistd.h>

#include <fmt/format.h>

#include "tools/command.h"
#include "tools/command_inputs.h"
#include "tools/exit_code.h"
#include "tools/output.h"
#include "tools/terminal.h"

namespace tenrex::tool {

namespace {

constexpr std::string_view details =
    "Compiles EXPRESSION and prints the plan: which steps run once for all, once per\n"
    "query and for each document, with the kernels that were chosen. NAME:TYPE\n"
    "declares an input, NAME alone a double. EXPRESSION '-' is read from standard\n"
    "input.";

constexpr std::string_view examples =
    "Examples:\n"
    "  tenrex explain 'a*b+c' --query a --document b --constant c=2\n"
    "  tenrex explain 'sum(a*b)' --query 'a:tensor(x[8])' --document 'b:tensor(x[8])' --why\n"
    "  tenrex explain 'a+a*2' --document a --dot >graph.dot\n";

struct Options {
    std::vector<std::string> query, document, constants, disabled;
    ModelArguments models;
    std::string isa;
    std::string file;
    std::string dialect = "core";
    bool graph = false;
    bool dot = false;
    bool why = false;
};

void add_options(ArgumentParser &parser, Options &options) {
    parser.add_list("--query", options.query, "NAME:TYPE",
                    "An input whose value comes with the query; may be\nrepeated");
    parser.add_list("--document", options.document, "NAME:TYPE",
                    "An input whose value comes with each document; may\nbe repeated");
    parser.add_list("--constant", options.constants, "NAME=VALUE",
                    "A constant; values as for 'tenrex eval'; may be\nrepeated");
    parser.add_model_option(options.models);
    parser.add_isa_option(options.isa);
    parser.add_list("--disable", options.disabled, "PASS", "Leave out an optimization; may be repeated");
    parser.add_file_option(options.file);
    parser.add_dialect_option(options.dialect);
    parser.add_flag("--why", options.why, "With each kernel those that were considered, and why\nnot");
    parser.add_flag("--graph", options.graph, "Print the optimized graph instead, one node a line");
    parser.add_flag("--dot", options.dot, "Print the optimized graph as a drawing for Graphviz");
    parser.exclude("--graph", {"--dot", "--why"});
    parser.exclude("--dot", {"--why"});
}

// Declares NAME or NAME:TYPE.
std::optional<int> declare(Schema &schema, Stage stage, const std::string &argument) {
    const std::size_t length = name_length(argument);
    const std::string name = argument.substr(0, argument.find_first_of(':', length));
    const std::string type = name.size() == argument.size() ? "double" : argument.substr(name.size() + 1);
    if (stage == Stage::query) {
        schema.query(name, type);
    } else {
        schema.document(name, type);
    }
    if (schema.error()) {
        print_error(*schema.error());
        return rejected;
    }
    return std::nullopt;
}

std::optional<int> declare_all(Schema &schema, const Options &options, const std::vector<Input> &constants) {
    for (const auto &[stage, names] : {std::pair(Stage::query, &options.query), {Stage::document, &options.document}}) {
        for (const std::string &argument : *names) {
            if (const auto status = declare(schema, stage, argument)) {
                return status;
            }
        }
    }
    for (const Input &constant : constants) {
        schema.constant(constant.name, *constant.value);
    }
    if (schema.error()) {
        print_error(*schema.error());
        return rejected;
    }
    return std::nullopt;
}

}  // namespace

int run_explain(const Command &command, const Arguments &arguments) {
    ArgumentParser parser(command, details, examples);
    Options options;
    add_options(parser, options);
    if (const auto status = parser.parse(arguments)) {
        return *status;
    }
    InputReader reader(parser);
    if (const auto status = reader.read_expression(options.file)) {
        return *status;
    }
    for (const std::string &constant : options.constants) {
        if (const auto status = reader.add_input(constant, false)) {
            return *status;
        }
    }
    const CommandInputs given = std::move(reader).take();
    Schema schema;
    ModelTable models;
    if (const auto status = read_models(parser, options.models, models)) {
        return *status;
    }
    if (const auto status = declare_all(schema, options, given.inputs)) {
        return *status;
    }
    if (const Status status = models.declare(schema); !status) {
        print_error(status.error());
        return rejected;
    }
    CompileOptions compile_options;
    compile_options.expression.dialect = *dialect_from_name(options.dialect);
    compile_options.max_isa = options.isa;
    compile_options.disabled_passes = options.disabled;
    const auto plan = compile(given.expression, schema, compile_options);
    if (!plan) {
        Error error = plan.error();
        if (!given.source_name.empty()) {
            error.set_source_name(given.source_name);
        }
        print_error(error);
        return rejected;
    }
    for (const Issue &warning : plan->warnings()) {
        print_warning(warning, given.source_name);
    }
    Output out(STDOUT_FILENO);
    out.write(options.graph ? plan->graph() : options.dot ? plan->graph_dot() : plan->explain({options.why}));
    return finish(out, success);
}

}  // namespace tenrex::tool

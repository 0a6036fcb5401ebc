// tenrex eval: one expression with inputs from the command line, or a stream of requests (jsonl.h).
#include <chrono>

#include <fmt/format.h>
#include <unistd.h>

#include "tools/command.h"
#include "tools/command_inputs.h"
#include "tools/exit_code.h"
#include "tools/jsonl.h"
#include "tools/output.h"
#include "tools/terminal.h"
#include "tools/value_format.h"

namespace tenrex::tool {

namespace {

constexpr std::string_view details =
    "Prints the value of EXPRESSION. Each NAME=VALUE gives the value of an input; the\n"
    "name may be that of a feature, such as 'query(q)'. EXPRESSION '-' is read from\n"
    "standard input. A VALUE is\n"
    "  a literal   1.5, 'tensor<float>(x[3]):[1,2,3]', 'tensor(x{}):{a:1,b:2}'\n"
    "  JSON        begins with {\" or [{\": '{\"type\":\"tensor(x[2])\",\"values\":[1,2]}'\n"
    "  @FILE       what a file holds: .json is JSON, .txt a literal, .tbf and .bin the\n"
    "              typed binary format; of other files the first bytes tell.\n"
    "              @- is standard input.\n\n"
    "With --jsonl, each line of FILE or of standard input is a request\n"
    "  {\"id\":..., \"expression\":..., \"inputs\":{...}}\n"
    "and is answered in order by a line\n"
    "  {\"id\":..., \"result\":...} or {\"id\":..., \"error\":...}";

constexpr std::string_view examples =
    "Examples:\n"
    "  tenrex eval 'if(bm25(title) > 2, 1, a)' 'bm25(title)=1.7' a=0.25\n"
    "  tenrex eval 'sum(q*d,x)' q='tensor(x[2]):[1,2]' d='tensor(k{},x[2]):{a:[3,4]}'\n"
    "  tenrex eval 'v*2' --type 'v=tensor<float>(x[2])' v='[1,2]' --format json\n"
    "  echo '{\"id\":1,\"expression\":\"a+1\",\"inputs\":{\"a\":\"2\"}}' | tenrex eval --jsonl\n";

struct EvalOptions {
    std::vector<std::string> types;
    ModelArguments models;
    std::string format;
    std::string dialect = "core";
    std::uint64_t seed = 0;
    std::string file;
    bool time = false;
    bool jsonl = false;
    bool reference = false;
    std::size_t line_limit = JsonlOptions{}.line_limit;
};

Engine engine_of(const EvalOptions &options) {
    return options.reference ? Engine::reference : Engine::compiled;
}

void add_options(ArgumentParser &parser, EvalOptions &options) {
    parser.add_list("--type", options.types, "NAME=TYPE",
                    "Declare the type of an input whose value does not\nsay it; may be repeated");
    parser.add_model_option(options.models);
    parser.add_choice("--format", options.format, "FORMAT", value_format_names(),
                      "Print the result as literal, verbose, json, hex,\n"
                      "binary or table (default: table for a tensor on a\n"
                      "terminal, else literal)");
    parser.add_dialect_option(options.dialect);
    parser.add_seed_option(options.seed);
    parser.add_file_option(options.file);
    parser.add_reference_option(options.reference);
    parser.add_flag("--time", options.time, "Print on standard error how long it took");
    parser.add_flag("--jsonl", options.jsonl, "Answer a stream of requests, a JSON object a line");
    parser.add_count("--line-limit", options.line_limit, "BYTES",
                     "With --jsonl: the longest line accepted\n(default: 268435456)");
    parser.require("--line-limit", "--jsonl");
    parser.exclude("--jsonl", {"--file", "--time", "--type", "--format"});
}

int eval_stream(const ArgumentParser &parser, const EvalOptions &options, const EvaluationOptions &expression_options) {
    if (parser.positional().size() > 1) {
        return parser.usage_error("--jsonl takes at most one file");
    }
    JsonlOptions jsonl;
    jsonl.expression = expression_options;
    jsonl.engine = engine_of(options);
    jsonl.line_limit = options.line_limit;
    const auto file = File::open(parser.positional().empty() ? "-" : parser.positional().front());
    if (!file) {
        print_failure(file.error().message());
        return io_failure;
    }
    Output out(STDOUT_FILENO);
    const Status status = answer_jsonl(*file, out, jsonl);
    if (!status) {
        out.flush();
        print_failure(status.error().message());
        return io_failure;
    }
    return finish(out, success);
}

using Clock = std::chrono::steady_clock;

double microseconds(Clock::duration duration) {
    return std::chrono::duration<double, std::micro>(duration).count();
}

int eval_expression(const CommandInputs &given, const EvalOptions &options,
                    const EvaluationOptions &expression_options) {
    const auto start = Clock::now();
    const auto checked = check_and_report(given, expression_options);
    const auto checked_at = Clock::now();
    if (!checked) {
        return rejected;
    }
    const auto value = evaluate(*checked, engine_of(options));
    const auto done = Clock::now();
    if (!value) {
        print_error(value.error());
        return rejected;
    }
    if (options.time) {
        print_failure(fmt::format("parsed and checked in {:.1f} us, {} in {:.1f} us", microseconds(checked_at - start),
                                  options.reference ? "evaluated" : "compiled and evaluated",
                                  microseconds(done - checked_at)));
    }
    const auto asked = value_format_from_name(options.format);
    const auto text =
        format_value(*value, asked ? *asked : default_format(STDOUT_FILENO), terminal_width(STDOUT_FILENO));
    if (!text) {
        print_error(text.error());
        return rejected;
    }
    Output out(STDOUT_FILENO);
    out.write(*text);
    return finish(out, success);
}

}  // namespace

int run_eval(const Command &command, const Arguments &arguments) {
    ArgumentParser parser(command, details, examples);
    EvalOptions options;
    add_options(parser, options);
    if (const auto status = parser.parse(arguments)) {
        return *status;
    }
    EvaluationOptions expression_options;
    expression_options.dialect = *dialect_from_name(options.dialect);
    expression_options.seed = options.seed;
    if (const auto status = read_models(parser, options.models, expression_options.models)) {
        return *status;
    }
    if (options.jsonl) {
        return eval_stream(parser, options, expression_options);
    }
    if (options.format == "binary" && is_terminal(STDOUT_FILENO)) {
        return parser.usage_error("--format binary: standard output is a terminal");
    }

    InputReader reader(parser);
    for (const std::string &type : options.types) {
        if (const auto status = reader.add_type(type)) {
            return *status;
        }
    }
    if (const auto status = reader.read_arguments(options.file, false)) {
        return *status;
    }
    return eval_expression(std::move(reader).take(), options, expression_options);
}

}  // namespace tenrex::tool

// tenrex bench: how long an expression takes.
#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/format.h>
#include <unistd.h>

#include "tools/bench_report.h"
#include "tools/command.h"
#include "tools/command_inputs.h"
#include "tools/exit_code.h"
#include "tools/output.h"
#include "tools/terminal.h"
#include "tools/thread_pool.h"

namespace tenrex::tool {

namespace {

constexpr std::string_view details =
    "Measures how long EXPRESSION takes to compile, to bind to a query, and to evaluate\n"
    "for documents. Inputs get random values: NAME:TYPE declares one, NAME alone a\n"
    "double, NAME=VALUE gives it a value. Results are first compared with those of the\n"
    "reference evaluator. EXPRESSION '-' is read from standard input.";

constexpr std::string_view examples =
    "Examples:\n"
    "  tenrex bench 'a*b+c' --query a --document b --constant c=2\n"
    "  tenrex bench 'sum(q*d)' --query 'q:tensor<float>(x[768])' \\\n"
    "      --document 'd:tensor<int8>(x[768])' --block 1,64 --profile\n"
    "  tenrex bench 'sum(q*d)' --query 'q:tensor(k{})' --labels q.k=16@0 \\\n"
    "      --document 'd:tensor(k{})' --labels d.k=64@8 --json\n";

constexpr perf::LabelRange default_labels = {16, 0};

struct Options {
    std::vector<std::string> query, document, constants, labels, lengths;
    ModelArguments models;
    std::vector<std::size_t> blocks = {1, 64};
    std::string file;
    std::string dialect = "core";
    perf::MeasureOptions measure;
    std::size_t threads_per_block = 1;
    bool no_check = false;
    bool json = false;
};

void add_options(ArgumentParser &parser, Options &options) {
    parser.add_list("--query", options.query, "INPUT", "An input whose value comes with the query; may be\nrepeated");
    parser.add_list("--document", options.document, "INPUT",
                    "An input whose value comes with each document; may\nbe repeated");
    parser.add_list("--constant", options.constants, "INPUT", "A constant; may be repeated");
    parser.add_list("--labels", options.labels, "LABELS",
                    "How many labels the values of an input have in a\ndimension, and the first: d.k=64@0; may be "
                    "repeated\n(default: 16@0)");
    parser.add_list(
        "--length", options.lengths, "LENGTH",
        "The size of an open dimension of an input: d.t=64,\nor d.t=1..300, drawn for each document, the same\n"
        "for all inputs with that range; may be repeated\n(default: 64)");
    parser.add_count("--documents", options.measure.documents, "NUMBER",
                     "Documents to evaluate again and again (default: as\nmany as fit into the second-level cache)");
    parser.add_counts("--block", options.blocks, "SIZES",
                      "Documents that are evaluated in one call, such as\n1,64,1024 (default: 1,64)");
    parser.add_count("--threads", options.measure.threads, "NUMBER", "Threads that share the documents (default: 1)");
    parser.add_count(
        "--threads-per-block", options.threads_per_block, "NUMBER",
        "Threads that share the work on each block, such as\na long text; no more than there are processors\n"
        "(default: 1)",
        1024);
    parser.exclude("--threads-per-block", {"--threads"});
    parser.add_count("--runs", options.measure.effort.runs, "NUMBER", "How often to measure (default: 9)");
    parser.add_model_option(options.models);
    parser.add_isa_option(options.measure.compile.max_isa);
    parser.add_list("--disable", options.measure.compile.disabled_passes, "PASS",
                    "Leave out an optimization; may be repeated");
    parser.add_option("--seed", options.measure.seed, "NUMBER", "Seed of the random values (default: 1)");
    parser.add_file_option(options.file);
    parser.add_dialect_option(options.dialect);
    parser.add_flag("--reference", options.measure.reference,
                    "Measure the naive evaluator that the compiler is\ntested against");
    parser.add_flag("--no-check", options.no_check,
                    "Do not compare the results with the reference evaluator,\nwhich takes minutes for a large model");
    parser.add_flag("--profile", options.measure.profile,
                    "Show how long each step of the plan takes, in the\nlast size of block");
    parser.exclude("--reference", {"--profile", "--threads-per-block"});
    parser.add_flag("--json", options.json, "Print one JSON object");
}

// Makes a Case of what the options say.
class CaseReader {
public:
    CaseReader(const ArgumentParser &parser, perf::Case &described) : parser_(parser), case_(described) {}

    // NAME, NAME:TYPE or NAME=VALUE.
    std::optional<int> add_input(Stage stage, const std::string &argument);
    // NAME.DIMENSION=COUNT@FIRST.
    std::optional<int> add_labels(const std::string &argument);
    // NAME.DIMENSION=SIZE or =LEAST..MOST.
    std::optional<int> add_length(const std::string &argument);
    // The input and its dimension that an argument NAME.DIMENSION=... names.
    std::optional<int> find_dimension(std::string_view option, const std::string &named, perf::InputRecipe *&input,
                                      std::string &dimension) const;
    // Labels for the dimensions that have none, and sizes.
    void complete();

private:
    const ArgumentParser &parser_;
    perf::Case &case_;
};

std::optional<int> CaseReader::add_input(Stage stage, const std::string &argument) {
    const std::size_t length = name_length(argument);
    if (length == 0) {
        return parser_.usage_error(fmt::format("expected NAME, NAME:TYPE or NAME=VALUE, found \"{}\"", argument));
    }
    const std::size_t end = std::min(argument.find_first_of(":=", length), argument.size());
    const auto name = canonical_name(argument.substr(0, end));
    if (!name) {
        print_error(name.error());
        return rejected;
    }
    if (std::any_of(case_.inputs.begin(), case_.inputs.end(), [&](const auto &input) { return input.name == *name; })) {
        return parser_.usage_error(fmt::format("the input {} is declared twice", *name));
    }
    if (end == argument.size() || argument[end] == ':') {
        const auto type = end == argument.size() ? InputType() : parse_input_type(argument.substr(end + 1));
        if (!type) {
            Error error = type.error();
            error.set_source_name("type of " + *name);
            print_error(error);
            return rejected;
        }
        case_.inputs.emplace_back(*name, stage, type->tensor);
        case_.inputs.back().is_string = type->is_string;
        return std::nullopt;
    }
    auto value = read_value_argument(argument.substr(end + 1), *name, std::nullopt);
    if (const auto *failure = std::get_if<ValueFailure>(&value)) {
        print_error(failure->error);
        return failure->unreadable ? io_failure : rejected;
    }
    Tensor &tensor = std::get<Tensor>(value);
    case_.inputs.emplace_back(*name, stage, tensor.type());
    case_.inputs.back().is_string = tensor.is_string();
    case_.inputs.back().value = std::move(tensor);
    return std::nullopt;
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    return problem == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::optional<int> CaseReader::find_dimension(std::string_view option, const std::string &named,
                                              perf::InputRecipe *&input, std::string &dimension) const {
    const std::size_t dot = named.rfind('.');
    const auto name = canonical_name(named.substr(0, dot));
    dimension = named.substr(dot + 1);
    const auto found = std::find_if(case_.inputs.begin(), case_.inputs.end(),
                                    [&](const auto &each) { return name && each.name == *name; });
    if (found == case_.inputs.end()) {
        return parser_.usage_error(fmt::format("{}: there is no input {}", option, named.substr(0, dot)));
    }
    input = &*found;
    return std::nullopt;
}

std::optional<int> CaseReader::add_length(const std::string &argument) {
    const auto parts = split_argument(argument);
    const std::size_t dots = parts ? parts->text.find("..") : std::string::npos;
    const auto least = parts ? whole_number(std::string_view(parts->text).substr(0, dots)) : std::nullopt;
    const auto most = dots == std::string::npos ? least : whole_number(std::string_view(parts->text).substr(dots + 2));
    if (!least || !most || *least > *most || parts->name.rfind('.') == std::string::npos) {
        return parser_.usage_error(
            fmt::format("--length: expected NAME.DIMENSION=SIZE or =LEAST..MOST, found \"{}\"", argument));
    }
    perf::InputRecipe *input = nullptr;
    std::string dimension;
    if (const auto status = find_dimension("--length", parts->name, input, dimension)) {
        return status;
    }
    const auto place = input->type.find(dimension);
    if (!place || !input->type.dimensions()[*place].is_open()) {
        return parser_.usage_error(fmt::format("--length: {} has no open dimension {}; it is {}", input->name,
                                               dimension, input->type.to_string()));
    }
    input->lengths[dimension] = {*least, *most};
    return std::nullopt;
}

std::optional<int> CaseReader::add_labels(const std::string &argument) {
    const auto parts = split_argument(argument);
    const std::size_t dot = parts ? parts->name.rfind('.') : std::string::npos;
    const std::size_t at = parts ? parts->text.find('@') : std::string::npos;
    const auto count = parts ? whole_number(parts->text.substr(0, at)) : std::nullopt;
    const auto first = at == std::string::npos ? 0 : whole_number(std::string_view(parts->text).substr(at + 1));
    if (dot == std::string::npos || !count || !first) {
        return parser_.usage_error(
            fmt::format("--labels: expected NAME.DIMENSION=COUNT@FIRST, found \"{}\"", argument));
    }
    perf::InputRecipe *input = nullptr;
    std::string dimension;
    if (const auto status = find_dimension("--labels", parts->name, input, dimension)) {
        return status;
    }
    const auto place = input->type.find(dimension);
    if (!place || !input->type.dimensions()[*place].is_mapped()) {
        return parser_.usage_error(fmt::format("--labels: {} has no mapped dimension {}; it is {}", input->name,
                                               dimension, input->type.to_string()));
    }
    input->labels[dimension] = {*count, *first};
    return std::nullopt;
}

void CaseReader::complete() {
    for (perf::InputRecipe &input : case_.inputs) {
        for (const Dimension &dimension : input.type.dimensions()) {
            if (dimension.is_mapped() && !input.value) {
                input.labels.try_emplace(dimension.name, default_labels);
            }
            if (dimension.is_open()) {
                input.lengths.try_emplace(dimension.name);
            }
        }
    }
}

std::optional<int> read_case(const ArgumentParser &parser, const Options &options, perf::Case &described) {
    CaseReader reader(parser, described);
    for (const auto &[stage, inputs] : {std::pair(Stage::query, &options.query),
                                        {Stage::document, &options.document},
                                        {Stage::constant, &options.constants}}) {
        for (const std::string &argument : *inputs) {
            if (const auto status = reader.add_input(stage, argument)) {
                return status;
            }
        }
    }
    for (const std::string &argument : options.labels) {
        if (const auto status = reader.add_labels(argument)) {
            return status;
        }
    }
    for (const std::string &argument : options.lengths) {
        if (const auto status = reader.add_length(argument)) {
            return status;
        }
    }
    reader.complete();
    // No block needs to be smaller than it is said to be.
    if (options.measure.documents == 0) {
        described.documents = std::max(perf::fitting_documents(described.document_bytes()),
                                       *std::max_element(options.blocks.begin(), options.blocks.end()));
    }
    return std::nullopt;
}

std::optional<int> read_case_models(const ArgumentParser &parser, const Options &options, perf::Case &described) {
    ModelTable models;
    if (const auto status = read_models(parser, options.models, models)) {
        return status;
    }
    Schema inputs;
    for (const perf::InputRecipe &input : described.inputs) {
        inputs.document(input.name, input.type);
    }
    auto networks = models.networks(inputs);
    if (!networks) {
        print_error(networks.error());
        return rejected;
    }
    described.forests = models.forests();
    described.networks = *std::move(networks);
    return std::nullopt;
}

}  // namespace

int run_bench(const Command &command, const Arguments &arguments) {
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
    const CommandInputs given = std::move(reader).take();
    perf::Case described;
    if (const auto status = read_case(parser, options, described)) {
        return *status;
    }
    if (const auto status = read_case_models(parser, options, described)) {
        return *status;
    }
    described.expression = given.expression;
    options.measure.blocks = options.blocks;
    options.measure.check = !options.no_check;
    options.measure.compile.expression.dialect = *dialect_from_name(options.dialect);
    std::optional<ThreadPool> pool;
    if (options.threads_per_block > 1) {
        options.measure.executor = &pool.emplace(options.threads_per_block);
    }
    const auto figures = perf::measure_case(described, options.measure);
    if (!figures) {
        Error error = figures.error();
        if (!given.source_name.empty()) {
            error.set_source_name(given.source_name);
        }
        print_error(error);
        return rejected;
    }
    if (!figures->unchecked.empty() && !options.no_check) {
        print_warning("the results are not checked: " + figures->unchecked);
    }
    const perf::Peaks &peaks = perf::machine_peaks();
    Output out(STDOUT_FILENO);
    out.write(options.json ? bench_json(*figures, options.measure, peaks, given.expression)
                           : bench_text(*figures, options.measure, peaks));
    return finish(out, success);
}

}  // namespace tenrex::tool

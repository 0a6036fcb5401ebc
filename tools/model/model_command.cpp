// tenrex model: what a forest or a network consists of.
#include <algorithm>

#include <fmt/format.h>
#include <unistd.h>

#include "tools/command.h"
#include "tools/exit_code.h"
#include "tools/model/head_pruning.h"
#include "tools/model/model_options.h"
#include "tools/model/model_table.h"
#include "tools/model/network_run.h"
#include "tools/model/network_text.h"
#include "tools/model/precision_check.h"
#include "tools/output.h"
#include "tools/output_file.h"
#include "tools/terminal.h"

namespace tenrex::tool {

namespace {

constexpr std::string_view details =
    "Prints what FILE consists of. Of a forest that LightGBM or XGBoost has trained: its\n"
    "trees, and its features by the number of splits that test them, with the gain that\n"
    "the trainer noted for these splits. A file that is called .onnx holds a forest if\n"
    "trees are all that is in it, else a network. Of a network: its inputs and outputs, the\n"
    "number of its parameters and the memory that they take, the work of its products of\n"
    "matrices, and its operators. What cannot be imported of it is an error.";

constexpr std::string_view examples =
    "Examples:\n"
    "  tenrex model clicks.txt\n"
    "  tenrex model trees.json --feature-map names.txt\n"
    "  tenrex model ranker.onnx --expression\n"
    "  tenrex model ranker.onnx --run inputs.npz -o outputs.npz\n"
    "  tenrex model ranker.onnx --precision int8 --check inputs.npz\n"
    "  tenrex model ranker.onnx --precision int8 -o ranker.packed\n"
    "  tenrex model minilm/model.onnx --prune-heads 10% --texts texts.jsonl -o small.onnx\n";

std::string forest_text(const Forest &forest) {
    std::vector<Forest::Feature> features = forest.features();
    const std::size_t used = forest.used_features().size();
    std::string text = fmt::format("format     {}\n", forest.format());
    if (!forest.objective().empty()) {
        text += fmt::format("objective  {}\n", forest.objective());
    }
    text += fmt::format("outputs    {}\ntrees      {}\nleaves     {}\ndepth      {}\nfeatures   {}, {} of them used\n",
                        forest.outputs(), forest.trees(), forest.leaves(), forest.depth(), features.size(), used);
    std::erase_if(features, [](const Forest::Feature &feature) { return feature.splits == 0; });
    std::stable_sort(features.begin(), features.end(), [](const Forest::Feature &a, const Forest::Feature &b) {
        return a.splits != b.splits ? a.splits > b.splits : a.gain > b.gain;
    });
    std::size_t width = std::string_view("feature").size();
    for (const Forest::Feature &feature : features) {
        width = std::max(width, feature.name.size());
    }
    if (!features.empty()) {
        text += fmt::format("\n{:<{}}  {:>8}  {:>14}\n", "feature", width, "splits", "gain");
    }
    for (const Forest::Feature &feature : features) {
        text += fmt::format("{:<{}}  {:>8}  {:>14.6g}{}\n", feature.name, width, feature.splits, feature.gain,
                            feature.is_categorical ? "  categorical" : "");
    }
    return text;
}

// Writes a file, as one that is there whole or not at all.
int write_file(const std::string &path, std::string_view bytes) {
    auto out = OutputFile::open(path);
    if (!out) {
        print_error(out.error());
        return rejected;
    }
    out->out().write(bytes);
    return out->finish(success);
}

// Computes the outputs for the arrays of a file, into another.
int run_on_arrays(const ModelFile &file, const std::string &arrays, const std::string &results, const NetworkRun &how) {
    const auto bytes = run_network(file, arrays, how);
    if (!bytes) {
        print_error(bytes.error());
        return rejected;
    }
    return write_file(results, *bytes);
}

// least_cosine: what the worst input must reach.
int print_check(const ModelFile &file, const std::string &inputs, ModelPrecision precision, double least_cosine) {
    const auto check = check_precision(file, inputs, precision);
    if (!check) {
        print_error(check.error());
        return rejected;
    }
    Output out(STDOUT_FILENO);
    out.write(check->table);
    const int status = finish(out, success);
    if (status == success && !(check->least_cosine >= least_cosine)) {
        print_error(Error(
            fmt::format("the cosine of the worst input is {:.6f}, less than {}", check->least_cosine, least_cosine),
            "choose another --precision"));
        return rejected;
    }
    return status;
}

int write_pruned(const HeadPruning &pruning) {
    const auto result = prune_heads(pruning);
    if (!result) {
        print_error(result.error());
        return rejected;
    }
    int status = write_file(pruning.output, result->files.model);
    if (status == success && !result->files.config.empty()) {
        status = write_file(config_beside(pruning.output), result->files.config);
    }
    if (status != success) {
        return status;
    }
    Output out(STDOUT_FILENO);
    out.write(result->report);
    return finish(out, success);
}

// Writes the packed model.
int pack(const ModelFile &file, const std::string &packed, ModelPrecision precision) {
    auto out = OutputFile::open(packed);
    if (!out) {
        print_error(out.error());
        return rejected;
    }
    OnnxOptions options;
    options.precision = precision;
    const Status status = pack_onnx_model(file.path, options, [&](std::string_view bytes) { out->out().write(bytes); });
    if (!status) {
        Error error = status.error();
        error.set_source_name(file.path);
        print_error(error);
        return rejected;
    }
    return out->finish(success);
}

int print_network(const ModelFile &file, bool as_expression, ModelPrecision precision) {
    const auto fail = [&](Error error) {
        error.set_source_name(file.path);
        print_error(error);
        return rejected;
    };
    OnnxOptions options = network_options(file.path);
    options.precision = precision;
    const auto contents = network_contents(file);
    if (!contents) {
        return fail(contents.error());
    }
    if (const Status status = contents->packed ? check_packed_model(file.path) : Status(); !status) {
        return fail(status.error());
    }
    const auto model = load_network(file, options);
    if (as_expression && !model) {
        return fail(model.error());
    }
    Output out(STDOUT_FILENO);
    out.write(as_expression ? definitions_text(*model) : contents_text(*contents, model ? &*model : nullptr));
    const int status = finish(out, success);
    return model || status != success ? status : fail(model.error());
}

}  // namespace

int run_model(const Command &command, const Arguments &arguments) {
    ArgumentParser parser(command, details, examples);
    ModelOptions options;
    add_model_options(parser, options);
    bool expression = false;
    parser.add_flag("--expression", expression, "Print the definitions that a network becomes");
    std::string arrays;
    std::string results;
    std::string inputs;
    std::string precision = "f32";
    bool reference = false;
    std::size_t threads = 1;
    parser.add_precision_option(precision);
    parser.add_option(
        "--check", inputs, "FILE",
        "Compare --precision with f32 over inputs: arrays in a .npz\nfile with a row for each, or lines of "
        "JSON, each with the\nnumbers of one: {\"input_ids\":[101,7592,102]}");
    double least_cosine = -1;
    parser.add_option("--least-cosine", least_cosine, "NUMBER",
                      "With --check: fail if the cosine of an input is smaller");
    parser.require("--least-cosine", "--check");
    parser.add_option(
        "--run", arrays, "FILE",
        "Compute the outputs of a network for the arrays of a .npz\nfile, which have the names of its inputs");
    parser.add_option(
        "-o,--output", results, "FILE",
        "With --run: where the arrays of the outputs go; with\n--prune-heads: the smaller model; else the "
        "packed model:\nthe network at --precision as this processor reads it,\nwhich every command "
        "takes as a model");
    parser.add_flag("--reference", reference,
                    "With --run: evaluate with the naive evaluator that the\ncompiler is tested against");
    parser.add_count("--threads", threads, "NUMBER",
                     "With --run and --prune-heads: threads that share the\nwork, no more than there are processors "
                     "(default: 1)",
                     1024);
    HeadPruning pruning;
    std::string heads;
    parser.add_option("--prune-heads", heads, "AMOUNT",
                      "Remove the attention heads of an encoder that matter least\non texts, 10% of them or 7, and "
                      "tell what that costs");
    parser.add_option("--texts", pruning.texts, "FILE", "With --prune-heads: lines {\"text\":\"...\"}");
    parser.require("--texts", "--prune-heads");
    parser.add_option("--tokenizer", pruning.tokenizer, "FILE",
                      "With --prune-heads: tokenizer.json or vocab.txt\n(default: that of the model's folder)");
    parser.require("--tokenizer", "--prune-heads");
    parser.exclude("--prune-heads", {"--run", "--check", "--expression", "--precision"});
    if (const auto status = parser.parse(arguments)) {
        return *status;
    }
    if (parser.positional().size() != 1) {
        return parser.usage_error("one file with a model is expected");
    }
    if (!inputs.empty() && (!arrays.empty() || expression)) {
        return parser.usage_error("--check goes together with neither --run nor --expression");
    }
    if ((!arrays.empty() && results.empty()) || (reference && arrays.empty())) {
        return parser.usage_error("--run and --output belong together, and --reference to them");
    }
    if (!results.empty() && (!inputs.empty() || expression)) {
        return parser.usage_error("--output goes together with neither --check nor --expression");
    }
    const auto amount = head_amount(heads);
    if (!heads.empty() && (pruning.texts.empty() || results.empty() || !amount)) {
        return parser.usage_error(amount ? "--prune-heads needs --texts and --output"
                                         : fmt::format("--prune-heads: '{}' is neither a share of the heads, such as "
                                                       "10%, nor a number of them",
                                                       heads));
    }
    if (threads != 1 && arrays.empty() && heads.empty()) {
        return parser.usage_error("--threads goes together with --run or --prune-heads");
    }
    int status = success;
    const auto file = read_model(parser.positional().front(), status);
    if (!file) {
        return status;
    }
    const ModelPrecision chosen = *precision_from_name(precision);
    if (file->is_network && amount) {
        pruning.model = file->path;
        pruning.amount = *amount;
        pruning.output = results;
        pruning.threads = threads;
        return write_pruned(pruning);
    }
    if (file->is_network) {
        return !inputs.empty()    ? print_check(*file, inputs, chosen, least_cosine)
               : !arrays.empty()  ? run_on_arrays(*file, arrays, results, {chosen, reference, threads})
               : !results.empty() ? pack(*file, results, chosen)
                                  : print_network(*file, expression, chosen);
    }
    if (expression || !arrays.empty() || !inputs.empty() || !results.empty()) {
        return parser.usage_error(fmt::format("{}: the file holds no network", expression        ? "--expression"
                                                                               : amount          ? "--prune-heads"
                                                                               : !inputs.empty() ? "--check"
                                                                               : !arrays.empty() ? "--run"
                                                                                                 : "--output"));
    }
    const auto forest = forest_in(*file, options, status);
    if (!forest) {
        return status;
    }
    Output out(STDOUT_FILENO);
    out.write(forest_text(*forest));
    return finish(out, success);
}

}  // namespace tenrex::tool

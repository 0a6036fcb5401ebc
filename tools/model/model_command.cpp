// tenrex model: what a forest consists of.
#include <algorithm>

#include <fmt/format.h>
#include <unistd.h>

#include "tools/command.h"
#include "tools/exit_code.h"
#include "tools/model/model_options.h"
#include "tools/output.h"

namespace tenrex::tool {

namespace {

constexpr std::string_view details =
    "Prints what FILE, a forest that LightGBM or XGBoost has trained, consists of: its\n"
    "trees, and its features by the number of splits that test them, with the gain that\n"
    "the trainer noted for these splits.";

constexpr std::string_view examples =
    "Examples:\n"
    "  tenrex model clicks.txt\n"
    "  tenrex model trees.json --feature-map names.txt\n";

std::string text_of(const Forest &forest) {
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

}  // namespace

int run_model(const Command &command, const Arguments &arguments) {
    ArgumentParser parser(command, details, examples);
    ModelOptions options;
    add_model_options(parser, options);
    if (const auto status = parser.parse(arguments)) {
        return *status;
    }
    if (parser.positional().size() != 1) {
        return parser.usage_error("one file with a model is expected");
    }
    int status = success;
    const auto forest = load_model(parser.positional().front(), options, status);
    if (!forest) {
        return status;
    }
    Output out(STDOUT_FILENO);
    out.write(text_of(*forest));
    return finish(out, success);
}

}  // namespace tenrex::tool

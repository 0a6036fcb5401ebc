#include "tools/model/head_pruning.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "tools/model/changed_values.h"
#include "tools/model/text_vectors.h"
#include "tools/plain_number.h"
#include "tools/rank/progress.h"
#include "tools/terminal.h"

namespace tenrex::tool {

namespace {

struct HeadCost {
    std::size_t layer = 0;
    std::size_t head = 0;
    double cost = 0;  // the mean distance to the whole model
};

std::uint64_t bytes_of_file(const std::string &path) {
    std::error_code problem;
    const auto bytes = std::filesystem::file_size(path, problem);
    return problem ? 0 : bytes;
}

bool is_same_file(const std::string &a, const std::string &b) {
    std::error_code problem;
    return std::filesystem::equivalent(a, b, problem) && !problem;
}

Status check_output(const HeadPruning &pruning) {
    const bool has_config = pruning.model.ends_with(".safetensors");
    if (is_same_file(pruning.model, pruning.output)) {
        return Error("the model would be written over itself", "give --output another name");
    }
    if (has_config && is_same_file(config_beside(pruning.model), config_beside(pruning.output))) {
        return Error("config.json of the model would be written over, which would not fit its weights any more",
                     "give --output a file in another folder");
    }
    const std::string_view ending = has_config ? ".safetensors" : ".onnx";
    return pruning.output.ends_with(ending)
               ? Status()
               : Error(fmt::format("a model that is read from {} is to be called {}", pruning.output, ending));
}

// How many heads are to be removed. Error: none, or more than layers can do without.
Result<std::size_t> heads_to_remove(const HeadAmount &amount, const std::vector<AttentionHeads::Layer> &layers) {
    std::size_t all = 0;
    for (const AttentionHeads::Layer &layer : layers) {
        all += layer.heads;
    }
    const std::size_t count = amount.share > 0
                                  ? static_cast<std::size_t>(std::llround(amount.share * static_cast<double>(all)))
                                  : amount.count;
    const std::size_t most = all - layers.size();
    if (count == 0 || count > most) {
        return Error(fmt::format("{} of {} heads are to be removed, but {}", count, all,
                                 count == 0 ? "that is none" : fmt::format("at most {} can be", most)),
                     count == 0 ? "give --prune-heads a larger share, or a number"
                                : fmt::format("each of the {} layers keeps one at least", layers.size()));
    }
    return count;
}

// What each head costs that is left out alone, the least first. Layers with one head keep it.
Result<std::vector<HeadCost>> costs_of(const AttentionHeads &heads, const TextVectors &vectors,
                                       const std::vector<Tensor> &whole) {
    std::vector<HeadCost> costs;
    for (std::size_t layer = 0; layer < heads.layers().size(); ++layer) {
        const std::size_t count = heads.layers()[layer].heads;
        for (std::size_t head = 0; head < count && count > 1; ++head) {
            costs.push_back({layer, head});
        }
    }
    Progress progress("heads");
    const bool is_shown = is_terminal(STDERR_FILENO);
    for (std::size_t i = 0; i < costs.size(); ++i) {
        AttentionHeads::Choice choice(costs[i].layer + 1);
        choice.back() = {costs[i].head};
        const auto files = heads.silenced(choice);
        const auto found = files ? vectors.of(*files) : Result<std::vector<Tensor>>(files.error());
        if (!found) {
            progress.clear();
            return found.error();
        }
        costs[i].cost = 1 - cosines_of(whole, *found).mean;
        if (is_shown) {
            progress.show(i + 1, i + 1, costs.size());
        }
    }
    progress.clear();
    std::stable_sort(costs.begin(), costs.end(), [](const HeadCost &a, const HeadCost &b) { return a.cost < b.cost; });
    return costs;
}

// The first of the costs, but for heads that are the last ones of their layers.
std::vector<HeadCost> least_of(const std::vector<HeadCost> &costs, std::size_t count,
                               const std::vector<AttentionHeads::Layer> &layers) {
    std::vector<std::size_t> left;
    left.reserve(layers.size());
    for (const AttentionHeads::Layer &layer : layers) {
        left.push_back(layer.heads);
    }
    std::vector<HeadCost> removed;
    for (const HeadCost &one : costs) {
        if (removed.size() < count && left[one.layer] > 1) {
            removed.push_back(one);
            --left[one.layer];
        }
    }
    return removed;
}

std::string table_of(const std::vector<AttentionHeads::Layer> &layers, const std::vector<HeadCost> &removed) {
    std::string table = fmt::format("\n{:>5}  {:>5}  {:>4}\n", "layer", "heads", "left");
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
        const auto gone =
            std::count_if(removed.begin(), removed.end(), [&](const HeadCost &one) { return one.layer == layer; });
        table += fmt::format("{:>5}  {:>5}  {:>4}\n", layer, layers[layer].heads,
                             layers[layer].heads - static_cast<std::size_t>(gone));
    }
    table += fmt::format("\n{:>5}  {:>5}  {:>10}\n", "layer", "head", "importance");
    for (const HeadCost &one : removed) {
        table += fmt::format("{:>5}  {:>5}  {:>10.2g}\n", one.layer, one.head, std::max(one.cost, 0.0));
    }
    return table + "\n";
}

Error not_understood(const Error &why) {
    return Error(fmt::format("the graph uses heads in a way that is not known, and cannot be cut: {}",
                             why.issues().front().message));
}

// A graph may do with heads what nobody has thought of, so what was made is compared with what was meant.
Status check_cut(const TextVectors &vectors, const std::vector<Tensor> &cut, const AttentionHeads::Files &silenced) {
    constexpr double largest_distance = 1e-5;
    const auto meant = vectors.of(silenced);
    if (!meant) {
        return meant.error();
    }
    const double distance = 1 - cosines_of(*meant, cut).worst;
    return distance <= largest_distance
               ? Status()
               : not_understood(Error(fmt::format(
                     "without these heads vectors differ by {:.2g} from those with zeros in their places", distance)));
}

Result<PrunedEncoder> pruned(const HeadPruning &pruning, const AttentionHeads &heads, const TextVectors &vectors,
                             std::size_t count) {
    const auto before = heads.silenced({});
    const auto whole_embedder = before ? vectors.embedder(*before) : Result<TextEmbedder>(before.error());
    const auto whole =
        whole_embedder ? vectors.of(*whole_embedder) : Result<std::vector<Tensor>>(whole_embedder.error());
    const auto costs = whole ? costs_of(heads, vectors, *whole) : Result<std::vector<HeadCost>>(whole.error());
    if (!costs) {
        return costs.error();
    }
    const std::vector<HeadCost> removed = least_of(*costs, count, heads.layers());
    AttentionHeads::Choice choice(heads.layers().size());
    for (const HeadCost &one : removed) {
        choice[one.layer].push_back(one.head);
    }
    auto files = heads.without(choice);
    if (!files) {
        return std::move(files).error();
    }
    const auto embedder = vectors.embedder(*files);
    const auto cut = embedder ? vectors.of(*embedder) : Result<std::vector<Tensor>>(embedder.error());
    if (!cut) {
        return not_understood(cut.error());
    }
    const auto silenced = heads.silenced(choice);
    if (Status status = silenced ? check_cut(vectors, *cut, *silenced) : Status(silenced.error()); !status) {
        return status.error();
    }
    const auto times = vectors.milliseconds(*whole_embedder, *embedder);
    if (!times) {
        return times.error();
    }
    const Cosines cosines = cosines_of(*whole, *cut);
    std::string report = fmt::format(
        "texts      {}\nheads      {} removed\n{}cosine     {:.6f} on average, {:.6f} at worst, of text {}\n{}"
        "time       {:.3f} ms for a text, {:.3f} ms before, {:.2f} times as fast\nfile       {}, {} before\n",
        vectors.size(), removed.size(), table_of(heads.layers(), removed), cosines.mean, cosines.worst,
        cosines.worst_place + 1, ranks_text(*whole, *cut, "texts"), times->second, times->first,
        times->first / times->second, megabytes(files->model.size()), megabytes(bytes_of_file(pruning.model)));
    return PrunedEncoder{*std::move(files), std::move(report)};
}

}  // namespace

std::optional<HeadAmount> head_amount(const std::string &text) {
    const bool is_share = text.ends_with('%');
    const auto number = plain_number(is_share ? text.substr(0, text.size() - 1) : text);
    constexpr double most = 1e6;
    if (!number || !(*number > 0) || !(*number < (is_share ? 100 : most)) ||
        (!is_share && *number != std::floor(*number))) {
        return std::nullopt;
    }
    return is_share ? HeadAmount{*number / 100, 0} : HeadAmount{0, static_cast<std::size_t>(*number)};
}

std::string config_beside(const std::string &model) {
    return (std::filesystem::path(model).parent_path() / "config.json").string();
}

Result<PrunedEncoder> prune_heads(const HeadPruning &pruning) {
    const auto named = [&](Error error) {
        if (error.source_name().empty()) {
            error.set_source_name(pruning.model);
        }
        return error;
    };
    if (const Status status = check_output(pruning); !status) {
        return named(status.error());
    }
    const auto heads = AttentionHeads::find(pruning.model);
    const auto count = heads ? heads_to_remove(pruning.amount, heads->layers()) : Result<std::size_t>(heads.error());
    if (!count) {
        return named(count.error());
    }
    auto folder = embedding_folder_of(pruning.model, pruning.tokenizer);
    auto texts = folder ? read_texts(pruning.texts) : Result<std::vector<std::string>>(folder.error());
    if (!texts) {
        return texts.error();
    }
    auto result = pruned(pruning, *heads, TextVectors(*std::move(folder), *std::move(texts), pruning.threads), *count);
    return result ? std::move(result) : Result<PrunedEncoder>(named(result.error()));
}

}  // namespace tenrex::tool

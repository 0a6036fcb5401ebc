// The weights of a model in fewer bits, and what nothing uses once it is imported.
#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "lib/onnx/importer.h"
#include "lib/onnx/rounded_weights.h"

namespace tenrex::onnx {

const Importer::RoundedWeights *Importer::rounded_weights(const Value &weights, std::size_t summed) {
    const auto [found, is_new] = rounded_weights_.try_emplace({weights.text, summed});
    if (is_new) {
        found->second = round(weights, summed);
    }
    return found->second ? &*found->second : nullptr;
}

std::optional<Importer::RoundedWeights> Importer::round(const Value &weights, std::size_t summed) {
    const bool turned = !weights.turned.empty();
    const std::string &symbol = turned ? weights.turned : weights.text;
    const auto found = std::find_if(result_.constants.begin(), result_.constants.end(),
                                    [&](const auto &constant) { return constant.first == symbol; });
    if (found == result_.constants.end() || found->second.type().cell_type() != CellType::f32) {
        return std::nullopt;
    }
    const auto add = [&](Tensor tensor) {
        std::string name = fmt::format("onnx_constant({},{})", options_.name, made_++);
        schema_.constant(name, tensor);
        result_.constants.emplace_back(name, std::move(tensor));
        return name;
    };
    const Tensor whole = found->second;  // a copy of the handle: constants are added
    if (options_.precision == ModelPrecision::bf16) {
        return RoundedWeights{add(in_bfloat16(whole.view(), turned)), {}, {}};
    }
    WholeWeights parts = in_int8(whole.view(), turned, summed);
    std::string cells = add(std::move(parts.cells));
    std::string scale = add(std::move(parts.scale));
    return RoundedWeights{std::move(cells), std::move(scale), add(std::move(parts.totals))};
}

void Importer::leave_out_unused() {
    std::set<std::string, std::less<>> used;
    for (const ModelPort &output : result_.outputs) {
        used.insert(output.symbol);
    }
    for (const ForestDeclaration &forest : result_.forests) {
        used.insert(forest.inputs.begin(), forest.inputs.end());
    }
    // All symbols begin so; they have no parentheses within.
    const auto note = [&](std::string_view text) {
        constexpr std::string_view begin = "onnx_";
        for (std::size_t at = text.find(begin); at != std::string_view::npos; at = text.find(begin, at + 1)) {
            used.emplace(text.substr(at, text.find(')', at) + 1 - at));
        }
    };
    std::vector<std::pair<std::string, std::string>> kept;
    kept.reserve(result_.definitions.size());
    for (auto definition = result_.definitions.rbegin(); definition != result_.definitions.rend(); ++definition) {
        if (used.contains(definition->first)) {
            note(definition->second);
            kept.push_back(std::move(*definition));
        }
    }
    std::reverse(kept.begin(), kept.end());
    result_.definitions = std::move(kept);
    std::erase_if(result_.constants, [&](const auto &constant) { return !used.contains(constant.first); });
}

void Importer::leave_out_unused_sizes() {
    std::set<std::string, std::less<>> used;
    for (const ModelPort &output : result_.outputs) {
        used.insert(output.symbol);
    }
    const std::string begin = fmt::format("onnx_sizes({},", options_.name);
    for (const auto &[symbol, text] : result_.definitions) {
        for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1)) {
            used.insert(text.substr(at, text.find(')', at) + 1 - at));
        }
    }
    std::erase_if(result_.definitions, [&](const auto &definition) {
        return definition.first.starts_with(begin) && !used.contains(definition.first);
    });
}

}  // namespace tenrex::onnx

#include "lib/onnx/pruned_heads.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include <fmt/format.h>

namespace tenrex::onnx {

namespace {

using forest::Document;

constexpr std::string_view member = "pruned_heads";

Error wrong_heads(std::string_view problem) {
    return Error(fmt::format("config.json: \"{}\" {}", member, problem),
                 R"(it is an object of layers with lists of heads: {"0": [3, 7]})");
}

}  // namespace

Result<PrunedHeads> pruned_heads(const Document &config, std::int64_t layers, std::int64_t heads) {
    PrunedHeads result(static_cast<std::size_t>(layers));
    const Document::Id object = config.find(config.root(), member);
    if (object == Document::none || config.kind(object) == Document::Kind::null) {
        return result;
    }
    if (config.kind(object) != Document::Kind::object) {
        return wrong_heads("is no object");
    }
    for (auto entry = config.first(object); entry != Document::none; entry = config.next(entry)) {
        const std::string_view key = config.key(entry);
        std::size_t layer = 0;
        const auto [end, problem] = std::from_chars(key.data(), key.data() + key.size(), layer);
        if (problem != std::errc() || end != key.data() + key.size() || layer >= result.size()) {
            return wrong_heads(fmt::format("has the layer '{}' of {}", key, layers));
        }
        const auto numbers = config.integers(entry);
        if (!numbers) {
            return wrong_heads(fmt::format("has no list of heads for layer {}", layer));
        }
        for (const std::int32_t head : *numbers) {
            if (head < 0 || head >= heads) {
                return wrong_heads(fmt::format("has head {} of {} for layer {}", head, heads, layer));
            }
            result[layer].push_back(static_cast<std::size_t>(head));
        }
        std::vector<std::size_t> &list = result[layer];
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
        if (list.size() == static_cast<std::size_t>(heads)) {
            return wrong_heads(fmt::format("leaves no head to layer {}", layer));
        }
    }
    return result;
}

std::string with_pruned_heads(const Document &config, const PrunedHeads &heads) {
    std::string text;
    for (std::size_t layer = 0; layer < heads.size(); ++layer) {
        if (!heads[layer].empty()) {
            text += fmt::format("{}\"{}\": [{}]", text.empty() ? "" : ", ", layer, fmt::join(heads[layer], ", "));
        }
    }
    text = "{" + text + "}";
    const std::string_view source = config.source();
    const Document::Id object = config.find(config.root(), member);
    if (object == Document::none) {
        const std::size_t begin = config.begin(config.root()) + 1;
        return fmt::format("{}\n  \"{}\": {},{}", source.substr(0, begin), member, text, source.substr(begin));
    }
    // There are lists of numbers in it, and nothing that nests.
    const std::size_t begin = config.begin(object);
    const bool is_null = config.kind(object) == Document::Kind::null;
    const std::size_t end = is_null ? begin + std::string_view("null").size() : source.find('}', begin) + 1;
    return fmt::format("{}{}{}", source.substr(0, begin), text, source.substr(end));
}

}  // namespace tenrex::onnx

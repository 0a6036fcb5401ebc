#include "tools/embed/embedder_set.h"

#include <utility>

#include <fmt/format.h>

namespace tenrex::tool {

Status EmbedderSet::add(const std::string &argument) {
    const std::size_t equals = argument.find('=');
    std::string name = argument.substr(0, equals);
    if (equals == std::string::npos || name.empty() || equals + 1 == argument.size()) {
        return Error(fmt::format("expected NAME=DIR or NAME.SETTING=VALUE, found \"{}\"", argument));
    }
    std::string value = argument.substr(equals + 1);
    const std::size_t dot = name.rfind('.');
    if (dot != std::string::npos) {
        return embedders_[name.substr(0, dot)].settings.set(std::string_view(name).substr(dot + 1), value);
    }
    Embedder &embedder = embedders_[std::move(name)];
    if (!embedder.path.empty()) {
        return Error(fmt::format("the embedder '{}' is given twice", argument.substr(0, equals)));
    }
    embedder.path = std::move(value);
    return {};
}

Status EmbedderSet::check() const {
    for (const auto &[name, embedder] : embedders_) {
        if (embedder.path.empty()) {
            return Error(fmt::format("the embedder '{}' has settings, but no folder", name),
                         fmt::format("give {}=DIR, too", name));
        }
    }
    return {};
}

std::string EmbedderSet::names() const {
    std::string names;
    for (const auto &entry : embedders_) {
        names += (names.empty() ? "" : ", ") + entry.first;
    }
    return names;
}

Result<const TextEncoder *> EmbedderSet::find(const std::string &name) {
    if (embedders_.empty()) {
        return Error("there is no embedder", "give one with --embedder NAME=DIR");
    }
    if (name.empty() && embedders_.size() > 1) {
        return Error("there are several embedders, and none is named", fmt::format("they are {}", names()));
    }
    const auto found = name.empty() ? embedders_.begin() : embedders_.find(name);
    if (found == embedders_.end()) {
        return Error(fmt::format("there is no embedder '{}'", name), fmt::format("--embedder gives {}", names()));
    }
    Embedder &embedder = found->second;
    if (!embedder.loaded) {
        auto loaded = TextEncoder::load(embedder.path, embedder.settings, cache_);
        if (!loaded) {
            return loaded.error();
        }
        embedder.loaded = *std::move(loaded);
    }
    return &*embedder.loaded;
}

}  // namespace tenrex::tool

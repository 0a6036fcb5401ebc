#include "tools/embed/embedder_settings.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace tenrex::tool {

namespace {

Error wrong_setting(std::string_view name, const std::string &value, std::string_view expected) {
    return Error(fmt::format("{} is '{}', but it is {}", name, value, expected));
}

Status set_choice(std::string_view name, const std::string &value, std::initializer_list<std::string_view> choices,
                  std::string &to) {
    if (std::find(choices.begin(), choices.end(), value) == choices.end()) {
        return wrong_setting(name, value, fmt::format("one of {}", fmt::join(choices, ", ")));
    }
    to = value;
    return {};
}

Status set_count(std::string_view name, const std::string &value, std::size_t &to) {
    const auto read = std::from_chars(value.data(), value.data() + value.size(), to);
    const bool is_count = read.ec == std::errc() && read.ptr == value.data() + value.size() && to != 0;
    return is_count ? Status() : wrong_setting(name, value, "a whole number above 0");
}

}  // namespace

Status EmbedderSettings::set(std::string_view name, const std::string &value) {
    const std::pair<std::string_view, std::optional<std::string> &> prefixes[] = {
        {"prefix", prefix}, {"query-prefix", query_prefix}, {"document-prefix", document_prefix}};
    for (const auto &[known, to] : prefixes) {
        if (name == known) {
            to = value;
            return {};
        }
    }
    if (name == "pooling") {
        return set_choice(name, value, {"mean", "cls", "max"}, pooling);
    }
    if (name == "precision") {
        return set_choice(name, value, {"f32", "bf16", "int8"}, precision);
    }
    if (name == "normalize") {
        normalize = value == "true";
        return *normalize ? Status() : wrong_setting(name, value, "true, or left out");
    }
    if (name == "max-length" || name == "dimensions") {
        return set_count(name, value, name == "dimensions" ? dimensions : max_length);
    }
    return Error(fmt::format("there is no setting '{}'", name),
                 "settings are pooling, normalize, prefix, query-prefix, document-prefix, max-length, dimensions and "
                 "precision");
}

Status apply(const EmbedderSettings &settings, EmbeddingFolder &folder) {
    if (!settings.pooling.empty()) {
        folder.pooling = settings.pooling == "cls"   ? Pooling::first
                         : settings.pooling == "max" ? Pooling::max
                                                     : Pooling::mean;
    }
    folder.normalizes = settings.normalize.value_or(folder.normalizes);
    if (settings.prefix) {
        folder.prefix = *settings.prefix;
        folder.query_prefix.reset();
        folder.document_prefix.reset();
    }
    folder.query_prefix = settings.query_prefix ? settings.query_prefix : folder.query_prefix;
    folder.document_prefix = settings.document_prefix ? settings.document_prefix : folder.document_prefix;
    if (settings.max_length != 0) {
        folder.max_length = settings.max_length;
    }
    if (folder.max_length && folder.positions && *folder.max_length > *folder.positions) {
        return Error(fmt::format("at most {} tokens are wanted, but the model has {} positions", *folder.max_length,
                                 *folder.positions),
                     "allow fewer tokens");
    }
    return {};
}

EmbedderOptions options_of(const EmbedderSettings &settings) {
    return {*precision_from_name(settings.precision), settings.dimensions, {}, nullptr};
}

}  // namespace tenrex::tool

// How an encoder is used, where that is not what its folder says: options of `tenrex embed`, settings of --embedder.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <tenrex/result.h>

#include "tools/embed/embedding_folder.h"
#include "tools/embed/text_embedder.h"

namespace tenrex::tool {

struct EmbedderSettings {
    std::string pooling;  // mean, cls or max; empty: as the folder says
    std::optional<bool> normalize;
    std::optional<std::string> prefix;
    std::optional<std::string> query_prefix;
    std::optional<std::string> document_prefix;
    std::size_t max_length = 0;  // 0: as the folder says
    std::size_t dimensions = 0;  // 0: all
    std::string precision = "f32";

    // Takes a setting as it is written: "pooling", "mean". Error: there is none of that name, or its value is wrong.
    Status set(std::string_view name, const std::string &value);
};

// Error: more tokens than the model can tell apart.
Status apply(const EmbedderSettings &settings, EmbeddingFolder &folder);
EmbedderOptions options_of(const EmbedderSettings &settings);

}  // namespace tenrex::tool

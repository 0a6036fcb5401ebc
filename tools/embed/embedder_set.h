// Embedders by the names that queries and the fields of a schema call them by.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include <tenrex/result.h>

#include "tools/embed/text_encoder.h"

namespace tenrex::tool {

class EmbedderSet {
public:
    // NAME=DIR, NAME=FILE of a tokenizer, or NAME.SETTING=VALUE. Error: it is none of these.
    Status add(const std::string &argument);
    // Null: none. To be called before anything is loaded.
    void set_cache(std::shared_ptr<ResponseCache> cache) { cache_ = std::move(cache); }

    bool empty() const noexcept { return embedders_.empty(); }
    // Error: an embedder has settings, but no folder.
    Status check() const;
    // The embedder of that name, or the only one if the name is empty. It is loaded when it is asked for first, and
    // stays where it is.
    Result<const TextEncoder *> find(const std::string &name);

private:
    struct Embedder {
        std::string path;
        EmbedderSettings settings;
        std::optional<TextEncoder> loaded;
    };
    std::string names() const;

    std::map<std::string, Embedder> embedders_;
    std::shared_ptr<ResponseCache> cache_;
};

}  // namespace tenrex::tool

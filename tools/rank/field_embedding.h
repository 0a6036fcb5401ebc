// Fields that are made of texts when documents are there: "indexing: input title | embed e5 | attribute".
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <tenrex/result.h>

#include "tools/embed/embedder_set.h"
#include "tools/rank/document_loader.h"

namespace tenrex::tool {

class FieldEmbedding {
public:
    // Loads the embedders of the fields that the layout wants to have made. Error: there is no such embedder, or it
    // makes no values of the field's type.
    static Result<FieldEmbedding> make(const DocumentLayout &layout, EmbedderSet &embedders);

    // Makes the values of all documents, and gives back the memory of the texts. The values are the same for any number
    // of threads. progress: a line on standard error tells how far it is.
    Status run(LoadReport &loaded, std::size_t threads, bool progress);

    // What became of a field.
    struct Made {
        std::string field;
        std::size_t texts = 0;
        std::size_t cut_texts = 0;  // which had more tokens than are taken
        double seconds = 0;
    };
    const std::vector<Made> &made() const noexcept { return made_; }

private:
    FieldEmbedding(const DocumentLayout &layout, std::vector<const TextEncoder *> encoders,
                   std::vector<TensorType> types)
        : layout_(layout), encoders_(std::move(encoders)), types_(std::move(types)) {}

    Status make_field(std::size_t index, LoadReport &loaded, std::size_t threads, bool progress);

    const DocumentLayout &layout_;
    // Of layout_.embedded().
    std::vector<const TextEncoder *> encoders_;
    std::vector<TensorType> types_;  // of what becomes of a text
    std::vector<Made> made_;
};

}  // namespace tenrex::tool

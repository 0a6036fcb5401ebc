// Embeds the texts of a file on several threads, in the order in which they come, in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tenrex/result.h>

#include "tools/embed/text_embedder.h"
#include "tools/embed/vector_writer.h"
#include "tools/rank/progress.h"
#include "tools/text/text_lines.h"
#include "tools/thread_pool.h"

namespace tenrex::tool {

class EmbeddingRun {
public:
    EmbeddingRun(const TextEmbedder &embedder, std::size_t threads, TextLines &lines, VectorWriter &writer,
                 Output &out);

    // Passes over texts whose vectors there are already. Error: there are not so many texts.
    Status skip(std::size_t count);
    // To the end of the lines, or until nothing can be written. progress: whether a terminal shows how far it is.
    // Vectors of texts before a wrong line are written.
    Status run(bool progress);

    std::size_t texts() const noexcept { return done_; }
    std::size_t cut_texts() const noexcept;

private:
    struct Block {
        std::size_t line = 0;
        std::vector<std::string> texts;
        std::vector<float> vectors;
        Status status;
    };

    Result<bool> read_block();
    Status embed_blocks();

    const TextEmbedder &embedder_;
    TextLines &lines_;
    VectorWriter &writer_;
    Output &out_;
    std::vector<TextEmbedder::Worker> workers_;
    // Of all threads together, for texts that are one block.
    std::optional<ThreadPool> pool_;
    std::optional<TextEmbedder::Worker> joint_worker_;
    std::vector<Block> blocks_;
    std::size_t done_ = 0;
    std::uint64_t bytes_ = 0;
    Progress progress_{"texts"};
};

}  // namespace tenrex::tool

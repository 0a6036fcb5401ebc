#include "tools/embed/embedding_run.h"

#include <utility>

#include <fmt/format.h>

#include "tools/rank/parallel.h"

namespace tenrex::tool {

namespace {

// So that memory does not grow with the number or the length of lines.
constexpr std::size_t texts_of_block = 16;
constexpr std::size_t bytes_of_block = std::size_t{32} << 10U;
constexpr std::size_t blocks_of_thread = 8;

}  // namespace

EmbeddingRun::EmbeddingRun(const TextEmbedder &embedder, std::size_t threads, TextLines &lines, VectorWriter &writer,
                           Output &out)
    : embedder_(embedder), lines_(lines), writer_(writer), out_(out) {
    workers_.reserve(threads);
    for (std::size_t i = 0; i < threads; ++i) {
        workers_.emplace_back(embedder);
    }
}

std::size_t EmbeddingRun::cut_texts() const noexcept {
    std::size_t count = 0;
    for (const auto &worker : workers_) {
        count += worker.cut_texts();
    }
    return count + (joint_worker_ ? joint_worker_->cut_texts() : 0);
}

Status EmbeddingRun::skip(std::size_t count) {
    for (; done_ < count; ++done_) {
        const auto line = lines_.next();
        if (!line) {
            return line.error();
        }
        if (!*line) {
            return Error(fmt::format("{} vectors were written before, but there are {} texts", count, done_),
                         "these are other texts: remove the unfinished file");
        }
    }
    return {};
}

// False at the end of the lines.
Result<bool> EmbeddingRun::read_block() {
    Block block;
    std::size_t bytes = 0;
    Result<bool> has_more = true;
    while (block.texts.size() < texts_of_block && bytes < bytes_of_block) {
        auto line = lines_.next();
        if (!line || !*line) {
            has_more = line ? Result<bool>(false) : Result<bool>(line.error());
            break;
        }
        if (block.texts.empty()) {
            block.line = lines_.line_number();
        }
        bytes += (*line)->text.size();
        block.texts.push_back(std::move((*line)->text));
    }
    bytes_ += bytes;
    if (!block.texts.empty()) {
        blocks_.push_back(std::move(block));
    }
    return has_more;
}

Status EmbeddingRun::embed_blocks() {
    const bool is_joint = blocks_.size() == 1 && workers_.size() > 1;
    if (is_joint && !joint_worker_) {
        joint_worker_.emplace(embedder_, pool_.emplace(workers_.size()));
    }
    run_parallel(workers_.size(), blocks_.size(), [&](std::size_t thread, std::size_t index) {
        Block &block = blocks_[index];
        block.status = embedder_.embed(block.texts, is_joint ? *joint_worker_ : workers_[thread], block.vectors);
    });
    for (const Block &block : blocks_) {
        if (!block.status) {
            return Error(block.status.error().issues(), fmt::format("a text in line {} or after", block.line));
        }
        writer_.write(block.vectors);
        done_ += block.texts.size();
    }
    return {};
}

Status EmbeddingRun::run(bool progress) {
    Status status;
    for (bool has_more = true; has_more && status && !out_.failed();) {
        blocks_.clear();
        Result<bool> more = true;
        while (blocks_.size() < blocks_of_thread * workers_.size() && more && *more) {
            more = read_block();
        }
        status = embed_blocks();
        if (status && !more) {
            status = more.error();
        }
        has_more = more && *more;
        if (progress) {
            progress_.show(done_, bytes_, 0);
        }
    }
    progress_.clear();
    return status;
}

}  // namespace tenrex::tool

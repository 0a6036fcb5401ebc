#include "tools/rank/field_embedding.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "tools/rank/parallel.h"
#include "tools/rank/progress.h"

namespace tenrex::tool {

namespace {

// Documents that a thread takes at a time.
constexpr std::size_t documents_of_block = 16;
// Of so many the values are kept until they are in the column.
constexpr std::size_t documents_at_a_time = 4096;

// The text of a document; nothing if a part of it is missing.
std::optional<std::string> text_of(const DocumentSegment &segment, const DocumentLayout::Embedded &field,
                                   std::size_t document) {
    std::string text;
    for (std::size_t i = 0; i < field.text.parts.size(); ++i) {
        const TextPart &part = field.text.parts[i];
        const std::string *own = part.is_field ? segment.column(field.columns[i]).text(document) : &part.text;
        own = own == nullptr && part.otherwise ? &*part.otherwise : own;
        if (own == nullptr) {
            return std::nullopt;
        }
        text += *own;
    }
    return text;
}

struct Block {
    std::vector<std::string> texts;
    std::vector<std::size_t> places;  // theirs among the documents
    std::vector<std::string> cells;
    Status status;
};

}  // namespace

Result<FieldEmbedding> FieldEmbedding::make(const DocumentLayout &layout, EmbedderSet &embedders) {
    std::vector<const TextEncoder *> encoders;
    encoders.reserve(layout.embedded().size());
    for (const DocumentLayout::Embedded &field : layout.embedded()) {
        const auto encoder = embedders.find(field.text.embedder);
        const Status status = encoder ? (*encoder)->check(field.type) : Status(encoder.error());
        if (!status) {
            return Error(status.error().issues(), fmt::format("field {}", layout.fields()[field.field].name));
        }
        encoders.push_back(*encoder);
    }
    return FieldEmbedding(layout, std::move(encoders));
}

Status FieldEmbedding::run(LoadReport &loaded, std::size_t threads, bool progress) {
    for (std::size_t i = 0; i < encoders_.size(); ++i) {
        if (Status status = make_field(i, loaded, threads, progress); !status) {
            return status;
        }
    }
    for (std::size_t segment = 0; segment < loaded.store.segments(); ++segment) {
        loaded.store.segment(segment).forget_texts();
    }
    return {};
}

Status FieldEmbedding::make_field(std::size_t index, LoadReport &loaded, std::size_t threads, bool progress) {
    const DocumentLayout::Embedded &field = layout_.embedded()[index];
    const TextEncoder &encoder = *encoders_[index];
    Made made{layout_.fields()[field.field].name};
    Progress line("texts");
    const auto start = std::chrono::steady_clock::now();
    std::vector<TextEncoder::Worker> workers;
    workers.reserve(threads);
    for (std::size_t i = 0; i < threads; ++i) {
        workers.emplace_back(encoder, TextRole::document);
    }
    std::uint64_t bytes = 0;
    for (std::size_t number = 0; number < loaded.store.segments(); ++number) {
        DocumentSegment &segment = loaded.store.segment(number);
        std::vector<std::optional<std::string>> cells(segment.documents());
        for (std::size_t begin = 0; begin < cells.size(); begin += documents_at_a_time) {
            const std::size_t end = std::min(begin + documents_at_a_time, cells.size());
            std::vector<Block> blocks((end - begin + documents_of_block - 1) / documents_of_block);
            run_parallel(threads, blocks.size(), [&](std::size_t thread, std::size_t block_number) {
                Block &block = blocks[block_number];
                const std::size_t first = begin + block_number * documents_of_block;
                for (std::size_t i = first; i < std::min(first + documents_of_block, end); ++i) {
                    if (auto text = text_of(segment, field, i)) {
                        block.texts.push_back(*std::move(text));
                        block.places.push_back(i);
                    }
                }
                block.status = encoder.encode(block.texts, field.type, workers[thread], block.cells);
            });
            for (Block &block : blocks) {
                if (!block.status) {
                    return Error(block.status.error().issues(), "field " + made.field);
                }
                for (std::size_t i = 0; i < block.texts.size(); ++i) {
                    cells[block.places[i]] = std::move(block.cells[i]);
                    bytes += block.texts[i].size();
                }
                made.texts += block.texts.size();
            }
            if (progress) {
                line.show(made.texts, bytes, 0);
            }
        }
        segment.take_cells(field.field, cells);
    }
    line.clear();
    for (const TextEncoder::Worker &worker : workers) {
        made.cut_texts += worker.cut_texts();
    }
    made.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    loaded.missing[field.field] = loaded.store.documents() - made.texts;
    made_.push_back(std::move(made));
    return {};
}

}  // namespace tenrex::tool

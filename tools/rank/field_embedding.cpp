#include "tools/rank/field_embedding.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <span>
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

// The texts of a document: one, or, of a value with labels, one for each of a list. Nothing if a part is missing.
std::optional<std::vector<std::string>> texts_of(const DocumentSegment &segment, const DocumentLayout::Embedded &field,
                                                 std::size_t document) {
    std::vector<std::span<const std::string>> parts;
    parts.reserve(field.text.parts.size());
    std::size_t count = 1;
    for (std::size_t i = 0; i < field.text.parts.size(); ++i) {
        const TextPart &part = field.text.parts[i];
        auto own = part.is_field ? segment.column(field.columns[i]).strings(document) : std::span(&part.text, 1);
        if (!own && part.otherwise) {
            own = std::span(&*part.otherwise, 1);
        }
        if (!own) {
            return std::nullopt;
        }
        count = part.is_field ? own->size() : count;
        parts.push_back(*own);
    }
    std::vector<std::string> texts(count);
    for (std::size_t text = 0; text < count; ++text) {
        for (std::size_t i = 0; i < parts.size(); ++i) {
            texts[text] += parts[i][field.text.parts[i].is_field ? text : 0];
        }
    }
    return texts;
}

// Of a value with labels, which a list of texts makes: the type of the block of a text.
Result<TensorType> type_of_text(const DocumentLayout::Embedded &field) {
    if (!field.type.has_mapped()) {
        return field.type;
    }
    const auto &parts = field.text.parts;
    const auto fields = std::count_if(parts.begin(), parts.end(), [](const TextPart &part) { return part.is_field; });
    if (field.type.mapped_count() != 1 || fields != 1) {
        return Error(
            fmt::format("{} is made of one list of texts, whose numbers are its labels", field.type.to_string()),
            "the type has one mapped dimension, and the statement one field");
    }
    std::vector<Dimension> indexed;
    std::copy_if(field.type.dimensions().begin(), field.type.dimensions().end(), std::back_inserter(indexed),
                 [](const Dimension &dimension) { return dimension.is_indexed(); });
    return TensorType::make(field.type.cell_type(), std::move(indexed));
}

struct Block {
    std::vector<std::string> texts;
    // Documents with a value, and how many of the texts are theirs.
    std::vector<std::pair<std::size_t, std::size_t>> documents;
    std::vector<std::string> cells;
    Status status;
};

// The cells of documents: those of their texts one after the other.
void take_cells(const Block &block, std::vector<std::optional<std::string>> &cells) {
    std::size_t next = 0;
    for (const auto &[document, count] : block.documents) {
        std::string &own = cells[document].emplace();
        for (std::size_t i = 0; i < count; ++i, ++next) {
            own.append(block.cells[next]);
        }
    }
}

}  // namespace

Result<FieldEmbedding> FieldEmbedding::make(const DocumentLayout &layout, EmbedderSet &embedders) {
    std::vector<const TextEncoder *> encoders;
    std::vector<TensorType> types;
    encoders.reserve(layout.embedded().size());
    types.reserve(layout.embedded().size());
    for (const DocumentLayout::Embedded &field : layout.embedded()) {
        const auto encoder = embedders.find(field.text.embedder);
        const auto type = encoder ? type_of_text(field) : Result<TensorType>(encoder.error());
        const Status status = type ? (*encoder)->check(*type) : Status(type.error());
        if (!status) {
            return Error(status.error().issues(), fmt::format("field {}", layout.fields()[field.field].name));
        }
        encoders.push_back(*encoder);
        types.push_back(*type);
    }
    return FieldEmbedding(layout, std::move(encoders), std::move(types));
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
    std::size_t documents = 0;
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
                    if (auto texts = texts_of(segment, field, i)) {
                        block.documents.emplace_back(i, texts->size());
                        std::move(texts->begin(), texts->end(), std::back_inserter(block.texts));
                    }
                }
                block.status = encoder.encode(block.texts, types_[index], workers[thread], block.cells);
            });
            for (const Block &block : blocks) {
                if (!block.status) {
                    return Error(block.status.error().issues(), "field " + made.field);
                }
                take_cells(block, cells);
                for (const std::string &text : block.texts) {
                    bytes += text.size();
                }
                made.texts += block.texts.size();
                documents += block.documents.size();
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
    loaded.missing[field.field] = loaded.store.documents() - documents;
    made_.push_back(std::move(made));
    return {};
}

}  // namespace tenrex::tool

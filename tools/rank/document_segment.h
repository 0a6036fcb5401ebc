// Some thousand documents, or fewer large ones: their ids and the columns of their features.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/rank/document_layout.h"
#include "tools/rank/feature_column.h"

namespace tenrex::tool {

class DocumentSegment {
public:
    // With room for that many documents.
    DocumentSegment(const DocumentLayout &layout, std::size_t documents);

    // Reads a document, {"id":...,"field":...} or {"put":...,"fields":{...}}. False if it is wrong; then `field` and
    // `problem` tell why, and nothing was added. A document without an id gets `default_id`.
    bool read(std::string_view line, const std::string &default_id, std::string &field, ValueProblem &problem);

    // The values of a field from the rows of an array, that of the first document from row `first`. To be called after
    // finish(). Error: the field has other values.
    Status take_rows(std::size_t field, const NpyView &rows, std::uint64_t first);

    // Values that were made for a field whose type has no labels: the cells of each document, as they are in memory, or
    // nothing where it has no value.
    void take_cells(std::size_t field, std::span<const std::optional<std::string>> cells);
    // Texts that were kept to make something of them are needed no more.
    void forget_texts();

    // To be called in the order of the segments, when all their documents have been read.
    void intern(LabelTable &table) { labels_->intern(table); }
    // To be called once after that; gives back memory that is not needed.
    void finish();

    std::size_t documents() const noexcept { return id_ends_.size(); }
    std::string_view id(std::size_t document) const noexcept;
    const FeatureColumn &column(std::size_t index) const noexcept { return *columns_[index]; }
    // For each field of the layout, how many documents have no value.
    const std::vector<std::size_t> &missing() const noexcept { return missing_; }
    std::size_t memory_bytes() const noexcept;

private:
    bool read_members(JsonCursor &json, bool nested);
    bool read_member(JsonCursor &json, std::string_view name, bool nested);
    bool read_id(JsonCursor &json);
    bool read_field(JsonCursor &json, std::size_t index);

    std::unique_ptr<FeatureColumn> make_column(std::size_t index, std::size_t documents) const;

    const DocumentLayout &layout_;
    std::vector<std::unique_ptr<FeatureColumn>> columns_;
    std::unique_ptr<SegmentLabels> labels_;
    std::string ids_;  // one after the other
    std::vector<std::uint32_t> id_ends_;
    std::vector<std::size_t> missing_;

    // Of the document that is being read.
    enum class Seen : std::uint8_t { no, null, value };
    std::vector<Seen> seen_;
    std::size_t expected_ = 0;
    std::string id_;
    bool has_id_ = false;
    std::string field_;
    ValueProblem problem_;
};

}  // namespace tenrex::tool

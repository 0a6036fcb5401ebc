#include "tools/rank/document_segment.h"

#include <algorithm>

namespace tenrex::tool {

namespace {
using Kind = JsonCursor::Kind;
}

DocumentSegment::DocumentSegment(const DocumentLayout &layout, std::size_t documents)
    : layout_(layout),
      labels_(std::make_unique<SegmentLabels>()),
      missing_(layout.fields().size()),
      seen_(layout.fields().size()) {
    for (std::size_t i = 0; i < layout.columns().size(); ++i) {
        columns_.push_back(make_column(i, documents));
    }
    id_ends_.reserve(documents);
}

std::unique_ptr<FeatureColumn> DocumentSegment::make_column(std::size_t index, std::size_t documents) const {
    switch (layout_.form(index)) {
        case DocumentLayout::Form::words:
            return make_words_column(documents);
        case DocumentLayout::Form::text:
            return make_string_column(documents);
        case DocumentLayout::Form::texts:
            return make_string_lists_column(documents);
        case DocumentLayout::Form::value:
            break;
    }
    return make_feature_column(layout_.columns()[index], layout_.attribute(index), documents);
}

void DocumentSegment::take_cells(std::size_t field, std::span<const std::optional<std::string>> cells) {
    for (const std::size_t index : layout_.fields()[field].columns) {
        auto column = make_column(index, documents());
        for (const auto &value : cells) {
            value ? column->add_cells(*value) : column->add_missing();
        }
        column->finish(SegmentLabels());
        columns_[index] = std::move(column);
    }
}

void DocumentSegment::forget_texts() {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (layout_.form(i) == DocumentLayout::Form::text || layout_.form(i) == DocumentLayout::Form::texts) {
            columns_[i] = make_column(i, 0);
        }
    }
}

Status DocumentSegment::take_rows(std::size_t field, const NpyView &rows, std::uint64_t first) {
    for (const std::size_t index : layout_.fields()[field].columns) {
        auto column = make_column(index, documents());
        if (Status status = column->take_rows(rows, first, documents()); !status) {
            return status;
        }
        column->finish(SegmentLabels());
        columns_[index] = std::move(column);
    }
    return {};
}

bool DocumentSegment::read(std::string_view line, const std::string &default_id, std::string &field,
                           ValueProblem &problem) {
    std::fill(seen_.begin(), seen_.end(), Seen::no);
    expected_ = 0;
    has_id_ = false;
    field_.clear();
    problem_ = {};
    JsonCursor json(line);
    if (!read_members(json, false) || !json.finish()) {
        if (json.failed() && problem_.reason.empty()) {
            problem_.refuse(json, {}, 0);
        }
        for (const auto &column : columns_) {
            column->truncate(documents());
        }
        field = field_;
        problem = problem_;
        return false;
    }
    for (std::size_t i = 0; i < seen_.size(); ++i) {
        if (seen_[i] != Seen::value) {
            ++missing_[i];
            for (const std::size_t column : layout_.fields()[i].columns) {
                columns_[column]->add_missing();
            }
        }
    }
    ids_ += has_id_ ? id_ : default_id;
    id_ends_.push_back(static_cast<std::uint32_t>(ids_.size()));
    return true;
}

// nested: these are the members of "fields".
bool DocumentSegment::read_members(JsonCursor &json, bool nested) {
    std::string_view name;
    for (bool more = json.enter_object(name); more; more = json.next_member(name)) {
        if (!read_member(json, name, nested)) {
            return false;
        }
    }
    return !json.failed();
}

bool DocumentSegment::read_member(JsonCursor &json, std::string_view name, bool nested) {
    const auto index = layout_.find(name, expected_);
    std::string_view skipped;
    if (!nested) {
        if (name == "update" || name == "remove") {
            return problem_.refuse(json, "this operation is no document; only \"put\" is", json.position());
        }
        if (name == "put" || name == "id") {
            const std::size_t begin = (json.kind(), json.position());
            if (!read_id(json)) {
                return false;
            }
            if (!index) {
                return true;
            }
            json.rewind(begin);
        } else if (name == "fields" && !index && json.kind() == Kind::object) {
            return read_members(json, true);
        }
    }
    if (!index || layout_.fields()[*index].is_made) {
        return json.skip(skipped);
    }
    expected_ = *index + 1 == seen_.size() ? 0 : *index + 1;
    return read_field(json, *index);
}

bool DocumentSegment::read_id(JsonCursor &json) {
    const std::size_t begin = (json.kind(), json.position());
    if (has_id_) {
        return problem_.refuse(json, "the document has two ids", begin);
    }
    std::string_view text;
    const Kind kind = json.kind();
    if (kind == Kind::null) {
        return json.skip(text);
    }
    if (kind != Kind::string && kind != Kind::number) {
        return problem_.refuse(json, "the id must be a string or a number", begin);
    }
    if (!(kind == Kind::string ? json.string(text) : json.skip(text))) {
        return false;
    }
    id_ = text;
    has_id_ = true;
    return true;
}

bool DocumentSegment::read_field(JsonCursor &json, std::size_t index) {
    const DocumentLayout::Field &field = layout_.fields()[index];
    const std::size_t begin = (json.kind(), json.position());
    field_ = field.name;
    if (seen_[index] != Seen::no) {
        return problem_.refuse(json, "the document has this field twice", begin);
    }
    if (json.kind() == Kind::null) {
        // As if the field were not there, whatever its type.
        std::string_view skipped;
        seen_[index] = Seen::null;
        return json.skip(skipped);
    }
    seen_[index] = Seen::value;
    for (const std::size_t column : field.columns) {
        json.rewind(begin);
        if (!columns_[column]->read(json, *labels_, problem_)) {
            return false;
        }
    }
    field_.clear();
    return true;
}

void DocumentSegment::finish() {
    for (const auto &column : columns_) {
        column->finish(*labels_);
    }
    labels_.reset();
    ids_.shrink_to_fit();
    id_ends_.shrink_to_fit();
}

std::string_view DocumentSegment::id(std::size_t document) const noexcept {
    const std::size_t begin = document == 0 ? 0 : id_ends_[document - 1];
    return std::string_view(ids_).substr(begin, id_ends_[document] - begin);
}

std::size_t DocumentSegment::memory_bytes() const noexcept {
    std::size_t bytes = sizeof(*this) + ids_.capacity() + id_ends_.capacity() * sizeof(id_ends_[0]);
    for (const auto &column : columns_) {
        bytes += column->memory_bytes();
    }
    return bytes;
}

}  // namespace tenrex::tool

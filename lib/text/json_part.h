// A value within tokenizer.json, which is read part by part. What is wrong throws forest::Broken.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/forest/broken.h"
#include "lib/forest/document.h"

namespace tenrex::text {

using forest::Document;
using forest::get;

class JsonPart {
public:
    JsonPart(const Document &document, Document::Id id) noexcept : document_(&document), id_(id) {}

    bool is_null() const noexcept { return document_->kind(id_) == Document::Kind::null; }
    bool is_text() const noexcept { return document_->kind(id_) == Document::Kind::text; }
    bool is_object() const noexcept { return document_->kind(id_) == Document::Kind::object; }
    Document::Id id() const noexcept { return id_; }
    const Document &document() const noexcept { return *document_; }

    // A member; nothing if there is none or if it is null.
    std::optional<JsonPart> find(std::string_view key) const;
    JsonPart member(std::string_view key) const { return {*document_, get(document_->member(id_, key))}; }
    // The values of a list, or of the members of an object.
    std::vector<JsonPart> parts() const;
    std::vector<JsonPart> parts(std::string_view key) const;  // none if there is no such member
    std::string_view key() const noexcept { return document_->key(id_); }

    std::string_view text() const { return get(document_->text(id_)); }
    double number() const { return get(document_->number(id_)); }
    std::uint32_t token_id() const { return static_cast<std::uint32_t>(integer(0, INT32_MAX)); }
    std::int64_t integer(std::int64_t least, std::int64_t most) const {
        return get(document_->integer(id_, least, most));
    }
    std::vector<std::uint32_t> token_ids() const;

    std::string_view text(std::string_view key) const { return member(key).text(); }
    std::string_view text(std::string_view key, std::string_view otherwise) const;
    bool flag(std::string_view key, bool otherwise) const;
    std::string_view type() const { return text("type"); }

    [[noreturn]] void fail(std::string message, std::string hint = {}) const;
    // What has a type that is not known.
    [[noreturn]] void fail_unknown(std::string_view what, std::string_view known) const;

private:
    const Document *document_;
    Document::Id id_;
};

// The parts of one of type Sequence; none of them may be another one: nothing nests as deep as a file likes.
std::vector<JsonPart> sequence_parts(const JsonPart &sequence, std::string_view key);

}  // namespace tenrex::text

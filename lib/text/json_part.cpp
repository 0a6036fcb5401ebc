#include "lib/text/json_part.h"

#include <utility>

#include <fmt/format.h>

namespace tenrex::text {

std::optional<JsonPart> JsonPart::find(std::string_view key) const {
    const Document::Id id = document_->find(id_, key);
    if (id == Document::none || document_->kind(id) == Document::Kind::null) {
        return std::nullopt;
    }
    return JsonPart(*document_, id);
}

std::vector<JsonPart> JsonPart::parts() const {
    std::vector<JsonPart> result;
    for (Document::Id id = document_->first(id_); id != Document::none; id = document_->next(id)) {
        result.emplace_back(*document_, id);
    }
    return result;
}

std::vector<JsonPart> JsonPart::parts(std::string_view key) const {
    const auto part = find(key);
    return part ? part->parts() : std::vector<JsonPart>();
}

std::vector<std::uint32_t> JsonPart::token_ids() const {
    std::vector<std::uint32_t> ids;
    for (const std::int32_t id : get(document_->integers(id_))) {
        if (id < 0) {
            fail("a token has an id below 0");
        }
        ids.push_back(static_cast<std::uint32_t>(id));
    }
    return ids;
}

std::string_view JsonPart::text(std::string_view key, std::string_view otherwise) const {
    const auto part = find(key);
    return part ? part->text() : otherwise;
}

bool JsonPart::flag(std::string_view key, bool otherwise) const {
    const auto part = find(key);
    return part ? part->integer(0, 1) != 0 : otherwise;
}

void JsonPart::fail(std::string message, std::string hint) const {
    throw forest::Broken{document_->error(id_, std::move(message), std::move(hint))};
}

void JsonPart::fail_unknown(std::string_view what, std::string_view known) const {
    member("type").fail(fmt::format("{} \"{}\" is not supported", what, type()), fmt::format("supported: {}", known));
}

std::vector<JsonPart> sequence_parts(const JsonPart &sequence, std::string_view key) {
    std::vector<JsonPart> parts = sequence.member(key).parts();
    for (const JsonPart &part : parts) {
        if (part.type() == "Sequence") {
            part.fail("a sequence has a sequence as a part", "list the parts of the inner one in the outer one");
        }
    }
    return parts;
}

}  // namespace tenrex::text

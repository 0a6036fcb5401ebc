#include "lib/text/vocabulary.h"

#include <fmt/format.h>

namespace tenrex::text {

void Vocabulary::add(std::string_view token, std::uint32_t id) {
    const auto [entry, is_new] = ids_.insert_or_assign(std::string(token), id);
    if (id >= by_id_.size()) {
        by_id_.resize(id + std::size_t{1});
    }
    by_id_[id] = &entry->first;
}

void Vocabulary::read(const JsonPart &object) {
    const auto parts = object.parts();
    const std::uint32_t largest = largest_id(parts.size());
    ids_.reserve(parts.size());
    by_id_.reserve(parts.size());
    for (const JsonPart &part : parts) {
        add(part.key(), static_cast<std::uint32_t>(part.integer(0, largest)));
    }
}

std::optional<std::uint32_t> Vocabulary::find(std::string_view token) const {
    const auto found = ids_.find(token);
    return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::uint32_t> Vocabulary::find_byte(std::uint32_t byte) const {
    return find(fmt::format("<0x{:02X}>", byte));
}

std::vector<Vocabulary::Entry> Vocabulary::entries() const {
    return {ids_.begin(), ids_.end()};
}

}  // namespace tenrex::text

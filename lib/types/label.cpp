#include <tenrex/label.h>

#include <algorithm>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "lib/support/format.h"
#include "lib/types/characters.h"

namespace tenrex {

namespace {

constexpr std::uint64_t text_bit = std::uint64_t{1} << 63;
constexpr std::size_t chunk_bytes = 16384;
constexpr std::size_t first_slots = 16;

constexpr std::size_t text_number(Label label) noexcept {
    return static_cast<std::size_t>(static_cast<std::uint64_t>(label) & ~text_bit);
}

}  // namespace

std::optional<std::uint64_t> canonical_number(std::string_view text) noexcept {
    if (text.empty() || text.size() > 19 || (text[0] == '0' && text.size() > 1)) {
        return std::nullopt;
    }
    std::uint64_t number = 0;
    for (char c : text) {
        if (!is_digit(c)) {
            return std::nullopt;
        }
        number = number * 10 + static_cast<std::uint64_t>(c - '0');
    }
    return number < text_bit ? std::optional(number) : std::nullopt;
}

std::uint64_t LabelTable::hash(std::string_view text) const noexcept {
    // The seed differs from table to table and run to run: nobody can prepare labels that collide.
    return XXH3_64bits_withSeed(text.data(), text.size(), reinterpret_cast<std::uintptr_t>(this));
}

std::size_t LabelTable::slot_of(std::string_view text, std::uint64_t text_hash) const noexcept {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = static_cast<std::size_t>(text_hash) & mask;
    while (slots_[slot].number != 0 && (slots_[slot].hash != text_hash || texts_[slots_[slot].number - 1] != text)) {
        slot = (slot + 1) & mask;
    }
    return slot;
}

void LabelTable::grow() {
    std::vector<Slot> old(std::max(first_slots, 2 * slots_.size()));
    old.swap(slots_);
    const std::size_t mask = slots_.size() - 1;
    for (const Slot &entry : old) {
        if (entry.number != 0) {
            std::size_t slot = static_cast<std::size_t>(entry.hash) & mask;
            while (slots_[slot].number != 0) {
                slot = (slot + 1) & mask;
            }
            slots_[slot] = entry;
        }
    }
}

std::string_view LabelTable::store(std::string_view text) {
    if (text.empty()) {
        return {};
    }
    if (text.size() > room_) {
        const std::size_t bytes = std::max(chunk_bytes, text.size());
        chunks_.push_back(std::make_unique<char[]>(bytes));
        chunk_total_ += bytes;
        free_ = chunks_.back().get();
        room_ = bytes;
    }
    std::memcpy(free_, text.data(), text.size());
    const std::string_view stored(free_, text.size());
    free_ += text.size();
    room_ -= text.size();
    return stored;
}

Label LabelTable::intern(std::string_view text) {
    if (const auto number = canonical_number(text)) {
        return numeric_label(*number);
    }
    if (2 * (texts_.size() + 1) > slots_.size()) {
        grow();
    }
    const std::uint64_t text_hash = hash(text);
    Slot &slot = slots_[slot_of(text, text_hash)];
    if (slot.number == 0) {
        texts_.push_back(store(text));
        slot = {text_hash, texts_.size()};
    }
    return Label{text_bit | (slot.number - 1)};
}

std::optional<Label> LabelTable::find(std::string_view text) const noexcept {
    if (const auto number = canonical_number(text)) {
        return numeric_label(*number);
    }
    if (slots_.empty()) {
        return std::nullopt;
    }
    const Slot &slot = slots_[slot_of(text, hash(text))];
    return slot.number == 0 ? std::nullopt : std::optional(Label{text_bit | (slot.number - 1)});
}

std::string LabelTable::text(Label label) const {
    if (is_numeric(label)) {
        return fmt::format("{}", static_cast<std::uint64_t>(label));
    }
    return std::string(stored_text(label));
}

std::string_view LabelTable::stored_text(Label label) const noexcept {
    return texts_[text_number(label)];
}

std::size_t LabelTable::memory_bytes() const noexcept {
    return chunk_total_ + texts_.capacity() * sizeof(std::string_view) + slots_.capacity() * sizeof(Slot);
}

}  // namespace tenrex

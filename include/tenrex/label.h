// Labels of mapped dimensions as 64-bit ids.
//
//   tenrex::LabelTable table;
//   tenrex::Label a = table.intern("apple");
//   table.text(a);   // "apple"
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/export.h>

namespace tenrex {

// A label's id. Canonical decimal numbers ("0", "17", no sign, no leading zero, below 2^63) are their own id and mean
// the same in every table; every other id has the top bit set and belongs to the table that gave it.
enum class Label : std::uint64_t {};

// The id of a label that is a number below 2^63.
constexpr Label numeric_label(std::uint64_t number) noexcept {
    return Label{number};
}
constexpr bool is_numeric(Label label) noexcept {
    return (static_cast<std::uint64_t>(label) >> 63) == 0;
}
// The number that the text spells canonically, or nothing.
TENREX_EXPORT std::optional<std::uint64_t> canonical_number(std::string_view text) noexcept;

// Gives each distinct text one id. Texts are compared, not only their hashes: two labels never become one.
class TENREX_EXPORT LabelTable {
public:
    LabelTable() = default;
    LabelTable(const LabelTable &) = delete;
    LabelTable &operator=(const LabelTable &) = delete;

    // The id of the text; numbers take no memory.
    Label intern(std::string_view text);
    // The id of the text if it is a number or was interned.
    std::optional<Label> find(std::string_view text) const noexcept;
    // The text of an id that this table gave, or of any numeric id.
    std::string text(Label label) const;
    // The same for an id that is not numeric, without a copy; valid as long as the table.
    std::string_view stored_text(Label label) const noexcept;

    // How many texts are stored.
    std::size_t size() const noexcept { return texts_.size(); }
    std::size_t memory_bytes() const noexcept;

private:
    struct Slot {
        std::uint64_t hash = 0;
        std::uint64_t number = 0;  // place in texts_, counted from 1; 0: the slot is free
    };
    std::uint64_t hash(std::string_view text) const noexcept;
    std::size_t slot_of(std::string_view text, std::uint64_t text_hash) const noexcept;
    void grow();
    std::string_view store(std::string_view text);

    std::vector<std::string_view> texts_;          // by number; they point into the chunks
    std::vector<std::unique_ptr<char[]>> chunks_;  // the bytes of the texts
    char *free_ = nullptr;                         // the unused rest of the last chunk
    std::size_t room_ = 0;                         // its size
    std::size_t chunk_total_ = 0;
    std::vector<Slot> slots_;  // a hash table with open addressing; its size is a power of two
};

}  // namespace tenrex

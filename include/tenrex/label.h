// Labels of mapped dimensions as 64-bit ids.
//
//   tenrex::LabelTable table;
//   tenrex::Label a = table.intern("apple");
//   table.text(a);   // "apple"
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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
//
// Any number of threads may use a table at once, also while plans that read it are compiled, bound and evaluated: an id
// keeps its meaning, and a new one changes nothing for those who do not have it. Looking up what is interned takes no
// lock, and neither does interning it again.
class TENREX_EXPORT LabelTable {
public:
    LabelTable() noexcept = default;
    LabelTable(const LabelTable &) = delete;
    LabelTable &operator=(const LabelTable &) = delete;
    ~LabelTable();

    // The id of the text, from now on as long as the table lives; numbers take no memory.
    Label intern(std::string_view text);
    // The id of the text if it is a number, was interned or is held. One that is only held means nothing any more when
    // nobody holds it.
    std::optional<Label> find(std::string_view text) const noexcept;
    // The text of an id that this table gave, or of any numeric id.
    std::string text(Label label) const;
    // The same for an id that is not numeric, without a copy; valid as long as the id.
    std::string_view stored_text(Label label) const noexcept;

    // How many texts were interned.
    std::size_t size() const noexcept;
    std::size_t memory_bytes() const noexcept;

private:
    friend class HeldLabels;
    struct Content;
    Content &content();

    std::atomic<Content *> content_{nullptr};  // null until a text comes that is no number
};

// Labels that a table has for as long as this lives, or longer if they are interned or others hold them too: those of a
// query, or of documents that come and go. Different threads may have different ones of the same table.
class TENREX_EXPORT HeldLabels {
public:
    HeldLabels() noexcept = default;
    explicit HeldLabels(std::shared_ptr<LabelTable> table) noexcept : table_(std::move(table)) {}
    HeldLabels(HeldLabels &&other) noexcept;
    HeldLabels &operator=(HeldLabels &&other) noexcept;
    ~HeldLabels() { release(); }

    // The id of the text, the same for all who hold it or intern it meanwhile.
    Label hold(std::string_view text);
    // Holds none of them any longer.
    void release() noexcept;

    const std::shared_ptr<LabelTable> &table() const noexcept { return table_; }
    std::size_t memory_bytes() const noexcept { return held_.capacity() * sizeof(Label); }

private:
    std::shared_ptr<LabelTable> table_;
    std::vector<Label> held_;  // those that were not interned
};

}  // namespace tenrex

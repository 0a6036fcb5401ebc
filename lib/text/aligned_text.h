// A text on its way to tokens, whose every byte knows from which bytes of the original it comes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/tokenizer.h>

#include "lib/text/code_points.h"

namespace tenrex::text {

inline TextRange text_range(std::size_t begin, std::size_t end) noexcept {
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

// Offsets are bytes of the original, which is UTF-8, as is the text.
class AlignedText {
public:
    const std::string &text() const noexcept { return text_; }
    std::size_t size() const noexcept { return text_.size(); }
    // The original of the character that begins at a byte.
    TextRange origin_of_character(std::size_t at, std::size_t length) const noexcept {
        return has_origins_ ? origins_[at] : own_place(at, length);
    }
    // The original of a range: of whole characters, even if the range has parts of some. That of an empty range is
    // empty.
    TextRange origin_of(std::size_t begin, std::size_t end) const noexcept;

    void clear() noexcept;
    // The bytes of a valid text as they are.
    void assign(std::string_view text, std::size_t base);
    // A part of another one.
    void assign(const AlignedText &source, std::size_t begin, std::size_t end);

    // These put something at the end: one character;
    void put(std::string_view character, TextRange origin);
    // the characters of a range as they are;
    void keep(const AlignedText &source, std::size_t begin, std::size_t end);
    // several characters that all come from the same;
    void put_each(std::string_view characters, TextRange origin);
    // a text in front of a character of a source that follows: it belongs to that character;
    void put_before(std::string_view text, const AlignedText &source, std::size_t at);
    // and as many bytes as a range has, whose characters come from those at the same place. The caller writes them.
    char *put_same(const AlignedText &source, std::size_t begin, std::size_t end);

private:
    TextRange own_place(std::size_t at, std::size_t length) const noexcept {
        const auto begin = static_cast<std::uint32_t>(base_ + at);
        return {begin, begin + static_cast<std::uint32_t>(length)};
    }
    void note_origins();
    // The places of the characters of a range, for each byte.
    void write_own_places(std::size_t begin, std::size_t end, TextRange *to) const noexcept;
    void add_origins(std::size_t count, TextRange origin) {
        for (; count > 0; --count) {  // 1 to 4 of them, for which insert() takes longer
            origins_.push_back(origin);
        }
    }

    std::string text_;
    std::vector<TextRange> origins_;  // of each byte
    bool has_origins_ = false;        // else byte i comes from byte base_ + i
    std::size_t base_ = 0;
};

// Writes a text that is made of another one in steps that put a character in the place of one or several, or behind
// them: the rules of origins that the forms of Unicode and the maps of SentencePiece follow.
class ChangeWriter {
public:
    ChangeWriter(const AlignedText &source, AlignedText &out) noexcept : source_(source), out_(out) {}

    // change 0: instead of the next character; 1: behind it, as a part of it; -n: instead of it and n more.
    void put(char32_t code_point, std::int64_t change);
    // Leaves out so many characters.
    void skip(std::int64_t count) noexcept;
    // The next characters as they are, up to a byte of the source.
    void keep_until(std::size_t end);

private:
    const AlignedText &source_;
    AlignedText &out_;
    std::size_t at_ = 0;       // the next character of the source
    TextRange previous_ = {};  // the origin of the one before
};

}  // namespace tenrex::text

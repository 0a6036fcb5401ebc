#include "lib/text/aligned_text.h"

#include <algorithm>

#include "lib/support/utf8.h"

namespace tenrex::text {

TextRange AlignedText::origin_of(std::size_t begin, std::size_t end) const noexcept {
    if (begin == end) {
        const std::uint32_t place = begin < size()  ? origin_of(begin, begin + 1).begin
                                    : text_.empty() ? static_cast<std::uint32_t>(base_)
                                                    : origin_of(begin - 1, begin).end;
        return {place, place};
    }
    if (has_origins_) {
        return {origins_[begin].begin, origins_[end - 1].end};
    }
    while (begin > 0 && is_continuation_byte(text_[begin])) {
        --begin;
    }
    while (end < text_.size() && is_continuation_byte(text_[end])) {
        ++end;
    }
    return own_place(begin, end - begin);
}

void AlignedText::clear() noexcept {
    text_.clear();
    origins_.clear();
    has_origins_ = false;
    base_ = 0;
}

void AlignedText::assign(std::string_view text, std::size_t base) {
    clear();
    text_ = text;
    base_ = base;
}

void AlignedText::assign(const AlignedText &source, std::size_t begin, std::size_t end) {
    clear();
    keep(source, begin, end);
}

void AlignedText::note_origins() {
    has_origins_ = true;
    origins_.resize(text_.size());
    write_own_places(0, text_.size(), origins_.data());
}

void AlignedText::write_own_places(std::size_t begin, std::size_t end, TextRange *to) const noexcept {
    for (std::size_t at = begin; at < end;) {
        const std::size_t length = decode(text_.data() + at).length;
        const TextRange place = own_place(at, length);
        for (std::size_t i = 0; i < length; ++i) {
            *to++ = place;
        }
        at += length;
    }
}

void AlignedText::put(std::string_view character, TextRange origin) {
    if (!has_origins_) {
        if (text_.empty()) {
            base_ = origin.begin;
        }
        if (origin == own_place(text_.size(), character.size())) {
            text_ += character;
            return;
        }
        note_origins();
    }
    text_ += character;
    add_origins(character.size(), origin);
}

void AlignedText::put_each(std::string_view characters, TextRange origin) {
    while (!characters.empty()) {
        const std::size_t length = decode(characters.data()).length;
        put(characters.substr(0, length), origin);
        characters.remove_prefix(length);
    }
}

void AlignedText::put_before(std::string_view text, const AlignedText &source, std::size_t at) {
    put_each(text, source.origin_of_character(at, decode(source.text_.data() + at).length));
}

char *AlignedText::put_same(const AlignedText &source, std::size_t begin, std::size_t end) {
    const std::size_t before = text_.size();
    if (before == 0 && !has_origins_ && !source.has_origins_) {
        base_ = source.base_ + begin;
    }
    if (!has_origins_ && (source.has_origins_ || base_ + before != source.base_ + begin)) {
        note_origins();
    }
    text_.resize(before + (end - begin));
    if (has_origins_ && source.has_origins_) {
        const auto from = source.origins_.begin();
        origins_.insert(origins_.end(), from + static_cast<std::ptrdiff_t>(begin),
                        from + static_cast<std::ptrdiff_t>(end));
    } else if (has_origins_) {
        origins_.resize(text_.size());
        source.write_own_places(begin, end, origins_.data() + before);
    }
    return text_.data() + before;
}

void AlignedText::keep(const AlignedText &source, std::size_t begin, std::size_t end) {
    std::copy_n(source.text_.data() + begin, end - begin, put_same(source, begin, end));
}

void ChangeWriter::skip(std::int64_t count) noexcept {
    for (; count > 0 && at_ < source_.size(); --count) {
        const std::size_t length = decode(source_.text().data() + at_).length;
        previous_ = source_.origin_of_character(at_, length);
        at_ += length;
    }
}

void ChangeWriter::keep_until(std::size_t end) {
    if (at_ < end) {
        out_.keep(source_, at_, end);
        const std::size_t length = decode_before(source_.text(), end).length;
        previous_ = source_.origin_of_character(end - length, length);
        at_ = end;
    }
}

void ChangeWriter::put(char32_t code_point, std::int64_t change) {
    if (change > 0 || at_ >= source_.size()) {
        out_.put(Utf8Bytes(code_point), previous_);
        return;
    }
    const TextRange origin = source_.origin_of_character(at_, decode(source_.text().data() + at_).length);
    skip(1 - change);
    out_.put(Utf8Bytes(code_point), origin);
}

}  // namespace tenrex::text

// Offsets as they are asked for: in code points or in bytes, with white space or without.
#include <algorithm>
#include <string>
#include <string_view>

#include "lib/support/utf8.h"
#include "lib/text/byte_level.h"
#include "lib/text/code_points.h"
#include "lib/text/content.h"
#include "lib/text/utf8.h"

namespace tenrex::text {

namespace {

// Between bytes and code points of a text. A question takes as long as it is far from the one before.
class Positions {
public:
    explicit Positions(std::string_view text) noexcept : text_(text) {}

    std::uint32_t code_points_before(std::uint32_t byte) noexcept {
        constexpr std::uint32_t near = 16;  // as the end of a token is to its beginning
        if (byte - byte_ < near) {
            for (; byte_ < byte; ++byte_) {
                count_ += is_continuation_byte(text_[byte_]) ? 0 : 1;
            }
            return count_;
        }
        const std::size_t begin = std::min(byte, byte_);
        const auto between =
            static_cast<std::uint32_t>(count_code_points(text_.substr(begin, std::max(byte, byte_) - begin)));
        count_ = byte < byte_ ? count_ - between : count_ + between;
        byte_ = byte;
        return count_;
    }
    std::uint32_t byte_of(std::uint32_t code_point) noexcept {
        for (; count_ < code_point && byte_ < text_.size(); ++count_) {
            byte_ += decode(text_.data() + byte_).length;
        }
        for (; count_ > code_point; --count_) {
            byte_ -= decode_before(text_, byte_).length;
        }
        return byte_;
    }

private:
    std::string_view text_;
    std::uint32_t byte_ = 0;
    std::uint32_t count_ = 0;  // of code points before it
};

void trim(const PostProcessor &post_processor, bool is_first, WhiteSpace space, TextRange &offsets) {
    // The space that was put in front of the text is not in the offsets. If there are more, none was put there.
    if (space.left == 1 && (is_first || offsets.begin == 0) && post_processor.has_space_before) {
        space.left = 0;
    }
    offsets.begin = std::min(offsets.begin + space.left, offsets.end);
    if (offsets.end >= space.right) {
        offsets.end = std::max(offsets.end - space.right, offsets.begin);
    }
}

void trim_all(const Parts &parts, std::string_view text, Sequence &sequence) {
    Positions positions(text);
    auto found = sequence.found_at.begin();
    for (std::size_t i = 0; i < sequence.ids.size(); ++i) {
        TextRange &offsets = sequence.offsets[i];
        WhiteSpace space = parts.white_space[sequence.ids[i]];
        if (found != sequence.found_at.end() && *found == i) {
            ++found;  // with the white space that it takes
            const std::uint32_t begin = positions.byte_of(offsets.begin);
            space = white_space_of(text.substr(begin, positions.byte_of(offsets.end) - begin));
        }
        trim(parts.post_processor, i == 0, space, offsets);
    }
}

template <class Convert>
void convert(std::vector<TextRange> &offsets, const Convert &converted) {
    for (TextRange &range : offsets) {
        range = {converted(range.begin), converted(range.end)};
    }
}

}  // namespace

WhiteSpace white_space_of(std::string_view token) {
    const char32_t space = character_of_byte(' ');
    WhiteSpace result;
    bool is_left = true;
    for (std::size_t at = 0; at < token.size();) {
        const CodePoint c = decode(token.data() + at);
        at += c.length;
        const bool is_space = c.value == space || has(c.value, is_white_space);
        is_left = is_left && is_space;
        result.left += is_left ? 1 : 0;
        result.right = is_space ? result.right + 1 : 0;
    }
    return result;
}

void finish_offsets(const Parts &parts, OffsetUnit unit, Sequence &sequence) {
    const std::string_view text = sequence.whole.text();
    const AlignedText &repaired = sequence.repaired;
    const bool trims = parts.post_processor.trims_offsets;
    const bool has_wide = !is_ascii(text);
    Positions positions(text);
    if (has_wide && (trims || unit == OffsetUnit::code_points)) {
        convert(sequence.offsets, [&](std::uint32_t byte) { return positions.code_points_before(byte); });
    }
    if (trims) {
        trim_all(parts, text, sequence);
    }
    if (has_wide && trims && unit == OffsetUnit::bytes) {
        convert(sequence.offsets, [&](std::uint32_t code_point) { return positions.byte_of(code_point); });
    }
    if (repaired.size() != 0 && unit == OffsetUnit::bytes) {
        for (TextRange &range : sequence.offsets) {
            range = repaired.origin_of(range.begin, range.end);
        }
    }
}

}  // namespace tenrex::text

#include "lib/text/byte_level.h"

#include <array>

#include "lib/text/code_points.h"
#include "lib/text/pattern.h"
#include "lib/text/pre_tokenizer.h"

namespace tenrex::text {

namespace {

struct ByteCharacters {
    std::array<char32_t, 256> characters{};
    std::array<std::int16_t, 0x180> bytes{};

    ByteCharacters() {
        bytes.fill(-1);
        char32_t next = 0x100;
        for (char32_t byte = 0; byte < 256; ++byte) {
            const bool is_printed = (byte > ' ' && byte < 0x7F) || (byte > 0xA0 && byte != 0xAD);
            characters[byte] = is_printed ? byte : next++;
            bytes[characters[byte]] = static_cast<std::int16_t>(byte);
        }
    }
};

const ByteCharacters &byte_characters() {
    static const ByteCharacters table;
    return table;
}

class ByteLevel : public PreTokenizer {
public:
    ByteLevel(std::unique_ptr<Pattern> pattern, bool adds_space, bool writes_bytes)
        : pattern_(std::move(pattern)), adds_space_(adds_space), writes_bytes_(writes_bytes) {}

    void apply(Pieces &pieces, Pieces &spare) const override {
        if (adds_space_) {
            add_spaces(pieces, spare);
        }
        if (pattern_) {
            spare.ranges.clear();
            for (const TextRange piece : pieces.ranges) {
                cut(pieces.text.text(), piece, spare.ranges);
            }
            std::swap(pieces.ranges, spare.ranges);
        }
        if (writes_bytes_) {
            write_bytes(pieces, spare);
        }
    }

private:
    static void add_spaces(Pieces &pieces, Pieces &spare) {
        spare.clear();
        for (const TextRange piece : pieces.ranges) {
            const auto begin = static_cast<std::uint32_t>(spare.text.size());
            if (pieces.text.text()[piece.begin] != ' ') {
                spare.text.put_before(" ", pieces.text, piece.begin);
            }
            spare.text.keep(pieces.text, piece.begin, piece.end);
            spare.ranges.push_back({begin, static_cast<std::uint32_t>(spare.text.size())});
        }
        std::swap(pieces, spare);
    }

    void cut(std::string_view text, TextRange piece, std::vector<TextRange> &ranges) const {
        const std::size_t first = ranges.size();
        pattern_->find(text.substr(piece.begin, piece.end - piece.begin), ranges);
        for (std::size_t i = first; i < ranges.size(); ++i) {
            ranges[i].begin += piece.begin;
            ranges[i].end += piece.begin;
        }
    }

    static void write_bytes(Pieces &pieces, Pieces &spare) {
        spare.clear();
        for (const TextRange piece : pieces.ranges) {
            const auto begin = static_cast<std::uint32_t>(spare.text.size());
            const char *text = pieces.text.text().data();
            for (std::size_t at = piece.begin; at < piece.end;) {
                const std::size_t length = decode(text + at).length;
                const TextRange origin = pieces.text.origin_of_character(at, length);
                for (const std::size_t end = at + length; at < end; ++at) {
                    spare.text.put(Utf8Bytes(character_of_byte(static_cast<std::uint8_t>(text[at]))), origin);
                }
            }
            spare.ranges.push_back({begin, static_cast<std::uint32_t>(spare.text.size())});
        }
        std::swap(pieces, spare);
    }

    std::unique_ptr<Pattern> pattern_;  // null: pieces are not cut
    bool adds_space_;
    bool writes_bytes_;
};

}  // namespace

char32_t character_of_byte(std::uint8_t byte) noexcept {
    return byte_characters().characters[byte];
}

std::optional<std::string> bytes_of_token(std::string_view token) {
    std::string bytes;
    for (std::size_t at = 0; at < token.size();) {
        const CodePoint c = decode(token.data() + at);
        const auto &table = byte_characters().bytes;
        if (c.value >= table.size() || table[c.value] < 0) {
            return std::nullopt;
        }
        bytes += static_cast<char>(table[c.value]);
        at += c.length;
    }
    return bytes;
}

std::unique_ptr<PreTokenizer> make_byte_level(const JsonPart &part, bool writes_bytes) {
    return std::make_unique<ByteLevel>(part.flag("use_regex", true) ? make_gpt2_pattern() : nullptr,
                                       part.flag("add_prefix_space", true), writes_bytes);
}

}  // namespace tenrex::text

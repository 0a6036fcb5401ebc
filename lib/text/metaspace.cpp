// Spaces as characters of words: SentencePiece writes a space as U+2581 and puts one in front of a text.
#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "lib/text/pattern.h"
#include "lib/text/pre_tokenizer.h"
#include "lib/text/splits.h"

namespace tenrex::text {

namespace {

enum class PrependScheme : std::uint8_t { never, first, always };

class Metaspace : public PreTokenizer {
public:
    Metaspace(std::string_view replacement, PrependScheme scheme, bool splits)
        : replacement_(replacement), scheme_(scheme), splits_(splits) {}

    void apply(Pieces &pieces, Pieces &spare) const override {
        spare.clear();
        for (const TextRange piece : pieces.ranges) {
            write(pieces.text, piece, spare);
        }
        std::swap(pieces, spare);
    }

private:
    void write(const AlignedText &text, TextRange piece, Pieces &out) const {
        const auto begin = static_cast<std::uint32_t>(out.text.size());
        const std::string_view content = std::string_view(text.text()).substr(0, piece.end);
        const bool has_one = content[piece.begin] == ' ' || content.substr(piece.begin).starts_with(replacement_);
        if (!has_one && (scheme_ == PrependScheme::always ||
                         (scheme_ == PrependScheme::first && text.origin_of(piece.begin, piece.end).begin == 0))) {
            out.text.put_before(replacement_, text, piece.begin);
        }
        for (std::size_t at = piece.begin; at < piece.end;) {
            const std::size_t space = std::min(content.find(' ', at), content.size());
            out.text.keep(text, at, space);
            at = space;
            if (at < piece.end) {
                out.text.put(replacement_, text.origin_of_character(at, 1));
                ++at;
            }
        }
        cut({begin, static_cast<std::uint32_t>(out.text.size())}, out);
    }

    // Each replacement begins a piece.
    void cut(TextRange range, Pieces &out) const {
        const std::string &text = out.text.text();
        std::uint32_t begin = range.begin;
        for (std::size_t at = range.begin; splits_ && at < range.end;) {
            at = text.find(replacement_, at);
            if (at == std::string::npos) {
                break;
            }
            if (at > begin) {
                out.ranges.push_back({begin, static_cast<std::uint32_t>(at)});
                begin = static_cast<std::uint32_t>(at);
            }
            at += replacement_.size();
        }
        if (begin < range.end) {
            out.ranges.push_back({begin, range.end});
        }
    }

    std::string replacement_;
    PrependScheme scheme_;
    bool splits_;
};

PrependScheme read_scheme(const JsonPart &part) {
    const auto scheme = part.find("prepend_scheme");
    if (!scheme) {
        return part.flag("add_prefix_space", true) ? PrependScheme::always : PrependScheme::never;
    }
    const std::string_view name = scheme->text();
    if (name == "always") {
        return PrependScheme::always;
    }
    if (name != "first" && name != "never") {
        scheme->fail(fmt::format("there is no scheme \"{}\"", name), "schemes are always, first and never");
    }
    return name == "first" ? PrependScheme::first : PrependScheme::never;
}

}  // namespace

std::unique_ptr<PreTokenizer> make_metaspace(const JsonPart &part) {
    const std::string_view replacement = part.text("replacement", "\xE2\x96\x81");
    if (replacement.empty() || decode(replacement.data()).length != replacement.size()) {
        part.member("replacement").fail("one character is expected here");
    }
    return std::make_unique<Metaspace>(replacement, read_scheme(part), part.flag("split", true));
}

void read_pre_tokenizers(const JsonPart &part, PreTokenizers &pre_tokenizers, bool &takes_bytes) {
    if (part.type() == "Sequence") {
        const auto parts = sequence_parts(part, "pretokenizers");
        for (const JsonPart &next : parts) {
            bool next_takes_bytes = takes_bytes && next.id() == parts.back().id();
            read_pre_tokenizers(next, pre_tokenizers, next_takes_bytes);
            if (next.id() == parts.back().id()) {
                takes_bytes = next_takes_bytes;
            }
        }
        takes_bytes = takes_bytes && !parts.empty();
        return;
    }
    if (part.type() == "ByteLevel") {
        pre_tokenizers.add(make_byte_level(part, !takes_bytes));
        return;
    }
    takes_bytes = false;
    if (part.type() == "Metaspace") {
        pre_tokenizers.add(make_metaspace(part));
    } else if (part.type() == "Split") {
        pre_tokenizers.add(make_split(part));
    } else if (auto splitter = make_splitter(part)) {
        pre_tokenizers.add(std::move(splitter));
    } else {
        part.fail_unknown(
            "the pre-tokenizer",
            "BertPreTokenizer, ByteLevel, CharDelimiterSplit, Digits, Metaspace, Punctuation, Sequence, Split, "
            "Whitespace, WhitespaceSplit");
    }
}

}  // namespace tenrex::text

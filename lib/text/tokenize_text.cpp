// From a text to the tokens of its pieces.
#include <algorithm>
#include <string_view>

#include "lib/text/content.h"
#include "lib/text/utf8.h"

namespace tenrex::text {

namespace {

class TextPass {
public:
    TextPass(const Parts &parts, bool is_plain_text, std::size_t most, Scratch &scratch, Sequence &sequence)
        : parts_(parts), is_plain_text_(is_plain_text), most_(most), scratch_(scratch), sequence_(sequence) {}

    void run(std::string_view text) {
        scratch_.words.use_for(parts_.number);
        scratch_.parts.clear();
        parts_.finders.in_text.find(text, is_plain_text_, scratch_.parts);
        for (const TextPart &part : scratch_.parts) {
            if (part.id != TextPart::no_token) {
                add_found(part.id, part.range);
            } else {
                scratch_.segment.assign(text.substr(part.range.begin, part.range.end - part.range.begin),
                                        part.range.begin);
                take_segment();
            }
            if (is_enough()) {
                return;
            }
        }
    }

private:
    bool is_enough() const noexcept { return sequence_.ids.size() > most_; }

    void add_found(std::uint32_t id, TextRange origin) {
        sequence_.found_at.push_back(static_cast<std::uint32_t>(sequence_.ids.size()));
        add(id, origin);
    }

    void add(std::uint32_t id, TextRange origin) {
        sequence_.ids.push_back(id);
        sequence_.offsets.push_back(origin);
    }

    void take_segment() {
        AlignedText &segment = scratch_.segment;
        parts_.normalizers.apply(segment, scratch_.spare);
        scratch_.inner_parts.clear();
        parts_.finders.in_normalized.find(segment.text(), is_plain_text_, scratch_.inner_parts);
        for (const TextPart &part : scratch_.inner_parts) {
            if (part.id != TextPart::no_token) {
                add_found(part.id, segment.origin_of(part.range.begin, part.range.end));
            } else {
                take_part(part.range);
            }
            if (is_enough()) {
                return;
            }
        }
    }

    void take_part(TextRange range) {
        Pieces &pieces = scratch_.pieces;
        if (range.begin == 0 && range.end == scratch_.segment.size()) {
            std::swap(pieces.text, scratch_.segment);  // it is all that is left
        } else {
            pieces.text.assign(scratch_.segment, range.begin, range.end);
        }
        pieces.ranges.assign(1, {0, range.end - range.begin});
        parts_.pre_tokenizers.apply(pieces, scratch_.spare_pieces);
        for (const TextRange piece : pieces.ranges) {
            take_piece(pieces.text, piece);
            if (is_enough()) {
                return;
            }
        }
    }

    void take_piece(const AlignedText &text, TextRange piece) {
        const std::string_view word = std::string_view(text.text()).substr(piece.begin, piece.end - piece.begin);
        if (word.size() > WordCache::longest_word) {
            const std::vector<PieceToken> &tokens = tokens_of(word);
            add_all(text, piece.begin, tokens.data(), tokens.size());
            return;
        }
        WordCache::Entry &entry = scratch_.words.place_of(word);
        if (WordCache::holds(entry, word)) {
            add_all(text, piece.begin, entry.tokens.data(), entry.count);
            return;
        }
        const std::vector<PieceToken> &tokens = tokens_of(word);
        WordCache::put(entry, word, tokens.data(), tokens.size());
        add_all(text, piece.begin, tokens.data(), tokens.size());
    }

    const std::vector<PieceToken> &tokens_of(std::string_view word) {
        scratch_.tokens.clear();
        parts_.model->tokenize(word, scratch_.model, scratch_.tokens);
        return scratch_.tokens;
    }

    template <class Token>
    void add_all(const AlignedText &text, std::uint32_t begin, const Token *tokens, std::size_t count) {
        for (const Token *token = tokens; token != tokens + count; ++token) {
            add(token->id, text.origin_of(begin + token->begin, begin + token->end));
        }
    }

    const Parts &parts_;
    bool is_plain_text_;
    std::size_t most_;
    Scratch &scratch_;
    Sequence &sequence_;
};

}  // namespace

void tokenize_text(const Parts &parts, std::string_view text, bool is_plain_text, std::size_t most, Scratch &scratch,
                   Sequence &sequence) {
    sequence.clear();
    if (is_valid_utf8(text)) {
        sequence.whole.assign(text, 0);
    } else {
        assign_repaired(text, sequence.repaired);
        sequence.whole.assign(sequence.repaired.text(), 0);
    }
    TextPass(parts, is_plain_text, most, scratch, sequence).run(sequence.whole.text());
}

void cut(Sequence &sequence, std::size_t kept, bool cuts_left) {
    if (!cuts_left) {
        sequence.ids.resize(kept);
        sequence.offsets.resize(kept);
        return;
    }
    const std::size_t gone = sequence.ids.size() - kept;
    const auto count = static_cast<std::ptrdiff_t>(gone);
    sequence.ids.erase(sequence.ids.begin(), sequence.ids.begin() + count);
    sequence.offsets.erase(sequence.offsets.begin(), sequence.offsets.begin() + count);
    std::erase_if(sequence.found_at, [gone](std::uint32_t at) { return at < gone; });
    for (std::uint32_t &at : sequence.found_at) {
        at -= static_cast<std::uint32_t>(gone);
    }
}

}  // namespace tenrex::text

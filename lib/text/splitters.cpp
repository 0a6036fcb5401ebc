// Pre-tokenizers that cut by properties of code points or at a pattern.
#include <algorithm>
#include <string>
#include <utility>

#include "lib/text/code_points.h"
#include "lib/text/pattern.h"
#include "lib/text/splits.h"

namespace tenrex::text {

namespace {

// Runs of what has none of `alone` and `left_out`; each code point of `alone` is a piece.
class TraitSplitter : public Splitter {
public:
    TraitSplitter(unsigned alone, unsigned left_out) : alone_(alone), left_out_(left_out) {}

protected:
    void split(std::string_view text, TextRange piece, std::vector<TextRange> &pieces) const override {
        std::size_t begin = piece.begin;
        std::size_t at = begin;
        while (at < piece.end) {
            const CodePoint c = decode(text.data() + at);
            const unsigned traits = traits_of(c.value) & (alone_ | left_out_);
            if (traits == 0) {
                at += c.length;
                continue;
            }
            if (begin < at) {
                pieces.push_back(text_range(begin, at));
            }
            begin = at + c.length;
            if ((traits & alone_) != 0) {
                pieces.push_back(text_range(at, begin));
            }
            at = begin;
        }
        if (begin < at) {
            pieces.push_back(text_range(begin, at));
        }
    }

private:
    unsigned alone_;
    unsigned left_out_;
};

// Words, and runs of what is neither a word nor white space.
class WordSplitter : public Splitter {
protected:
    void split(std::string_view text, TextRange piece, std::vector<TextRange> &pieces) const override {
        std::size_t begin = piece.begin;
        unsigned kind = is_white_space;  // of the run that began there
        for (std::size_t at = piece.begin; at < piece.end;) {
            const CodePoint c = decode(text.data() + at);
            const unsigned traits = traits_of(c.value);
            const unsigned next = traits & ((traits & is_word) != 0 ? unsigned{is_word} : unsigned{is_white_space});
            if (next != kind) {
                if (kind != is_white_space && begin < at) {
                    pieces.push_back(text_range(begin, at));
                }
                begin = at;
                kind = next;
            }
            at += c.length;
        }
        if (kind != is_white_space && begin < piece.end) {
            pieces.push_back(text_range(begin, piece.end));
        }
    }
};

// Each code point with the traits, or equal to one, is a match.
class CharacterSplitter : public Splitter {
public:
    CharacterSplitter(unsigned traits, char32_t character, Behavior behavior)
        : traits_(traits), character_(character), behavior_(behavior) {}

protected:
    void split(std::string_view text, TextRange piece, std::vector<TextRange> &pieces) const override {
        std::vector<TextRange> matches;
        for (std::size_t at = piece.begin; at < piece.end;) {
            const CodePoint c = decode(text.data() + at);
            if (c.value == character_ || has(c.value, traits_)) {
                matches.push_back(text_range(at, at + c.length));
            }
            at += c.length;
        }
        split_at(matches, piece, behavior_, false, pieces);
    }

private:
    unsigned traits_;
    char32_t character_;
    Behavior behavior_;
};

class PatternSplitter : public Splitter {
public:
    PatternSplitter(std::unique_ptr<Pattern> pattern, Behavior behavior, bool inverts)
        : pattern_(std::move(pattern)), behavior_(behavior), inverts_(inverts) {}

protected:
    void split(std::string_view text, TextRange piece, std::vector<TextRange> &pieces) const override {
        std::vector<TextRange> matches;
        pattern_->find(text.substr(piece.begin, piece.end - piece.begin), matches);
        for (TextRange &match : matches) {
            match.begin += piece.begin;
            match.end += piece.begin;
        }
        split_at(matches, piece, behavior_, inverts_, pieces);
    }

private:
    std::unique_ptr<Pattern> pattern_;
    Behavior behavior_;
    bool inverts_;
};

char32_t only_character(const JsonPart &part) {
    const std::string_view text = part.text();
    if (text.empty() || decode(text.data()).length != text.size()) {
        part.fail("one character is expected here");
    }
    return decode(text.data()).value;
}

constexpr char32_t no_character = last_code_point + 1;

}  // namespace

std::unique_ptr<PreTokenizer> make_bert_pre_tokenizer() {
    return std::make_unique<TraitSplitter>(is_punctuation, is_white_space);
}

std::unique_ptr<PreTokenizer> make_split(const JsonPart &part) {
    return std::make_unique<PatternSplitter>(read_pattern(part.member("pattern")),
                                             read_behavior(part.member("behavior")), part.flag("invert", false));
}

std::unique_ptr<PreTokenizer> make_splitter(const JsonPart &part) {
    const std::string_view type = part.type();
    if (type == "BertPreTokenizer") {
        return make_bert_pre_tokenizer();
    }
    if (type == "Whitespace") {
        return std::make_unique<WordSplitter>();
    }
    if (type == "WhitespaceSplit") {
        return std::make_unique<TraitSplitter>(0, is_white_space);
    }
    if (type == "Punctuation") {
        const auto behavior = part.find("behavior");
        return std::make_unique<CharacterSplitter>(is_punctuation, no_character,
                                                   behavior ? read_behavior(*behavior) : Behavior::isolated);
    }
    if (type == "Digits") {
        return std::make_unique<CharacterSplitter>(
            is_number, no_character, part.flag("individual_digits", false) ? Behavior::isolated : Behavior::contiguous);
    }
    if (type == "CharDelimiterSplit") {
        return std::make_unique<CharacterSplitter>(0, only_character(part.member("delimiter")), Behavior::removed);
    }
    return nullptr;
}

}  // namespace tenrex::text

// What a tokenizer consists of, and the memory that its calls use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <tenrex/tokenizer.h>

#include "lib/text/added_tokens.h"
#include "lib/text/aligned_text.h"
#include "lib/text/model.h"
#include "lib/text/normalizer.h"
#include "lib/text/post_processor.h"
#include "lib/text/pre_tokenizer.h"
#include "lib/text/vocabulary.h"
#include "lib/text/word_cache.h"

namespace tenrex::text {

// How many characters at the ends of a token are white space.
struct WhiteSpace {
    std::uint32_t left = 0;
    std::uint32_t right = 0;
};

struct Parts {
    std::uint64_t number = 0;  // no two tokenizers have the same
    Vocabulary vocabulary;
    Normalizers normalizers;
    PreTokenizers pre_tokenizers;
    std::unique_ptr<Model> model;
    std::vector<AddedToken> added_tokens;
    TokenFinders finders;
    PostProcessor post_processor;
    std::optional<Truncation> truncation;
    std::vector<WhiteSpace> white_space;  // of tokens by their ids, if offsets leave it out
};

// The tokens of one text, before anything is put around them.
struct Sequence {
    std::vector<std::uint32_t> ids;
    std::vector<TextRange> offsets;       // bytes of the valid text, in the end what was asked for
    std::vector<std::uint32_t> found_at;  // indexes of tokens that were found as they are
    AlignedText whole;                    // the text
    AlignedText repaired;                 // the same, with its origins, if it was no UTF-8

    void clear() noexcept {
        whole.clear();
        repaired.clear();
        ids.clear();
        offsets.clear();
        found_at.clear();
    }
};

struct Scratch {
    AlignedText segment;  // between tokens that were found
    AlignedText spare;
    std::vector<TextPart> parts;
    std::vector<TextPart> inner_parts;
    Pieces pieces;
    Pieces spare_pieces;
    ModelScratch model;
    std::vector<PieceToken> tokens;  // of a piece
    WordCache words;
    Sequence text;
    Sequence pair;
};

// Fills the sequence with the tokens of a text. Stops early when there are more than `most`.
void tokenize_text(const Parts &parts, std::string_view text, bool is_plain_text, std::size_t most, Scratch &scratch,
                   Sequence &sequence);

// Leaves out tokens at an end.
void cut(Sequence &sequence, std::size_t kept, bool cuts_left);

WhiteSpace white_space_of(std::string_view token);

// Makes offsets those that were asked for, and leaves white space out of them if the post-processor says so.
void finish_offsets(const Parts &parts, OffsetUnit unit, Sequence &sequence);

}  // namespace tenrex::text

// How a piece of a text becomes tokens: the part "model" of tokenizer.json.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lib/text/bpe_merges.h"
#include "lib/text/json_part.h"
#include "lib/text/vocabulary.h"

namespace tenrex::text {

// A token and its bytes of the piece.
struct PieceToken {
    std::uint32_t id = 0;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

// Memory that models use again.
struct ModelScratch {
    // Of BPE: what the piece consists of so far, a list in both directions.
    struct Symbol {
        std::uint32_t id = 0;
        std::uint32_t begin = 0;
        std::uint32_t end = 0;  // equal to begin: it has become a part of another one
        std::uint32_t previous = 0;
        std::uint32_t next = 0;
        BpeMerge merge;  // with the next one
    };
    struct Merge {
        std::int32_t rank = 0;
        std::uint32_t at = 0;
    };
    // Of Unigram: the best way to reach a byte.
    struct Best {
        double score = 0;
        std::uint32_t begin = 0;
        std::uint32_t id = 0;
    };
    std::vector<Symbol> symbols;
    std::vector<Merge> merges;
    std::vector<Best> best;
    std::vector<PieceToken> tokens;
};

class Model {
public:
    virtual ~Model() = default;
    // Appends the tokens of a piece of valid UTF-8, which is not empty. Throws forest::Broken if the model lacks what
    // it needs for it.
    virtual void tokenize(std::string_view piece, ModelScratch &scratch, std::vector<PieceToken> &tokens) const = 0;
};

struct WordPieceRules {
    std::string unknown = "[UNK]";
    std::string prefix = "##";       // of tokens within a word
    std::size_t longest_word = 100;  // in code points; longer ones are unknown
};
// Null: the vocabulary lacks the unknown token.
std::unique_ptr<Model> make_word_piece(const Vocabulary &vocabulary, const WordPieceRules &rules);

// takes_bytes: pieces are bytes, and the tokens spell them as ByteLevel does. Each reads its vocabulary first.
std::unique_ptr<Model> read_bpe(const JsonPart &part, bool takes_bytes, Vocabulary &vocabulary);
std::unique_ptr<Model> read_unigram(const JsonPart &part, Vocabulary &vocabulary);
std::unique_ptr<Model> read_word_piece(const JsonPart &part, Vocabulary &vocabulary);
std::unique_ptr<Model> read_word_level(const JsonPart &part, Vocabulary &vocabulary);

// What kind of model the part is: BPE, Unigram, WordLevel or WordPiece, also where a file does not say it.
std::string_view kind_of_model(const JsonPart &part);
std::unique_ptr<Model> read_model(const JsonPart &part, bool takes_bytes, Vocabulary &vocabulary);

}  // namespace tenrex::text

// Tokens that are looked for in a text before anything else: the part "added_tokens" of tokenizer.json.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/tokenizer.h>

#include "lib/text/json_part.h"
#include "lib/text/normalizer.h"
#include "lib/text/trie.h"
#include "lib/text/vocabulary.h"

namespace tenrex::text {

struct AddedToken {
    std::string content;
    std::uint32_t id = 0;
    bool is_special = false;
    bool is_single_word = false;    // no letter or digit beside it
    bool takes_space_left = false;  // white space before it is a part of it
    bool takes_space_right = false;
    bool is_normalized = false;  // looked for in the normalized text
};

// A part of a text: a token, or what lies between tokens.
struct TextPart {
    static constexpr std::uint32_t no_token = UINT32_MAX;
    TextRange range;
    std::uint32_t id = no_token;
};

// Some of the added tokens, as they are looked for in one text.
class TokenFinder {
public:
    TokenFinder() = default;
    // texts: what to look for, one for each token.
    TokenFinder(std::vector<AddedToken> tokens, const std::vector<std::string> &texts);

    // Appends all parts of a text, from left to right. is_plain_text: special tokens are text.
    void find(std::string_view text, bool is_plain_text, std::vector<TextPart> &parts) const;

private:
    bool is_refused(const AddedToken &token, std::string_view text, TextRange match, bool is_plain_text) const;

    std::vector<AddedToken> tokens_;
    Trie trie_;  // to indexes of tokens_
    std::array<bool, 256> begins_{};
};

// Reads them, and gives those their ids that the model lacks.
std::vector<AddedToken> read_added_tokens(const std::vector<JsonPart> &parts, Vocabulary &vocabulary);

struct TokenFinders {
    TokenFinder in_text;        // as it comes
    TokenFinder in_normalized;  // after the normalizers
};
TokenFinders make_finders(const std::vector<AddedToken> &tokens, const Normalizers &normalizers);

}  // namespace tenrex::text

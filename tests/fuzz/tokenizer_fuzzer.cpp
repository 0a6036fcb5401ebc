// The bytes of a tokenizer.json, and behind a zero byte a text: what is read has tokens for it, or there is an error.
#include <tenrex/tokenizer.h>

#include <algorithm>

#include "tests/fuzz/fuzz_target.h"

namespace tenrex::fuzz {

namespace {

void check(const Tokenizer &tokenizer, std::string_view text, const TokenizeOptions &options) {
    TokenizerScratch scratch;
    Tokens tokens;
    if (!tokenizer.tokenize(text, std::nullopt, options, scratch, tokens)) {
        return;
    }
    require(tokens.ids.size() == tokens.offsets.size() && tokens.ids.size() == tokens.type_ids.size(),
            "a token has an id, a type and offsets");
    require(std::all_of(tokens.offsets.begin(), tokens.offsets.end(),
                        [&](TextRange range) { return range.begin <= range.end && range.end <= text.size(); }),
            "offsets lie in the text");
    const auto again = tokenizer.tokenize(text, options);
    require(again && again->ids == tokens.ids && again->offsets == tokens.offsets, "a text has the same tokens again");
    require(tokenizer.tokenize(text, std::nullopt, options, scratch, tokens) && again->ids == tokens.ids,
            "a text has the same tokens with words that were seen");
}

}  // namespace

void run(std::string_view bytes) {
    const std::size_t end = std::min(bytes.find('\0'), bytes.size());
    const auto tokenizer = Tokenizer::read(bytes.substr(0, end));
    if (!tokenizer) {
        return;
    }
    const std::string_view text = bytes.substr(std::min(end + 1, bytes.size()));
    check(*tokenizer, text, {});
    check(*tokenizer, text, {.offsets = OffsetUnit::bytes, .adds_special_tokens = false, .is_plain_text = true});
    check(*tokenizer, text, {.max_length = 5});
}

}  // namespace tenrex::fuzz

// What texts are split at and what is replaced in them: a text, a regular expression, or one of the expressions that
// most byte-level tokenizers have, which are written out here since they decide the speed.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include <tenrex/tokenizer.h>

#include "lib/text/json_part.h"

namespace tenrex::text {

class Pattern {
public:
    virtual ~Pattern() = default;
    // Appends the matches from left to right; none is empty. Throws forest::Broken if an expression takes too long.
    virtual void find(std::string_view text, std::vector<TextRange> &matches) const = 0;
    std::vector<TextRange> matches(std::string_view text) const {
        std::vector<TextRange> found;
        find(text, found);
        return found;
    }
};

// {"String": "..."} or {"Regex": "..."}.
std::unique_ptr<Pattern> read_pattern(const JsonPart &part);
// A regular expression, as one that is written out or with ICU; `place` is where it stands.
std::unique_ptr<Pattern> make_regex(std::string_view expression, const JsonPart &place);
// The expression that the pre-tokenizer ByteLevel has.
std::unique_ptr<Pattern> make_gpt2_pattern();

// An expression that is written out; null: there is none.
std::unique_ptr<Pattern> known_pattern(std::string_view expression);

}  // namespace tenrex::text

// What texts are split at and what is replaced in them: a text or a regular expression. Those of tokenizers are
// programs of our own, since they decide the speed; others are left to ICU.
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
// A regular expression, as a program or with ICU; `place` is where it stands.
std::unique_ptr<Pattern> make_regex(std::string_view expression, const JsonPart &place);
// The expression that the pre-tokenizer ByteLevel has.
std::unique_ptr<Pattern> make_gpt2_pattern();

// The two kinds. Null: a program has no such parts, or the expression is wrong, which ICU tells.
std::unique_ptr<Pattern> make_program_regex(std::string_view expression);
std::unique_ptr<Pattern> make_icu_regex(std::string_view expression, const JsonPart &place);

[[noreturn]] void fail_to_match(std::string_view reason);

}  // namespace tenrex::text

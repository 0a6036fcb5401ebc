// Pieces at matches: what becomes of a match, and pre-tokenizers that only cut.
#pragma once

#include <string_view>
#include <vector>

#include "lib/text/pre_tokenizer.h"

namespace tenrex::text {

enum class Behavior : std::uint8_t { removed, isolated, merged_with_previous, merged_with_next, contiguous };

Behavior read_behavior(const JsonPart &part);

// Appends the pieces of a text whose matches are known. inverts: what lies between matches counts as a match.
void split_at(const std::vector<TextRange> &matches, TextRange piece, Behavior behavior, bool inverts,
              std::vector<TextRange> &pieces);

// A pre-tokenizer that leaves the text as it is.
class Splitter : public PreTokenizer {
public:
    void apply(Pieces &pieces, Pieces &spare) const final {
        spare.ranges.clear();
        for (const TextRange piece : pieces.ranges) {
            split(pieces.text.text(), piece, spare.ranges);
        }
        std::swap(pieces.ranges, spare.ranges);
    }

protected:
    virtual void split(std::string_view text, TextRange piece, std::vector<TextRange> &pieces) const = 0;
};

}  // namespace tenrex::text

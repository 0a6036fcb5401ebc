// Where merges of BPE never reach over, so that the text may be cut there.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "lib/text/json_part.h"
#include "lib/text/pre_tokenizer.h"
#include "lib/text/vocabulary.h"

namespace tenrex::text {

// The two tokens of a merge: "a b", or in newer files ["a", "b"].
std::pair<std::string_view, std::string_view> read_merge(const JsonPart &part);

// Cuts between two characters that are tokens if no merge puts what ends with the one and what begins with the other
// together, such as before U+2581 in most models that see a text as one piece. The tokens are the same, words are found
// in the cache, and few symbols are put together at a time. Null: the model looks at more of a piece than merges do.
std::unique_ptr<PreTokenizer> make_bpe_borders(const JsonPart &model, const Vocabulary &vocabulary);

}  // namespace tenrex::text

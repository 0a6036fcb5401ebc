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

// Cuts between two neighbors if both are tokens and no merge joins a part that ends with the first to one that begins
// with the second. In most models that see a text as one piece such a border stands before each U+2581. The tokens stay
// the same, words are found in the cache, and few symbols are put together at a time. Null: the model looks at more of
// a piece than merges do.
std::unique_ptr<PreTokenizer> make_bpe_borders(const JsonPart &model, const Vocabulary &vocabulary);

}  // namespace tenrex::text

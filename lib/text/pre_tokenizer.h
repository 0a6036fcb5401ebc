// How a text is cut into pieces, each of which the model makes tokens of: the part "pre_tokenizer" of tokenizer.json.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include <tenrex/tokenizer.h>

#include "lib/text/aligned_text.h"
#include "lib/text/json_part.h"

namespace tenrex::text {

// Pieces of a text, from left to right; none is empty.
struct Pieces {
    AlignedText text;
    std::vector<TextRange> ranges;

    void clear() noexcept {
        text.clear();
        ranges.clear();
    }
};

class PreTokenizer {
public:
    virtual ~PreTokenizer() = default;
    // `spare` has any content.
    virtual void apply(Pieces &pieces, Pieces &spare) const = 0;
};

// One after the other.
class PreTokenizers {
public:
    void add(std::unique_ptr<PreTokenizer> pre_tokenizer) { list_.push_back(std::move(pre_tokenizer)); }
    void apply(Pieces &pieces, Pieces &spare) const {
        for (const auto &pre_tokenizer : list_) {
            pre_tokenizer->apply(pieces, spare);
        }
    }

private:
    std::vector<std::unique_ptr<PreTokenizer>> list_;
};

// White space is left out, punctuation stands alone.
std::unique_ptr<PreTokenizer> make_bert_pre_tokenizer();
std::unique_ptr<PreTokenizer> make_metaspace(const JsonPart &part);
// writes_bytes: each byte becomes the character that stands for it.
std::unique_ptr<PreTokenizer> make_byte_level(const JsonPart &part, bool writes_bytes);
std::unique_ptr<PreTokenizer> make_split(const JsonPart &part);
// Other kinds; null: the type is not known.
std::unique_ptr<PreTokenizer> make_splitter(const JsonPart &part);

// takes_bytes: the model takes the bytes of a text as they are, so that ByteLevel at the end need not write them as
// characters. It is set to false if there is no ByteLevel at the end.
void read_pre_tokenizers(const JsonPart &part, PreTokenizers &pre_tokenizers, bool &takes_bytes);

}  // namespace tenrex::text

// How a text is changed before it is split: the part "normalizer" of tokenizer.json.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/text/aligned_text.h"
#include "lib/text/code_points.h"
#include "lib/text/json_part.h"

namespace tenrex::text {

class Normalizer {
public:
    virtual ~Normalizer() = default;
    // `out` is empty.
    virtual void write(const AlignedText &in, AlignedText &out) const = 0;
};

// One after the other.
class Normalizers {
public:
    void add(std::unique_ptr<Normalizer> normalizer) { list_.push_back(std::move(normalizer)); }
    bool empty() const noexcept { return list_.empty(); }
    void apply(AlignedText &text, AlignedText &spare) const;
    // Of a text whose origins do not matter.
    std::string applied(std::string_view text) const;

private:
    std::vector<std::unique_ptr<Normalizer>> list_;
};

struct BertRules {
    bool cleans_text = true;        // no control characters; all white space becomes a space
    bool separates_chinese = true;  // spaces around ideographs
    bool strips_accents = true;
    bool makes_lower_case = true;
};
std::unique_ptr<Normalizer> make_bert_normalizer(const BertRules &rules);

// NFC, NFD, NFKC and NFKD.
std::unique_ptr<Normalizer> make_unicode_form(Decomposition decomposition, bool composes);
std::unique_ptr<Normalizer> make_lower_case();
// Leaves out code points with one of the traits.
std::unique_ptr<Normalizer> make_filter(unsigned traits);
// The map of SentencePiece, in base64, and where it stands.
std::unique_ptr<Normalizer> make_charsmap(const JsonPart &base64);

void read_normalizers(const JsonPart &part, Normalizers &normalizers);

}  // namespace tenrex::text

#include "lib/text/bpe_borders.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/text/bpe_merges.h"
#include "lib/text/code_points.h"
#include "lib/text/splits.h"

namespace tenrex::text {

namespace {

class BorderSplitter : public Splitter {
public:
    BorderSplitter(std::vector<bool> is_token, BpeMerges neighbors, bool has_bytes)
        : is_token_(std::move(is_token)), neighbors_(std::move(neighbors)), has_bytes_(has_bytes) {}

protected:
    void split(std::string_view text, TextRange piece, std::vector<TextRange> &pieces) const override {
        CodePoint c = decode(text.data() + piece.begin);
        bool previous_is_token = is_token(c.value);
        std::size_t begin = piece.begin;
        for (std::size_t at = begin + c.length; at < piece.end; at += c.length) {
            const char32_t previous = c.value;
            c = decode(text.data() + at);
            const bool this_is_token = is_token(c.value);
            if (this_is_token && previous_is_token && neighbors_.find(previous, c.value).rank == BpeMerge::none) {
                pieces.push_back(text_range(begin, at));
                begin = at;
            }
            previous_is_token = this_is_token;
        }
        pieces.push_back(text_range(begin, piece.end));
    }

private:
    bool is_token(char32_t c) const { return has_bytes_ || (c < is_token_.size() && is_token_[c]); }

    std::vector<bool> is_token_;  // by code point; those behind the end are none
    BpeMerges neighbors_;         // pairs of code points that a merge may join, with any rank
    bool has_bytes_;              // each other character is tokens of its bytes, which no merge takes
};

bool has_all_bytes(const Vocabulary &vocabulary) {
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        if (!vocabulary.find_byte(byte)) {
            return false;
        }
    }
    return true;
}

bool may_have_byte(std::string_view token) {
    return token.find("<0x") != std::string_view::npos;
}

bool depends_on_merges_alone(const JsonPart &model) {
    return model.text("continuing_subword_prefix", "").empty() && model.text("end_of_word_suffix", "").empty() &&
           !model.flag("ignore_merges", false);
}

}  // namespace

std::pair<std::string_view, std::string_view> read_merge(const JsonPart &part) {
    if (!part.is_text()) {
        const auto both = part.parts();
        if (both.size() != 2) {
            part.fail("a merge has two tokens");
        }
        return {both[0].text(), both[1].text()};
    }
    const std::string_view text = part.text();
    const std::size_t space = text.find(' ');
    if (space == std::string_view::npos) {
        part.fail("a merge is two tokens with a space between them");
    }
    return {text.substr(0, space), text.substr(space + 1)};
}

std::unique_ptr<PreTokenizer> make_bpe_borders(const JsonPart &model, const Vocabulary &vocabulary) {
    if (!depends_on_merges_alone(model)) {
        return nullptr;
    }
    std::vector<bool> is_token;
    for (const auto &[token, id] : vocabulary.entries()) {
        const CodePoint c = token.empty() ? CodePoint() : decode(token.data());
        if (!token.empty() && c.length == token.size()) {
            is_token.resize(std::max<std::size_t>(is_token.size(), c.value + 1));
            is_token[c.value] = true;
        }
    }
    const auto merges = model.parts("merges");
    BpeMerges neighbors(merges.size());
    bool has_bytes = model.flag("byte_fallback", false) && has_all_bytes(vocabulary);
    for (const JsonPart &merge : merges) {
        const auto [left, right] = read_merge(merge);
        if (!left.empty() && !right.empty()) {
            neighbors.add(decode_before(left, left.size()).value, decode(right.data()).value, {0, 0});
        }
        has_bytes = has_bytes && !may_have_byte(left) && !may_have_byte(right);
    }
    return std::make_unique<BorderSplitter>(std::move(is_token), std::move(neighbors), has_bytes);
}

}  // namespace tenrex::text

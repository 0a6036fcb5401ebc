// What is put around the tokens of a text or of a pair, and how many tokens there may be: the parts "post_processor"
// and "truncation" of tokenizer.json.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <tenrex/result.h>
#include <tenrex/tokenizer.h>

#include "lib/text/json_part.h"

namespace tenrex::text {

struct TemplatePart {
    enum class Kind : std::uint8_t { text, pair, special };
    Kind kind = Kind::text;
    std::uint32_t type_id = 0;
    std::vector<std::uint32_t> ids = {};  // of `special`
};

struct PostProcessor {
    std::vector<TemplatePart> single = {{TemplatePart::Kind::text, 0}};
    std::vector<TemplatePart> pair = {{TemplatePart::Kind::text, 0}, {TemplatePart::Kind::pair, 1}};
    bool has_template = false;
    bool trims_offsets = false;     // white space at the ends of tokens is not in their offsets
    bool has_space_before = false;  // a space was put in front of the text

    const std::vector<TemplatePart> &parts(bool is_pair) const noexcept { return is_pair ? pair : single; }
    // How many tokens are put around.
    std::size_t added(bool is_pair) const noexcept;
};

// [first] text [last], and [first] text [last] pair [last], where `last` may stand twice between the two.
void set_bert_template(PostProcessor &post_processor, std::uint32_t first, std::uint32_t last, bool doubles_last,
                       std::uint32_t pair_type);
PostProcessor read_post_processor(const JsonPart &part);

enum class TruncationStrategy : std::uint8_t { longest_first, only_first, only_second };

struct Truncation {
    std::size_t max_length = 0;
    TruncationStrategy strategy = TruncationStrategy::longest_first;
    bool cuts_left = false;
};
Truncation read_truncation(const JsonPart &part);

// How many tokens of each text stay. Errors: as Tokenizer::tokenize() has them.
struct KeptTokens {
    std::size_t text = 0;
    std::size_t pair = 0;
};
Result<KeptTokens> kept_tokens(const Truncation &truncation, std::size_t added, std::size_t text,
                               std::optional<std::size_t> pair);

}  // namespace tenrex::text

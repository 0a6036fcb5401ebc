#include "lib/text/post_processor.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace tenrex::text {

namespace {

using Kind = TemplatePart::Kind;

std::vector<TemplatePart> read_template(const JsonPart &list, const JsonPart &special_tokens) {
    std::vector<TemplatePart> parts;
    for (const JsonPart &part : list.parts()) {
        if (const auto sequence = part.find("Sequence")) {
            const std::string_view name = sequence->text("id");
            if (name != "A" && name != "B") {
                sequence->member("id").fail(fmt::format("there is no text \"{}\"", name), "texts are A and B");
            }
            parts.push_back({name == "A" ? Kind::text : Kind::pair, sequence->member("type_id").token_id()});
            continue;
        }
        const JsonPart token = part.member("SpecialToken");
        const auto special = special_tokens.find(token.text("id"));
        if (!special) {
            token.member("id").fail(fmt::format("\"special_tokens\" lacks \"{}\"", token.text("id")));
        }
        parts.push_back({Kind::special, token.member("type_id").token_id(), special->member("ids").token_ids()});
    }
    return parts;
}

// ["[SEP]", 102]
std::uint32_t id_of_pair(const JsonPart &part) {
    const auto both = part.parts();
    if (both.size() != 2) {
        part.fail("a token and its id are expected here");
    }
    return both[1].token_id();
}

void read_part(const JsonPart &part, PostProcessor &result) {
    const std::string_view type = part.type();
    const bool sets_template = type != "ByteLevel";
    if (sets_template && std::exchange(result.has_template, true)) {
        part.fail("two parts put tokens around the text", "one of them must go");
    }
    if (type == "ByteLevel" || type == "RobertaProcessing") {
        result.trims_offsets = part.flag("trim_offsets", true);
        result.has_space_before = part.flag("add_prefix_space", true);
    }
    if (type == "BertProcessing" || type == "RobertaProcessing") {
        const bool is_bert = type == "BertProcessing";
        set_bert_template(result, id_of_pair(part.member("cls")), id_of_pair(part.member("sep")), !is_bert,
                          is_bert ? 1 : 0);
    } else if (type == "TemplateProcessing") {
        const JsonPart special_tokens = part.member("special_tokens");
        result.single = read_template(part.member("single"), special_tokens);
        result.pair = read_template(part.member("pair"), special_tokens);
        if (std::any_of(result.single.begin(), result.single.end(),
                        [](const auto &p) { return p.kind == Kind::pair; })) {
            part.member("single").fail("the template of one text has a second one");
        }
    } else if (type != "ByteLevel") {
        part.fail_unknown("the post-processor",
                          "BertProcessing, ByteLevel, RobertaProcessing, Sequence, TemplateProcessing");
    }
}

}  // namespace

std::size_t PostProcessor::added(bool is_pair) const noexcept {
    std::size_t count = 0;
    for (const TemplatePart &part : parts(is_pair)) {
        count += part.ids.size();
    }
    return count;
}

void set_bert_template(PostProcessor &post_processor, std::uint32_t first, std::uint32_t last, bool doubles_last,
                       std::uint32_t pair_type) {
    const std::vector<std::uint32_t> between(doubles_last ? 2 : 1, last);
    post_processor.has_template = true;
    post_processor.single = {{Kind::special, 0, {first}}, {Kind::text, 0}, {Kind::special, 0, {last}}};
    post_processor.pair = {{Kind::special, 0, {first}},
                           {Kind::text, 0},
                           {Kind::special, 0, between},
                           {Kind::pair, pair_type},
                           {Kind::special, pair_type, {last}}};
}

PostProcessor read_post_processor(const JsonPart &part) {
    PostProcessor result;
    if (part.type() == "Sequence") {
        for (const JsonPart &next : sequence_parts(part, "processors")) {
            read_part(next, result);
        }
    } else {
        read_part(part, result);
    }
    return result;
}

Truncation read_truncation(const JsonPart &part) {
    Truncation result;
    result.max_length = static_cast<std::size_t>(part.member("max_length").integer(0, INT32_MAX));
    result.cuts_left = part.text("direction", "Right") == "Left";
    const std::string_view strategy = part.text("strategy", "LongestFirst");
    if (strategy == "OnlyFirst") {
        result.strategy = TruncationStrategy::only_first;
    } else if (strategy == "OnlySecond") {
        result.strategy = TruncationStrategy::only_second;
    } else if (strategy != "LongestFirst") {
        part.member("strategy")
            .fail(fmt::format("there is no strategy \"{}\"", strategy),
                  "strategies are LongestFirst, OnlyFirst and OnlySecond");
    }
    return result;
}

Result<KeptTokens> kept_tokens(const Truncation &truncation, std::size_t added, std::size_t text,
                               std::optional<std::size_t> pair) {
    if (truncation.max_length < added) {
        return Error(
            fmt::format("at most {} tokens are wanted, but {} are put around each text", truncation.max_length, added),
            "give a larger limit, or none");
    }
    const std::size_t most = truncation.max_length - added;
    KeptTokens kept{text, pair.value_or(0)};
    const std::size_t total = kept.text + kept.pair;
    if (total <= most) {
        return kept;
    }
    if (truncation.strategy != TruncationStrategy::longest_first && most > 0) {
        const bool is_first = truncation.strategy == TruncationStrategy::only_first;
        if (!is_first && !pair) {
            return Error("the tokenizer cuts the second text, but there is none", "give a pair, or another limit");
        }
        std::size_t &cut = is_first ? kept.text : kept.pair;
        if (cut <= total - most) {
            return Error(fmt::format("the tokenizer cuts the {} text, but {} of its {} tokens cannot be left out",
                                     is_first ? "first" : "second", total - most, cut),
                         "give a larger limit");
        }
        cut -= total - most;
        return kept;
    }
    if (!pair || most == 0) {
        return KeptTokens{std::min(kept.text, most), 0};
    }
    // The longer one is cut until both have the same length, then both.
    std::size_t &shorter = kept.text > kept.pair ? kept.pair : kept.text;
    std::size_t &longer = kept.text > kept.pair ? kept.text : kept.pair;
    longer = shorter > most ? shorter : std::max(shorter, most - shorter);
    if (shorter + longer > most) {
        shorter = most / 2;
        longer = shorter + most % 2;
    }
    return kept;
}

}  // namespace tenrex::text

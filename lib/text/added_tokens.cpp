#include "lib/text/added_tokens.h"

#include <algorithm>
#include <utility>

#include "lib/text/code_points.h"

namespace tenrex::text {

namespace {

// White space before and behind a match.
std::size_t space_begin(std::string_view text, std::size_t end) {
    while (end > 0) {
        const CodePoint c = decode_before(text, end);
        if (!has(c.value, is_white_space)) {
            break;
        }
        end -= c.length;
    }
    return end;
}

std::size_t space_end(std::string_view text, std::size_t begin) {
    while (begin < text.size()) {
        const CodePoint c = decode(text.data() + begin);
        if (!has(c.value, is_white_space)) {
            break;
        }
        begin += c.length;
    }
    return begin;
}

}  // namespace

TokenFinder::TokenFinder(std::vector<AddedToken> tokens, const std::vector<std::string> &texts)
    : tokens_(std::move(tokens)) {
    std::vector<Vocabulary::Entry> entries;
    for (std::size_t i = texts.size(); i > 0; --i) {  // of equal texts the first one counts
        if (!texts[i - 1].empty()) {
            entries.emplace_back(texts[i - 1], static_cast<std::uint32_t>(i - 1));
            begins_[static_cast<unsigned char>(texts[i - 1][0])] = true;
        }
    }
    trie_ = Trie(std::move(entries));
}

bool TokenFinder::is_refused(const AddedToken &token, std::string_view text, TextRange match,
                             bool is_plain_text) const {
    if (is_plain_text && token.is_special) {
        return true;
    }
    if (!token.is_single_word) {
        return false;
    }
    return (match.begin > 0 && has(decode_before(text, match.begin).value, is_word)) ||
           (match.end < text.size() && has(decode(text.data() + match.end).value, is_word));
}

void TokenFinder::find(std::string_view text, bool is_plain_text, std::vector<TextPart> &parts) const {
    std::size_t done = 0;
    for (std::size_t at = 0; at < text.size();) {
        if (!begins_[static_cast<unsigned char>(text[at])]) {
            ++at;
            continue;
        }
        const Trie::Match match = trie_.longest(text.substr(at));
        if (match.length == 0) {
            ++at;
            continue;
        }
        std::size_t begin = at;
        std::size_t end = at + match.length;
        at = end;
        const AddedToken &token = tokens_[match.value];
        if (is_refused(token, text, text_range(begin, end), is_plain_text)) {
            continue;
        }
        if (token.takes_space_left) {
            begin = std::max(space_begin(text, begin), done);
        }
        if (token.takes_space_right) {
            end = space_end(text, end);
        }
        if (done < begin) {
            parts.push_back({text_range(done, begin)});
        }
        parts.push_back({text_range(begin, end), token.id});
        done = end;
    }
    if (done < text.size()) {
        parts.push_back({text_range(done, text.size())});
    }
}

std::vector<AddedToken> read_added_tokens(const std::vector<JsonPart> &parts, Vocabulary &vocabulary) {
    std::vector<AddedToken> tokens;
    const std::uint32_t largest = largest_id(vocabulary.size() + parts.size());
    for (const JsonPart &part : parts) {
        AddedToken token;
        token.content = part.text("content");
        token.is_special = part.flag("special", false);
        token.is_single_word = part.flag("single_word", false);
        token.takes_space_left = part.flag("lstrip", false);
        token.takes_space_right = part.flag("rstrip", false);
        token.is_normalized = part.flag("normalized", !token.is_special);
        if (token.content.empty()) {
            continue;
        }
        const auto known = vocabulary.find(token.content);
        token.id = known ? *known : static_cast<std::uint32_t>(part.member("id").integer(0, largest));
        if (!known) {
            vocabulary.add(token.content, token.id);
        }
        tokens.push_back(std::move(token));
    }
    // Special ones come first.
    std::stable_partition(tokens.begin(), tokens.end(), [](const AddedToken &token) { return token.is_special; });
    return tokens;
}

TokenFinders make_finders(const std::vector<AddedToken> &tokens, const Normalizers &normalizers) {
    std::array<std::vector<AddedToken>, 2> split;
    std::array<std::vector<std::string>, 2> texts;
    for (const AddedToken &token : tokens) {
        const std::size_t place = token.is_normalized ? 1 : 0;
        split[place].push_back(token);
        texts[place].push_back(token.is_normalized ? normalizers.applied(token.content) : token.content);
    }
    return {TokenFinder(std::move(split[0]), texts[0]), TokenFinder(std::move(split[1]), texts[1])};
}

}  // namespace tenrex::text

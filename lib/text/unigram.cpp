// Unigram, as SentencePiece has it: of all ways to cut a piece into tokens the one with the largest sum of scores.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "lib/text/code_points.h"
#include "lib/text/model.h"
#include "lib/text/trie.h"

namespace tenrex::text {

namespace {

constexpr double unknown_penalty = 10;  // below the worst token
constexpr std::uint32_t not_reached = UINT32_MAX;

struct UnigramRules {
    Trie tokens;
    std::vector<double> scores;  // by id
    std::uint32_t unknown = Trie::no_value;
    double unknown_score = 0;
    bool falls_back_to_bytes = false;
    std::array<std::uint32_t, 256> bytes{};
};

// A score as the package has it: the whole number that its digits are, divided by a power of ten. Each of the two
// rounds, and sums that would be equal are told apart by the last bits. The digits are those of the file, which has the
// shortest ones of each number.
double as_package_reads(double score) {
    std::uint64_t digits = 0;
    int exponent = 0;
    const std::string text = fmt::format("{}", std::fabs(score));
    const std::size_t end = std::min(text.find('e'), text.size());
    bool is_fraction = false;
    for (const char c : std::string_view(text).substr(0, end)) {
        if (c == '.') {
            is_fraction = true;
        } else {
            digits = digits * 10 + static_cast<std::uint64_t>(c - '0');
            exponent -= is_fraction ? 1 : 0;
        }
    }
    if (end < text.size()) {
        exponent += std::stoi(text.substr(end + 1));
    }
    constexpr int most = 300;  // powers of ten that are doubles, and with room below
    if (exponent > most || exponent < -most) {
        return score;
    }
    const double power = std::strtod(fmt::format("1e{}", std::abs(exponent)).c_str(), nullptr);
    const auto whole = static_cast<double>(digits);
    return std::copysign(exponent < 0 ? whole / power : whole * power, score);
}

class Unigram : public Model {
public:
    explicit Unigram(UnigramRules rules) : rules_(std::move(rules)) {}

    void tokenize(std::string_view piece, ModelScratch &scratch, std::vector<PieceToken> &tokens) const override {
        find_best(piece, scratch.best);
        // From the end. Unknown characters in a row are one.
        std::vector<PieceToken> &backward = scratch.tokens;
        backward.clear();
        for (std::size_t end = piece.size(); end > 0;) {
            const ModelScratch::Best &best = scratch.best[end];
            if (best.id == rules_.unknown && !backward.empty() && backward.back().id == rules_.unknown) {
                backward.back().begin = best.begin;
            } else {
                backward.push_back({best.id, best.begin, static_cast<std::uint32_t>(end)});
            }
            end = best.begin;
        }
        for (auto token = backward.rbegin(); token != backward.rend(); ++token) {
            if (token->id == rules_.unknown) {
                add_unknown(piece, *token, tokens);
            } else {
                tokens.push_back(*token);
            }
        }
    }

private:
    void find_best(std::string_view piece, std::vector<ModelScratch::Best> &best) const {
        best.assign(piece.size() + 1, {0, not_reached, 0});
        for (std::uint32_t begin = 0; begin < piece.size();) {
            const double score = best[begin].score;
            const std::uint32_t length = decode(piece.data() + begin).length;
            bool has_character = false;
            Trie::Node node = Trie::root;
            for (std::uint32_t end = begin; end < piece.size();) {
                node = rules_.tokens.child(node, piece[end]);
                if (node == Trie::none) {
                    break;
                }
                ++end;
                const std::uint32_t id = rules_.tokens.value(node);
                if (id != Trie::no_value) {
                    reach(best[end], score + rules_.scores[id], begin, id);
                    has_character |= end == begin + length;
                }
            }
            if (!has_character) {
                if (rules_.unknown == Trie::no_value) {
                    throw forest::Broken{
                        Error("the model has neither all characters of the text nor an unknown token")};
                }
                reach(best[begin + length], score + rules_.unknown_score, begin, rules_.unknown);
            }
            begin += length;
        }
    }

    static void reach(ModelScratch::Best &best, double score, std::uint32_t begin, std::uint32_t id) noexcept {
        if (best.begin == not_reached || score > best.score) {
            best = {score, begin, id};
        }
    }

    // What is unknown becomes a token with its text, tokens of its bytes, or stays.
    void add_unknown(std::string_view piece, PieceToken token, std::vector<PieceToken> &tokens) const {
        const std::string_view text = piece.substr(token.begin, token.end - token.begin);
        const std::uint32_t known = rules_.tokens.find(text);
        if (known == Trie::no_value && has_all_bytes(text)) {
            for (const char byte : text) {
                tokens.push_back({rules_.bytes[static_cast<unsigned char>(byte)], token.begin, token.end});
            }
            return;
        }
        token.id = known == Trie::no_value ? token.id : known;
        tokens.push_back(token);
    }

    bool has_all_bytes(std::string_view text) const noexcept {
        return rules_.falls_back_to_bytes && std::all_of(text.begin(), text.end(), [this](char byte) {
                   return rules_.bytes[static_cast<unsigned char>(byte)] != Trie::no_value;
               });
    }

    UnigramRules rules_;
};

}  // namespace

std::unique_ptr<Model> read_unigram(const JsonPart &part, Vocabulary &vocabulary) {
    UnigramRules rules;
    double least = std::numeric_limits<double>::infinity();
    for (const JsonPart &entry : part.member("vocab").parts()) {
        const auto both = entry.parts();
        if (both.size() != 2) {
            entry.fail("a token and its score are expected here");
        }
        const double read = both[1].number();
        if (!std::isfinite(read)) {
            both[1].fail("the score is no finite number");
        }
        const double score = as_package_reads(read);
        vocabulary.add(both[0].text(), static_cast<std::uint32_t>(rules.scores.size()));
        rules.scores.push_back(score);
        least = std::min(least, score);
    }
    if (const auto unknown = part.find("unk_id")) {
        if (rules.scores.empty()) {
            unknown->fail("the vocabulary is empty");
        }
        rules.unknown =
            static_cast<std::uint32_t>(unknown->integer(0, static_cast<std::int64_t>(rules.scores.size()) - 1));
    }
    rules.unknown_score = least - unknown_penalty;
    rules.falls_back_to_bytes = part.flag("byte_fallback", false);
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        rules.bytes[byte] = vocabulary.find_byte(byte).value_or(Trie::no_value);
    }
    rules.tokens = Trie(vocabulary.entries());
    return std::make_unique<Unigram>(std::move(rules));
}

}  // namespace tenrex::text

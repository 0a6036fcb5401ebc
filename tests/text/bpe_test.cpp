// Byte-pair encoding against its definition: all of a piece, the first of the merges that were learnt first, again and
// again. The models are random, so that merges reach over words or do not, and characters have tokens or have none.
#include <tenrex/tokenizer.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/conformance/few_cases.h"

namespace tenrex {
namespace {

struct BpeModel {
    std::map<std::string, std::uint32_t> ids;
    std::vector<std::pair<std::string, std::string>> merges;
    bool has_unknown = false;
    bool fuses_unknown = false;
    bool has_bytes = false;

    std::uint32_t id(const std::string &token) {
        return ids.try_emplace(token, static_cast<std::uint32_t>(ids.size())).first->second;
    }

    std::string json() const {
        std::string vocabulary;
        std::string pairs;
        for (const auto &[token, id] : ids) {
            vocabulary += fmt::format("{}\"{}\":{}", vocabulary.empty() ? "" : ",", token, id);
        }
        for (const auto &[left, right] : merges) {
            pairs += fmt::format("{}[\"{}\",\"{}\"]", pairs.empty() ? "" : ",", left, right);
        }
        return fmt::format(R"({{"model":{{"type":"BPE","vocab":{{{}}},"merges":[{}],"unk_token":{},)"
                           R"("fuse_unk":{},"byte_fallback":{}}}}})",
                           vocabulary, pairs, has_unknown ? "\"<unk>\"" : "null", fuses_unknown, has_bytes);
    }
};

constexpr std::string_view alphabet = "abc_xyz";  // the last ones may have no token

BpeModel random_model(std::mt19937 &random) {
    BpeModel model;
    model.has_unknown = random() % 2 != 0;
    model.fuses_unknown = random() % 2 != 0;
    model.has_bytes = random() % 3 == 0;
    std::vector<std::string> tokens;
    const std::size_t known = 3 + random() % (alphabet.size() - 2);
    for (std::size_t i = 0; i < known; ++i) {
        tokens.emplace_back(1, alphabet[i]);
        model.id(tokens.back());
    }
    if (model.has_unknown) {
        model.id("<unk>");
    }
    if (model.has_bytes) {
        for (unsigned byte = 0; byte < 256; ++byte) {
            model.id(fmt::format("<0x{:02X}>", byte));
        }
        if (random() % 2 != 0) {
            tokens.emplace_back("<0x78>");  // of x, which may have no token of its own
        }
    }
    const bool within_words = random() % 2 != 0;
    for (std::size_t count = random() % 12; count > 0; --count) {
        const std::string left = tokens[random() % tokens.size()];
        const std::string right = tokens[random() % tokens.size()];
        const bool is_new =
            std::find(model.merges.begin(), model.merges.end(), std::pair(left, right)) == model.merges.end();
        if (!is_new || left.size() + right.size() > 40 ||
            (within_words && right.front() == '_' && left.back() != '_')) {
            continue;
        }
        model.merges.emplace_back(left, right);
        tokens.push_back(left + right);
        model.id(tokens.back());
    }
    return model;
}

struct Symbol {
    std::string token;
    TextRange range;
};

std::vector<Symbol> cut_into_symbols(BpeModel &model, const std::string &text) {
    std::vector<Symbol> symbols;
    bool after_unknown = false;
    for (std::uint32_t at = 0; at < text.size(); ++at) {
        const std::string character(1, text[at]);
        const TextRange range{at, at + 1};
        if (model.ids.contains(character)) {
            symbols.push_back({character, range});
            after_unknown = false;
        } else if (model.has_bytes) {
            symbols.push_back({fmt::format("<0x{:02X}>", static_cast<unsigned char>(text[at])), range});
            after_unknown = false;
        } else if (model.has_unknown) {
            if (after_unknown && model.fuses_unknown) {
                symbols.back().range.end = at + 1;
            } else {
                symbols.push_back({"<unk>", range});
            }
            after_unknown = true;
        }
    }
    return symbols;
}

std::vector<Symbol> merged_by_definition(BpeModel &model, const std::string &text) {
    std::vector<Symbol> symbols = cut_into_symbols(model, text);
    for (;;) {
        std::size_t best = model.merges.size();
        std::size_t place = 0;
        for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
            const auto found =
                std::find(model.merges.begin(), model.merges.end(), std::pair(symbols[i].token, symbols[i + 1].token));
            const auto rank = static_cast<std::size_t>(found - model.merges.begin());
            if (rank < best) {
                best = rank;
                place = i;
            }
        }
        if (best == model.merges.size()) {
            return symbols;
        }
        symbols[place].token += symbols[place + 1].token;
        symbols[place].range.end = symbols[place + 1].range.end;
        symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(place) + 1);
    }
}

TEST(Bpe, MergesAsDefined) {
    std::mt19937 random(11);
    std::size_t longest = 0;
    for (int i = 0; i < (few_cases() ? 60 : 300); ++i) {
        BpeModel model = random_model(random);
        const auto tokenizer = Tokenizer::read(model.json());
        ASSERT_TRUE(tokenizer) << tokenizer.error().message() << model.json();
        for (int k = 0; k < 20; ++k) {
            // Some are longer than what is merged without a heap.
            std::string text(random() % (k == 0 ? 300 : 30), '\0');
            std::generate(text.begin(), text.end(),
                          [&] { return alphabet[random() % (k % 2 == 0 ? alphabet.size() : 3)]; });
            const auto tokens = tokenizer->tokenize(text);
            ASSERT_TRUE(tokens);
            std::vector<std::uint32_t> ids;
            std::vector<TextRange> offsets;
            for (const Symbol &symbol : merged_by_definition(model, text)) {
                ids.push_back(model.ids.at(symbol.token));
                offsets.push_back(symbol.range);
            }
            ASSERT_EQ(tokens->ids, ids) << text << '\n' << model.json();
            ASSERT_EQ(tokens->offsets, offsets) << text << '\n' << model.json();
            longest = std::max(longest, text.size());
        }
    }
    EXPECT_GT(longest, 200U);
}

}  // namespace
}  // namespace tenrex

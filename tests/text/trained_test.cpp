// Small tokenizers of all kinds, as scripts/train-tokenizers --small trains them, against what the package tokenizers
// makes of the same texts.
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tenrex/tokenizer.h>

#include "lib/forest/document.h"
#include "lib/support/utf8.h"

namespace tenrex::text {
namespace {

const std::string folder = "tests/text/trained/";

struct Texts {
    std::string text;
    std::optional<std::string> pair;
};

std::vector<std::string> lines_of(const std::string &path) {
    std::ifstream file(path);
    EXPECT_TRUE(file) << path;
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) {
        lines.push_back(line);
    }
    return lines;
}

const std::vector<Texts> &texts() {
    static const auto all = [] {
        std::vector<Texts> result;
        for (const std::string &line : lines_of(folder + "texts.jsonl")) {
            const auto document = forest::Document::from_json(line);
            Texts texts{std::string(*document->text(*document->member(0, "text"))), std::nullopt};
            if (const auto pair = document->find(0, "pair"); pair != forest::Document::none) {
                texts.pair = *document->text(pair);
            }
            result.push_back(texts);
        }
        return result;
    }();
    return all;
}

std::uint32_t crc32(std::string_view bytes) {
    std::uint32_t crc = UINT32_MAX;
    for (const char byte : bytes) {
        crc ^= static_cast<unsigned char>(byte);
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
        }
    }
    return ~crc;
}

std::string tokens_text(const Tokens &tokens) {
    std::string text;
    for (std::size_t i = 0; i < tokens.ids.size(); ++i) {
        text += fmt::format("{}/{}/{}-{} ", tokens.ids[i], tokens.type_ids[i], tokens.offsets[i].begin,
                            tokens.offsets[i].end);
    }
    return text;
}

std::string file_name(const testing::TestParamInfo<std::string> &info) {
    return info.param;
}

class Trained : public testing::TestWithParam<std::string> {
protected:
    Trained() : tokenizer_(*Tokenizer::load(folder + GetParam() + ".json")) {}

    Tokens tokens(const Texts &texts, const TokenizeOptions &options, TokenizerScratch &scratch) const {
        Tokens tokens;
        const Status status = tokenizer_.tokenize(texts.text, texts.pair, options, scratch, tokens);
        EXPECT_TRUE(status) << status.error().message();
        return tokens;
    }

    Tokenizer tokenizer_;
};

TEST_P(Trained, GivesTheTokensOfThePackage) {
    const std::vector<std::string> expected = lines_of(folder + GetParam() + ".expected");
    ASSERT_EQ(expected.size(), texts().size());
    TokenizerScratch scratch;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const std::string found = tokens_text(tokens(texts()[i], {}, scratch));
        const auto count = static_cast<std::size_t>(std::count(found.begin(), found.end(), ' '));
        EXPECT_EQ(fmt::format("{} {:08x}", count, crc32(found)), expected[i]) << texts()[i].text << '\n' << found;
    }
}

TEST_P(Trained, DoesNotDependOnWhatCameBefore) {
    TokenizerScratch used;
    for (const Texts &given : texts()) {
        TokenizerScratch fresh;
        EXPECT_EQ(tokens_text(tokens(given, {}, used)), tokens_text(tokens(given, {}, fresh))) << given.text;
        EXPECT_EQ(tokens_text(tokens(given, {}, used)), tokens_text(tokens(given, {}, fresh))) << given.text;
    }
}

// Offsets in bytes are those of the same places.
TEST_P(Trained, CountsBytesOrCodePoints) {
    TokenizerScratch scratch;
    for (const Texts &given : texts()) {
        const Tokens points = tokens({given.text, std::nullopt}, {}, scratch);
        const Tokens bytes = tokens({given.text, std::nullopt}, {.offsets = OffsetUnit::bytes}, scratch);
        ASSERT_EQ(points.ids, bytes.ids);
        for (std::size_t i = 0; i < points.ids.size(); ++i) {
            const auto [begin, end] = bytes.offsets[i];
            ASSERT_LE(end, given.text.size());
            EXPECT_EQ(count_code_points(std::string_view(given.text).substr(0, begin)), points.offsets[i].begin);
            EXPECT_EQ(count_code_points(std::string_view(given.text).substr(0, end)), points.offsets[i].end);
        }
    }
}

TEST_P(Trained, TakesAnyBytes) {
    TokenizerScratch scratch;
    for (const Texts &given : texts()) {
        for (std::size_t cut = 0; cut < given.text.size(); cut += 3) {
            const std::string broken = given.text.substr(cut) + '\xFF' + given.text.substr(0, cut) + '\xC3';
            const Tokens tokens = this->tokens({broken, std::nullopt}, {.offsets = OffsetUnit::bytes}, scratch);
            for (const TextRange &range : tokens.offsets) {
                ASSERT_LE(range.begin, range.end);
                ASSERT_LE(range.end, broken.size());
            }
        }
    }
}

TEST_P(Trained, StopsAtTheLimit) {
    TokenizerScratch scratch;
    for (const Texts &given : texts()) {
        const Texts one{given.text, std::nullopt};
        const Tokens whole = tokens(one, {.max_length = 100000}, scratch);
        const Tokens cut = tokens(one, {.max_length = 7}, scratch);
        EXPECT_FALSE(whole.is_truncated);
        EXPECT_EQ(cut.is_truncated, whole.ids.size() > 7);
        EXPECT_EQ(cut.ids.size(), std::min<std::size_t>(7, whole.ids.size()));
        EXPECT_EQ(cut.type_ids.size(), cut.ids.size());
        EXPECT_EQ(cut.offsets.size(), cut.ids.size());
    }
}

// What SentencePiece's map leaves out belongs to the character before it. At the beginning of a text there is none, and
// in the package the offsets of all that follows are one character off.
TEST(CharactersMap, LeavesOutCharacters) {
    const auto tokenizer = Tokenizer::load(folder + "unigram_few_rules.json");
    ASSERT_TRUE(tokenizer) << tokenizer.error().message();
    const auto offsets_of = [&](std::string_view text) {
        return tokenizer->tokenize(text, {.adds_special_tokens = false})->offsets;
    };
    using Offsets = std::vector<TextRange>;
    EXPECT_EQ(offsets_of("\u200bab cd e"), (Offsets{{0, 1}, {1, 2}, {2, 4}, {4, 5}, {5, 6}, {6, 7}}));
    EXPECT_EQ(offsets_of("ab\u200b cd e"), (Offsets{{0, 1}, {1, 2}, {3, 5}, {5, 6}, {6, 7}, {7, 8}}));
    EXPECT_EQ(offsets_of("ab cd\u200b e\u0301\u200bx"),
              (Offsets{{0, 1}, {1, 2}, {2, 4}, {4, 5}, {6, 7}, {7, 8}, {10, 11}}));
    EXPECT_EQ(offsets_of("\u200b\u200bab\u00bdcd"), (Offsets{{0, 1}, {1, 2}, {2, 3}, {2, 3}, {2, 3}, {3, 4}, {4, 5}}));
}

INSTANTIATE_TEST_SUITE_P(All, Trained,
                         testing::Values("bpe_characters", "bpe_prefix", "bpe_words", "byte_level_gpt",
                                         "byte_level_llama", "byte_level_roberta", "unigram_few_rules",
                                         "unigram_unicode", "word_level", "word_piece", "word_piece_cut"),
                         file_name);

}  // namespace
}  // namespace tenrex::text

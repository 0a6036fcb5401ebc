// What holds of all tokenizers, with one whose tokens are known.
#include <tenrex/tokenizer.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tenrex {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Ids are the numbers of the lines, from 0.
constexpr std::string_view lines =
    "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nun\n##able\n##a\nable\n,\ncafe\n\xE4\xBD\xA0\nx\n##x\n[\n]\ncls\n";

Tokenizer tokenizer() {
    return *Tokenizer::read_vocabulary(lines);
}

constexpr TokenizeOptions bare{.adds_special_tokens = false};
constexpr TokenizeOptions bare_bytes{.offsets = OffsetUnit::bytes, .adds_special_tokens = false};

TEST(Tokenizer, TakesTheLongestToken) {
    const Tokens tokens = *tokenizer().tokenize("Unable, able unb");
    EXPECT_THAT(tokens.ids, ElementsAre(2, 5, 6, 9, 8, 1, 3));
    EXPECT_THAT(tokens.offsets, ElementsAre(TextRange{0, 0}, TextRange{0, 2}, TextRange{2, 6}, TextRange{6, 7},
                                            TextRange{8, 12}, TextRange{13, 16}, TextRange{0, 0}));
    EXPECT_THAT(tokens.type_ids, ElementsAre(0, 0, 0, 0, 0, 0, 0));
    EXPECT_FALSE(tokens.is_truncated);
}

TEST(Tokenizer, TakesPairs) {
    const Tokens tokens = *tokenizer().tokenize_pair("able", "un");
    EXPECT_THAT(tokens.ids, ElementsAre(2, 8, 3, 5, 3));
    EXPECT_THAT(tokens.type_ids, ElementsAre(0, 0, 0, 1, 1));
}

TEST(Tokenizer, CountsInTheOriginal) {
    const std::string text = "\u00c7 CAF\u00c9,\u4f60";  // three characters of more than one byte
    EXPECT_THAT(tokenizer().tokenize(text, bare)->offsets,
                ElementsAre(TextRange{0, 1}, TextRange{2, 6}, TextRange{6, 7}, TextRange{7, 8}));
    EXPECT_THAT(tokenizer().tokenize(text, bare_bytes)->offsets,
                ElementsAre(TextRange{0, 2}, TextRange{3, 8}, TextRange{8, 9}, TextRange{9, 12}));
}

TEST(Tokenizer, OfACasedModelKeepsCaseAndAccents) {
    const auto cased = Tokenizer::read_vocabulary(lines, {.lower_case = false});
    EXPECT_THAT(cased->tokenize("cafe Cafe caf\u00e9", bare)->ids, ElementsAre(10, 1, 1));
}

TEST(Tokenizer, ReadsSpecialTokensOfUsersAsText) {
    EXPECT_THAT(tokenizer().tokenize("[CLS]x", bare)->ids, ElementsAre(2, 12));
    EXPECT_THAT(tokenizer().tokenize("[CLS]x", {.adds_special_tokens = false, .is_plain_text = true})->ids,
                ElementsAre(14, 16, 15, 12));
}

TEST(Tokenizer, CutsTheLongerText) {
    const Tokens one = *tokenizer().tokenize("x x x x", {.max_length = 4});
    EXPECT_THAT(one.ids, ElementsAre(2, 12, 12, 3));
    EXPECT_TRUE(one.is_truncated);
    const Tokens pair = *tokenizer().tokenize_pair("x", "un un un", {.max_length = 6});
    EXPECT_THAT(pair.ids, ElementsAre(2, 12, 3, 5, 5, 3));
    EXPECT_TRUE(pair.is_truncated);
    EXPECT_THAT(tokenizer().tokenize_pair("x x x", "un un", {.max_length = 6})->ids, ElementsAre(2, 12, 12, 3, 5, 3));
    EXPECT_THAT(tokenizer().tokenize("x x", {.max_length = 2})->ids, ElementsAre(2, 3));
    EXPECT_THAT(tokenizer().tokenize("x x", {.max_length = 1}).error().message(), HasSubstr("2 are put around"));
}

TEST(Tokenizer, TakesTextsWithoutTokens) {
    for (const std::string_view text : {std::string_view(), std::string_view(" "), std::string_view("\0\0", 2)}) {
        EXPECT_THAT(tokenizer().tokenize(text)->ids, ElementsAre(2, 3));
        EXPECT_THAT(tokenizer().tokenize_pair(text, text)->ids, ElementsAre(2, 3, 3));
    }
}

TEST(Tokenizer, TakesBytesThatAreNoUtf8AsOneCharacterEach) {
    const std::string text = "x \xFF\xC3 un\xE4\xBD";
    // Cleaning leaves U+FFFD out.
    EXPECT_THAT(tokenizer().tokenize(text, bare)->ids, ElementsAre(12, 5));
    EXPECT_THAT(tokenizer().tokenize(text, bare)->offsets, ElementsAre(TextRange{0, 1}, TextRange{5, 7}));
    EXPECT_THAT(tokenizer().tokenize(text, bare_bytes)->offsets, ElementsAre(TextRange{0, 1}, TextRange{5, 7}));
}

TEST(Tokenizer, NamesItsTokens) {
    EXPECT_EQ(tokenizer().vocabulary_size(), 17U);
    EXPECT_EQ(tokenizer().token(6), "##able");
    EXPECT_EQ(tokenizer().token(1000), "");
    EXPECT_EQ(tokenizer().id_of("able"), 8U);
    EXPECT_EQ(tokenizer().id_of("ble"), std::nullopt);
}

TEST(Tokenizer, IsUsedByThreads) {
    const Tokenizer shared = tokenizer();
    const std::string text = "Unable caf\u00c9 \u4f60 unable able x";
    const auto expected = shared.tokenize(text)->ids;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            TokenizerScratch scratch;
            Tokens tokens;
            for (int round = 0; round < 50; ++round) {
                ASSERT_TRUE(shared.tokenize(text, std::nullopt, {}, scratch, tokens));
                ASSERT_EQ(tokens.ids, expected);
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
}

TEST(Tokenizer, IsUsedInAForkedProcess) {
    const Tokenizer shared = tokenizer();
    TokenizerScratch scratch;
    Tokens expected;
    ASSERT_TRUE(shared.tokenize("Unable, able unb", std::nullopt, {}, scratch, expected));
    const pid_t child = fork();
    if (child == 0) {
        Tokens tokens;
        const bool is_made = static_cast<bool>(shared.tokenize("Unable, able unb", std::nullopt, {}, scratch, tokens));
        _exit(is_made && tokens.ids == expected.ids ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

TEST(Tokenizer, ScratchMayBeOfAnother) {
    const auto other = Tokenizer::read_vocabulary("[UNK]\n[CLS]\n[SEP]\nunable\n");
    TokenizerScratch scratch;
    Tokens tokens;
    ASSERT_TRUE(tokenizer().tokenize("unable", std::nullopt, bare, scratch, tokens));
    EXPECT_THAT(tokens.ids, ElementsAre(5, 6));
    ASSERT_TRUE(other->tokenize("unable", std::nullopt, bare, scratch, tokens));
    EXPECT_THAT(tokens.ids, ElementsAre(3));
}

// A megabyte without a space takes no longer than prose, for every kind of tokenizer.
TEST(Tokenizer, TakesLongWordsInTime) {
    for (const char *name : {"word_piece", "byte_level_gpt", "bpe_characters", "unigram_unicode"}) {
        const auto trained = Tokenizer::load(std::string("tests/text/trained/") + name + ".json");
        ASSERT_TRUE(trained);
        for (const std::string_view part : {"a", "_", "\u4f60", "ab"}) {
            std::string text;
            while (text.size() < 100'000) {
                text += part;
            }
            const auto begin = std::chrono::steady_clock::now();
            ASSERT_TRUE(trained->tokenize(text));
            EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10)) << name << ' ' << part;
        }
    }
}

}  // namespace
}  // namespace tenrex

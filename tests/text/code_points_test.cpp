#include "lib/text/code_points.h"

#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "lib/text/graphemes.h"

namespace tenrex::text {
namespace {

std::u32string decomposed(char32_t c, Decomposition decomposition) {
    std::u32string result;
    append_decomposed(c, decomposition, result);
    return result;
}

TEST(CodePoints, AreReadAndWritten) {
    for (const char32_t c :
         {U'\0', U'a', U'\u007F', U'\u0080', U'\u07FF', U'\u0800', U'\uFFFD', U'\U00010000', last_code_point}) {
        const std::string text = 'x' + std::string(std::string_view(Utf8Bytes(c))) + 'y';
        EXPECT_EQ(decode(text.data() + 1).value, c);
        EXPECT_EQ(decode(text.data() + 1).length, text.size() - 2);
        EXPECT_EQ(decode_before(text, text.size() - 1).value, c);
    }
}

// What a tokenizer makes of these decides its tokens.
TEST(CodePoints, HaveTheTraitsOfTheirTime) {
    EXPECT_TRUE(has(U'$', is_punctuation));  // in ASCII all that is printed and no letter or digit
    EXPECT_FALSE(has(U'\u00A3', is_punctuation));
    EXPECT_TRUE(has(U'\u2026', is_punctuation));
    EXPECT_FALSE(has(U'\u2E52', is_punctuation));  // of Unicode 14
    EXPECT_TRUE(has(U'\u166D', is_punctuation));   // until Unicode 12
    EXPECT_TRUE(has(U'\u0301', is_nonspacing));
    EXPECT_FALSE(has(U'\u1885', is_nonspacing));  // since Unicode 9
    EXPECT_TRUE(has(U'\u1734', is_nonspacing));   // until Unicode 14
    EXPECT_TRUE(has(U'\u0903', is_mark));
    EXPECT_FALSE(has(U'\u0903', is_nonspacing));
    EXPECT_TRUE(has(U'\u200B', is_control));
    EXPECT_FALSE(has(U'\u08E2', is_control));      // of Unicode 9
    EXPECT_FALSE(has(U'\U000E0FFF', is_control));  // not assigned
    EXPECT_TRUE(has(U'\u3000', is_white_space));
    EXPECT_FALSE(has(U'\u200B', is_white_space));
    EXPECT_TRUE(has(U'\u4E00', is_chinese));
    EXPECT_FALSE(has(U'\u30AB', is_chinese));
    EXPECT_TRUE(has(U'\u200D', is_word));
}

TEST(CodePoints, AreTakenApartAndPutTogether) {
    EXPECT_EQ(decomposed(U'\u1E69', Decomposition::canonical), U"s\u0323\u0307");
    EXPECT_EQ(decomposed(U'\uFB01', Decomposition::canonical), U"\uFB01");
    EXPECT_EQ(decomposed(U'\uFB01', Decomposition::compatible), U"fi");
    EXPECT_EQ(decomposed(U'\uD55C', Decomposition::canonical), U"\u1112\u1161\u11AB");
    EXPECT_EQ(decomposed(U'\uFDFA', Decomposition::compatible).size(), 18U);
    EXPECT_EQ(decomposed(U'\U00011938', Decomposition::canonical).size(), 1U);  // of Unicode 13
    EXPECT_EQ(composed(U'e', U'\u0301'), U'\u00E9');
    EXPECT_EQ(composed(U'e', U'e'), U'\0');
    EXPECT_EQ(composed(U'\U00011935', U'\U00011930'), U'\0');
}

TEST(CodePoints, OfOnePageAreAskedForByThreads) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([] {
            for (char32_t c = 0x2000; c < 0x6000; ++c) {
                traits_of(c);
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    EXPECT_TRUE(has(U'\u4E00', is_letter));
}

TEST(Graphemes, EndWhereTheNextBegins) {
    const auto ends = [](std::string_view text) {
        std::vector<std::size_t> result;
        for (std::size_t at = 0; at < text.size();) {
            at = grapheme_end(text, at);
            result.push_back(at);
        }
        return result;
    };
    using Ends = std::vector<std::size_t>;
    EXPECT_EQ(ends("ab"), Ends({1, 2}));
    EXPECT_EQ(ends("\r\nx"), Ends({2, 3}));
    EXPECT_EQ(ends("e\u0301\u0302x"), Ends({5, 6}));
    EXPECT_EQ(ends("\n\u0301"), Ends({1, 3}));
    EXPECT_EQ(ends("\u1112\u1161\u11AB\u0301"), Ends({11}));
    EXPECT_EQ(ends("\uD55C\uAE00"), Ends({3, 6}));
    EXPECT_EQ(ends("\u0915\u093F"), Ends({6}));
}

}  // namespace
}  // namespace tenrex::text

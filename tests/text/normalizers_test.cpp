// The forms of Unicode against their definition, and what steps leave as it is.
#include "lib/text/normalizer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <tuple>

#include <gtest/gtest.h>

#include "lib/text/aligned_text.h"
#include "lib/text/code_points.h"

namespace tenrex::text {
namespace {

std::string utf8_of(const std::u32string &text) {
    std::string bytes;
    for (const char32_t c : text) {
        bytes += std::string_view(Utf8Bytes(c));
    }
    return bytes;
}

void order_marks(std::u32string &text) {
    for (auto begin = text.begin(); begin != text.end();) {
        if (combining_class(*begin) == 0) {
            ++begin;
            continue;
        }
        const auto end = std::find_if(begin, text.end(), [](char32_t c) { return combining_class(c) == 0; });
        std::stable_sort(begin, end, [](char32_t a, char32_t b) { return combining_class(a) < combining_class(b); });
        begin = end;
    }
}

std::u32string put_together(const std::u32string &text) {
    std::u32string result;
    std::size_t starter = std::u32string::npos;
    for (const char32_t c : text) {
        const std::uint8_t mark = combining_class(c);
        const bool is_next = starter != std::u32string::npos && starter + 1 == result.size();
        const bool is_blocked = !is_next && !result.empty() && combining_class(result.back()) >= mark;
        const char32_t whole = starter != std::u32string::npos && !is_blocked ? composed(result[starter], c) : U'\0';
        if (whole != U'\0') {
            result[starter] = whole;
            continue;
        }
        if (mark == 0) {
            starter = result.size();
        }
        result += c;
    }
    return result;
}

// By the definition, on all of the text at once.
std::u32string in_form(const std::u32string &text, Decomposition decomposition, bool composes) {
    std::u32string parts;
    for (const char32_t c : text) {
        append_decomposed(c, decomposition, parts);
    }
    order_marks(parts);
    return composes ? put_together(parts) : parts;
}

std::u32string random_code_points(std::mt19937 &random) {
    // Letters with marks, marks of several classes, syllables of Hangul and their parts, ligatures, singletons.
    constexpr std::u32string_view pool =
        U"ab "
        U"e."
        U"A\u00e9\u00c5\u212b\u1e69\u1e9b\u0301\u0323\u0307\u0302\u0308\u0345\u0344\u1100\u1161\u11a8\uac00\uac01\u1112"
        U"\u11ab"
        U"\ufb01\u00bd\u2460\uff76\uff9e\u30ab\u3099\u0928\u093c\u0929\u09c7\u09be\u0dd9\u0dcf\u0f71\u0f72\u0f74\u0fb2"
        U"\u4f60\u0e33"
        U"\U0001d15e\U0001d165\U0001d16d\u302e\U00011938\U00011935\U00011930\u0958\u2126";
    std::u32string text;
    for (std::size_t count = random() % 24; count > 0; --count) {
        const auto any = static_cast<char32_t>(random() % (last_code_point + 1));
        const bool is_surrogate = any >= 0xD800 && any < 0xE000;
        text += random() % 8 != 0 || is_surrogate ? pool[random() % pool.size()] : any;
    }
    return text;
}

class UnicodeForms : public testing::TestWithParam<std::tuple<Decomposition, bool>> {};

TEST_P(UnicodeForms, AreThoseOfTheDefinition) {
    const auto [decomposition, composes] = GetParam();
    const auto form = make_unicode_form(decomposition, composes);
    std::mt19937 random(7);
    for (int i = 0; i < 5000; ++i) {
        const std::u32string text = random_code_points(random);
        AlignedText in;
        AlignedText out;
        in.assign(utf8_of(text), 0);
        form->write(in, out);
        ASSERT_EQ(out.text(), utf8_of(in_form(text, decomposition, composes))) << in.text();
        std::uint32_t previous = 0;
        for (std::size_t at = 0; at < out.size();) {
            const std::uint32_t length = decode(out.text().data() + at).length;
            const TextRange origin = out.origin_of(at, at + length);
            ASSERT_LT(origin.begin, origin.end);
            ASSERT_LE(origin.end, in.size());
            ASSERT_GE(origin.begin, previous) << "origins go from left to right";
            previous = origin.begin;
            at += length;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, UnicodeForms,
                         testing::Combine(testing::Values(Decomposition::canonical, Decomposition::compatible),
                                          testing::Bool()));

// A step that changes one character in the middle of many keeps the places of all others.
TEST(Normalizers, KeepThePlacesOfWhatStays) {
    const std::string text = "many words \xC3\x89 and many more";
    AlignedText in;
    AlignedText out;
    in.assign(text, 100);
    make_lower_case()->write(in, out);
    EXPECT_EQ(out.text(), "many words \xC3\xA9 and many more");
    EXPECT_EQ(out.origin_of(0, 4), (TextRange{100, 104}));
    EXPECT_EQ(out.origin_of(11, 13), (TextRange{111, 113}));
    EXPECT_EQ(out.origin_of(14, 17), (TextRange{114, 117}));

    in.assign("e\xCC\x81 rest", 100);  // a letter and a mark
    out.clear();
    make_filter(is_mark)->write(in, out);
    EXPECT_EQ(out.text(), "e rest");
    EXPECT_EQ(out.origin_of(0, 1), (TextRange{100, 101}));
    EXPECT_EQ(out.origin_of(2, 6), (TextRange{104, 108}));
}

}  // namespace
}  // namespace tenrex::text

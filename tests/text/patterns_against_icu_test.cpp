// Programs find what ICU finds, in random texts of what is difficult for the expressions of tokenizers.
#include <cstddef>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "lib/text/code_points.h"
#include "lib/text/pattern.h"
#include "tests/conformance/few_cases.h"

namespace tenrex::text {
namespace {

const std::vector<std::string> compared_expressions = {
    // GPT-2; Qwen; Llama 3; o200k; CLIP; three of DeepSeek; StarCoder
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)",
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
    R"(\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
    R"(<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+)",
    R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
    R"([一-龥぀-ゟ゠-ヿ]+)",
    R"(\p{N}{1,3})",
    R"('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s*[\r\n]|\s+(?!\S)|\s)",
    R"(\s+)",
    R"(\S+)",
    R"(\w+|[^\w\s]+)",
    R"([\W\d]+)",
    R"([^\W\d]+)",
    R"([\S\r]{2,3})",
    R"(\d|\D{2,}(?=\d))",
    R"(\p{P}|\p{S}+)",
    R"([^\p{Lu}\P{L}]+)",
    R"(\s+(?=\s)| (?:\p{L}|\p{N}\p{L}?)?(?!\p{L}))",
    R"((?:\r?\n)(?!\r?\n))",
    R"((?i:l|[k-t]e)(?i:s?d|\/))",
    R"([\u0041-\u017f\x{1f600}-\x{1F64F}\t]+)",
    R"([$^&~`{}()|*+?.,"#!%:;<=>@_'/-]+)",
    R"(\p{Letter}+|\p{Uppercase_Letter}|\p{Cf}|\p{Cc}|\p{Cn}|\p{Co}|\p{Zs}|\p{Mn})",
};

const char *const compared_parts[] = {
    " ",
    "  ",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "\v",
    "\u00a0",
    "\u0085",
    "\u180e",
    "\u200b",
    "\u2028",
    "\u3000",
    "a",
    "Zq",
    "HeLLo",
    "\u00e9",
    "e\u0301",
    "\u0302",
    "\u017f",
    "\u212a",
    "k",
    "\u01c5",
    "\u02b0",
    "\u00df",
    "\ufb06",
    "\u0149",
    "'s",
    "'S",
    "'\u017f",
    "'",
    "'l",
    "'LL",
    "'r",
    "'Ve",
    "'T",
    "st",
    "le",
    "/",
    "//\n",
    "1",
    "22",
    "4567",
    "\u0661",
    "\u00bd",
    "\u216b",
    "\u4f60",
    "\u3042",
    "\u30ab",
    "\u0e01\u0e31",
    "\u0915\u094d",
    "\ud55c",
    "-",
    "?!",
    "_",
    "\u203f",
    "\u200d",
    "\u2014",
    "+",
    "$",
    "\u20ac",
    "^",
    "{|}",
    "[\\]",
    "<|endoftext|>",
    "<|",
    ".",
    "\U0001f600",
    "\U0001d400",
    "\U000e0001",
    "\ue000",
    "\u0378",
};

std::string text_of_compared_parts(std::mt19937 &random) {
    std::string text;
    for (std::size_t count = random() % 24; count > 0; --count) {
        text += compared_parts[random() % std::size(compared_parts)];
        if (random() % 16 == 0) {
            text += '\0';
        }
    }
    return text;
}

class PatternsAgainstIcu : public testing::Test {
protected:
    PatternsAgainstIcu() : document_(*Document::from_json("0")) {}
    Document document_;
};

TEST_F(PatternsAgainstIcu, FindTheSame) {
    std::mt19937 random(1);
    for (const std::string &expression : compared_expressions) {
        const auto program = make_program_regex(expression);
        ASSERT_NE(program, nullptr) << expression;
        const auto icu = make_icu_regex(expression, {document_, 0});
        for (int i = 0; i < (few_cases() ? 500 : 4000); ++i) {
            const std::string text = text_of_compared_parts(random);
            ASSERT_EQ(program->matches(text), icu->matches(text)) << expression << " in \"" << text << '"';
        }
    }
}

// One after the other, with something between them that often ends what was found before.
TEST_F(PatternsAgainstIcu, FindTheSameInAllCodePoints) {
    std::vector<std::string> texts(1);
    for (char32_t c = 0; c <= last_code_point; c += c < 0x3400 ? 1 : c < 0x20000 ? 13 : 997) {
        if (c < 0xD800 || c > 0xDFFF) {
            texts.back() += c % 3 == 0 ? 'a' : ' ';
            texts.back() += std::string_view(Utf8Bytes(c));
        }
        if (texts.back().size() > 500) {
            texts.emplace_back();
        }
    }
    for (const std::string &expression : compared_expressions) {
        const auto program = make_program_regex(expression);
        ASSERT_NE(program, nullptr) << expression;
        const auto icu = make_icu_regex(expression, {document_, 0});
        for (const std::string &text : texts) {
            ASSERT_EQ(program->matches(text), icu->matches(text)) << expression << " in \"" << text << '"';
        }
    }
}

// What an expression of a few random parts means, whatever it is.
TEST_F(PatternsAgainstIcu, FindTheSameWithRandomExpressions) {
    const char *const items[] = {"a",      "b",     "[ab]",  "[^a]",   "\\s",    "\\p{L}", " ",          "(?:a|ab)",
                                 "(a|b)?", "(?!b)", "(?=a)", "(?i:s)", "[a\\d]", "1",      "(?:a+|b?)?", "(?:|a)"};
    const char *const quantifiers[] = {"", "", "", "?", "*", "+", "{2}", "{1,2}", "{0,1}", "{2,}", "*+", "?+", "++"};
    const char *const letters[] = {"a", "a", "b", " ", "s", "\u017f", "1", "\u00e9", "\n"};
    std::mt19937 random(2);
    const auto one_of = [&random](const auto &list) { return std::string(list[random() % std::size(list)]); };
    for (int i = 0; i < (few_cases() ? 1000 : 8000); ++i) {
        std::string expression;
        for (std::size_t count = 1 + random() % 6; count > 0; --count) {
            const std::string item = one_of(items);
            expression += item + (item.front() == '(' ? "" : one_of(quantifiers));
            expression += random() % 4 == 0 ? "|" : "";
        }
        const auto program = make_program_regex(expression);
        ASSERT_NE(program, nullptr) << expression;
        const auto icu = make_icu_regex(expression, {document_, 0});
        for (int j = 0; j < 10; ++j) {
            std::string text;
            for (std::size_t count = random() % 10; count > 0; --count) {
                text += one_of(letters);
            }
            ASSERT_EQ(program->matches(text), icu->matches(text)) << expression << " in \"" << text << '"';
        }
    }
}

}  // namespace
}  // namespace tenrex::text

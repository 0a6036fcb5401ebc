// Large and deep garbage: an error at once, no crash, no time or memory beyond the size of the input.
#include <tenrex/formats.h>

#include <chrono>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "tests/formats/random_tensor.h"

namespace tenrex {
namespace {

constexpr std::size_t size = 300000;

std::string repeat(std::string_view piece, std::size_t times = size) {
    std::string text;
    text.reserve(piece.size() * times);
    for (std::size_t i = 0; i < times; ++i) {
        text += piece;
    }
    return text;
}

std::vector<std::string> garbage() {
    std::vector<std::string> texts;
    for (const std::string_view piece :
         {"[",  "{",    "(",   "\"",  "'",       "\\",   ":",  ",",   "-",    "1",  "a",  " ",
          "\n", "x{},", "[1,", "{a:", "{\"a\":", "{{x:", "[{", "\\u", "\xff", "e1", "0.", "tensor("}) {
        texts.push_back(repeat(piece));
        for (const std::string_view head :
             {"tensor(", "tensor<", "tensor(x[", "tensor(x{}):", "tensor(x{}):{", "tensor(x{}):{\"", "tensor(x[9]):[",
              "tensor(x{},y{},z[3]):{a:", "{{", "{{x:", "{\"type\":", "{\"type\":\"", "{\"cells\":", "{\"values\":[",
              "{\"type\":\"tensor(x{})\",\"cells\":", "{\"type\":\"tensor(x{})\",\"cells\":[{\"address\":"}) {
            texts.push_back(std::string(head) + repeat(piece, size / 20));
        }
    }
    texts.emplace_back(size, '\0');
    return texts;
}

TEST(HostileInput, GivesAnErrorAtOnce) {
    const TensorType types[] = {*TensorType::parse("double"), *TensorType::parse("tensor(x[100])"),
                                *TensorType::parse("tensor(x[10],y[10])"), *TensorType::parse("tensor(x{})"),
                                *TensorType::parse("tensor(x{},y[3],z{})")};
    for (const std::string &text : garbage()) {
        const auto check = [&](const char *what, const Result<Tensor> &value) {
            const bool is_number = text[0] == '1' || text.starts_with("0.");  // a long number is a value
            ASSERT_TRUE(!value || is_number) << what << text.substr(0, 40);
            if (!value) {
                const Issue &issue = value.error().issues()[0];
                ASSERT_LT(issue.message.size() + issue.hint.size() + issue.excerpt.size(), 2000U) << what;
            }
        };
        const auto start = std::chrono::steady_clock::now();
        check("literal ", from_literal(text));
        check("json ", from_json(text));
        check("binary ", from_binary(std::as_bytes(std::span(text))));
        for (const TensorType &type : types) {
            check("literal ", from_literal(text, type));
            check("json ", from_json(text, type));
            check("hex ", from_hex(text, type));
        }
        EXPECT_FALSE(TensorType::parse(text));
        // Generous, for slow machines and sanitizers; quadratic behaviour would take hours.
        EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20)) << text.substr(0, 40);
    }
}

TEST(HostileInput, CutAndChangedTextGivesAValueOrAnError) {
    testing::RandomTensors random(31);
    Limits limits;
    limits.tensor_cells = 100000;
    for (int i = 0; i < 1000; ++i) {
        const TensorType type = random.type();
        const Tensor tensor = random.tensor(type, 3);
        for (std::string text : {to_literal(tensor), to_literal(tensor, LiteralStyle::verbose), to_json(tensor)}) {
            const bool is_json = text.starts_with("{\"");
            switch (random.below(3)) {
                case 0:
                    text.resize(random.below(text.size()));
                    break;
                case 1:
                    text[random.below(text.size())] = static_cast<char>(random.below(256));
                    break;
                default:
                    text.insert(random.below(text.size()), text.substr(random.below(text.size()), 1 + random.below(5)));
            }
            for (const auto &value : {is_json ? from_json(text, limits) : from_literal(text, limits),
                                      is_json ? from_json(text, type, limits) : from_literal(text, type, limits)}) {
                if (value) {
                    ASSERT_EQ(*from_literal(to_literal(*value)), *value) << text;
                    ASSERT_EQ(*from_json(to_json(*value)), *value) << text;
                } else {
                    for (const Issue &issue : value.error().issues()) {
                        ASSERT_LE(issue.span.begin, issue.span.end) << text;
                        ASSERT_LE(issue.span.end, text.size()) << text << "\n" << value.error().message();
                        ASSERT_FALSE(issue.message.empty());
                    }
                }
            }
        }
    }
}

// A few bytes must not ask for much memory: cells that are left out take none until they are used.
TEST(HostileInput, SmallTextsOfLargeTypesAreCheap) {
    const auto start = std::chrono::steady_clock::now();
    const auto value = from_literal("tensor<int8>(x[268435456]):{{x:0}:1}");
    ASSERT_TRUE(value);
    EXPECT_EQ(value->cell(0), 1.0);
    EXPECT_EQ(value->cell(268435455), 0.0);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
}

TEST(HostileInput, BeyondMemoryIsAnError) {
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "the address sanitizer ends the program when memory is short";
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    GTEST_SKIP() << "the sanitizer ends the program when memory is short";
#endif
#endif
    Limits limits;
    limits.block_cells = std::uint64_t{1} << 47;
    limits.tensor_cells = std::uint64_t{1} << 47;
    const auto value = from_literal("tensor(x[140737488355328]):{{x:0}:1}", limits);  // a petabyte
    ASSERT_FALSE(value);
    EXPECT_EQ(value.error().message(), "there is not enough memory for the value");
}

}  // namespace
}  // namespace tenrex

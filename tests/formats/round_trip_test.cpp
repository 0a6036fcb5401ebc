// Random values of all kinds of types survive every format.
#include <tenrex/formats.h>

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include "tests/formats/random_tensor.h"

namespace tenrex::round_trip_test {
namespace {

constexpr int rounds = 500;

TEST(RoundTrip, OfLiterals) {
    testing::RandomTensors random(21);
    for (int i = 0; i < rounds; ++i) {
        const Tensor value = random.tensor(random.type());
        for (const LiteralStyle style : {LiteralStyle::shortest, LiteralStyle::verbose}) {
            const std::string text = to_literal(value, style);
            ASSERT_EQ(text.find('\n'), std::string::npos);
            const auto back = from_literal(text);
            ASSERT_TRUE(back) << text << "\n" << back.error().render();
            ASSERT_EQ(*back, value) << text;
            ASSERT_EQ(to_literal(*back, style), text);
            const auto known = from_literal(text, value.type());
            ASSERT_TRUE(known && *known == value) << text;
        }
        // Without its type, where it is known. The short form nests in the order of the type then.
        const std::string verbose = to_literal(value, LiteralStyle::verbose);
        const std::string type = value.type().to_string() + ":";
        if (!value.type().is_dense() && verbose.starts_with(type)) {
            const auto known = from_literal(verbose.substr(type.size()), value.type());
            ASSERT_TRUE(known && *known == value) << verbose;
        }
    }
}

TEST(RoundTrip, OfJson) {
    testing::RandomTensors random(22);
    using Form = JsonOptions::Form;
    for (int i = 0; i < rounds; ++i) {
        const Tensor value = random.tensor(random.type());
        for (const Form form : {Form::shortest, Form::cells, Form::hex}) {
            const std::string typed = to_json(value, {.form = form, .typed = true});
            const auto back = from_json(typed);
            ASSERT_TRUE(back) << typed << "\n" << back.error().render();
            ASSERT_EQ(*back, value) << typed;
            const auto known = from_json(typed, value.type());
            ASSERT_TRUE(known && *known == value) << typed;

            const std::string direct = to_json(value, {.form = form, .typed = false});
            const auto direct_back = from_json(direct, value.type());
            ASSERT_TRUE(direct_back) << direct << "\n" << direct_back.error().render();
            ASSERT_EQ(*direct_back, value) << direct;
        }
    }
}

TEST(RoundTrip, OfHex) {
    testing::RandomTensors random(23);
    for (int i = 0; i < rounds; ++i) {
        const Tensor value = random.tensor(random.type());
        if (!value.type().has_mapped()) {
            const auto back = from_hex(to_hex(value.view()), value.type());
            ASSERT_TRUE(back && *back == value) << to_literal(value);
        }
    }
}

TEST(RoundTrip, OfBinary) {
    testing::RandomTensors random(24);
    for (int i = 0; i < rounds; ++i) {
        const Tensor value = random.tensor(random.type());
        const std::vector<std::byte> bytes = to_binary(value.view());
        const auto back = from_binary(bytes);
        ASSERT_TRUE(back) << to_literal(value) << "\n" << back.error().render();
        ASSERT_EQ(*back, value) << to_literal(value);
        ASSERT_EQ(to_binary(back->view()), bytes);
    }
}

TEST(RoundTrip, OfLargeValues) {
    testing::RandomTensors random(25);
    for (const std::string_view text :
         {"tensor<float>(x[300],y[70])", "tensor<bfloat16>(k{},x[130])", "tensor(a{},b{})"}) {
        const Tensor value = random.tensor(*TensorType::parse(text), 500);
        EXPECT_EQ(*from_literal(to_literal(value)), value);
        EXPECT_EQ(*from_json(to_json(value)), value);
        EXPECT_EQ(*from_binary(to_binary(value.view())), value);
    }
}

// Another JSON reader agrees on what is JSON. Half of a surrogate pair, which stands for a byte that is not UTF-8, and
// numbers beyond double are all that it does not accept.
TEST(RoundTrip, JsonIsJsonToOthers) {
    constexpr std::string_view characters = "{}[],:\"\\0123456789eE+-. ntfu\n\x01\x7f\xff";
    testing::RandomTensors random(26);
    for (int i = 0; i < rounds; ++i) {
        const Tensor value = random.tensor(random.type());
        const std::string json = to_json(value);
        if (json.find("\\udc") == std::string::npos) {
            ASSERT_TRUE(nlohmann::json::accept(json)) << json;
        }
        // With a character removed, inserted or replaced: what is read as a value is JSON to the other reader as well.
        std::string other = json;
        const std::size_t at = random.below(other.size());
        switch (random.below(3)) {
            case 0:
                other.erase(at, 1);
                break;
            case 1:
                other.insert(at, 1, other[random.below(other.size())]);
                break;
            default:
                other[at] = characters[random.below(characters.size())];
        }
        if (from_json(other) && other.find("\\udc") == std::string::npos) {
            const auto read = nlohmann::json::parse(other, nullptr, false);
            const bool overflows = other.find_first_of("eE") != std::string::npos;
            ASSERT_TRUE(!read.is_discarded() || overflows) << other;
        }
    }
}

}  // namespace
}  // namespace tenrex::round_trip_test

#include <tenrex/label.h>

#include <string>
#include <unordered_map>

#include <gtest/gtest.h>

namespace tenrex {
namespace {

TEST(CanonicalNumber, IsDecimalWithoutSignAndLeadingZeros) {
    EXPECT_EQ(canonical_number("0"), 0U);
    EXPECT_EQ(canonical_number("17"), 17U);
    EXPECT_EQ(canonical_number("9223372036854775807"), 9223372036854775807U);
    for (const std::string_view text :
         {"", "00", "01", "-1", "+1", " 1", "1 ", "1.0", "1e3", "a", "9223372036854775808", "18446744073709551617",
          "99999999999999999999999999", "\xd9\xa1"}) {
        EXPECT_EQ(canonical_number(text), std::nullopt) << text;
    }
}

TEST(LabelTable, GivesNumbersAsTheirOwnIdsWithoutMemory) {
    LabelTable table;
    EXPECT_EQ(table.intern("17"), numeric_label(17));
    EXPECT_EQ(table.find("17"), numeric_label(17));
    EXPECT_EQ(table.find("9223372036854775807"), numeric_label(9223372036854775807U));
    EXPECT_EQ(table.text(numeric_label(17)), "17");
    EXPECT_EQ(table.size(), 0U);
    EXPECT_EQ(table.memory_bytes(), 0U);
}

TEST(LabelTable, GivesEachOtherTextOneId) {
    LabelTable table;
    const Label apple = table.intern("apple");
    const Label zeros = table.intern("00");
    const Label big = table.intern("9223372036854775808");
    EXPECT_FALSE(is_numeric(apple));
    EXPECT_FALSE(is_numeric(zeros));
    EXPECT_FALSE(is_numeric(big));
    EXPECT_EQ(table.intern(std::string("app") + "le"), apple);
    EXPECT_EQ(table.find("apple"), apple);
    EXPECT_EQ(table.find("pear"), std::nullopt);
    EXPECT_EQ(table.text(apple), "apple");
    EXPECT_EQ(table.text(zeros), "00");
    EXPECT_EQ(table.text(big), "9223372036854775808");
    EXPECT_EQ(table.size(), 3U);
    EXPECT_GT(table.memory_bytes(), 0U);
}

TEST(LabelTable, KeepsTextsOfAnyBytes) {
    LabelTable table;
    const std::string zeros("a\0b", 3);
    const Label with_zero = table.intern(zeros);
    EXPECT_NE(table.intern("a"), with_zero);
    EXPECT_EQ(table.text(with_zero), zeros);
    const Label empty = table.intern("");
    EXPECT_EQ(table.text(empty), "");
    EXPECT_EQ(table.find(""), empty);
    const std::string large(100000, 'x');
    EXPECT_EQ(table.text(table.intern(large)), large);
    EXPECT_EQ(table.text(with_zero), zeros);
}

TEST(LabelTable, StaysRightWhileItGrows) {
    LabelTable table;
    std::unordered_map<std::string, Label> expected;
    for (int i = 0; i < 20000; ++i) {
        const std::string text = "label-" + std::to_string(i % 15000);
        const Label label = table.intern(text);
        const auto [entry, is_new] = expected.emplace(text, label);
        EXPECT_EQ(entry->second, label);
    }
    EXPECT_EQ(table.size(), 15000U);
    for (const auto &[text, label] : expected) {
        EXPECT_EQ(table.find(text), label);
        EXPECT_EQ(table.text(label), text);
    }
}

}  // namespace
}  // namespace tenrex

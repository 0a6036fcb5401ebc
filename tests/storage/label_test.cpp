#include <tenrex/label.h>

#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace tenrex::label_test {
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

TEST(LabelTable, IsTheSameForAllThreads) {
    LabelTable table;
    constexpr int count = 3000;
    std::vector<std::vector<Label>> found(4, std::vector<Label>(count));
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < found.size(); ++t) {
        threads.emplace_back([&, t] {
            for (int i = 0; i < count; ++i) {
                // From both ends, so that some texts are new for one thread and known to another.
                const int number = t % 2 == 0 ? i : count - 1 - i;
                const std::string text = "label-" + std::to_string(number);
                const auto known = table.find(text);
                const Label label = table.intern(text);
                EXPECT_TRUE(!known || known == label);
                EXPECT_EQ(table.stored_text(label), text);
                EXPECT_EQ(table.find(text), label);
                found[t][static_cast<std::size_t>(number)] = label;
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    EXPECT_EQ(table.size(), std::size_t{count});
    for (const std::vector<Label> &labels : found) {
        EXPECT_EQ(labels, found[0]);
    }
}

class HeldLabelsOf : public testing::Test {
protected:
    const std::shared_ptr<LabelTable> table = std::make_shared<LabelTable>();
};

TEST_F(HeldLabelsOf, ATableAreTheSameForAllWhoHoldThem) {
    HeldLabels first(table), second(table);
    const Label apple = first.hold("apple");
    EXPECT_FALSE(is_numeric(apple));
    EXPECT_EQ(first.hold("apple"), apple);
    EXPECT_EQ(second.hold("apple"), apple);
    EXPECT_NE(second.hold("pear"), apple);
    EXPECT_EQ(table->find("apple"), apple);
    EXPECT_EQ(table->text(apple), "apple");
    EXPECT_EQ(second.hold("17"), numeric_label(17));
    EXPECT_EQ(table->text(second.hold("")), "");
    first.release();
    EXPECT_EQ(table->find("apple"), apple);
    second.release();
    EXPECT_EQ(table->find("apple"), std::nullopt);
    EXPECT_EQ(table->find(""), std::nullopt);
    EXPECT_EQ(table->size(), 0U);
}

TEST_F(HeldLabelsOf, ATableStayWhenTheyAreInterned) {
    HeldLabels held(table);
    const Label apple = held.hold("apple");
    EXPECT_EQ(table->intern("apple"), apple);
    EXPECT_EQ(held.hold("apple"), apple);
    EXPECT_EQ(table->size(), 1U);
    held.release();
    EXPECT_EQ(table->find("apple"), apple);
    EXPECT_EQ(table->text(apple), "apple");
    EXPECT_NE(held.hold("pear"), apple);
    EXPECT_NE(table->intern("plum"), held.hold("pear"));
}

TEST_F(HeldLabelsOf, ATableMoveWithTheirHolder) {
    HeldLabels held(table);
    const Label apple = held.hold("apple");
    {
        HeldLabels moved(std::move(held));
        held = std::move(moved);
    }
    EXPECT_EQ(table->find("apple"), apple);
    held = HeldLabels(table);
    EXPECT_EQ(table->find("apple"), std::nullopt);
}

TEST_F(HeldLabelsOf, ATableLeaveNothingBehind) {
    const auto hold_many = [&](int first) {
        HeldLabels held(table);
        for (int i = 0; i < 1000; ++i) {
            const std::string text = "held-" + std::to_string(first + i);
            EXPECT_EQ(table->text(held.hold(text)), text);
        }
    };
    hold_many(0);
    const std::size_t before = table->memory_bytes();
    for (int round = 1; round < 20; ++round) {
        hold_many(1000 * round);
    }
    EXPECT_LE(table->memory_bytes(), before + 1000);
}

TEST_F(HeldLabelsOf, ATableComeAndGoInThreads) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
            for (int i = 0; i < 1000; ++i) {
                HeldLabels held(table);
                const std::string shared = "shared-" + std::to_string(i / 3);
                const std::string own = "own-" + std::to_string(t) + "-" + std::to_string(i);
                const Label shared_label = held.hold(shared);
                const Label own_label = held.hold(own);
                EXPECT_EQ(table->find(shared), shared_label);
                EXPECT_EQ(table->stored_text(own_label), own);
                EXPECT_EQ(table->find(own), own_label);
                if (i % 7 == t) {
                    EXPECT_EQ(table->intern(shared), shared_label);
                }
                EXPECT_EQ(table->stored_text(shared_label), shared);
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    EXPECT_EQ(table->find("own-0-5"), std::nullopt);
}

}  // namespace
}  // namespace tenrex::label_test

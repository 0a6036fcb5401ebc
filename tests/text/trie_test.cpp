#include "lib/text/trie.h"

#include <map>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace tenrex::text {
namespace {

TEST(Trie, FindsWhatItHolds) {
    const Trie trie({{"a", 1}, {"ab", 2}, {"abcd", 3}, {"b", 4}, {"\xFF", 5}, {std::string_view("\0", 1), 6}});
    EXPECT_EQ(trie.find("ab"), 2U);
    EXPECT_EQ(trie.find("abc"), Trie::no_value);
    EXPECT_EQ(trie.find(""), Trie::no_value);
    EXPECT_EQ(trie.find("\xFF"), 5U);
    EXPECT_EQ(trie.find(std::string_view("\0", 1)), 6U);
    EXPECT_EQ(trie.find(std::string_view("\0\0", 2)), Trie::no_value);
    EXPECT_EQ(trie.longest("abcx").length, 2U);
    EXPECT_EQ(trie.longest("abcde").value, 3U);
    EXPECT_EQ(trie.longest("c").length, 0U);
}

TEST(Trie, MayBeEmpty) {
    for (const Trie &trie : {Trie(), Trie(std::vector<std::pair<std::string_view, std::uint32_t>>())}) {
        EXPECT_EQ(trie.find("a"), Trie::no_value);
        EXPECT_EQ(trie.find(std::string_view("\0", 1)), Trie::no_value);
        EXPECT_EQ(trie.longest(std::string_view("\0a", 2)).length, 0U);
    }
}

TEST(Trie, TakesTheLastOfEqualKeys) {
    EXPECT_EQ(Trie({{"a", 1}, {"b", 2}, {"a", 3}}).find("a"), 3U);
}

TEST(Trie, AgreesWithAMap) {
    std::mt19937 random(3);
    std::map<std::string, std::uint32_t> map;
    for (std::uint32_t i = 0; i < 5000; ++i) {
        std::string key;
        for (std::size_t length = 1 + random() % 6; length > 0; --length) {
            key += static_cast<char>(random() % (random() % 2 == 0 ? 4 : 256));
        }
        map[key] = i;
    }
    const Trie trie({map.begin(), map.end()});
    for (const auto &[key, value] : map) {
        ASSERT_EQ(trie.find(key), value);
        const std::string longer = key + "\x01\x02";
        std::size_t longest = 0;
        for (std::size_t length = 1; length <= longer.size(); ++length) {
            longest = map.count(longer.substr(0, length)) != 0 ? length : longest;
        }
        ASSERT_EQ(trie.longest(longer).length, longest);
        ASSERT_EQ(trie.find(longer), map.count(longer) != 0 ? map[longer] : Trie::no_value);
    }
}

}  // namespace
}  // namespace tenrex::text

#include <tenrex/response_cache.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace tenrex {
namespace {

Tokens tokens_of(std::vector<std::uint32_t> ids, std::vector<std::uint32_t> types) {
    Tokens tokens;
    tokens.ids = std::move(ids);
    tokens.type_ids = std::move(types);
    return tokens;
}

TEST(ResponseCache, GivesTheBitsThatWereKept) {
    ResponseCache cache(10000);
    const std::vector<float> kept = {1, -0.0F, std::numeric_limits<float>::quiet_NaN(),
                                     std::numeric_limits<float>::denorm_min()};
    std::vector<float> found(4);
    EXPECT_FALSE(cache.find("a", found));
    cache.keep("a", kept);
    ASSERT_TRUE(cache.find("a", found));
    EXPECT_EQ(std::memcmp(found.data(), kept.data(), sizeof(float) * 4), 0);
    EXPECT_FALSE(cache.find("b", found));
    const auto statistics = cache.statistics();
    EXPECT_EQ(statistics.answers, 1U);
    EXPECT_EQ(statistics.hits, 1U);
    EXPECT_EQ(statistics.misses, 2U);
    cache.clear();
    EXPECT_FALSE(cache.find("a", found));
    EXPECT_EQ(cache.statistics().bytes, 0U);
}

TEST(ResponseCache, AnotherSizeIsAnotherAnswer) {
    ResponseCache cache(10000);
    cache.keep("a", std::vector<float>{1, 2});
    std::vector<float> three(3);
    EXPECT_FALSE(cache.find("a", three));
    cache.keep("a", std::vector<float>{1, 2, 3});
    EXPECT_TRUE(cache.find("a", three));
    EXPECT_EQ(cache.statistics().answers, 1U);
    cache.keep("", {});
    EXPECT_TRUE(cache.find("", {}));
}

TEST(ResponseCache, KeysDifferWhateverDiffers) {
    const std::vector<std::string> keys = {
        ResponseCache::key("", tokens_of({}, {})),           ResponseCache::key("m", tokens_of({}, {})),
        ResponseCache::key("m f32", tokens_of({1, 2}, {})),  ResponseCache::key("m int8", tokens_of({1, 2}, {})),
        ResponseCache::key("m f32", tokens_of({1}, {2})),    ResponseCache::key("m f32", tokens_of({1}, {})),
        ResponseCache::key("m f32", tokens_of({2, 1}, {})),  ResponseCache::key("m f32", tokens_of({}, {1, 2})),
        ResponseCache::key("m f32", tokens_of({257, 2}, {}))};
    for (std::size_t i = 0; i < keys.size(); ++i) {
        for (std::size_t j = 0; j < keys.size(); ++j) {
            EXPECT_EQ(keys[i] == keys[j], i == j) << i << " " << j;
        }
    }
}

TEST(ResponseCache, ForgetsWhatWasNotAskedForTheLongest) {
    const std::vector<float> answer(100, 1);
    ResponseCache probe(10000);
    probe.keep("0", answer);
    const std::size_t bytes_of_one = probe.statistics().bytes;
    EXPECT_GT(bytes_of_one, answer.size() * sizeof(float));
    ResponseCache cache(3 * bytes_of_one);
    std::vector<float> found(100);
    for (const char *key : {"0", "1", "2"}) {
        cache.keep(key, answer);
    }
    EXPECT_TRUE(cache.find("0", found));
    cache.keep("3", answer);
    EXPECT_FALSE(cache.find("1", found));
    for (const char *key : {"0", "2", "3"}) {
        EXPECT_TRUE(cache.find(key, found)) << key;
    }
    EXPECT_EQ(cache.statistics().bytes, 3 * bytes_of_one);
    cache.keep("large", std::vector<float>(1000));
    EXPECT_EQ(cache.statistics().answers, 3U);
    ResponseCache none(0);
    none.keep("0", answer);
    EXPECT_FALSE(none.find("0", found));
}

TEST(ResponseCache, ThreadsShareIt) {
    ResponseCache cache(20000);  // of 200 answers it keeps some
    std::vector<std::jthread> threads;
    for (unsigned thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&cache, thread] {
            std::vector<float> found(8);
            for (unsigned i = 0; i < 2000; ++i) {
                const unsigned number = (i * 7 + thread * 13) % 200;
                const std::string key = std::to_string(number);
                if (cache.find(key, found)) {
                    EXPECT_EQ(found, std::vector<float>(8, static_cast<float>(number)));
                } else {
                    cache.keep(key, std::vector<float>(8, static_cast<float>(number)));
                }
            }
        });
    }
    threads.clear();
    const auto statistics = cache.statistics();
    EXPECT_EQ(statistics.hits + statistics.misses, 8000U);
    EXPECT_LE(statistics.bytes, 20000U);
}

}  // namespace
}  // namespace tenrex

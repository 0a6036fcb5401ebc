// What a model answered to the same tokens before. In the library tenrex::text.
//
//   tenrex::ResponseCache cache(64 << 20);
//   const std::string key = tenrex::ResponseCache::key("e5 int8 mean", tokens);
//   if (!cache.find(key, vector)) { compute(tokens, vector); cache.keep(key, vector); }
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/result.h>
#include <tenrex/tokenizer.h>

namespace tenrex {

// Threads may share it. Full, it forgets what was not asked for the longest time. Whole keys are compared, so an answer
// is never that to other tokens, and it has the bits that were kept.
class ResponseCache {
public:
    // most_bytes: what answers, keys and the places of both may take.
    explicit ResponseCache(std::size_t most_bytes);
    ResponseCache(const ResponseCache &) = delete;
    ResponseCache &operator=(const ResponseCache &) = delete;
    ~ResponseCache();

    // model: all that decides about the answer beside the tokens: which model, in which precision, and what is made of
    // its output. A prefix and a limit of the length are in the tokens.
    static std::string key(std::string_view model, const Tokens &tokens);

    // False: it is not there.
    bool find(std::string_view key, std::span<float> answer) const;
    // Only answers without an error. Nothing happens if it alone is larger than the limit.
    void keep(std::string_view key, std::span<const float> answer);

    struct Statistics {
        std::size_t answers = 0;  // kept now
        std::size_t bytes = 0;
        std::uint64_t hits = 0;
        std::uint64_t misses = 0;
    };
    Statistics statistics() const;
    void clear();

private:
    struct Content;
    std::unique_ptr<Content> content_;
};

}  // namespace tenrex

#include <tenrex/response_cache.h>

#include <algorithm>
#include <iterator>
#include <list>
#include <mutex>
#include <unordered_map>

namespace tenrex {

namespace {

void append_number(std::uint64_t number, std::size_t bytes, std::string &key) {
    for (std::size_t i = 0; i < bytes; ++i) {
        key += static_cast<char>(static_cast<unsigned char>(number >> (8 * i)));
    }
}

}  // namespace

struct ResponseCache::Content {
    struct Answer {
        std::string key;
        std::vector<float> cells;
    };

    explicit Content(std::size_t bytes) : most_bytes(bytes) {}

    static std::size_t bytes_of(std::string_view key, std::span<const float> cells) noexcept {
        // What a list and a table need for an entry, beside its key and cells.
        constexpr std::size_t place_bytes = sizeof(Answer) + 8 * sizeof(void *);
        return key.size() + cells.size_bytes() + place_bytes;
    }

    void remove_last() {
        statistics.bytes -= bytes_of(answers.back().key, answers.back().cells);
        places.erase(answers.back().key);
        answers.pop_back();
    }

    const std::size_t most_bytes;
    std::mutex mutex;
    std::list<Answer> answers;                                                 // that which was asked for last in front
    std::unordered_map<std::string_view, std::list<Answer>::iterator> places;  // of their keys
    Statistics statistics;
};

ResponseCache::ResponseCache(std::size_t most_bytes) : content_(std::make_unique<Content>(most_bytes)) {}
ResponseCache::~ResponseCache() = default;

// The sizes are in front, so no two lists give one key.
std::string ResponseCache::key(std::string_view model, const Tokens &tokens) {
    std::string key;
    key.reserve(2 * sizeof(std::uint64_t) + model.size() +
                (tokens.ids.size() + tokens.type_ids.size()) * sizeof(std::uint32_t));
    append_number(model.size(), sizeof(std::uint64_t), key);
    append_number(tokens.ids.size(), sizeof(std::uint64_t), key);
    key += model;
    for (const auto *numbers : {&tokens.ids, &tokens.type_ids}) {
        for (const std::uint32_t number : *numbers) {
            append_number(number, sizeof(number), key);
        }
    }
    return key;
}

bool ResponseCache::find(std::string_view key, std::span<float> answer) const {
    const std::scoped_lock lock(content_->mutex);
    const auto found = content_->places.find(key);
    if (found == content_->places.end() || found->second->cells.size() != answer.size()) {
        ++content_->statistics.misses;
        return false;
    }
    ++content_->statistics.hits;
    content_->answers.splice(content_->answers.begin(), content_->answers, found->second);
    std::copy(found->second->cells.begin(), found->second->cells.end(), answer.begin());
    return true;
}

void ResponseCache::keep(std::string_view key, std::span<const float> answer) {
    const std::size_t bytes = Content::bytes_of(key, answer);
    if (bytes > content_->most_bytes) {
        return;
    }
    const std::scoped_lock lock(content_->mutex);
    if (const auto found = content_->places.find(key); found != content_->places.end()) {
        // Another thread computed it at the same time, or an answer of another size is replaced.
        content_->answers.splice(content_->answers.end(), content_->answers, found->second);
        content_->remove_last();
    }
    while (content_->statistics.bytes + bytes > content_->most_bytes) {
        content_->remove_last();
    }
    content_->answers.push_front({std::string(key), {answer.begin(), answer.end()}});
    content_->places.emplace(content_->answers.front().key, content_->answers.begin());
    content_->statistics.bytes += bytes;
}

ResponseCache::Statistics ResponseCache::statistics() const {
    const std::scoped_lock lock(content_->mutex);
    Statistics statistics = content_->statistics;
    statistics.answers = content_->answers.size();
    return statistics;
}

void ResponseCache::clear() {
    const std::scoped_lock lock(content_->mutex);
    content_->places.clear();
    content_->answers.clear();
    content_->statistics.bytes = 0;
}

}  // namespace tenrex

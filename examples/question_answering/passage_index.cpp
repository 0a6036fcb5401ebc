#include "examples/question_answering/passage_index.h"

#include <atomic>
#include <chrono>
#include <optional>
#include <span>
#include <thread>

namespace tenrex::examples {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

Result<PassageIndex> PassageIndex::make(TextModel encoder, const std::vector<std::string> &passages,
                                        std::size_t threads) {
    std::vector<std::optional<Result<TextModel::Answer>>> vectors(passages.size());
    std::atomic<std::size_t> next = 0;
    {
        std::vector<std::jthread> workers;
        for (std::size_t thread = 0; thread < threads; ++thread) {
            workers.emplace_back([&] {
                TextModel::Worker worker(encoder);
                for (std::size_t i = next++; i < passages.size(); i = next++) {
                    vectors[i] = encoder.run(passages[i], std::nullopt, worker);
                }
            });
        }
    }
    std::optional<VectorIndex> index;
    for (const auto &vector : vectors) {
        if (!*vector) {
            return vector->error();
        }
        const std::span<const float> cells = (*vector)->values.front().cells<float>();
        if (!index) {
            VectorIndexOptions options;
            options.dimensions = cells.size();
            options.metric = DistanceMetric::angular;
            auto created = VectorIndex::create(options);
            if (!created) {
                return created.error();
            }
            index.emplace(*std::move(created));
        }
        if (const auto id = index->add(cells); !id) {
            return id.error();
        }
    }
    return index ? Result<PassageIndex>(PassageIndex(std::move(encoder), *std::move(index)))
                 : Error("there are no passages");
}

Result<PassageIndex::Found> PassageIndex::find(const std::string &question, std::size_t count) {
    Found found;
    auto start = Clock::now();
    const auto vector = encoder_.run(question, std::nullopt, worker_);
    if (!vector) {
        return vector.error();
    }
    found.encoder_seconds = seconds_since(start);
    start = Clock::now();
    NeighborSearch search;
    search.count = count;
    search.explored = 4 * count;
    const auto nearest = index_.search(vector->values.front().cells<float>(), search, memory_);
    if (!nearest) {
        return nearest.error();
    }
    for (const Neighbor &neighbor : *nearest) {
        found.passages.push_back(neighbor.id);
    }
    found.search_seconds = seconds_since(start);
    return found;
}

}  // namespace tenrex::examples

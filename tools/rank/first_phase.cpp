// The first phase: of all documents, or of those that are retrieved.
#include <algorithm>
#include <utility>

#include "tools/rank/parallel.h"
#include "tools/rank/ranker_run.h"

namespace tenrex::tool {

// How many hits later phases or the caller want.
std::size_t Ranker::Run::most_hits() const {
    return std::max({ranker_.options_.hits, ranker_.profile_.second_phase().rerank_count,
                     ranker_.profile_.global_phase().rerank_count});
}

void Ranker::Run::keep_first(TopHits top, std::size_t documents, Clock::time_point start) {
    list_.hits = std::move(top).take();
    first_scores_.clear();
    for (const Hit &hit : list_.hits) {
        first_scores_.emplace(hit.document, hit.score);
    }
    second_scores_ = first_scores_;
    time("first phase", documents, start);
}

// Each document once, in their order.
Result<std::vector<std::uint64_t>> Ranker::Run::retrieve() {
    std::vector<std::uint64_t> documents;
    std::size_t vectors = 0;
    for (const RetrieveArgument &argument : ranker_.options_.retrieve) {
        auto found = argument.is_text() ? Result<std::vector<std::uint64_t>>(ranker_.texts_->best(argument.target_hits))
                                        : ranker_.retrievers_[vectors++].documents(values_);
        if (!found) {
            return found;
        }
        documents.insert(documents.end(), found->begin(), found->end());
    }
    std::sort(documents.begin(), documents.end());
    documents.erase(std::unique(documents.begin(), documents.end()), documents.end());
    return documents;
}

Status Ranker::Run::first_phase_of_retrieved() {
    auto start = Clock::now();
    const auto documents = retrieve();
    if (!documents) {
        return documents.error();
    }
    time("retrieval", ranker_.store_.documents(), start);
    if (ranker_.options_.compare_exactly) {
        for (VectorRetriever &retriever : ranker_.retrievers_) {
            if (Status status = retriever.compare(values_); !status) {
                return status;
            }
        }
    }
    start = Clock::now();
    for (const std::uint64_t document : *documents) {
        list_.hits.push_back({document, 0});
        first_scores_.emplace(document, 0);
    }
    second_scores_ = first_scores_;
    const RankPhase &phase = ranker_.profile_.first_phase();
    if (Status status = measure("first phase", phase, ranker_.first_functions_, documents->size(), start); !status) {
        return status;
    }
    const auto scores = score_hits(ranker_.first_, documents->size());
    if (!scores) {
        return scores.error();
    }
    list_.nan_scores.first = holds_nan(*scores);
    TopHits top(most_hits());
    for (std::size_t i = 0; i < documents->size(); ++i) {
        if (!dropped((*scores)[i], phase.drop_limit)) {
            top.add((*documents)[i], (*scores)[i]);
        }
    }
    keep_first(std::move(top), documents->size(), start);
    return {};
}

Status Ranker::Run::first_phase() {
    if (!ranker_.options_.retrieve.empty()) {
        return first_phase_of_retrieved();
    }
    const auto start = Clock::now();
    const RankPhase &phase = ranker_.profile_.first_phase();
    const DocumentStore &store = ranker_.store_;
    const std::size_t threads = ranker_.options_.threads;
    const auto query = phase.plan->bind(values_);
    if (!query) {
        return query.error();
    }
    const std::size_t most = most_hits();
    struct Worker {
        TopHits top;
        PhaseColumns::Block block;
        std::vector<double> scores = std::vector<double>(block_documents);
        bool has_nan = false;
    };
    std::vector<Worker> workers;
    for (std::size_t i = 0; i < threads; ++i) {
        workers.push_back({TopHits(most), {}});
    }
    FailureBox failure;
    run_parallel(threads, store.segments(), [&](std::size_t thread, std::size_t index) {
        const DocumentSegment &segment = store.segment(index);
        Worker &worker = workers[thread];
        for (std::size_t begin = 0; begin < segment.documents(); begin += block_documents) {
            const std::size_t count = std::min(block_documents, segment.documents() - begin);
            const std::uint64_t number = store.first(index) + begin;
            ranker_.first_.columns().set(worker.block, segment, begin, number);
            const std::span<double> scores(worker.scores.data(), count);
            const Status status =
                query->evaluate({count, worker.block.columns()}, ranker_.first_.context(thread), scores);
            if (!status) {
                failure.put(status.error());
                return;
            }
            worker.has_nan = worker.has_nan || holds_nan(scores);
            for (std::size_t i = 0; i < count; ++i) {
                if (!dropped(scores[i], phase.drop_limit)) {
                    worker.top.add(number + i, scores[i]);
                }
            }
        }
    });
    if (failure.error()) {
        return *failure.error();
    }
    for (std::size_t i = 0; i < threads; ++i) {
        list_.nan_scores.first = list_.nan_scores.first || workers[i].has_nan;
        if (i != 0) {
            workers[0].top.merge(workers[i].top);
        }
    }
    keep_first(std::move(workers[0].top), store.documents(), start);
    auto now = Clock::now();
    return measure("first phase", phase, ranker_.first_functions_, std::nullopt, now);
}

}  // namespace tenrex::tool

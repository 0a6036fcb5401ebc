#include "tools/rank/ranker.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "tools/rank/parallel.h"
#include "tools/rank/ranker_run.h"
#include "tools/thread_pool.h"

namespace tenrex::tool {

namespace {

// Hits that a thread takes at a time, and how many bytes of them it gathers before it evaluates.
constexpr std::size_t hits_at_a_time = 64;
constexpr std::size_t most_gathered_bytes = std::size_t{1} << 20;
// Hits that tell how long the others will take, and for how long of that threads are started.
constexpr std::size_t hits_to_try = 2;
constexpr std::chrono::microseconds worth_a_thread{500};
// Documents of the first phase for which its functions are measured.
constexpr std::size_t most_measured = 16 * block_documents;

}  // namespace

void Ranker::Run::time(const char *phase, std::size_t documents, Clock::time_point start) {
    list_.times.push_back({phase, documents, std::chrono::duration<double>(Clock::now() - start).count()});
}

Status Ranker::Run::measure(const char *phase, const RankPhase &functions, std::vector<PhaseScorer> &scorers,
                            std::optional<std::size_t> hits, Clock::time_point &start) {
    const auto begin = Clock::now();
    for (std::size_t i = 0; i < scorers.size(); ++i) {
        FunctionTime time{phase, functions.functions[i].name};
        if (Status status = measure(scorers[i], hits, time); !status) {
            return status;
        }
        list_.function_times.push_back(std::move(time));
    }
    start += Clock::now() - begin;
    return {};
}

Status Ranker::Run::measure(PhaseScorer &scorer, std::optional<std::size_t> hits, FunctionTime &time) {
    const auto query = scorer.plan()->bind(values_);
    if (!query) {
        return query.error();
    }
    const DocumentStore &store = ranker_.store_;
    const std::size_t all = hits.value_or(std::min(store.documents(), most_measured));
    std::vector<double> seconds(scorer.plan()->steps(Stage::document).size());
    PhaseColumns::Block block;
    while (time.documents < all) {
        std::size_t count = 0;
        if (hits) {
            count = gather(scorer, block, time.documents, all);
        } else {
            const DocumentStore::Place place = store.place(time.documents);
            count = std::min({block_documents, all - time.documents, place.segment->documents() - place.document});
            scorer.columns().set(block, *place.segment, place.document, time.documents);
        }
        Status status = query->profile({count, block.columns()}, scorer.context(0), seconds);
        if (!status) {
            return status;
        }
        time.documents += count;
    }
    time.seconds = std::accumulate(seconds.begin(), seconds.end(), 0.0);
    return {};
}

HitScores Ranker::Run::known(std::size_t hit) const {
    const std::uint64_t document = list_.hits[hit].document;
    const std::size_t normalizers = ranker_.profile_.global_phase().normalizers.size();
    HitScores scores{first_scores_.at(document), second_scores_.at(document), {}};
    if (!normalized_.empty()) {
        scores.normalized = std::span(normalized_).subspan(hit * normalizers, normalizers);
    }
    return scores;
}

std::size_t Ranker::Run::gather(const PhaseScorer &scorer, PhaseColumns::Block &block, std::size_t begin,
                                std::size_t end) const {
    std::size_t hit = begin;
    scorer.columns().begin(block);
    do {
        scorer.columns().add(block, ranker_.store_, list_.hits[hit].document, known(hit));
    } while (++hit < end && block.bytes() < most_gathered_bytes);
    scorer.columns().end(block);
    return hit - begin;
}

Result<std::vector<double>> Ranker::Run::score_hits(PhaseScorer &scorer, std::size_t count) {
    const auto query = scorer.plan()->bind(values_);
    if (!query) {
        return query.error();
    }
    const std::size_t threads = ranker_.options_.threads;
    const std::size_t outputs = scorer.plan()->outputs().size();
    std::vector<double> scores(outputs * count);
    struct Worker {
        PhaseColumns::Block block;
        std::vector<std::span<double>> spans;
    };
    std::vector<Worker> workers(threads);
    FailureBox failure;
    const auto score = [&](std::size_t thread, std::size_t begin, std::size_t end) {
        Worker &worker = workers[thread];
        for (std::size_t hit = begin, hits = 0; hit < end; hit += hits) {
            hits = gather(scorer, worker.block, hit, end);
            worker.spans.clear();
            for (std::size_t output = 0; output < outputs; ++output) {
                worker.spans.emplace_back(scores.data() + output * count + hit, hits);
            }
            const Status status = query->evaluate({hits, worker.block.columns()}, scorer.context(thread),
                                                  std::span<const std::span<double>>(worker.spans));
            if (!status) {
                failure.put(status.error());
                return;
            }
        }
    };
    // Where a hit takes long, as a network does, few hits keep all threads busy, too.
    const auto start = Clock::now();
    const std::size_t tried = std::min(count, hits_to_try);
    score(0, 0, tried);
    const std::size_t rest = count - tried;
    const bool is_slow = (Clock::now() - start) * rest > worth_a_thread * tried;
    const std::size_t piece =
        is_slow ? std::clamp<std::size_t>(rest / (4 * threads), 1, hits_at_a_time) : hits_at_a_time;
    run_parallel(threads, (rest + piece - 1) / piece, [&](std::size_t thread, std::size_t index) {
        score(thread, tried + index * piece, tried + std::min(rest, (index + 1) * piece));
    });
    if (failure.error()) {
        return *failure.error();
    }
    return scores;
}

void Ranker::Run::rerank_best(const std::vector<double> &scores, const std::optional<double> &drop_limit,
                              bool &has_nan) {
    has_nan = holds_nan(scores);
    rerank(list_.hits, scores);
    std::erase_if(list_.hits, [&](const Hit &hit) { return dropped(hit.score, drop_limit); });
}

Status Ranker::Run::second_phase() {
    const RankPhase &phase = ranker_.profile_.second_phase();
    if (!phase.plan) {
        return {};
    }
    auto start = Clock::now();
    const std::size_t count = std::min(phase.rerank_count, list_.hits.size());
    if (Status status = measure("second phase", phase, ranker_.second_functions_, count, start); !status) {
        return status;
    }
    const auto scores = score_hits(ranker_.second_, count);
    if (!scores) {
        return scores.error();
    }
    rerank_best(*scores, phase.drop_limit, list_.nan_scores.second);
    for (const Hit &hit : list_.hits) {
        second_scores_[hit.document] = hit.score;
    }
    time("second phase", count, start);
    return {};
}

// The values of all normalizers, hit by hit.
Result<std::vector<double>> Ranker::Run::normalize(std::size_t count) {
    const GlobalPhase &phase = ranker_.profile_.global_phase();
    const auto values = score_hits(ranker_.normalized_, count);
    if (!values) {
        return values.error();
    }
    std::vector<double> normalized(count * phase.normalizers.size());
    for (std::size_t i = 0; i < phase.normalizers.size(); ++i) {
        const Normalizer &normalizer = phase.normalizers[i];
        const auto of_output = std::span(*values).subspan(normalizer.output * count, count);
        const std::vector<double> result = normalizer.kind == NormalizerKind::linear
                                               ? normalize_linear(of_output)
                                               : reciprocal_rank(of_output, normalizer.k);
        for (std::size_t hit = 0; hit < count; ++hit) {
            normalized[hit * phase.normalizers.size() + i] = result[hit];
        }
    }
    return normalized;
}

Status Ranker::Run::global_phase() {
    const GlobalPhase &phase = ranker_.profile_.global_phase();
    if (!phase.plan) {
        return {};
    }
    auto start = Clock::now();
    const std::size_t count = std::min(phase.rerank_count, list_.hits.size());
    if (phase.normalized.plan) {
        auto normalized = normalize(count);
        if (!normalized) {
            return normalized.error();
        }
        normalized_ = *std::move(normalized);
    }
    if (Status status = measure("global phase", phase, ranker_.global_functions_, count, start); !status) {
        return status;
    }
    const auto scores = score_hits(ranker_.global_, count);
    if (!scores) {
        return scores.error();
    }
    normalized_.clear();
    rerank_best(*scores, phase.drop_limit, list_.nan_scores.global);
    time("global phase", count, start);
    return {};
}

Status Ranker::Run::features() {
    const FeatureOutputs &features = ranker_.profile_.features();
    if (!features.plan || !ranker_.options_.features) {
        return {};
    }
    const auto start = Clock::now();
    const auto query = features.plan->bind(values_);
    if (!query) {
        return query.error();
    }
    const std::size_t count = list_.hits.size();
    const std::size_t outputs = features.plan->outputs().size();
    list_.features.resize(outputs * count);
    PhaseColumns::Block block;
    for (std::size_t hit = 0, hits = 0; hit < count; hit += hits) {
        hits = gather(ranker_.features_, block, hit, std::min(count, hit + hits_at_a_time));
        auto values = query->evaluate_tensors({hits, block.columns()}, ranker_.features_.context(0));
        if (!values) {
            return values.error();
        }
        for (std::size_t output = 0; output < outputs; ++output) {
            std::move(values->begin() + static_cast<std::ptrdiff_t>(output * hits),
                      values->begin() + static_cast<std::ptrdiff_t>((output + 1) * hits),
                      list_.features.begin() + static_cast<std::ptrdiff_t>(output * count + hit));
        }
    }
    time("features", count, start);
    return {};
}

Result<RankedList> Ranker::Run::run() {
    for (const auto phase : {&Run::first_phase, &Run::second_phase, &Run::global_phase}) {
        if (const Status status = (this->*phase)(); !status) {
            return status.error();
        }
    }
    list_.hits.resize(std::min(list_.hits.size(), ranker_.options_.hits));
    if (const Status status = features(); !status) {
        return status.error();
    }
    return std::move(list_);
}

Ranker::Ranker(const RankProfile &profile, const DocumentLayout &layout, const DocumentStore &store,
               const RankOptions &options)
    : profile_(profile),
      store_(store),
      options_(options),
      texts_(layout.texts().empty()
                 ? std::nullopt
                 : std::optional<TextFeatures>(std::in_place, layout, store, profile.feature_properties())),
      first_(make_scorer(layout, profile.first_phase(), {})),
      second_(make_scorer(layout, profile.second_phase(), {})),
      normalized_(make_scorer(layout, profile.global_phase().normalized, {})),
      global_(make_scorer(layout, profile.global_phase(), profile.global_phase().normalizers)),
      features_(profile.features().plan, make_columns(layout, profile.features().columns, {}), 1),
      first_functions_(make_function_scorers(layout, profile.first_phase(), {})),
      second_functions_(make_function_scorers(layout, profile.second_phase(), {})),
      global_functions_(make_function_scorers(layout, profile.global_phase(), profile.global_phase().normalizers)) {}

std::vector<PhaseScorer> Ranker::make_function_scorers(const DocumentLayout &layout, const RankPhase &phase,
                                                       const std::vector<Normalizer> &normalizers) {
    std::vector<PhaseScorer> scorers;
    for (const FunctionPlan &function : phase.functions) {
        scorers.emplace_back(function.plan, make_columns(layout, function.columns, normalizers), 1);
    }
    return scorers;
}

PhaseScorer Ranker::make_scorer(const DocumentLayout &layout, const RankPhase &phase,
                                const std::vector<Normalizer> &normalizers) {
    return {phase.plan, make_columns(layout, phase.columns, normalizers), options_.threads};
}

PhaseColumns Ranker::make_columns(const DocumentLayout &layout, const std::vector<ColumnNeed> &needs,
                                  const std::vector<Normalizer> &normalizers) {
    return {layout, needs, normalizers, options_.seed, texts_ ? &*texts_ : nullptr};
}

Status Ranker::prepare(const DocumentLayout &layout) {
    ThreadPool threads(options_.retrieve.empty() ? 1 : options_.threads);
    for (const RetrieveArgument &argument : options_.retrieve) {
        if (argument.is_text()) {
            continue;
        }
        auto retriever = VectorRetriever::make(argument, profile_, layout, store_, threads);
        if (!retriever) {
            return retriever.error();
        }
        retrievers_.push_back(*std::move(retriever));
    }
    return {};
}

Result<RankedList> Ranker::rank(const RankQuery &query, double now) {
    const auto values = profile_.query_values(query.values, now);
    if (!values) {
        return values.error();
    }
    if (texts_) {
        texts_->set_query(query.text);
    }
    return Run(*this, *values).run();
}

}  // namespace tenrex::tool

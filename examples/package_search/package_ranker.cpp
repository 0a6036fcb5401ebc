#include "examples/package_search/package_ranker.h"

#include <algorithm>
#include <chrono>
#include <new>

namespace tenrex::packages {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// A query of FTS5 for rows with all the words, whatever characters they have.
std::string match_all(const std::vector<std::string> &words) {
    std::string match;
    for (const std::string &word : words) {
        match += match.empty() ? "\"" : " \"";
        for (const char c : word) {
            match += c == '"' ? "\"\"" : std::string(1, c);
        }
        match += '"';
    }
    return match;
}

}  // namespace

Result<std::unique_ptr<PackageRanker>> PackageRanker::make(Database &database, const PackageIndex &index,
                                                           std::string_view profile, const std::string &file_name) {
    const auto set = ProfileSet::parse(profile, file_name);
    if (!set) {
        return set.error();
    }
    ProfileOptions options;
    options.host_feature = [](std::string_view name) {
        return sqlite::find_text_feature(name, PackageIndex::fields()) ? std::optional(TensorType()) : std::nullopt;
    };
    auto compiled = compile_profile(*set, set->names().front(), options);
    if (!compiled) {
        return compiled.error();
    }
    std::unique_ptr<PackageRanker> ranker(new PackageRanker(database, *std::move(compiled)));
    if (Status status = ranker->make_runners(index); !status) {
        return status.error();
    }
    const double now = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
    auto values = ranker->profile_.query_values({}, now);
    if (!values) {
        return values.error();
    }
    ranker->values_ = *std::move(values);
    if (Status status = database.define("collect", collect, ranker.get()); !status) {
        return status.error();
    }
    return ranker;
}

Status PackageRanker::make_runners(const PackageIndex &index) {
    if (profile_.global_phase().plan) {
        return Error("packages are ranked in two phases: a global phase has no place here");
    }
    const auto make = [&](const std::optional<Plan> &plan, const std::vector<ColumnNeed> &needs,
                          std::optional<PhaseRunner> &runner) -> Status {
        if (plan) {
            auto made = PhaseRunner::make(*plan, needs, index);
            if (!made) {
                return made.error();
            }
            runner = *std::move(made);
        }
        return {};
    };
    const RankPhase &first = profile_.first_phase(), &second = profile_.second_phase();
    for (const Status &status : {make(first.plan, first.columns, first_), make(second.plan, second.columns, second_),
                                 make(profile_.features().plan, profile_.features().columns, features_)}) {
        if (!status) {
            return status;
        }
    }
    return {};
}

// Called by FTS5 for each row of a statement.
void PackageRanker::collect(const Fts5ExtensionApi *api, Fts5Context *fts, sqlite3_context *context, int,
                            sqlite3_value **) {
    auto &ranker = *static_cast<PackageRanker *>(api->xUserData(fts));
    const auto row = static_cast<std::uint64_t>(api->xRowid(fts));
    if (!ranker.wants_all_ && !ranker.wanted_.contains(row)) {
        return;
    }
    try {
        const auto known = ranker.scores_.find(row);
        const RowScores scores = known == ranker.scores_.end() ? RowScores() : known->second;
        if (const Status status = ranker.runner_->add(*api, fts, scores); !status) {
            ranker.failure_ = status.error();
            sqlite3_result_error(context, status.error().message().c_str(), -1);
        }
    } catch (const std::bad_alloc &) {
        sqlite3_result_error_nomem(context);
    }
}

Status PackageRanker::run_statement(const std::string &match) {
    auto statement = database_.prepare("SELECT collect(packages) FROM packages WHERE packages MATCH ?1");
    if (!statement) {
        return statement.error();
    }
    statement->bind(1, match);
    return statement->run();
}

Status PackageRanker::first_phase(const std::string &match, std::size_t most, Answer &answer) {
    const auto start = Clock::now();
    TopHits top(most);
    const auto limit = profile_.first_phase().drop_limit;
    runner_ = &*first_;
    wants_all_ = true;
    Status status = first_->begin(values_, [&](std::uint64_t row, std::span<const double> outputs) {
        ++answer.matches;
        if (!limit || outputs[0] > *limit) {
            top.add(row, outputs[0]);
        }
    });
    if (!status) {
        return status;
    }
    if (status = run_statement(match); status) {
        status = first_->finish();
    }
    if (!status) {
        return status;
    }
    answer.hits = std::move(top).take();
    for (const Hit &hit : answer.hits) {
        scores_[hit.document] = {hit.score, hit.score};
    }
    const double evaluating = first_->seconds();
    answer.times.push_back({"matching and text features", answer.matches, seconds_since(start) - evaluating});
    answer.times.push_back({"first phase", answer.matches, evaluating});
    return {};
}

Status PackageRanker::run_for_hits(PhaseRunner &runner, const std::string &match, std::size_t count,
                                   const Answer &answer) {
    // One more pass over the matches costs less than looking for each hit.
    runner_ = &runner;
    wants_all_ = false;
    wanted_.clear();
    for (std::size_t i = 0; i < count; ++i) {
        wanted_.emplace(answer.hits[i].document, i);
    }
    const Status status = run_statement(match);
    return status ? runner.finish() : status;
}

Status PackageRanker::second_phase(const std::string &match, Answer &answer) {
    const auto start = Clock::now();
    const RankPhase &phase = profile_.second_phase();
    const std::size_t count = std::min(phase.rerank_count, answer.hits.size());
    std::vector<double> scores(count);
    Status status = second_->begin(
        values_, [&](std::uint64_t row, std::span<const double> outputs) { scores[wanted_.at(row)] = outputs[0]; });
    if (status) {
        status = run_for_hits(*second_, match, count, answer);
    }
    if (!status) {
        return status;
    }
    rerank(answer.hits, scores);
    if (phase.drop_limit) {
        std::erase_if(answer.hits, [&](const Hit &hit) { return !(hit.score > *phase.drop_limit); });
    }
    for (const Hit &hit : answer.hits) {
        scores_[hit.document].second_phase = hit.score;
    }
    const double evaluating = second_->seconds();
    answer.times.push_back({"text features of the best", count, seconds_since(start) - evaluating});
    answer.times.push_back({"second phase", count, evaluating});
    return {};
}

Status PackageRanker::features(const std::string &match, Answer &answer) {
    answer.features.resize(answer.hits.size());
    Status status = features_->begin(values_, [&](std::uint64_t row, std::span<const double> outputs) {
        answer.features[wanted_.at(row)].assign(outputs.begin(), outputs.end());
    });
    return status ? run_for_hits(*features_, match, answer.hits.size(), answer) : status;
}

Result<Answer> PackageRanker::search(const std::vector<std::string> &words, std::size_t hits) {
    const std::string match = match_all(words);
    Answer answer;
    scores_.clear();
    failure_.reset();
    Status status = first_phase(match, std::max(hits, profile_.second_phase().rerank_count), answer);
    if (status && second_) {
        status = second_phase(match, answer);
    }
    answer.hits.resize(std::min(hits, answer.hits.size()));
    if (status && features_) {
        status = features(match, answer);
    }
    if (!status) {
        return failure_ ? *failure_ : status.error();
    }
    return answer;
}

}  // namespace tenrex::packages

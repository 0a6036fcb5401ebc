// Answers queries: FTS5 finds packages, a rank profile scores them in two phases.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <tenrex/tenrex.h>

#include "examples/package_search/database.h"
#include "examples/package_search/package_index.h"
#include "examples/package_search/phase_runner.h"

namespace tenrex::packages {

struct PhaseTime {
    const char *what;
    std::size_t documents;
    double seconds;
};

struct Answer {
    std::vector<Hit> hits;                      // their documents are row numbers
    std::vector<std::vector<double>> features;  // of each hit: the match features
    std::size_t matches = 0;
    std::vector<PhaseTime> times;
};

class PackageRanker {
public:
    // The database and the index must outlive it.
    static Result<std::unique_ptr<PackageRanker>> make(Database &database, const PackageIndex &index,
                                                       std::string_view profile, const std::string &file_name);

    // The packages that have all the words.
    Result<Answer> search(const std::vector<std::string> &words, std::size_t hits);
    const std::vector<std::string> &feature_names() const noexcept { return profile_.features().match; }

private:
    PackageRanker(Database &database, RankProfile profile) : database_(database), profile_(std::move(profile)) {}

    static void collect(const Fts5ExtensionApi *api, Fts5Context *fts, sqlite3_context *context, int, sqlite3_value **);
    Status make_runners(const PackageIndex &index);
    // Calls collect for each row that matches.
    Status run_statement(const std::string &match);
    Status first_phase(const std::string &match, std::size_t most, Answer &answer);
    Status second_phase(const std::string &match, Answer &answer);
    Status features(const std::string &match, Answer &answer);
    // Hands the first hits to a phase, in the order of their rows.
    Status run_for_hits(PhaseRunner &runner, const std::string &match, std::size_t count, const Answer &answer);

    Database &database_;
    RankProfile profile_;
    std::optional<PhaseRunner> first_, second_, features_;
    std::vector<NamedTensor> values_;

    // While a statement runs.
    PhaseRunner *runner_ = nullptr;
    std::optional<Error> failure_;
    std::unordered_map<std::uint64_t, RowScores> scores_;    // of rows that have some
    std::unordered_map<std::uint64_t, std::size_t> wanted_;  // rows to hand over, with the hit's place
    bool wants_all_ = true;
};

}  // namespace tenrex::packages

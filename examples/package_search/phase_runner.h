// Evaluates a plan of the profile for rows that FTS5 finds, block by block.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tenrex/tenrex.h>

#include "examples/package_search/package_index.h"
#include "examples/sqlite_extension/text_features.h"

namespace tenrex::packages {

// Scores of a row from earlier phases.
struct RowScores {
    double first_phase = 0;
    double second_phase = 0;
};

class PhaseRunner {
public:
    // outputs[i] is the value of output i of the plan.
    using Visit = std::function<void(std::uint64_t row, std::span<const double> outputs)>;

    // Error: the plan needs something that packages do not have.
    static Result<PhaseRunner> make(const Plan &plan, const std::vector<ColumnNeed> &needs, const PackageIndex &index);

    // For the next query: rows come with add, their values go to `visit`.
    Status begin(const std::vector<NamedTensor> &values, Visit visit);
    // To be called within an auxiliary function.
    Status add(const Fts5ExtensionApi &api, Fts5Context *fts, const RowScores &scores);
    // Evaluates the rows that are left.
    Status finish();
    // Seconds that evaluating has taken since begin.
    double seconds() const noexcept { return seconds_; }

private:
    enum class Source : std::uint8_t { text, attribute, first_phase, second_phase, random };
    struct Input {
        Source source = Source::text;
        std::size_t text_feature = 0;
        const std::vector<double> *attribute = nullptr;
        std::string name;
        std::vector<double> values;  // of the rows of the block
    };

    explicit PhaseRunner(const Plan &plan) : plan_(plan), context_(plan), text_({}) {}

    Plan plan_;
    Context context_;
    std::vector<Input> inputs_;
    sqlite::TextFeatures text_;
    std::vector<double> text_values_;
    std::optional<Query> query_;
    Visit visit_;
    std::vector<std::uint64_t> rows_;
    std::vector<std::vector<double>> outputs_;
    double seconds_ = 0;
};

}  // namespace tenrex::packages

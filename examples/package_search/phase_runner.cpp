#include "examples/package_search/phase_runner.h"

#include <chrono>

namespace tenrex::packages {

namespace {

// Enough to keep a plan busy, few enough for the cache.
constexpr std::size_t block_rows = 1024;

}  // namespace

Result<PhaseRunner> PhaseRunner::make(const Plan &plan, const std::vector<ColumnNeed> &needs,
                                      const PackageIndex &index) {
    PhaseRunner runner(plan);
    std::vector<sqlite::TextFeature> features;
    for (const ColumnNeed &need : needs) {
        Input input;
        input.name = need.name;
        switch (need.source) {
            case ColumnSource::host:
                input.text_feature = features.size();
                features.push_back(*sqlite::find_text_feature(need.name, PackageIndex::fields()));
                break;
            case ColumnSource::attribute:
                input.source = Source::attribute;
                input.attribute = index.attribute(need.argument);
                break;
            case ColumnSource::first_phase:
                input.source = Source::first_phase;
                break;
            case ColumnSource::second_phase:
                input.source = Source::second_phase;
                break;
            case ColumnSource::random:
                input.source = Source::random;
                break;
            case ColumnSource::labels:
            case ColumnSource::structs:
            case ColumnSource::normalizer:
                return Error("packages have no '" + need.name + "'");
        }
        if ((input.source == Source::attribute && input.attribute == nullptr) || !need.type.is_scalar()) {
            return Error("packages have no '" + need.name + "' of type " + need.type.to_string(),
                         "there are section, size, dependencies and dependents");
        }
        input.values.resize(block_rows);
        runner.inputs_.push_back(std::move(input));
    }
    runner.text_values_.resize(features.size());
    runner.text_ = sqlite::TextFeatures(std::move(features));
    runner.outputs_.assign(plan.outputs().size(), std::vector<double>(block_rows));
    return runner;
}

Status PhaseRunner::begin(const std::vector<NamedTensor> &values, Visit visit) {
    auto query = plan_.bind(values);
    if (!query) {
        return query.error();
    }
    query_ = *std::move(query);
    visit_ = std::move(visit);
    text_.forget_query();
    rows_.clear();
    seconds_ = 0;
    return {};
}

Status PhaseRunner::add(const Fts5ExtensionApi &api, Fts5Context *fts, const RowScores &scores) {
    const auto row = static_cast<std::uint64_t>(api.xRowid(fts));
    if (const int status = text_.compute(api, fts, text_values_.data()); status != SQLITE_OK) {
        return Error(std::string("FTS5: ") + sqlite3_errstr(status));
    }
    const std::size_t place = rows_.size();
    for (Input &input : inputs_) {
        switch (input.source) {
            case Source::text:
                input.values[place] = text_values_[input.text_feature];
                break;
            case Source::attribute:
                input.values[place] = (*input.attribute)[row - 1];
                break;
            case Source::first_phase:
                input.values[place] = scores.first_phase;
                break;
            case Source::second_phase:
                input.values[place] = scores.second_phase;
                break;
            case Source::random:
                input.values[place] = random_number(0, row, input.name);
                break;
        }
    }
    rows_.push_back(row);
    return rows_.size() == block_rows ? finish() : Status();
}

Status PhaseRunner::finish() {
    if (rows_.empty()) {
        return {};
    }
    const auto start = std::chrono::steady_clock::now();
    std::vector<Column> columns;
    for (const Input &input : inputs_) {
        columns.push_back(Column::dense(input.values.data(), sizeof(double)));
    }
    std::vector<std::span<double>> outputs;
    for (std::vector<double> &output : outputs_) {
        outputs.emplace_back(output.data(), rows_.size());
    }
    Status status = query_->evaluate({rows_.size(), columns}, context_, std::span<const std::span<double>>(outputs));
    if (!status) {
        return status;
    }
    std::vector<double> values(outputs.size());
    for (std::size_t place = 0; place < rows_.size(); ++place) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = outputs[i][place];
        }
        visit_(rows_[place], values);
    }
    rows_.clear();
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return {};
}

}  // namespace tenrex::packages

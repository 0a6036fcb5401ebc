#include "perf/expressions/ladder.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "perf/measure/evaluation_timing.h"
#include "perf/measure/figures.h"

namespace tenrex::perf {

namespace {

struct Rung {
    std::string what;
    CompileOptions options;
    std::size_t block_size = 1;
};

std::vector<Rung> compiled_rungs() {
    std::vector<Rung> rungs;
    CompileOptions options;
    options.max_isa = "baseline";
    const std::vector<std::string_view> passes = optimization_names();
    options.disabled_passes.assign(passes.begin(), passes.end());
    rungs.push_back({"+ stages: once what constants and queries decide", options, 1});
    for (const std::string_view pass : passes) {
        options.disabled_passes.erase(options.disabled_passes.begin());
        rungs.push_back({fmt::format("+ {}", pass), options, 1});
    }
    rungs.push_back({"+ blocks of 64 documents", options, 64});
    for (const char *isa : {"avx2", "native"}) {
        options.max_isa = isa;
        rungs.push_back({fmt::format("+ {} instructions", isa), options, 64});
    }
    return rungs;
}

double greatest_difference(const std::vector<double> &actual, const std::vector<double> &expected) {
    double greatest = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double relative = std::fabs(actual[i] - expected[i]) / std::max(1.0, std::fabs(expected[i]));
        greatest = relative <= greatest ? greatest : relative;  // a NaN is the greatest
    }
    return greatest;
}

// Nothing is staged if everything comes with the document.
Case unstaged(const Case &described) {
    Case result = described;
    for (InputRecipe &input : result.inputs) {
        input.stage = Stage::document;
    }
    return result;
}

class Ladder {
public:
    Ladder(const Case &described, const LadderOptions &options) : case_(described), options_(options) {
        making_.documents = options.documents != 0 ? options.documents : 64;
        making_.samples = std::max<std::size_t>(options.compared, 1);
    }

    Result<std::vector<RungFigures>> measure() && {
        if (Status status = choose_documents(); !status) {
            return std::move(status).error();
        }
        if (case_.check_sizes.empty()) {  // else the reference evaluator takes too long
            if (Status status = measure_reference(); !status) {
                return std::move(status).error();
            }
        }
        std::vector<Rung> rungs = compiled_rungs();
        const Case whole = unstaged(case_);
        if (whole.document_bytes() * making_.documents <= most_unstaged_bytes) {
            if (Status status = measure_rung(whole, {"compiled, all inputs with each document", rungs[0].options, 1});
                !status) {
                return std::move(status).error();
            }
            figures_.back().difference.reset();  // the numbers are others
        } else {
            rungs[0].what = "compiled, no optimization";
        }
        for (const Rung &rung : rungs) {
            if (Status status = measure_rung(case_, rung); !status) {
                return std::move(status).error();
            }
        }
        return std::move(figures_);
    }

private:
    static constexpr std::size_t most_unstaged_bytes = 256 << 20;
    static constexpr double most_flops = 4e6;  // of all documents, so that the slowest rung takes a moment

    Status choose_documents() {
        if (options_.documents != 0) {
            return {};
        }
        WorkloadOptions few = making_;
        few.documents = 1;
        const Result<Workload> workload = Workload::make(case_, few);
        if (!workload) {
            return workload.error();
        }
        const auto fitting = static_cast<std::size_t>(most_flops / std::max(1.0, flops_per_document(*workload)));
        const std::size_t most = case_.documents != 0 ? case_.documents : fitting_documents(workload->document_bytes());
        making_.documents = std::clamp<std::size_t>(fitting, 2, most);
        return {};
    }

    Status measure_reference() {
        const Result<Workload> workload = Workload::make(case_, making_);
        if (!workload) {
            return workload.error();
        }
        const Result<Timing> timing = time_reference(*workload, {1, 0});
        if (!timing) {
            return timing.error();
        }
        figures_.push_back({"naive, the reference evaluator", timing->least, {}});
        if (options_.compared == 0) {
            return {};
        }
        for (const std::vector<NamedTensor> &document : workload->samples()) {
            std::vector<NamedTensor> values = document;
            values.insert(values.end(), workload->query_values().begin(), workload->query_values().end());
            const Result<Tensor> value = workload->expression().evaluate_reference(values);
            if (!value) {
                return value.error();
            }
            expected_.push_back(value->as_double());
        }
        figures_.back().difference = 0;
        return {};
    }

    Status measure_rung(const Case &described, const Rung &rung) {
        WorkloadOptions making = making_;
        making.compile = rung.options;
        making.samples = 0;
        const Result<Workload> compiled = Workload::make(described, making);
        if (!compiled) {
            return compiled.error();
        }
        const Result<Timing> timing = time_blocks(*compiled, rung.block_size, options_.effort);
        if (!timing) {
            return timing.error();
        }
        figures_.push_back({rung.what, timing->least, {}});
        if (!expected_.empty()) {
            const Result<std::vector<double>> scores = all_scores(*compiled, rung.block_size);
            if (!scores) {
                return scores.error();
            }
            figures_.back().difference = greatest_difference(*scores, expected_);
        }
        return {};
    }

    const Case &case_;
    const LadderOptions &options_;
    WorkloadOptions making_;
    std::vector<double> expected_;
    std::vector<RungFigures> figures_;
};

}  // namespace

Result<std::vector<RungFigures>> measure_ladder(const Case &described, const LadderOptions &options) {
    return Ladder(described, options).measure();
}

}  // namespace tenrex::perf

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

// What a plan does, without what is said of how it came about.
std::string steps_of(const Plan &plan) {
    const std::string text = plan.explain();
    std::string steps;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = std::string_view(text).substr(begin, end - begin);
        if (!line.starts_with("optimizations") && !line.starts_with("instruction sets")) {
            steps += fmt::format("{}\n", line);
        }
        begin = end + 1;
    }
    return steps;
}

// What a rung is timed with.
struct Prepared {
    Workload workload;
    std::size_t block_size = 0;  // 0: by the reference evaluator
    RungFigures figures;
    std::string steps;          // of the plan
    bool is_as_before = false;  // the same program as the rung before: whatever a clock says, it takes as long

    Result<Timing> time(const Effort &effort) const {
        return block_size == 0 ? time_reference(workload, {1, 0}) : time_blocks(workload, block_size, effort);
    }
};

class Ladder {
public:
    Ladder(const Case &described, const LadderOptions &options) : case_(described), options_(options) {
        making_.documents = options.documents != 0 ? options.documents : 64;
        making_.samples = std::max<std::size_t>(options.compared, 1);
    }

    Result<std::vector<RungFigures>> measure() && {
        if (Status status = prepare(); !status) {
            return std::move(status).error();
        }
        for (std::size_t round = 0; round < options_.rounds; ++round) {
            for (Prepared &rung : rungs_) {
                if (rung.is_as_before) {
                    continue;
                }
                const Result<Timing> timing = rung.time(options_.effort);
                if (!timing) {
                    return timing.error();
                }
                rung.figures.nanoseconds = std::min(rung.figures.nanoseconds, timing->least);
            }
        }
        std::vector<RungFigures> figures;
        for (Prepared &rung : rungs_) {
            if (rung.is_as_before) {
                rung.figures.nanoseconds = figures.back().nanoseconds;
            }
            figures.push_back(std::move(rung.figures));
        }
        return figures;
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

    Status prepare() {
        if (Status status = choose_documents(); !status) {
            return status;
        }
        if (case_.check_sizes.empty()) {  // else the reference evaluator takes too long
            if (Status status = prepare_reference(); !status) {
                return status;
            }
        }
        std::vector<Rung> rungs = compiled_rungs();
        const Case whole = unstaged(case_);
        if (whole.document_bytes() * making_.documents <= most_unstaged_bytes) {
            if (Status status = prepare_rung(whole, {"compiled, all inputs with each document", rungs[0].options, 1});
                !status) {
                return status;
            }
            rungs_.back().figures.difference.reset();  // the numbers are others
        } else {
            rungs[0].what = "compiled, no optimization";
        }
        for (const Rung &rung : rungs) {
            if (Status status = prepare_rung(case_, rung); !status) {
                return status;
            }
        }
        return {};
    }

    Status prepare_reference() {
        Result<Workload> workload = Workload::make(case_, making_);
        if (!workload) {
            return workload.error();
        }
        Prepared &naive = rungs_.emplace_back(Prepared{*std::move(workload), 0, {}, {}, false});
        naive.figures.what = "naive, the reference evaluator";
        if (options_.compared == 0) {
            return {};
        }
        for (const std::vector<NamedTensor> &document : naive.workload.samples()) {
            std::vector<NamedTensor> values = document;
            values.insert(values.end(), naive.workload.query_values().begin(), naive.workload.query_values().end());
            const Result<Tensor> value = naive.workload.expression().evaluate_reference(values);
            if (!value) {
                return value.error();
            }
            expected_.push_back(value->as_double());
        }
        naive.figures.difference = 0;
        return {};
    }

    Status prepare_rung(const Case &described, const Rung &rung) {
        WorkloadOptions making = making_;
        making.compile = rung.options;
        making.samples = 0;
        Result<Workload> compiled = Workload::make(described, making);
        if (!compiled) {
            return compiled.error();
        }
        RungFigures figures;
        figures.what = rung.what;
        if (!expected_.empty()) {
            const Result<std::vector<double>> scores = all_scores(*compiled, rung.block_size);
            if (!scores) {
                return scores.error();
            }
            figures.difference = greatest_difference(*scores, expected_);
        }
        std::string steps = steps_of(compiled->plan());
        const bool is_as_before =
            !rungs_.empty() && rungs_.back().block_size == rung.block_size && rungs_.back().steps == steps;
        rungs_.push_back({*std::move(compiled), rung.block_size, std::move(figures), std::move(steps), is_as_before});
        return {};
    }

    const Case &case_;
    const LadderOptions &options_;
    WorkloadOptions making_;
    std::vector<double> expected_;
    std::vector<Prepared> rungs_;
};

}  // namespace

Result<std::vector<RungFigures>> measure_ladder(const Case &described, const LadderOptions &options) {
    return Ladder(described, options).measure();
}

}  // namespace tenrex::perf

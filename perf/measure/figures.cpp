#include "perf/measure/figures.h"

#include <algorithm>

#include "perf/measure/evaluation_timing.h"

namespace tenrex::perf {

namespace {

// Empty, or why the results could not be checked.
Result<std::string> check(const Workload &workload, const MeasureOptions &options) {
    if (!options.check) {
        return std::string("checking is switched off");
    }
    Verdict verdict = check_results(workload);
    if (!verdict.mistake.empty()) {
        return Error("wrong result: " + verdict.mistake);
    }
    return std::move(verdict.unchecked);
}

Status time_preparation(const Workload &workload, const MeasureOptions &options, Figures &figures) {
    Effort brief = options.effort;
    brief.run_seconds /= 4;
    const std::string &text = workload.described().expression;
    bool failed = false;
    if (options.reference) {
        figures.compile = measure(1, brief, [&] {
            failed |= !Expression::parse(text, workload.schema(), options.compile.expression).has_value();
        });
        figures.bind = Timing({0});
    } else {
        figures.compile =
            measure(1, brief, [&] { failed |= !compile(text, workload.schema(), options.compile).has_value(); });
        figures.bind = measure(1, brief, [&] { failed |= !workload.plan().bind(workload.query_values()).has_value(); });
    }
    if (failed) {
        return Error("compiling or binding fails when it is repeated");
    }
    return {};
}

// For a document.
template <class Amount>
double sum_over_steps(const Workload &workload, const Amount &amount) {
    double sum = 0;
    for (const PlanStep &step : workload.plan().steps(Stage::document)) {
        sum += amount(step) * (step.per_block ? static_cast<double>(workload.document_blocks()) : 1) *
               (step.per_shared_block ? static_cast<double>(workload.shared_blocks()) : 1);
    }
    return sum;
}

// What must be read and written for a document, whatever the plan does in between.
void count_bytes(const Workload &workload, Figures &figures) {
    const TensorType &type = workload.expression().type();
    // How many labels or rows a result has only the documents know: such cells are not counted.
    figures.bytes_written = type.has_mapped() || type.has_open()
                                ? 0
                                : static_cast<double>(type.block_cells() * byte_size(type.cell_type()));
    figures.bytes_read = static_cast<double>(workload.document_bytes_read());
    figures.lookups = static_cast<double>(workload.lookups());
}

void find_roofline(const Workload &workload, const MeasureOptions &options, Figures &figures) {
    const Peaks &peaks = machine_peaks();
    const CacheLevel &loads = peaks.level_of(figures.documents * figures.document_bytes / options.threads);
    const std::size_t threads = options.executor == nullptr ? options.threads : options.executor->concurrency();
    const std::size_t together = std::min(figures.piece, std::ranges::max(options.blocks));
    const CacheLevel &stores = peaks.level_of(static_cast<std::size_t>(figures.bytes_written) * together);
    figures.level = loads.name;
    figures.store_level = stores.name;
    figures.arithmetic_ns = sum_over_steps(workload, [&](const PlanStep &step) {
        return step.flops * 1e9 / peaks.operations_per_second_of_kernel(step.kernel);
    });
    figures.loads_ns = figures.bytes_read * 1e9 / loads.load_bytes_per_second;
    figures.stores_ns = figures.bytes_written * 1e9 / stores.store_bytes_per_second;
    figures.lookups_ns = figures.lookups * peaks.lookup_seconds * 1e9;
    figures.roofline_ns = std::max({figures.arithmetic_ns, figures.loads_ns, figures.stores_ns, figures.lookups_ns}) /
                          static_cast<double>(threads);
}

Status time_documents(const Workload &workload, const MeasureOptions &options, Figures &figures) {
    for (const std::size_t block : options.blocks) {
        const Result<Timing> timing =
            options.reference ? time_reference(workload, options.effort)
                              : time_blocks(workload, block, options.effort, options.threads, options.executor);
        if (!timing) {
            return timing.error();
        }
        figures.blocks.push_back({block, *timing, figures.roofline_ns / timing->median});
    }
    if (options.profile && !options.reference) {
        const Result<StepTimes> times = time_steps(workload, options.blocks.back(), options.effort, options.executor);
        if (!times) {
            return times.error();
        }
        // A moment later the machine may be faster or slower: the steps share the time that the block took.
        const double scale = options.threads == 1 ? figures.blocks.back().timing.median / times->whole : 1;
        const std::vector<PlanStep> steps = workload.plan().steps(Stage::document);
        for (std::size_t i = 0; i < steps.size(); ++i) {
            figures.profile.push_back({steps[i], times->steps[i] * scale});
        }
        figures.between_steps = times->between * scale;
    }
    return {};
}

}  // namespace

const BlockFigures &Figures::best() const {
    return *std::min_element(blocks.begin(), blocks.end(), [](const BlockFigures &a, const BlockFigures &b) {
        return a.timing.median < b.timing.median;
    });
}

double flops_per_document(const Workload &workload) {
    return sum_over_steps(workload, [](const PlanStep &step) { return step.flops; });
}

std::size_t fitting_documents(std::size_t document_bytes) {
    const std::size_t fitting = (std::size_t{384} << 10) / std::max<std::size_t>(document_bytes, 1);
    return std::clamp<std::size_t>(fitting / 64 * 64, 64, 1024);
}

Result<Figures> measure_case(const Case &described, const MeasureOptions &options) {
    WorkloadOptions making{options.compile, 4, 4, options.seed};
    Figures figures;
    if (!described.check_sizes.empty()) {
        const Result<Workload> small = Workload::make(described.small(), making);
        if (!small) {
            return small.error();
        }
        Result<std::string> unchecked = check(*small, options);
        if (!unchecked) {
            return std::move(unchecked).error();
        }
        figures.unchecked = *std::move(unchecked);
    }
    making.documents = options.documents != 0     ? options.documents
                       : described.documents != 0 ? described.documents
                                                  : fitting_documents(described.document_bytes());
    making.samples = std::min(making.samples, making.documents);
    const Result<Workload> workload = Workload::make(described, making);
    if (!workload) {
        return workload.error();
    }
    if (described.check_sizes.empty()) {
        Result<std::string> unchecked = check(*workload, options);
        if (!unchecked) {
            return std::move(unchecked).error();
        }
        figures.unchecked = *std::move(unchecked);
    }
    figures.documents = workload->documents();
    figures.document_bytes = workload->document_bytes();
    if (!options.reference) {
        figures.plan = workload->plan().explain();
        figures.steps = workload->plan().document_steps();
        figures.piece = workload->plan().piece();
        figures.memory_bytes = workload->query().memory_bytes();
        for (const std::size_t block : options.blocks) {
            figures.memory_bytes =
                std::max(figures.memory_bytes, workload->query().memory_bytes() +
                                                   options.threads * context_bytes(*workload, block, options.executor));
        }
    }
    figures.flops = flops_per_document(*workload);
    count_bytes(*workload, figures);
    if (options.check_only) {
        return figures;
    }
    find_roofline(*workload, options, figures);
    if (Status status = time_preparation(*workload, options, figures); !status) {
        return std::move(status).error();
    }
    if (Status status = time_documents(*workload, options, figures); !status) {
        return std::move(status).error();
    }
    return figures;
}

}  // namespace tenrex::perf

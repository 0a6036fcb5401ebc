// Times whole expressions: what compiling and binding costs, and each document. Every result is checked first.
//
//   expressions_benchmark                          all cases, as a table
//   expressions_benchmark --filter '^dot' --json   some of them, an object a line
//
// docs/measuring.md says what the numbers mean. Exit status: 1 if a result is wrong or a case fails, 2 after wrong
// usage.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <regex>

#include <fmt/format.h>

#include "perf/expressions/allocations.h"
#include "perf/expressions/case_file.h"
#include "perf/expressions/ladder.h"
#include "perf/measure/figures_json.h"

namespace tenrex::perf {
namespace {

struct Settings {
    std::string directory = TENREX_CASES;
    std::string filter;
    MeasureOptions measure;
    bool json = false;
    bool explain = false;
    bool ladder = false;
    bool peaks = false;
};

constexpr std::string_view usage =
    "usage: expressions_benchmark [options]\n"
    "  --filter REGEX    cases whose name matches somewhere\n"
    "  --json            one JSON object a case\n"
    "  --isa NAME        the widest instruction set: baseline, avx2, avx512 or native\n"
    "  --disable PASS    leave out an optimization; may be repeated; 'all' for all of them\n"
    "  --blocks LIST     documents per call, such as 1,64\n"
    "  --runs N          runs for each figure (9)\n"
    "  --run-ms N        least length of a run in milliseconds (20)\n"
    "  --cases DIRECTORY where the cases are\n"
    "  --check           only check the results\n"
    "  --explain         print each plan, too\n"
    "  --ladder          only what each part of the compiler adds; an object a line\n"
    "  --peaks           first the peaks of this machine, an object\n";

std::string number(double value) {
    return fmt::format("{:.{}f}", value, value < 10 ? 1 : 0);
}

void print_header(const Settings &settings) {
    std::string blocks;
    for (const std::size_t block : settings.measure.blocks) {
        blocks += fmt::format("{:>12} {:>10}", fmt::format("block {}", block), "least");
    }
    std::puts(fmt::format("{:20}{} {:>9} {:>15} {:>8} {:>10} {:>9} {:>6} {:>6}", "case, ns", blocks, "target", "peer",
                          "/target", "compile us", "bind us", "steps", "piece")
                  .c_str());
}

void print_row(const Case &described, const Figures &figures) {
    std::string row = fmt::format("{:20}", described.name);
    for (const BlockFigures &block : figures.blocks) {
        row += fmt::format("{:>12} {:>10}", number(block.timing.median), number(block.timing.least));
    }
    const double last = figures.blocks.back().timing.least;
    row += fmt::format(" {:>9} {:>15} {:>8}", described.target_ns ? number(*described.target_ns) : "",
                       described.peer_ns
                           ? fmt::format("{}-{}", number(described.peer_ns->first), number(described.peer_ns->second))
                           : "",
                       described.target_ns ? fmt::format("{:.2f}", last / *described.target_ns) : "");
    row += fmt::format(" {:>10.0f} {:>9.1f} {:>6} {:>6}", figures.compile.median / 1000, figures.bind.median / 1000,
                       figures.steps, figures.piece);
    std::puts(row.c_str());
    std::fflush(stdout);
}

// What one compilation allocates, and one evaluation when it has been done before.
struct AllocationCounts {
    Allocations compile;
    std::size_t evaluate = 0;
};

Result<AllocationCounts> count_allocations(const Case &described, const Settings &settings) {
    const Result<Workload> workload = Workload::make(described, {settings.measure.compile, 64, 0});
    if (!workload) {
        return workload.error();
    }
    AllocationCounts counts;
    const Allocations before = allocations();
    const bool compiled = compile(described.expression, workload->schema(), settings.measure.compile).has_value();
    const Allocations after = allocations();
    counts.compile = {after.count - before.count, after.bytes - before.bytes};
    Context context(workload->plan());
    const std::vector<Column> columns = workload->columns();
    std::vector<double> scores(workload->documents());
    const Block block{workload->documents(), columns};
    bool evaluated = workload->query().evaluate(block, context, scores).has_value();
    const Allocations first = allocations();
    evaluated = evaluated && workload->query().evaluate(block, context, scores).has_value();
    counts.evaluate = allocations().count - first.count;
    if (!compiled || !evaluated) {
        return Error("compiling or evaluating fails when it is repeated");
    }
    return counts;
}

void print_object(const Case &described, const Result<Figures> &figures, const AllocationCounts &counts) {
    nlohmann::ordered_json json = {{"name", described.name}};
    if (figures) {
        json.update(to_json(*figures));
        json.erase("plan");
        json["compile_allocations"] = counts.compile.count;
        json["compile_allocated_bytes"] = counts.compile.bytes;
        json["evaluate_allocations"] = counts.evaluate;
    } else {
        json["error"] = figures.error().render();
    }
    if (described.target_ns) {
        json["target_ns"] = *described.target_ns;
    }
    if (described.peer_ns) {
        json["peer_ns"] = {described.peer_ns->first, described.peer_ns->second};
    }
    std::puts(json.dump().c_str());
    std::fflush(stdout);
}

bool *flag_of(Settings &settings, std::string_view argument) {
    const std::pair<std::string_view, bool *> flags[] = {{"--json", &settings.json},
                                                         {"--explain", &settings.explain},
                                                         {"--check", &settings.measure.check_only},
                                                         {"--ladder", &settings.ladder},
                                                         {"--peaks", &settings.peaks}};
    for (const auto &[name, flag] : flags) {
        if (argument == name) {
            return flag;
        }
    }
    return nullptr;
}

bool read_arguments(int count, char **values, Settings &settings) {
    for (int i = 1; i < count; ++i) {
        const std::string_view argument = values[i];
        if (bool *const flag = flag_of(settings, argument)) {
            *flag = true;
            continue;
        }
        if (i + 1 == count) {
            return false;
        }
        const std::string value = values[++i];
        if (argument == "--filter") {
            settings.filter = value;
        } else if (argument == "--isa") {
            settings.measure.compile.max_isa = value;
        } else if (argument == "--disable" && value == "all") {
            for (const std::string_view pass : optimization_names()) {
                settings.measure.compile.disabled_passes.emplace_back(pass);
            }
        } else if (argument == "--disable") {
            settings.measure.compile.disabled_passes.push_back(value);
        } else if (argument == "--blocks") {
            settings.measure.blocks.clear();
            for (const char *text = value.c_str(); *text != '\0'; text += *text == ',') {
                char *end = nullptr;
                settings.measure.blocks.push_back(std::strtoul(text, &end, 10));
                if (end == text || settings.measure.blocks.back() == 0) {
                    return false;
                }
                text = end;
            }
        } else if (argument == "--runs") {
            settings.measure.effort.runs = std::strtoul(value.c_str(), nullptr, 10);
        } else if (argument == "--run-ms") {
            settings.measure.effort.run_seconds = std::strtod(value.c_str(), nullptr) / 1000;
        } else if (argument == "--cases") {
            settings.directory = value;
        } else {
            return false;
        }
    }
    return !settings.measure.blocks.empty() && settings.measure.effort.runs != 0;
}

bool print_ladder(const Case &described) {
    const Result<std::vector<RungFigures>> rungs = measure_ladder(described, {});
    nlohmann::ordered_json json = {{"name", described.name}};
    if (rungs) {
        json["ladder"] = nlohmann::ordered_json::array();
        for (const RungFigures &rung : *rungs) {
            json["ladder"].push_back({rung.what, rung.nanoseconds});
        }
    } else {
        json["error"] = rungs.error().render();
    }
    std::puts(json.dump().c_str());
    std::fflush(stdout);
    return rungs.has_value();
}

int run(const Settings &settings) {
    const Result<std::vector<Case>> cases = read_cases(settings.directory);
    if (!cases) {
        std::fputs((cases.error().render() + "\n").c_str(), stderr);
        return 2;
    }
    const std::regex filter(settings.filter);
    bool failed = false;
    const bool table = !settings.json && !settings.measure.check_only && !settings.ladder;
    if (settings.peaks) {
        std::puts(to_json(machine_peaks()).dump().c_str());
    }
    if (table) {
        print_header(settings);
    }
    for (const Case &described : *cases) {
        if (!std::regex_search(described.name, filter)) {
            continue;
        }
        if (settings.ladder) {
            failed = !print_ladder(described) || failed;
            continue;
        }
        Result<Figures> figures = measure_case(described, settings.measure);
        if (figures && !figures->unchecked.empty()) {
            figures = Error("the result could not be checked: " + figures->unchecked);
        }
        failed = failed || !figures;
        if (figures && settings.explain) {
            std::puts(fmt::format("{}\n{}", described.name, figures->plan).c_str());
        }
        if (settings.json) {
            const Result<AllocationCounts> counts = count_allocations(described, settings);
            print_object(described, counts ? figures : Result<Figures>(counts.error()),
                         counts ? *counts : AllocationCounts());
        } else if (!figures) {
            std::puts(fmt::format("{:20} {}", described.name, figures.error().render()).c_str());
        } else if (table) {
            print_row(described, *figures);
        }
    }
    return failed ? 1 : 0;
}

}  // namespace
}  // namespace tenrex::perf

int main(int count, char **values) {
    try {
        tenrex::perf::Settings settings;
        if (!tenrex::perf::read_arguments(count, values, settings)) {
            std::fputs(std::string(tenrex::perf::usage).c_str(), stderr);
            return 2;
        }
        return tenrex::perf::run(settings);
    } catch (const std::exception &error) {  // files that are no cases, or no memory
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}

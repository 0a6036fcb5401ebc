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
#include <nlohmann/json.hpp>

#include "perf/expressions/evaluation_timing.h"

namespace tenrex::perf {
namespace {

struct Settings {
    std::string directory = TENREX_CASES;
    std::string filter;
    std::vector<std::size_t> blocks = {1, 64};
    WorkloadOptions workload;
    Effort effort;
    bool json = false;
    bool explain = false;
    bool check_only = false;
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
    "  --explain         print each plan, too\n";

struct Figures {
    Timing compile;
    Timing bind;
    std::vector<Timing> blocks;
    std::size_t documents = 0;
    std::size_t steps = 0;
    std::size_t piece = 0;
    std::size_t context_bytes = 0;
};

// Enough for a branch predictor not to learn them, few enough for 512 KiB of second-level cache.
std::size_t documents_of(const Case &described) {
    if (described.documents != 0) {
        return described.documents;
    }
    const std::size_t fitting = (std::size_t{384} << 10) / std::max<std::size_t>(described.document_bytes(), 1);
    return std::clamp<std::size_t>(fitting / 64 * 64, 64, 1024);
}

Result<Figures> run_case(const Case &described, const Settings &settings) {
    WorkloadOptions options = settings.workload;
    if (!described.check_sizes.empty()) {
        options.documents = 4;
        const Result<Workload> small = Workload::make(described.small(), options);
        if (!small) {
            return small.error();
        }
        if (const std::string text = mistake(*small); !text.empty()) {
            return Error("wrong result: " + text);
        }
    }
    options.documents = documents_of(described);
    const Result<Workload> workload = Workload::make(described, options);
    if (!workload) {
        return workload.error();
    }
    if (described.check_sizes.empty()) {
        if (const std::string text = mistake(*workload); !text.empty()) {
            return Error("wrong result: " + text);
        }
    }
    Figures figures;
    figures.documents = workload->documents();
    figures.steps = workload->plan().document_steps();
    figures.piece = workload->plan().piece();
    if (settings.explain) {
        std::fputs((described.name + "\n" + workload->plan().explain() + "\n").c_str(), stdout);
    }
    if (settings.check_only) {
        return figures;
    }
    Effort brief = settings.effort;
    brief.run_seconds /= 4;
    bool compiled = true;
    figures.compile = measure(1, brief, [&] {
        compiled = compiled && compile(described.expression, workload->schema(), settings.workload.compile).has_value();
    });
    figures.bind =
        measure(1, brief, [&] { compiled = compiled && workload->plan().bind(workload->query_values()).has_value(); });
    if (!compiled) {
        return Error("compiling or binding fails when it is repeated");
    }
    for (const std::size_t block : settings.blocks) {
        const Result<Timing> timing = time_blocks(*workload, block, settings.effort);
        if (!timing) {
            return timing.error();
        }
        figures.blocks.push_back(*timing);
    }
    figures.context_bytes = context_bytes(*workload, settings.blocks.back());
    return figures;
}

std::string number(double value) {
    return fmt::format("{:.{}f}", value, value < 10 ? 1 : 0);
}

void print_header(const Settings &settings) {
    std::string blocks;
    for (const std::size_t block : settings.blocks) {
        blocks += fmt::format("{:>12} {:>10}", fmt::format("block {}", block), "least");
    }
    std::puts(fmt::format("{:20}{} {:>9} {:>15} {:>8} {:>10} {:>9} {:>6} {:>6}", "case, ns", blocks, "target", "peer",
                          "/target", "compile us", "bind us", "steps", "piece")
                  .c_str());
}

void print_row(const Case &described, const Figures &figures) {
    std::string row = fmt::format("{:20}", described.name);
    for (const Timing &timing : figures.blocks) {
        row += fmt::format("{:>12} {:>10}", number(timing.median), number(timing.least));
    }
    const double last = figures.blocks.empty() ? 0 : figures.blocks.back().least;
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

nlohmann::ordered_json object(const Timing &timing) {
    return {{"median", timing.median}, {"least", timing.least}, {"worst", timing.worst}, {"runs", timing.runs}};
}

void print_object(const Settings &settings, const Case &described, const Result<Figures> &figures) {
    nlohmann::ordered_json json = {{"name", described.name}};
    if (!figures) {
        json["error"] = figures.error().render();
    } else {
        json["documents"] = figures->documents;
        for (std::size_t i = 0; i < figures->blocks.size(); ++i) {
            json["ns_per_document"][std::to_string(settings.blocks[i])] = object(figures->blocks[i]);
        }
        json["compile_us"] = figures->compile.median / 1000;
        json["bind_us"] = figures->bind.median / 1000;
        json["document_steps"] = figures->steps;
        json["piece"] = figures->piece;
        json["memory_bytes"] = figures->context_bytes;
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

bool read_arguments(int count, char **values, Settings &settings) {
    for (int i = 1; i < count; ++i) {
        const std::string_view argument = values[i];
        if (argument == "--json" || argument == "--explain" || argument == "--check") {
            (argument == "--json"    ? settings.json
             : argument == "--check" ? settings.check_only
                                     : settings.explain) = true;
            continue;
        }
        if (i + 1 == count) {
            return false;
        }
        const std::string value = values[++i];
        if (argument == "--filter") {
            settings.filter = value;
        } else if (argument == "--isa") {
            settings.workload.compile.max_isa = value;
        } else if (argument == "--disable" && value == "all") {
            for (const std::string_view pass : optimization_names()) {
                settings.workload.compile.disabled_passes.emplace_back(pass);
            }
        } else if (argument == "--disable") {
            settings.workload.compile.disabled_passes.push_back(value);
        } else if (argument == "--blocks") {
            settings.blocks.clear();
            for (const char *text = value.c_str(); *text != '\0'; text += *text == ',') {
                char *end = nullptr;
                settings.blocks.push_back(std::strtoul(text, &end, 10));
                if (end == text || settings.blocks.back() == 0) {
                    return false;
                }
                text = end;
            }
        } else if (argument == "--runs") {
            settings.effort.runs = std::strtoul(value.c_str(), nullptr, 10);
        } else if (argument == "--run-ms") {
            settings.effort.run_seconds = std::strtod(value.c_str(), nullptr) / 1000;
        } else if (argument == "--cases") {
            settings.directory = value;
        } else {
            return false;
        }
    }
    return !settings.blocks.empty() && settings.effort.runs != 0;
}

int run(const Settings &settings) {
    const Result<std::vector<Case>> cases = read_cases(settings.directory);
    if (!cases) {
        std::fputs((cases.error().render() + "\n").c_str(), stderr);
        return 2;
    }
    const std::regex filter(settings.filter);
    bool failed = false;
    const bool table = !settings.json && !settings.check_only;
    if (table) {
        print_header(settings);
    }
    for (const Case &described : *cases) {
        if (!std::regex_search(described.name, filter)) {
            continue;
        }
        const Result<Figures> figures = run_case(described, settings);
        failed = failed || !figures;
        if (settings.json) {
            print_object(settings, described, figures);
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

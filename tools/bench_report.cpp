#include "tools/bench_report.h"

#include <algorithm>
#include <numeric>
#include <string_view>

#include <fmt/format.h>

#include "perf/measure/figures_json.h"

namespace tenrex::tool {

namespace {

// 1234567 as "1.23 M", 7 as "7 ": before a unit such as "flop/s".
std::string amount(double number) {
    constexpr std::string_view prefixes[] = {"", "k", "M", "G", "T", "P"};
    std::size_t prefix = 0;
    for (; number >= 1000 && prefix + 1 < std::size(prefixes); ++prefix) {
        number /= 1000;
    }
    return fmt::format("{:.3g} {}", number, prefixes[prefix]);
}

std::string nanoseconds(double number) {
    return fmt::format("{:.{}f}", number, number < 10 ? 2 : number < 100 ? 1 : 0);
}

std::string percent(double share) {
    return fmt::format("{:.0f} %", 100 * share);
}

std::string line(std::string_view title, const std::string &content) {
    return fmt::format("{:<11}{}\n", title, content);
}

const perf::CacheLevel &level_of(const perf::Figures &figures, const perf::Peaks &peaks) {
    return *std::find_if(peaks.levels.begin(), peaks.levels.end(),
                         [&](const perf::CacheLevel &level) { return level.name == figures.level; });
}

std::string preparation(const perf::Figures &figures, const perf::MeasureOptions &options) {
    std::string text = line("documents", fmt::format("{} of {} bytes, random; with working memory they fit in {}",
                                                     figures.documents, figures.document_bytes, figures.level));
    text += line("results", figures.unchecked.empty() ? "equal to those of the reference evaluator"
                                                      : "not checked: " + figures.unchecked);
    text += line(options.reference ? "parse" : "compile", fmt::format("{:.1f} us", figures.compile.median / 1000));
    if (!options.reference) {
        text += line("bind", fmt::format("{:.1f} us", figures.bind.median / 1000));
        text +=
            line("memory", fmt::format("{} bytes for the query and {}", figures.memory_bytes,
                                       options.threads == 1 ? "a thread" : fmt::format("{} threads", options.threads)));
        text +=
            line("steps", fmt::format("{} for each document, {} documents at a time", figures.steps, figures.piece));
    }
    return text;
}

std::string blocks_table(const perf::Figures &figures, const perf::MeasureOptions &options) {
    std::string text =
        fmt::format("\n{:>8} {:>12} {:>10} {:>10} {:>5} {:>14} {:>10} {:>10} {:>9}\n", options.reference ? "" : "block",
                    "ns/document", "least", "most", "runs", "documents/s", "flop/s", "byte/s", "of peak");
    for (const perf::BlockFigures &block : figures.blocks) {
        const double each = block.timing.median;
        text += fmt::format("{:>8} {:>12} {:>10} {:>10} {:>5} {:>14} {:>10} {:>10} {:>9}\n", block.size,
                            nanoseconds(each), nanoseconds(block.timing.least), nanoseconds(block.timing.worst),
                            block.timing.samples.size(), amount(1e9 / each), amount(figures.flops * 1e9 / each),
                            amount(figures.bytes * 1e9 / each), percent(block.roofline_share));
    }
    return text;
}

std::string peaks_text(const perf::Figures &figures, const perf::MeasureOptions &options, const perf::Peaks &peaks) {
    const perf::CacheLevel &level = level_of(figures, peaks);
    const bool arithmetic = figures.arithmetic_ns > figures.bytes * 1e9 / level.load_bytes_per_second;
    std::string operations;
    for (const char *cells : {"float", "double", "int8"}) {
        operations += fmt::format("{}{}op/s with {}", operations.empty() ? "" : ", ",
                                  amount(peaks.operations_per_second(cells)), cells);
    }
    std::string loads;
    for (const perf::CacheLevel &each : peaks.levels) {
        loads +=
            fmt::format("{}{}byte/s from {}", loads.empty() ? "" : ", ", amount(each.load_bytes_per_second), each.name);
    }
    return line("\npeak", fmt::format(" {}{}", operations, options.threads == 1 ? "" : ", for each thread")) +
           line("", loads) +
           line("bound by",
                fmt::format("{}: {} ns for {}flop and {}byte of a document",
                            arithmetic ? "arithmetic" : "loads from " + level.name, nanoseconds(figures.roofline_ns),
                            amount(figures.flops), amount(figures.bytes)));
}

std::string profile_table(const perf::Figures &figures) {
    const double total =
        std::accumulate(figures.profile.begin(), figures.profile.end(), 0.0,
                        [](double sum, const perf::StepFigures &step) { return sum + step.nanoseconds; });
    std::size_t width = 4;
    for (const perf::StepFigures &step : figures.profile) {
        width = std::max(width, step.step.what.size());
    }
    std::string text =
        fmt::format("\n{:>4} {:>12} {:>7}  {:<{}}  kernel\n", "step", "ns/document", "share", "what", width);
    for (std::size_t i = 0; i < figures.profile.size(); ++i) {
        const perf::StepFigures &step = figures.profile[i];
        std::string row =
            fmt::format("{:>4} {:>12} {:>7}  {:<{}}  {}", i + 1, nanoseconds(step.nanoseconds),
                        percent(total == 0 ? 0 : step.nanoseconds / total), step.step.what, width, step.step.kernel);
        row.erase(row.find_last_not_of(' ') + 1);
        text += row + '\n';
    }
    return text +
           fmt::format("{:>4} {:>12} {:>7}  in blocks of {}\n", "", nanoseconds(total), "", figures.blocks.back().size);
}

}  // namespace

std::string bench_text(const perf::Figures &figures, const perf::MeasureOptions &options, const perf::Peaks &peaks) {
    std::string text =
        preparation(figures, options) + blocks_table(figures, options) + peaks_text(figures, options, peaks);
    if (!figures.profile.empty()) {
        text += profile_table(figures);
    }
    return text;
}

std::string bench_summary(const perf::Figures &figures, const perf::MeasureOptions &options) {
    std::string text =
        fmt::format("{} in {:.1f} us", options.reference ? "parsed" : "compiled", figures.compile.median / 1000);
    if (!options.reference) {
        text += fmt::format(", bound in {:.1f} us; {} step{} for a document of {} bytes", figures.bind.median / 1000,
                            figures.steps, figures.steps == 1 ? "" : "s", figures.document_bytes);
    }
    text += figures.unchecked.empty() ? "; results checked\n" : "; results not checked: " + figures.unchecked + '\n';
    return text + blocks_table(figures, options).substr(1);
}

std::string bench_json(const perf::Figures &figures, const perf::MeasureOptions &options, const perf::Peaks &peaks,
                       const std::string &expression) {
    nlohmann::ordered_json json = {{"expression", expression},
                                   {"evaluator", options.reference ? "reference" : "compiled"},
                                   {"threads", options.threads}};
    json.update(to_json(figures));
    json["peaks"] = to_json(peaks);
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

}  // namespace tenrex::tool

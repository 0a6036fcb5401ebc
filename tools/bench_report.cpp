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

std::string preparation(const perf::Figures &figures, const perf::MeasureOptions &options) {
    std::string text = line("documents", fmt::format("{} of {} bytes, random; they fit in {}", figures.documents,
                                                     figures.document_bytes, figures.level));
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
                            amount((figures.bytes_read + figures.bytes_written) * 1e9 / each),
                            percent(block.roofline_share));
    }
    return text;
}

std::string peaks_text(const perf::Figures &figures, const perf::MeasureOptions &options, const perf::Peaks &peaks) {
    std::string operations;
    for (const char *cells : {"float", "double", "int8"}) {
        operations += fmt::format("{}{}op/s with {}", operations.empty() ? "" : ", ",
                                  amount(peaks.operations_per_second(cells)), cells);
    }
    std::string loads;
    std::string stores;
    for (const perf::CacheLevel &level : peaks.levels) {
        const char *const comma = loads.empty() ? "" : ", ";
        loads += fmt::format("{}{}byte/s from {}", comma, amount(level.load_bytes_per_second), level.name);
        stores += fmt::format("{}{}byte/s to {}", comma, amount(level.store_bytes_per_second), level.name);
    }
    const double bound = std::max({figures.arithmetic_ns, figures.loads_ns, figures.stores_ns, figures.lookups_ns});
    const std::string what = bound == figures.arithmetic_ns ? "arithmetic"
                             : bound == figures.loads_ns    ? "loads from " + figures.level
                             : bound == figures.lookups_ns  ? fmt::format("{} lookups of labels", figures.lookups)
                                                            : "stores to " + figures.store_level;
    return line("\npeak", fmt::format(" {}{}", operations, options.threads == 1 ? "" : ", for each thread")) +
           line("", "loads " + loads) + line("", "stores " + stores) +
           line("bound by", fmt::format("{}: {} ns for {}flop, {}byte read and {}byte written of a document", what,
                                        nanoseconds(figures.roofline_ns), amount(figures.flops),
                                        amount(figures.bytes_read), amount(figures.bytes_written)));
}

std::string profile_table(const perf::Figures &figures, const perf::MeasureOptions &options) {
    constexpr std::string_view between = "the call, and between the steps";
    const double total =
        std::accumulate(figures.profile.begin(), figures.profile.end(), figures.between_steps,
                        [](double sum, const perf::StepFigures &step) { return sum + step.nanoseconds; });
    std::size_t width = between.size();
    for (const perf::StepFigures &step : figures.profile) {
        width = std::max(width, step.step.what.size());
    }
    std::string text =
        fmt::format("\n{:>4} {:>12} {:>7}  {:<{}}  kernel\n", "step", "ns/document", "share", "what", width);
    const auto add_row = [&](const std::string &number, double time, std::string_view what, std::string_view kernel) {
        std::string row = fmt::format("{:>4} {:>12} {:>7}  {:<{}}  {}", number, nanoseconds(time),
                                      percent(total == 0 ? 0 : time / total), what, width, kernel);
        row.erase(row.find_last_not_of(' ') + 1);
        text += row + '\n';
    };
    for (std::size_t i = 0; i < figures.profile.size(); ++i) {
        const perf::StepFigures &step = figures.profile[i];
        add_row(std::to_string(i + 1), step.nanoseconds, step.step.what, step.step.kernel);
        const bool is_told = i > 0 && step.step.place == figures.profile[i - 1].step.place &&
                             step.step.text == figures.profile[i - 1].step.text;
        if (!step.step.text.empty() && !is_told) {
            text += fmt::format("{:>{}}{}  {}\n", "", 27, step.step.place, step.step.text);
        }
    }
    add_row("", figures.between_steps, between, "");
    return text + fmt::format("{:>4} {:>12} {:>7}  in blocks of {}{}\n", "", nanoseconds(total), "",
                              figures.blocks.back().size, options.threads == 1 ? "" : ", on one thread");
}

}  // namespace

std::string bench_text(const perf::Figures &figures, const perf::MeasureOptions &options, const perf::Peaks &peaks) {
    std::string text =
        preparation(figures, options) + blocks_table(figures, options) + peaks_text(figures, options, peaks);
    if (!figures.profile.empty()) {
        text += profile_table(figures, options);
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
    if (options.executor != nullptr) {
        json["threads_per_block"] = options.executor->concurrency();
    }
    json.update(to_json(figures));
    json["peaks"] = to_json(peaks);
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

}  // namespace tenrex::tool

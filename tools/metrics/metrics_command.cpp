// tenrex metrics: how good the rankings of a run are.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "tools/command.h"
#include "tools/exit_code.h"
#include "tools/metrics/measures.h"
#include "tools/metrics/trec_files.h"
#include "tools/output.h"
#include "tools/terminal.h"

namespace tenrex::tool {

namespace {

constexpr std::string_view details =
    "Prints how good the rankings of RUN are by the judgements of QRELS: means over all\n"
    "queries of QRELS. A query that RUN lacks counts as 0, and those that QRELS lacks do not\n"
    "count. RUN has lines of query, Q0, document, rank, score and name, as 'tenrex rank\n"
    "--format trec' writes them; QRELS has lines of query, 0, document and relevance.\n"
    "Documents are ordered by their scores, and keep their order where these are equal. A\n"
    "document is relevant if its relevance is above 0.";

constexpr std::string_view examples =
    "Examples:\n"
    "  tenrex metrics songs.run songs.qrels\n"
    "  tenrex metrics songs.run songs.qrels --measure ndcg@10 --measure precision@5\n"
    "  tenrex metrics --per-query songs.run songs.qrels\n";

JudgedRanking judged(const QueryDocuments &judgements, const QueryDocuments &found) {
    std::vector<std::size_t> order(found.entries.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto key = [&](std::size_t i) {
        const double score = found.entries[i].number;
        return std::isnan(score) ? -std::numeric_limits<double>::infinity() : score;
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) > key(b); });
    JudgedRanking ranking;
    for (const std::size_t i : order) {
        const auto judgement = judgements.positions.find(found.entries[i].document);
        ranking.found.push_back(judgement == judgements.positions.end() ? 0
                                                                        : judgements.entries[judgement->second].number);
    }
    for (const auto &[document, relevance] : judgements.entries) {
        if (relevance > 0 && !found.positions.contains(document)) {
            ranking.missing.push_back(relevance);
        }
    }
    return ranking;
}

void print(Output &out, const std::vector<Measure> &measures, const TrecFile &judgements, const TrecFile &run,
           bool per_query) {
    std::size_t name_width = std::string_view("queries").size();
    std::size_t query_width = std::string_view("all").size();
    for (const Measure &measure : measures) {
        name_width = std::max(name_width, measure.name().size());
    }
    for (const std::string &query : judgements.queries) {
        query_width = std::max(query_width, query.size());
    }
    const auto line = [&](std::string_view name, std::string_view query, double value) {
        out.write(per_query ? fmt::format("{:<{}}  {:<{}}  {:.6f}\n", name, name_width, query, query_width, value)
                            : fmt::format("{:<{}}  {:.6f}\n", name, name_width, value));
    };
    std::vector<double> sums(measures.size());
    std::size_t without_results = 0;
    static const QueryDocuments nothing;
    for (const std::string &query : judgements.queries) {
        const QueryDocuments *const found = run.find(query);
        without_results += found == nullptr ? 1 : 0;
        const JudgedRanking ranking = judged(*judgements.find(query), found == nullptr ? nothing : *found);
        for (std::size_t i = 0; i < measures.size(); ++i) {
            const double value = measures[i].of(ranking);
            sums[i] += value;
            if (per_query) {
                line(measures[i].name(), query, value);
            }
        }
    }
    for (std::size_t i = 0; i < measures.size(); ++i) {
        line(measures[i].name(), "all", sums[i] / static_cast<double>(judgements.queries.size()));
    }
    if (!per_query) {
        out.write(fmt::format("{:<{}}  {}\n", "queries", name_width, judgements.queries.size()));
    }
    const auto tell = [](std::size_t count, std::string_view where, std::string_view effect) {
        if (count != 0) {
            print_warning(fmt::format("{} of the queries are in the {} alone; {}", count, where, effect));
        }
    };
    tell(without_results, "judgements", "they count as 0");
    tell(run.queries.size() + without_results - judgements.queries.size(), "run", "they do not count");
}

}  // namespace

int run_metrics(const Command &command, const Arguments &arguments) {
    Arguments names;
    bool per_query = false;
    ArgumentParser parser(command, details, examples);
    parser.add_list("--measure", names, "NAME",
                    "ndcg, map, mrr, recall or precision; with @10 behind, of\nthe ten best documents. May be given "
                    "several times\n(default: ndcg@10, map, mrr, recall@100)");
    parser.add_flag("--per-query", per_query, "Print the measures of each query, too");
    if (const auto status = parser.parse(arguments)) {
        return *status;
    }
    if (parser.positional().size() != 2) {
        return parser.usage_error("a run and judgements are needed");
    }
    if (names.empty()) {
        names = {"ndcg@10", "map", "mrr", "recall@100"};
    }
    std::vector<Measure> measures;
    for (const std::string &name : names) {
        Result<Measure> measure = Measure::parse(name);
        if (!measure) {
            print_error(measure.error());
            return usage;
        }
        measures.push_back(*std::move(measure));
    }
    const Result<TrecFile> run = read_run(parser.positional()[0]);
    const Result<TrecFile> judgements = run ? read_judgements(parser.positional()[1]) : run;
    if (!judgements) {
        print_error(judgements.error());
        return judgements.error().source_name().empty() ? io_failure : rejected;
    }
    if (judgements->queries.empty()) {
        print_error(Error(fmt::format("{} has no judgements", parser.positional()[1])));
        return rejected;
    }
    Output out(STDOUT_FILENO);
    print(out, measures, *judgements, *run, per_query);
    return finish(out, success);
}

}  // namespace tenrex::tool

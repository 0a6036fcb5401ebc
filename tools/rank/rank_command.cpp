// tenrex rank: documents and queries in, ranked lists out.
#include <algorithm>
#include <chrono>
#include <memory>

#include <fmt/format.h>
#include <unistd.h>

#include "tools/command.h"
#include "tools/embed/cache_option.h"
#include "tools/embed/embedder_set.h"
#include "tools/exit_code.h"
#include "tools/output_file.h"
#include "tools/processors.h"
#include "tools/rank/array_columns.h"
#include "tools/rank/document_loader.h"
#include "tools/rank/field_embedding.h"
#include "tools/rank/hit_printer.h"
#include "tools/rank/profile_file.h"
#include "tools/rank/query_source.h"
#include "tools/rank/rank_report.h"
#include "tools/rank/ranker.h"
#include "tools/rank/words.h"
#include "tools/terminal.h"

namespace tenrex::tool {

namespace {

constexpr std::string_view details =
    "Ranks documents with a rank profile. DOCUMENTS are files of JSON Lines, or tables in\n"
    "files that are called .csv, plain or compressed with gzip or zstd, or files of Parquet\n"
    "or Arrow, which Python reads; '-' and nothing at all are standard input. A line is\n"
    "{\"id\":...,\"FIELD\":...} or {\"put\":...,\"fields\":{...}}. Without a query, all inputs\n"
    "have their defaults.";

constexpr std::string_view examples =
    "Examples:\n"
    "  tenrex rank music.profile songs.jsonl --input 'query(mood)=[0.1,0.9]'\n"
    "  tenrex rank music.profile songs.jsonl.zst --queries queries.jsonl --format trec -o run\n"
    "  tenrex rank music.profile songs.jsonl --column plays=plays.npy\n"
    "  tenrex rank music.profile --explain\n";

constexpr std::size_t most_threads = 1024;

struct Options {
    ProfileArguments profile;
    std::vector<std::string> inputs;
    std::vector<std::string> retrieve;
    std::vector<std::string> columns;
    std::vector<ArrayColumn> arrays;
    EmbedderSet embedders;
    std::vector<std::string> embedder_arguments;
    std::string cache;
    std::string text;
    std::string query_file;
    std::string queries_file;
    std::string format = "table";
    std::string output;
    double now = 0;
    bool explain = false;
    bool times = false;
    bool skip_bad = false;
    RankOptions rank;
};

void add_options(ArgumentParser &parser, Options &options) {
    add_profile_options(parser, options.profile);
    parser.add_list("--input", options.inputs, "NAME=VALUE",
                    "The value of an input, as for 'tenrex eval', for all\nqueries; may be repeated");
    parser.add_option("--query", options.query_file, "FILE",
                      "Read the query from a file: a JSON object with a\nmember for each input");
    parser.add_option("--queries", options.queries_file, "FILE",
                      "Read many queries, a JSON object a line, each with an\n\"id\"");
    parser.exclude("--queries", {"--query"});
    parser.add_option("--text", options.text, "TEXT", "The text of queries that have no member \"text\"");
    parser.add_list(
        "--embedder", options.embedder_arguments, "NAME=DIR",
        "The encoder in DIR makes vectors of texts: of fields\nwith \"indexing: input title | embed NAME | "
        "attribute\",\nand of queries with embed(NAME,@text); NAME=FILE, a\ntokenizer.json, makes tokens; "
        "NAME.SETTING=VALUE says\nhow: pooling, normalize, prefix, query-prefix,\ndocument-prefix, max-length, "
        "dimensions, precision;\nmay be repeated");
    parser.add_option(
        "--cache", options.cache, "SIZE",
        "Keep vectors of texts that come again in so many\nbytes, 64M or 2G, and tell how often (default: "
        "none)");
    parser.add_list("--retrieve", options.retrieve, "WHAT",
                    "Rank only what nearestNeighbor(FIELD,QUERY) or\nuserQuery() finds, as many as targetHits says:\n"
                    "'{targetHits:200}nearestNeighbor(embedding,q)'; may\nbe repeated: then what any of them finds");
    parser.add_list(
        "--column", options.columns, "FIELD=FILE",
        "Take a field of the documents from an array of numpy,\na row for each (FILE.npy); may be repeated; without\n"
        "DOCUMENTS the rows are the documents");
    parser.add_count("--hits", options.rank.hits, "COUNT", "Print the best COUNT documents (default: 10)");
    options.rank.threads = usable_processors();
    parser.add_count(
        "--threads", options.rank.threads, "COUNT",
        "Threads that load and rank; the result is the same\n(default: one for each processor that it may use)",
        most_threads);
    parser.add_choice("--format", options.format, "FORMAT", {"table", "jsonl", "trec"},
                      "Print a table, jsonl or a trec run (default: table)");
    parser.add_option("-o,--output", options.output, "FILE", "Write to a file, which is there whole or not at all");
    parser.add_flag("--features", options.rank.features, "Print the match features and summary features, too");
    parser.add_flag("--skip-bad-documents", options.skip_bad,
                    "Count and report documents that are wrong instead of\nending with the first");
    parser.exclude("--skip-bad-documents", {"--column"});
    parser.add_option("--now", options.now, "SECONDS", "Seconds since 1970 for the feature now (default: the\ntime)");
    parser.add_seed_option(options.rank.seed);
    parser.add_flag("--profile", options.times,
                    "Print on standard error the time and documents of\neach phase and function, and what was loaded");
    parser.add_flag("--explain", options.explain, "Print the plan of each phase instead of ranking");
    parser.exclude("--explain", {"--profile"});
}

HitFormat format_of(const Options &options) {
    return options.format == "jsonl" ? HitFormat::jsonl : options.format == "trec" ? HitFormat::trec : HitFormat::table;
}

double seconds_since_1970() {
    using Seconds = std::chrono::duration<double>;
    return Seconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

// Ranks for one query after the other as they are read.
int rank_all(const Options &options, const RankProfile &profile, const LoadReport &loaded, const DocumentLayout &layout,
             Ranker &ranker, const QueryReader &reader) {
    auto file = OutputFile::open(options.output);
    if (!file) {
        print_failure(file.error().message());
        return io_failure;
    }
    const HitPrinter printer(format_of(options), profile, loaded.store, !options.queries_file.empty());
    RankTimes times;
    NanScores nan_scores;
    const auto answer = [&](const RankQuery &query) {
        auto list = ranker.rank(query, options.now);
        if (!list) {
            Error error = list.error();
            error.set_source_name("query " + query.id);
            print_error(error);
            return int{rejected};
        }
        if (query.embedded != 0) {
            list->times.insert(list->times.begin(), {"embedding", query.embedded, query.seconds, "texts"});
        }
        times.add(*list);
        nan_scores.first = nan_scores.first || list->nan_scores.first;
        nan_scores.second = nan_scores.second || list->nan_scores.second;
        nan_scores.global = nan_scores.global || list->nan_scores.global;
        file->out().write(printer.print(query.id, *list));
        return file->out().failed() ? int{io_failure} : int{success};
    };
    int status = options.queries_file.empty() ? answer_query(reader, options.query_file, answer)
                                              : answer_queries(reader, options.queries_file, answer);
    status = file->finish(status);
    if (status == success) {
        report_nan_scores(nan_scores, profile, loaded, layout);
    }
    if (status == success && options.times) {
        print_failure(times.summary() + recall_text(ranker.retrievers()));
    }
    return status;
}

// Those that the schema embeds, unless an array has their values.
std::vector<std::string> embedded_attributes(const Options &options, const RankProfile &profile) {
    std::vector<std::string> names;
    for (const Attribute &attribute : profile.attributes()) {
        const auto is_given = [&](const ArrayColumn &array) { return array.field == attribute.name; };
        if (!options.embedders.empty() && attribute.embedded &&
            std::none_of(options.arrays.begin(), options.arrays.end(), is_given)) {
            names.push_back(attribute.name);
        }
    }
    return names;
}

// The fields that are indexed, if a search or a feature of the profile reads the index.
std::vector<std::string> searched_texts(const Options &options, const RankProfile &profile) {
    const auto &retrieve = options.rank.retrieve;
    const bool all = std::any_of(retrieve.begin(), retrieve.end(), [](const auto &one) { return one.is_text(); });
    std::vector<std::string> searched;
    for (const std::string &field : options.profile.texts) {
        const auto reads = [&](const ColumnNeed &need) {
            return need.source == ColumnSource::host && is_text_feature_of(need.name, field);
        };
        if (all || std::any_of(profile.columns().begin(), profile.columns().end(), reads)) {
            searched.push_back(field);
        }
    }
    return searched;
}

int rank_documents(Options &options, const RankProfile &profile, std::vector<std::string> paths,
                   const QueryReader &reader) {
    DocumentLayout::Searched searched{searched_texts(options, profile), {}, embedded_attributes(options, profile)};
    for (const RetrieveArgument &argument : options.rank.retrieve) {
        if (!argument.is_text()) {
            searched.vectors.push_back(argument.attribute);
        }
    }
    const DocumentLayout layout(profile, options.rank.features, std::move(searched));
    auto embedding = FieldEmbedding::make(layout, options.embedders);
    if (!embedding) {
        print_error(embedding.error());
        return rejected;
    }
    LoadOptions load;
    load.paths = std::move(paths);
    load.threads = options.rank.threads;
    load.skip_bad = options.skip_bad;
    load.progress = is_terminal(STDERR_FILENO);
    auto loaded = load_documents(layout, load, *profile.labels());
    if (!loaded) {
        print_failure(loaded.error().message());
        return io_failure;
    }
    if (loaded->bad == 0) {
        const Status status = take_arrays(options.arrays, layout, load.paths.empty(), *profile.labels(), *loaded);
        if (!status) {
            print_error(status.error());
            return rejected;
        }
    }
    if (loaded->bad == 0 || options.skip_bad) {
        if (const Status status = embedding->run(*loaded, load.threads, load.progress); !status) {
            print_error(status.error());
            return rejected;
        }
    }
    report_loading(*loaded, layout, options.skip_bad, options.times);
    report_embedding(embedding->made(), options.times);
    if (loaded->bad > 0 && !options.skip_bad) {
        return rejected;
    }
    options.rank.compare_exactly = options.times;
    Ranker ranker(profile, layout, loaded->store, options.rank);
    if (const Status status = ranker.prepare(layout); !status) {
        print_error(status.error());
        return rejected;
    }
    return rank_all(options, profile, *loaded, layout, ranker, reader);
}

std::optional<int> read_embedders(const ArgumentParser &parser, Options &options,
                                  std::shared_ptr<ResponseCache> &cache) {
    for (const std::string &argument : options.embedder_arguments) {
        if (const Status status = options.embedders.add(argument); !status) {
            return parser.usage_error("--embedder: " + status.error().message());
        }
    }
    if (const Status status = options.embedders.check(); !status) {
        return parser.usage_error("--embedder: " + status.error().message());
    }
    if (options.cache.empty()) {
        return std::nullopt;
    }
    const auto bytes = bytes_of(options.cache);
    if (!bytes) {
        return parser.usage_error(fmt::format("'{}' is no size of a cache, such as 64M", options.cache));
    }
    cache = std::make_shared<ResponseCache>(*bytes);
    options.embedders.set_cache(cache);
    return std::nullopt;
}

// What nearestNeighbor() compares is compared by closeness(), too, unless --nearest says otherwise.
std::optional<int> read_retrieve(const ArgumentParser &parser, Options &options) {
    for (const std::string &text : options.retrieve) {
        auto argument = parse_retrieve(text);
        if (!argument) {
            return parser.usage_error("--retrieve: " + argument.error().message());
        }
        const auto names = [&](const std::string &nearest) { return nearest.starts_with(argument->attribute + "="); };
        if (!argument->is_text() &&
            std::none_of(options.profile.nearest.begin(), options.profile.nearest.end(), names)) {
            options.profile.nearest.push_back(argument->attribute + "=" + argument->query);
        }
        options.rank.retrieve.push_back(*std::move(argument));
    }
    return std::nullopt;
}

}  // namespace

int run_rank(const Command &command, const Arguments &arguments) {
    ArgumentParser parser(command, details, examples);
    Options options;
    options.now = seconds_since_1970();
    add_options(parser, options);
    if (const auto status = parser.parse(arguments)) {
        return *status;
    }
    if (parser.positional().empty()) {
        return parser.usage_error("no profile is given");
    }
    const std::string &path = parser.positional().front();
    std::vector<std::string> documents(parser.positional().begin() + 1, parser.positional().end());
    for (const std::string &argument : options.columns) {
        auto array = ArrayColumn::parse(argument);
        if (!array) {
            return parser.usage_error("--column: " + array.error().message());
        }
        options.arrays.push_back(*std::move(array));
    }
    if (documents.empty() && options.arrays.empty()) {
        documents.emplace_back("-");
    }
    std::size_t standard_input = 0;
    for (const std::vector<std::string> &names : {{path, options.query_file, options.queries_file}, documents}) {
        standard_input += static_cast<std::size_t>(std::count(names.begin(), names.end(), "-"));
    }
    if (standard_input > 1 && !options.explain) {
        return parser.usage_error("standard input can be read only once");
    }
    if (const auto status = read_retrieve(parser, options)) {
        return *status;
    }
    std::shared_ptr<ResponseCache> cache;
    if (const auto status = read_embedders(parser, options, cache)) {
        return *status;
    }
    options.profile.function_plans = options.times;
    std::optional<RankProfile> profile;
    if (const auto status = load_profile(path, options.profile, profile)) {
        return *status;
    }
    for (const RetrieveArgument &argument : options.rank.retrieve) {
        if (argument.is_text() && options.profile.texts.empty()) {
            return parser.usage_error("--retrieve: userQuery() needs a field that the schema indexes or --index names");
        }
        const Status status = argument.is_text() ? Status() : VectorRetriever::check(argument, *profile);
        if (!status) {
            print_error(status.error());
            return rejected;
        }
    }
    if (options.explain) {
        Output out(STDOUT_FILENO);
        out.write(explain_phases(*profile));
        return finish(out, success);
    }
    QueryEmbedder embedder(options.embedders);
    QueryReader reader(*profile);
    reader.set_embedder(embedder);
    reader.set_text(options.text);
    for (const std::string &input : options.inputs) {
        if (const auto status = reader.add_argument(input)) {
            return *status;
        }
    }
    const int status = rank_documents(options, *profile, std::move(documents), reader);
    if (cache != nullptr && status == success) {
        print_statistics(cache->statistics());
    }
    return status;
}

}  // namespace tenrex::tool

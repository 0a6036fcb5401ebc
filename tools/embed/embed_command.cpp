// tenrex embed: the vectors of texts.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tenrex/response_cache.h>
#include <tenrex/version.h>

#include "tools/command.h"
#include "tools/embed/cache_option.h"
#include "tools/embed/embedder_settings.h"
#include "tools/embed/embedding_run.h"
#include "tools/exit_code.h"
#include "tools/input.h"
#include "tools/output.h"
#include "tools/output_file.h"
#include "tools/terminal.h"

namespace tenrex::tool {

namespace {

constexpr std::string_view details =
    "Prints or writes a vector for each line {\"text\":\"...\"} of TEXTS, or of standard input.\n"
    "DIR has an encoder, model.onnx or model.safetensors with config.json, and its tokenizer,\n"
    "tokenizer.json or vocab.txt. What becomes of the vectors of tokens, and how many a text\n"
    "may have, is read from the files that sentence-transformers keeps there. Special tokens in\n"
    "a text are read as any other text.";

constexpr std::string_view examples =
    "Examples:\n"
    "  tenrex embed --model minilm texts.jsonl --output vectors.npy --threads 2 --resume\n"
    "  tenrex embed --model e5 --pooling mean --normalize --prefix 'query: ' <texts.jsonl\n"
    "  tenrex embed --model minilm --dimensions 128 --cells bits texts.jsonl -o vectors.npy\n";

struct Options {
    std::string model;
    std::string output;
    EmbedderSettings how;
    bool normalize = false;
    std::string cells = "float";
    std::string isa;
    bool resume = false;
    std::size_t threads = 1;
    std::string cache;  // empty: none
};

void add_options(ArgumentParser &parser, Options &options, std::string &prefix) {
    parser.add_option("--model", options.model, "DIR", "The encoder; this option must be given");
    parser.add_option(
        "-o,--output", options.output, "FILE",
        "Write an array of numpy if it is called .npy, else\nlines {\"vector\":[...]} (default: print them)");
    parser.add_flag("--resume", options.resume,
                    "Keep what an interruption leaves of the output, and go\non from there if it is there");
    parser.add_count("--threads", options.threads, "NUMBER", "Threads that work (default: 1)", 1024);
    parser.add_choice(
        "--pooling", options.how.pooling, "HOW", {"mean", "cls", "max"},
        "What becomes of the vectors of tokens: mean, cls (the\nfirst one) or max (default: as DIR says)");
    parser.add_flag("--normalize", options.normalize, "Give vectors the length 1, also if DIR does not say so");
    parser.add_option("--prefix", prefix, "TEXT", "Put this in front of each text (default: as DIR says)");
    parser.add_count("--dimensions", options.how.dimensions, "NUMBER",
                     "Keep that many cells, the first ones, for models\nthat were trained for it (default: all)");
    parser.add_choice("--cells", options.cells, "CELLS", {"float", "int8", "bits"},
                      "float, int8 (the largest becomes 127) or bits, eight\nin an int8 (default: float)");
    parser.add_count("--max-length", options.how.max_length, "NUMBER",
                     "The most tokens of a text (default: as DIR says)");
    parser.add_option(
        "--cache", options.cache, "SIZE",
        "Keep vectors of texts that come again in so many\nbytes, 64M or 2G, and tell how often (default: none)");
    parser.add_precision_option(options.how.precision);
    parser.add_isa_option(options.isa);
}

// A file as it is now: another content has another size or time.
std::string identity(const std::string &path) {
    struct stat status {};
    if (path.empty() || ::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
        return path + '\n';
    }
    return fmt::format("{} {} {}.{}\n", path, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

// Where vectors stand until there are all: a name of its own for all that decides what they are, so that what comes of
// other texts or options is never gone on with.
std::string unfinished_name(const Options &options, const EmbeddingFolder &folder, const std::string &texts) {
    std::string layers;
    for (const DenseLayer &layer : folder.layers) {
        layers += identity(layer.path);
    }
    const std::string what =
        layers + fmt::format("{}\n{}{}{}{} {} {} {} {} {} {}\n{}", version(), identity(folder.model),
                             identity(folder.tokenizer), identity(texts), static_cast<int>(folder.pooling),
                             folder.normalizes, folder.max_length.value_or(0), options.how.dimensions, options.cells,
                             options.how.precision, options.isa, folder.prefix);
    std::uint64_t hash = 0xCBF29CE484222325;
    for (const char c : what) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    }
    return fmt::format("{}.{:016x}.part", options.output, hash);
}

int embed_lines(const TextEmbedder &embedder, const Options &options, const std::string &unfinished, const File &file) {
    auto output = options.resume ? OutputFile::reopen(options.output, unfinished) : OutputFile::open(options.output);
    if (!output) {
        print_failure(output.error().message());
        return io_failure;
    }
    Output &out = output->out();
    TextLines lines(file, PairUse::ignored);
    VectorWriter writer(out, options.output.ends_with(".npy") ? VectorWriter::Format::npy : VectorWriter::Format::jsonl,
                        options.cells == "bits"   ? VectorCells::bits
                        : options.cells == "int8" ? VectorCells::int8
                                                  : VectorCells::floats,
                        embedder.size());
    EmbeddingRun run(embedder, options.threads, lines, writer, out);
    Status status;
    std::size_t before = 0;
    if (options.resume) {
        const auto count = writer.resume();
        status = count ? run.skip(*count) : Status(count.error());
        before = run.texts();
    }
    status = status ? run.run(::isatty(STDERR_FILENO) == 1) : status;
    status = status ? writer.finish() : status;
    if (!status) {
        out.flush();
        print_error(status.error());
        return output->finish(lines.failed() ? io_failure : rejected);
    }
    if (before != 0) {
        print_warning(fmt::format("{} of {} vectors were there already", before, run.texts()));
    }
    if (const std::size_t cut = run.cut_texts(); cut != 0) {
        print_warning(fmt::format("{} of {} texts have more tokens than are taken; their ends were cut off", cut,
                                  run.texts() - before));
    }
    if (embedder.cache() != nullptr) {
        print_statistics(embedder.cache()->statistics());
    }
    return output->finish(success);
}

}  // namespace

int run_embed(const Command &command, const Arguments &arguments) {
    ArgumentParser parser(command, details, examples);
    Options options;
    const std::string none(1, '\0');  // which no argument can be
    std::string prefix = none;
    add_options(parser, options, prefix);
    parser.require("--resume", "--output");
    if (const auto status = parser.parse(arguments)) {
        return *status;
    }
    if (prefix != none) {
        options.how.prefix = prefix;
    }
    if (options.normalize) {
        options.how.normalize = true;
    }
    if (options.model.empty()) {
        return parser.usage_error("an encoder is expected: --model DIR");
    }
    if (parser.positional().size() > 1) {
        return parser.usage_error("one file of texts is expected");
    }
    const auto bytes = bytes_of(options.cache);
    if (!options.cache.empty() && !bytes) {
        return parser.usage_error(fmt::format("'{}' is no size of a cache, such as 64M", options.cache));
    }
    auto folder = read_embedding_folder(options.model);
    const Status applied = folder ? apply(options.how, *folder) : Status(folder.error());
    EmbedderOptions how = options_of(options.how);
    how.isa = options.isa;
    if (!options.cache.empty()) {
        how.cache = std::make_shared<ResponseCache>(*bytes);
    }
    const auto embedder = applied ? TextEmbedder::make(*folder, how) : Result<TextEmbedder>(applied.error());
    if (!embedder) {
        print_error(embedder.error());
        return rejected;
    }
    const std::string texts = parser.positional().empty() ? "-" : parser.positional().front();
    const auto file = File::open(texts);
    if (!file) {
        print_failure(file.error().message());
        return io_failure;
    }
    return embed_lines(*embedder, options, unfinished_name(options, *folder, texts), *file);
}

}  // namespace tenrex::tool

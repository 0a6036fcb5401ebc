// tenrex tokenize: what a tokenizer makes of texts.
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <unistd.h>

#include <tenrex/tokenizer.h>

#include "tools/command.h"
#include "tools/exit_code.h"
#include "tools/input.h"
#include "tools/output.h"
#include "tools/terminal.h"
#include "tools/text/text_lines.h"

namespace tenrex::tool {

namespace {

constexpr std::string_view details =
    "Prints a line {\"ids\":[...],\"offsets\":[[begin,end],...]} for each line {\"text\":\"...\"} of\n"
    "TEXTS, or of standard input. Offsets count the code points of the text before a token\n"
    "and up to its end. FILE is a tokenizer.json, or a vocab.txt of a BERT model.";

constexpr std::string_view examples =
    "Examples:\n"
    "  tenrex tokenize --tokenizer tokenizer.json texts.jsonl\n"
    "  tenrex tokenize --tokenizer vocab.txt --pair --max-length 256 <pairs.jsonl\n";

struct Options {
    std::string tokenizer;
    VocabularyOptions vocabulary;
    bool cased = false;
    bool pair = false;
    bool bytes = false;
    bool plain = false;
    bool bare = false;
    std::size_t max_length = 0;  // 0: as the file says
};

void add_options(ArgumentParser &parser, Options &options) {
    parser.add_option("--tokenizer", options.tokenizer, "FILE", "The tokenizer; this option must be given");
    parser.add_flag("--pair", options.pair, "Each line has a second text, \"pair\"");
    parser.add_flag("--bytes", options.bytes, "Offsets count bytes of UTF-8");
    parser.add_flag("--plain", options.plain, "Special tokens that the text contains are text");
    parser.add_flag("--bare", options.bare, "Put no special tokens around the text");
    parser.add_flag("--cased", options.cased, "The vocab.txt is that of a cased model");
    parser.add_count("--max-length", options.max_length, "NUMBER", "The most tokens (default: as the file says)");
}

char *write_number(std::uint32_t number, char *to) {
    return std::to_chars(to, to + 10, number).ptr;
}

char *write(std::string_view text, char *to) {
    return std::copy(text.begin(), text.end(), to);
}

// The bracket in the place of the last comma, or behind the opening one.
char *end_list(char *to) {
    to -= to[-1] == ',' ? 1 : 0;
    *to = ']';
    return to + 1;
}

void append_line(const Tokens &tokens, std::string &out) {
    constexpr std::string_view begin = "{\"ids\":[";
    constexpr std::string_view middle = ",\"offsets\":[";
    constexpr std::string_view end = "}\n";
    constexpr std::size_t most_of_id = 11;
    constexpr std::size_t most_of_range = 24;
    const std::size_t before = out.size();
    out.resize(before + begin.size() + most_of_id * tokens.ids.size() + 1 + middle.size() +
               most_of_range * tokens.offsets.size() + 1 + end.size());
    char *to = write(begin, out.data() + before);
    for (const std::uint32_t id : tokens.ids) {
        to = write_number(id, to);
        *to++ = ',';
    }
    to = write(middle, end_list(to));
    for (const TextRange &range : tokens.offsets) {
        *to++ = '[';
        to = write_number(range.begin, to);
        *to++ = ',';
        to = write_number(range.end, to);
        to = write("],", to);
    }
    to = write(end, end_list(to));
    out.resize(static_cast<std::size_t>(to - out.data()));
}

int tokenize_lines(const Tokenizer &tokenizer, const Options &options, const File &file) {
    TextLines lines(file, options.pair ? PairUse::needed : PairUse::forbidden);
    TokenizeOptions how;
    how.offsets = options.bytes ? OffsetUnit::bytes : OffsetUnit::code_points;
    how.adds_special_tokens = !options.bare;
    how.is_plain_text = options.plain;
    if (options.max_length != 0) {
        how.max_length = options.max_length;
    }
    Output out(STDOUT_FILENO);
    TokenizerScratch scratch;
    Tokens tokens;
    std::string text;
    while (!out.failed()) {
        const auto line = lines.next();
        if (!line) {
            out.flush();
            print_error(line.error());
            return lines.failed() ? io_failure : rejected;
        }
        if (!*line) {
            break;
        }
        const TextLine &texts = **line;
        const auto pair = texts.pair ? std::optional<std::string_view>(*texts.pair) : std::nullopt;
        if (const Status status = tokenizer.tokenize(texts.text, pair, how, scratch, tokens); !status) {
            out.flush();
            print_error(lines.error_at_line(status.error()));
            return rejected;
        }
        text.clear();
        append_line(tokens, text);
        out.write(text);
    }
    return finish(out, success);
}

}  // namespace

int run_tokenize(const Command &command, const Arguments &arguments) {
    ArgumentParser parser(command, details, examples);
    Options options;
    add_options(parser, options);
    if (const auto status = parser.parse(arguments)) {
        return *status;
    }
    if (options.tokenizer.empty()) {
        return parser.usage_error("a tokenizer is expected: --tokenizer FILE");
    }
    if (parser.positional().size() > 1) {
        return parser.usage_error("one file of texts is expected");
    }
    options.vocabulary.lower_case = !options.cased;
    const auto tokenizer = Tokenizer::load(options.tokenizer, options.vocabulary);
    if (!tokenizer) {
        print_error(tokenizer.error());
        return rejected;
    }
    const auto file = File::open(parser.positional().empty() ? "-" : parser.positional().front());
    if (!file) {
        print_failure(file.error().message());
        return io_failure;
    }
    return tokenize_lines(*tokenizer, options, *file);
}

}  // namespace tenrex::tool

// tenrex predict: what a forest predicts for the rows of a table.
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "tools/command.h"
#include "tools/exit_code.h"
#include "tools/input.h"
#include "tools/model/feature_rows.h"
#include "tools/model/model_options.h"
#include "tools/model/predictor.h"
#include "tools/output.h"
#include "tools/terminal.h"

namespace tenrex::tool {

namespace {

constexpr std::string_view details =
    "Prints what MODEL predicts for each row of ROWS, or of standard input: a line a row,\n"
    "the numbers of several outputs with commas between them, 17 digits. MODEL is a forest\n"
    "that LightGBM or XGBoost has trained, or one in a file that is called .onnx.\n"
    "ROWS has a row a line with commas between its cells.\n"
    "If the first line has the name of a feature in it, it names the columns; else the\n"
    "columns are the features by their numbers, from 0. An empty cell and 'nan' are\n"
    "missing. A category is written as the label that the model's own map has, or as its\n"
    "code if the model has no map.";

constexpr std::string_view examples =
    "Examples:\n"
    "  tenrex predict clicks.txt rows.csv\n"
    "  tenrex predict clicks.json rows.csv --raw --block 256\n"
    "  tenrex predict clicks.txt --contributions <rows.csv\n";

struct Options {
    ModelOptions model;
    PredictorOptions predictor;
    std::size_t block = 64;
    bool contributions = false;
    std::string unseen = "missing";
};

void add_options(ArgumentParser &parser, Options &options) {
    parser.add_flag("--raw", options.predictor.raw, "Print the sums of the leaves, before the objective's\nfunction");
    parser.add_count("--block", options.block, "NUMBER", "Rows that are evaluated at once (default: 64)", 1U << 20U);
    parser.add_flag("--contributions", options.contributions,
                    "Print how much each feature adds to the raw score,\nand the expected score; their sum is the raw "
                    "score");
    parser.add_choice("--unseen", options.unseen, "WHAT", {"missing", "error"},
                      "What a category is that the model's map lacks:\nmissing (the default) or error");
    add_model_options(parser, options.model);
    parser.add_isa_option(options.predictor.isa);
    parser.add_reference_option(options.predictor.reference);
    parser.exclude("--contributions", {"--raw", "--block", "--reference", "--isa"});
}

std::string line_of(const std::vector<double> &numbers) {
    std::string line;
    for (const double number : numbers) {
        line += fmt::format("{}{:.17g}", line.empty() ? "" : ",", number);
    }
    return line + '\n';
}

class Predictions {
public:
    Predictions(const Forest &forest, const Options &options, Predictor *predictor)
        : forest_(forest),
          options_(options),
          predictor_(predictor),
          reader_(forest, options.unseen == "error" ? Unseen::error : Unseen::missing) {}

    int run(const File &file) {
        LineReader lines(file.descriptor(), longest_line);
        bool is_first = true;
        for (;;) {
            switch (lines.next()) {
                case LineReader::Event::line:
                    if (!take(lines.line(), std::exchange(is_first, false))) {
                        out_.flush();
                        return failed(file, lines.line_number());
                    }
                    break;
                case LineReader::Event::too_long:
                    error_ = Error(fmt::format("the line is longer than {} bytes", longest_line));
                    return failed(file, lines.line_number());
                case LineReader::Event::failure:
                    print_failure(fmt::format("{} cannot be read", file.name()));
                    return io_failure;
                case LineReader::Event::end:
                    return print_block() ? finish(out_, success) : failed(file, lines.line_number());
            }
            if (out_.failed()) {
                return finish(out_, success);
            }
        }
    }

private:
    bool fail(const Error &error) {
        error_ = error;
        return false;
    }

    int failed(const File &file, std::size_t line) const {
        print_error(Error(error_->issues(), fmt::format("{}:{}", file.name(), line)));
        return rejected;
    }

    bool take(std::string_view line, bool is_first) {
        if (is_first) {
            const Result<bool> header = reader_.begin(line);
            if (!header || *header) {
                return header || fail(header.error());
            }
        }
        if (line.empty() && !forest_.used_features().empty()) {
            return true;  // no row, as at the end of a file
        }
        Result<std::vector<double>> row = reader_.read(line);
        if (!row) {
            return fail(row.error());
        }
        if (options_.contributions) {
            const auto parts = forest_.contributions(*row);
            if (!parts) {
                return fail(parts.error());
            }
            out_.write(line_of(*parts));
            return true;
        }
        rows_.push_back(*std::move(row));
        return rows_.size() < options_.block || print_block();
    }

    bool print_block() {
        if (rows_.empty()) {
            return true;
        }
        const auto predicted = predictor_->predict(rows_);
        if (!predicted) {
            return fail(predicted.error());
        }
        for (const std::vector<double> &numbers : *predicted) {
            out_.write(line_of(numbers));
        }
        rows_.clear();
        return true;
    }

    const Forest &forest_;
    const Options &options_;
    Predictor *predictor_;
    FeatureRows reader_;
    std::vector<std::vector<double>> rows_;  // of the block
    std::optional<Error> error_;
    Output out_{STDOUT_FILENO};
};

}  // namespace

int run_predict(const Command &command, const Arguments &arguments) {
    ArgumentParser parser(command, details, examples);
    Options options;
    add_options(parser, options);
    if (const auto status = parser.parse(arguments)) {
        return *status;
    }
    if (parser.positional().empty() || parser.positional().size() > 2) {
        return parser.usage_error("a file with a model is expected, and one with rows");
    }
    int status = success;
    const auto forest = load_forest(parser.positional().front(), options.model, status);
    if (!forest) {
        return status;
    }
    std::optional<Predictor> predictor;
    if (!options.contributions) {
        auto made = Predictor::make(*forest, options.predictor);
        if (!made) {
            print_error(made.error());
            return rejected;
        }
        predictor.emplace(*std::move(made));
    }
    const auto file = File::open(parser.positional().size() == 2 ? parser.positional()[1] : "-");
    if (!file) {
        print_failure(file.error().message());
        return io_failure;
    }
    return Predictions(*forest, options, predictor ? &*predictor : nullptr).run(*file);
}

}  // namespace tenrex::tool

// The commands of the program, one row each, and what they share in reading their arguments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;  // <CLI/CLI.hpp> takes seconds to compile: argument_parser.cpp alone includes it
}

namespace tenrex::tool {

using Arguments = std::vector<std::string>;

struct Command {
    std::string_view name;
    std::string_view synopsis;  // behind the name; lines are alternatives
    std::string_view summary;
    int (*run)(const Command &command, const Arguments &arguments);
};

int run_eval(const Command &command, const Arguments &arguments);
int run_type(const Command &command, const Arguments &arguments);
int run_explain(const Command &command, const Arguments &arguments);
int run_bench(const Command &command, const Arguments &arguments);
int run_repl(const Command &command, const Arguments &arguments);
int run_rank(const Command &command, const Arguments &arguments);
int run_check(const Command &command, const Arguments &arguments);
int run_predict(const Command &command, const Arguments &arguments);
int run_model(const Command &command, const Arguments &arguments);
int run_metrics(const Command &command, const Arguments &arguments);
int run_playground(const Command &command, const Arguments &arguments);
int run_tokenize(const Command &command, const Arguments &arguments);
int run_embed(const Command &command, const Arguments &arguments);
int run_functions(const Command &command, const Arguments &arguments);

// Models that expressions use: NAME=FILE.
struct ModelArguments {
    Arguments files;
    std::string precision = "f32";  // of the products of networks
};

// Reads the options of one command. Each has --help and --color. An option is named as it is written, "-f,--file" if it
// has a short form, too; `form` stands for its value in the help.
class ArgumentParser {
public:
    // details: a paragraph below the summary; examples: below the options.
    ArgumentParser(const Command &command, std::string_view details, std::string_view examples);
    ~ArgumentParser();
    ArgumentParser(const ArgumentParser &) = delete;
    ArgumentParser &operator=(const ArgumentParser &) = delete;

    void add_flag(const std::string &name, bool &value, const std::string &help);
    void add_option(const std::string &name, std::string &value, const std::string &form, const std::string &help);
    void add_option(const std::string &name, double &value, const std::string &form, const std::string &help);
    void add_option(const std::string &name, std::uint64_t &value, const std::string &form, const std::string &help);
    // May be given several times.
    void add_list(const std::string &name, Arguments &values, const std::string &form, const std::string &help);
    void add_choice(const std::string &name, std::string &value, const std::string &form, const Arguments &choices,
                    const std::string &help);
    // At least 1.
    void add_count(const std::string &name, std::size_t &value, const std::string &form, const std::string &help,
                   std::size_t most = std::numeric_limits<std::size_t>::max());
    // Counts with commas between them.
    void add_counts(const std::string &name, std::vector<std::size_t> &values, const std::string &form,
                    const std::string &help);
    // None of the others may be given with it.
    void exclude(const std::string &name, std::initializer_list<const char *> others);
    // It may only be given with the other.
    void require(const std::string &name, const std::string &other);
    // Options that several commands have.
    void add_file_option(std::string &path);
    void add_dialect_option(std::string &dialect);
    void add_seed_option(std::uint64_t &seed);
    void add_isa_option(std::string &isa);
    void add_reference_option(bool &reference);
    void add_model_option(ModelArguments &models);
    void add_precision_option(std::string &precision);
    // The arguments that are not options. An expression may begin with '-' if something other than a letter or '-'
    // follows.
    const Arguments &positional() const noexcept { return positional_; }
    // The exit status if the command is to end here: after --help, or after a message about the usage.
    std::optional<int> parse(const Arguments &arguments);
    // Says on standard error what is wrong with the usage.
    int usage_error(std::string_view message) const;

private:
    std::unique_ptr<CLI::App> app_;
    std::string name_;
    std::string color_ = "auto";
    Arguments positional_;
};

}  // namespace tenrex::tool

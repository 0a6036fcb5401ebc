// The commands of the program, one row each, and what they share in reading their arguments.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;  // <CLI/CLI.hpp> takes seconds to compile: only those include it who add options of their own
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
int run_functions(const Command &command, const Arguments &arguments);

// Reads the options of one command. Each has --help and --color.
class ArgumentParser {
public:
    // details: a paragraph below the summary; examples: below the options.
    ArgumentParser(const Command &command, std::string_view details, std::string_view examples);
    ~ArgumentParser();
    ArgumentParser(const ArgumentParser &) = delete;
    ArgumentParser &operator=(const ArgumentParser &) = delete;

    CLI::App &app() noexcept { return *app_; }
    // Options that several commands have.
    void add_file_option(std::string &path);
    void add_dialect_option(std::string &dialect);
    void add_seed_option(std::uint64_t &seed);
    void add_reference_option(bool &reference);
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

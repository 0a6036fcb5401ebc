// Reads the options of a command with CLI11.
#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include "tools/command.h"
#include "tools/exit_code.h"
#include "tools/output.h"
#include "tools/terminal.h"

namespace tenrex::tool {

namespace {

// Stands in front of arguments that CLI11 must not interpret: an expression such as `-1+2` is no option, and `[1,2]` no
// list of arguments.
constexpr char guard = '\x1f';

bool needs_guard(std::string_view argument) {
    if (argument.size() < 2) {
        return false;
    }
    const auto second = static_cast<unsigned char>(argument[1]);
    return argument[0] == '[' || (argument[0] == '-' && second != '-' && std::isalpha(second) == 0);
}

class HelpFormatter : public CLI::Formatter {
public:
    explicit HelpFormatter(const Command &command) : command_(command) { column_width(30); }

    std::string make_usage(const CLI::App *, std::string) const override {
        std::string text;
        std::string_view rest = command_.synopsis;
        while (!rest.empty()) {
            const std::string_view line = rest.substr(0, rest.find('\n'));
            text += fmt::format("{} tenrex {} {}\n", text.empty() ? "\nUsage:" : "      ", command_.name, line);
            rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        }
        return text;
    }
    // Which options go together is told when it matters.
    std::string make_option_opts(const CLI::Option *option) const override {
        return option->get_type_size() == 0 ? std::string() : ' ' + option->get_type_name();
    }
    // The positional arguments are explained in the text.
    std::string make_positionals(const CLI::App *) const override { return {}; }

private:
    const Command &command_;
};

}  // namespace

ArgumentParser::ArgumentParser(const Command &command, std::string_view details, std::string_view examples)
    : app_(std::make_unique<CLI::App>(fmt::format("{}.\n\n{}", command.summary, details))), name_(command.name) {
    app_->formatter(std::make_shared<HelpFormatter>(command));
    app_->footer(std::string(examples));
    app_->set_help_flag("-h,--help", "Print this help and exit");
    app_->add_option("--color", color_, "Colour messages: auto, always, never\n(default: auto)")
        ->type_name("WHEN")
        ->check(CLI::IsMember({"auto", "always", "never"}).description(""));
    app_->add_option("arguments", positional_);
}

ArgumentParser::~ArgumentParser() = default;

void ArgumentParser::add_file_option(std::string &path) {
    app_->add_option("-f,--file", path, "Read the expression from a file")->type_name("FILE");
}

void ArgumentParser::add_dialect_option(std::string &dialect) {
    app_->add_option("--dialect", dialect, "Meaning of the language: core or java\n(default: core)")
        ->type_name("DIALECT")
        ->check(CLI::IsMember({"core", "java"}).description(""));
}

void ArgumentParser::add_seed_option(std::uint64_t &seed) {
    app_->add_option("--seed", seed, "Seed of random(...) (default: 0)")->type_name("NUMBER");
}

void ArgumentParser::add_reference_option(bool &reference) {
    app_->add_flag("--reference", reference,
                   "Evaluate with the naive evaluator that the compiler is\ntested against, instead of compiling");
}

std::optional<int> ArgumentParser::parse(const Arguments &arguments) {
    // CLI11 takes the arguments from the back.
    Arguments guarded;
    bool options_ended = false;
    for (const std::string &argument : arguments) {
        guarded.push_back(argument);
        if (!options_ended && needs_guard(argument)) {
            guarded.back().insert(0, 1, guard);
        }
        options_ended |= argument == "--";
    }
    std::reverse(guarded.begin(), guarded.end());
    try {
        app_->parse(std::move(guarded));
    } catch (const CLI::CallForHelp &) {
        Output out(STDOUT_FILENO);
        out.write(app_->help());
        return finish(out, success);
    } catch (const CLI::ParseError &error) {
        return usage_error(error.what());
    }
    for (std::string &argument : positional_) {
        if (!argument.empty() && argument.front() == guard) {
            argument.erase(0, 1);
        }
    }
    set_color_mode(color_ == "always"  ? ColorMode::always
                   : color_ == "never" ? ColorMode::never
                                       : ColorMode::automatic);
    return std::nullopt;
}

int ArgumentParser::usage_error(std::string_view message) const {
    print_failure(fmt::format("{}: {}\nTry 'tenrex {} --help'.", name_, message, name_));
    return usage;
}

}  // namespace tenrex::tool
